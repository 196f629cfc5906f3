"""Whether the hub has everything that its tables wrote, once and in order, after a measurement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from device.chain import LogEntry, verify_chain
from device.errors import LogDamagedError
from device.hub.database import open_database
from device.hub.streams import Streams

PAGE = 5000

End = tuple[str, int, str]
"""Name of a log, number and hash of its last entry."""


@dataclass
class Checked:
    """What the database holds.

    Attributes:
        feed: number in the hall and time of writing of each entry of a table, in order.
        hub_ms: from writing at the table to the hub's transaction.
        figures: how many tables are complete, and how many entries are missing, twice there, or
            do not hang together.
    """

    feed: list[tuple[int, float]] = field(default_factory=list)
    hub_ms: list[float] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)


@contextmanager
def _opened(database: str) -> Iterator[Streams]:
    engine = open_database(database)
    try:
        with Streams(engine) as streams:
            yield streams
    finally:
        engine.dispose()


def checked(database: str, ends: Mapping[str, End], *, since_s: float) -> Checked:
    """Read everything back, and hold it against the tables' own logs.

    Args:
        database: its address; no hub may work on it any more.
        ends: where the logs of the tables end, by table.
        since_s: only what was written since then counts for times.
    """
    found, last, number = Checked(), dict[str, LogEntry](), 0
    broken = 0
    with _opened(database) as streams:
        while page := streams.read(number, PAGE):
            for one in page:
                broken += one.seq != number + 1
                number = one.seq
                if not one.table:
                    continue
                entry = one.entry()
                try:
                    verify_chain([entry], last.get(one.log))
                except LogDamagedError:
                    broken += 1
                last[one.log] = entry
                if one.at_s >= since_s:
                    found.feed.append((number, one.at_s))
                    found.hub_ms.append(1000 * (one.received_at_s - one.at_s))
    has = {log: (entry.seq, entry.hash) for log, entry in last.items()}
    complete = sum(has.get(log) == (seq, sealed) for log, seq, sealed in ends.values())
    missing = sum(max(0, seq - has.get(log, (0, ""))[0]) for log, seq, _ in ends.values())
    found.figures = {"tables_complete": complete, "missing": missing, "out_of_order": broken}
    return found
