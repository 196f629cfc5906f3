"""Reads the dice on a loose photograph: two looks, four turns, two witnesses.

1. The first look finds dice and their size (`vision.looks.find_dice`).
2. The second look sees the picture at the scale that brings the median die to `die_px`, turned by
   four quarter turns; every finding is named (`vision.eye`), and findings at one place are one die
   with up to four votes (`vision.votes`).
3. The counter, another network that knows pips and no values, counts each die in four turns.
4. Both words become the probability that there is a die and that its value is right
   (`vision.confidence`). A photograph is *sure* when it is right with a probability that was fixed
   on photographs of strange tables, and nothing stacked or burning is in sight.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.confidence import Confidence, Words, all_right, fused
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
        min_belief: mean score over the four looks from which on a tower, a burning die or a cup is
            one.
        doubt_belief: a weaker one from here on is none, but makes the photograph unsure.
        squeeze: a median width / height of the dice outside 1/squeeze..squeeze is undone.
    """

    die_px: float = 44.0
    min_score: float = 0.08
    min_belief: float = 0.30
    doubt_belief: float = 0.15
    squeeze: float = 1.12


@dataclass(frozen=True)
class ReadDie:
    """One die on a photograph.

    Attributes:
        value: 1..6.
        score: probability that a die lies here and shows this value, 0..1.
        sure: the score reaches what a sure photograph needs, every look found the die, and both
            witnesses name this value in every turn.
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
        chance: probability that these are the dice and their values, 0..1.
        sure: there are dice, `chance` is high enough, and nothing else is in doubt.
        ms: milliseconds that reading took by the clock given to the reader.
    """

    dice: tuple[ReadDie, ...] = ()
    towers: tuple[Found, ...] = ()
    burning: tuple[Found, ...] = ()
    cups: tuple[Found, ...] = ()
    chance: float = 0.0
    sure: bool = False
    ms: float = field(default=0.0, compare=False)


class PhotoReader:
    """Reads photographs of any size.

    Args:
        detector: finds and names dice.
        counter: the second witness.
        clock: seconds, monotonic, for `Reading.ms` (`time.perf_counter`).
        settings: sizes and thresholds.
        confidence: how words become probabilities; it belongs to the weights.
    """

    def __init__(
        self,
        detector: DieDetector,
        counter: ValueWitness,
        *,
        clock: Callable[[], float],
        settings: ReaderSettings | None = None,
        confidence: Confidence | None = None,
    ) -> None:
        self._detector = detector
        self._counter = counter
        self._clock = clock
        self._settings = settings or ReaderSettings()
        self._confidence = confidence or Confidence()

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
        clusters, complete = self.look(picture)
        reading = self.judge(clusters, self.count(picture, clusters), complete=complete)
        return replace(reading, ms=round((self._clock() - started_s) * 1000, 1))

    def look(self, picture: Image) -> tuple[list[Cluster], bool]:
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

    def count(self, picture: Image, clusters: list[Cluster]) -> NDArray[np.float32]:
        """(N, 7) what the counter says of every cluster, mean of four turns."""
        crops = cut_crops(picture, [cluster.box for cluster in clusters])
        return mean_of_four(self._counter.probabilities(turned_four_ways(crops)))

    def judge(
        self, clusters: list[Cluster], opinions: NDArray[np.float32], *, complete: bool
    ) -> Reading:
        """Decide what the clusters are; `complete`: the whole picture was looked at."""
        settings, confidence = self._settings, self._confidence
        dice: list[ReadDie] = []
        others: dict[int, list[Found]] = {TOWER: [], BURNING: [], CUP: []}
        chances: list[float] = []
        doubts = 0 if complete else 1
        for cluster, opinion in zip(clusters, opinions, strict=True):
            words = words_of(cluster, opinion)
            class_id = int(words.belief.argmax())
            if class_id >= VALUE_CLASSES:
                strength = float(words.belief.sum())
                if strength >= settings.min_belief:
                    score = round(float(words.belief[class_id]), 4)
                    others[class_id].append(Found(_box(cluster), score))
                elif strength >= settings.doubt_belief and class_id != CUP:
                    doubts += 1
                continue
            there = confidence.die_chance(words)
            if there < 0.5:
                chances.append(1.0 - there)
                continue
            chance = there * confidence.value_chance(words)
            chances.append(chance)
            value_id = int(fused(words.belief, opinion).argmax())
            sure = chance >= confidence.sure and _agreed(words, value_id)
            dice.append(ReadDie(value_id + 1, round(chance, 4), sure, _box(cluster)))
        chance = all_right(chances)
        clear = not (doubts or others[TOWER] or others[BURNING])
        return Reading(
            dice=tuple(sorted(dice, key=lambda die: die.box)),
            towers=tuple(others[TOWER]),
            burning=tuple(others[BURNING]),
            cups=tuple(others[CUP]),
            chance=round(chance, 4),
            sure=clear and chance >= confidence.sure and bool(dice) and all(d.sure for d in dice),
        )


def _agreed(words: Words, value_id: int) -> bool:
    """No number outweighs this: every look found the die, and nobody named another value."""
    counted = int(words.opinion[:VALUE_CLASSES].argmax())
    return words.found_in == 1.0 and words.unanimous and counted == value_id


def words_of(cluster: Cluster, opinion: NDArray[np.float32]) -> Words:
    """What is known of a cluster, for `vision.confidence`; opinion (7,)."""
    return Words(
        cluster.weights(LOOKS), opinion, cluster.found_in() / LOOKS, cluster.is_unanimous()
    )


def _box(cluster: Cluster) -> Box:
    x1, y1, x2, y2 = (round(float(value), 1) for value in cluster.box)
    return (x1, y1, x2, y2)
