"""The events of a referee: rulings against the book (row F10) and pauses."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from rules.deeds import Event
from rules.results import Deckel

Verdict = Literal["loser", "void", "book"]
"""Who lost the round; that it does not count; or that it counts as the book says after all."""


@dataclass(frozen=True)
class RoundRuled(Event):
    """The referee ruled how a round counts; everything after it counts anew.

    `loser`, `winner` and `deckel` are the ruling, None unless the verdict is `loser`; `book_…` is
    what the book says, whatever was ruled before; None while the round is under way or where it
    does not count by the book. `stock`, `holdings` and `next_player` are what holds now.
    """

    type: ClassVar[str] = "round_ruled"
    ruled_part: str
    ruled_round: int
    verdict: Verdict
    loser: str | None
    winner: str | None
    deckel: Deckel | None
    book_loser: str | None
    book_winner: str | None
    book_deckel: Deckel | None
    by: str
    reason: str
    dropped: int
    part: str
    round: int
    stock: int
    holdings: Mapping[str, int]
    next_player: str | None
    section: str


@dataclass(frozen=True)
class Paused(Event):
    """The game is interrupted."""

    type: ClassVar[str] = "paused"
    by: str
    reason: str


@dataclass(frozen=True)
class Resumed(Event):
    """The game goes on where it was interrupted."""

    type: ClassVar[str] = "resumed"
    by: str


@dataclass(frozen=True)
class Abandoned(Event):
    """The game has ended without a loser."""

    type: ClassVar[str] = "abandoned"
    by: str
    reason: str
    part: str
    round: int
    section: str


@dataclass(frozen=True)
class DeckelRuled(Event):
    """The referee ruled that Deckel move; None is the stock, the rest is the new state."""

    type: ClassVar[str] = "deckel_ruled"
    giver: str | None
    taker: str | None
    count: int
    by: str
    reason: str
    part: str
    round: int
    stock: int
    holdings: Mapping[str, int]
    section: str
