"""Reads the dice on a loose photograph: two looks, four turns, two witnesses.

1. The first look finds dice and their size (`vision.looks.find_dice`).
2. The second look sees the picture at the scale that brings the median die to `die_px`, turned by
   four quarter turns; findings at one place are one die with up to four votes (`vision.votes`).
3. The second reader, another network that sees only cut-out dice, reads each die in four turns.
4. A die is *sure* when all four looks found it, named it alike and clearly, and the second reader
   says the same. A photograph is sure when every die is, and nothing else is in doubt.

Without a second reader the same holds with a stricter score; a unanimous vote of one network is
known to be wrong now and then, so that mode is for development.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.crops import cut_crops, mean_of_four, turned_four_ways
from vision.detections import BURNING, CUP, TOWER, VALUE_CLASSES, DieDetector, ValueWitness
from vision.images import Image, as_bgr
from vision.looks import FIRST_PX, find_dice, look_four_ways
from vision.votes import Cluster, cluster_looks, median_aspect, median_side

Box = tuple[float, float, float, float]
LOOKS = 4


@dataclass(frozen=True)
class ReaderSettings:
    """Thresholds of reading; how the defaults were found: `models/EXPERIMENTS.md`.

    Attributes:
        die_px: side of a die in the second look, pixels: the middle of what training shows.
        min_score: findings below are not looked at.
        min_belief: mean score over the four looks from which on a cluster is a thing.
        doubt_belief: a weaker cluster from here on is no die, but makes the photograph unsure.
        sure_belief: mean score of the value over four looks that a sure die needs.
        sure_belief_alone: the same without a second reader.
        sure_second: the second reader's probability that a sure die needs.
        not_a_die: from this probability on the second reader may strike out a weak finding.
        squeeze: a median width / height of the dice outside 1/squeeze..squeeze is undone.
    """

    die_px: float = 44.0
    min_score: float = 0.08
    min_belief: float = 0.15
    doubt_belief: float = 0.08
    sure_belief: float = 0.35
    sure_belief_alone: float = 0.70
    sure_second: float = 0.70
    not_a_die: float = 0.90
    squeeze: float = 1.12


@dataclass(frozen=True)
class ReadDie:
    """One die on a photograph.

    Attributes:
        value: 1..6.
        score: belief in this value, 0..1: the mean of both witnesses.
        sure: both witnesses agree clearly.
        box: left, top, right, bottom in pixels of the photograph.
    """

    value: int
    score: float
    sure: bool
    box: Box


@dataclass(frozen=True)
class Found:
    """A tower, a burning die or a cup: where (pixels of the photograph) and how clearly, 0..1."""

    box: Box
    score: float


@dataclass(frozen=True)
class Reading:
    """What a photograph shows.

    Attributes:
        dice: flat dice, left to right.
        towers: stacked dice.
        burning: tilted dice.
        cups: cups.
        sure: there are dice, all of them are sure, and nothing else is in doubt.
        ms: milliseconds that reading took by the clock given to the reader.
    """

    dice: tuple[ReadDie, ...] = ()
    towers: tuple[Found, ...] = ()
    burning: tuple[Found, ...] = ()
    cups: tuple[Found, ...] = ()
    sure: bool = False
    ms: float = field(default=0.0, compare=False)


class PhotoReader:
    """Reads photographs of any size.

    Args:
        detector: finds dice.
        value_reader: the second witness; None: agreement of the four looks alone, stricter.
        clock: seconds, monotonic, for `Reading.ms` (`time.perf_counter`).
        settings: thresholds.
    """

    def __init__(
        self,
        detector: DieDetector,
        value_reader: ValueWitness | None,
        *,
        clock: Callable[[], float],
        settings: ReaderSettings | None = None,
    ) -> None:
        self._detector = detector
        self._value_reader = value_reader
        self._clock = clock
        self._settings = settings or ReaderSettings()

    def read(self, image_bgr: Image) -> Reading:
        """Read one photograph.

        Args:
            image_bgr: (H, W), (H, W, 3) or (H, W, 4) uint8, BGR, upright.

        Returns:
            What it shows; boxes in its pixels. A picture without dice is not sure.

        Raises:
            PictureError: not a picture.
        """
        started_s = self._clock()
        picture = as_bgr(image_bgr)
        clusters, complete = self._look(picture)
        reading = self._judge(picture, clusters, complete=complete)
        return _with_ms(reading, (self._clock() - started_s) * 1000)

    def _look(self, picture: Image) -> tuple[list[Cluster], bool]:
        """Both looks; clusters of the second, and whether all of the picture was seen."""
        settings = self._settings
        first = find_dice(self._detector, picture, min_score=settings.min_score)
        if not len(first):
            return [], True
        side = median_side(first)
        if side is None:  # a cup and nothing else: the scale of the first look is as good as any
            side = settings.die_px * max(picture.shape[:2]) / FIRST_PX
        factor = float(np.clip(settings.die_px / max(side, 1.0), 0.02, 4.0))
        aspect = float(np.clip(median_aspect(first), 0.5, 2.0))
        if 1 / settings.squeeze <= aspect <= settings.squeeze:
            aspect = 1.0
        looks, complete = look_four_ways(
            self._detector,
            picture,
            first,
            factors=(factor / aspect**0.5, factor * aspect**0.5),
            die_px=settings.die_px,
            min_score=settings.min_score,
        )
        return cluster_looks(looks), complete

    def _judge(self, picture: Image, clusters: list[Cluster], *, complete: bool) -> Reading:
        settings = self._settings
        beliefs = [cluster.weights(LOOKS) for cluster in clusters]
        second = self._ask_second(picture, clusters)
        dice: list[ReadDie] = []
        others: dict[int, list[Found]] = {TOWER: [], BURNING: [], CUP: []}
        doubts = 0 if complete else 1
        for cluster, belief, opinion in zip(clusters, beliefs, second, strict=True):
            if belief.sum() < settings.min_belief or self._is_struck_out(belief, opinion):
                doubts += belief.sum() >= settings.doubt_belief
                continue
            class_id = int(belief.argmax())
            if class_id < VALUE_CLASSES:
                dice.append(self._die(cluster, belief, opinion))
            else:
                others[class_id].append(Found(_box(cluster), round(float(belief[class_id]), 4)))
        dice.sort(key=lambda die: die.box)
        clear = not (doubts or others[TOWER] or others[BURNING])
        return Reading(
            dice=tuple(dice),
            towers=tuple(others[TOWER]),
            burning=tuple(others[BURNING]),
            cups=tuple(others[CUP]),
            sure=clear and bool(dice) and all(die.sure for die in dice),
        )

    def _ask_second(
        self, picture: Image, clusters: list[Cluster]
    ) -> list[NDArray[np.float32] | None]:
        if self._value_reader is None:
            return [None] * len(clusters)
        crops = cut_crops(picture, [cluster.box for cluster in clusters])
        return list(mean_of_four(self._value_reader.probabilities(turned_four_ways(crops))))

    def _is_struck_out(
        self, belief: NDArray[np.float32], opinion: NDArray[np.float32] | None
    ) -> bool:
        """A weak finding of a flat die that the second reader calls no die."""
        return (
            opinion is not None
            and int(belief.argmax()) < VALUE_CLASSES
            and float(opinion[VALUE_CLASSES]) >= self._settings.not_a_die
            and float(belief.sum()) < self._settings.sure_belief
        )

    def _die(
        self, cluster: Cluster, belief: NDArray[np.float32], opinion: NDArray[np.float32] | None
    ) -> ReadDie:
        settings = self._settings
        agreed = cluster.found_in() == LOOKS and cluster.is_unanimous()
        if opinion is None:
            value_id = int(belief[:VALUE_CLASSES].argmax())
            score = float(belief[value_id])
            sure = agreed and score >= settings.sure_belief_alone
        else:
            value_id = int(fused(belief, opinion).argmax())
            score = float(belief[value_id] + opinion[value_id]) / 2
            sure = (
                agreed
                and float(belief[value_id]) >= settings.sure_belief
                and float(opinion[value_id]) >= settings.sure_second
            )
        return ReadDie(value_id + 1, round(min(score, 1.0), 4), sure, _box(cluster))


def fused(belief: NDArray[np.float32], opinion: NDArray[np.float32]) -> NDArray[np.float32]:
    """Both witnesses' word as one probability per value.

    A product of experts with a floor for each: neither can rule a value out alone.

    Args:
        belief: (6,) or more, the detector's weight per value, >= 0.
        opinion: (6,) or more, the second reader's probability per value.

    Returns:
        (6,) float32, sums to 1.
    """
    own = belief[:VALUE_CLASSES]
    own = own / max(float(own.sum()), 1e-6)
    product = (own + 0.03) * (opinion[:VALUE_CLASSES] + 0.03)
    return np.asarray(product / product.sum(), dtype=np.float32)


def _box(cluster: Cluster) -> Box:
    x1, y1, x2, y2 = (round(float(value), 1) for value in cluster.box)
    return (x1, y1, x2, y2)


def _with_ms(reading: Reading, ms: float) -> Reading:
    return Reading(
        reading.dice, reading.towers, reading.burning, reading.cups, reading.sure, round(ms, 1)
    )
