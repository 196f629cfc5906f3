"""The finder's network, and the only file that knows the inference runtime."""

import hashlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.eye import FINDS, Finds
from vision.images import Image, as_bgr, to_uint8

__all__ = ["Detector", "ModelError", "only_input", "open_network"]

STRIDE_PX = 32
"""The detector halves its picture five times, so both sides are multiples of 2**5."""
LEAST_PX = 128
"""Shortest side of a look: a smaller canvas has fewer places than the 300 that are answered."""
PADDING_GREY = 114
"""Grey around a letterboxed picture, as in training."""
MAX_SIZE_PX = 2048
"""Longest side of one look; more needs gigabytes, larger pictures are read in tiles."""


class Detector:
    """Finds dice, towers, burning dice and cups in a picture with a YOLO26 network.

    It does not say what a die shows: `vision.readers` does.

    Args:
        weights: an ONNX file with the input "images" (1, 3, H, W), float32 RGB 0..1, H and W
            free, and one output (1, 300, 6): x1, y1, x2, y2, score, class.
        threads: processor threads of one look.
        sha256: hexadecimal digest that the file must have; None: not checked.

    Raises:
        ModelError: the file is missing, damaged, another one, or not such a network.
    """

    def __init__(self, weights: Path, *, threads: int = 2, sha256: str | None = None) -> None:
        self._session = open_network(weights, threads=threads, sha256=sha256)
        self._weights = weights
        self._input = only_input(self._session, weights)

    def find(self, image_bgr: Image, *, size_px: int = 640, min_score: float = 0.25) -> Finds:
        """Look once.

        Args:
            image_bgr: (H, W), (H, W, 3) or (H, W, 4) uint8, any size.
            size_px: the picture's long side is scaled to this, 32..2048 pixels.
            min_score: findings below are dropped, 0..1.

        Returns:
            The findings in pixels of the picture given, best first.

        Raises:
            PictureError: not a picture.
            ValueError: `size_px` out of range.
            ModelError: the network answers in another form.
        """
        if not STRIDE_PX <= size_px <= MAX_SIZE_PX:
            raise ValueError(
                f"size_px must be {STRIDE_PX}..{MAX_SIZE_PX}, but got {size_px}; "
                "read larger pictures in tiles."
            )
        picture = as_bgr(image_bgr)
        canvas, factor_x, factor_y = _letterbox(picture, size_px)
        blob = np.ascontiguousarray(canvas[:, :, ::-1].transpose(2, 0, 1)[None], dtype=np.float32)
        blob *= np.float32(1 / 255)
        rows = self._run(blob)
        rows = rows[(rows[:, 4] >= min_score) & np.isfinite(rows).all(axis=1)]
        height, width = picture.shape[:2]
        boxes = rows[:, :4] / np.array([factor_x, factor_y, factor_x, factor_y], np.float32)
        boxes = np.clip(boxes, 0, np.array([width, height, width, height], np.float32))
        order = np.argsort(-rows[:, 4], kind="stable")
        order = order[(boxes[order, 2:] > boxes[order, :2]).all(axis=1)]
        return Finds(
            boxes[order].astype(np.float32),
            rows[order, 4].astype(np.float32),
            rows[order, 5].astype(np.int64),
        )

    def _run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        answer = np.asarray(self._session.run(None, {self._input: blob})[0], dtype=np.float32)
        if answer.ndim != 3 or answer.shape[0] != 1 or answer.shape[2] != 6:
            raise ModelError(
                f"{self._weights}: the network answered {answer.shape}, but a detector answers "
                "(1, 300, 6); export it with nms=False from a YOLO26 model."
            )
        rows: NDArray[np.float32] = answer[0]
        if rows.size and not 0 <= rows[:, 5].min() <= rows[:, 5].max() < len(FINDS):
            raise ModelError(
                f"{self._weights}: the network names a class {rows[:, 5].max():.0f}, but the "
                f"classes are 0..{len(FINDS) - 1}; it was trained for something else."
            )
        return rows


def _letterbox(picture: Image, size_px: int) -> tuple[Image, float, float]:
    """Scale the long side to `size_px`, pad right and below to multiples of the stride.

    Returns:
        The canvas and the true factors of both axes (rounding to whole pixels makes them differ
        for very long pictures).
    """
    height, width = picture.shape[:2]
    factor = size_px / max(height, width)
    new_width, new_height = max(1, round(width * factor)), max(1, round(height * factor))
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    if (new_width, new_height) != (width, height):
        picture = to_uint8(cv2.resize(picture, (new_width, new_height), interpolation=how))
    sides = [max(LEAST_PX, -(-side // STRIDE_PX) * STRIDE_PX) for side in (new_height, new_width)]
    canvas = np.full((*sides, 3), PADDING_GREY, dtype=np.uint8)
    canvas[:new_height, :new_width] = picture
    return canvas, new_width / width, new_height / height


def open_network(weights: Path, *, threads: int, sha256: str | None) -> Any:
    """An inference session for an ONNX file; errors as for `Detector`."""
    try:
        content = Path(weights).read_bytes()
    except OSError as error:
        raise ModelError(
            f"The model {weights} cannot be read ({error.strerror or error}); "
            "reinstall the package or name another file."
        ) from error
    digest = hashlib.sha256(content).hexdigest()
    if sha256 is not None and digest != sha256.lower():
        raise ModelError(
            f"The model {weights} has the sha256 {digest}, but {sha256} is expected; "
            "the file is damaged or from another version: install it again."
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime raises a dozen unrelated types for a bad file
        raise ModelError(
            f"{weights} is not an ONNX model that can be run here: {error}; export it again."
        ) from error


def only_input(session: Any, weights: Path) -> str:
    """The name of the one picture input (N, 3, H, W); errors as for `Detector`."""
    inputs = session.get_inputs()
    shape = inputs[0].shape if len(inputs) == 1 else None
    if shape is None or len(shape) != 4 or shape[1] != 3:
        raise ModelError(
            f"{weights}: one picture input (N, 3, H, W) is expected, but the model has "
            f"{[(entry.name, entry.shape) for entry in inputs]}; this is another model."
        )
    return str(inputs[0].name)
