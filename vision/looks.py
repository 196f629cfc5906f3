"""Looking at a picture of any size and shape with a network that likes dice of one size.

Everything here answers in pixels of the original picture. Time and memory are bounded: a look is
at most `MAX_LOOK_PX` long, larger ones are cut into at most `MAX_TILES` overlapping tiles.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detections import Detections, DieDetector, suppress
from vision.images import Image, scaled, turn_boxes_back, turn_picture

MAX_ASPECT = 2.2
"""A picture longer than this is cut along its long side for the first look."""
MAX_WINDOWS = 12

TURNS = (0, 2, 1, 3)
"""Quarter turns in the order of looking: a size that was just seen is looked at sooner."""
MAX_LOOK_PX = 1600
TILE_PX = 1280
OVERLAP_DICE = 3.0
"""Neighbouring tiles share three die sides: every die lies whole in at least one."""
MAX_TILES = 12
CUT_PX = 2.0


@dataclass(frozen=True)
class Region:
    """A rectangle of the original picture, whole pixels, right and bottom exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    def of(self, image: Image) -> Image:
        """The part of the picture (a view)."""
        return image[self.top : self.bottom, self.left : self.right]

    def counts(self, found: Detections) -> int:
        """How many findings have their centre here."""
        x, y = found.centres.T
        return int(
            np.sum((x >= self.left) & (x < self.right) & (y >= self.top) & (y < self.bottom))
        )


def look_four_ways(
    detector: DieDetector,
    image: Image,
    first: Detections,
    *,
    factors: tuple[float, float],
    die_px: float,
    min_score: float,
) -> tuple[list[Detections], bool]:
    """Look at the picture at a given scale, turned by four quarter turns.

    Args:
        detector: the finder.
        image: (H, W, 3) uint8.
        first: what the first look found: decides which tiles matter when there are too many.
        factors: scale in x and y, new size / old size.
        die_px: side of a die after scaling, for the overlap of tiles.
        min_score: findings below are dropped.

    Returns:
        Four sets of findings in pixels of the picture, and whether the whole picture was seen.
    """
    regions, complete = tiles_of(image, first, factors, die_px)
    turns: list[list[Detections]] = [[] for _ in TURNS]
    for region in regions:
        part = scaled(region.of(image), *factors)
        for turn in TURNS:
            turned = turn_picture(part, turn)
            found = detector.detect(turned, size_px=max(32, *turned.shape[:2]), min_score=min_score)
            height, width = part.shape[:2]
            boxes = turn_boxes_back(found.xyxy, turn, width=width, height=height)
            whole = found.with_boxes(boxes).select(_not_cut(boxes, part, region, image))
            fx = width / (region.right - region.left)
            fy = height / (region.bottom - region.top)
            back = whole.with_boxes((whole.xyxy / [fx, fy, fx, fy]).astype(np.float32))
            turns[turn].append(shifted(back, region))
    return [suppress(Detections.merged(parts)) for parts in turns], complete


def windows_of(image: Image) -> list[Region]:
    """The picture, or parts of it where it is too long to be looked at in one piece."""
    height, width = image.shape[:2]
    long_px, short_px = max(height, width), min(height, width)
    if long_px <= MAX_ASPECT * short_px:
        return [Region(0, 0, width, height)]
    count = min(MAX_WINDOWS, int(np.ceil(long_px / short_px)))
    spans = _spans(long_px, -(-long_px // count) + short_px // 2, count)
    if width >= height:
        return [Region(start, 0, stop, height) for start, stop in spans]
    return [Region(0, start, width, stop) for start, stop in spans]


def tiles_of(
    image: Image, first: Detections, factors: tuple[float, float], die_px: float
) -> tuple[list[Region], bool]:
    """The picture, or overlapping parts of it that are not too large to look at, at that scale.

    Also whether they are all of it; where not, they are those with most of what was found.
    """
    height, width = image.shape[:2]
    if max(width * factors[0], height * factors[1]) <= MAX_LOOK_PX:
        return [Region(0, 0, width, height)], True
    columns, rows = (
        spans_of(length, factor, die_px)
        for length, factor in ((width, factors[0]), (height, factors[1]))
    )
    regions = [Region(left, top, right, bottom) for top, bottom in rows for left, right in columns]
    if len(regions) <= MAX_TILES:
        return regions, True
    by_dice = sorted(regions, key=lambda region: -region.counts(first))
    return by_dice[:MAX_TILES], False


def spans_of(length: int, factor: float, die_px: float) -> Sequence[tuple[int, int]]:
    """Overlapping spans of a side of a picture, none too long to be looked at.

    Args:
        length: of the side, pixels.
        factor: new size / old size in the look.
        die_px: side of a die in the look.
    """
    tile = max(1, int(TILE_PX / factor))
    if length <= tile:
        return [(0, length)]
    step = max(1.0, tile - OVERLAP_DICE * die_px / factor)
    return _spans(length, tile, 1 + int(np.ceil((length - tile) / step)))


def _spans(length: int, tile: int, count: int) -> list[tuple[int, int]]:
    """`count` spans of `tile` pixels, evenly spread over 0..length."""
    tile = min(tile, length)
    starts = np.linspace(0, length - tile, count).round().astype(int)
    return [(int(start), int(start) + tile) for start in starts]


def shifted(found: Detections, region: Region) -> Detections:
    """Findings of a region, in pixels of the picture it was taken from."""
    offset = np.array([region.left, region.top, region.left, region.top], np.float32)
    return found.with_boxes(found.xyxy + offset)


def _not_cut(
    boxes: NDArray[np.float32], part: Image, region: Region, image: Image
) -> NDArray[np.bool_]:
    """Mask of findings that do not touch an inner edge of a tile, where a die is cut in half."""
    height, width = part.shape[:2]
    return np.asarray(
        ((boxes[:, 0] > CUT_PX) | (region.left == 0))
        & ((boxes[:, 1] > CUT_PX) | (region.top == 0))
        & ((boxes[:, 2] < width - CUT_PX) | (region.right == image.shape[1]))
        & ((boxes[:, 3] < height - CUT_PX) | (region.bottom == image.shape[0]))
    )
