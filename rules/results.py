"""A finished result in words and numbers, as events and dashboards carry it."""

from dataclasses import dataclass
from typing import Literal

from rules.dice import Dice

Deckel = int | Literal["all"]
"""How many Deckel a figure is worth; "all" for a Schock aus."""


@dataclass(frozen=True)
class RankedResult:
    """A finished result with its value, for log and dashboard.

    Attributes:
        player: whose result it is.
        dice: the three dice, highest first (one die in a single-die opening).
        throws: valid throws used, 1 to 3.
        from_hand: all dice were in the last throw.
        category: canonical category, for example `schock`; None for one die.
        name: the book's display name, for example `Schock 6`.
        spoken: how a German player says it, "sechs zweiundfünfzig im Zweiten".
        spoken_en: the same in English.
        deckel: what the figure is worth.
        place: 1 for the best of those ranked together, 0 if not ranked.
    """

    player: str
    dice: Dice
    throws: int
    from_hand: bool
    category: str | None
    name: str
    spoken: str
    spoken_en: str
    deckel: Deckel
    place: int = 0
