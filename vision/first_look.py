"""The first look: where are dice, and how large?

Nobody tells how large the dice of a photograph are, and a wrong guess is worse than none. The pips
of a die that fills the picture look like small dice, and a sheet of paper with one small die on it
looks like a large one. So a photograph is looked at in several sizes, and where these disagree
about the dice's size, both readers are asked which of them found dice that can be read.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.detections import VALUE_CLASSES, Detections, DieDetector, suppress
from vision.images import Image
from vision.looks import Region, shifted, windows_of
from vision.reading import Box
from vision.testimony import READ, SURE_PX
from vision.votes import median_side

FIRST_PX = 480
SMALLER_PX = (240, 120)
"""For dice that fill the picture; both together have a third of the first look's pixels."""
WIDE_PX = 960
TINY_PX = 12.0
"""Dice below this side in the first look are lost in its grid: worth a larger one."""
TRAY_PX = 48.0
"""What is larger in the first look may be a sheet, a tray or a coaster with dice on it that are too
small to be seen there: worth a larger look, too."""
RIVAL = 0.05
"""A look that sees dice less clearly than this share of the clearest one has no say."""
SAME_SIZE = 1.6
"""Dice in perspective or of two makes differ by less; pips and dice, dice and trays by more."""
HOLDS_PX = 3 * SURE_PX
"""What is larger in the picture may hold dice that are large enough to be read, and a rim."""
HELD = 0.5
"""What lies on a sheet or in a tray is less than this much of it; the top face of a die seen aslant
is 0.6 of the die."""
MOST_READ = 24
"""So many findings of a look, the best, are shown to the readers."""

Readable = Callable[[Detections], NDArray[np.float32]]
"""N findings -> (N,) how far both readers read the same value there, 0..1."""


def find_dice(
    detector: DieDetector, image: Image, *, min_score: float, readable: Readable
) -> Detections:
    """Look at a photograph whose dice may have any size.

    At 480, 240 and 120 pixels, and at 960 where dice may be small.

    Args:
        detector: the finder, with a namer beside it: a game board taken for a die would set the
            scale for everything.
        image: (H, W, 3) uint8.
        min_score: findings below are dropped.
        readable: asks both readers; only called where the looks disagree about the dice's size.

    Returns:
        The findings of the look at the right size, in pixels of the picture.
    """
    windows = windows_of(image)
    long_px = max(max(w.right - w.left, w.bottom - w.top) for w in windows)

    def look(size_px: int) -> Detections:
        parts = [
            shifted(detector.detect(w.of(image), size_px=size_px, min_score=min_score), w)
            for w in windows
        ]
        return suppress(Detections.merged(parts))

    looks = [look(size_px) for size_px in (FIRST_PX, *SMALLER_PX)]
    sides_px = [
        _side_px(found, FIRST_PX / long_px) for found in (looks[0], max(looks, key=_clarity))
    ]
    if any(not TINY_PX <= side_px <= TRAY_PX for side_px in sides_px):
        looks.append(look(WIDE_PX))
    return _at_the_right_size(looks, readable)


def holds_dice(
    detector: DieDetector,
    image: Image,
    boxes: Sequence[Box],
    *,
    min_score: float,
    readable: Readable,
) -> bool:
    """Whether one of these dice is a sheet or a tray that holds smaller ones.

    A sheet of paper with one die far away from its edges looks like a one even to the readers, and
    in no look at the whole picture is there anything else. So each is looked at by itself, pixel by
    pixel where it is small.

    Args:
        detector: as for `find_dice`.
        image: (H, W, 3) uint8.
        boxes: x1, y1, x2, y2 of what was taken for dice, in its pixels.
        min_score: findings below are not shown to the readers.
        readable: asks both readers.
    """
    height, width = image.shape[:2]
    for x1, y1, x2, y2 in boxes:
        side_px = max(x2 - x1, y2 - y1)
        if side_px < HOLDS_PX:
            continue
        left, top = max(0, int(x1)), max(0, int(y1))
        region = Region(left, top, min(width, int(x2) + 1), min(height, int(y2) + 1))
        size_px = min(FIRST_PX, int(side_px))
        found = detector.detect(region.of(image), size_px=size_px, min_score=min_score)
        dice = _flat(found)
        small = dice.select(dice.sides < HELD * side_px)
        if (readable(shifted(_best(small), region)) >= READ).any():
            return True
    return False


def _at_the_right_size(looks: list[Detections], readable: Readable) -> Detections:
    clearest = max(_clarity(found) for found in looks)
    if not clearest:  # not one flat die: whatever else there is
        return next((found for found in looks if len(found)), looks[0])
    rivals = [found for found in looks if _clarity(found) >= RIVAL * clearest]
    sides = [_side_px(found) for found in rivals]
    if max(sides) <= SAME_SIZE * min(sides):
        return rivals[0]

    read = [_best(_flat(found)) for found in rivals]
    agreed = [readable(dice) for dice in read]
    told = [float(dice.score @ shares) for dice, shares in zip(read, agreed, strict=True)]
    within = [
        number
        for number, shares in enumerate(agreed)
        if shares.max() >= READ and told[number] >= max(told) / 2
    ]
    if within:  # a die that can be read is one, and what it lies on is none
        return rivals[min(within, key=lambda number: sides[number])]
    return rivals[int(np.argmax(told))]


def _flat(found: Detections) -> Detections:
    return found.select(found.class_id < VALUE_CLASSES)


def _best(found: Detections) -> Detections:
    """The first ones; a finder tells the best first."""
    return found.select(np.arange(min(MOST_READ, len(found))))


def _clarity(found: Detections) -> float:
    """How clearly dice are seen: one clear die counts for more than many faint ones."""
    return float(np.square(_flat(found).score).sum())


def _side_px(found: Detections, factor: float = 1.0) -> float:
    """The median side of the dice found, times a factor; 0 without a flat one."""
    return (median_side(found) or 0.0) * factor if len(_flat(found)) else 0.0
