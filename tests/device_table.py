"""A painted pub table for tests: a mat with markers, a cup, dice as coloured squares.

The painted dice can be read without a trained model: `ColourDetector` and `ColourReader` stand in
for the two networks, everything else is the real thing, from the clip's first byte to the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device import bootstrap_readers
from vision.crops import DEALT_CHANNELS
from vision.detections import CUP, Detections
from vision.markers import marker_centres_mm

FPS = 10.0
PX_PER_MM = 2.0
BORDER_PX = 40
MAT_MM = (420, 315)
DIE_MM, CUP_MM, MARKER_MM = 16, 80, 20

HUES = {1: 0, 2: 30, 3: 60, 4: 90, 5: 120, 6: 150}
"""Hue of each value, 0..179 as OpenCV counts."""

Placed = tuple[int, float, float]

THROWN_MM = ((120.0, 120.0), (170.0, 170.0), (220.0, 120.0))
ASIDE_MM = ((375.0, 80.0), (375.0, 130.0), (375.0, 180.0))
CUP_AT_MM = (165.0, 150.0)


@dataclass
class PaintedTable:
    """A script that is painted frame by frame.

    Attributes:
        pictures: dice (value, x, y) and whether the cup is there, one entry a frame.
    """

    pictures: list[tuple[list[Placed], bool]] = field(default_factory=list)

    def hold(self, seconds: float, dice: Sequence[Placed] = (), *, cup: bool = False) -> None:
        self.pictures += [(list(dice), cup)] * round(seconds * FPS)

    def throw(self, *values: int, aside: Sequence[int] = (), clear: bool = True) -> None:
        """Cup down, cup up, dice lie; `aside` lies in the strip from before the cup goes down."""
        beside = [(v, *ASIDE_MM[n]) for n, v in enumerate(aside)]
        lying = [(v, *THROWN_MM[n]) for n, v in enumerate(values)]
        self.hold(1.0, beside, cup=True)
        self.hold(1.8, beside + lying)
        if clear:
            self.hold(1.0)

    def write(self, path: Path) -> Path:
        size = (MAT_MM[0] * 2 + 2 * BORDER_PX, MAT_MM[1] * 2 + 2 * BORDER_PX)
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, size)
        assert writer.isOpened()
        painted: dict[str, NDArray[np.uint8]] = {}
        for dice, cup in self.pictures:
            key = f"{dice} {cup}"
            if key not in painted:
                painted[key] = paint(dice, cup=cup)
            writer.write(painted[key])
        writer.release()
        return path


def opening() -> PaintedTable:
    """The opening of A, B and C: C takes one Deckel for 322."""
    table = PaintedTable()
    table.hold(1.0)
    table.throw(6, 5, 2)
    table.throw(6, 5, 1)
    table.throw(3, 2, 2)
    return table


def small_game() -> PaintedTable:
    """The opening and the first round of A, B and C; see `SMALL_GAME`."""
    table = opening()
    table.throw(6, 4, 1, clear=False)
    table.throw(3, 1, aside=(1,))
    table.throw(5, 4, 2)
    table.throw(6, 6, 5)
    return table


SMALL_GAME = {
    "thrown": [
        ("A", [6, 5, 2], []),
        ("B", [6, 5, 1], []),
        ("C", [3, 2, 2], []),
        ("C", [6, 4, 1], []),
        ("C", [3, 1], [1]),
        ("A", [5, 4, 2], []),
        ("B", [6, 6, 5], []),
    ],
    # The opening: C takes 1 for 322. Round 1: C's Schock 3 is best, A's 542 worst.
    "holdings": {"A": 3, "B": 0, "C": 1},
    "stock": 9,
}


def paint(dice: Sequence[Placed], *, cup: bool) -> NDArray[np.uint8]:
    width, height = (side * 2 for side in MAT_MM)
    picture = np.full((height + 2 * BORDER_PX, width + 2 * BORDER_PX, 3), 120, np.uint8)
    mat = picture[BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX]
    mat[:] = 225
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(MARKER_MM * PX_PER_MM)
    for number, (x, y) in enumerate(marker_centres_mm()):
        left, top = round(x * PX_PER_MM - side / 2), round(y * PX_PER_MM - side / 2)
        marker = cv2.aruco.generateImageMarker(dictionary, number, side)
        mat[top : top + side, left : left + side] = marker[:, :, None]
    for value, x, y in dice:
        hsv = np.array([[[HUES[value], 230, 200]]], np.uint8)
        colour = [int(c) for c in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]]
        half = DIE_MM * PX_PER_MM / 2
        corners = [round(v) for v in (x * 2 - half, y * 2 - half, x * 2 + half, y * 2 + half)]
        cv2.rectangle(mat, corners[:2], corners[2:], colour, cv2.FILLED)
    if cup:
        centre = [round(v * PX_PER_MM) for v in CUP_AT_MM]
        cv2.circle(mat, centre, round(CUP_MM * PX_PER_MM / 2), (15, 15, 15), cv2.FILLED)
    return picture


def value_of(hue: float) -> int:
    """The value whose hue is nearest on the circle of 180."""
    return min(HUES, key=lambda value: min(abs(HUES[value] - hue), 180 - abs(HUES[value] - hue)))


class ColourDetector:
    """Finds painted dice by colour and the cup by size; the detector's interface."""

    def detect(
        self,
        image_bgr: NDArray[np.uint8],
        *,
        size_px: int = 640,
        min_score: float = 0.25,
        view: int = 0,
    ) -> Detections:
        hsv = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2HSV)
        boxes: list[list[float]] = []
        classes: list[int] = []
        for box, inside in _blobs(hsv[:, :, 1] > 120, 10):
            left, top, right, bottom = map(int, box)
            boxes.append(box)
            classes.append(value_of(float(np.median(hsv[top:bottom, left:right, 0][inside]))) - 1)
        for box, _ in _blobs(hsv[:, :, 2] < 60, 100):
            boxes.append(box)
            classes.append(CUP)
        return Detections.of(boxes, [0.95] * len(boxes), classes)


class ColourReader:
    """Reads cut-out painted dice by the colour in their middle; the second witness's interface.

    Args:
        mistakes: value -> what it is taken for.
    """

    def __init__(self, mistakes: dict[int, int] | None = None) -> None:
        self.mistakes = mistakes or {}

    def probabilities(self, crops_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
        answer = np.full((len(crops_bgr), 7), 0.01, np.float32)
        for number, (row, crop) in enumerate(zip(answer, crops_bgr, strict=True)):
            as_seen = crop[24:40, 24:40, np.argsort(DEALT_CHANNELS[number % 4])]
            hsv = cv2.cvtColor(np.ascontiguousarray(as_seen), cv2.COLOR_BGR2HSV)
            value = value_of(float(np.median(hsv[:, :, 0])))
            row[self.mistakes.get(value, value) - 1] = 0.94
        return answer


class FlatStance:
    """Says of every die that it lies flat: the painted ones have no sides."""

    def stances(
        self, crops_bgr: NDArray[np.uint8], leans: NDArray[np.float64], looks: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        assert len(crops_bgr) == len(leans) == len(looks)
        return np.tile(np.array([0.98, 0.01, 0.01], np.float32), (len(crops_bgr), 1))


def share_no_networks(monkeypatch: Any) -> None:
    """Let a test that puts other readers in get those, and nobody else."""
    apart = lru_cache(maxsize=1)(bootstrap_readers._built.__wrapped__)
    monkeypatch.setattr("device.bootstrap_readers._built", apart)


def stand_in(monkeypatch: Any, *, mistakes: dict[int, int] | None = None) -> None:
    """Let `device.bootstrap_readers` hand out the colour readers instead of the trained models."""
    share_no_networks(monkeypatch)
    monkeypatch.setattr("device.bootstrap_readers.detector", lambda settings: ColourDetector())
    monkeypatch.setattr(
        "device.bootstrap_readers.second_reader", lambda settings: ColourReader(mistakes)
    )
    monkeypatch.setattr("device.bootstrap_readers.stance_reader", lambda settings: FlatStance())
    monkeypatch.setattr("device.bootstrap_readers.model_version", lambda settings: "painted")


def _blobs(mask: NDArray[np.bool_], least_px: int) -> list[tuple[list[float], NDArray[np.bool_]]]:
    """Boxes of what is not too small, and which pixels of each box belong to it."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    blobs = []
    for label in range(1, count):
        left, top, width, height, _ = stats[label]
        if min(width, height) >= least_px:
            box = [float(left), float(top), float(left + width), float(top + height)]
            blobs.append((box, labels[top : top + height, left : left + width] == label))
    return blobs
