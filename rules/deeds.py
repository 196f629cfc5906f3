"""The events that are what people did at the table; the others follow from them."""

from dataclasses import dataclass
from typing import Any, ClassVar

from rules import wire
from rules.dice import Dice
from rules.results import Deckel, RankedResult


@dataclass(frozen=True)
class Event:
    """Base of all events; `type` names the kind in JSON."""

    type: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        """Return the event as a JSON-able object with the key `type`."""
        return wire.to_json(self)


@dataclass(frozen=True)
class Thrown(Event):
    """A valid throw: `dice` from the cup, `outside` lay out before it.

    `throw_id` numbers all throws of the match (burnt ones too), `throw_no` the
    valid ones of this turn. `category`, `name` and `deckel` value all three dice
    as they lie now; `shown` says whether the book has this throw uncovered.
    """

    type: ClassVar[str] = "thrown"
    player: str
    throw_id: int
    part: str
    round: int
    throw_no: int
    dice: Dice
    outside: Dice
    from_hand: bool
    category: str | None
    name: str
    deckel: Deckel
    shown: bool


@dataclass(frozen=True)
class Burnt(Event):
    """A throw that does not count (`burns` says why) and is thrown again.

    `repeat_id` is the number of the throw that replaces a covered one; None for any other.
    """

    type: ClassVar[str] = "burnt"
    player: str
    throw_id: int
    part: str
    round: int
    dice: Dice
    burns: str
    section: str
    repeat_id: int | None = None


@dataclass(frozen=True)
class Covered(Event):
    """A valid throw under the cup: its dice come with a later `thrown` of the same number."""

    type: ClassVar[str] = "covered"
    player: str
    throw_id: int
    part: str
    round: int
    throw_no: int
    outside: Dice


@dataclass(frozen=True)
class LeftCovered(Event):
    """A player lets a throw stand that nobody knows yet; it is shown in the showdown."""

    type: ClassVar[str] = "left_covered"
    player: str
    part: str
    round: int
    throws: int
    outside: Dice


@dataclass(frozen=True)
class Kept(Event):
    """Dice were put out; `outside` is what lies outside now."""

    type: ClassVar[str] = "kept"
    player: str
    dice: Dice
    outside: Dice


@dataclass(frozen=True)
class Returned(Event):
    """Dice went from outside back into the cup; `outside` is what still lies out."""

    type: ClassVar[str] = "returned"
    player: str
    dice: Dice
    outside: Dice


@dataclass(frozen=True)
class Turned(Event):
    """Sixes were turned to ones and put out; `outside` is what lies outside now."""

    type: ClassVar[str] = "turned"
    player: str
    count: int
    outside: Dice
    section: str


@dataclass(frozen=True)
class TookVoluntarily(Event):
    """A player takes the Deckel at stake instead of uncovering the throw under his cup.

    `throw_id` is the number of that throw; it leads the next round as throw 1.
    """

    type: ClassVar[str] = "took_voluntarily"
    player: str
    throw_id: int
    part: str
    round: int
    section: str


@dataclass(frozen=True)
class HandedOver(Event):
    """The loser of half 1 lets `starter` lead half 2; `order` is the new throwing order."""

    type: ClassVar[str] = "turn_handed_over"
    player: str
    starter: str
    part: str
    order: tuple[str, ...]
    section: str


@dataclass(frozen=True)
class Stopped(Event):
    """A player lets his result stand."""

    type: ClassVar[str] = "stopped"
    player: str
    part: str
    round: int
    result: RankedResult
