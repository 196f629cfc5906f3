"""A book's turns as a graph of counts, and the best way through it.

All numbers are whole. A throw of three dice has 6^3 = 216 equally likely falls; a throw
of fewer dice is counted as 216, too (each fall `6^(dice left out)` times), so after n
throws everything is a count out of 216^n, whichever dice were thrown.

What lies outside and the number of the throw are all that the rest of a turn depends
on. `TurnGraph` holds, for everything that can lie outside, each fall of the other dice
with its weight, the grade of the result in the book's order, and what may lie outside
next. The last comes from `rules.odds_choices`, so from the legality of the book.

A **grade** is the place of a result in the order of the book without the throwing
order: of two players with the same grade the one who threw earlier is higher.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from rules.book import RuleBook
from rules.dice import ALL_MULTISETS, DICE_PER_PLAYER, Dice, together
from rules.legality import Turn
from rules.odds_choices import choices
from rules.ranking import Result, sort_key

FALLS = 6**DICE_PER_PLAYER
"""Equally likely falls of one throw."""

Grade = int

Pays = Callable[[int, int], Sequence[int]]
"""What a result is worth: number of the throw and index of what lay outside -> by grade."""


@dataclass(frozen=True)
class TurnGraph:
    """What can happen in a turn of one book; sequences go along with each other.

    Attributes:
        outsides: all that can lie outside at a throw; nothing is the first.
        falls: per outside, the different falls of the other dice.
        weights: per outside and fall, how many of the 216 falls it stands for.
        grades: per number of the throw, outside and fall, the grade of stopping there.
        nexts: per outside and fall, indices of what may lie outside at the next throw.
        size: number of grades, 0 to `size - 1`.
    """

    outsides: tuple[Dice, ...]
    falls: tuple[tuple[Dice, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    grades: Mapping[int, tuple[tuple[Grade, ...], ...]]
    nexts: tuple[tuple[tuple[int, ...], ...], ...]
    size: int


@lru_cache(maxsize=32)
def grades_of(book: RuleBook) -> Mapping[tuple[Dice, int, bool], Grade]:
    """Grade every result of a book: (dice, throws, from hand) -> place, 0 the lowest."""
    keys = {
        (dice, throws, from_hand): sort_key(book, Result("", dice, throws, from_hand), 0)
        for dice in ALL_MULTISETS
        for throws in range(1, book.max_throws + 1)
        for from_hand in ((True,) if throws == 1 else (True, False))
    }
    places = {key: place for place, key in enumerate(sorted(set(keys.values())))}
    return {result: places[key] for result, key in keys.items()}


@lru_cache(maxsize=32)
def turn_graph(book: RuleBook) -> TurnGraph:
    """Build the graph of a book's turns, from an empty table outwards."""
    outsides: list[Dice] = [()]
    falls, weights, nexts = [], [], []
    for outside in outsides:  # grows while it is gone through
        fallen = _falls(DICE_PER_PLAYER - len(outside))
        after = [_next_outsides(book, outside, dice) for dice in fallen]
        outsides += dict.fromkeys(o for found in after for o in found if o not in outsides)
        falls.append(tuple(fallen))
        weights.append(tuple(_weight(dice) for dice in fallen))
        nexts.append(tuple(tuple(outsides.index(o) for o in found) for found in after))
    return TurnGraph(
        outsides=tuple(outsides),
        falls=tuple(falls),
        weights=tuple(weights),
        grades={t: _grades(book, t, outsides, falls) for t in range(1, book.max_throws + 1)},
        nexts=tuple(nexts),
        size=1 + max(grades_of(book).values()),
    )


def best_values(graph: TurnGraph, pays: Pays, *, first: int, last: int) -> list[list[int]]:
    """Value every throw for a player who then always chooses what is worth most.

    Args:
        graph: of the book.
        pays: what results are worth.
        first: number of the first throw to value, from 1.
        last: number of the last permitted throw.

    Returns:
        Per throw from `first` to `last` and per outside the value, out of
        216^(last - number + 1); empty if `first` is after `last`.
    """
    levels: list[list[int]] = []
    for number in range(last, first - 1, -1):
        later = levels[-1] if levels else None
        scale = FALLS ** (last - number)
        reached = range(1 if number == 1 else len(graph.outsides))
        levels.append([_value(graph, pays(number, o), number, o, later, scale) for o in reached])
    return levels[::-1]


def result_counts(graph: TurnGraph, pays: Pays, *, last: int) -> list[int]:
    """Count the results of a whole turn that is played for the most worth.

    Where two choices are worth the same, the player stops rather than throws, and keeps
    more dice rather than fewer, the higher ones first: so the counts are definite.

    Returns:
        Per grade the count, out of 216^last.
    """
    levels = best_values(graph, pays, first=1, last=last)
    counts = [0] * graph.size
    reached = {0: 1}
    for number in range(1, last + 1):
        scale = FALLS ** (last - number)
        later = levels[number] if number < last else None
        following: dict[int, int] = {}
        for outside, mass in reached.items():
            worth = pays(number, outside)
            lines = _lines(graph, number, outside)
            for weight, grade, nexts in lines:
                best = None if later is None else max(nexts, key=later.__getitem__)
                if best is None or later is None or worth[grade] * scale >= later[best]:
                    counts[grade] += mass * weight * scale
                else:
                    following[best] = following.get(best, 0) + mass * weight
        reached = following
    return counts


def _value(
    graph: TurnGraph,
    worth: Sequence[int],
    number: int,
    outside: int,
    later: Sequence[int] | None,
    scale: int,
) -> int:
    lines = _lines(graph, number, outside)
    if later is None:
        return sum(weight * worth[grade] for weight, grade, _ in lines)
    value = later.__getitem__
    return sum(
        weight * max(worth[grade] * scale, *map(value, nexts)) for weight, grade, nexts in lines
    )


def _lines(
    graph: TurnGraph, number: int, outside: int
) -> "zip[tuple[int, Grade, tuple[int, ...]]]":
    return zip(
        graph.weights[outside], graph.grades[number][outside], graph.nexts[outside], strict=True
    )


def _falls(count: int) -> list[Dice]:
    return [dice[::-1] for dice in combinations_with_replacement(range(1, 7), count)]


def _weight(dice: Dice) -> int:
    """Count the falls of distinguishable dice that show these values, out of 216."""
    ways = factorial(len(dice)) // prod(factorial(dice.count(die)) for die in set(dice))
    return int(ways * 6 ** (DICE_PER_PLAYER - len(dice)))


def _next_outsides(book: RuleBook, outside: Dice, fallen: Dice) -> list[Dice]:
    """List what may lie outside at the next throw, most and highest dice first.

    One throw of two is made: whether dice may be moved depends on whether a throw is
    left, but not on how many (a test goes through all of them).
    """
    turn = Turn(
        book=book, player="", limit=2, throws=1, outside=outside, lying=fallen, thrown=fallen
    )
    found = [choice.outside for choice in choices(turn) if choice.kind == "throw"]
    return sorted(found, key=lambda dice: (len(dice), dice), reverse=True)


def _grades(
    book: RuleBook, number: int, outsides: Sequence[Dice], falls: Sequence[Sequence[Dice]]
) -> tuple[tuple[Grade, ...], ...]:
    """Grade every fall in a throw; in the first nothing can lie outside yet."""
    table = grades_of(book)
    reached = outsides[:1] if number == 1 else outsides
    return tuple(
        tuple(table[together(outside, fallen), number, not outside] for fallen in falls[at])
        for at, outside in enumerate(reached)
    )
