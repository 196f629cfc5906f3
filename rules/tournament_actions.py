"""What people ask of a tournament: the desk, the scribes, the referee."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rules import wire
from rules.errors import MalformedRecord
from rules.tournament_results import TableResult, check_result


@dataclass(frozen=True, kw_only=True)
class TournamentAction:
    """Base of all actions; `type` names the kind in JSON."""

    type: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        """Return the action as a JSON-able object with the key `type`."""
        return wire.to_json(self)


@dataclass(frozen=True, kw_only=True)
class Register(TournamentAction):
    """A player registers, with a team where the format has teams.

    After the first draw he is late and plays from the next round on, as long as the format allows.
    """

    type: ClassVar[str] = "register"
    player: str
    team: str = ""


@dataclass(frozen=True, kw_only=True)
class PayFee(TournamentAction):
    """A player pays the entry fee, or a part of it; below 0 it is paid back."""

    type: ClassVar[str] = "pay_fee"
    player: str
    eur: int


@dataclass(frozen=True, kw_only=True)
class PayCharity(TournamentAction):
    """A player gives for his Schock aus in one throw; below 0 an entry is taken back."""

    type: ClassVar[str] = "pay_charity"
    player: str
    eur: int


@dataclass(frozen=True, kw_only=True)
class Leave(TournamentAction):
    """A player goes home, perhaps from a table that is playing."""

    type: ClassVar[str] = "leave"
    player: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class ComeBack(TournamentAction):
    """A player who has left is there again, before a knockout round was drawn without him."""

    type: ClassVar[str] = "come_back"
    player: str


@dataclass(frozen=True, kw_only=True)
class DrawRound(TournamentAction):
    """Draw the next round, or draw one anew of which nothing has been played.

    Attributes:
        by: who draws.
        reason: why a drawn round is drawn anew; empty for the next one.
        tables: drawn by hand, from a pot; empty: by the seed.
    """

    type: ClassVar[str] = "draw_round"
    by: str
    reason: str = ""
    tables: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Seat(TournamentAction):
    """Seat a late arrival, a Springer or somebody of another table at one that is playing."""

    type: ClassVar[str] = "seat"
    player: str
    table: int
    by: str


@dataclass(frozen=True, kw_only=True)
class HandIn(TournamentAction):
    """A table of the round hands in its result.

    Attributes:
        table: its number.
        result: what was played there.
        round: whose card it is; 0: of the round under way. A card that is sent once more when the
            next round was drawn must not count for that.
    """

    type: ClassVar[str] = "hand_in"
    table: int
    result: TableResult
    round: int = 0

    def __post_init__(self) -> None:
        check_result(self.result)


@dataclass(frozen=True, kw_only=True)
class CorrectResult(TournamentAction):
    """The referee corrects a result that was handed in, also when later rounds were drawn."""

    type: ClassVar[str] = "correct_result"
    round: int
    table: int
    result: TableResult
    by: str
    reason: str

    def __post_init__(self) -> None:
        check_result(self.result)


@dataclass(frozen=True, kw_only=True)
class CallScharf(TournamentAction):
    """The time is up: the referee lets tables play the rest as sudden death."""

    type: ClassVar[str] = "call_scharf"
    tables: tuple[int, ...]
    by: str


@dataclass(frozen=True, kw_only=True)
class RecordStechen(TournamentAction):
    """The result of a Stechen.

    Attributes:
        order: the best first; players in one group are still equal.
        by: who hands it in.
        table: of a knockout table of the round; 0: for a place in the standings.
        reason: why one that was recorded is replaced, before the next round is drawn; else empty.
    """

    type: ClassVar[str] = "record_stechen"
    order: tuple[tuple[str, ...], ...]
    by: str
    table: int = 0
    reason: str = ""

    def __post_init__(self) -> None:
        names = [name for group in self.order for name in group]
        if len(names) < 2 or len(set(names)) < len(names) or not all(self.order):
            raise MalformedRecord(
                f"a Stechen needs two or more players, each once, but got {self.order!r}"
            )


@dataclass(frozen=True, kw_only=True)
class Finish(TournamentAction):
    """End the tournament; before its time with a reason only."""

    type: ClassVar[str] = "finish"
    by: str
    reason: str = ""


ACTION_TYPES: Mapping[str, type[TournamentAction]] = {
    cls.type: cls for cls in TournamentAction.__subclasses__()
}


def tournament_action_from_json(data: Any) -> TournamentAction:
    """Read an action from its JSON object.

    Raises:
        MalformedRecord: `data` is not exactly an action; the message says why.
    """
    action: TournamentAction = wire.from_json(ACTION_TYPES, data, what="action")
    return action
