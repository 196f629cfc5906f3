"""Parts of dice that nothing was read of: half under a coaster, behind a hand, out of the picture.

A die whose top is mostly hidden cannot be read, and the finder learned to pass it over. A throw
that is told without it is wrong all the same. So before a photograph is called sure, it is looked
at once more, for less than a die:

1. The finder says of every 4 x 4 pixels of a look how likely it is that a die shows there, however
   little of it.
2. What shows beside everything that was read is cut out as large as the dice that were, and the
   namer says how likely it is a part of a die.
3. What the picture's edge cuts in half is looked for as if the edge were a mirror (`vision.rim`).
"""

import math
from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import cut_evened, four_views
from vision.detections import Detections
from vision.detector import SHOWN_PX
from vision.eye import Finder
from vision.images import Image, scaled
from vision.looks import tiles_of
from vision.reading import Box, Found
from vision.rim import halves
from vision.votes import median_aspect, median_side

SHOWS = 0.3
"""From here on a die may show there; the namer has the last word."""
LEAST = 0.08
"""A part is at least this share of a die's square."""
AROUND = 0.08
"""So much around what was read, in sides of it, is its own; and half a place more."""
MOST = 8
"""Places that the namer is asked about in one look, those that show most."""

PART = 5.5
"""Log-odds from which on somebody is asked: a fortieth of photographs that are sure, and of which
most show no part of a die (`models/EXPERIMENTS.md`)."""
ACROSS = 0.8
"""Score of a die half of which is a mirror image from which on somebody is asked: four of 708
photographs whose dice all lie inside have it, chosen on these."""
OWN = 0.3
"""Share of a half die's place that what was read, or told already, may take."""


class PartFinder(Protocol):
    """Whoever looks for parts of dice; `Glimpse` is the real one."""

    def parts(self, picture: Image, boxes: Sequence[Box]) -> tuple[Found, ...]:
        """Parts of dice where none of these boxes is, in pixels of the picture."""
        ...


class Seer(Finder, Protocol):
    """Sees dice; `vision.detector.Detector` is the real one."""

    def shown(self, image_bgr: Image) -> NDArray[np.float32]:
        """(H, W, 3) uint8 -> (H / 4, W / 4), rounded up: how likely a die shows there, 0..1."""
        ...


class Judge(Protocol):
    """Knows parts of dice; `vision.readers.Namer` is the real one."""

    def parts(self, crops_bgr: Image) -> NDArray[np.float32]:
        """(N, 64, 64, 3) uint8 -> (N,) log-odds of a part of a die in the middle."""
        ...


class Glimpse:
    """Looks for what is left of dice.

    Args:
        seer: says where a die shows.
        judge: says what it is.
        die_px: side of a die in the look.
    """

    def __init__(self, seer: Seer, judge: Judge, *, die_px: float) -> None:
        self._seer = seer
        self._judge = judge
        self._die_px = die_px

    def parts(self, picture: Image, boxes: Sequence[Box]) -> tuple[Found, ...]:
        """Parts of dice where none of these is.

        Args:
            picture: (H, W, 3) uint8.
            boxes: of what was read, at least one; they tell how large a die is.

        Returns:
            Squares as large as a die around what shows of each, and how likely it is a part of one.
        """
        told = [
            Found(box, round(1 / (1 + math.exp(-odds)), 4))
            for box, odds in self.weighed(picture, boxes)
            if odds >= PART
        ]
        for half in self._cut_off(picture, boxes):
            if _shared(half.box, [*boxes, *(other.box for other in told)]) < OWN:
                told.append(half)
        return tuple(told)

    def _cut_off(self, picture: Image, boxes: Sequence[Box]) -> list[Found]:
        """What the picture's edge cuts in half."""
        factors = self._factors(_as_read(boxes))
        there, scores = halves(self._seer, picture, factors, self._die_px, min_score=ACROSS)
        return [
            Found(_box(half), round(float(score), 4))
            for half, score in zip(there, scores, strict=True)
        ]

    def weighed(self, picture: Image, boxes: Sequence[Box]) -> list[tuple[Box, float]]:
        """Every place where something shows, whatever it is, and the log-odds of a part of a die.

        As `parts`, the likeliest first.
        """
        read = _as_read(boxes)
        factors = self._factors(read)
        both = np.array(factors * 2, np.float32)
        every: list[tuple[Box, float]] = []
        for region in tiles_of(picture, read, factors, self._die_px)[0]:
            part = region.of(picture)
            corner = np.array([region.left, region.top] * 2, np.float32)
            shown = self._seer.shown(scaled(part, *factors))
            found = places(beside(shown, (read.xyxy - corner) * both), self._die_px) / both
            if len(found):
                views = four_views(cut_evened(part, found))
                odds = self._judge.parts(views).reshape(len(found), -1).mean(axis=1)
                every += zip(map(_box, found + corner), odds.tolist(), strict=True)
        return sorted(every, key=lambda place: -place[1])

    def _factors(self, read: Detections) -> tuple[float, float]:
        """Scale in x and y that makes what was read `die_px` wide and square."""
        factor = float(np.clip(self._die_px / (median_side(read) or self._die_px), 0.02, 4.0))
        stretch = float(np.clip(median_aspect(read), 0.5, 2.0)) ** 0.5
        return factor / stretch, factor * stretch


def _as_read(boxes: Sequence[Box]) -> Detections:
    return Detections.of([list(box) for box in boxes], [1.0] * len(boxes), [0] * len(boxes))


def _shared(half: Box, others: Sequence[Box]) -> float:
    """The largest share of a box that one of others takes."""
    own, boxes = np.array(half), np.array(others)
    inner = np.minimum(own[2:], boxes[:, 2:]) - np.maximum(own[:2], boxes[:, :2])
    area = max(float(np.prod(own[2:] - own[:2])), 1e-6)
    return float(np.prod(np.maximum(inner, 0), axis=1).max()) / area


def _box(square: NDArray[np.float32]) -> Box:
    x1, y1, x2, y2 = (round(float(side), 1) for side in square)
    return (x1, y1, x2, y2)


def beside(shown: NDArray[np.float32], boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    """What shows where none of the boxes is.

    Args:
        shown: (h, w), one number for `SHOWN_PX` x `SHOWN_PX` pixels.
        boxes: (N, 4) in pixels of the look.

    Returns:
        The same, zero in the boxes and close around them.
    """
    left = shown.copy()
    around = AROUND * (boxes[:, 2:] - boxes[:, :2]).max(axis=1, keepdims=True) + SHOWN_PX / 2
    own = np.concatenate([boxes[:, :2] - around, boxes[:, 2:] + around], axis=1) / SHOWN_PX
    for x1, y1, x2, y2 in np.maximum(own, 0).astype(int):
        left[y1 : y2 + 1, x1 : x2 + 1] = 0
    return left


def places(shown: NDArray[np.float32], die_px: float) -> NDArray[np.float32]:
    """Where enough shows in one piece.

    Args:
        shown: as above.
        die_px: side of a die in the look.

    Returns:
        (N, 4) float32 squares as large as a die around each piece's middle, in pixels of the look,
        most first.
    """
    _, at, stats, middles = cv2.connectedComponentsWithStats((shown > SHOWS).astype(np.uint8))
    least = LEAST * (die_px / SHOWN_PX) ** 2
    wide = [n for n in range(1, len(stats)) if stats[n, cv2.CC_STAT_AREA] >= least]
    wide.sort(key=lambda n: -float(shown[at == n].sum()))
    middle = (middles[wide[:MOST]] * SHOWN_PX + SHOWN_PX / 2).reshape(-1, 2)
    return np.concatenate([middle - die_px / 2, middle + die_px / 2], axis=1).astype(np.float32)
