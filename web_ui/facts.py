"""What the camera saw, with its pictures, and which throw came of it: a fold of the log.

The log tells what was seen and, later, what was entered; it does not say which belongs to which.
It follows from the order: facts are handled one after the other, so a throw comes from the oldest
fact with the same dice that nothing has come of yet; where a question was answered, from the fact
that was asked about. What was entered by hand comes from no fact, unless it takes the place of a
throw that was just taken back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from web_ui.ports import LogEntry
from web_ui.wording import dice_of

Data = Mapping[str, Any]

SEEN = frozenset(
    f"table.{kind}" for kind in ("throw_seen", "unsure", "tower", "burning", "off_mat")
)
"""Facts of which a throw may come."""

THROWN = frozenset({"thrown", "burnt", "covered"})
MOST_FACTS = 2_000
"""Facts kept; of an older one the pictures are not shown any more."""


@dataclass(frozen=True)
class Fact:
    """Something the camera saw.

    Attributes:
        seq: number of its entry.
        data: of its entry.
        still: name of its picture, or "".
        clip: name of its clip, or "".
        clip_awaited: the clip is still being made.
        clip_missing: why there is none, a code; "" where there is one or none was to be.
    """

    seq: int
    data: Data
    still: str = ""
    clip: str = ""
    clip_awaited: bool = False
    clip_missing: str = ""

    @property
    def dice(self) -> tuple[int, ...]:
        """What was read, highest first."""
        return tuple(sorted(dice_of(self.data.get("dice")), reverse=True))


class Facts:
    """Follows a log; not safe to use from several threads.

    Attributes:
        known: the latest facts, by number of their entry.
        of_throw: number of the fact that a throw of the game under way came from, by number of
            the throw.
    """

    def __init__(self) -> None:
        self.known: dict[int, Fact] = {}
        self.of_throw: dict[int, int] = {}
        self._fresh: list[int] = []
        self._asked: dict[str, int] = {}
        self._latest: int | None = None
        self._undone = 0

    def take(self, entry: LogEntry) -> None:
        """Take in one entry, oldest first."""
        kind, data = entry.type, entry.data
        if kind.startswith("table."):
            self._see(entry)
        elif kind.startswith("evidence."):
            self._keep(kind, data)
        elif kind.startswith("question."):
            self._ask(kind, data)
        elif kind in THROWN:
            self._throw(data)
        elif kind == "taken_back" and data.get("undone") in THROWN:
            self._undone = self.of_throw.get(self._latest or 0, 0)
        elif kind == "match_started":
            self.of_throw, self._fresh, self._asked = {}, [], {}
            self._latest, self._undone = None, 0

    def _see(self, entry: LogEntry) -> None:
        still = str(entry.data.get("still") or "")
        awaited = "clip_s" in entry.data
        self.known[entry.seq] = Fact(entry.seq, entry.data, still, clip_awaited=awaited)
        if entry.type in SEEN:
            self._fresh.append(entry.seq)
        if len(self.known) > MOST_FACTS:
            del self.known[next(iter(self.known))]

    def _keep(self, kind: str, data: Data) -> None:
        if kind == "evidence.dropped":
            self._drop(data.get("files"))
            return
        about = data.get("seq")
        fact = self.known.get(about) if isinstance(about, int) else None
        if fact is None:
            return
        if kind == "evidence.missing":
            fact = replace(fact, clip_awaited=False, clip_missing=str(data.get("code", "")))
        elif kind == "evidence.kept" and data.get("kind") == "clip":
            fact = replace(fact, clip=str(data.get("file", "")), clip_awaited=False)
        elif kind == "evidence.kept":
            awaited = "clip_s" in data
            fact = replace(fact, still=str(data.get("file", "")), clip_awaited=awaited)
        self.known[fact.seq] = fact

    def _drop(self, files: object) -> None:
        gone = {name for name in files if isinstance(name, str)} if isinstance(files, list) else ()
        for seq, fact in self.known.items():
            if fact.still in gone:
                self.known[seq] = replace(fact, still="")
            if fact.clip in gone:
                self.known[seq] = replace(self.known[seq], clip="", clip_missing="dropped")

    def _throw(self, data: Data) -> None:
        throw_id = data.get("throw_id")
        if not isinstance(throw_id, int):
            return
        self._latest = throw_id
        dice = tuple(sorted(dice_of(data.get("dice")), reverse=True))
        alike = (seq for seq in self._fresh if seq in self.known and self.known[seq].dice == dice)
        found = next(alike, None)
        undone, self._undone = self._undone, 0
        if found is None:  # by hand; what was just taken back is entered anew, with its pictures
            self.of_throw.setdefault(throw_id, undone)
            return
        self._fresh = [seq for seq in self._fresh if seq > found]
        self.of_throw[throw_id] = found

    def _ask(self, kind: str, data: Data) -> None:
        question_id, seq = str(data.get("question_id")), data.get("seq")
        if kind == "question.asked":
            if isinstance(seq, int):
                self._asked[question_id] = seq
                self._fresh = [fresh for fresh in self._fresh if fresh > seq]
            return
        about = self._asked.get(question_id)
        if about is None:
            return
        if kind == "question.unread" or data.get("later"):
            throw_id = data.get("throw_id")
        else:
            entered = data.get("verdict") in (None, "burning", "covered")
            throw_id = self._latest if entered and data.get("by") != "game" else None
        if isinstance(throw_id, int):
            self.of_throw[throw_id] = about
        if kind != "question.unread":
            del self._asked[question_id]
