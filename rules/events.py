"""What has happened: the frozen facts that a log consists of.

Every event carries what a reader of the log needs (names, values, category,
rule section), so that a log can be read without knowing the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rules import wire
from rules.book import Weekday
from rules.correction_events import TakenBack, ThrowCorrected
from rules.deeds import (
    Burnt,
    Covered,
    Event,
    HandedOver,
    Kept,
    LeftCovered,
    Returned,
    Stopped,
    Thrown,
    TookVoluntarily,
    Turned,
)
from rules.fault_events import (
    DoofmannPaid,
    FaultReported,
    PartForfeited,
    Reentered,
    RoundVoid,
    TurnForfeited,
    TurnReplaced,
)
from rules.fees import HowLost
from rules.results import Deckel, RankedResult
from rules.ruling_events import Abandoned, DeckelRuled, Paused, Resumed, RoundRuled

__all__ = [
    "DEEDS",
    "EVENT_TYPES",
    "Abandoned",
    "Burnt",
    "CarriedOver",
    "Covered",
    "DeckelMoved",
    "DeckelRuled",
    "DoofmannPaid",
    "Event",
    "FaultReported",
    "FinalStarted",
    "GameOver",
    "HalfOver",
    "HalfStarted",
    "HandedOver",
    "Kept",
    "LeftCovered",
    "LimitSet",
    "MatchStarted",
    "OpeningSettled",
    "OpeningTied",
    "PartForfeited",
    "Paused",
    "PlayerOut",
    "Reentered",
    "Resumed",
    "Returned",
    "RoundRuled",
    "RoundSettled",
    "RoundStarted",
    "RoundVoid",
    "ShowdownStarted",
    "Stopped",
    "TakenBack",
    "ThrowCorrected",
    "Thrown",
    "TookVoluntarily",
    "TurnForfeited",
    "TurnReplaced",
    "TurnStarted",
    "Turned",
    "event_from_json",
]

DEEDS = (
    Thrown, Burnt, Covered, LeftCovered, Kept, Returned, Turned, Stopped,
    TookVoluntarily, HandedOver, FaultReported, Reentered, DeckelRuled, Abandoned,
)  # fmt: skip
"""What people did; a match's record consists of these."""


SCHEMA = 1
"""Version of the form in which events are written as JSON."""


@dataclass(frozen=True)
class MatchStarted(Event):
    """A match begins. `players` sit in this order, clockwise.

    `weekday` is the English name of the day in small letters, where it matters to the
    book (Champions League), else None. `book_text` is a pub's own book, so that its log can
    be replayed anywhere; empty for the books that everybody has. `schema` is the version of the
    form in which the log is written.
    """

    type: ClassVar[str] = "match_started"
    book: str
    book_version: str
    players: tuple[str, ...]
    weekday: Weekday | None = None
    book_text: str = ""
    schema: int = SCHEMA


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
class CarriedOver(Event):
    """The covered throw of the last round is this player's first one of this round; he leads."""

    type: ClassVar[str] = "carried_over"
    player: str
    throw_id: int
    part: str
    round: int
    section: str


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
    """All have thrown: the ranking, best first, and who pays whom how much.

    In a hardcore round `deckel` is more than the winner's result is worth. Where the referee has
    `ruled`, winner, loser and `deckel` are his word, and the ranking is still what was thrown.
    """

    type: ClassVar[str] = "round_settled"
    part: str
    round: int
    ranking: tuple[RankedResult, ...]
    winner: str
    loser: str
    deckel: Deckel
    section: str
    ruled: bool = False


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
    """The match has a loser: by the final, both halves (`sweep` names that) or Champions League.

    `half1_loser` and `half2_loser` are None where that half was not played to its end;
    `fee_eur` is what the loser pays, 0 where the book knows no money.
    """

    type: ClassVar[str] = "game_over"
    loser: str
    how: HowLost
    sweep: str | None
    half1_loser: str | None
    half2_loser: str | None
    section: str
    fee_eur: int = 0


EVENT_TYPES: Mapping[str, type[Event]] = {cls.type: cls for cls in Event.__subclasses__()}


def event_from_json(data: Any) -> Event:
    """Read an event from its JSON object.

    Raises:
        MalformedRecord: `data` is not exactly an event; the message says why.
    """
    event: Event = wire.from_json(EVENT_TYPES, data, what="event")
    return event
