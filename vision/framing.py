"""How a look frames what it sees: which part of the picture, and how large.

A network that overlooks a die in one framing finds it in nearly every other (of 324 dice on
simulated tables each framing missed 1 to 9, hardly ever the same), so no two looks in a row are
framed alike.
"""

import numpy as np
from numpy.typing import NDArray

FRAMINGS = (1.0, 0.95, 1.05)
"""Sizes of one look after the other."""
STEP_PX = 32
"""A part begins and ends at multiples of this, so that boxes do not tremble."""
LEAST_PX = 32

Part = tuple[int, int, int, int]


def framed_px(size_px: float, *, look: int) -> int:
    """The long side of a look, pixels, that would be `size_px` in the middle of all framings."""
    return max(LEAST_PX, round(size_px * FRAMINGS[look % len(FRAMINGS)]))


def part_around(
    boxes_px: NDArray[np.float64], picture_px: tuple[int, int], *, pad_px: float
) -> Part:
    """The part of a picture around everything that may be of interest.

    Args:
        boxes_px: (N, 4) left, top, right, bottom; for none it is the picture's middle.
        picture_px: width and height.
        pad_px: how much is seen around them.

    Returns:
        Left, top, right, bottom in pixels.
    """
    width, height = picture_px
    boxes = boxes_px if len(boxes_px) else np.array([[width / 2, height / 2] * 2])
    low = np.floor((boxes[:, :2].min(axis=0) - pad_px) / STEP_PX) * STEP_PX
    high = np.ceil((boxes[:, 2:].max(axis=0) + pad_px) / STEP_PX) * STEP_PX
    left, top = (int(v) for v in np.maximum(low, 0))
    right, bottom = (int(v) for v in np.minimum(high, (width, height)))
    return (left, top, right, bottom)
