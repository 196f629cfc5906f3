"""Logs in the hub's database: written in one place, numbered as they come, read as one feed.

`Streams` takes in entries of many tables in one transaction and gives each the next number of the
hall. That number is the feed's cursor: who shows the hall reads, waits and reconnects as at a
table. One table's log is read by its own numbers (`log`); the hub's own log is `HubLog`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Self

import sqlalchemy as sa

from device.errors import HubError
from device.hub import schema
from device.hub.database import telling
from device.hub.feed import Accepted, FeedEntry, LogInfo, feed_entry
from device.hub.table_log import TableLog
from device.hub.writer import Writer

LATEST = 1000
"""Entries that stay in memory: hall and viewers read each of them as soon as it is there."""

_FEED = sa.select(schema.entries, schema.logs.c.table_name).join_from(schema.entries, schema.logs)


class Streams:
    """All logs of one hub. Safe to use from several threads.

    Args:
        engine: of `open_database`.
        clock: Unix time in seconds.

    Attributes:
        alone: held by whoever must not be overtaken between reading an end and writing behind it.

    Raises:
        HubError: another hub writes there, or the database cannot be reached.
    """

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self.engine = engine
        self.alone = threading.RLock()
        self._clock = clock
        self._known: dict[str, FeedEntry] | None = None
        self._grown = threading.Condition()
        self._number = 0
        self._seqs: dict[str, int] = {}
        self._own = ""
        self._latest: deque[FeedEntry] = deque(maxlen=LATEST)
        self._writer = Writer(engine)
        try:
            self.ends()
        except BaseException:
            self.close()
            raise

    def ends(self) -> dict[str, FeedEntry]:
        """The last entry of every log, by the log's id.

        After a failure they are read anew, by the session that will write: only then it is
        certain what the one before has committed.

        Raises:
            HubError: the database cannot be read.
        """
        with self.alone:
            return dict(self._ends())

    def add(self, accepted: Sequence[Accepted]) -> None:
        """Write entries of any number of logs, all or none, and wake whoever waits for them.

        Raises:
            DatabaseAwayError: nothing was written, or it cannot be known yet: ask `ends`.
            HubError: they do not continue their logs, or the database refuses them.
        """
        with self.alone:
            known = self._ends()
            feed = _numbered(known, self._number, accepted, self._clock())
            if not feed:
                return
            new = {entry.log: _log_row(entry) for entry in feed if entry.log not in known}
            try:
                with self.transaction() as connection:
                    if new:
                        connection.execute(sa.insert(schema.logs), list(new.values()))
                    connection.execute(sa.insert(schema.entries), [entry.row() for entry in feed])
            except HubError:
                if not self._is_there(feed[-1]):
                    raise
                known = self._ends()
            known.update((entry.log, entry) for entry in feed)
            self._tell(feed)

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """Write something else, such as the tables that are paired; committed at its end.

        Raises:
            HubError: the database is away or refuses it.
        """
        with self.alone:
            try:
                with self._writer.transaction() as connection:
                    yield connection
            except BaseException:
                self._known = None  # whatever was known of it may be out of date
                raise

    def read(self, after_seq: int = 0, limit: int = 1000) -> list[FeedEntry]:
        """Entries of all logs after the number `after_seq`, oldest first, at most `limit`.

        After a failure it is settled first what has come of the commit before (see `ends`), so
        that nobody decides anew what will turn out to be written.

        Raises:
            HubError: the database cannot be read.
        """
        if self._known is None:
            self.ends()
        with self._grown:
            if self._latest and after_seq >= self._latest[0].seq - 1:
                first = max(0, after_seq + 1 - self._latest[0].seq)
                return list(islice(self._latest, first, first + limit))
        number = schema.entries.c.number
        return self._select(_FEED.where(number > after_seq).order_by(number).limit(limit))

    def read_log(self, log_id: str, after_seq: int = 0, limit: int = 1000) -> list[FeedEntry]:
        """Entries of one log after its own number `after_seq`, oldest first.

        Raises:
            HubError: the database cannot be read.
        """
        of, seq = schema.entries.c.log, schema.entries.c.seq
        query = _FEED.where(of == log_id, seq > after_seq).order_by(seq).limit(limit)
        return self._select(query)

    def hash_of(self, log_id: str, seq: int) -> str | None:
        """The hash of one entry of a log; None if the hub has none of this number.

        Raises:
            HubError: the database cannot be read.
        """
        found = self.read_log(log_id, seq - 1, limit=1)
        return found[0].hash if found and found[0].log_seq == seq else None

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Wait until there is an entry after the number `after_seq`; False when time ran out."""
        with self._grown:
            return self._grown.wait_for(lambda: self._number > after_seq, timeout_s)

    def wait_log(self, log_id: Callable[[], str], after_seq: int, timeout_s: float) -> bool:
        """Wait until a log has an entry after its own `after_seq`; its id may come with it."""
        with self._grown:
            return self._grown.wait_for(
                lambda: self._seqs.get(log_id(), 0) > after_seq, timeout_s
            )  # fmt: skip

    def own_log(self) -> str:
        """Which log is the hub's own; "" while it has not begun."""
        with self._grown:
            return self._own

    def log(self, log_id: str) -> TableLog:
        """One log by its own numbers, to read."""
        return TableLog(self, log_id)

    def logs(self, table: str | None = None) -> list[LogInfo]:
        """The logs of a table ("": the hub's own), or of all (None); oldest first.

        Raises:
            HubError: the database cannot be read.
        """
        logs, entries = schema.logs, schema.entries
        begun = sa.and_(entries.c.log == logs.c.id, entries.c.seq == 1)
        query = sa.select(logs).join_from(logs, entries, begun).order_by(entries.c.number)
        if table is not None:
            query = query.where(logs.c.table_name.is_not_distinct_from(table or None))
        with telling(self.engine), self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return [LogInfo(row.id, row.kind, row.table_name or "", row.first_seen_s) for row in rows]

    def close(self) -> None:
        """Let go of the lock and of the connection that writes; may be called twice."""
        with self.alone:
            self._known = None
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ends(self) -> dict[str, FeedEntry]:
        """The ends themselves, to be changed by whoever holds `alone` and has written."""
        if self._known is None:
            with self.transaction() as connection:
                known = _read_ends(connection)
            self._known = known
            self._tell_anew(known.values())
        return self._known

    def _select(self, query: sa.Select[Any]) -> list[FeedEntry]:
        with telling(self.engine), self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
        return [feed_entry(row) for row in rows]

    def _is_there(self, last: FeedEntry) -> bool:
        """Whether a transaction that failed, perhaps in its commit, is there all the same."""
        try:
            end = self.ends().get(last.log)
        except HubError:
            return False  # not to be known now: who tries again asks `ends`
        return end is not None and end.hash == last.hash

    def _tell(self, feed: Sequence[FeedEntry]) -> None:
        """Wake whoever waits for what was written just now."""
        with self._grown:
            for entry in feed:
                self._seqs[entry.log] = entry.log_seq
                if not entry.table:
                    self._own = entry.log
            self._number = feed[-1].seq
            self._latest.extend(feed[-LATEST:])
            self._grown.notify_all()

    def _tell_anew(self, ends: Collection[FeedEntry]) -> None:
        """Forget what was told: the database may have been put back to an older state."""
        latest = max(ends, key=lambda entry: entry.seq, default=None)
        own = [entry for entry in ends if not entry.table]
        with self._grown:
            self._number = latest.seq if latest else 0
            self._seqs = {entry.log: entry.log_seq for entry in ends}
            self._own = max(own, key=lambda entry: entry.seq).log if own else ""
            self._latest.clear()
            self._grown.notify_all()


def _read_ends(connection: sa.Connection) -> dict[str, FeedEntry]:
    entries = schema.entries
    last = sa.select(entries.c.log, sa.func.max(entries.c.seq).label("seq"))
    last_of = last.group_by(entries.c.log).subquery()
    is_last = sa.and_(entries.c.log == last_of.c.log, entries.c.seq == last_of.c.seq)
    rows = connection.execute(_FEED.join(last_of, is_last)).mappings().all()
    return {entry.log: entry for entry in map(feed_entry, rows)}


def _numbered(
    known: Mapping[str, FeedEntry], number: int, accepted: Iterable[Accepted], now_s: float
) -> list[FeedEntry]:
    """Give entries the next numbers of the hall after `number`, if they continue what is known."""
    ends: dict[str, FeedEntry] = {}
    feed = []
    for part in accepted:
        for entry in part.entries:
            end = ends.get(part.log, known.get(part.log))
            seq, table = (end.log_seq, end.table) if end else (0, part.table)
            fits = entry.previous == end.hash if end else entry.hash == part.log
            if entry.seq != seq + 1 or table != part.table or not fits:
                raise HubError(
                    f"Entry {entry.seq} of {part.table or 'the hub'} does not continue the log "
                    f"{part.log} of {table or 'the hub'}, which ends with {seq}."
                )
            number += 1
            ends[part.log] = FeedEntry.of(entry, number, table, part.log, now_s)
            feed.append(ends[part.log])
    return feed


def _log_row(entry: FeedEntry) -> dict[str, Any]:
    return {
        "id": entry.log,
        "kind": schema.TABLE if entry.table else schema.HUB,
        "table_name": entry.table or None,
        "first_seen_s": entry.received_at_s,
    }
