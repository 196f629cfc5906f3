"""Which files of evidence may go: the oldest first, and none that somebody may still need.

Sans I/O: entries of the log go in, names of files come out. Spared are files of facts with an open
question, of cases and disputes, of throws that a person corrected or a ruling is about, and files
that were exported. When in doubt which fact a throw came from, all that it may be are spared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from device.chain import LogEntry
from device.mentions import Mentions
from device.seen import BURNS, THROWS

DAY_S = 86_400.0
SEEN = frozenset(f"table.{kind}" for kind in THROWS | BURNS)
THROWN = frozenset({"thrown", "burnt", "covered"})
SPARING = ("case.", "dispute", "claim")
"""Beginnings of the types of entries that somebody disputes; `seq` or `throw_id` says what."""


@dataclass(frozen=True)
class Rules:
    """How much is kept.

    Attributes:
        days: files older than this go; 0: age does not matter.
        most_bytes: above this the oldest go; 0: size does not matter.
    """

    days: float
    most_bytes: int


@dataclass(frozen=True)
class Drop:
    """Files that may go.

    Attributes:
        rule: `days` or `bytes`.
        names: of the files, oldest first.
        bytes: how much room they take.
    """

    rule: str
    names: tuple[str, ...]
    bytes: int


class Needed:
    """Follows a log: what its files are evidence of, and which facts are to be spared.

    Attributes:
        seq: of the last entry that was taken in.
        mentions: the files.
        facts: numbers of the facts whose files stay, whatever becomes of them.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.mentions = Mentions()
        self.facts: set[int] = set()
        self._asked: dict[str, tuple[int, list[int]]] = {}  # open ones: fact and its dice
        self._seen: list[tuple[int, list[int]]] = []  # facts of this match and their dice
        self._closed: int | None = None
        self._by_throw: dict[int, set[int]] = {}
        self._by_round: dict[tuple[str, int], set[int]] = {}
        self._latest: set[int] = set()
        self._folds: Mapping[str, Callable[[LogEntry], None]] = {
            "match_started": self._begin,
            "question.asked": self._ask,
            "question.answered": self._answer,
            "question.withdrawn": self._withdraw,
            "throw_corrected": lambda entry: self._spare_throw(entry.data),
            "taken_back": lambda entry: self.facts.update(self._latest),
            "round_ruled": lambda entry: self._spare_round(entry.data, "ruled_part", "ruled_round"),
            "deckel_ruled": lambda entry: self._spare_round(entry.data, "part", "round"),
            "fault_reported": lambda entry: self._spare_round(entry.data, "part", "round"),
            **dict.fromkeys(SEEN, self._see),
            **dict.fromkeys(THROWN, self._throw),
        }

    def take(self, entry: LogEntry) -> None:
        """Take in one entry, oldest first."""
        self.seq = entry.seq
        self.mentions.take(entry)
        if entry.type.startswith(SPARING):
            self._spare_throw(entry.data)
            if isinstance(about := entry.data.get("seq"), int):
                self.facts.add(about)
        elif (fold := self._folds.get(entry.type)) is not None:
            fold(entry)

    def spared(self) -> set[str]:
        """Names of the files that stay."""
        facts = self.facts | {fact for fact, _ in self._asked.values()}
        said = self.mentions.kept.items()
        needed = {name for name, all_ in said if any(one.about in facts for one in all_)}
        return needed | self.mentions.exported_names

    def _begin(self, entry: LogEntry) -> None:
        self._asked, self._seen, self._closed = {}, [], None
        self._by_throw, self._by_round, self._latest = {}, {}, set()

    def _see(self, entry: LogEntry) -> None:
        self._seen.append((entry.seq, _dice(entry.data)))

    def _ask(self, entry: LogEntry) -> None:
        data = entry.data
        self._asked[str(data.get("question_id"))] = (int(data.get("seq", 0)), _dice(data))

    def _answer(self, entry: LogEntry) -> None:
        question = self._asked.get(str(entry.data.get("question_id")))
        if question is not None and _dice(entry.data) != question[1]:
            self.facts.add(question[0])  # the camera was wrong, or it was no throw at all
        self._withdraw(entry)

    def _withdraw(self, entry: LogEntry) -> None:
        closed = self._asked.pop(str(entry.data.get("question_id")), None)
        self._closed = self._closed if closed is None else closed[0]

    def _throw(self, entry: LogEntry) -> None:
        """What a throw may have come from: the latest fact, the latest alike, the latest asked."""
        data, dice = entry.data, _dice(entry.data)
        alike = [fact for fact, shown in self._seen if shown == dice]
        found = {fact for fact, _ in self._seen[-1:]} | set(alike[-1:])
        found |= {fact for fact, _ in self._asked.values()}
        self._latest = found if self._closed is None else found | {self._closed}
        self._by_throw[int(data.get("throw_id", 0))] = self._latest
        played = str(data.get("part")), int(data.get("round", 0))
        self._by_round.setdefault(played, set()).update(self._latest)

    def _spare_throw(self, data: Mapping[str, Any]) -> None:
        if isinstance(throw_id := data.get("throw_id"), int):
            self.facts |= self._by_throw.get(throw_id, set())

    def _spare_round(self, data: Mapping[str, Any], part: str, number: str) -> None:
        self.facts |= self._by_round.get((str(data.get(part)), int(data.get(number, 0))), set())


def _dice(data: Mapping[str, Any]) -> list[int]:
    return sorted(int(die) for die in data.get("dice") or ())


def may_go(
    needed: Needed,
    sizes: Mapping[str, int],
    rules: Rules,
    now_s: float,
    *,
    young: int | None = None,
) -> list[Drop]:
    """Choose the files that go now.

    Args:
        needed: has followed the log to its end.
        sizes: bytes of every file that is there, by name.
        rules: how much is kept.
        now_s: Unix time.
        young: what was told of after this entry is not too old, whatever the clock says; None:
            the clock is right.

    Returns:
        A drop for each rule that has something to drop.
    """
    spared = needed.spared()
    there = [(m, name) for name, m in needed.mentions.expected().items() if name in sizes]
    there.sort(key=lambda item: (item[0].at_s, item[0].seq, item[1]))
    left = sum(sizes[name] for _, name in there)
    old: list[str] = []
    many: list[str] = []
    for mention, name in there:
        if name in spared:
            continue
        by_clock = young is None or mention.seq <= young
        if rules.days and by_clock and now_s - mention.at_s > rules.days * DAY_S:
            old.append(name)
        elif rules.most_bytes and left > rules.most_bytes:
            many.append(name)
        else:
            continue
        left -= sizes[name]
    drops = (("days", old), ("bytes", many))
    return [Drop(r, tuple(names), sum(sizes[n] for n in names)) for r, names in drops if names]
