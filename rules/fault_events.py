"""Faults at the table and what they bring about: reported by people, worked out by the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from rules.deeds import Event

WhyVoid = Literal["last_doofmanndeckel", "all_deckel", "ruling"]
"""Why a round does not count: rows D2, E5 and F10."""


@dataclass(frozen=True)
class FaultReported(Event):
    """Somebody reports a fault of `player`; `consequence` is the book's word for what follows."""

    type: ClassVar[str] = "fault_reported"
    player: str
    fault: str
    consequence: str
    part: str
    round: int
    by: str
    section: str


@dataclass(frozen=True)
class Reentered(Event):
    """A player who is out of the part comes back; he plays from the next round on."""

    type: ClassVar[str] = "reentered"
    player: str
    part: str
    section: str


@dataclass(frozen=True)
class DoofmannPaid(Event):
    """A player gets Doofmanndeckel, from the stock if `givers` is empty, else one from each."""

    type: ClassVar[str] = "doofmann_paid"
    player: str
    givers: tuple[str, ...]
    count: int
    stock: int
    holdings: Mapping[str, int]
    section: str


@dataclass(frozen=True)
class TurnForfeited(Event):
    """The turn under way is over, because its player has lost the round by a fault."""

    type: ClassVar[str] = "turn_forfeited"
    player: str
    section: str


@dataclass(frozen=True)
class TurnReplaced(Event):
    """All throws of this player's turn are void; a single open throw takes their place."""

    type: ClassVar[str] = "turn_replaced"
    player: str
    section: str


@dataclass(frozen=True)
class PartForfeited(Event):
    """A player has lost the part by a fault: he gets all Deckel."""

    type: ClassVar[str] = "part_forfeited"
    player: str
    part: str
    stock: int
    holdings: Mapping[str, int]
    section: str


@dataclass(frozen=True)
class RoundVoid(Event):
    """The round does not count; nothing moves because of it, and nobody has lost it."""

    type: ClassVar[str] = "round_void"
    part: str
    round: int
    reason: WhyVoid
    section: str
