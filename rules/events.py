"""What has happened: the frozen facts that a log consists of.

Every event carries what a reader of the log needs (names, values, category,
rule section), so that a log can be read without knowing the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from rules import wire
from rules.deeds import (
    Burnt,
    Covered,
    Event,
    Kept,
    LeftCovered,
    Returned,
    Stopped,
    Thrown,
    Turned,
)
from rules.dice import Dice
from rules.results import Deckel, RankedResult

__all__ = [
    "DEEDS",
    "EVENT_TYPES",
    "Burnt",
    "Covered",
    "DeckelMoved",
    "Event",
    "FinalStarted",
    "GameOver",
    "HalfOver",
    "HalfStarted",
    "Kept",
    "LeftCovered",
    "LimitSet",
    "MatchStarted",
    "OpeningSettled",
    "OpeningTied",
    "PlayerOut",
    "Returned",
    "RoundSettled",
    "RoundStarted",
    "ShowdownStarted",
    "Stopped",
    "TakenBack",
    "ThrowCorrected",
    "Thrown",
    "TurnStarted",
    "Turned",
    "event_from_json",
]

DEEDS = (Thrown, Burnt, Covered, LeftCovered, Kept, Returned, Turned, Stopped)
"""What people did; a match's record consists of these."""


@dataclass(frozen=True)
class MatchStarted(Event):
    """A match begins. `players` sit in this order, clockwise."""

    type: ClassVar[str] = "match_started"
    book: str
    book_version: str
    players: tuple[str, ...]


@dataclass(frozen=True)
class ShowdownStarted(Event):
    """All have finished; these players lift their cups, one after the other."""

    type: ClassVar[str] = "showdown_started"
    players: tuple[str, ...]
    section: str


@dataclass(frozen=True)
class LimitSet(Event):
    """The first player of the round has set the number of throws for the others."""

    type: ClassVar[str] = "limit_set"
    player: str
    limit: int
    section: str


@dataclass(frozen=True)
class TurnStarted(Event):
    """It is this player's turn; `limit` is None for the first player of a round."""

    type: ClassVar[str] = "turn_started"
    player: str
    limit: int | None


@dataclass(frozen=True)
class OpeningTied(Event):
    """The opening throws of these players are equal; only they throw again."""

    type: ClassVar[str] = "opening_tied"
    players: tuple[str, ...]
    section: str


@dataclass(frozen=True)
class OpeningSettled(Event):
    """The opening is decided: `starter` leads round 1; `loser` takes `deckel`, if any."""

    type: ClassVar[str] = "opening_settled"
    ranking: tuple[RankedResult, ...]
    winner: str
    loser: str | None
    starter: str
    deckel: Deckel
    section: str


@dataclass(frozen=True)
class HalfStarted(Event):
    """A half begins with this stock and these holdings."""

    type: ClassVar[str] = "half_started"
    part: str
    players: tuple[str, ...]
    starter: str
    stock: int
    holdings: Mapping[str, int]
    section: str


@dataclass(frozen=True)
class FinalStarted(Event):
    """The losers of the two halves play for the game."""

    type: ClassVar[str] = "final_started"
    players: tuple[str, ...]
    starter: str
    stock: int
    holdings: Mapping[str, int]
    section: str


@dataclass(frozen=True)
class RoundStarted(Event):
    """A round begins; `order` is the throwing order."""

    type: ClassVar[str] = "round_started"
    part: str
    round: int
    order: tuple[str, ...]


@dataclass(frozen=True)
class RoundSettled(Event):
    """All have thrown: the ranking, best first, and who pays whom how much."""

    type: ClassVar[str] = "round_settled"
    part: str
    round: int
    ranking: tuple[RankedResult, ...]
    winner: str
    loser: str
    deckel: Deckel
    section: str


@dataclass(frozen=True)
class DeckelMoved(Event):
    """Deckel went from `giver` (None: the stock) to `taker`; the rest is the new state."""

    type: ClassVar[str] = "deckel_moved"
    giver: str | None
    taker: str
    count: int
    stock: int
    holdings: Mapping[str, int]
    section: str


@dataclass(frozen=True)
class PlayerOut(Event):
    """A player has no Deckel while the stock is empty: out for the rest of the part."""

    type: ClassVar[str] = "player_out"
    player: str
    part: str
    section: str


@dataclass(frozen=True)
class HalfOver(Event):
    """Somebody has all Deckel: he has lost the half."""

    type: ClassVar[str] = "half_over"
    part: str
    loser: str
    section: str


@dataclass(frozen=True)
class GameOver(Event):
    """The match has a loser, by the final or by losing both halves (`sweep` names that)."""

    type: ClassVar[str] = "game_over"
    loser: str
    how: Literal["final", "sweep"]
    sweep: str | None
    half1_loser: str
    half2_loser: str
    section: str


@dataclass(frozen=True)
class ThrowCorrected(Event):
    """A person corrected an earlier throw; everything after it counts anew.

    The events between that throw and this one stay in the log as what was
    believed then; `stock`, `holdings` and `next_player` are what holds now.
    `dropped` counts later actions that no longer fitted and were let go of.
    """

    type: ClassVar[str] = "throw_corrected"
    player: str
    throw_id: int
    dice_before: Dice
    dice: Dice
    by: str
    reason: str
    dropped: int
    part: str
    round: int
    stock: int
    holdings: Mapping[str, int]
    next_player: str | None


@dataclass(frozen=True)
class TakenBack(Event):
    """A person took back the latest action (`undone` names its event type)."""

    type: ClassVar[str] = "taken_back"
    undone: str
    player: str
    by: str
    reason: str
    part: str
    round: int
    stock: int
    holdings: Mapping[str, int]
    next_player: str | None


EVENT_TYPES: Mapping[str, type[Event]] = {cls.type: cls for cls in Event.__subclasses__()}


def event_from_json(data: Any) -> Event:
    """Read an event from its JSON object.

    Raises:
        MalformedRecord: `data` is not exactly an event; the message says why.
    """
    event: Event = wire.from_json(EVENT_TYPES, data, what="event")
    return event
