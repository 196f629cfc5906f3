"""How a die is cut out for the readers; training and reading share this one function."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image, to_uint8

CROP_PX = 64
CROP_MARGIN = 1.35
"""Side of the cut / longest side of the box: a turned die's corners and a little table."""

DEALT_CHANNELS = ([0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0])
"""Which channels the views of a crop take for blue, green and red."""

MAX_SOURCE_PX = 1024
"""A larger square is thinned out before it is averaged down, so that memory stays bounded."""


def cut_crop(
    image_bgr: Image,
    box: Iterable[float],
    *,
    margin: float = CROP_MARGIN,
    size_px: int = CROP_PX,
) -> Image:
    """Cut one die out of a picture; the defaults are what the readers know.

    A square around the box's centre with `margin` times the box's longest side, resized to
    `size_px` (area average when shrinking, linear when enlarging). Beyond the picture's edge the
    border pixels are repeated.

    Args:
        image_bgr: (H, W, 3) uint8.
        box: left, top, right, bottom in pixels.
        margin: side of the cut / longest side of the box.
        size_px: side of the result.

    Returns:
        (size_px, size_px, 3) uint8.
    """
    x1, y1, x2, y2 = (float(value) for value in box)
    side = max(1, round(margin * max(x2 - x1, y2 - y1)))
    left, top = round((x1 + x2 - side) / 2), round((y1 + y2 - side) / 2)
    step = max(1, side // MAX_SOURCE_PX)
    rows = np.clip(np.arange(top, top + side, step), 0, image_bgr.shape[0] - 1)
    columns = np.clip(np.arange(left, left + side, step), 0, image_bgr.shape[1] - 1)
    square = image_bgr[rows[:, None], columns[None, :]]
    how = cv2.INTER_AREA if square.shape[0] > size_px else cv2.INTER_LINEAR
    return to_uint8(cv2.resize(square, (size_px, size_px), interpolation=how))


def cut_crops(image_bgr: Image, boxes: Iterable[Iterable[float]]) -> Image:
    """Cut several dice out of a picture.

    Args:
        image_bgr: (H, W, 3) uint8.
        boxes: N boxes in pixels.

    Returns:
        (N, 64, 64, 3) uint8; N may be 0.
    """
    crops = [cut_crop(image_bgr, box) for box in boxes]
    if not crops:
        return np.zeros((0, CROP_PX, CROP_PX, 3), dtype=np.uint8)
    return np.stack(crops)


def four_views(crops_bgr: Image) -> Image:
    """Every crop in four quarter turns, each with its colours dealt out in another way.

    A reader that answers the same to all of them did not go by the way a die lies, nor by the
    colour of its pips: `models/EXPERIMENTS.md` tells what that is worth.

    Args:
        crops_bgr: (N, 64, 64, 3) uint8; N may be 0.

    Returns:
        (N * 4, 64, 64, 3), die by die; the first view is the crop itself.
    """
    views = [
        np.rot90(crops_bgr[..., channels], turn, axes=(1, 2))
        for turn, channels in enumerate(DEALT_CHANNELS)
    ]
    return np.stack(views, axis=1).reshape(-1, CROP_PX, CROP_PX, 3)


def mean_of_four(probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean reading of each die after `four_views`: (N * 4, 7) -> (N, 7)."""
    by_die = probabilities.reshape(-1, 4, probabilities.shape[-1])
    return np.asarray(by_die.mean(axis=1), dtype=np.float32)
