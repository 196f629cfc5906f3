"""Tables that send their logs to a hub, as far as the hub can tell them from real ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from device.chain import LogEntry, chain
from device.hub_wire import CURSOR, EVENTS, Batch, Cursor, parse_topic, seal, topic, unseal

Message = tuple[str, bytes]


def key_of(name: str) -> bytes:
    """The key of a table that was paired."""
    return hashlib.sha256(name.encode()).digest()


def keys_of(*names: str) -> dict[str, bytes]:
    """The keys of paired tables."""
    return {name: key_of(name) for name in names}


def some_log(name: str, length: int, *, at_s: float = 1000.0) -> list[LogEntry]:
    """A log that no other table has."""
    items = [("thrown", {"table": name, "n": n, "dice": [n % 6 + 1, 2, 1]}) for n in range(length)]
    return chain(None, items, at_s=at_s)


def message(
    name: str, entries: Sequence[LogEntry], *, log: str = "", key: bytes | None = None
) -> Message:
    """Consecutive entries as their table sends them; `log`: which, if not by the first of them."""
    where = topic(name, EVENTS)
    body = Batch(log or entries[0].hash, tuple(entries)).to_body()
    return where, seal(key or key_of(name), where, body)


def raw_message(name: str, log: str, rows: Iterable[Mapping[str, Any]]) -> Message:
    """Something that is sealed well, whatever it says."""
    where = topic(name, EVENTS)
    return where, seal(key_of(name), where, {"log": log, "entries": list(rows)})


@dataclass
class SendingTable:
    """A table with its log; it sends what lies behind the hub's cursor."""

    name: str
    log: list[LogEntry]
    cursor: int = 0
    heard: list[Cursor] = field(default_factory=list)

    def messages(self, size: int, count: int = 1000) -> list[Message]:
        """The next batches of so many entries."""
        starts = range(self.cursor, len(self.log), size)[:count]
        whose = self.log[0].hash
        return [message(self.name, self.log[s : s + size], log=whose) for s in starts]

    def hear(self, payload: bytes) -> None:
        """Take a cursor from the hub."""
        where = topic(self.name, CURSOR)
        cursor = Cursor.from_body(unseal(key_of(self.name), where, payload))
        self.heard.append(cursor)
        if cursor.log in ("", self.log[0].hash):
            self.cursor = cursor.seq

    @property
    def done(self) -> bool:
        """Whether the hub has said that it has everything."""
        return self.cursor == len(self.log)


def deliver(tables: Iterable[SendingTable], where: str, payload: bytes) -> None:
    """Bring a message of the hub to its table."""
    name, *what = parse_topic(where) or ("", "", "")
    assert "/".join(what) == CURSOR
    for table in tables:
        if table.name == name:
            table.hear(payload)
