"""The hub's end of the road in its smallest form, for tests of a table's uplink."""

import json
import threading
from collections.abc import Mapping
from typing import Any

from device.chain import LogEntry, verify_chain
from device.errors import LogDamagedError
from device.hub.link import HubLink
from device.hub_orders import TableSide
from device.hub_wire import (
    CURSOR,
    EVENTS,
    KEY_BYTES,
    Batch,
    Cursor,
    Seating,
    parse_topic,
    seal,
    topic,
    unseal,
)
from device.pairing_file import BrokerAccess, Pairing
from web_ui.errors import ActionRefused

KEY = b"k" * KEY_BYTES


def pairing(port: int, table: str = "table-1", **access: Any) -> Pairing:
    """A table's, for a broker without TLS and passwords."""
    return Pairing(table, BrokerAccess("127.0.0.1", port, table, "secret", **access), KEY)


class SmallHub:
    """Takes in whole logs, in order, and moves the cursor; keeps all in memory.

    Attributes:
        logs: entries by id of the log.
        answers: what tables have answered, by id.
        other: all other messages, as they came: topic, content, whether kept.
        deaf: takes nothing while it is set.
    """

    def __init__(self, access: BrokerAccess, keys: Mapping[str, bytes]) -> None:
        self.logs: dict[str, list[LogEntry]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.other: list[tuple[str, bytes, bool]] = []
        self.batches = 0
        self.deaf = False
        self.keys = dict(keys)
        self._last: dict[str, str] = {}
        self._lock = threading.Lock()
        self.link = HubLink(access, self._receive, self._changed, self._failed)
        self.failures: list[Exception] = []

    def entries(self, log: str) -> list[LogEntry]:
        with self._lock:
            return list(self.logs.get(log, ()))

    def tell(self, table: str, what: str, body: Mapping[str, Any], *, retain: bool = False) -> bool:
        where = topic(table, what)
        return self.link.publish(where, seal(self.keys[table], where, body), retain=retain)

    def states(self, table: str) -> list[dict[str, Any]]:
        return [json.loads(said) for where, said, _ in self.other if where == topic(table, "state")]

    def said(self, table: str, what: str, more: str = "") -> list[bytes]:
        return [said for where, said, _ in self.other if where == topic(table, what, more)]

    def _receive(self, where: str, content: bytes, is_kept: bool) -> None:
        table, what, more = parse_topic(where) or ("", "", "")
        if what == EVENTS and not self.deaf:
            self._take(table, Batch.from_body(unseal(self.keys[table], where, content)))
        elif what == "answers":
            self.answers[more] = unseal(self.keys[table], where, content)
        else:
            self.other.append((where, content, is_kept))

    def _take(self, table: str, batch: Batch) -> None:
        with self._lock:
            self.batches += 1
            have = self.logs.setdefault(batch.log, [])
            new = [entry for entry in batch.entries if entry.seq > len(have)]
            try:
                verify_chain(new, have[-1] if have else None)
            except LogDamagedError:
                cursor = Cursor(batch.log, len(have), again=True)
            else:
                have.extend(new)
                cursor = Cursor(batch.log, len(have))
            self._last[table] = batch.log
        self.tell(table, CURSOR, cursor.to_body(), retain=True)

    def _changed(self, is_connected: bool) -> None:
        if is_connected:
            for table, log in self._last.items():
                cursor = Cursor(log, len(self.logs[log]), again=True)
                self.tell(table, CURSOR, cursor.to_body(), retain=True)

    def _failed(self, error: Exception) -> None:
        self.failures.append(error)


class Table:
    """A table's side that writes down what it is asked for."""

    def __init__(self) -> None:
        self.shown: dict[str, Any] = {"players": ["A", "B"]}
        self.seatings: list[Seating] = []
        self.actions: list[dict[str, Any]] = []
        self.pictures: dict[str, bytes] = {}
        self.faults: list[tuple[str, bool]] = []

    @property
    def side(self) -> TableSide:
        return TableSide(
            state=lambda: dict(self.shown),
            on_seating=self.seatings.append,
            on_action=self._act,
            evidence=self.pictures.get,
            show_fault=self._show_fault,
        )

    def _show_fault(self, what: str, *, there: bool) -> None:
        if there or (what, True) in self.faults:  # what was not there need not be taken back
            self.faults.append((what, there))

    def _act(self, action: dict[str, Any]) -> dict[str, Any]:
        if action["type"] == "forbidden":
            raise ActionRefused("Das geht nicht.", "That cannot be.", "not_now")
        self.actions.append(action)
        return {"done": len(self.actions)}
