"""The one file that knows the inference runtime: opens ONNX files and runs them with OpenVINO.

The runtime reads ONNX as it is, without a conversion, and turns pictures into the network's numbers
itself (red before blue, 0..1, channels first), in the same pass as the first layer.
"""

import hashlib
import sys
from collections.abc import Sequence
from copy import copy
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.images import Image

__all__ = ["Network", "precision"]

WHITE = 255.0
SILENCED = ("openvino.tools.ovc", "openvino_telemetry")
"""`import openvino` loads its converter, which reports the import over the network and writes into
the home folder. Nothing here converts; the package goes without when these two are missing."""
SETTINGS = {
    "PERFORMANCE_HINT": "LATENCY",  # one picture at a time, as soon as possible
    "ENABLE_CPU_PINNING": False,  # threads may move away from a core that others use
    # What was compiled for a size of picture is not kept: photographs come in any size, at 5 MB
    # each. Sizes that come again and again have networks of their own (`Network.of_one_size`).
    "CPU_RUNTIME_CACHE_CAPACITY": 0,
}
X86_64, TILES = "intel64", "amx_bf16"
CPUINFO = Path("/proc/cpuinfo")
KEPT_PX = 40_000
"""What a run reckoned in is kept for the next one up to so many pixels of all its pictures. What is
larger gives it back: 50 MB of a table that plays, for a quarter of a look's processor time in a
network for all sizes, and none in one of one size.
"""


def precision(able: Sequence[str], *, halves: bool, architecture: str, tiles: bool) -> str:
    """What the runtime is to reckon in.

    Args:
        able: what it says the processor can, `OPTIMIZATION_CAPABILITIES`.
        halves: 16 bits are exact enough.
        architecture: `DEVICE_ARCHITECTURE`, such as "intel64" or "arm64".
        tiles: the processor multiplies bfloat16 in tiles (Intel's AMX).

    Returns:
        "f32" on an x86-64 without tiles: bfloat16 takes a third longer there, half floats more
        (a look at 480 x 352 in 15.1, 20.0 and 21.2 ms), with tiles 21.6, 12.9 and 29.0. An ARM
        without bfloat16 takes half floats.
    """
    if not halves or (architecture == X86_64 and not tiles):
        return "f32"
    return "bf16" if "BF16" in able else "f16"


@cache
def _has_tiles(cpuinfo: Path = CPUINFO) -> bool:
    """Whether the processor has tiles, as Linux says; where nobody says, it has none."""
    try:
        return TILES in cpuinfo.read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return False


class Network:
    """An ONNX network that looks at pictures.

    Args:
        weights: an ONNX file with one input (N, 3, H, W), float32 RGB 0..1; N, H and W may be free.
        threads: processor threads of one run.
        sha256: hexadecimal digest that the file must have; None: not checked.
        also: name of a second input (N, K) float32 that every picture comes with; "": none.
        without: outputs that nobody wants; what only they need is not reckoned.
        halves: reckon in 16 bits where that is faster (`precision`), on some processors by half; a
            finder's scores change by 0.006 in the mean, its boxes by a tenth of a pixel, what the
            stance network says by 0.0006.

    Attributes:
        weights: the file.
        input_name: what the file calls its input.
        input_shape: (N, 3, H, W) as the file says; None where a size is free.
        all_outputs: what the file calls its outputs, in its order.
        output_names: those of them that are answered.

    Raises:
        ModelError: the file is missing, damaged, another one, or not such a network.
    """

    def __init__(
        self,
        weights: Path,
        *,
        threads: int = 2,
        sha256: str | None = None,
        also: str = "",
        without: tuple[str, ...] = (),
        halves: bool = False,
    ) -> None:
        self.weights = Path(weights)
        content = _content(self.weights, sha256)
        runtime = _openvino()
        try:
            core = runtime.Core()
            model = core.read_model(content)
        except Exception as error:  # the runtime has no error of its own for a bad file
            raise self._not_runnable(error) from error
        self.input_name, self.input_shape = self._picture_input(model, also)
        self._also = also
        self.all_outputs = tuple(entry.any_name for entry in model.outputs)
        for result in model.get_results():
            if result.output(0).any_name in without:
                model.remove_result(result)
        self.output_names = tuple(entry.any_name for entry in model.outputs)
        try:
            settings = {
                **SETTINGS,
                "INFERENCE_NUM_THREADS": threads,
                "INFERENCE_PRECISION_HINT": precision(
                    core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"),
                    halves=halves,
                    architecture=core.get_property("CPU", "DEVICE_ARCHITECTURE"),
                    tiles=_has_tiles(),
                ),
            }
            self._compile = partial(core.compile_model, device_name="CPU", config=settings)
            seeing = _seeing_pictures(runtime, model, self.input_name)
            self._model = _with_ready_weights(runtime, seeing)
            self._make_ready(self._model)
        except Exception as error:
            raise self._not_runnable(error) from error

    def of_one_size(self, height: int, width: int) -> "Network":
        """The same network for single pictures of one size: it is ready for them at any time.

        Sizes in turn are made ready anew each time, which takes longer than a small look. A network
        of one size keeps what it needs, some 30 MB of a finder.

        Args:
            height: of every picture, pixels.
            width: the same.

        Raises:
            ModelError: the network cannot look at pictures of this size.
        """
        other = copy(self)
        try:
            model = self._model.clone()
            model.reshape({self.input_name: [1, height, width, 3]})
            other._make_ready(model)
        except Exception as error:
            raise ModelError(
                f"{self.weights}: the network cannot look at pictures of {height} x {width}, its "
                f"input is {self.input_shape}: {error}"
            ) from error
        return other

    def _make_ready(self, model: Any) -> None:
        self._compiled = self._compile(model)
        self._request = self._compiled.create_infer_request()
        self._lock = Lock()

    def run(
        self, pictures_bgr: Image, also: NDArray[np.float32] | None = None
    ) -> tuple[NDArray[np.float32], ...]:
        """Look at pictures; one call after another, whichever thread asks.

        Args:
            pictures_bgr: (N, H, W, 3) uint8, of the sizes that `input_shape` allows.
            also: (N, K) for the second input, where there is one.

        Returns:
            The network's outputs in the order of the file, float32, the caller's own.

        Raises:
            ModelError: the network cannot take pictures of this size.
        """
        with self._lock:
            handed = {self.input_name: np.ascontiguousarray(pictures_bgr)}
            if also is not None:
                handed[self._also] = np.ascontiguousarray(also)
            try:
                answers = self._request.infer(handed, share_inputs=True)
            except Exception as error:
                raise ModelError(
                    f"{self.weights}: the network cannot look at pictures of the form "
                    f"{pictures_bgr.shape}, its input is {self.input_shape}: {error}"
                ) from error
            if pictures_bgr.size > 3 * KEPT_PX:
                self._compiled.release_memory()  # the answers are copies
            return tuple(np.asarray(answer, dtype=np.float32) for answer in answers.values())

    def _picture_input(self, model: Any, also: str) -> tuple[str, tuple[int | None, ...]]:
        inputs = {entry.any_name: _shape(entry) for entry in model.inputs}
        pictures = [(name, shape) for name, shape in inputs.items() if name != also]
        if (
            len(inputs) != 1 + bool(also)
            or len(pictures) != 1
            or len(pictures[0][1]) != 4
            or pictures[0][1][1] != 3
        ):
            raise ModelError(
                f"{self.weights}: one picture input (N, 3, H, W)"
                f"{f' and {also!r}' if also else ''} is expected, but the model has "
                f"{list(inputs.items())}; this is another model."
            )
        return pictures[0]

    def _not_runnable(self, error: Exception) -> ModelError:
        return ModelError(
            f"{self.weights} is not an ONNX model that can be run here: {error}; export it again."
        )


@cache
def _openvino() -> Any:
    """The runtime, without its telemetry."""
    for name in SILENCED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]
    import openvino
    import openvino.passes

    return openvino


def _content(weights: Path, sha256: str | None) -> bytes:
    try:
        content = weights.read_bytes()
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
    return content


def _shape(entry: Any) -> tuple[int | None, ...]:
    return tuple(side.get_length() if side.is_static else None for side in entry.partial_shape)


def _seeing_pictures(runtime: Any, model: Any, name: str) -> Any:
    """The model with an input (N, H, W, 3) uint8 BGR instead of (N, 3, H, W) float32 RGB 0..1."""
    steps = runtime.preprocess.PrePostProcessor(model)
    picture = steps.input(name)
    picture.tensor().set_element_type(runtime.Type.u8).set_layout(
        runtime.Layout("NHWC")
    ).set_color_format(runtime.preprocess.ColorFormat.BGR)
    picture.model().set_layout(runtime.Layout("NCHW"))
    picture.preprocess().convert_element_type(runtime.Type.f32).convert_color(
        runtime.preprocess.ColorFormat.RGB
    ).scale(WHITE)
    return steps.build()


def _with_ready_weights(runtime: Any, model: Any) -> Any:
    """The model with weights of 16 bits made numbers of 32, once for all that is made of it."""
    passes = runtime.passes.Manager()
    passes.register_pass(runtime.passes.ConstantFolding())
    passes.run_passes(model)
    return model
