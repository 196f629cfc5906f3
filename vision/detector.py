"""The two ONNX models; the only file that knows the inference runtime."""

import hashlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.crops import CROP_PX
from vision.detections import CLASS_NAMES, Detections, suppress
from vision.errors import ModelError, PictureError
from vision.images import Image, as_bgr, to_uint8
from vision.last_stage import LastStage, sha256_of, shares

__all__ = ["Detector", "ModelError", "ValueReader"]

STRIDE_PX = 32
"""The detector halves its picture five times, so both sides are multiples of 2**5."""
LEAST_PX = 128
"""Shortest side of a look: a smaller canvas has fewer places than the 300 that are answered."""
PADDING_GREY = 114
"""Grey around a letterboxed picture, as in training."""
MAX_SIZE_PX = 2048
"""Longest side of one look; more needs gigabytes, larger pictures are read in tiles."""
VALUE_COLUMNS = 7
CROPS_PER_RUN = 64
FEATURES = "features"
"""Name of the value reader's second output: what is left of a crop before the last layer."""

Floats = NDArray[np.float32]


class Detector:
    """Finds dice, towers, burning dice and cups in a picture with a YOLO26 network.

    Args:
        weights: an ONNX file with the input "images" (1, 3, H, W), float32 RGB 0..1, H and W
            free, and one output (1, 300, 6): x1, y1, x2, y2, score, class.
        threads: processor threads of one look.
        sha256: hexadecimal digest that the file must have; None: not checked.

    Raises:
        ModelError: the file is missing, damaged, another one, or not such a network.
    """

    def __init__(self, weights: Path, *, threads: int = 2, sha256: str | None = None) -> None:
        self._session = _open(weights, threads=threads, sha256=sha256)
        self._weights = weights
        self._input = _only_input(self._session, weights)

    def detect(
        self, image_bgr: Image, *, size_px: int = 640, min_score: float = 0.25
    ) -> Detections:
        """Look once.

        Args:
            image_bgr: (H, W), (H, W, 3) or (H, W, 4) uint8, any size.
            size_px: the picture's long side is scaled to this, 32..2048 pixels.
            min_score: findings below are dropped, 0..1.

        Returns:
            The findings in pixels of the picture given, at most one per place, best first.

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
        found = Detections(
            boxes.astype(np.float32), rows[:, 4].astype(np.float32), rows[:, 5].astype(np.int64)
        )
        return suppress(found.select(found.sides > 0))

    def _run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        answer = np.asarray(self._session.run(None, {self._input: blob})[0], dtype=np.float32)
        if answer.ndim != 3 or answer.shape[0] != 1 or answer.shape[2] != 6:
            raise ModelError(
                f"{self._weights}: the network answered {answer.shape}, but a detector answers "
                "(1, 300, 6); export it with nms=False from a YOLO26 model."
            )
        rows: NDArray[np.float32] = answer[0]
        if rows.size and not 0 <= rows[:, 5].min() <= rows[:, 5].max() < len(CLASS_NAMES):
            raise ModelError(
                f"{self._weights}: the network names a class {rows[:, 5].max():.0f}, but the "
                f"classes are 0..{len(CLASS_NAMES) - 1}; it was trained for something else."
            )
        return rows


class ValueReader:
    """Reads cut-out dice: the second witness, which never sees what the detector said.

    Args:
        weights: an ONNX file with the input "crops" (N, 3, 64, 64), float32 RGB 0..1, and the
            output "logits" (N, 7): the values 1..6, and 7 = not a flat readable die.
        threads: processor threads of one run.
        sha256: hexadecimal digest that the file must have; None: not checked.
        last_stage: tuned to the table's own dice; None: as the network was trained. It needs the
            second output "features" (N, F).

    Raises:
        ModelError: the file is missing, damaged, another one, or not such a network; the last
            stage belongs to another file.
    """

    def __init__(
        self,
        weights: Path,
        *,
        threads: int = 2,
        sha256: str | None = None,
        last_stage: LastStage | None = None,
    ) -> None:
        self._session = _open(weights, threads=threads, sha256=sha256)
        self._weights = weights
        self._input = _only_input(self._session, weights)
        self._outputs = [str(output.name) for output in self._session.get_outputs()]
        self._logits = "logits" if "logits" in self._outputs else self._outputs[0]
        self._last_stage = last_stage
        if last_stage is not None:
            last_stage.check_base(sha256_of(weights))
            self._check_features()

    def probabilities(self, crops_bgr: Image) -> NDArray[np.float32]:
        """Read dice cut out by `vision.crops`.

        Args:
            crops_bgr: (N, 64, 64, 3) uint8; N may be 0.

        Returns:
            (N, 7) float32, every row sums to 1: values 1..6, and 7 = not a flat readable die.

        Raises:
            PictureError: another shape or type.
            ModelError: the network answers in another form.
        """
        if self._last_stage is None:
            return shares(self._answers(crops_bgr, [self._logits])[0])
        logits, features = self.logits_and_features(crops_bgr)
        return shares(self._last_stage.apply(logits, features))

    def logits_and_features(self, crops_bgr: Image) -> tuple[Floats, Floats]:
        """What a last stage is tuned on: the network's own answer and what it rests on.

        Args:
            crops_bgr: (N, 64, 64, 3) uint8; N may be 0.

        Returns:
            (N, 7) and (N, F) float32, without any tuned stage.

        Raises:
            PictureError: another shape or type.
            ModelError: the network has no features, or answers in another form.
        """
        self._check_features()
        logits, features = self._answers(crops_bgr, [self._logits, FEATURES])
        if features.ndim != 2 or len(features) != len(logits):
            raise ModelError(
                f"{self._weights}: the features are {features.shape}, but a value reader gives "
                f"({len(logits)}, F); export it again with models.lab.train_values."
            )
        return logits, features

    def _check_features(self) -> None:
        if FEATURES not in self._outputs:
            raise ModelError(
                f"{self._weights}: this model has no features, only {', '.join(self._outputs)}; a "
                "last stage can only be tuned for a value reader that was exported with them."
            )

    def _answers(self, crops_bgr: Image, names: list[str]) -> list[Floats]:
        if crops_bgr.dtype != np.uint8 or crops_bgr.shape[1:] != (CROP_PX, CROP_PX, 3):
            raise PictureError(
                f"Crops must be (N, {CROP_PX}, {CROP_PX}, 3) uint8, but got {crops_bgr.shape} "
                f"{crops_bgr.dtype}; cut them with vision.crops.cut_crops."
            )
        # No crops: one grey one tells the shapes.
        count = len(crops_bgr)
        crops_bgr = crops_bgr if count else np.zeros((1, CROP_PX, CROP_PX, 3), dtype=np.uint8)
        runs = [
            self._run(crops_bgr[start : start + CROPS_PER_RUN], names)
            for start in range(0, len(crops_bgr), CROPS_PER_RUN)
        ]
        return [np.concatenate(parts)[:count] for parts in zip(*runs, strict=True)]

    def _run(self, crops_bgr: Image, names: list[str]) -> list[Floats]:
        blob = np.ascontiguousarray(crops_bgr[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32)
        blob *= np.float32(1 / 255)
        answers = [
            np.asarray(answer, dtype=np.float32)
            for answer in self._session.run(names, {self._input: blob})
        ]
        if answers[0].shape != (len(crops_bgr), VALUE_COLUMNS):
            raise ModelError(
                f"{self._weights}: the network answered {answers[0].shape}, but a value reader "
                f"answers ({len(crops_bgr)}, {VALUE_COLUMNS}); this is another model."
            )
        return answers


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


def _open(weights: Path, *, threads: int, sha256: str | None) -> Any:
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


def _only_input(session: Any, weights: Path) -> str:
    inputs = session.get_inputs()
    shape = inputs[0].shape if len(inputs) == 1 else None
    if shape is None or len(shape) != 4 or shape[1] != 3:
        raise ModelError(
            f"{weights}: one picture input (N, 3, H, W) is expected, but the model has "
            f"{[(entry.name, entry.shape) for entry in inputs]}; this is another model."
        )
    return str(inputs[0].name)
