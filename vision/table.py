"""The table at one moment, as `vision.scene` shows it and `vision.throws` judges it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Box = tuple[float, float, float, float]
CUP_BLINK_S = 0.1
"""A cup that was not found for so long is before nothing any more; shorter, one look missed it."""


@dataclass(frozen=True)
class DieReading:
    """What both witnesses say about one die; the evidence behind an unsure throw.

    Attributes:
        position_mm: centre on the mat.
        value: likeliest value 1..6.
        probability: of this value, both witnesses taken together, 0..1.
        sure: they agree clearly.
        detector: the detector's word, mean of all frames, per value 1..6.
        second: the second reader's mean probability for 1..6 and 7 = not readable; empty if it
            was not asked.
        stands: how likely it lies flat, is a tower, is tilted (`vision.stance.STANCES`), all that
            is known together; empty if nobody was asked.
        looks: what the stance reader says of the same by looks, the mean; empty as before.
        outline: what its outline says; empty where its top face could not be placed.
    """

    position_mm: tuple[float, float]
    value: int
    probability: float
    sure: bool
    detector: tuple[float, ...]
    second: tuple[float, ...]
    stands: tuple[float, ...] = ()
    looks: tuple[float, ...] = ()
    outline: tuple[float, ...] = ()

    def to_json(self) -> dict[str, object]:
        """A JSON object with the attributes' names, rounded; without the last three where empty."""
        standing = {"stands": self.stands, "looks": self.looks, "outline": self.outline}
        return {
            "position_mm": [round(number, 1) for number in self.position_mm],
            "value": self.value,
            "probability": round(self.probability, 3),
            "sure": self.sure,
            "detector": [round(number, 3) for number in self.detector],
            "second": [round(number, 3) for number in self.second],
            **{name: [round(n, 3) for n in word] for name, word in standing.items() if word},
        }


@dataclass(frozen=True)
class TableDie:
    """A die, tower or burning die.

    Attributes:
        track_id: the same as long as it is seen without a break.
        kind: `die`, `tower` or `burning`.
        position_mm: centre on the mat.
        box_mm: left, top, right, bottom.
        at_rest: seen now, and still for long enough.
        still_since_s: when it came to rest where it is.
        sure: all witnesses agree on its class over several frames.
        stands_sure: whether it lies flat, leans or stands on another is no question.
        settled: nothing more will be learned about it while it lies there.
        on_mat: its centre is on the mat.
        reading: the witnesses' words on its value.
        probabilities: six numbers, sum 1.
    """

    track_id: int
    kind: str
    position_mm: tuple[float, float]
    box_mm: Box
    at_rest: bool
    still_since_s: float
    sure: bool
    stands_sure: bool
    settled: bool
    on_mat: bool
    reading: DieReading
    probabilities: tuple[float, ...]

    @property
    def value(self) -> int:
        """Likeliest value, 1..6."""
        return self.reading.value


@dataclass(frozen=True)
class TableCup:
    """A cup.

    Attributes:
        track_id: the same as long as it is seen without a break.
        position_mm: centre on the mat.
        box_mm: left, top, right, bottom.
        settled: it has been there for long enough to be one.
        since_s: since when it stands there; one that is carried elsewhere stands there anew.
        seen_s: when it was last seen.
        carried: it may have been carried to where it was seen last; further looks tell.
    """

    track_id: int
    position_mm: tuple[float, float]
    box_mm: Box
    settled: bool
    since_s: float
    seen_s: float
    carried: bool = False


@dataclass(frozen=True)
class SceneState:
    """The table at one moment.

    Attributes:
        t_s: when, in the time of the frames.
        dice: everything that is a die or more, also those that were seen just before.
        cups: cups, also those that were seen just before.
        busy: somebody is at work on the mat; from the motion gate.
        looks_bare: whether the picture looks like the bare mat; None: nobody can tell.
        traces: something may lie there that is too faint for `looks_bare`.
        unborn: boxes of findings that may become dice, if they stay.
        gone: where dice and cups were seen last the mat looks bare, whatever lies elsewhere.
    """

    t_s: float
    dice: tuple[TableDie, ...] = ()
    cups: tuple[TableCup, ...] = ()
    busy: bool = False
    looks_bare: bool | None = None
    traces: bool = False
    unborn: tuple[Box, ...] = ()
    gone: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether neither a die nor a cup is on the mat, and the picture does not object."""
        return not self.dice and not self.cups and self.looks_bare is not False

    @property
    def is_occluded(self) -> bool:
        """Whether somebody's hand is there, or something lies there that is no die and no cup."""
        return self.busy or self.is_strange

    @property
    def is_strange(self) -> bool:
        """Whether something lies there that is no die and no cup, as far as anybody has found."""
        return self.looks_bare is False and not self.dice and not self.cups

    @property
    def is_settled(self) -> bool:
        """Whether another look at an unchanged picture would teach nothing."""
        return self.all_dice_settled and all(
            cup.settled and cup.seen_s == self.t_s and not cup.carried for cup in self.cups
        )

    def is_hidden(self, box_mm: Box) -> bool:
        """Whether a cup that was seen just now is before a part of it."""
        return any(
            self.t_s - cup.seen_s < CUP_BLINK_S and overlap(cup.box_mm, box_mm) for cup in self.cups
        )

    @property
    def all_dice_settled(self) -> bool:
        """Whether no die waits to be read."""
        return not self.unborn and all(die.settled for die in self.dice)


def as_box(numbers: NDArray[np.float64]) -> Box:
    """Four numbers (4,) as a box."""
    left, top, right, bottom = (float(number) for number in numbers)
    return (left, top, right, bottom)


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share any of the mat."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
