"""The evening's log: append-only, numbered, hash-chained; one contract, two stores.

Entries are sealed one to the next (`device.chain`), so that a changed record shows. The sequence
number is at once the id of the live stream: history, reconnecting and watching live are one
`read(after_seq)`.

`MemoryLog` keeps an evening in memory (tests, demo), `SqliteLog` in one file that survives a
power cut (`device.store_file`) and that other processes may read while the table writes.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from device.chain import LogEntry, canonical, chain, is_row, verify_chain
from device.errors import LogDamagedError, LogTakenError, StoreError
from device.store_file import open_log

__all__ = ["EventLog", "LogEntry", "MemoryLog", "SqliteLog"]

POLL_S = 0.25
"""How often a waiting reader looks for entries that another process wrote, in seconds."""

BY_OTHERS = frozenset({"evidence.exported", "evidence.export_failed"})
"""Entries that another process may write while the table plays: they change nothing in a game."""


class EventLog(Protocol):
    """What every store can do; `tests/test_device_store.py` is its contract."""

    def append(self, type: str, data: Mapping[str, Any], *, at_s: float) -> LogEntry:
        """Write one entry and return it."""

    def append_all(
        self, items: Sequence[tuple[str, Mapping[str, Any]]], *, at_s: float
    ) -> list[LogEntry]:
        """Write several entries, all or none of them."""

    def read(self, after_seq: int = 0, limit: int = 1000) -> list[LogEntry]:
        """The entries after `after_seq`, oldest first, at most `limit`."""

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Wait until there is an entry after `after_seq`; False when the time ran out."""

    def close(self) -> None:
        """Let go of files; may be called twice."""


class MemoryLog:
    """The log of one process's life."""

    def __init__(self) -> None:
        self._entries: list[LogEntry] = []
        self._grown = threading.Condition()

    def append(self, type: str, data: Mapping[str, Any], *, at_s: float) -> LogEntry:
        """Write one entry and return it."""
        return self.append_all([(type, data)], at_s=at_s)[0]

    def append_all(
        self, items: Sequence[tuple[str, Mapping[str, Any]]], *, at_s: float
    ) -> list[LogEntry]:
        """Write several entries, all or none of them."""
        with self._grown:
            entries = chain(self._entries[-1] if self._entries else None, items, at_s=at_s)
            self._entries.extend(entries)
            self._grown.notify_all()
            return entries

    def read(self, after_seq: int = 0, limit: int = 1000) -> list[LogEntry]:
        """The entries after `after_seq`, oldest first, at most `limit`."""
        with self._grown:
            return self._entries[max(0, after_seq) : max(0, after_seq) + limit]

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Wait until there is an entry after `after_seq`; False when the time ran out."""
        with self._grown:
            return self._grown.wait_for(lambda: len(self._entries) > after_seq, timeout_s)

    def close(self) -> None:
        """Nothing to let go of."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SqliteLog:
    """The log in one SQLite file.

    Args:
        path: the file; made when absent (its folder must exist).

    Raises:
        StoreError: no database, unreadable, not writable.
        NewerLogError: a later version has written it.
        LogDamagedError: the hash chain is broken.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._grown = threading.Condition()
        self._db: sqlite3.Connection | None = None
        try:
            self._db = open_log(path)
        except sqlite3.Error as error:
            raise self._failure("open", error) from error
        try:
            self._last = self._verified_end()
        except BaseException:
            self.close()
            raise

    def append(self, type: str, data: Mapping[str, Any], *, at_s: float) -> LogEntry:
        """Write one entry and return it."""
        return self.append_all([(type, data)], at_s=at_s)[0]

    def append_all(
        self, items: Sequence[tuple[str, Mapping[str, Any]]], *, at_s: float
    ) -> list[LogEntry]:
        """Write several entries, all or none of them."""
        with self._lock:
            try:
                with self._connection() as db:
                    db.execute("BEGIN IMMEDIATE")
                    self._catch_up(db, beside=all(kind in BY_OTHERS for kind, _ in items))
                    entries = chain(self._last, items, at_s=at_s)
                    rows = [
                        (e.seq, e.at_s, e.type, canonical(e.data), e.previous, e.hash)
                        for e in entries
                    ]
                    db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", rows)
            except sqlite3.Error as error:
                raise self._failure("write", error) from error
            self._last = entries[-1] if entries else self._last
        with self._grown:
            self._grown.notify_all()
        return entries

    def read(self, after_seq: int = 0, limit: int = 1000) -> list[LogEntry]:
        """The entries after `after_seq`, oldest first, at most `limit`."""
        query = "SELECT * FROM entries WHERE seq > ? ORDER BY seq LIMIT ?"
        with self._lock:
            try:
                rows = self._connection().execute(query, (after_seq, limit)).fetchall()
            except sqlite3.Error as error:
                raise self._failure("read", error) from error
        return [_entry(row) for row in rows]

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Wait until there is an entry after `after_seq`; False when the time ran out.

        Entries of this process wake the reader at once, those of another within `POLL_S`.
        """
        deadline_s = time.monotonic() + timeout_s
        while True:
            if self.read(after_seq, limit=1):
                return True
            left_s = deadline_s - time.monotonic()
            if left_s <= 0:
                return False
            with self._grown:
                self._grown.wait(min(POLL_S, left_s))

    def close(self) -> None:
        """Close the file; may be called twice."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _verified_end(self) -> LogEntry | None:
        last: LogEntry | None = None
        while page := self.read(last.seq if last else 0):
            verify_chain(page, last)
            last = page[-1]
        return last

    def _catch_up(self, db: sqlite3.Connection, *, beside: bool) -> None:
        """Take in what another process has noted meanwhile; `beside`: this one does not play.

        Raises:
            LogTakenError: it plays on the same log.
        """
        after = (self._last.seq if self._last else 0,)
        rows = db.execute("SELECT * FROM entries WHERE seq > ? ORDER BY seq", after).fetchall()
        new = [_entry(row) for row in rows]
        verify_chain(new, self._last)
        if not beside and any(entry.type not in BY_OTHERS for entry in new):
            raise LogTakenError(
                f"Cannot write the log {self.path}: another program plays on it. Stop that one, or "
                "name another log."
            )
        self._last = new[-1] if new else self._last

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            raise StoreError(f"The log {self.path} is closed.")
        return self._db

    def _failure(self, verb: str, error: sqlite3.Error) -> StoreError:
        return StoreError(
            f"Cannot {verb} the log {self.path}: {error}. Expected a Schockauge log on a disk with "
            "free space; restore it from a copy, or name another file."
        )


def _entry(row: tuple[int, float, str, str, str, str]) -> LogEntry:
    if not is_row(row):
        raise LogDamagedError(f"Entry {row[0]} of the log holds something else than was written.")
    seq, at_s, kind, data, previous, sealed = row
    try:
        plain = json.loads(data)
    except ValueError as error:
        raise LogDamagedError(f"Entry {seq} of the log is no JSON any more: {error}.") from error
    return LogEntry(seq, at_s, kind, plain, previous, sealed)
