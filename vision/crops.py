"""How a die is cut out for the readers; training and reading share this one function."""

from collections.abc import Callable, Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evening import evened
from vision.images import Image, to_uint8

CROP_PX = 64
CROP_MARGIN = 1.35
"""Side of the cut / longest side of the box: a turned die's corners and a little table."""

DEALT_CHANNELS = ([0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0])
"""Which channels the views of a crop take for blue, green and red."""

CUTS = (1.0, 0.9, 1.12)
"""How wide a die is cut out when it is looked at closely, as shares of `CROP_MARGIN`."""

STEEP = 0.3
"""Tangent of the angle of view (17 degrees) below which a picture of a die has no upright."""

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
    left, top, side = square_of(box, margin=margin)
    step = max(1, side // MAX_SOURCE_PX)
    rows = np.clip(np.arange(top, top + side, step), 0, image_bgr.shape[0] - 1)
    columns = np.clip(np.arange(left, left + side, step), 0, image_bgr.shape[1] - 1)
    square = image_bgr[rows[:, None], columns[None, :]]
    how = cv2.INTER_AREA if square.shape[0] > size_px else cv2.INTER_LINEAR
    return to_uint8(cv2.resize(square, (size_px, size_px), interpolation=how))


def square_of(box: Iterable[float], *, margin: float = CROP_MARGIN) -> tuple[int, int, int]:
    """What of a picture a cut-out shows: left, top and side, pixels."""
    x1, y1, x2, y2 = (float(value) for value in box)
    side = max(1, round(margin * max(x2 - x1, y2 - y1)))
    return round((x1 + x2 - side) / 2), round((y1 + y2 - side) / 2), side


def cut_crops(
    image_bgr: Image, boxes: Iterable[Iterable[float]], *, margin: float = CROP_MARGIN
) -> Image:
    """Cut several dice out of a picture.

    Args:
        image_bgr: (H, W, 3) uint8.
        boxes: N boxes in pixels.
        margin: side of the cuts / longest side of the box.

    Returns:
        (N, 64, 64, 3) uint8; N may be 0.
    """
    crops = [cut_crop(image_bgr, box, margin=margin) for box in boxes]
    if not crops:
        return np.zeros((0, CROP_PX, CROP_PX, 3), dtype=np.uint8)
    return np.stack(crops)


def one_view(crops_bgr: Image, number: int) -> Image:
    """Every crop turned by `number` quarters, its colours dealt out as in that way.

    Args:
        crops_bgr: (N, 64, 64, 3) uint8; N may be 0.
        number: which view; they repeat after four, and 0 shows the crops as they are.

    Returns:
        The same shape.
    """
    turn = number % len(DEALT_CHANNELS)
    return np.ascontiguousarray(np.rot90(crops_bgr[..., DEALT_CHANNELS[turn]], turn, axes=(1, 2)))


def four_views(crops_bgr: Image, *, dealt_from: int = 0) -> Image:
    """Every crop in four quarter turns, each with its colours dealt out in another way.

    A reader that answers the same to all of them did not go by the way a die lies, nor by the
    colour of its pips: `models/EXPERIMENTS.md` tells what that is worth.

    Args:
        crops_bgr: (N, 64, 64, 3) uint8; N may be 0.
        dealt_from: which of `DEALT_CHANNELS` the first view has.

    Returns:
        (N * 4, 64, 64, 3), die by die; the first view is the crop itself if `dealt_from` is 0.
    """
    dealt = _dealt_out(crops_bgr, dealt_from)
    return _die_by_die([np.rot90(view, turn, axes=(1, 2)) for turn, view in enumerate(dealt)])


def upright_views(crops_bgr: Image, *, dealt_from: int = 0) -> Image:
    """As `four_views`, but every second one mirrored instead of turned: what is above stays above.

    For a reader that knows that the top face of a die seen aslant is the upper one.
    """
    dealt = _dealt_out(crops_bgr, dealt_from)
    return _die_by_die([view[:, :, :: (1, -1)[turn % 2]] for turn, view in enumerate(dealt)])


def held_views(crops_bgr: Image, toward: NDArray[np.float64]) -> Image:
    """Every crop in four ways, as a reader knows dice whose pictures are held upright.

    A die seen aslant is turned until the point below the camera lies downwards, as in a photograph
    that somebody took, and shown in `upright_views`; one seen from above in `four_views`.

    Args:
        crops_bgr: (N, 64, 64, 3) uint8.
        toward: (N, 2) the way in the picture, x right and y down, to the point below the camera; as
            long as the tangent of the angle of view (`vision.stance.lean_of`).

    Returns:
        (N * 4, 64, 64, 3), die by die.
    """
    shown = [
        upright_views(_turned(crop, way)[None])
        if np.hypot(*way) >= STEEP
        else four_views(crop[None])
        for crop, way in zip(crops_bgr, toward, strict=True)
    ]
    return np.concatenate(shown) if shown else four_views(crops_bgr)


def held_back(
    places: NDArray[np.float64], toward: NDArray[np.float64], number: int
) -> NDArray[np.float64]:
    """Where what a view of `held_views` shows lies in the crop itself.

    Args:
        places: (M, 2) shares of the view, x right and y down.
        toward: (2,) as the die was held.
        number: which of its four views.

    Returns:
        (M, 2) shares of the crop.
    """
    away = places - 0.5
    if np.hypot(*toward) >= STEEP:
        turn = np.arctan2(toward[0], toward[1])
        away = away * [(1, -1)[number % 2], 1]
    else:
        turn = -number * np.pi / 2
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(away @ np.array([[cos, -sin], [sin, cos]]) + 0.5)


def _turned(crop_bgr: Image, toward: NDArray[np.float64]) -> Image:
    """The crop with what lies this way from its middle right below it."""
    middle = (CROP_PX - 1) / 2
    turn_deg = -np.degrees(np.arctan2(toward[0], toward[1]))
    matrix = cv2.getRotationMatrix2D((middle, middle), float(turn_deg), 1.0)
    return to_uint8(
        cv2.warpAffine(crop_bgr, matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    )


def _dealt_out(crops_bgr: Image, first: int) -> list[Image]:
    """The crops once for each of `DEALT_CHANNELS`, beginning with the one of this number."""
    return [crops_bgr[..., deal] for deal in DEALT_CHANNELS[first:] + DEALT_CHANNELS[:first]]


def _die_by_die(views: list[Image]) -> Image:
    return np.stack(views, axis=1).reshape(-1, CROP_PX, CROP_PX, 3)


def cut_evened(
    image_bgr: Image, boxes: Iterable[Iterable[float]], *, margin: float = CROP_MARGIN
) -> Image:
    """Dice cut out (`cut_crops`) and `evened`: (N, 64, 64, 3) uint8.

    At the table the counter is shown these and the namer (`vision.eye`) the dice as they are: two
    witnesses who are shown the same fail alike.
    """
    return evened(cut_crops(image_bgr, boxes, margin=margin))


def close_cuts(image_bgr: Image, boxes: Sequence[Iterable[float]]) -> list[Image]:
    """Every die cut out in three widths (`CUTS`), evened.

    The boxes of two finders, or of one on another day, differ by a tenth of a die; a reader that
    answers the same to all widths did not go by where the box ends.

    Args:
        image_bgr: (H, W, 3) uint8.
        boxes: N boxes in pixels.

    Returns:
        For each width (N, 64, 64, 3) uint8.
    """
    return [cut_evened(image_bgr, boxes, margin=CROP_MARGIN * width) for width in CUTS]


def close_views(cuts: Sequence[Image], views: Callable[..., Image]) -> Image:
    """Every die in all widths, each shown in four ways and dealt out differently.

    Args:
        cuts: of `close_cuts`.
        views: `four_views` or `upright_views`.

    Returns:
        (N * 12, 64, 64, 3) uint8, die by die.
    """
    shown = [views(crops, dealt_from=number) for number, crops in enumerate(cuts)]
    ways = (len(DEALT_CHANNELS), CROP_PX, CROP_PX, 3)
    dice = [view.reshape(len(crops), *ways) for view, crops in zip(shown, cuts, strict=True)]
    return np.concatenate(dice, axis=1).reshape(-1, CROP_PX, CROP_PX, 3)


def by_die(words: NDArray[np.float32], dice: int) -> NDArray[np.float32]:
    """What was said of every view, die by die: (N * V, K) -> (N, V, K), also for no dice."""
    return words.reshape(dice, -1 if dice else 1, words.shape[-1])


def mean_by_die(words: NDArray[np.float32], dice: int) -> NDArray[np.float32]:
    """The mean of what was said of each die's views: (N * V, K) -> (N, K)."""
    return np.asarray(by_die(words, dice).mean(axis=1), dtype=np.float32)
