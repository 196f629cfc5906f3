"""Which result is higher: a table per book, then the tie-breaks.

Three dice have 56 multisets, and each may lie there from one throw or assembled.
A book's 112 figures are sorted once into a ladder of rungs; a comparison is a
lookup, and only figures on the same rung go on to the tie-breaks. The last
tie-break is the throwing order, so no two results are ever equal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rules.book import RuleBook
from rules.dice import ALL_MULTISETS, DICE_PER_PLAYER, Dice, as_dice
from rules.errors import MalformedRecord
from rules.results import Deckel

Category = Literal["schock_aus", "jule", "schock", "general", "strasse", "hausnummer"]

JULE: Dice = (4, 2, 1)
KOENIGSWURF_THROW = 3
"""The throw in which a Königswurf is thrown, as the text has it."""
STRASSEN: frozenset[Dice] = frozenset({(6, 5, 4), (5, 4, 3), (4, 3, 2), (3, 2, 1)})
ONE_THROW: Mapping[str, tuple[str, str]] = {
    "general": ("general_one_throw", "assembled_general"),
    "strasse": ("straight_one_throw", "assembled"),
    "jule": ("jule_one_throw", "hausnummer"),
}
"""Figures that may count in one throw only: the field that says so, and what they are if not."""


@dataclass(frozen=True)
class Figure:
    """What three dice are in a book.

    Attributes:
        category: canonical category.
        number: orders the figures of a category: the Hausnummer, the third die
            of a Schock, the die of a General, the highest die of a Straße.
        deckel: what the figure is worth.
        name: the book's display name.
        rung: place on the book's ladder, 0 the lowest; equal figures share one.
    """

    category: Category
    number: int
    deckel: Deckel
    name: str
    rung: int


@dataclass(frozen=True)
class Result:
    """A finished turn: what is ranked.

    Raises:
        MalformedRecord: the parts do not fit together.
    """

    player: str
    dice: Dice
    throws: int
    from_hand: bool

    def __post_init__(self) -> None:
        dice = as_dice(self.dice, least=DICE_PER_PLAYER, most=DICE_PER_PLAYER)
        object.__setattr__(self, "dice", dice)
        if isinstance(self.throws, bool) or self.throws not in (1, 2, 3):
            raise MalformedRecord(f"throws must be 1, 2 or 3, but got {self.throws!r}")
        if self.throws == 1 and not self.from_hand:
            raise MalformedRecord("a result of one throw is always from the hand")


@dataclass(frozen=True)
class Ranking:
    """The results of a round, best first.

    Attributes:
        order: all results, best first.
        deckel: the value of the highest figure.
        topics: what the order rests on, for `RuleBook.cite`.
    """

    order: tuple[Result, ...]
    deckel: Deckel
    topics: tuple[str, ...]

    @property
    def winner(self) -> str:
        """The player of the highest result."""
        return self.order[0].player

    @property
    def loser(self) -> str:
        """The player of the lowest result."""
        return self.order[-1].player


def figure_of(book: RuleBook, dice: Dice, *, from_hand: bool) -> Figure:
    """Look up what three dice (highest first) are in a book."""
    return _table(book)[dice, from_hand]


def value_of(book: RuleBook, result: Result) -> Figure:
    """Look up what a result is in a book."""
    return figure_of(book, result.dice, from_hand=result.from_hand)


def rank(book: RuleBook, results: Sequence[Result]) -> Ranking:
    """Order results by a book.

    Args:
        book: the rule book.
        results: in throwing order, at least one, each player once.

    Raises:
        MalformedRecord: no results, or a player twice.
    """
    players = [result.player for result in results]
    if not players or len(set(players)) != len(players):
        raise MalformedRecord(f"results must name each player once, but got {players}")
    keys = {r.player: sort_key(book, r, index) for index, r in enumerate(results)}
    order = tuple(sorted(results, key=lambda r: keys[r.player], reverse=True))
    best = value_of(book, order[0])
    return Ranking(order=order, deckel=best.deckel, topics=_topics(book, order))


def over_limit(results: Sequence[Result]) -> tuple[str, ...]:
    """Who has more throws than the first player has set (row T2): a fault, whatever they show."""
    return tuple(result.player for result in results if result.throws > results[0].throws)


def sort_key(book: RuleBook, result: Result, index: int) -> tuple[int, ...]:
    """Return a key that is higher for the better result.

    Args:
        book: the rule book.
        result: the result.
        index: its place in the throwing order, 0 for the first.
    """
    figure = value_of(book, result)
    return (figure.rung, *(_TIE_BREAKS[name](book, result, index) for name in book.tie_break))


def _koenigswurf(book: RuleBook, result: Result, index: int) -> int:
    """Rate a Schock aus from the hand above an assembled one, as a rule only in the third throw.

    Source: blog2019 L164-166, L356-382 (row K2, contradiction B4).
    """
    counts = book.koenigswurf_any_count or result.throws == KOENIGSWURF_THROW
    return int(counts and result.from_hand and value_of(book, result).category == "schock_aus")


_TIE_BREAKS: Mapping[str, Callable[[RuleBook, Result, int], int]] = {
    "throws": lambda book, result, index: -result.throws,
    "hand": lambda book, result, index: int(result.from_hand),
    "koenigswurf": _koenigswurf,
    "order": lambda book, result, index: -index,
}


def _topics(book: RuleBook, order: Sequence[Result]) -> tuple[str, ...]:
    """What an order rests on: the best figure, the ladder, and what decided between neighbours."""
    figures = [value_of(book, result) for result in order]
    topics = [figures[0].category, "ladder"]
    for result in order:
        topics += assembled_topics(book, result.dice, from_hand=result.from_hand)
    if len({figure.rung for figure in figures}) < len(figures):
        topics.append("tie_break")
    categories = {figure.category for figure in figures}
    if {"schock", "general"} <= categories and ("schock", 2) in {
        (figure.category, figure.number) for figure in figures
    }:
        topics.append("schock2_above_general")
    return tuple(dict.fromkeys(topics))


def assembled_topics(book: RuleBook, dice: Dice, *, from_hand: bool) -> tuple[str, ...]:
    """Why assembled dice still are, or are no more, what they would be at once (rows V1 to V4)."""
    at_once = figure_of(book, dice, from_hand=True).category
    if from_hand or at_once not in ONE_THROW:
        return ()
    rule, counts_as = ONE_THROW[at_once]
    is_less = figure_of(book, dice, from_hand=False).category != at_once
    return (rule, counts_as) if is_less else (rule,)


def figures_of(book: RuleBook) -> tuple[Figure, ...]:
    """Every figure that can be thrown by a book once, the best first.

    Where only ones may be put out, an assembled figure has one (statuten §10a).
    """
    once = {
        figure.rung: figure
        for (dice, from_hand), figure in _table(book).items()
        if from_hand or book.keep == "any" or 1 in dice
    }
    return tuple(once[rung] for rung in sorted(once, reverse=True))


@lru_cache(maxsize=32)
def _table(book: RuleBook) -> Mapping[tuple[Dice, bool], Figure]:
    """Build the table of a book: every multiset, from the hand and assembled."""
    kinds = {
        (dice, from_hand): _classify(book, dice, from_hand=from_hand)
        for dice in ALL_MULTISETS
        for from_hand in (True, False)
    }
    levels = {key: (_level(book, *kind, from_hand=key[1]), kind[1]) for key, kind in kinds.items()}
    rungs = {level: rung for rung, level in enumerate(sorted(set(levels.values())))}
    return {
        key: Figure(
            category=category,
            number=number,
            deckel=_worth(category, number),
            name=_name(book, category, number),
            rung=rungs[levels[key]],
        )
        for key, (category, number) in kinds.items()
    }


def _classify(book: RuleBook, dice: Dice, *, from_hand: bool) -> tuple[Category, int]:
    """Return category and number of a multiset in a book (rows V1 to V6)."""
    high, middle, low = dice
    if dice == (1, 1, 1):
        return "schock_aus", 1
    if middle == low == 1:
        return "schock", high
    if book.jule_421 and dice == JULE and (from_hand or not book.jule_one_throw):
        return "jule", 1
    if high == low and (from_hand or not book.general_one_throw):
        return "general", high
    if dice in STRASSEN and (from_hand or not book.straight_one_throw):
        return "strasse", high
    return "hausnummer", 100 * high + 10 * middle + low


def _level(book: RuleBook, category: Category, number: int, *, from_hand: bool) -> int:
    """Return the height of a category; Schock 2 lies apart from the other Schocks (V7, V9).

    Where the book says so, a Schock aus from the hand is a rung of its own (J2).
    """
    if category == "schock_aus":
        return 8 if book.aus_rohr_top and from_hand else 7
    if category == "schock" and number == 2:
        return 4 if book.schock2_above_general else 2
    heights = {"hausnummer": 0, "strasse": 1, "general": 3, "schock": 5, "jule": 6}
    return heights[category]


def _worth(category: Category, number: int) -> Deckel:
    if category == "schock_aus":
        return "all"
    if category == "schock":
        return number
    return {"jule": 7, "general": 3, "strasse": 2}.get(category, 1)


def _name(book: RuleBook, category: Category, number: int) -> str:
    word: str = getattr(book.names, category)
    if category in ("schock_aus", "jule"):
        return word
    if category == "strasse":
        return f"{word} {number - 2}-{number - 1}-{number}"
    return f"{word} {number}"
