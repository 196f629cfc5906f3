"""The other players of a round: results that lie on the table, and players still to come.

Results are counted by grade (see `rules.odds_turns`). Somebody who threw earlier is
higher than you at the same grade, somebody who throws later is lower.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Literal

from rules.book import RuleBook
from rules.dice import Dice
from rules.odds_turns import FALLS, Grade, result_counts, turn_graph

Aim = Literal["not_lowest", "highest"]
"""What a player throws for. Of two choices that serve it alike he takes the one that
serves the other aim better."""


@dataclass(frozen=True)
class HiddenThrow:
    """A finished turn whose last throw is under the cup.

    Every fall of the hidden dice is equally likely, whatever the player did before, so
    the result is unknown and its chances are not.

    Attributes:
        outside: what lay outside at the last throw, for all to see.
        throws: valid throws used.
    """

    outside: Dice
    throws: int


@dataclass(frozen=True)
class Table:
    """What can be seen of the results of a round.

    Of the open ones only the lowest and the highest matter to anybody who comes later.
    """

    lowest: Grade | None = None
    highest: Grade | None = None
    hidden: tuple[HiddenThrow, ...] = ()

    def with_open(self, grade: Grade) -> "Table":
        """Return the table with one more open result."""
        lowest = grade if self.lowest is None else min(self.lowest, grade)
        highest = grade if self.highest is None else max(self.highest, grade)
        return Table(lowest, highest, self.hidden)

    def with_hidden(self, throw: HiddenThrow) -> "Table":
        """Return the table with one more covered throw; their order does not matter."""
        hidden = sorted((*self.hidden, throw), key=lambda item: (item.throws, item.outside))
        return Table(self.lowest, self.highest, tuple(hidden))

    def and_also(self, other: "Table") -> "Table":
        """Return both tables as one."""
        low = [grade for grade in (self.lowest, other.lowest) if grade is not None]
        high = [grade for grade in (self.highest, other.highest) if grade is not None]
        both = Table(min(low, default=None), max(high, default=None), self.hidden)
        for throw in other.hidden:
            both = both.with_hidden(throw)
        return both


@dataclass(frozen=True)
class Chances:
    """How often others lie above and below a result of each grade.

    Attributes:
        above: by grade, how often all of them are higher.
        below: by grade, how often all of them are lower.
        total: out of how many.
    """

    above: Sequence[int]
    below: Sequence[int]
    total: int


@lru_cache(maxsize=256)
def against(book: RuleBook, table: Table) -> Chances:
    """Count how the results on the table lie to somebody who comes after them."""
    size = turn_graph(book).size
    hidden = [_hidden_counts(book, throw) for throw in table.hidden]
    at_least = [_from_above(counts) for counts in hidden]
    lowest = size if table.lowest is None else table.lowest
    highest = -1 if table.highest is None else table.highest
    return Chances(
        above=[prod(c[g] for c in at_least) if g <= lowest else 0 for g in range(size)],
        below=[prod(FALLS - c[g] for c in at_least) if g > highest else 0 for g in range(size)],
        total=FALLS ** len(hidden),
    )


def seated_later(chances: Chances) -> Chances:
    """Turn chances round for somebody who threw before him but sits after him: ties are his."""
    return Chances(
        above=[*chances.above[1:], 0],
        below=[*chances.below[1:], chances.total],
        total=chances.total,
    )


def together(one: Chances, other: Chances) -> Chances:
    """Count how two groups lie at once."""
    return Chances(
        above=[a * b for a, b in zip(one.above, other.above, strict=True)],
        below=[a * b for a, b in zip(one.below, other.below, strict=True)],
        total=one.total * other.total,
    )


@lru_cache(maxsize=1024)
def follower(book: RuleBook, table: Table, limit: int, aim: Aim = "not_lowest") -> Chances:
    """Count how one player still to come ends, seen from those before him.

    He throws as if he were the last of the round: so that he is as seldom as possible
    the lowest of what lies there, and beyond that as often as possible the highest.

    Args:
        book: the rule book.
        table: what lies there when his turn begins.
        limit: throws that he has.
        aim: what he throws for; `highest` where nobody can be lowest any more.
    """
    worth = stakes(against(book, table), limit, aim)
    counts = result_counts(turn_graph(book), worth, last=limit)
    at_least = _from_above(counts)
    total = FALLS**limit
    higher = [*at_least[1:], 0]
    return Chances(above=higher, below=[total - above for above in higher], total=total)


def stakes(
    chances: Chances, throws: int, aim: Aim = "not_lowest"
) -> Callable[[int, int], Sequence[int]]:
    """Make the worth of a last player's results: not to be lowest, then to be highest."""
    base = score_base(chances.total, throws)
    worth = [
        score(aim, low, high, base) for low, high in zip(chances.above, chances.below, strict=True)
    ]
    return lambda number, outside: worth


def score_base(total: int, throws: int) -> int:
    """Return a number that no count grows to within so many throws."""
    most: int = total * FALLS**throws
    return most + 1


def score(aim: Aim, lowest: int, highest: int, base: int) -> int:
    """Pack two counts into one number: the greater, the better for the aim.

    What serves the aim counts `base` times, so that the other decides ties and nothing
    else; sums and multiples of scores are the scores of the sums and multiples.
    """
    return highest - lowest * base if aim == "not_lowest" else highest * base - lowest


def unpack(aim: Aim, value: int, base: int) -> tuple[int, int]:
    """Return the counts (lowest, highest) that a score was packed from."""
    if aim == "not_lowest":
        lowest, highest = divmod(value, base)
        return -lowest, highest
    highest, lowest = divmod(-value, base)
    return lowest, -highest


@lru_cache(maxsize=256)
def _hidden_counts(book: RuleBook, throw: HiddenThrow) -> Sequence[int]:
    graph = turn_graph(book)
    at = graph.outsides.index(throw.outside)
    counts = [0] * graph.size
    for weight, grade in zip(graph.weights[at], graph.grades[throw.throws][at], strict=True):
        counts[grade] += weight
    return counts


def _from_above(counts: Sequence[int]) -> list[int]:
    """Sum counts from the highest grade down: how often it is this grade or more."""
    sums = [0] * len(counts)
    so_far = 0
    for grade in range(len(counts) - 1, -1, -1):
        so_far += counts[grade]
        sums[grade] = so_far
    return sums
