"""What somebody does at the table: the inputs of the game.

An action is a wish; `Match.decide` turns it into events or refuses it. Names of
players, dice values and counts are checked here only for being such values at
all (`MalformedRecord`), never for being legal now.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rules import wire
from rules.action import Action
from rules.dice import Dice, as_dice
from rules.errors import MalformedRecord
from rules.fault_outcomes import FAULT_OUTCOMES
from rules.fees import FEE_FAULTS
from rules.referee_actions import (
    Abandon,
    BeginGame,
    CorrectThrow,
    Pause,
    Resume,
    RuleDeckel,
    RuleRound,
    TakeBack,
)

__all__ = [
    "ACTION_TYPES",
    "Abandon",
    "Action",
    "BeginGame",
    "CorrectThrow",
    "CoverThrow",
    "HandOver",
    "KeepDice",
    "Pause",
    "ReEnter",
    "ReportFault",
    "Resume",
    "ReturnDice",
    "RuleDeckel",
    "RuleRound",
    "StopTurn",
    "TakeBack",
    "TakeDeckel",
    "ThrowDice",
    "TurnSixes",
    "action_from_json",
]


@dataclass(frozen=True)
class ThrowDice(Action):
    """A player throws every die that does not lie outside.

    Attributes:
        player: who threw.
        dice: what lies there after the throw, without the dice put out before;
            may be empty when the throw burns. After `CoverThrow` these are the dice
            found under the cup.
        burns: why the throw does not count and is thrown again (`"tower"`,
            `"burning"`, `"off_mat"` …), or None for a valid throw.
    """

    type: ClassVar[str] = "throw"
    player: str
    dice: Dice
    burns: str | None = None

    def __post_init__(self) -> None:
        least = 0 if self.burns is not None else 1
        object.__setattr__(self, "dice", as_dice(self.dice, least=least))


@dataclass(frozen=True)
class CoverThrow(Action):
    """A player throws and leaves the cup over the dice: a valid throw that nobody knows yet.

    He may then stop (the dice are shown in the showdown at the end of the round), or
    lift the cup; what lies under it is entered with `ThrowDice` in both cases.
    """

    type: ClassVar[str] = "cover"
    player: str


@dataclass(frozen=True)
class KeepDice(Action):
    """A player puts dice of his last throw outside."""

    type: ClassVar[str] = "keep"
    player: str
    dice: Dice

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", as_dice(self.dice))


@dataclass(frozen=True)
class ReturnDice(Action):
    """A player takes dice from outside back into the cup, where the book allows it."""

    type: ClassVar[str] = "return"
    player: str
    dice: Dice

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", as_dice(self.dice))


@dataclass(frozen=True)
class TurnSixes(Action):
    """A player turns `count` sixes of his last throw to ones and puts them out."""

    type: ClassVar[str] = "turn"
    player: str
    count: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise MalformedRecord(f"count of sixes to turn must be 1 or 2, but got {self.count!r}")


@dataclass(frozen=True)
class StopTurn(Action):
    """A player lets his result stand."""

    type: ClassVar[str] = "stop"
    player: str


@dataclass(frozen=True)
class TakeDeckel(Action):
    """A player takes the Deckel at stake without uncovering his throw, where the book allows it.

    The round is over; his covered throw is the first one of the next round, which he leads.
    """

    type: ClassVar[str] = "take_deckel"
    player: str


@dataclass(frozen=True)
class HandOver(Action):
    """The loser of half 1 lets another player lead half 2, where the book leaves it to him."""

    type: ClassVar[str] = "hand_over"
    player: str
    starter: str


@dataclass(frozen=True)
class ReportFault(Action):
    """Somebody reports a fault of a player; the book says what follows.

    Attributes:
        player: whose fault it is.
        fault: `lift_early`, `too_many_throws`, `vorwerfen`, `pack_early` or `drop_die`; at the
            throws for the start `three_dice_start`.
        by: who reports it, for the log.
    """

    type: ClassVar[str] = "report_fault"
    player: str
    fault: str
    by: str

    def __post_init__(self) -> None:
        if self.fault not in (*FAULT_OUTCOMES, *FEE_FAULTS):
            known = ", ".join((*FAULT_OUTCOMES, *FEE_FAULTS))
            raise MalformedRecord(f"a fault must be one of {known}, but got {self.fault!r}")


@dataclass(frozen=True)
class ReEnter(Action):
    """A player who is out of the part asks to play again, where the book allows it."""

    type: ClassVar[str] = "reenter"
    player: str


ACTION_TYPES: Mapping[str, type[Action]] = {
    cls.type: cls
    for cls in (
        ThrowDice,
        CoverThrow,
        KeepDice,
        ReturnDice,
        TurnSixes,
        StopTurn,
        TakeDeckel,
        HandOver,
        ReportFault,
        ReEnter,
        CorrectThrow,
        TakeBack,
        RuleRound,
        RuleDeckel,
        Pause,
        Resume,
        Abandon,
        BeginGame,
    )
}


def action_from_json(data: Any) -> Action:
    """Read an action from its JSON object.

    Raises:
        MalformedRecord: `data` is not exactly an action; the message says why.
    """
    action: Action = wire.from_json(ACTION_TYPES, data, what="action")
    return action
