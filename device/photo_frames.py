"""More or less of what is around the dice, to see whether the reader finds how large they are.

Nobody stands where the photographs at hand were taken: others fill the picture with one die, or
show a whole table with a few dice on a sheet of paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import cv2
import numpy as np

from device.images import DETAIL_PIXELS
from device.photo_labels import LabelledDie
from vision.images import Image, to_uint8

GRAIN = 6.0
"""Standard deviation of the ground's grain, 8-bit levels: no table is quite plain."""
PLACE = (0.6, 0.3)
"""Where a photograph lies on its ground: the share of the room left of and above it."""


@dataclass(frozen=True, eq=False)
class Framed:
    """A photograph in another frame.

    Attributes:
        image_bgr: (H, W, 3) uint8.
        corner_px: x and y of the photograph's own corner in it, in pixels of the photograph;
            negative where it is cut.
        scale: pixels of the frame per pixel of the photograph.
        mirrored: left and right are exchanged.
    """

    image_bgr: Image
    corner_px: tuple[int, int] = (0, 0)
    scale: float = 1.0
    mirrored: bool = False

    def in_photo(self, box: Sequence[float]) -> tuple[float, ...]:
        """A box of the frame (x1, y1, x2, y2) in pixels of the photograph."""
        if self.mirrored:
            width = self.image_bgr.shape[1]
            box = (width - box[2], box[1], width - box[0], box[3])
        corner = (*self.corner_px, *self.corner_px)
        return tuple(side / self.scale - shift for side, shift in zip(box, corner, strict=True))


Show = Callable[[Image, Sequence[LabelledDie]], Framed | None]
"""Of a picture, (H, W, 3) uint8 BGR, and its labels; None where it cannot be shown so."""


def _laid_on_a_ground(picture: Image, _: Sequence[LabelledDie], *, times: float) -> Framed:
    """On a ground of its own colours, so many times as long: a sheet of paper on a table.

    Less where that had more pixels than a photograph is read with, so that memory stays bounded.
    """
    height, width = picture.shape[:2]
    times = min(times, max(1.0, (DETAIL_PIXELS / (height * width)) ** 0.5))
    size = tall, wide = round(height * times), round(width * times)
    small = cv2.GaussianBlur(cv2.resize(picture, (96, 96), interpolation=cv2.INTER_AREA), (0, 0), 8)
    ground = cv2.resize(small, (wide, tall), interpolation=cv2.INTER_CUBIC)
    grain = np.random.default_rng(1).standard_normal((tall // 2 + 1, wide // 2 + 1), np.float32)
    coarse = cv2.resize(grain * np.float32(GRAIN), (wide, tall))[..., None]
    laid = to_uint8(np.clip(ground + coarse, 0, 255).round())
    left, top = (
        int((room - own) * share)
        for room, own, share in zip(size[::-1], (width, height), PLACE, strict=True)
    )
    laid[top : top + height, left : left + width] = picture
    return Framed(laid, (left, top))


def _seen_from_afar(picture: Image, dice: Sequence[LabelledDie], *, times: float) -> Framed:
    """Laid on such a ground and all of it seen by a camera that has no more pixels than before.

    Dice become so small that nobody can read them; what they lie on may then look like a die.
    """
    laid = _laid_on_a_ground(picture, dice, times=times)
    scale = max(picture.shape[:2]) / max(laid.image_bgr.shape[:2])
    seen = cv2.resize(laid.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Framed(to_uint8(seen), laid.corner_px, scale)


def _cut(picture: Image, dice: Sequence[LabelledDie], *, margin: float) -> Framed | None:
    """Cut around its dice, a margin of so many dice left."""
    height, width = picture.shape[:2]
    centres = [die.centre for die in dice if die.centre]
    sides = [side for die in dice if (side := die.side_px((width, height)))]
    if not dice or len(centres) < len(dice):
        return None
    around = max(sides, default=0.0) * (0.5 + margin)
    spots = np.array(centres) * (width, height)
    left, top = (max(0, int(start)) for start in spots.min(axis=0) - around)
    right, bottom = (int(stop) + 1 for stop in spots.max(axis=0) + around)
    return Framed(np.ascontiguousarray(picture[top:bottom, left:right]), (-left, -top))


FRAMES: Mapping[str, Show] = MappingProxyType(
    {
        "close": partial(_cut, margin=1.0),
        "closest": partial(_cut, margin=0.3),
        "far": partial(_laid_on_a_ground, times=3.0),
        "farthest": partial(_laid_on_a_ground, times=4.0),
        "afar": partial(_seen_from_afar, times=4.0),
    }
)
"""Name to what it makes of a picture, (H, W, 3) uint8 BGR, and its labels; None where it cannot be
cut, because nobody labelled where its dice lie."""
