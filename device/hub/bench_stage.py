"""Everything that runs for one measurement of `schockauge bench hub`.

Mosquitto with certificates, passwords and rights as the hub prepares it; PostgreSQL, or a file; the
hub with its pages; the tables, a hundred to a process.
"""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from device.hub.bench_database import BenchDatabase, fresh_database
from device.hub.bench_part import Part, cpu_s
from device.hub.broker import Broker
from device.hub.broker_folder import BrokerFolder, BrokerSettings
from device.pairing_file import Pairing

TABLES_A_PROCESS = 100
"""With two files for its log and three sockets each; a few threads of each wait at any time."""


@dataclass(frozen=True)
class Load:
    """What is asked of the hub.

    Attributes:
        tables: how many.
        rate: entries a second that each of them writes.
        seconds: for how long.
        backlog: instead: so many entries that each has when it comes back.
        viewers: screens that follow the live stream.
        boards: how many of them fetch the wall's board.
        processes: for the tables; 0: one for each hundred.
        memory: the tables' logs are in memory, not in files.
        database: address of a PostgreSQL server; "": a file.
        seed: of games and moments.
    """

    tables: int = 200
    rate: float = 1.0
    seconds: float = 60.0
    backlog: int = 0
    viewers: int = 5
    boards: int = 1
    processes: int = 0
    memory: bool = False
    database: str = ""
    seed: int = 1


class Bench:
    """Everything that runs for one measurement; a context manager.

    Args:
        load: how much of what.

    Raises:
        HubError: there is no broker or database to be had.
    """

    def __init__(self, load: Load) -> None:
        self.load = load
        self._closing = ExitStack()

    def __enter__(self) -> Bench:
        with ExitStack() as stack:
            self._folder = Path(stack.enter_context(_folder()))
            self.database: BenchDatabase = stack.enter_context(
                fresh_database(self.load.database, self._folder)
            )
            names = frozenset({"127.0.0.1", "localhost"})
            folder = BrokerFolder(
                self._folder / "broker", BrokerSettings("127.0.0.1", _free_port(), names)
            )
            folder.prepare()
            self.pairings = [folder.issue(f"table-{n}") for n in range(1, self.load.tables + 1)]
            self.broker = stack.enter_context(Broker(folder))
            self.access = asdict(folder.hub_access())
            self.tables = [stack.enter_context(part) for part in self._table_parts()]
            for part in self.tables:
                part.answer()
            self._closing = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    @contextmanager
    def hub(self, *, tournament: bool) -> Iterator[tuple[Part, int]]:
        """The hub's process, and the port of its pages."""
        config = {
            "database": self.database.url,
            "access": self.access,
            "folder": str(self._folder / "files"),
            "keys": {one.table: one.key.hex() for one in self.pairings},
            "viewers": self.load.viewers,
            "tournament": tournament,
        }
        with Part("bench_hall", config) as hub:
            yield hub, hub.answer()["port"]

    def all(self, **order: Any) -> list[dict[str, Any]]:
        """Have all tables do something, at the same time, and wait for them."""
        for part in self.tables:
            part.send(order)
        return [part.answer() for part in self.tables]

    def cpu(self, hub: Part, viewers: Part | None = None) -> dict[str, float]:
        """Processor time that each has used so far, seconds."""
        used = {
            "hub": cpu_s([hub.pid]),
            "broker": cpu_s([self.broker.pid or 0]),
            "tables": cpu_s(part.pid for part in self.tables),
        }
        if (database := self.database.cpu_s()) is not None:
            used["database"] = database
        return used if viewers is None else used | {"viewers": cpu_s([viewers.pid])}

    def _table_parts(self) -> Iterator[Part]:
        load = self.load
        count = load.processes or -(-load.tables // TABLES_A_PROCESS)
        folder = None
        if not load.memory:
            folder = str(self._folder / "tables")
            Path(folder).mkdir(mode=0o700)
        for number in range(count):
            some: list[Pairing] = self.pairings[number::count]
            records = [pairing.to_json() for pairing in some]
            seed = load.seed + 10_000 * number
            yield Part("bench_tables", {"pairings": records, "folder": folder, "seed": seed})


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="schockauge-bench-")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
