"""Questions to the table: what the camera saw and could not settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.seen import Seen

VERDICTS = ("burning", "no_throw")
"""What every question can be answered with instead of dice: the throw burns, or there was none."""
TOO_MANY = "too_many_throws"
"""It was one throw too many of the player before; only where the camera cannot tell."""
NEXT = "next_player"
"""It is the next player's throw: the turn before was over; only where the camera cannot tell."""
COVERED = "covered"
"""The throw stays under the cup; only where the rules let it."""


@dataclass(frozen=True)
class Question:
    """An open question to the table, in the form in which the log and the dashboard have it.

    Attributes:
        asked: `question_id`, `seq` of the event, `player`, `dice`, `outside`, `doubt` (a code of
            `vision.events.DOUBTS`, or ""), `reason`, `reason_en`, `candidates`, `verdicts`, `t_s`,
            and `still` where a picture was kept.
        throw_id: number of the throw under which the game went on without an answer, or None.
    """

    asked: Mapping[str, Any]
    throw_id: int | None = None

    @classmethod
    def about(
        cls, seen: Seen, player: str, reason: tuple[str, str], verdicts: Sequence[str] = VERDICTS
    ) -> Question:
        """Ask about something seen; `reason` is a German and an English sentence."""
        event = seen.event
        asked: dict[str, Any] = {
            "question_id": f"{event.t_s:.2f}-{seen.seq}{'-next' if seen.of_next else ''}",
            "seq": seen.seq,
            "player": player,
            "dice": list(event.dice),
            "outside": list(event.outside),
            "doubt": event.reason,
            "reason": reason[0],
            "reason_en": reason[1],
            "candidates": [list(dice) for dice in event.candidates or (event.dice,) if dice],
            "verdicts": list(verdicts),
            "t_s": event.t_s,
        }
        if "still" in seen.evidence:
            asked["still"] = seen.evidence["still"]
        return cls(asked)

    @property
    def question_id(self) -> str:
        """Unique in a log."""
        return str(self.asked["question_id"])

    @property
    def player(self) -> str:
        """About whose throw."""
        return str(self.asked["player"])

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice as far as they were read."""
        return tuple(self.asked["dice"])

    @property
    def outside(self) -> tuple[int, ...]:
        """What lay beside."""
        return tuple(self.asked["outside"])
