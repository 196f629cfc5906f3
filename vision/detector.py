"""The finder's network: what goes in, what its answer means; `vision.runtime` runs it."""

from copy import copy
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.canvas import CANVASES, canvas_of
from vision.errors import ModelError
from vision.eye import FINDS, Finds
from vision.images import Image, as_bgr, sized, turn_boxes_back, turn_picture
from vision.runtime import Network

__all__ = ["Detector", "ModelError"]

STRIDE_PX = 32
"""The detector halves its picture five times, so both sides are multiples of 2**5."""
LEAST_PX = 128
"""Shortest side of a look: a smaller canvas has fewer places than the 300 that are answered."""
PADDING_GREY = 114
"""Grey around a letterboxed picture, as in training."""
SHOWN, SHOWN_PX = "shown", 4
"""Output that says where a die shows, and how many pixels it answers about at once, squared."""
OWN = 4
"""Canvases with networks of their own, the smallest: of thirty looks at a table all but one are on
these."""
MAX_SIZE_PX = 2048
"""Longest side of one look; more needs gigabytes, larger pictures are read in tiles."""


class Detector:
    """Finds dice, towers, burning dice and cups in a picture with a YOLO26 network.

    It does not say what a die shows: `vision.readers` does.

    Args:
        weights: an ONNX file with the input "images" (1, 3, H, W), float32 RGB 0..1, H and W
            free, and the output (1, 300, 6): x1, y1, x2, y2, score, class. With a second one,
            "shown" (1, 1, H / 4, W / 4), it is a `vision.glimpse.Seer`, too.
        threads: processor threads of one look.
        sha256: hexadecimal digest that the file must have; None: not checked.

    Raises:
        ModelError: the file is missing, damaged, another one, or not such a network.
    """

    def __init__(self, weights: Path, *, threads: int = 2, sha256: str | None = None) -> None:
        self._weights = weights
        self._open = partial(Network, weights, threads=threads, sha256=sha256, halves=True)
        self._network = self._open(without=(SHOWN,))
        self.sees_parts = SHOWN in self._network.all_outputs
        self._of_canvas: dict[tuple[int, int], Network] = {}

    def in_few_sizes(self) -> "Detector":
        """The same network, each look on one of a few canvases (`vision.canvas`): for a table.

        The smallest canvases, which most looks are on, have networks of their own.
        """
        other = copy(self)
        other._of_canvas = {size: self._network.of_one_size(*size) for size in CANVASES[:OWN]}
        return other

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
        few = bool(self._of_canvas)
        small, factors = sized(picture, size_px, quickly=few)
        canvas, turned = _on_canvas(small, few=few)
        rows = self._run(canvas)
        rows = rows[(rows[:, 4] >= min_score) & np.isfinite(rows).all(axis=1)]
        (height, width), (small_height, small_width) = picture.shape[:2], small.shape[:2]
        boxes = turn_boxes_back(rows[:, :4], turned, width=small_width, height=small_height)
        # Rounding to whole pixels makes the two factors differ for very long pictures.
        boxes /= np.tile(factors, 2).astype(np.float32)
        boxes = np.clip(boxes, 0, np.array([width, height, width, height], np.float32))
        order = np.argsort(-rows[:, 4], kind="stable")
        order = order[(boxes[order, 2:] > boxes[order, :2]).all(axis=1)]
        return Finds(
            boxes[order].astype(np.float32),
            rows[order, 4].astype(np.float32),
            rows[order, 5].astype(np.int64),
        )

    def shown(self, image_bgr: Image) -> NDArray[np.float32]:
        """Say where a die shows, however little of it.

        Args:
            image_bgr: (H, W, 3) uint8, both sides at most 2048 pixels, as large as it is looked at.

        Returns:
            (H / 4, W / 4) float32, rounded up: how likely, 0..1.

        Raises:
            ModelError: the network does not answer that.
        """
        if not self.sees_parts:
            raise ModelError(
                f"{self._weights}: this model has no {SHOWN!r}, only "
                f"{', '.join(self._network.all_outputs)}; add it with models.lab.export --shown."
            )
        height, width = (-(-side // SHOWN_PX) for side in image_bgr.shape[:2])
        canvas, _ = _on_canvas(image_bgr, few=False)
        (every,) = self._parts.run(canvas[None])
        if every.shape != (1, 1, canvas.shape[0] // SHOWN_PX, canvas.shape[1] // SHOWN_PX):
            raise ModelError(
                f"{self._weights}: the network's {SHOWN!r} is {every.shape} for a look of "
                f"{canvas.shape[:2]}; this is another model."
            )
        return np.asarray(every[0, 0, :height, :width])

    @cached_property
    def _parts(self) -> Network:
        """The network for that answer alone, so that nobody else waits for it; made when needed."""
        others = (name for name in self._network.all_outputs if name != SHOWN)
        return self._open(without=tuple(others))

    def _run(self, canvas: Image) -> NDArray[np.float32]:
        network = self._of_canvas.get((canvas.shape[0], canvas.shape[1]), self._network)
        answer = network.run(canvas[None])[0]
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


def _on_canvas(picture: Image, *, few: bool) -> tuple[Image, int]:
    """Pad a picture right and below to multiples of the stride.

    Args:
        picture: (H, W, 3) uint8.
        few: pad to one of a few canvases (`vision.canvas`) where one fits, turned where it lies
            and the picture does not.

    Returns:
        The canvas and by how many quarter turns the picture lies on it (`vision.images`).
    """
    height, width = picture.shape[:2]
    sides = canvas_of(height, width) if few else None
    turned = int(sides is not None and height > width)
    if turned:
        picture = turn_picture(picture, turned)
    if sides is None:
        sides = tuple(max(LEAST_PX, -(-side // STRIDE_PX) * STRIDE_PX) for side in (height, width))
    canvas = np.full((*sides, 3), PADDING_GREY, dtype=np.uint8)
    canvas[: picture.shape[0], : picture.shape[1]] = picture
    return canvas, turned
