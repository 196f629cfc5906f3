"""Tables in a process of their own, for `schockauge bench hub`: real logs, games and uplinks.

Nobody decides anything at them; what a table writes was played by chance before. They write at a
rate, each at its own moment within the second, and tell how late they were: a benchmark that waits
for its own tables measures those. Or they come with logs that are full already, and send them.
"""

from __future__ import annotations

import heapq
import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import Any

from device.hub.bench_part import config_and_orders, tell
from device.hub_orders import TableSide
from device.hub_wire import EVENTS, Cursor, Seating, seal, topic
from device.mqtt import Connection
from device.outbox import Outbox
from device.pairing_file import Pairing
from device.played_rounds import SEATED
from device.store import EventLog, MemoryLog, SqliteLog
from device.uplink import Uplink
from device.web_bench import played

PATIENCE_S = 1800.0
"""How long tables may take until the hub has everything of them."""

LOOK_S = 0.05
STARTED = "table.started"
"""The first entry: a log has a name from then on, and its uplink something to connect for."""

PAGE = 500


class BenchTable:
    """One table.

    Args:
        pairing: with the hub.
        folder: for its log; None: in memory.
        seed: of its games.
    """

    def __init__(self, pairing: Pairing, folder: Path | None, seed: int) -> None:
        self.pairing = pairing
        name = f"{pairing.table}.sqlite3"
        self.log: EventLog = MemoryLog() if folder is None else SqliteLog(folder / name)
        self.entries: Iterator[tuple[str, dict[str, Any]]] = played(seed)
        self.seated = threading.Event()
        self.uplink: Uplink | None = None
        self.late_ms: list[float] = []
        self._seed, self._players = seed, list[str]()
        self._written = 1
        self.log.append(STARTED, {"table": pairing.table}, at_s=time.time())

    def side(self) -> TableSide:
        """What it offers to the hub."""
        return TableSide(
            state=self._state,
            on_seating=self._seat,
            on_action=lambda action: {},
            evidence=lambda sha256: None,
            show_fault=lambda what, *, there: None,
        )

    def write(self, due_s: float) -> None:
        """Write the next entry of its games, which was due at a time of day."""
        kind, data = next(self.entries)
        now_s = time.time()
        self._written = self.log.append(kind, data, at_s=now_s).seq
        self.late_ms.append(1000 * (now_s - due_s))

    def fill(self, count: int) -> None:
        """Have played for long: so many entries that the hub has not."""
        for begun in range(0, count, PAGE):
            part = list(islice(self.entries, min(PAGE, count - begun)))
            self.log.append_all(part, at_s=time.time())

    def connect(self) -> None:
        """Begin to send."""
        self.uplink = Uplink(self.log, self.pairing, self.side()).start()

    @property
    def is_done(self) -> bool:
        """Whether the hub has said that it has everything."""
        return self.uplink is not None and self.uplink.is_done()

    def end(self) -> tuple[str, int, str]:
        """Name of its log, number and hash of its last entry."""
        seq = 0 if self.uplink is None else self.uplink.cursor
        first, last = self.log.read(0, 1)[0], self.log.read(max(0, seq - 1), 1_000_000)[-1]
        return first.hash, last.seq, last.hash

    def close(self) -> None:
        """End; may be called twice."""
        if self.uplink is not None:
            self.uplink.close()
        self.log.close()

    def _state(self) -> dict[str, Any]:
        """What it shows: told anew after every entry, as at a real table."""
        return {"players": self._players, "seq": self._written, "url": "", "faults": []}

    def _seat(self, seating: Seating) -> None:
        if seating.round:
            self._players = list(seating.players)
            game = played(self._seed, seating.players)
            self.entries = chain([next(game)], game)  # dealt now, so that it is there when due
            self.log.append(SEATED, seating.to_body(), at_s=time.time())
            self.seated.set()


class BenchTables:
    """The tables of one process.

    Args:
        tables: which.
        seed: of the moments at which they write.
    """

    def __init__(self, tables: Sequence[BenchTable], seed: int) -> None:
        self._tables = tables
        self._chance = random.Random(seed)
        self._roads: list[Connection] = []

    def stop(self) -> None:
        """Ask all uplinks at once to end, so that closing waits once."""
        for table in self._tables:
            if table.uplink is not None:
                table.uplink.stop()

    def connect(self, _: Mapping[str, Any]) -> dict[str, Any]:
        """Let all of them begin to send, and say when."""
        begun_s = time.time()
        for table in self._tables:
            table.connect()
        return {"begun_s": begun_s}

    def seated(self, _: Mapping[str, Any]) -> dict[str, Any]:
        """Wait until the hub has seated players at all of them."""
        end_s = time.monotonic() + PATIENCE_S
        there = [one.seated.wait(max(0.0, end_s - time.monotonic())) for one in self._tables]
        return {"seated": sum(there)}

    def write(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """Write from `begin_s` on for `seconds`, each table `rate` entries a second."""
        pause_s, begin_s = 1.0 / order["rate"], order["begin_s"]
        end_s = begin_s + order["seconds"]
        due = [(begin_s + self._chance.uniform(0, pause_s), n) for n in range(len(self._tables))]
        heapq.heapify(due)
        while due and due[0][0] < end_s:
            due_s, number = due[0]
            time.sleep(max(0.0, due_s - time.time()))
            self._tables[number].write(due_s)
            heapq.heapreplace(due, (due_s + pause_s, number))
        return {"late_ms": [round(ms, 2) for one in self._tables for ms in one.late_ms]}

    def fill(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """Have `entries` in each log that the hub has not."""
        for table in self._tables:
            table.fill(order["entries"])
        return {}

    def settle(self, _: Mapping[str, Any]) -> dict[str, Any]:
        """Wait until the hub has everything, and say when, and what everything is."""
        waiting = list(self._tables)
        end_s = time.monotonic() + PATIENCE_S
        while waiting and time.monotonic() < end_s:
            waiting = [one for one in waiting if not one.is_done]
            time.sleep(LOOK_S)
        done_s = time.time()
        ends = {one.pairing.table: one.end() for one in self._tables}
        return {"done_s": done_s, "waiting": len(waiting), "ends": ends}

    def shout(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """Send the messages that uplinks would send, sealed before, and wait for no hub."""
        ready = [(one, list(_messages(one, order["entries"]))) for one in self._tables]
        roads = {one.pairing.table: _road(one.pairing) for one, _ in ready}
        for road in roads.values():
            road.start()
        while not all(road.is_connected for road in roads.values()):
            time.sleep(LOOK_S)
        tell(ready=True)
        begun_s = time.time()
        for batch in range(max(len(messages) for _, messages in ready)):
            for one, messages in ready:
                if batch < len(messages):
                    where = topic(one.pairing.table, EVENTS)
                    roads[one.pairing.table].publish(where, messages[batch][0])
        sent = sum(entries for _, messages in ready for _, entries in messages)
        self._roads = list(roads.values())  # they are still sending, in threads of their own
        count = sum(len(messages) for _, messages in ready)
        return {"begun_s": begun_s, "entries": sent, "messages": count}

    def hush(self, _: Mapping[str, Any]) -> dict[str, Any]:
        """Let go of the connections of `shout`."""
        for road in self._roads:
            road.close()
        return {}


def _road(pairing: Pairing) -> Connection:
    own = topic(pairing.table, "set/+")
    return Connection(pairing.access, pairing.table, [own], lambda *_: None, lambda _: None)


def _messages(table: BenchTable, entries: int) -> Iterator[tuple[bytes, int]]:
    """The sealed messages with the first entries of a table, and how many are in each."""
    log = table.log.read(0, 1)[0].hash
    outbox, where = Outbox(log), topic(table.pairing.table, EVENTS)
    outbox.connected(0.0)
    outbox.acknowledged(Cursor(log, 0), 0.0)
    while outbox.sent < entries and (batch := outbox.next_batch(table.log.read, 0.0)):
        outbox.acknowledged(Cursor(log, outbox.sent), 0.0)
        yield seal(table.pairing.key, where, batch.to_body()), len(batch.entries)


def main() -> None:
    """Do what is asked for until nothing more is."""
    config, orders = config_and_orders()
    folder = None if config["folder"] is None else Path(config["folder"])
    with ExitStack() as stack:
        tables = []
        for number, record in enumerate(config["pairings"]):
            table = BenchTable(Pairing.from_json(record), folder, config["seed"] + number)
            stack.callback(table.close)
            tables.append(table)
        work = BenchTables(tables, config["seed"])
        stack.callback(work.stop)
        kinds = {
            "connect": work.connect,
            "seated": work.seated,
            "write": work.write,
            "fill": work.fill,
            "settle": work.settle,
            "shout": work.shout,
            "hush": work.hush,
        }
        tell(ready=True)
        for order in orders:
            tell(**kinds[order["do"]](order))


if __name__ == "__main__":
    main()
