"""Luck: what a player threw first in his rounds, against what three dice throw by chance.

Only the first throw of a turn counts: all three dice, before anybody has decided anything, so
that skill has no part in it. Its *share* is the part of the 216 equally likely falls that it lies
above in the order of the book; equal ones count by half. By chance that is one half on the mean,
whatever the book, and how far the mean strays from it is known exactly, too.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import Literal

from rules.book import RuleBook
from rules.dice import DICE_PER_PLAYER, Dice
from rules.odds_turns import FALLS, grades_of
from rules.summing import Summed

HALVES = 2 * FALLS
"""Shares are counted in halves of a fall, so that they are whole numbers."""

LUCKY_FROM_ERRORS = 2.0
"""Standard errors off one half from which on somebody is called lucky or unlucky: at any
one time about one player in twenty is, without anything behind it."""

Verdict = Literal["lucky", "unlucky", "as_expected"]


@dataclass(frozen=True)
class Luck(Summed):
    """First throws of a player, added up.

    Attributes:
        throws: how many.
        halves: their shares, in halves of a fall: 0 to `HALVES` each.
        variance: sum of what chance makes the shares vary by.
        schock_aus: how many were three ones.
    """

    throws: int = 0
    halves: int = 0
    variance: Fraction = Fraction(0)
    schock_aus: int = 0

    @property
    def share(self) -> float | None:
        """Mean share, 0 to 1; one half is expected. None before the first throw."""
        return self.halves / (HALVES * self.throws) if self.throws else None

    @property
    def error(self) -> float | None:
        """Standard error of the mean share: how far chance alone takes it, two times in three."""
        return sqrt(self.variance) / self.throws if self.throws else None

    @property
    def verdict(self) -> Verdict:
        """Whether the share is further off one half than chance mostly takes it."""
        if self.share is None or self.error is None:
            return "as_expected"
        off = self.share - 0.5
        if abs(off) <= LUCKY_FROM_ERRORS * self.error:
            return "as_expected"
        return "lucky" if off > 0 else "unlucky"

    @property
    def expected_schock_aus(self) -> float:
        """How many first throws are three ones by chance: one in 216."""
        by_chance: float = self.throws / FALLS
        return by_chance


NO_THROWS = Luck()


def first_throw(book: RuleBook, dice: Dice) -> Luck:
    """Weigh one first throw of three dice (highest first) by a book."""
    shares, variance = _shares(book)
    return Luck(1, shares[dice], variance, int(dice == (1, 1, 1)))


@lru_cache(maxsize=32)
def _shares(book: RuleBook) -> tuple[Mapping[Dice, int], Fraction]:
    """The share of each throw in halves of a fall, and the variance of a share."""
    grades = grades_of(book)
    falls = Counter(
        tuple(sorted(fall, reverse=True)) for fall in product(range(1, 7), repeat=DICE_PER_PLAYER)
    )
    of_grade = Counter[int]()
    for dice, count in falls.items():
        of_grade[grades[dice, 1, True]] += count
    shares, below = {}, 0
    for grade in sorted(of_grade):
        shares[grade] = 2 * below + of_grade[grade]
        below += of_grade[grade]
    squares = sum(count * (shares[grade] - FALLS) ** 2 for grade, count in of_grade.items())
    by_dice = {dice: shares[grades[dice, 1, True]] for dice in falls}
    return by_dice, Fraction(squares, FALLS * HALVES**2)
