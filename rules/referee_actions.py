"""What only a referee does: correct what was recorded, take back, rule against the book."""

from dataclasses import dataclass
from typing import ClassVar, get_args

from rules.action import Action
from rules.dice import Dice, as_dice
from rules.errors import MalformedRecord
from rules.results import Deckel
from rules.ruling_events import Verdict
from rules.rulings import Ruling


@dataclass(frozen=True)
class CorrectThrow(Action):
    """A person corrects the values of an earlier throw; all that follows is recomputed.

    Attributes:
        player: whose throw it was, as a safeguard against a wrong number.
        throw_id: the number of the throw in this match (`Thrown.throw_id`).
        dice: the true values, as many as were thrown.
        by: who decided, for the log.
        reason: why, for the log.
        drop_later: let go of later actions that no longer fit (for example a
            turned six that never was one), instead of refusing the correction.
    """

    type: ClassVar[str] = "correct_throw"
    player: str
    throw_id: int
    dice: Dice
    by: str
    reason: str = ""
    drop_later: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", as_dice(self.dice))
        if isinstance(self.throw_id, bool) or not isinstance(self.throw_id, int):
            raise MalformedRecord(f"throw_id must be a whole number, but got {self.throw_id!r}")


@dataclass(frozen=True)
class TakeBack(Action):
    """A person takes back the latest action of the table, for example a false stop."""

    type: ClassVar[str] = "take_back"
    by: str
    reason: str = ""


@dataclass(frozen=True)
class Pause(Action):
    """The game is interrupted: nobody plays until it is resumed. Corrections stay possible."""

    type: ClassVar[str] = "pause"
    by: str
    reason: str = ""


@dataclass(frozen=True)
class Resume(Action):
    """The game goes on where it was interrupted."""

    type: ClassVar[str] = "resume"
    by: str


@dataclass(frozen=True)
class Abandon(Action):
    """The game ends here and nobody has lost it: somebody has to go, or the pub closes."""

    type: ClassVar[str] = "abandon"
    by: str
    reason: str

    def __post_init__(self) -> None:
        _check_reason(self.reason)


@dataclass(frozen=True)
class BeginGame(Action):
    """The next game by the same book begins; players may have come, gone or changed seats.

    Attributes:
        players: names in seating order, clockwise.
        by: who says so, for the log.
    """

    type: ClassVar[str] = "begin_game"
    players: tuple[str, ...]
    by: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(self.players))


@dataclass(frozen=True)
class RuleRound(Action):
    """The referee rules how a round counts, against the book; all that follows is recomputed.

    Attributes:
        part: `half1`, `half2` or `final`.
        round: number of the round in that part; the one under way, or an earlier one.
        verdict: `loser` (he takes the Deckel), `void` (it does not count) or `book` (an earlier
            ruling is withdrawn).
        by: who rules, for the log.
        reason: why, for the log.
        loser: who takes the Deckel; he leads the next round. With the verdict `loser` only,
        winner: who pays once the stock is empty, likewise.
        deckel: how many, or "all", likewise.
        drop_later: let go of later actions that no longer fit, instead of refusing the ruling.
    """

    type: ClassVar[str] = "rule_round"
    part: str
    round: int
    verdict: Verdict
    by: str
    reason: str
    loser: str | None = None
    winner: str | None = None
    deckel: Deckel | None = None
    drop_later: bool = False

    def __post_init__(self) -> None:
        if self.part not in ("half1", "half2", "final"):
            raise MalformedRecord(f"part must be half1, half2 or final, but got {self.part!r}")
        if self.verdict not in get_args(Verdict):
            known = ", ".join(get_args(Verdict))
            raise MalformedRecord(f"verdict must be one of {known}, but got {self.verdict!r}")
        if not (self.deckel in (None, "all") or type(self.deckel) is int):
            raise MalformedRecord(f"deckel must be a number or 'all', but got {self.deckel!r}")
        _check_reason(self.reason)
        told = [item is not None for item in (self.loser, self.winner, self.deckel)]
        if not (all(told) if self.verdict == "loser" else not any(told)):
            raise MalformedRecord(
                "loser, winner and deckel go with the verdict 'loser' and with no other, but got "
                f"{self.verdict!r} with {self.loser!r}, {self.winner!r}, {self.deckel!r}"
            )
        if self.loser is not None and self.loser == self.winner:
            raise MalformedRecord(f"{self.loser!r} cannot both win and lose the round")
        if isinstance(self.deckel, int) and self.deckel < 1:
            raise MalformedRecord(f"deckel must be 1 or more, or 'all', but got {self.deckel}")

    @property
    def ruling(self) -> Ruling | None:
        """What is to hold from now on; None: the book's word."""
        if self.verdict == "book":
            return None
        return Ruling(
            part=self.part,
            round=self.round,
            loser=self.loser,
            winner=self.winner,
            deckel=self.deckel,
        )


@dataclass(frozen=True)
class RuleDeckel(Action):
    """The referee rules that Deckel move, for example as a penalty that no book knows.

    Attributes:
        giver: who gives them; None: the stock.
        taker: who takes them; None: the stock.
        count: how many, 1 or more.
        by: who rules, for the log.
        reason: why, for the log.
    """

    type: ClassVar[str] = "rule_deckel"
    giver: str | None
    taker: str | None
    count: int
    by: str
    reason: str

    def __post_init__(self) -> None:
        _check_reason(self.reason)
        if self.giver == self.taker:
            raise MalformedRecord(f"Deckel cannot move from {self.giver!r} to {self.taker!r}")
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise MalformedRecord(f"count must be a number from 1, but got {self.count!r}")


def _check_reason(reason: str) -> None:
    if not isinstance(reason, str) or not reason.strip():
        raise MalformedRecord("a referee's word against the book needs a reason, but got none")
