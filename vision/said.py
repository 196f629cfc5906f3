"""What all witnesses say of one die since it lies still, and what follows from it.

Sums of words, no places: `vision.tracks` follows where the die is, and forgets all of this as soon
as it moves.
"""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.confidence import fused
from vision.detections import BURNING, TOWER, VALUE_CLASSES
from vision.scene_settings import SceneSettings
from vision.stance import STANCES, by_both
from vision.table import DieReading

DIE_CLASSES = 8
"""Classes 0..7 stand for dice: six values, tower, burning."""

Sum = NDArray[np.float64]


@dataclass
class Heard:
    """One witness's word about a die, over the pictures in which it was asked.

    Attributes:
        total: (K,) sum of the probabilities that it gave.
        times: pictures that this sum comes from.
    """

    total: Sum
    times: int = 0

    @classmethod
    def nothing(cls, classes: int) -> "Heard":
        """Before it was asked; it tells so many classes apart."""
        return cls(np.zeros(classes))

    def hear(self, probabilities: NDArray[np.float32]) -> None:
        """Its word (K,) about one more picture."""
        self.total = self.total + probabilities
        self.times += 1

    def mean(self) -> tuple[float, ...]:
        """Of all pictures; empty if it was not asked."""
        return tuple((self.total / self.times).tolist()) if self.times else ()


@dataclass
class Said:
    """The words about one die (internal; `DieReading` is what others see).

    Attributes:
        votes: (8,) score that frames gave to each class.
        names: (6,) what these frames say it shows should it lie flat: each says as much, however
            faint the die.
        readings: frames that gave it.
        second: what the second reader counts: 1..6, and 7 = not readable.
        stance: how it stands by its looks: flat, tower, burning.
        outline: the same by its outline.
        odds: (3,) how much likelier it stands so, here, than by its looks alone.
    """

    votes: Sum = field(default_factory=partial(np.zeros, DIE_CLASSES))
    names: Sum = field(default_factory=partial(np.zeros, VALUE_CLASSES))
    readings: int = 0
    second: Heard = field(default_factory=partial(Heard.nothing, VALUE_CLASSES + 1))
    stance: Heard = field(default_factory=partial(Heard.nothing, len(STANCES)))
    outline: Heard = field(default_factory=partial(Heard.nothing, len(STANCES)))
    odds: Sum = field(default_factory=partial(np.ones, len(STANCES)))

    def vote(self, class_id: int, score: float, if_flat: NDArray[np.float32] | None = None) -> None:
        """One frame's word, and what it says of the values (6,) should the die lie flat."""
        self.votes[class_id] += score
        self.names += _as_named(class_id, score) if if_flat is None else if_flat
        self.readings += 1

    def content(self) -> tuple[object, ...]:
        """All that was said, to be compared with what was said before."""
        heard = (self.second, self.stance, self.outline)
        sums = (self.votes, self.names, self.odds, *(one.total for one in heard))
        return (self.readings, *(one.times for one in heard), *(one.tobytes() for one in sums))

    def stands(self) -> NDArray[np.float64]:
        """(3,) how likely it lies flat, is a tower, is tilted, by looks and outline; sums to 1."""
        likely = self.stance.total
        if self.outline.times:
            likely = by_both(likely / likely.sum(), self.outline.total / self.outline.times)
        likely = likely * self.odds
        return np.asarray(likely / likely.sum())

    def kind(self) -> str:
        """`die`, `tower` or `burning`: the stance reader's word, without one most of the score."""
        if self.stance.times:
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
            self.stance.times >= settings.min_asked
            and float(self.stands()[0]) >= settings.flat_alone
        )

    def kind_is_sure(self, settings: SceneSettings) -> bool:
        """Whether its way of standing is a fact for the stance reader."""
        heard = not settings.stance_reader or self.stance.times >= settings.min_asked
        return heard and not self.kind_is_doubted(settings)

    def kind_is_doubted(self, settings: SceneSettings) -> bool:
        """Whether how it stands is a question after what has been said; nothing yet leaves it one.

        Who calls a die flat that the others call a tower or tilted has to be without any doubt,
        and they must name its value; the other way round they are known to overlook most faults.
        """
        if not settings.stance_reader:
            return False
        if not self.stance.times:
            return True
        flat, total = float(self.votes[:VALUE_CLASSES].sum()), float(self.votes.sum())
        if self.kind() == "die" and flat < total / 2:
            named = float(self.names.max()) >= settings.min_share * self.readings
            return not (named and self.lies_flat(settings))
        if self.kind() != "die":
            return float(self.stands().max()) < settings.min_fault
        flat_enough = float(self.stands()[0]) >= self._flat_from(settings)
        return not flat_enough or self._may_be_tower(settings)

    def _flat_from(self, settings: SceneSettings) -> float:
        """The probability from which on it lies flat: a higher one where looks or outline waver."""
        least = min(heard.mean()[0] for heard in (self.stance, self.outline) if heard.times)
        return settings.min_flat_wavering if least < settings.wavering else settings.min_flat

    def _may_be_tower(self, settings: SceneSettings) -> bool:
        """Whether looks or outline alone leave a tower open."""
        heard = (said * self.odds for said in (self.stance.total, self.outline.total) if said.any())
        return any(said[1] > settings.max_tower_each * said.sum() for said in heard)

    def is_sure(self, settings: SceneSettings) -> bool:
        """Whether all witnesses agree clearly over several frames."""
        if self.readings < settings.min_readings or not self.kind_is_sure(settings):
            return False
        if self.stance.times and self.kind() != "die":
            return True
        total = float(self.votes.sum())
        most = total if self.lies_flat(settings) else max(self._by_kind().values())
        if most < settings.min_share * total or most < settings.min_belief * self.readings:
            return False
        return self.kind() != "die" or self._value_is_sure(settings)

    def is_complete(self, settings: SceneSettings) -> bool:
        """Whether nobody will be asked about it again."""
        second, stance = settings.second_reader, settings.stance_reader
        asked = [self.second.times] * second + [self.stance.times] * stance
        if not asked:
            return self.readings >= settings.alone_readings
        return min(asked) >= settings.max_asked

    def _value_is_sure(self, settings: SceneSettings) -> bool:
        """Whether both witnesses agree about the value; alone, the first must be clearer."""
        best = int(self.names.argmax())
        if settings.second_reader:
            named = float(self.names[best]) >= settings.min_share * self.readings
            asked = self.second.times >= settings.min_asked
            agreed = asked and int(self.second.total.argmax()) == best
            return named and agreed and self.probabilities()[best] >= settings.min_both
        voted = float(self.votes[best])
        return (
            voted >= settings.alone_share * float(self.votes.sum())
            and voted >= settings.alone_belief * self.readings
            and self.readings >= settings.alone_readings
        )

    def probabilities(self) -> tuple[float, ...]:
        """Both witnesses' word, should it lie flat: six probabilities, sum 1."""
        opinion = np.array(self.second.mean() or [1 / VALUE_CLASSES] * VALUE_CLASSES, np.float32)
        chances = fused(self.names.astype(np.float32), opinion)
        return tuple(float(number) for number in chances)

    def reading(self, place_mm: tuple[float, float], settings: SceneSettings) -> DieReading:
        """Everything that is known about its value and how it stands; it lies at `place_mm`."""
        both = self.probabilities()
        best = int(np.argmax(both))
        return DieReading(
            place_mm,
            best + 1,
            both[best],
            self.is_sure(settings) and self.kind() == "die",
            detector=tuple((self.names / max(self.readings, 1)).tolist()),
            second=self.second.mean(),
            stands=tuple(self.stands().tolist()) if self.stance.times else (),
            looks=self.stance.mean(),
            outline=self.outline.mean(),
        )


def _as_named(class_id: int, score: float) -> NDArray[np.float64]:
    """The word (6,) of a detector that tells but one class: the rest may be any of the six."""
    named = np.full(VALUE_CLASSES, 1 / VALUE_CLASSES)
    if class_id < VALUE_CLASSES:
        named *= 1 - score
        named[class_id] += score
    return named
