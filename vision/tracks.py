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
from vision.stance import STANCES

DIE_CLASSES = 8
"""Classes 0..7 stand for dice: six values, tower, burning."""


@dataclass(frozen=True)
class SceneSettings:
    """Physical constants of following things on a mat; seconds and millimetres.

    Attributes:
        mat_size_mm: width and height.
        scale_px_per_mm: resolution of the pictures that detections come from.
        margin_mm: what these pictures show around the mat.
        die_mm: edge of the dice.
        rest_distance_mm: a die that stays within this lies still; detector boxes tremble by 0.5.
        rest_s: it lies still after this long; a rolling die stands on an edge for up to 0.2 s.
        match_mm: a finding this close to a track continues it: just over one die.
        smooth_s: time constant of a resting position.
        gone_s: a track not seen for this long is over; bridges a missed frame even at 5 a second.
        born_looks: a die counts when it has been found this often without having been lost: a
            finding that comes and goes is none.
        cup_rest_mm: a cup that stays within this stands where it stood; its box trembles more than
            a die's.
        cup_settle_s: a cup counts after this long; a sleeve mistaken for one does not last.
        gap_s: after a longer pause between frames nothing is known to have lain still.
        smallest_die: findings below this share of `die_mm` are no dice (pips, print).
        largest_die: neither are larger ones: a turned die shows 1.41, its side faces add some.
        min_readings: frames that must have read a die.
        min_share: share of the score that these frames give to one class.
        min_belief: their mean score for this class.
        min_asked: pictures in which the second reader must have read it.
        max_asked: it is not asked again after this many.
        min_second: its mean probability for the same value, which must be its likeliest word.
        min_both: probability of the value, both taken together.
        second_reader: whether there is one; without it share and belief must be stricter.
        alone_share: share needed without a second reader.
        alone_belief: belief needed without a second reader.
        alone_readings: frames needed without a second reader.
        stance_reader: whether somebody tells how dice stand.
        min_flat: its mean probability of lying flat from which on a die does; measured on 300
            simulated throws: 98.7 % of the flat dice have it, 6.6 % of the towers and burning dice.
        min_fault: its mean probability of a tower, or of a burning die, from which on it is one.
        blind_mm: rectangles (left, top, right, bottom) where findings do not count: the markers.
    """

    mat_size_mm: tuple[float, float] = (420.0, 315.0)
    scale_px_per_mm: float = 2.2
    margin_mm: float = 0.0
    die_mm: float = 16.0
    rest_distance_mm: float = 2.0
    rest_s: float = 0.40
    match_mm: float = 18.0
    smooth_s: float = 0.15
    gone_s: float = 0.35
    born_looks: int = 3
    cup_rest_mm: float = 25.0
    cup_settle_s: float = 0.30
    gap_s: float = 1.0
    smallest_die: float = 0.6
    largest_die: float = 2.0
    min_readings: int = 3
    min_share: float = 0.80
    min_belief: float = 0.25
    min_asked: int = 2
    max_asked: int = 4
    min_second: float = 0.30
    min_both: float = 0.97
    second_reader: bool = True
    alone_share: float = 0.95
    alone_belief: float = 0.60
    alone_readings: int = 5
    stance_reader: bool = False
    min_flat: float = 0.75
    min_fault: float = 0.80
    blind_mm: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True)
class DieReading:
    """What both witnesses say about one die; the evidence behind an unsure throw.

    Attributes:
        position_mm: centre on the mat.
        value: likeliest value 1..6.
        probability: of this value, both witnesses taken together, 0..1.
        sure: they agree clearly.
        detector: share of the detector's score per value 1..6.
        second: the second reader's mean probability for 1..6 and 7 = not readable; empty if it
            was not asked.
    """

    position_mm: tuple[float, float]
    value: int
    probability: float
    sure: bool
    detector: tuple[float, ...]
    second: tuple[float, ...]

    def to_json(self) -> dict[str, object]:
        """A JSON object with the attributes' names, rounded."""
        return {
            "position_mm": [round(number, 1) for number in self.position_mm],
            "value": self.value,
            "probability": round(self.probability, 3),
            "sure": self.sure,
            "detector": [round(number, 3) for number in self.detector],
            "second": [round(number, 3) for number in self.second],
        }


@dataclass
class Track:
    """A followed thing (internal; `SceneState` shows frozen copies).

    Attributes:
        track_id: counts up, never used again.
        position: (2,) mm, smoothed at rest.
        box: left, top, right, bottom in mm, as last seen.
        anchor: (2,) mm where it came to rest.
        still_since_s: since when it is there.
        first_s: when it was first seen.
        seen_s: when it was last seen.
        looks: in how many frames it was found.
        votes: (8,) score given to each class since it lies still.
        readings: frames that gave it.
        second: (7,) sum of the second reader's probabilities.
        asked: pictures that this sum comes from.
        stance: (3,) sum of the stance reader's probabilities: flat, tower, burning.
        stance_asked: pictures that this sum comes from.
    """

    track_id: int
    position: NDArray[np.float64]
    box: NDArray[np.float64]
    anchor: NDArray[np.float64]
    still_since_s: float
    first_s: float
    seen_s: float
    looks: int = 1
    votes: NDArray[np.float64] = field(default_factory=lambda: np.zeros(DIE_CLASSES))
    readings: int = 0
    second: NDArray[np.float64] = field(default_factory=lambda: np.zeros(7))
    asked: int = 0
    stance: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(STANCES)))
    stance_asked: int = 0

    @classmethod
    def start(
        cls, track_id: int, centre: NDArray[np.float64], box: NDArray[np.float64], at_s: float
    ) -> "Track":
        """A thing seen for the first time."""
        return cls(track_id, centre, box, centre, at_s, at_s, at_s)

    def move(
        self,
        centre: NDArray[np.float64],
        box: NDArray[np.float64],
        at_s: float,
        settings: SceneSettings,
        *,
        rest_distance_mm: float,
    ) -> None:
        """Take in where it is now; a real move begins a new rest and forgets all votes."""
        away = float(np.hypot(*(centre - self.anchor)))
        if away > rest_distance_mm:
            self.restart(at_s)
            self.anchor = self.position = centre
        else:
            weight = 1 - np.exp(-(at_s - self.seen_s) / settings.smooth_s)
            self.position = self.position + weight * (centre - self.position)
        self.box = box
        self.seen_s = at_s
        self.looks += 1

    def restart(self, at_s: float) -> None:
        """Forget what was said: it has moved, or nobody knows whether it did."""
        self.still_since_s = at_s
        self.votes = np.zeros(DIE_CLASSES)
        self.readings = 0
        self.second = np.zeros(7)
        self.asked = 0
        self.stance = np.zeros(len(STANCES))
        self.stance_asked = 0

    def vote(self, class_id: int, score: float) -> None:
        """One frame's word."""
        self.votes[class_id] += score
        self.readings += 1

    def hear_second(self, probabilities: NDArray[np.float32]) -> None:
        """The second reader's word (7,) about one picture."""
        self.second = self.second + probabilities
        self.asked += 1

    def hear_stance(self, probabilities: NDArray[np.float32]) -> None:
        """The stance reader's word (3,) about one picture."""
        self.stance = self.stance + probabilities
        self.stance_asked += 1

    def kind(self) -> str:
        """`die`, `tower` or `burning`: the stance reader's word, without one most of the score."""
        if self.stance_asked:
            return STANCES[int(self.stance.argmax())]
        by_kind = {
            "die": float(self.votes[:VALUE_CLASSES].sum()),
            "tower": float(self.votes[TOWER]),
            "burning": float(self.votes[BURNING]),
        }
        return max(by_kind, key=lambda name: by_kind[name])

    def kind_is_sure(self, settings: SceneSettings) -> bool:
        """Whether its way of standing is a fact for the stance reader, and no other objects.

        Who calls a die flat that the others call a tower or tilted has to be asked about it; the
        other way round the others are known to overlook most faults.
        """
        if not settings.stance_reader:
            return True
        if self.stance_asked < settings.min_asked:
            return False
        flat = float(self.votes[:VALUE_CLASSES].sum())
        if self.kind() == "die" and flat < self.votes.sum() / 2:
            return False
        needed = settings.min_flat if self.kind() == "die" else settings.min_fault
        return float(self.stance.max()) / self.stance_asked >= needed

    def is_sure(self, settings: SceneSettings) -> bool:
        """Whether all witnesses agree clearly over several frames."""
        total = float(self.votes.sum())
        if self.readings < settings.min_readings or total <= 0:
            return False
        if not self.kind_is_sure(settings):
            return False
        if self.stance_asked and self.kind() != "die":
            return True
        best = int(self.votes.argmax())
        share = float(self.votes[best]) / total
        belief = float(self.votes[best]) / self.readings
        if share < settings.min_share or belief < settings.min_belief:
            return False
        if best >= VALUE_CLASSES:
            return True
        if not settings.second_reader:
            return (
                share >= settings.alone_share
                and belief >= settings.alone_belief
                and self.readings >= settings.alone_readings
            )
        if self.asked < settings.min_asked:
            return False
        if int(self.second.argmax()) != best:
            return False
        second = float(self.second[best]) / self.asked
        return second >= settings.min_second and self.probabilities()[best] >= settings.min_both

    def probabilities(self) -> tuple[float, ...]:
        """Both witnesses' word: six probabilities, sum 1."""
        belief = self.votes.astype(np.float32)
        if belief[:VALUE_CLASSES].sum() <= 0 and not self.asked:
            return (1 / 6,) * VALUE_CLASSES
        if self.asked:
            opinion = (self.second / self.asked).astype(np.float32)
        else:
            opinion = np.full(7, 1 / 6, dtype=np.float32)
        return tuple(float(number) for number in fused(belief, opinion))

    def reading(self, settings: SceneSettings) -> DieReading:
        """Everything that is known about its value."""
        both = self.probabilities()
        best = int(np.argmax(both))
        votes = self.votes / max(float(self.votes.sum()), 1e-9)
        second = self.second / self.asked if self.asked else np.zeros(0)
        sure = self.is_sure(settings) and self.kind() == "die"
        return DieReading(
            (float(self.position[0]), float(self.position[1])),
            best + 1,
            both[best],
            sure and best == int(self.votes.argmax()),
            tuple(float(number) for number in votes[:VALUE_CLASSES]),
            tuple(float(number) for number in second),
        )
