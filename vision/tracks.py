"""One thing followed over time on the mat: where it is, how long it has lain still, who says what.

A track collects evidence only while its thing lies still. As soon as it moves further than
`rest_distance_mm` from where it came to rest, everything said about it is forgotten: a die that
was pushed may have tipped over.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.confidence import fused
from vision.detections import BURNING, TOWER, VALUE_CLASSES
from vision.scene_settings import SceneSettings
from vision.stance import STANCES, by_both
from vision.table import DieReading

DIE_CLASSES = 8
"""Classes 0..7 stand for dice: six values, tower, burning."""


@dataclass
class Track:
    """A followed thing (internal; `SceneState` shows frozen copies).

    Attributes:
        track_id: counts up, never used again.
        position: (2,) mm, smoothed at rest.
        box: left, top, right, bottom in mm, as last seen.
        anchor: (2,) mm where it came to rest.
        anchor_box: its box there.
        still_since_s: since when it is there.
        first_s: when it was first seen.
        seen_s: when it was last seen.
        looks: in how many frames it was found.
        chances: in how many of them it could have been.
        strayed: in how many of the newest looks, one after the other, it was elsewhere.
        votes: (8,) score given to each class since it lies still.
        names: (6,) what these frames say it shows should it lie flat: each says as much, however
            faint the die.
        readings: frames that gave it.
        second: (7,) sum of the second reader's probabilities.
        asked: pictures that this sum comes from.
        stance: (3,) sum of the stance reader's probabilities: flat, tower, burning.
        stance_asked: pictures that this sum comes from.
        outline: (3,) sum of what its outline says of the same.
        outline_asked: pictures that this sum comes from.
        odds: (3,) how much likelier it stands so, here, than by its looks alone.
        hidden: a cup is before a part of it.
        least: (2,) mm, the smallest width and height of its box in these frames; None: in none.
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
    strayed: int = 0
    votes: NDArray[np.float64] = field(default_factory=lambda: np.zeros(DIE_CLASSES))
    names: NDArray[np.float64] = field(default_factory=lambda: np.zeros(VALUE_CLASSES))
    readings: int = 0
    second: NDArray[np.float64] = field(default_factory=lambda: np.zeros(7))
    asked: int = 0
    stance: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(STANCES)))
    stance_asked: int = 0
    outline: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(STANCES)))
    outline_asked: int = 0
    odds: NDArray[np.float64] = field(default_factory=lambda: np.ones(len(STANCES)))
    hidden: bool = False
    least: NDArray[np.float64] | None = None

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

        A look that puts a shadow or a print into the box shows it elsewhere, the next one where it
        was: a box of another size must say so more often. One whose diagonal has grown by more than
        `another`, as a logarithm, is of a thing that was put over it.
        """
        away = float(np.hypot(*(centre - self.anchor)))
        grown = float(np.log(_diagonal(box) / _diagonal(self.anchor_box)))
        elsewhere = away > rest_distance_mm or grown > another
        self.strayed = self.strayed + 1 if elsewhere else 0
        reframed = abs(grown) > settings.reframed
        leapt = self.strayed and away > settings.leap_mm and not reframed
        if leapt or self.strayed >= settings.stray_looks + reframed:
            self.restart(at_s)
            self.anchor = self.position = centre
            self.anchor_box = box
        elif not self.strayed:
            weight = 1 - np.exp(-(at_s - self.seen_s) / settings.smooth_s)
            self.position = self.position + weight * (centre - self.position)
        self.box = box
        self.seen_s = at_s
        self.looks += 1

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
        self.anchor, self.anchor_box = self.position, self.box

    def forget(self) -> None:
        """What was said counts no more; where it lies, and since when, does."""
        self.votes = np.zeros(DIE_CLASSES)
        self.names = np.zeros(VALUE_CLASSES)
        self.readings = 0
        self.second = np.zeros(7)
        self.asked = 0
        self.stance = np.zeros(len(STANCES))
        self.stance_asked = 0
        self.outline = np.zeros(len(STANCES))
        self.outline_asked = 0
        self.least = None

    def comes_out(self, *, hidden: bool, settings: SceneSettings) -> bool:
        """Whether more of it shows than in frames that hid half of it; `hidden`: a cup does now."""
        size = self.box[2:] - self.box[:2]
        least = size if self.least is None else self.least
        grown = bool((size > settings.outgrown * least).any())
        came_out = grown or (self.hidden and not hidden)
        self.hidden, self.least = hidden, np.minimum(least, size)
        return came_out

    def vote(self, class_id: int, score: float, if_flat: NDArray[np.float32] | None = None) -> None:
        """One frame's word, and what it says of the values (6,) should the die lie flat."""
        self.votes[class_id] += score
        self.names += _as_named(class_id, score) if if_flat is None else if_flat
        self.readings += 1

    def hear_second(self, probabilities: NDArray[np.float32]) -> None:
        """The second reader's word (7,) about one picture."""
        self.second = self.second + probabilities
        self.asked += 1

    def hear_stance(self, probabilities: NDArray[np.float32]) -> None:
        """The stance reader's word (3,) about one picture."""
        self.stance = self.stance + probabilities
        self.stance_asked += 1

    def hear_outline(self, probabilities: NDArray[np.float32]) -> None:
        """What its outline says (3,) in one picture."""
        self.outline = self.outline + probabilities
        self.outline_asked += 1

    def stands(self) -> NDArray[np.float64]:
        """(3,) how likely it lies flat, is a tower, is tilted, by looks and outline; sums to 1."""
        likely = self.stance
        if self.outline_asked:
            likely = by_both(likely / likely.sum(), self.outline / self.outline_asked)
        likely = likely * self.odds
        return np.asarray(likely / likely.sum())

    def kind(self) -> str:
        """`die`, `tower` or `burning`: the stance reader's word, without one most of the score."""
        if self.stance_asked:
            return STANCES[int(self.stands().argmax())]
        by_kind = self._by_kind()
        return max(by_kind, key=lambda name: by_kind[name])

    def _by_kind(self) -> dict[str, float]:
        """The score that frames gave to each way of standing."""
        return {
            "die": float(self.votes[:VALUE_CLASSES].sum()),
            "tower": float(self.votes[TOWER]),
            "burning": float(self.votes[BURNING]),
        }

    def lies_flat(self, settings: SceneSettings) -> bool:
        """Whether the stance reader has no doubt at all that it lies flat."""
        return (
            self.stance_asked >= settings.min_asked
            and float(self.stands()[0]) >= settings.flat_alone
        )

    def kind_is_sure(self, settings: SceneSettings) -> bool:
        """Whether its way of standing is a fact for the stance reader.

        Who calls a die flat that the others call a tower or tilted has to be without any doubt,
        and they must name its value; the other way round they are known to overlook most faults.
        """
        if not settings.stance_reader:
            return True
        if self.stance_asked < settings.min_asked:
            return False
        flat, total = float(self.votes[:VALUE_CLASSES].sum()), float(self.votes.sum())
        if self.kind() == "die" and flat < total / 2:
            named = float(self.names.max()) >= settings.min_share * self.readings
            return named and self.lies_flat(settings)
        if self.kind() != "die":
            return float(self.stands().max()) >= settings.min_fault
        return float(self.stands()[0]) >= settings.min_flat and self._none_doubts(settings)

    def _none_doubts(self, settings: SceneSettings) -> bool:
        """Whether neither looks nor outline alone leave it open that it leans or is a tower."""
        heard = [said * self.odds for said in (self.stance, self.outline) if said.any()]
        return all(said[0] >= settings.min_flat_each * said.sum() for said in heard)

    def is_sure(self, settings: SceneSettings) -> bool:
        """Whether all witnesses agree clearly over several frames."""
        if self.readings < settings.min_readings or not self.kind_is_sure(settings):
            return False
        if self.stance_asked and self.kind() != "die":
            return True
        total = float(self.votes.sum())
        most = total if self.lies_flat(settings) else max(self._by_kind().values())
        if most < settings.min_share * total or most < settings.min_belief * self.readings:
            return False
        return self.kind() != "die" or self._value_is_sure(settings)

    def _value_is_sure(self, settings: SceneSettings) -> bool:
        """Whether both witnesses agree about the value; alone, the first must be clearer."""
        best = int(self.names.argmax())
        if settings.second_reader:
            named = float(self.names[best]) >= settings.min_share * self.readings
            agreed = self.asked >= settings.min_asked and int(self.second.argmax()) == best
            return named and agreed and self.probabilities()[best] >= settings.min_both
        voted = float(self.votes[best])
        return (
            voted >= settings.alone_share * float(self.votes.sum())
            and voted >= settings.alone_belief * self.readings
            and self.readings >= settings.alone_readings
        )

    def probabilities(self) -> tuple[float, ...]:
        """Both witnesses' word, should it lie flat: six probabilities, sum 1."""
        opinion = self.second / self.asked if self.asked else np.full(7, 1 / 6)
        chances = fused(self.names.astype(np.float32), opinion.astype(np.float32))
        return tuple(float(number) for number in chances)

    def reading(self, settings: SceneSettings) -> DieReading:
        """Everything that is known about its value and how it stands."""
        both = self.probabilities()
        best = int(np.argmax(both))
        return DieReading(
            (float(self.position[0]), float(self.position[1])),
            best + 1,
            both[best],
            self.is_sure(settings) and self.kind() == "die",
            detector=tuple((self.names / max(self.readings, 1)).tolist()),
            second=_mean(self.second, self.asked),
            stands=tuple(self.stands().tolist()) if self.stance_asked else (),
            looks=_mean(self.stance, self.stance_asked),
            outline=_mean(self.outline, self.outline_asked),
        )


def _mean(total: NDArray[np.float64], count: int) -> tuple[float, ...]:
    """Of so many; none of none."""
    return tuple((total / count).tolist()) if count else ()


def _diagonal(box: NDArray[np.float64]) -> float:
    """Of a box (4,), left, top, right, bottom; never 0."""
    return max(float(np.hypot(*(box[2:] - box[:2]))), 1e-6)


def _as_named(class_id: int, score: float) -> NDArray[np.float64]:
    """The word (6,) of a detector that tells but one class: the rest may be any of the six."""
    named = np.full(VALUE_CLASSES, 1 / VALUE_CLASSES)
    if class_id < VALUE_CLASSES:
        named *= 1 - score
        named[class_id] += score
    return named
