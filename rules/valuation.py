"""Describe results for log and dashboard: category, display name, how it is said."""

from collections.abc import Sequence

from rules.book import RuleBook
from rules.ranking import Result, value_of
from rules.results import RankedResult
from rules.spoken import spoken_de, spoken_en


def describe(book: RuleBook, result: Result, *, place: int = 0) -> RankedResult:
    """Describe one result; `place` is 1 for the best of those ranked together."""
    figure = value_of(book, result)
    return RankedResult(
        player=result.player,
        dice=result.dice,
        throws=result.throws,
        from_hand=result.from_hand,
        category=figure.category,
        name=figure.name,
        spoken=spoken_de(book, figure, throws=result.throws, from_hand=result.from_hand),
        spoken_en=spoken_en(book, figure, throws=result.throws, from_hand=result.from_hand),
        deckel=figure.deckel,
        place=place,
    )


def describe_all(book: RuleBook, order: Sequence[Result]) -> tuple[RankedResult, ...]:
    """Describe results that are ordered best first."""
    return tuple(describe(book, result, place=at) for at, result in enumerate(order, start=1))


def describe_single_dice(order: Sequence[tuple[str, int]]) -> tuple[RankedResult, ...]:
    """Describe the rolls of one die each, highest first: they are worth nothing."""
    return tuple(
        RankedResult(
            player=player,
            dice=(die,),
            throws=1,
            from_hand=True,
            category=None,
            name=str(die),
            spoken=str(die),
            spoken_en=str(die),
            deckel=0,
            place=at,
        )
        for at, (player, die) in enumerate(order, start=1)
    )
