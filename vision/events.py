"""Facts about the table: the events that `vision.throws` reports, and why a throw is in doubt."""

from dataclasses import dataclass
from typing import Any

from vision.table import DieReading

EVENT_TYPES = (
    "cup_down",
    "cup_up",
    "throw_seen",
    "dice_kept",
    "turned",
    "tower",
    "burning",
    "off_mat",
    "unsure",
    "cleared",
)

DOUBTS = {
    "values": (
        "Die Augen sind nicht sicher zu lesen.",
        "The values cannot be read with certainty.",
    ),
    "kind": (
        "Ein Würfel liegt vielleicht schief oder auf einem anderen.",
        "A die may be tilted or lie on another.",
    ),
    "fewer": (
        "Es sind weniger Würfel zu sehen als im Spiel: Vielleicht liegt einer auf einem anderen, "
        "unter etwas oder neben dem Tisch.",
        "There are fewer dice to be seen than in play: one may lie on another, under something or "
        "off the table.",
    ),
    "more": (
        "Es sind mehr Würfel zu sehen als im Spiel, oder etwas, das wie einer aussieht.",
        "There are more dice to be seen than in play, or something that looks like one.",
    ),
    "left_in_zone": (
        "Ein Würfel lag schon vor dem Wurf im Wurffeld.",
        "A die lay in the throwing zone before the throw.",
    ),
    "strip_changed": (
        "Die Würfel auf dem Streifen sind nicht die, die vor dem Wurf dort lagen.",
        "The dice in the strip are not those that lay there before the throw.",
    ),
    "no_cup": (
        "Drei Würfel liegen da, aber über ihnen war kein Becher zu sehen.",
        "Three dice lie there, but no cup was seen over them.",
    ),
    "changed": (
        "Die Würfel zeigen anderes als vorher, ohne dass ein Becher zu sehen war.",
        "The dice show something else than before, and no cup was seen.",
    ),
    "gone": (
        "Würfel waren zu sehen und sind fort, bevor sie gelesen werden konnten.",
        "Dice were seen and are gone before they could be read.",
    ),
    "outage": (
        "Die Kamera hat den Tisch eine Weile nicht gesehen: Vielleicht wurde da geworfen. Fehlt "
        "mehr als ein Wurf, bitte von Hand eintragen.",
        "The camera has not seen the table for a while: somebody may have thrown then. If more "
        "than one throw is missing, please enter them by hand.",
    ),
    "restless": ("Die Würfel kommen nicht zur Ruhe.", "The dice do not come to rest."),
}
"""Why a throw is unsure: code -> what to tell the table, German and English."""


@dataclass(frozen=True)
class TableEvent:
    """One fact about the table.

    Attributes:
        t_s: when it was established, in the time of the frames, seconds.
        type: one of `EVENT_TYPES`.
        seat: who sits there; None where one mat serves all.
        dice: the values that the fact is about, highest first: just thrown, newly kept, turned.
        outside: all values in the put-aside strip at that time, highest first.
        sure: the readings agree. What is not sure needs a person's word before it is acted on.
        started_at_s: where the evidence begins.
        ended_at_s: where the evidence ends.
        readings: for an unsure throw, what the witnesses say about each die of `dice`, and then of
            what may be a tower or lean.
        reason: for an unsure throw, a code of `DOUBTS`.
        candidates: for an unsure throw, likely dice, the likeliest first.
        taken: of a throw: the dice before it were taken by hand, not for long enough before the cup
            came to say that the mat was cleared; nobody saw whether another player throws now.

    Raises:
        ValueError: a type or reason that does not exist.
    """

    t_s: float
    type: str
    seat: str | None
    dice: tuple[int, ...]
    outside: tuple[int, ...]
    sure: bool
    started_at_s: float
    ended_at_s: float
    readings: tuple[DieReading, ...] = ()
    reason: str = ""
    candidates: tuple[tuple[int, ...], ...] = ()
    taken: bool = False

    def __post_init__(self) -> None:
        if self.type not in EVENT_TYPES:
            raise ValueError(f"An event's type must be one of {EVENT_TYPES}, but got {self.type}.")
        if self.reason and self.reason not in DOUBTS:
            raise ValueError(f"A doubt must be one of {tuple(DOUBTS)}, but got {self.reason!r}.")

    def to_json(self) -> dict[str, Any]:
        """The event as a line of `watch`; an unsure one also tells why and what it could be."""
        line: dict[str, Any] = {
            "t_s": round(self.t_s, 3),
            "type": self.type,
            "seat": self.seat,
            "dice": list(self.dice),
            "outside": list(self.outside),
            "sure": self.sure,
        }
        if self.reason:
            line["reason"] = self.reason
        if self.taken:
            line["taken"] = True
        if self.candidates:
            line["candidates"] = [list(dice) for dice in self.candidates]
        if self.readings:
            line["readings"] = [reading.to_json() for reading in self.readings]
        return line
