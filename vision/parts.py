"""The parts of a mat that are watched each for itself: one, or one for every seat.

What changes at one seat says nothing of the others, so change is measured per part in the small
grey picture (`vision.motion`). A cup or a die that reaches over a border counts where it belongs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.seats import Seat
from vision.table import Box

PIXEL_MM = 2.0
"""What a pixel of the small grey picture shows."""
AROUND_MM = 4.0
"""So far around a thing's box its edge is seen in the small picture."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Parts:
    """Which pixels of the small grey picture belong to which part.

    Attributes:
        count: how many parts there are.
        owners: (h, w) the part of every pixel; None: there is but one.
    """

    count: int = 1
    owners: NDArray[np.int8] | None = None

    def areas_mm2(self, mask: Mask) -> NDArray[np.float64]:
        """(count,) how much of each part a mask (h, w) covers."""
        if self.owners is None:
            pixels = np.array([np.count_nonzero(mask)])
        else:
            pixels = np.bincount(self.owners[mask], minlength=self.count)
        return np.asarray(pixels * PIXEL_MM**2, np.float64)

    def mask(self, which: NDArray[np.bool_]) -> Mask | None:
        """(h, w) the pixels of some parts, given as (count,); None for all of them."""
        if self.owners is None or which.all():
            return None
        return np.asarray(which[self.owners])

    def owners_at(self, points_mm: NDArray[np.float32]) -> NDArray[np.intp]:
        """The parts (N,) of places (N, 2), millimetres from the picture's top left corner."""
        if self.owners is None:
            return np.zeros(len(points_mm), np.intp)
        height, width = self.owners.shape
        columns, rows = np.clip(
            (points_mm / PIXEL_MM).astype(int).T, 0, [[width - 1], [height - 1]]
        )
        return np.asarray(self.owners[rows, columns], np.intp)

    def with_things(
        self, boxes_mm: Sequence[Box], owners: Sequence[int], *, margin_mm: float
    ) -> "Parts":
        """The same with the places of things given to the parts that these belong to.

        Args:
            boxes_mm: left, top, right, bottom on the mat.
            owners: the part of each.
            margin_mm: what the picture shows around the mat.
        """
        if self.owners is None or not len(boxes_mm):
            return self
        out = self.owners.copy()
        sides = (np.array(boxes_mm) + margin_mm + AROUND_MM * np.array([-1, -1, 1, 1])) / PIXEL_MM
        for (left, top, right, bottom), owner in zip(
            np.maximum(sides.round().astype(int), 0).tolist(), owners, strict=True
        ):
            out[top:bottom, left:right] = owner
        return Parts(self.count, out)


WHOLE = Parts()


def parts_of(seats: Sequence[Seat], shape: tuple[int, ...], *, margin_mm: float) -> Parts:
    """The parts of a mat with seats.

    Args:
        seats: who sits around it; none: it is one part.
        shape: height and width of the small grey picture.
        margin_mm: what it shows around the mat.
    """
    if not seats:
        return WHOLE
    rows, columns = np.indices(shape[:2])
    x, y = ((index + 0.5) * PIXEL_MM - margin_mm for index in (columns, rows))
    outwards = [
        seat.towards[0] * (x - seat.middle[0]) + seat.towards[1] * (y - seat.middle[1])
        for seat in seats
    ]
    return Parts(len(seats), np.argmax(outwards, axis=0).astype(np.int8))
