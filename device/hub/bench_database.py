"""The database of `schockauge bench hub`: one of its own for every measurement, gone afterwards."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from device.errors import HubError
from device.hub.bench_part import family_cpu_s, parent_of
from device.hub.database import shown, telling


@dataclass(frozen=True)
class BenchDatabase:
    """An empty database.

    Attributes:
        url: its address.
        kind: what it is, in words.
        server: the process of its server, where that is one of this machine.
    """

    url: str
    kind: str
    server: int | None = None

    def cpu_s(self) -> float | None:
        """Processor time of the server and all its sessions so far; None where nobody can tell."""
        return None if self.server is None else family_cpu_s(self.server)


@contextmanager
def fresh_database(server: str, folder: Path) -> Iterator[BenchDatabase]:
    """Make an empty database, and remove it afterwards.

    Args:
        server: address of any database of a PostgreSQL in which databases may be made; "": SQLite.
        folder: for the file of SQLite.

    Raises:
        HubError: the server cannot be reached, or allows no new database.
    """
    if not server:
        yield BenchDatabase(f"sqlite:///{folder / 'hub.sqlite3'}", "SQLite")
        return
    url, engine = _engine(server)
    name = f"schockauge_bench_{secrets.token_hex(4)}"
    try:
        with telling(engine), engine.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name} TEMPLATE template0"))
            version = str(connection.execute(sa.text("SHOW server_version")).scalar())
            backend = int(connection.execute(sa.text("SELECT pg_backend_pid()")).scalar() or 0)
            own = parent_of(backend) if url.host in ("127.0.0.1", "localhost", "::1") else None
        fresh = url.set(drivername="postgresql", database=name)
        address = fresh.render_as_string(hide_password=False)
        yield BenchDatabase(address, f"PostgreSQL {version.split()[0]}", own)
    finally:
        with telling(engine), engine.connect() as connection:
            connection.execute(sa.text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        engine.dispose()


def _engine(server: str) -> tuple[sa.URL, sa.Engine]:
    try:
        url = sa.make_url(server)
        is_one = url.get_backend_name() == "postgresql"
    except (sa.exc.ArgumentError, ValueError):
        is_one = False
    if not is_one:
        raise HubError(
            f"{shown(server)!r} is no PostgreSQL. Expected postgresql://user:password@host/postgres."
        )
    driver = url.set(drivername="postgresql+psycopg")
    return url, sa.create_engine(driver, isolation_level="AUTOCOMMIT")
