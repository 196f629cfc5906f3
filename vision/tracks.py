"""One thing followed over time on the mat: where it is, and how long it has lain still.

A track collects evidence only while its thing lies still. As soon as it moves further than
`rest_distance_mm` from where it came to rest, everything said about it is forgotten: a die that
was pushed may have tipped over.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.said import Said
from vision.scene_settings import SceneSettings
from vision.table import TableDie


@dataclass
class Track:
    """A followed thing (internal; `SceneState` shows frozen copies).

    Attributes:
        track_id: counts up, never used again.
        position: (2,) mm, smoothed at rest.
        box: left, top, right, bottom in mm, as last seen.
        anchor: (2,) mm where it came to rest: the mean of that look and of those that show it there
            since it has lain for a while.
        anchor_box: its box there, likewise.
        rests: how many these looks are.
        still_since_s: since when it is there.
        first_s: when it was first seen.
        seen_s: when it was last seen.
        looks: in how many frames it was found.
        chances: in how many of them it could have been.
        strayed: in how many of the newest looks, one after the other, it was elsewhere, each with a
            box more like the one before than like that where it came to rest.
        stray_box: (4,) mm its box in the newest of these looks.
        said: what the witnesses say of it since it lies still.
        hidden: a cup is before a part of it.
        least: (2,) mm, the smallest width and height of its box in these frames; None: in none.
        shown: what others were shown of it last, and all that this rested on.
    """

    track_id: int
    position: NDArray[np.float64]
    box: NDArray[np.float64]
    anchor: NDArray[np.float64]
    anchor_box: NDArray[np.float64]
    still_since_s: float
    first_s: float
    seen_s: float
    looks: int = 1
    chances: int = 1
    rests: int = 1
    strayed: int = 0
    stray_box: NDArray[np.float64] | None = None
    said: Said = field(default_factory=Said)
    hidden: bool = False
    least: NDArray[np.float64] | None = None
    shown: tuple[tuple[object, ...], TableDie] | None = None

    @classmethod
    def start(
        cls, track_id: int, centre: NDArray[np.float64], box: NDArray[np.float64], at_s: float
    ) -> "Track":
        """A thing seen for the first time."""
        return cls(track_id, centre, box, centre, box, at_s, at_s, at_s)

    def move(
        self,
        centre: NDArray[np.float64],
        box: NDArray[np.float64],
        at_s: float,
        settings: SceneSettings,
        *,
        rest_distance_mm: float,
        another: float = np.inf,
    ) -> None:
        """Take in where it is now; a real move begins a new rest and forgets all votes.

        A look that puts a shadow, a print or the die beside it into the box shows it elsewhere, the
        next one where it was, or at a third place: a box of another size must say so more often,
        and only one like that of the look before says it again. One whose diagonal has grown by
        more than `another`, as a logarithm, is of a thing that was put over it.
        """
        away = float(np.hypot(*(centre - self.anchor)))
        grown = float(np.log(_diagonal(box) / _diagonal(self.anchor_box)))
        elsewhere = away > rest_distance_mm or grown > another
        if elsewhere:
            self.strayed = self.strayed + 1 if self._strays_again(box) else 1
            self.stray_box = box
        else:
            self.strayed = 0
        reframed = abs(grown) > settings.reframed
        leapt = self.strayed and away > settings.leap_mm and not reframed
        if leapt or self.strayed >= settings.stray_looks + reframed:
            self.restart(at_s)
            self.anchor = self.position = centre
            self.anchor_box, self.rests = box, 1
        elif not self.strayed:
            if at_s - self.still_since_s >= settings.ask_s:  # else it may slide slowly
                self._settle(centre, box)
            weight = 1 - np.exp(-(at_s - self.seen_s) / settings.smooth_s)
            self.position = self.position + weight * (centre - self.position)
        self.box = box
        self.seen_s = at_s
        self.looks += 1

    def _strays_again(self, box: NDArray[np.float64]) -> bool:
        """Whether a look that shows it elsewhere bears out the one before."""
        if not self.strayed or self.stray_box is None:
            return False
        off = np.linalg.norm(box - self.stray_box)
        return bool(off < np.linalg.norm(box - self.anchor_box))

    def _settle(self, centre: NDArray[np.float64], box: NDArray[np.float64]) -> None:
        """Another look shows it where it came to rest: the mean tells better where that is."""
        self.rests += 1
        self.anchor = self.anchor + (centre - self.anchor) / self.rests
        self.anchor_box = self.anchor_box + (box - self.anchor_box) / self.rests

    def lies_in(self, part_mm: tuple[float, float, float, float] | None) -> bool:
        """Whether all of it lies in a part of the mat; None: all of the mat and around it."""
        if part_mm is None:
            return True
        low, high = part_mm[:2], part_mm[2:]
        return bool((self.box[:2] >= low).all() and (self.box[2:] <= high).all())

    def is_born(self, settings: SceneSettings) -> bool:
        """Whether it has been found often enough to be a die."""
        return self.looks >= max(settings.born_looks, settings.born_share * self.chances)

    def restart(self, at_s: float) -> None:
        """Forget what was said: it has moved, or nobody knows whether it did."""
        self.still_since_s, self.strayed = at_s, 0
        self.forget()

    def has_stood(self, since_s: float) -> None:
        """It never moved: what seemed to was something else beside it, or its box."""
        self.still_since_s, self.strayed = since_s, 0
        self.anchor, self.anchor_box, self.rests = self.position, self.box, 1

    def forget(self) -> None:
        """What was said counts no more; where it lies, and since when, does."""
        self.said = Said()
        self.least = None

    def comes_out(self, *, hidden: bool, settings: SceneSettings) -> bool:
        """Whether more of it shows than in frames that hid half of it; `hidden`: a cup does now."""
        size = self.box[2:] - self.box[:2]
        least = size if self.least is None else self.least
        grown = bool((size > settings.outgrown * least).any())
        came_out = grown or (self.hidden and not hidden)
        self.hidden, self.least = hidden, np.minimum(least, size)
        return came_out


def _diagonal(box: NDArray[np.float64]) -> float:
    """Of a box (4,), left, top, right, bottom; never 0."""
    return max(float(np.hypot(*(box[2:] - box[:2]))), 1e-6)
