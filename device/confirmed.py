"""Throws of an evening whose true dice a person has told: found in the log, die by die.

A person names values, not dice: "it was 6 5 3". Which of the dice in the still is the three follows
from what the camera thought of each one; a die for which that is not clear gets no value. Nothing
here guesses: a throw with another number of dice than the still shows is left out, and so is one
that was taken back.

How a throw came to be known:

* `corrected`: a person named other dice than the camera had read, at a question or later.
* `confirmed`: a person answered a question with what the camera thought likeliest.
* `by_hand`: a person entered the throw while the question about it was open.
* `agreed`: the camera was sure, and nobody objected. No person has looked at it on purpose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from device.chain import LogEntry
from device.known import MOST_DICE, Box, KnownThrow, SeenDie, name_dice


@dataclass(frozen=True)
class Evening:
    """What a log holds.

    Attributes:
        throws: known ones, in the order in which they were thrown.
        left_out: how many known throws cannot be used, by reason (a sentence).
        books: rule books that were played.
    """

    throws: tuple[KnownThrow, ...]
    left_out: Mapping[str, int]
    books: tuple[str, ...]


def find_known(entries: Iterable[LogEntry], *, agreed: bool = False) -> Evening:
    """Find the known throws of a log.

    Args:
        entries: oldest first.
        agreed: also those that nobody objected to.

    Returns:
        The throws, and what was left out.
    """
    walk = _Walk()
    for entry in entries:
        walk.take(entry)
    throws: list[KnownThrow] = []
    left_out: Counter[str] = Counter()
    for told in walk.everything():
        if told.how == "agreed" and not agreed:
            continue
        throw = _known(told)
        if isinstance(throw, str):
            left_out[throw] += 1
        else:
            throws.append(throw)
    return Evening(tuple(throws), dict(left_out), tuple(walk.books))


@dataclass
class _Told:
    """A table entry and the dice that count for it so far."""

    entry: LogEntry
    dice: tuple[int, ...]
    how: str


@dataclass
class _Walk:
    """Goes through a log once; the types of its entries are those of `device.pipeline`."""

    books: list[str] = field(default_factory=list)
    _done: list[_Told] = field(default_factory=list)
    _in_match: dict[int, _Told] = field(default_factory=dict)
    _loose: list[_Told] = field(default_factory=list)
    _thrown: list[int] = field(default_factory=list)
    _seen: dict[str, LogEntry] = field(default_factory=dict)
    _asked: dict[str, LogEntry] = field(default_factory=dict)
    _open: str = ""
    _fresh: LogEntry | None = None
    _since: tuple[int, tuple[int, ...]] | None = None
    _unread: set[str] = field(default_factory=set)
    _by_hand: Mapping[str, Any] = field(default_factory=dict)

    def take(self, entry: LogEntry) -> None:
        """Take in one entry."""
        if entry.type.startswith("table."):
            self._see(entry)
            return
        steps: dict[str, Callable[[LogEntry], None]] = {
            "match_started": self._begin,
            "thrown": self._throw,
            "question.asked": self._ask,
            "question.unread": self._pass_over,
            "question.answered": self._answer,
            "entered_by_hand": self._enter,
            "question.withdrawn": self._withdraw,
            "throw_corrected": self._correct,
            "taken_back": self._take_back,
        }
        if entry.type in steps:
            steps[entry.type](entry)

    def everything(self) -> list[_Told]:
        """All of it, in the order of the camera's entries."""
        told = [*self._done, *self._loose, *self._in_match.values()]
        return sorted(told, key=lambda one: one.entry.seq)

    def _begin(self, entry: LogEntry) -> None:
        self._done += [*self._loose, *self._in_match.values()]
        self._in_match, self._loose, self._thrown = {}, [], []
        self._fresh = self._since = None
        book = str(entry.data.get("book", ""))
        if book not in self.books:
            self.books.append(book)

    def _see(self, entry: LogEntry) -> None:
        if "still" in entry.data:
            self._seen[str(entry.data["still"])] = entry
        # Behind an open question the throw waits: what is thrown next is not this one.
        sure = entry.type == "table.throw_seen" and entry.data.get("sure") and not self._open
        self._fresh = entry if sure and "still" in entry.data else None

    def _throw(self, entry: LogEntry) -> None:
        number, dice = int(entry.data["throw_id"]), _dice(entry.data)
        if self._fresh is not None and dice == _dice(self._fresh.data):
            self._in_match[number] = _Told(self._fresh, dice, "agreed")
        self._fresh = None
        self._since = (number, dice)
        self._thrown.append(number)

    def _ask(self, entry: LogEntry) -> None:
        self._open = str(entry.data["question_id"])
        self._fresh = self._since = None
        if (seen := self._seen.get(str(entry.data.get("still")))) is not None:
            self._asked[self._open] = seen

    def _pass_over(self, entry: LogEntry) -> None:
        # The game goes on, and this throw is entered when the cups are lifted.
        self._unread.add(str(entry.data["question_id"]))
        self._open = ""

    def _answer(self, entry: LogEntry) -> None:
        if entry.data.get("dice"):
            self._settle(entry, _dice(entry.data), by_hand=False)
        self._end(entry)

    def _end(self, entry: LogEntry) -> None:
        if str(entry.data["question_id"]) not in self._unread:
            self._open = ""

    def _enter(self, entry: LogEntry) -> None:
        self._by_hand = entry.data.get("action", {})

    def _withdraw(self, entry: LogEntry) -> None:
        action, self._by_hand = self._by_hand, {}
        if action.get("type") == "throw" and not action.get("burns"):
            self._settle(entry, _dice(action), by_hand=True)
        self._end(entry)

    def _settle(self, entry: LogEntry, dice: tuple[int, ...], *, by_hand: bool) -> None:
        seen = self._asked.get(str(entry.data["question_id"]))
        if seen is None:
            return  # no still was kept
        as_read = dice == _dice(seen.data)
        told = _Told(seen, dice, "by_hand" if by_hand else "confirmed" if as_read else "corrected")
        if "throw_id" in entry.data:
            self._in_match[int(entry.data["throw_id"])] = told
        elif self._since is not None and self._since[1] == dice:
            self._in_match[self._since[0]] = told
        else:
            self._loose.append(told)

    def _correct(self, entry: LogEntry) -> None:
        if (told := self._in_match.get(int(entry.data["throw_id"]))) is not None:
            told.dice, told.how = _dice(entry.data), "corrected"

    def _take_back(self, entry: LogEntry) -> None:
        if entry.data.get("undone") == "thrown" and self._thrown:
            self._in_match.pop(self._thrown.pop(), None)


def _known(told: _Told) -> KnownThrow | str:
    """The throw, or why it cannot be used."""
    data = told.entry.data
    lying = data.get("lying")
    if not lying:
        return "no places of the dice beside the still (an older log)"
    dice = tuple(
        SeenDie(_box(die["box"]), tuple(float(p) for p in die["probabilities"]))
        for die in lying["dice"]
        if not die["aside"]
    )
    if len(dice) != len(told.dice) or len(dice) > MOST_DICE:
        return "another number of dice in the still than were told"
    values = name_dice([die.probabilities for die in dice], told.dice)
    if not any(values):
        return "not clear which die is which"
    return KnownThrow(
        told.entry.seq,
        told.entry.at_s,
        str(data["still"]),
        str(data["sha256"]),
        str(data.get("model", "")),
        _box(lying["mat"]),
        dice,
        values,
        told.how,
        tuple(_box(die["box"]) for die in lying["dice"] if die["aside"]),
    )


def _dice(data: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(sorted((int(die) for die in data.get("dice") or ()), reverse=True))


def _box(numbers: Sequence[float]) -> Box:
    left, top, right, bottom = (float(number) for number in numbers)
    return (left, top, right, bottom)
