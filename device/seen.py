"""What the camera saw, as the log has it, and what was known of the mat before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from vision.events import TableEvent

BURNS = frozenset({"tower", "burning", "off_mat"})
THROWS = frozenset({"throw_seen", "unsure"})

_EVENT_KEYS = frozenset(
    {
        "t_s", "type", "seat", "dice", "outside", "sure", "reason", "candidates", "readings",
        "evidence_s", "taken",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Mat:
    """What is remembered of a mat from event to event, whatever the game made of them.

    Attributes:
        cup_down: a cup is down and has not been lifted.
        cup_of: who has left his throw under that cup, though his turn is over; None: nobody.
        lifted: a cup was lifted, and nothing was seen under it yet.
        throw_seq: number of the latest throw that has not been cleared away; None: the mat is bare.
        burnt_at_s: when the latest burnt throw began.
    """

    cup_down: bool = False
    cup_of: str | None = None
    lifted: bool = False
    throw_seq: int | None = None
    burnt_at_s: float | None = None

    def after(self, seq: int, event: TableEvent) -> Mat:
        """The mat after an event; `seq` is its number in the log."""
        if event.type == "cup_down":
            return replace(self, cup_down=True, cup_of=None, lifted=False)
        if event.type == "cup_up":
            return replace(self, cup_down=False, lifted=True)
        if event.type == "cleared":
            return Mat(burnt_at_s=self.burnt_at_s)
        if event.type not in THROWS | BURNS:
            return self
        burnt_at_s = self.burnt_at_s
        if event.type in BURNS and event.sure:
            burnt_at_s = event.started_at_s
        return Mat(throw_seq=seq, burnt_at_s=burnt_at_s)


@dataclass(frozen=True)
class Seen:
    """A table event of the log.

    Attributes:
        seq: its number in the log.
        event: the fact, without the readings of single dice.
        evidence: what was kept of it; `still`: a picture's file name.
        mats: all mats before it, by seat: a fact that has waited is judged by them.
        of_next: a person has said that it is the next player's, the turn before being over.
    """

    seq: int
    event: TableEvent
    evidence: Mapping[str, Any]
    mats: Mapping[str | None, Mat] = field(default_factory=dict)
    of_next: bool = False

    @property
    def before(self) -> Mat:
        """The mat on which it happened, before it."""
        return self.mats.get(self.event.seat, Mat())

    def cup_is_down(self, seat: str) -> bool:
        """Whether a cup was down at a seat of its own."""
        mat = self.mats.get(seat)
        return mat is not None and mat.cup_down

    @classmethod
    def of_entry(cls, seq: int, data: Mapping[str, Any], mats: Mapping[str | None, Mat]) -> Seen:
        """Read an entry `table.…` of the log.

        Args:
            seq: its number.
            data: as `told` writes it.
            mats: the mats before it, by seat.
        """
        begun_s, ended_s = data.get("evidence_s") or (data["t_s"], data["t_s"])
        event = TableEvent(
            float(data["t_s"]), str(data["type"]), data.get("seat"), _dice(data.get("dice")),
            _dice(data.get("outside")), bool(data["sure"]), float(begun_s), float(ended_s),
            reason=str(data.get("reason", "")),
            candidates=tuple(_dice(dice) for dice in data.get("candidates") or ()),
            taken=bool(data.get("taken")),
        )  # fmt: skip
        evidence = {key: value for key, value in data.items() if key not in _EVENT_KEYS}
        return cls(seq, event, evidence, mats)


def told(event: TableEvent, evidence: Mapping[str, Any]) -> dict[str, Any]:
    """An event as the data of its entry in the log."""
    span_s = [round(event.started_at_s, 3), round(event.ended_at_s, 3)]
    return {**event.to_json(), "evidence_s": span_s, **evidence}


def _dice(value: Any) -> tuple[int, ...]:
    return tuple(int(die) for die in value or ())
