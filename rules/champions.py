"""Champions League: on its weekday several Schock aus in one round decide the whole game.

The lowest of that round loses the complete game, whichever part is being played, and
pays for each Schock aus (statuten §19, rows C3 and C4). When everybody has thrown one,
the lowest is he whose Schock aus is the lowest, and he pays for his own, too.
"""

from collections.abc import Sequence

from rules.book import RuleBook
from rules.ranking import Result, value_of

LEAST_SCHOCK_AUS = 2
""""mehrere", statuten §19."""


def schock_aus_count(book: RuleBook, results: Sequence[Result]) -> int:
    """Count the Schock aus of a round."""
    return sum(1 for result in results if value_of(book, result).category == "schock_aus")


def decides_game(book: RuleBook, *, schock_aus: int, weekday: str | None) -> bool:
    """Tell whether a round with so many Schock aus ends the game.

    Args:
        book: the rule book.
        schock_aus: how many the round has had.
        weekday: the English name of the day, in small letters, or None if it does not matter.
    """
    on_its_day = weekday is not None and weekday == book.champions_league
    return on_its_day and schock_aus >= LEAST_SCHOCK_AUS
