"""What has happened in a tournament: the frozen facts that its log consists of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rules import wire
from rules.tournament_results import TableResult
from rules.tournament_state import Kind

SCHEMA = 1
"""Version of the form in which events are written as JSON."""


@dataclass(frozen=True, kw_only=True)
class TournamentEvent:
    """Base of all events; `type` names the kind in JSON."""

    type: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        """Return the event as a JSON-able object with the key `type`."""
        return wire.to_json(self)


@dataclass(frozen=True, kw_only=True)
class TournamentStarted(TournamentEvent):
    """Registration opens. `format_text` is an organiser's own format, empty for ours."""

    type: ClassVar[str] = "tournament_started"
    name: str
    format: str
    format_version: str
    seed: str
    format_text: str = ""
    schema: int = SCHEMA


@dataclass(frozen=True, kw_only=True)
class Registered(TournamentEvent):
    """A player has registered; `first_round` is the first that he can be drawn for."""

    type: ClassVar[str] = "registered"
    player: str
    team: str
    first_round: int


@dataclass(frozen=True, kw_only=True)
class FeePaid(TournamentEvent):
    """A player has paid; `open_eur` is what is left of his entry fee."""

    type: ClassVar[str] = "fee_paid"
    player: str
    eur: int
    open_eur: int


@dataclass(frozen=True, kw_only=True)
class CharityPaid(TournamentEvent):
    """A player has given for his Schock aus; `total_eur` is what he has given so far."""

    type: ClassVar[str] = "charity_paid"
    player: str
    eur: int
    total_eur: int


@dataclass(frozen=True, kw_only=True)
class PlayerLeft(TournamentEvent):
    """A player has gone home; `table` is the one he has left while it plays, 0 for none."""

    type: ClassVar[str] = "player_left"
    player: str
    reason: str
    round: int
    table: int


@dataclass(frozen=True, kw_only=True)
class PlayerBack(TournamentEvent):
    """A player who had left is there again."""

    type: ClassVar[str] = "player_back"
    player: str


@dataclass(frozen=True, kw_only=True)
class RoundDrawn(TournamentEvent):
    """A round was drawn.

    Attributes:
        number: of the round; that of an unplayed one if it was drawn anew.
        kind: point round, knockout round or final.
        tables: who sits where.
        sitting_out: who has no seat (Springer).
        attempt: 1, or more when it was drawn anew; part of the seed.
        method: how the lots were turned into tables; `by hand` for a draw from a pot.
        repeats: pairs at a table who have met before.
        team_pairs: pairs of team mates at a table.
        exact: it is proved that no other draw is better.
        by: who has drawn.
        reason: why it was drawn anew.
    """

    type: ClassVar[str] = "round_drawn"
    number: int
    kind: Kind
    tables: tuple[tuple[str, ...], ...]
    sitting_out: tuple[str, ...]
    attempt: int
    method: str
    repeats: int
    team_pairs: int
    exact: bool
    by: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class PlayerSeated(TournamentEvent):
    """A player was seated after the draw; `from_table` is where he sat before, 0 for nowhere."""

    type: ClassVar[str] = "player_seated"
    player: str
    round: int
    table: int
    from_table: int
    by: str


@dataclass(frozen=True, kw_only=True)
class TableHandedIn(TournamentEvent):
    """A table has handed in its result; `gone` had left it before its end."""

    type: ClassVar[str] = "table_handed_in"
    round: int
    table: int
    result: TableResult
    gone: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PlaceMoved:
    """A player's place before and after a correction."""

    player: str
    before: int
    after: int


@dataclass(frozen=True, kw_only=True)
class DrawnOtherwise:
    """What a correction would have changed in a round that was drawn already, and did not.

    Attributes:
        round: its number.
        came_in: who would have been drawn for it and was not.
        fell_out: who was drawn for it and would not have been.
        tables: what would have been drawn; empty where a Stechen would have come first.
        stechen: who would have had to play it.
    """

    round: int
    came_in: tuple[str, ...]
    fell_out: tuple[str, ...]
    tables: tuple[tuple[str, ...], ...] = ()
    stechen: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ResultCorrected(TournamentEvent):
    """The referee has corrected a result. Tables that were drawn stay as they are.

    Attributes:
        round: of the table.
        table: whose result it is.
        result: what counts from now on.
        before: what counted so far.
        by: who has corrected it.
        reason: why.
        moved: whose place has changed.
        otherwise: the first drawn round that would have been another one, or nothing.
    """

    type: ClassVar[str] = "result_corrected"
    round: int
    table: int
    result: TableResult
    before: TableResult
    by: str
    reason: str
    moved: tuple[PlaceMoved, ...]
    otherwise: tuple[DrawnOtherwise, ...]


@dataclass(frozen=True, kw_only=True)
class ScharfCalled(TournamentEvent):
    """These tables play the rest as sudden death."""

    type: ClassVar[str] = "scharf_called"
    round: int
    tables: tuple[int, ...]
    by: str


@dataclass(frozen=True, kw_only=True)
class StechenRecorded(TournamentEvent):
    """A Stechen was played; see `Playoff`. With a reason it replaces one of these players."""

    type: ClassVar[str] = "stechen_recorded"
    round: int
    table: int
    order: tuple[tuple[str, ...], ...]
    by: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class FinalPlace:
    """A place of the final ranking, and why it is this one."""

    place: int
    player: str
    reason_de: str
    reason_en: str


@dataclass(frozen=True, kw_only=True)
class TournamentFinished(TournamentEvent):
    """The tournament is over; `reason` says why before its time, if it is."""

    type: ClassVar[str] = "tournament_finished"
    by: str
    reason: str
    ranking: tuple[FinalPlace, ...]


EVENT_TYPES: Mapping[str, type[TournamentEvent]] = {
    cls.type: cls for cls in TournamentEvent.__subclasses__()
}


def tournament_event_from_json(data: Any) -> TournamentEvent:
    """Read an event from its JSON object.

    Raises:
        MalformedRecord: `data` is not exactly an event; the message says why.
    """
    event: TournamentEvent = wire.from_json(EVENT_TYPES, data, what="event")
    return event
