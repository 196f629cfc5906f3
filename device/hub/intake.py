"""What of the tables' messages becomes part of their logs at the hub. Pure: no clock, no I/O.

`Intake` knows how far every log goes. `take` reads a burst of messages and says what to write, what
to answer and what to report; the `Intake` that goes on from there is part of the answer and must be
adopted only when the database has committed. It never raises, whatever was sent.

What fits is taken up to the first entry that does not. A log stops there for good if its table
insists on it; other logs of the table, and other tables, go on. No table that works can send such
an entry: what cannot be hashed (half a surrogate pair, NaN) was never in a log. U+0000 may stand in
the data, which are kept as the JSON text that was hashed (there it is six plain letters), but not
in a type: PostgreSQL's texts have no room for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from device.chain import GENESIS, LogEntry, canonical, check_text, seal_of
from device.errors import ForgedMessageError
from device.hub.feed import Accepted, FeedEntry
from device.hub.incidents import (
    BROKEN,
    CONFLICT,
    FOREIGN,
    FORGED,
    MALFORMED,
    STRANGER,
    TOO_LARGE,
    Incident,
)
from device.hub_wire import EVENTS, MOST_BYTES, Batch, Cursor, is_sha256, parse_topic, unseal

MOST_DEPTH = 32
"""How deep lists and objects may lie in each other; an entry of a game has five levels. Python
reads far deeper ones, but only while nothing else is on its stack."""

MOST_LETTERS = 100
"""Of the type of an entry."""

MOST_SEQ = 2**53
"""As a number of an entry: what a browser still counts exactly."""

AGAIN_S = 2.0
"""The same gap is not asked for again so soon: what was on its way when it arose still comes in."""


@dataclass(frozen=True)
class End:
    """The last entry of a log: whose it is, its number and its hash."""

    table: str
    seq: int
    hash: str


@dataclass(frozen=True)
class Check:
    """An old entry that came again; the database knows whether it is the same."""

    table: str
    log: str
    seq: int
    hash: str


@dataclass(frozen=True)
class Outcome:
    """What comes of a burst of messages.

    Attributes:
        accepted: what to write, in the order of arrival.
        cursors: what to answer to which table, once it is written.
        incidents: what to report.
        checks: what to compare with the database: where the hash differs, `conflict` tells it.
        after: what to go on with, once it is written.
    """

    accepted: tuple[Accepted, ...]
    cursors: tuple[tuple[str, Cursor], ...]
    incidents: tuple[Incident, ...]
    checks: tuple[Check, ...]
    after: Intake


@dataclass(frozen=True)
class Intake:
    """How far every log goes, and who may speak.

    Attributes:
        keys: of the paired tables, by name.
        ends: of the logs, by id.
        latest: the log that each table wrote to last.
        asked: where each table's log has a gap that was asked for: log, last entry, and when.
    """

    keys: Mapping[str, bytes]
    ends: Mapping[str, End] = field(default_factory=dict)
    latest: Mapping[str, str] = field(default_factory=dict)
    asked: Mapping[str, tuple[str, int, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, ends: Iterable[FeedEntry], keys: Mapping[str, bytes]) -> Self:
        """Begin with what a database holds (`Streams.ends`)."""
        of_tables = [end for end in sorted(ends, key=lambda end: end.seq) if end.table]
        return cls(
            keys,
            {end.log: End(end.table, end.log_seq, end.hash) for end in of_tables},
            {end.table: end.log for end in of_tables},
        )

    def with_keys(self, keys: Mapping[str, bytes]) -> Intake:
        """Go on with other tables paired."""
        return replace(self, keys=keys)

    def cursor(self, table: str) -> Cursor:
        """How far the hub has the log that a table wrote to last."""
        log = self.latest.get(table, "")
        return Cursor(log, self.ends[log].seq if log else 0)

    def take(self, messages: Sequence[tuple[str, bytes]], now_s: float) -> Outcome:
        """Read messages, topic and content, in the order in which they came.

        Args:
            messages: those that are not a table's `events` are passed over.
            now_s: of a clock that never goes back.
        """
        burst = _Burst(self)
        for topic, payload in messages:
            burst.take(topic, payload)
        return burst.outcome(now_s)


class _Burst:
    """The messages of one `take`."""

    def __init__(self, before: Intake) -> None:
        self._before = before
        self._ends = dict(before.ends)
        self._latest = dict(before.latest)
        self._accepted: list[Accepted] = []
        self._incidents: list[Incident] = []
        self._checks: dict[str, Check] = {}
        self._heard: dict[
            tuple[str, str], bool
        ] = {}  # table, log -> there is more to say than gaps
        self._ahead: dict[tuple[str, str], int] = {}  # -> last entry of what came too early

    def take(self, topic: str, payload: bytes) -> None:
        table, what, more = parse_topic(topic) or ("", "", "")
        if what != EVENTS or more:
            return
        key = self._before.keys.get(table)
        if key is None:
            self._report(STRANGER, table)
            return
        if len(payload) > MOST_BYTES:
            self._report(TOO_LARGE, table)
            return
        try:
            body = unseal(key, topic, payload)
        except ForgedMessageError:
            self._report(FORGED, table)
            return
        try:
            batch = Batch.from_body(body)
        except ForgedMessageError as error:
            self._report(MALFORMED, table, detail=str(error)[:200])
            return
        self._read(table, batch)

    def outcome(self, now_s: float) -> Outcome:
        asked = dict(self._before.asked)
        cursors = []
        for (table, log), heard in self._heard.items():
            end = self._ends.get(log)
            seq = end.seq if end else 0
            again = self._ahead.get((table, log), 0) > seq
            if again:
                before = asked.get(table)
                if before and before[:2] == (log, seq) and now_s - before[2] < AGAIN_S:
                    again = False
                else:
                    asked[table] = (log, seq, now_s)
            if heard or again:
                cursors.append((table, Cursor(log, seq, again)))
        after = replace(self._before, ends=self._ends, latest=self._latest, asked=asked)
        checks, incidents = tuple(self._checks.values()), tuple(self._incidents)
        return Outcome(tuple(self._accepted), tuple(cursors), incidents, checks, after)

    def _read(self, table: str, batch: Batch) -> None:
        end = self._ends.get(batch.log)
        if end is not None and end.table != table:
            self._report(FOREIGN, table, batch.log, batch.entries[0].seq)
            return
        sound, wrong = _sound(batch.entries)
        if wrong is not None:
            kind, entry = wrong
            self._report(kind, table, batch.log, entry.seq)
            self._heard[table, batch.log] = True
        if sound:
            self._fit(table, batch.log, sound, end or End(table, 0, GENESIS))

    def _fit(self, table: str, log: str, entries: Sequence[LogEntry], end: End) -> None:
        """Take what continues the log; `entries` hang together."""
        first, last = entries[0], entries[-1]
        if first.seq > end.seq + 1:
            self._ahead[table, log] = max(self._ahead.get((table, log), 0), last.seq)
            self._heard.setdefault((table, log), False)
            return
        self._heard[table, log] = True
        if last.seq < end.seq:
            self._checks[log] = Check(table, log, last.seq, last.hash)
            return
        new = entries[end.seq + 1 - first.seq :]
        joint = new[0].previous if new else last.hash
        if not end.seq and (joint != GENESIS or first.hash != log):
            self._report(BROKEN, table, log, 1)
        elif joint != end.hash:
            self._report(CONFLICT, table, log, max(first.seq, end.seq))
        elif new:
            self._accepted.append(Accepted(table, log, tuple(new)))
            self._ends[log] = End(table, last.seq, last.hash)
            self._latest[table] = log

    def _report(self, kind: str, table: str, log: str = "", seq: int = 0, detail: str = "") -> None:
        self._incidents.append(Incident(kind, table, log, seq if seq <= MOST_SEQ else 0, detail))


def conflict(check: Check) -> Incident:
    """What to report when an old entry came again with other content."""
    return Incident(CONFLICT, check.table, check.log, check.seq)


def _sound(
    entries: Sequence[LogEntry],
) -> tuple[Sequence[LogEntry], tuple[str, LogEntry] | None]:
    """The entries up to the first that is none or does not follow; and what is wrong with that."""
    before: LogEntry | None = None
    for n, entry in enumerate(entries):
        kind = _fault(entry)
        if not kind and before and (entry.seq, entry.previous) != (before.seq + 1, before.hash):
            kind = BROKEN
        if kind:
            return entries[:n], (kind, entry)
        before = entry
    return entries, None


def _fault(entry: LogEntry) -> str:
    """What is wrong with an entry, taken alone; "" if nothing is."""
    if (
        not 1 <= entry.seq <= MOST_SEQ
        or type(entry.at_s) is not float  # 5 has another hash than 5.0, and that is what is kept
        or not math.isfinite(entry.at_s)
        or not 0 < len(entry.type) <= MOST_LETTERS
        or "\0" in entry.type
        or not is_sha256(entry.previous)
        or not is_sha256(entry.hash)
        or _is_deep(entry.data)
    ):
        return MALFORMED
    try:
        check_text(entry.type, canonical(entry.data))
        return "" if seal_of(entry) == entry.hash else BROKEN
    except (ValueError, RecursionError):  # NaN, infinity, half a surrogate pair
        return MALFORMED


def _is_deep(data: object) -> bool:
    level: list[Any] = [data]
    for _ in range(MOST_DEPTH):
        inner = [part for part in level if isinstance(part, dict | list)]
        if not inner:
            return False
        level = [x for part in inner for x in (part.values() if isinstance(part, dict) else part)]
    return True
