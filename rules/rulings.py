"""Rulings of the referee that stand against the book: marks that a match carries with it."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.results import Deckel


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """How a round counts, whatever the book says.

    Attributes:
        part: which part of the game.
        round: its number in that part.
        loser: who takes the Deckel; None: the round does not count.
        winner: who pays once the stock is empty; None with `loser`.
        deckel: how many, or "all"; None with `loser`.
    """

    part: str
    round: int
    loser: str | None = None
    winner: str | None = None
    deckel: Deckel | None = None


def ruling_on(rulings: Iterable[Ruling], part: str, number: int) -> Ruling | None:
    """Return the ruling on a round, or None."""
    return next((r for r in rulings if (r.part, r.round) == (part, number)), None)


def without_ruling(rulings: Iterable[Ruling], part: str, number: int) -> tuple[Ruling, ...]:
    """Return all rulings but the one on that round."""
    return tuple(r for r in rulings if (r.part, r.round) != (part, number))
