"""One look at the pips of dice tells their values and, by their outlines, how they stand."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crops import by_die, mean_by_die
from vision.detections import OutlineWitness, PipWitness
from vision.images import Image
from vision.outline import Floats, Top, cut_outlines, in_picture, top_of
from vision.paint import one_paint
from vision.pips import read_maps
from vision.stance import STEEPEST


@dataclass(frozen=True)
class OutlineJudge:
    """A value witness that, by the same look at the pips, tells how dice stand.

    Attributes:
        counter: marks pips.
        reader: tells by outlines how dice stand.
    """

    counter: PipWitness
    reader: OutlineWitness

    def probabilities(self, crops_bgr: Image) -> Floats:
        """As `vision.detections.ValueWitness` has it, for dice of which nobody knows the lean."""
        return self.counter.probabilities(crops_bgr)

    def judge(
        self,
        view_bgr: Image,
        held: Image,
        boxes_px: NDArray[np.float64],
        leans: NDArray[np.float64],
        *,
        edge_px: float,
        bare_bgr: Image | None = None,
    ) -> tuple[Floats, dict[int, Floats]]:
        """Count the pips of dice, and judge their outlines.

        Args:
            view_bgr: (H, W, 3) uint8, the mat from above.
            held: (N * V, 64, 64, 3) of `vision.crops.held_views`; N at least 1.
            boxes_px: (N, 4) what was cut out.
            leans: (N, 2) of `vision.stance.lean_of`.
            edge_px: a die's edge in this picture.
            bare_bgr: the mat without dice (`vision.outline.cut_outlines`).

        Returns:
            (N, 7) as `probabilities`, the mean of each die's views, and (3,) how it stands, by its
            row, for those whose top face can be placed and that are not seen from further aside
            than `vision.stance.STEEPEST`.
        """
        marks, chances = read_maps(self.counter.maps(held))
        dice, views = by_die(chances, len(boxes_px)), len(marks) // len(boxes_px)
        tops: dict[int, Top] = {}
        for row in np.flatnonzero(np.linalg.norm(leans, axis=1) <= STEEPEST).tolist():
            own = marks[row * views : (row + 1) * views]
            top = top_of(in_picture(own, boxes_px[row], leans[row]), dice[row])
            tops |= {} if top is None else {row: top}
        looks = cut_outlines(
            view_bgr, list(tops.values()), leans[list(tops)], edge_px=edge_px, bare_bgr=bare_bgr
        )
        words = self.reader.stances(*looks)
        values = mean_by_die(one_paint(held, marks, chances), len(boxes_px))
        return values, dict(zip(tops, words, strict=True))
