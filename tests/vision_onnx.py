"""Tiny ONNX models written byte by byte, so that the real runtime is tested without any weights.

Source: onnx.proto3 of ONNX 1.16 (field numbers).
"""

import struct
from collections.abc import Sequence

import numpy as np

from vision.stance import STANCE_PX

FLOAT = 1


def detector_model(
    rows: Sequence[Sequence[float]], *, channels: int = 3, shown: np.ndarray | None = None
) -> bytes:
    """A model that finds the same rows (x1, y1, x2, y2, score, class) in every picture.

    With `shown` (1, 1, H / 4, W / 4) that is its second output, whatever the picture's size.
    """
    answer = np.zeros((1, max(len(rows), 1), 6 if not rows else len(rows[0])), np.float32)
    if rows:
        answer[0] = rows
    answers = {"output0": answer} | ({} if shown is None else {"shown": shown.astype(np.float32)})
    return _model(
        nodes=[  # constants plus nothing at all of the picture: a runtime may drop an unused input
            _node("GlobalAveragePool", ["images"], ["mean"]),
            _node("Flatten", ["mean"], ["flat"]),
            _node("MatMul", ["flat", "nothing"], ["zero"]),
            *(_node("Add", [f"{name}_always", "zero"], [name]) for name in answers),
        ],
        constants={
            "nothing": np.zeros((channels, 1), np.float32),
            **{f"{name}_always": value for name, value in answers.items()},
        },
        inputs={"images": [1, channels, "height", "width"]},
        outputs={name: list(value.shape) for name, value in answers.items()},
    )


def value_model(
    weights: np.ndarray, *, sides: Sequence[int | str] = (64, 64), features: bool = False
) -> bytes:
    """A model whose logits are the mean colour (red, green, blue 0..1) times (3, K) weights.

    With `features` the mean colour is its second output.
    """
    outputs: dict[str, Sequence[int | str]] = {"logits": ["n", weights.shape[1]]}
    if features:
        outputs["features"] = ["n", 3]
    return _model(
        nodes=[
            _node("GlobalAveragePool", ["crops"], ["mean"]),
            _node("Flatten", ["mean"], ["features"]),
            _node("MatMul", ["features", "weights"], ["logits"]),
        ],
        constants={"weights": weights.astype(np.float32)},
        inputs={"crops": ["n", 3, *sides]},
        outputs=outputs,
    )


def stance_model(
    colours: np.ndarray,
    leans: np.ndarray,
    *,
    sides_px: tuple[int, int] = (STANCE_PX, STANCE_PX),
    away: np.ndarray | None = None,
) -> bytes:
    """A model whose logits are the mean colour times (3, K) plus what is told times (T, K).

    With `away` the mean colour times (3, L) is its second output.
    """
    constants = {"colours": colours, "leans": leans}
    outputs: dict[str, Sequence[int | str]] = {"logits": ["n", colours.shape[1]]}
    nodes = [
        _node("GlobalAveragePool", ["crops"], ["mean"]),
        _node("Flatten", ["mean"], ["flat"]),
        _node("MatMul", ["flat", "colours"], ["seen"]),
        _node("MatMul", ["told", "leans"], ["leant"]),
        _node("Add", ["seen", "leant"], ["logits"]),
    ]
    if away is not None:
        nodes.append(_node("MatMul", ["flat", "away"], ["aside"]))
        constants["away"], outputs["aside"] = away, ["n", away.shape[1]]
    return _model(
        nodes=nodes,
        constants={name: array.astype(np.float32) for name, array in constants.items()},
        inputs={"crops": ["n", 3, *sides_px], "told": ["n", len(leans)]},
        outputs=outputs,
    )


def heat_model(heat: np.ndarray) -> bytes:
    """A model that marks the same places (1, 1, S, S logits) in every crop."""
    return _model(
        nodes=[
            _node("GlobalAveragePool", ["crops"], ["means"]),
            _node("Conv", ["means", "nothing"], ["zero"]),
            _node("Add", ["zero", "marks"], ["heat"]),
        ],
        constants={"nothing": np.zeros((1, 3, 1, 1), np.float32), "marks": heat.astype(np.float32)},
        inputs={"crops": ["n", 3, 64, 64]},
        outputs={"heat": ["n", *heat.shape[1:]]},
    )


def _model(nodes, constants, inputs, outputs) -> bytes:
    graph = b"".join(_bytes(1, node) for node in nodes)
    graph += _bytes(2, b"test")
    graph += b"".join(_bytes(5, _tensor(name, array)) for name, array in constants.items())
    graph += b"".join(_bytes(11, _value(name, shape)) for name, shape in inputs.items())
    graph += b"".join(_bytes(12, _value(name, shape)) for name, shape in outputs.items())
    opset = _bytes(1, b"") + _number(2, 13)
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, opset)


def _node(kind: str, inputs: Sequence[str], outputs: Sequence[str]) -> bytes:
    named = [_bytes(1, name.encode()) for name in inputs]
    named += [_bytes(2, name.encode()) for name in outputs]
    return b"".join(named) + _bytes(4, kind.encode())


def _tensor(name: str, array: np.ndarray) -> bytes:
    dims = b"".join(_number(1, size) for size in array.shape)
    raw = struct.pack(f"<{array.size}f", *array.ravel().tolist())
    return dims + _number(2, FLOAT) + _bytes(8, name.encode()) + _bytes(9, raw)


def _value(name: str, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(
        _bytes(1, _number(1, size) if isinstance(size, int) else _bytes(2, size.encode()))
        for size in shape
    )
    tensor = _number(1, FLOAT) + _bytes(2, dims)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, tensor))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)
