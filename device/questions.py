"""Questions to the table: what the camera saw and could not settle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vision.events import TableEvent


@dataclass(frozen=True)
class Seen:
    """A table event with what was kept as its evidence."""

    event: TableEvent
    evidence: Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """An open question to the table.

    Attributes:
        question_id: unique in a log.
        player: about whose throw.
        seen: what the camera saw.
        asked: the question as the log and the dashboard have it.
    """

    question_id: str
    player: str
    seen: Seen
    asked: dict[str, Any]

    @classmethod
    def about(cls, seen: Seen, player: str, number: int, reason: str, reason_en: str) -> Question:
        """Ask about something seen; `number` counts the questions, the reasons are sentences."""
        event = seen.event
        asked: dict[str, Any] = {
            "question_id": f"{event.t_s:.2f}-{number}",
            "player": player,
            "dice": list(event.dice),
            "outside": list(event.outside),
            "reason": reason,
            "reason_en": reason_en,
            "candidates": [list(dice) for dice in event.candidates or (event.dice,) if dice],
            "t_s": event.t_s,
        }
        if "still" in seen.evidence:
            asked["still"] = seen.evidence["still"]
        return cls(asked["question_id"], player, seen, asked)
