"""Whether a set of dice falls as fair dice do: Pearson's chi-square test over the six faces.

The verdict is about what was *read*: a face that the camera mistakes for another would stand out
just so. A test never says that dice are loaded, only how many fair sets look as uneven.
"""

from dataclasses import dataclass
from math import ceil, erfc, exp, pi, sqrt
from typing import Literal

from rules.summing import Summed

FACES = 6

CONSPICUOUS_BELOW = 0.001
"""Chance from which on a set is conspicuous. Not the usual one in twenty: an evening looks at up
to ten sets, and looks again after every round. Of 60,000 simulated fair sets looked at 55 times, up
to 900 dice, one in 92 was ever conspicuous (with 0.01 one in 13: of ten sets mostly one)."""

VERY_CONSPICUOUS_BELOW = 0.0001

NONCENTRALITY = 24.456
"""Of the chi-square distribution with five degrees of freedom, where four of five samples are
conspicuous. Source: noncentral chi-square distribution; a test computes it anew."""

FEWEST_DICE = ceil((FACES - 1) * NONCENTRALITY)
"""With fewer dice thrown, not even a face that falls twice as often as it should is mostly
noticed."""

Verdict = Literal["too_few", "inconspicuous", "conspicuous", "very_conspicuous"]


@dataclass(frozen=True)
class Faces(Summed):
    """How often each face was thrown."""

    ones: int = 0
    twos: int = 0
    threes: int = 0
    fours: int = 0
    fives: int = 0
    sixes: int = 0

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts of 1 to 6."""
        return (self.ones, self.twos, self.threes, self.fours, self.fives, self.sixes)

    @property
    def thrown(self) -> int:
        """How many dice were thrown."""
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """How often fair dice would have shown each face on the mean."""
        return self.thrown / FACES

    @property
    def chi_square(self) -> float:
        """How uneven the counts are: 0 if all are equal, about 5 by chance."""
        if not self.thrown:
            return 0.0
        return sum((count - self.expected) ** 2 for count in self.counts) / self.expected

    @property
    def chance(self) -> float:
        """How often fair dice are at least as uneven, 0 to 1."""
        return chance_of_more(self.chi_square)

    @property
    def noticed_from(self) -> float | None:
        """How much too often one face has to fall for four of five such sets to be conspicuous.

        0.5 means half as often again as it should; None before the first throw. A face that falls
        (1 + d) times as often, the others sharing the rest, makes `d * d / 5` of noncentrality a
        die.
        """
        return sqrt((FACES - 1) * NONCENTRALITY / self.thrown) if self.thrown else None

    @property
    def verdict(self) -> Verdict:
        """What can be said."""
        if self.thrown < FEWEST_DICE:
            return "too_few"
        if self.chance >= CONSPICUOUS_BELOW:
            return "inconspicuous"
        if self.chance >= VERY_CONSPICUOUS_BELOW:
            return "conspicuous"
        return "very_conspicuous"

    @property
    def strangest(self) -> int:
        """The face that is furthest from its expected count, the lowest of equals."""
        off = [abs(count - self.expected) for count in self.counts]
        return 1 + off.index(max(off))


def chance_of_more(chi_square: float) -> float:
    """Return how often chi-square with five degrees of freedom is at least as large, by chance.

    Source: Abramowitz & Stegun, Handbook of Mathematical Functions, 26.4.4 (odd degrees of
    freedom), with 2 Q(x) = erfc(x / sqrt 2).
    """
    root = sqrt(chi_square)
    tail = sqrt(2 / pi) * exp(-chi_square / 2) * (root + root**3 / 3)
    return min(1.0, erfc(root / sqrt(2)) + tail)
