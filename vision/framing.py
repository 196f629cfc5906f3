"""How a look frames what it sees: which part of the picture, and how large.

A network that overlooks a die in one framing finds it in nearly every other (of 324 dice on
simulated tables each framing missed 1 to 7, hardly ever the same), so no two looks in a row are
framed alike: all of the mat is seen in three sizes, a part of it from three corners. All of
these fit one canvas, because a network takes its time over every size that it has not seen lately
(`vision.canvas`).
"""

import numpy as np
from numpy.typing import NDArray

from vision.canvas import share_kept

SIZES = (1.0, 0.95, 1.05)
"""Of one look at everything after the other."""
SHIFTS_PX = (0, 11, -11)
"""Of one look at a part after the other; less than what is seen around the mat."""
STEP_PX = 32
"""A part begins and ends at multiples of this, so that boxes do not tremble."""
LEAST_PX = 32
MOST_CLOSE_PX = 1280
"""Long side of a closer look: at all of a large mat it would take too long."""

CUT_PX = 2.0
"""A finding so near to the edge of what was seen may be half of a thing."""

Part = tuple[int, int, int, int]


def framed_px(part_px: tuple[int, int], factor: float, *, whole: bool, look: int) -> int:
    """How large a look at a part of the picture is.

    Args:
        part_px: the part's height and width.
        factor: size in the look / size in the picture, in the middle of all framings.
        whole: the part is all there is, so that its size is what changes from look to look.
        look: the number of the look.

    Returns:
        The look's long side, pixels: it fits a canvas (`vision.canvas`), the same for all framings.
    """
    sizes = SIZES if whole else SIZES[:1]
    height, width = (side * factor * max(sizes) for side in part_px)
    share = share_kept(height, width) * sizes[look % len(sizes)]
    return max(LEAST_PX, int(max(part_px) * factor * share))


def part_around(
    boxes_px: NDArray[np.float64], picture_px: tuple[int, int], *, pad_px: float, look: int
) -> Part:
    """The part of a picture around everything that may be of interest.

    Args:
        boxes_px: (N, 4) left, top, right, bottom; for none it is the picture's middle.
        picture_px: width and height.
        pad_px: how much is seen around them.
        look: the number of the look.

    Returns:
        Left, top, right, bottom in pixels.
    """
    width, height = picture_px
    boxes = boxes_px if len(boxes_px) else np.array([[width / 2, height / 2] * 2])
    low = np.floor((boxes[:, :2].min(axis=0) - pad_px) / STEP_PX) * STEP_PX
    high = np.ceil((boxes[:, 2:].max(axis=0) + pad_px) / STEP_PX) * STEP_PX
    low, high = np.maximum(low, 0), np.minimum(high, (width, height))
    shift = np.clip(SHIFTS_PX[look % len(SHIFTS_PX)], -low, np.array([width, height]) - high)
    left, top, right, bottom = (int(v) for v in (*(low + shift), *(high + shift)))
    return (left, top, right, bottom)


def cut_sides(part: Part, picture_px: tuple[int, int]) -> NDArray[np.bool_]:
    """Beyond which sides of a part the picture goes on: (4,) left, top, right, bottom."""
    return np.not_equal(part, (0, 0, *picture_px))


def are_whole(
    boxes_px: NDArray[np.float32], part: Part, picture_px: tuple[int, int]
) -> NDArray[np.bool_]:
    """Which findings (N, 4), in pixels of the picture, its part does not cut."""
    inwards = np.array([1, 1, -1, -1])
    inside_px = (boxes_px - np.array(part)) * inwards
    return np.asarray(((inside_px > CUT_PX) | ~cut_sides(part, picture_px)).all(axis=1))


def seen_px(part: Part, picture_px: tuple[int, int], *, rim_px: float) -> NDArray[np.float64]:
    """Where a look at a part finds whatever lies there: (4,), without end where it is not cut.

    Args:
        part: left, top, right, bottom in pixels of the picture.
        picture_px: width and height.
        rim_px: so near to a cut nothing may be found.
    """
    rims_px = np.where(cut_sides(part, picture_px), rim_px, -np.inf) * np.array([1, 1, -1, -1])
    return np.asarray(np.array(part) + rims_px)
