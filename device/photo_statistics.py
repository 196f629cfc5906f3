"""Figures about reading photographs: size bands, calibration of the scores, risk and coverage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from device.photo_score import DieScore, PhotoScore

BAND_EDGES_PX = (16, 24, 32, 48, 64)
"""Sides of dice where a band ends; a die of exactly 24 px belongs to the band 24-32."""

BANDS = (
    f"<{BAND_EDGES_PX[0]}",
    *(f"{low}-{high}" for low, high in pairwise(BAND_EDGES_PX)),
    f">={BAND_EDGES_PX[-1]}",
)

Z_95 = 1.959964
"""Standard score of a two-sided 95 % interval."""


@dataclass(frozen=True)
class Share:
    """So many right out of so many."""

    right: int = 0
    total: int = 0

    @property
    def value(self) -> float:
        """0..1; 0 of nothing."""
        return self.right / self.total if self.total else 0.0


@dataclass(frozen=True)
class Bin:
    """Dice read whose scores lie in one interval.

    Attributes:
        low: the interval, 0..1.
        high: its end, exclusive but for 1.
        mean_score: of the dice in it; the middle of the interval when there are none.
        share: how many of them are right.
    """

    low: float
    high: float
    mean_score: float
    share: Share


@dataclass(frozen=True)
class Point:
    """If only photographs of at least this confidence are trusted.

    Attributes:
        confidence: 0..1.
        coverage: share of photographs that are trusted, 0..1.
        risk: share of wrong ones among these, 0..1.
    """

    confidence: float
    coverage: float
    risk: float


def by_size(dice: Iterable[DieScore]) -> dict[str, Share]:
    """The labelled dice of known size right, per band of sides; every band is there."""
    counts = {band: [0, 0] for band in BANDS}
    for die in dice:
        if die.true is not None and die.side_px is not None:
            count = counts[BANDS[sum(die.side_px >= edge for edge in BAND_EDGES_PX)]]
            count[0] += die.right
            count[1] += 1
    return {band: Share(*count) for band, count in counts.items()}


def wilson(share: Share, z: float = Z_95) -> tuple[float, float]:
    """Interval in which the true share lies, 0..1; all of 0..1 when nothing was counted.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    J. Am. Stat. Assoc. 22 (1927).
    """
    n = share.total
    if not n:
        return 0.0, 1.0
    middle = (share.value + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share.value * (1 - share.value) / n + z**2 / (4 * n**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def reliability(dice: Iterable[DieScore], bins: int = 10) -> list[Bin]:
    """Sort the dice read, false findings included, into bins of equal width by their score."""
    inside: list[list[DieScore]] = [[] for _ in range(bins)]
    for die in dice:
        if die.read is not None:
            inside[min(int(die.score * bins), bins - 1)].append(die)
    return [
        Bin(
            low=number / bins,
            high=(number + 1) / bins,
            mean_score=sum(d.score for d in group) / len(group) if group else (number + 0.5) / bins,
            share=Share(sum(d.right for d in group), len(group)),
        )
        for number, group in enumerate(inside)
    ]


def calibration_error(bins: Iterable[Bin]) -> float:
    """Expected calibration error, 0..1: distance of score and share right, weighted by dice."""
    filled = [b for b in bins if b.share.total]
    total = sum(b.share.total for b in filled)
    gaps = sum(b.share.total * abs(b.share.value - b.mean_score) for b in filled)
    return gaps / total if total else 0.0


def risk_coverage(photos: Sequence[PhotoScore]) -> list[Point]:
    """Trust ever more photographs, the most confident first; equal ones come together.

    Source: Y. Geifman, R. El-Yaniv, Selective classification for deep neural networks, NIPS 2017.
    """
    ranked = sorted(photos, key=lambda photo: -photo.confidence)
    points, wrong = [], 0
    for number, photo in enumerate(ranked, start=1):
        wrong += not photo.right
        if number == len(ranked) or ranked[number].confidence < photo.confidence:
            points.append(Point(photo.confidence, number / len(ranked), wrong / number))
    return points


def working_point(photos: Sequence[PhotoScore]) -> tuple[float, float]:
    """Coverage and risk of what the reader itself calls sure, 0..1 each."""
    sure = [photo for photo in photos if photo.sure]
    covered = Share(len(sure), len(photos))
    wrong = Share(sum(photo.sure_but_wrong for photo in sure), len(sure))
    return covered.value, wrong.value


def worst(photos: Sequence[PhotoScore], most: int) -> list[tuple[int, DieScore]]:
    """The failures to look at: half wrong values by score, half missed dice by size.

    Where there are fewer of one kind, more of the other follow. Only dice whose place is known.

    Returns:
        At most `most` pairs of the photograph's index and the die; wrong values first.
    """
    places = [(n, die) for n, photo in enumerate(photos) for die in photo.dice if die.box]
    wrong = [pair for pair in places if pair[1].read is not None and not pair[1].right]
    missed = [pair for pair in places if pair[1].read is None]
    wrong.sort(key=lambda pair: -pair[1].score)
    missed.sort(key=lambda pair: -(pair[1].side_px or 0.0))
    first = wrong[: max(most - most // 2, most - len(missed))]
    return [*first, *missed[: most - len(first)]]
