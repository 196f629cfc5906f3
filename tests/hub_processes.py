"""A whole hall of real processes: tables, hub, broker, database; each of them can be killed."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from first_pin import first_pin
from hub_desk import PATIENCE_S, Desk, until
from hub_mosquitto import Hall, free_port
from hub_postgres import Postgres

from device.hub_wire import CURSOR, EVENTS, topic
from device.mqtt import Connection
from device.pairing_file import BrokerAccess, Pairing, save_pairing
from device.store import LogEntry, SqliteLog

ALL = 10_000_000


class Killable:
    """`schockauge` with some words as a process, which is killed and started again.

    Args:
        folder: where it runs; its console is in `NAME.txt` there.
        name: of the console.
        words: the command with its options.
    """

    def __init__(self, folder: Path, name: str, *words: object) -> None:
        self._folder, self._words = folder, [str(word) for word in words]
        self.console = folder / f"{name}.txt"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = self._begun(*self._words)

    def kill(self) -> None:
        """As a power cut would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _begun(self, *words: object) -> subprocess.Popen[bytes]:
        with self.console.open("ab") as console:
            return subprocess.Popen(
                [sys.executable, "-m", "device", *map(str, words)],
                stdout=console, stderr=console, cwd=self._folder,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
            )  # fmt: skip


class Table(Killable):
    """A table that plays by itself, with its log on disk."""

    def __init__(self, folder: Path, pairing: Pairing, move_s: float) -> None:
        self.pairing, self.name = pairing, pairing.table
        self.path = folder / f"{self.name}.sqlite3"
        self._file = folder / f"{self.name}.json"
        save_pairing(self._file, pairing)
        super().__init__(
            folder, self.name, "simulate", "tournament", "--pairing", self._file,
            "--folder", folder, "--move", move_s,
        )  # fmt: skip

    def end(self) -> int:
        """How many entries its log has."""
        if not self.path.exists():
            return 0
        try:
            return int(self._rows("SELECT coalesce(max(seq), 0) FROM entries")[0][0])
        except sqlite3.OperationalError:
            return 0  # it has just been made

    def shows_fault(self) -> bool:
        """Whether one of the faults in its log is not over."""
        last_of_each = (
            "SELECT type, max(seq) FROM entries WHERE type IN ('fault', 'fault_over') "
            "GROUP BY json_extract(data, '$.what')"
        )
        return any(kind == "fault" for kind, _ in self._rows(last_of_each))

    def send_rest(self) -> None:
        """Send what the hub lacks of its log; the table does not run, so nothing is added."""
        assert not self.is_running
        words = ("uplink", self.path, "--pairing", self._file, "--seconds", PATIENCE_S)
        assert self._begun(*words).wait() == 0, self.console.read_text()

    def entries(self) -> list[LogEntry]:
        """Its log, checked; the table does not run."""
        assert not self.is_running
        with SqliteLog(self.path) as log:
            return log.read(0, ALL)

    def _rows(self, query: str) -> list[Any]:
        """Ask its log, which may be written meanwhile.

        The file is let go of at once: while anybody has it open, SQLite does not look for what a
        writer that was killed had written already, and shows that entry only to a later reader.
        """
        connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=10.0)
        with closing(connection) as log:
            return log.execute(query).fetchall()


class Spy:
    """Hears what tables send, as the hub does, and can say it again in a table's name."""

    def __init__(self, access: BrokerAccess) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._lock = threading.Lock()
        self._connection = Connection(
            access, "spy", [topic("+", EVENTS)], self._hear, lambda connected: None
        )
        self._connection.start()

    def of(self, table: str) -> list[bytes]:
        """What a table has sent."""
        with self._lock:
            return [content for where, content in self.heard if where == topic(table, EVENTS)]

    def close(self) -> None:
        self._connection.close()

    def _hear(self, where: str, content: bytes, is_kept: bool) -> None:
        with self._lock:
            self.heard.append((where, content))


@contextmanager
def speaker(pairing: Pairing) -> Iterator[Connection]:
    """Another client with a table's password."""
    heard = [topic(pairing.table, CURSOR)]
    made = Connection(pairing.access, "replay", heard, lambda *_: None, lambda _: None)
    made.start()
    try:
        until(lambda: made.is_connected, "it is let in")
        yield made
    finally:
        made.close()


class HallOfProcesses:
    """Tables, hub, broker and database, all of them there.

    Args:
        folder: for everything.
        broker: the fixture `hall`.
        postgres: the fixture.
        tables: how many.
        move_s: from one move at a table to the next.
        roads: ports on which the first tables reach the broker instead of its own.
    """

    def __init__(
        self, folder: Path, broker: Hall, postgres: Postgres, tables: int, move_s: float,
        *roads: int,
    ) -> None:  # fmt: skip
        self.broker, self.postgres, self.database = broker, postgres, postgres.fresh()
        pairings = [broker.folder.issue(f"table-{n}") for n in range(1, tables + 1)]
        for n, port in enumerate(roads):
            access = replace(pairings[n].access, port=port)
            pairings[n] = replace(pairings[n], access=access)
        self.tables = [Table(folder, pairing, move_s) for pairing in pairings]
        port, root = free_port(), broker.folder.folder
        settings = folder / "hub.toml"
        settings.write_text(
            f'[hub]\nhost = "127.0.0.1"\nbroker_port = {broker.folder.settings.port}\n'
            f'folder = "{root}"\ndatabase = "{self.database}"\n[web]\nport = {port}\n'
        )
        self.hub = Killable(folder, "hub", "hub", "run", "--no-broker", "--settings", settings)
        self.desk = Desk(port)

    def start(self) -> None:
        """Start hub and tables; the organiser signs in."""
        self.hub.start()
        for table in self.tables:
            table.start()
        until(lambda: self.desk.get("tournament"), "the hub answers")
        self.desk.sign_in(first_pin(self.hub.console))
        until(lambda: self.online() == {table.name for table in self.tables}, "all are there")

    def online(self) -> set[str]:
        """The tables that are there, as the desk sees them."""
        return {one["name"] for one in self.desk.tournament()["tables"] if one["online"]}

    def has_gone_on(self, *without: Table, entries: int = 10) -> None:
        """Wait until every table has written more, and the hub has what they had then."""
        begun = {table.name: table.end() + entries for table in self.tables}
        for table in self.tables:
            until(lambda table=table: table.end() >= begun[table.name], f"{table.name} goes on")
        self.hub_has({t.name: t.end() for t in self.tables if t not in without})

    def hub_has(self, ends: dict[str, int]) -> None:
        """Wait until the hub has so many entries of each table."""

        def known() -> bool:
            counted = self.count()
            return all(counted.get(name, 0) >= end for name, end in ends.items())

        until(known, f"the hub has {ends}")

    def count(self) -> dict[str, int]:
        """How many entries the hub's database has of each table; nothing while it is away."""
        import psycopg

        try:
            with psycopg.connect(self.database) as database:
                query = (
                    "SELECT table_name, count(*) FROM entries JOIN logs ON logs.id = entries.log "
                    "WHERE table_name IS NOT NULL GROUP BY table_name"
                )
                return {str(name): int(count) for name, count in database.execute(query)}
        except psycopg.OperationalError:
            return {}

    def close(self) -> None:
        for process in (*self.tables, self.hub):
            process.kill()
