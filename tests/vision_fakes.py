"""Stand-ins for both models that see colours: a die is a plain square whose green is its value.

To the readers it is the channel between the darkest and the brightest, whichever that is: they are
shown dice with their colours dealt out anew (`vision.crops.four_views`).

They look at the very pixels they are given, so that scaling, turning, cutting and warping are
tested for real; only the learning is left out.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.detections import BURNING, CUP, TOWER, Detections
from vision.eye import Finds

GREEN_STEP = 28
TABLE = (70, 70, 70)
KINDS = {1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, "tower": TOWER, "burning": BURNING}


def colour_of(kind: int | str) -> tuple[int, int, int]:
    """BGR of a value, `tower`, `burning` or `cup`."""
    if kind == "cup":
        return (250, 0, 0)
    return (0, GREEN_STEP * (KINDS[kind] + 1), 250)


@functools.cache
def _table(width: int, height: int) -> np.ndarray:
    return np.full((height, width, 3), TABLE, np.uint8)


def table_picture(width: int, height: int) -> np.ndarray:
    """One of its own; `np.full` with a colour takes thirty times as long as a copy."""
    return _table(width, height).copy()


def draw(picture: np.ndarray, kind: int | str, x: float, y: float, side: float) -> None:
    """A square with its centre at (x, y) pixels."""
    half = side / 2
    corner, other = (round(x - half), round(y - half)), (round(x + half) - 1, round(y + half) - 1)
    cv2.rectangle(picture, corner, other, colour_of(kind), cv2.FILLED)


@dataclass
class ColourDetector:
    """Finds squares by colour.

    Attributes:
        smallest_px: squares below this side in its look are not seen.
        largest_px: nor are larger ones.
        score: of every finding, or a function of (number of the look, class id).
        says: (number of the look, class id) -> class id that it reports.
        views: the numbers of the views that it was asked for.
        looks: sizes (height, width) and size_px of every look so far.
    """

    smallest_px: float = 5.0
    largest_px: float = 500.0
    score: float | Callable[[int, int], float] = 0.9
    says: Callable[[int, int], int] = lambda look, class_id: class_id
    looks: list[tuple[int, int, int]] = field(default_factory=list)
    views: list[int] = field(default_factory=list)

    def detect(
        self, image_bgr: np.ndarray, *, size_px: int = 640, min_score: float = 0.25, view: int = 0
    ) -> Detections:
        height, width = image_bgr.shape[:2]
        self.looks.append((height, width, size_px))
        self.views.append(view)
        factor = size_px / max(height, width)
        size = max(1, round(width * factor)), max(1, round(height * factor))
        seen = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA).astype(int)
        is_die = (seen[:, :, 2] > 180) & (seen[:, :, 0] < 60)
        is_cup = (seen[:, :, 0] > 180) & (seen[:, :, 2] < 60)
        boxes, scores, classes = [], [], []
        for mask, cup in ((is_die, False), (is_cup, True)):
            count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
            for left, top, wide, tall, _ in stats[1:count]:
                if not self.smallest_px <= min(wide, tall) <= max(wide, tall) <= self.largest_px:
                    continue
                part = seen[top : top + tall, left : left + wide, 1]
                inner = part[tall // 4 : tall - tall // 4, wide // 4 : wide - wide // 4]
                own = CUP if cup else int(np.clip(round(np.median(inner) / GREEN_STEP) - 1, 0, 7))
                score = (
                    self.score
                    if isinstance(self.score, float)
                    else self.score(len(self.looks), own)
                )
                if score >= min_score:
                    boxes.append([left, top, left + wide, top + tall])
                    scores.append(score)
                    classes.append(self.says(len(self.looks), own))
        found = Detections.of(boxes, scores, classes)
        return found.with_boxes(found.xyxy / np.float32(factor))


@dataclass
class ColourFinder(ColourDetector):
    """The same squares without values, as a `vision.eye.Finder` tells them."""

    def find(self, image_bgr: np.ndarray, *, size_px: int, min_score: float) -> Finds:
        found = self.detect(image_bgr, size_px=size_px, min_score=min_score)
        order = np.argsort(-found.score, kind="stable")
        kinds = np.maximum(found.class_id - 5, 0)
        return Finds(found.xyxy[order], found.score[order], kinds[order])


@dataclass
class ColourNamer:
    """Names a crop by the colour in its middle.

    Attributes:
        says: (turn 0..3, class id) -> class id that it reports; 8 = nothing.
        certainty: probability that it gives.
    """

    says: Callable[[int, int], int] = lambda turn, class_id: class_id
    certainty: float = 0.97

    def shows(self, crops_bgr: np.ndarray) -> np.ndarray:
        answer = np.full((len(crops_bgr), 9), (1 - self.certainty) / 8, np.float32)
        for index, (row, crop) in enumerate(zip(answer, crops_bgr, strict=True)):
            low, middle, high = np.sort(np.median(crop[24:40, 24:40].reshape(-1, 3), axis=0))
            own = round(middle / GREEN_STEP) - 1 if high > 180 and low < 60 else 8
            row[self.says(index % 4, int(np.clip(own, 0, 8)))] = self.certainty
        return answer


@dataclass
class ColourStance:
    """Says how a die stands by the colour in its middle.

    Attributes:
        says: place in `STANCES` -> place that it reports.
        certainty: probability that it gives.
        leans: what it was told, one (2,) a crop.
    """

    says: Callable[[int], int] = lambda stance: stance
    certainty: float = 0.98
    leans: list[np.ndarray] = field(default_factory=list)

    def stances(self, crops_bgr: np.ndarray, leans: np.ndarray, looks: np.ndarray) -> np.ndarray:
        assert crops_bgr.dtype == np.uint8
        assert looks.shape == (len(crops_bgr),)
        assert leans.shape == (len(crops_bgr), 2)
        self.leans += list(leans)
        answer = np.full((len(crops_bgr), 3), (1 - self.certainty) / 2, np.float32)
        for row, crop in zip(answer, crops_bgr, strict=True):
            green = np.median(crop[28:36, 28:36].reshape(-1, 3), axis=0)[1]
            own = {TOWER: 1, BURNING: 2}.get(round(green / GREEN_STEP) - 1, 0)
            row[self.says(own)] = self.certainty
        return answer


@dataclass
class ColourReader:
    """Reads a crop by the colour in its middle.

    Attributes:
        says: value -> value that it reports; 7 = not readable.
        certainty: probability that it gives.
        asked: crops read so far.
    """

    says: Mapping[int, int] = field(default_factory=dict)
    certainty: float = 0.94
    asked: int = 0

    def probabilities(self, crops_bgr: np.ndarray) -> np.ndarray:
        assert crops_bgr.dtype == np.uint8
        self.asked += len(crops_bgr)
        answer = np.full((len(crops_bgr), 7), (1 - self.certainty) / 6, np.float32)
        for row, crop in zip(answer, crops_bgr, strict=True):
            low, middle, high = np.sort(np.median(crop[24:40, 24:40].reshape(-1, 3), axis=0))
            value = round(middle / GREEN_STEP) if high > 180 and low < 60 else 7
            row[self.says.get(value, min(value, 7)) - 1] = self.certainty
        return answer
