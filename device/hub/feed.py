"""What is read from the hub's database: an entry with its number in the hall and whose it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Self

import sqlalchemy as sa

from device.chain import LogEntry, canonical, is_row
from device.errors import LogDamagedError


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One entry as the hall counts it.

    Attributes:
        seq: its number in the hall: 1, 2, 3 … over all logs, in the order of commits.
        at_s: when it was written at its table, Unix time in seconds.
        type: what it is.
        data: JSON object.
        table: whose log; "" for the hub's own.
        log: which log: the hash of its first entry.
        log_seq: its number in that log.
        previous: hash of the entry before it in that log.
        hash: its own.
        received_at_s: when the hub got it.
    """

    seq: int
    at_s: float
    type: str
    data: dict[str, Any]
    table: str
    log: str
    log_seq: int
    previous: str
    hash: str
    received_at_s: float

    @classmethod
    def of(cls, entry: LogEntry, number: int, table: str, log: str, received_at_s: float) -> Self:
        """Number an entry of a log."""
        return cls(
            number, entry.at_s, entry.type, entry.data, table, log, entry.seq, entry.previous,
            entry.hash, received_at_s,
        )  # fmt: skip

    def entry(self) -> LogEntry:
        """As its table wrote it."""
        return LogEntry(
            self.log_seq, self.at_s, self.type, self.data, self.previous, self.hash
        )  # fmt: skip

    def row(self) -> dict[str, Any]:
        """As a row of `entries`."""
        return {
            "number": self.seq,
            "log": self.log,
            "seq": self.log_seq,
            "at_s": self.at_s,
            "type": self.type,
            "data": canonical(self.data),
            "previous": self.previous,
            "hash": self.hash,
            "received_at_s": self.received_at_s,
        }


@dataclass(frozen=True)
class Accepted:
    """Entries that continue a log, or begin one.

    Attributes:
        table: whose log; "" for the hub's own.
        log: the hash of its first entry.
        entries: oldest first, without gaps.
    """

    table: str
    log: str
    entries: tuple[LogEntry, ...]


@dataclass(frozen=True)
class LogInfo:
    """A log that the hub has.

    Attributes:
        id: the hash of its first entry.
        kind: `table` or `hub`.
        table: whose; "" for the hub's own.
        first_seen_s: when its first entry came.
    """

    id: str
    kind: str
    table: str
    first_seen_s: float


def feed_entry(row: sa.RowMapping) -> FeedEntry:
    """Read a row of `entries` with the `table_name` of its log.

    Raises:
        LogDamagedError: it holds something else than was written.
    """
    columns = tuple(row[name] for name in ("seq", "at_s", "type", "data", "previous", "hash"))
    if not is_row(columns):
        raise LogDamagedError(f"Entry {row['number']} of the hub holds something else than it got.")
    try:
        data = json.loads(row["data"])
    except ValueError as error:
        raise LogDamagedError(f"Entry {row['number']} of the hub is no JSON: {error}.") from error
    return FeedEntry(
        row["number"], row["at_s"], row["type"], data, row["table_name"] or "", row["log"],
        row["seq"], row["previous"], row["hash"], row["received_at_s"],
    )  # fmt: skip
