"""How large the dice at a table are, measured on those that were thrown.

The box around a die that lies flat is larger than the die: it is turned, its corners are rounded,
its upper face is nearer to the camera and its sides show where it is seen aslant. Nobody knows how
a single die is turned, but over a dozen of them it averages out.

The numbers are fitted on 822 dice of 280 simulated throws (12 to 25 mm, rounded corners of all
kinds, every surface and light, cameras tilted by up to 20 degrees): the median of 12 dice is right
to 7.5 % in 99 of 100 cases; 3.5 % of that is the way a set of dice is rounded and stays however
many are thrown. That is exact enough: of the 95 throws with dice of 12.75 to 17.25 mm 77 were read
for sure when their size was known and 76 when it was taken for 16 mm. Of the 60 with dice above
21.75 mm it was 53, and none: 59 were asked about, one had no answer, none was read wrong.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.calibration import MatCalibration
from vision.detections import VALUE_CLASSES, Detections
from vision.table import Box, SceneState

Floats = NDArray[np.float64]

FLAT = 1.18
"""Middle side of a box / edge of its die, seen from straight above: the median over all turns."""
LEAN = 0.55
"""Added to it per unit of the mean lean along both axes: its sides show."""
SMALLEST_DIE_MM, LARGEST_DIE_MM = 8.0, 32.0
"""Dice are 10 to 25 mm; what measures outside is none, what is written is a slip of the pen."""
ENOUGH = 12
"""Dice that must have been seen: four throws of three."""
KEPT = 12
"""Older ones are forgotten, so that other dice are noticed after as many."""
MOST_SPREAD = 0.11
"""Median deviation / median: turned dice have 0.06; more is a mixture of dice and other things."""
SURE_SCORE = 0.5
"""19 of 20 looks at dice have it."""
REST_MM, REST_S, REST_LOOKS = 2.0, 0.3, 2
"""A die counts that was seen so often, over so long, within this."""
FORGOTTEN_S = 10.0
"""A finding not seen for so long lies there no more; a quiet mat is looked at every 8 s."""
ALONE = 1.1
"""Other findings are farther away than this times its box: one that touches it blurs its edge."""
SQUARE = 1.35
"""Longest / shortest side of a box; sides that show make one of 45 degrees' view 1.3."""
CHANGED = 0.12
"""A measured size is changed for one that differs by more: two measurements hardly ever do."""
CONFIRMED = 0.08
"""A size that was merely assumed is right if the measured one is as near as it can tell."""


@dataclass
class _Resting:
    """A finding that stays where it is: its sides, since when, and whether it was counted."""

    place_mm: Floats
    first_s: float
    last_s: float
    sides_mm: list[float] = field(default_factory=list)
    counted: bool = False


class DieSizes:
    """Measures dice look by look; sans I/O, time arrives with the looks.

    Args:
        mat_size_mm: width and height: what lies beside the mat is not measured.
        blind_mm: rectangles (left, top, right, bottom) where findings do not count: the markers.
    """

    def __init__(self, mat_size_mm: tuple[float, float], blind_mm: Sequence[Box] = ()) -> None:
        self._size_mm = mat_size_mm
        self._blind_mm = blind_mm
        self._resting: list[_Resting] = []
        self._edges_mm: deque[float] = deque(maxlen=KEPT)

    def look(
        self,
        found: Detections,
        boxes_mm: NDArray[np.floating],
        at_s: float,
        camera_mm: tuple[float, float, float] | None,
    ) -> None:
        """Take in a look of the detector.

        Args:
            found: its findings.
            boxes_mm: (N, 4) their boxes on the mat.
            at_s: when.
            camera_mm: x, y and height of the camera; None: straight above, far away.
        """
        self._resting = [r for r in self._resting if at_s - r.last_s <= FORGOTTEN_S]
        for index in self._measurable(found, boxes_mm):
            left, top, right, bottom = boxes_mm[index]
            place = np.array([left + right, top + bottom]) / 2
            resting = next(
                (r for r in self._resting if np.abs(r.place_mm - place).max() <= REST_MM), None
            )
            if resting is None:
                resting = _Resting(place, at_s, at_s)
                self._resting.append(resting)
            resting.last_s = at_s
            resting.sides_mm.append(float(right - left + bottom - top) / 2)
            rested = at_s - resting.first_s >= REST_S and len(resting.sides_mm) >= REST_LOOKS
            if rested and not resting.counted:
                resting.counted = True
                self._count(edge_of(float(np.median(resting.sides_mm)), place, camera_mm))

    def edge_mm(self) -> float | None:
        """The edge of the dice; None: too few of them so far, or too different ones."""
        if len(self._edges_mm) < ENOUGH:
            return None
        edges = np.array(self._edges_mm)
        middle = float(np.median(edges))
        spread = float(np.median(np.abs(edges - middle)))
        if spread > MOST_SPREAD * middle:
            return None
        return middle

    def adopted(self, mat: MatCalibration, state: SceneState) -> MatCalibration:
        """The calibration with the measured size, where that is due; the same one otherwise.

        Nothing changes while anything lies on the mat: a throw that is being read with one size
        is not judged by another.
        """
        empty = state.is_empty and state.looks_bare is True and not state.unborn
        if not empty or (measured_mm := self.edge_mm()) is None:
            return mat
        apart = abs(measured_mm / mat.die_mm - 1)
        if mat.die_measured and apart <= CHANGED:
            return mat
        edge_mm = mat.die_mm if apart <= CONFIRMED else round(measured_mm, 1)
        return replace(mat, die_mm=edge_mm, die_measured=True)

    def _measurable(self, found: Detections, boxes_mm: NDArray[np.floating]) -> list[int]:
        """Findings that are single dice on the mat, named without much doubt."""
        centres = (boxes_mm[:, :2] + boxes_mm[:, 2:]) / 2
        sides = boxes_mm[:, 2:] - boxes_mm[:, :2]
        good = (found.class_id < VALUE_CLASSES) & (found.score >= SURE_SCORE)
        good &= sides.min(axis=1, initial=np.inf) > 0
        good &= sides.max(axis=1, initial=0) <= SQUARE * sides.min(axis=1, initial=np.inf)
        good &= ((centres >= 0) & (centres <= self._size_mm)).all(axis=1)
        for left, top, right, bottom in self._blind_mm:
            x, y = centres.T
            good &= ~((x > left) & (x < right) & (y > top) & (y < bottom))
        return [
            int(index)
            for index in np.flatnonzero(good)
            if np.sum(
                np.linalg.norm(centres - centres[index], axis=1) < ALONE * sides[index].mean()
            ) == 1
        ]  # fmt: skip

    def _count(self, edge_mm: float) -> None:
        if SMALLEST_DIE_MM <= edge_mm <= LARGEST_DIE_MM:
            self._edges_mm.append(edge_mm)


def edge_of(
    side_mm: float, place_mm: Floats, camera_mm: tuple[float, float, float] | None
) -> float:
    """The edge of a die of usual turn whose box has a side.

    Args:
        side_mm: mean of the box's width and height on the mat's plane.
        place_mm: (2,) its middle.
        camera_mm: x, y and height of the camera; None: straight above, far away.
    """
    if camera_mm is None:
        return side_mm / FLAT
    height_mm = camera_mm[2]
    lean = float(np.abs(np.array(camera_mm[:2]) - place_mm).mean()) / height_mm
    # The upper face is an edge nearer to the camera: side = edge * shape / (1 - edge / height).
    shape = FLAT + LEAN * lean
    return side_mm / (shape + side_mm / height_mm)
