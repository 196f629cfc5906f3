"""The events by which a person corrects what the table has recorded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rules.deeds import Event
from rules.dice import Dice


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
    """A person took back the latest action (`undone` names its event type).

    `dropped` counts earlier actions that did not fit without it and were let go of.
    """

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
    dropped: int = 0
