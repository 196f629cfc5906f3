"""A hub that takes in what its tables send, and what can happen to its database."""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from hub_postgres import opened
from hub_tables import SendingTable, deliver, keys_of, some_log

from device.hub.receiver import Receiver
from device.hub.streams import Streams
from device.hub.table_log import HubLog

PATIENCE_S = 120.0
"""With a machine that has much else to do."""


class Hub:
    """A receiver, the tables that hear it, and the faults that it has told."""

    def __init__(self, streams: Streams, tables: Iterable[SendingTable]) -> None:
        self.streams, self.tables = streams, list(tables)
        self.faults: list[tuple[str, bool]] = []
        self.log = HubLog(streams)
        self.now_s = 0.0
        self.receiver = Receiver(
            streams, self.log, self._publish, self._fault, ticks=lambda: self.now_s
        )

    def _publish(self, where: str, payload: bytes) -> None:
        deliver(self.tables, where, payload)

    def _fault(self, what: str, wrong: str | None) -> None:
        self.faults.append((what, wrong is not None))

    def send_all(self, size: int = 10) -> None:
        """Let the tables send until they have heard that everything is there."""
        deadline_s = time.monotonic() + PATIENCE_S
        while not all(table.done for table in self.tables):
            assert time.monotonic() < deadline_s, [t.cursor for t in self.tables]
            before = [table.cursor for table in self.tables]
            for table in self.tables:
                for each in table.messages(size):
                    self.receiver.put(*each)
            soon_s = time.monotonic() + 0.2
            while [t.cursor for t in self.tables] == before and time.monotonic() < soon_s:
                time.sleep(0.002)

    def incidents(self, count: int) -> list[dict[str, Any]]:
        until(lambda: len(self.log.read()) >= count)
        return [entry.data for entry in self.log.read()]

    def holds_exactly(self) -> None:
        """The database has the logs of the tables, whole, in order, once."""
        for table in self.tables:
            assert self.streams.log(table.log[0].hash).read(limit=100_000) == table.log
        feed = self.streams.read(limit=1_000_000)
        assert [entry.seq for entry in feed] == list(range(1, len(feed) + 1))
        of_tables = [entry for entry in feed if entry.table]
        assert len(of_tables) == sum(len(table.log) for table in self.tables)


@contextmanager
def hub(url: str, *tables: SendingTable) -> Iterator[Hub]:
    with opened(url, keys_of(*(table.name for table in tables))) as streams:
        made = Hub(streams, tables)
        with made.receiver:
            yield made


def until(there: Callable[[], object]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < deadline_s
        time.sleep(0.005)


def some_tables(count: int, length: int) -> list[SendingTable]:
    return [SendingTable(f"table-{n}", some_log(f"table-{n}", length)) for n in range(count)]


class Trouble:
    """Breaks the connection at the next commits: before they are made, or just after."""

    def __init__(self, streams: Streams, then: Callable[[], None] = lambda: None) -> None:
        self.made: list[bool] = []
        self._then = then
        sa.event.listen(streams.engine, "commit", self._commit)

    def _commit(self, connection: sa.Connection) -> None:
        if not self.made or not connection.get_execution_options().get("schockauge_writes"):
            return
        raw: Any = connection.connection.dbapi_connection
        if self.made.pop(0):
            raw.commit()
        if not isinstance(raw, sqlite3.Connection):
            raw.close()  # the commit that follows finds no one
            self._then()
            return
        if raw.in_transaction:
            raw.rollback()
        lost = sqlite3.OperationalError("disk I/O error")
        raise sa.exc.OperationalError("COMMIT", {}, lost)
