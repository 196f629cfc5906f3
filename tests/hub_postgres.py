"""A PostgreSQL of the tests' own, from Debian's package, whose service need not run."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from device.hub.database import open_database
from device.hub.streams import Streams
from device.hub.tables import Tables

START_S = 30.0
"""Patience with its start, also while it mends what a SIGKILL has left."""

_SWITCHES = (
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "max_wal_size=64MB",
)
# Without fsync it survives what the tests do to it (SIGKILL), though not a power cut.


def program(name: str) -> Path:
    """Where a program of PostgreSQL is; without it skip, but never where CI relies on the test."""
    versions = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")  # where Debian keeps them
    found = max(versions, key=lambda path: int(path.parent.parent.name), default=None)
    if found is None and (on_path := shutil.which(name)):
        found = Path(on_path)
    if found is None:
        reason = f"no {name}: the tests of the hub on PostgreSQL need Debian's package postgresql"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and CI must not go without them")
        pytest.skip(reason)
    return found


class Postgres:
    """A server in a folder of its own; as root it runs as `nobody`, because it refuses root."""

    def __init__(self, *switches: str) -> None:
        initdb, self._server = program("initdb"), program("postgres")
        self.password = secrets.token_hex(8)
        self._made: list[str] = []
        self._switches = [*_SWITCHES, *switches]
        self._folder = Path(tempfile.mkdtemp(prefix="schockauge-postgres-"))
        password = self._folder / "password.txt"
        password.write_text(self.password)
        password.chmod(0o644)  # the folder itself is closed to others
        self._as: dict[str, Any] = {"cwd": self._folder}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
            self._as |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        words = ["--username=schock", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        words += ["--auth=scram-sha-256", f"--pwfile={password}", f"-D{self._folder / 'data'}"]
        subprocess.run([initdb, *words], check=True, capture_output=True, **self._as)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def url(self, database: str) -> str:
        """The address of a database there."""
        return f"postgresql://schock:{self.password}@127.0.0.1:{self.port}/{database}"

    def fresh(self, *options: str) -> str:
        """Make an empty database and return its address."""
        name = f"hub_{secrets.token_hex(6)}"
        with self._connect() as connection:
            connection.execute(f"CREATE DATABASE {name} {' '.join(options)}".encode())
        self._made.append(name)
        return self.url(name)

    def clear(self) -> None:
        """Remove the databases that earlier tests have left."""
        with self._connect() as connection:
            while self._made:
                connection.execute(f"DROP DATABASE {self._made.pop()} WITH (FORCE)".encode())

    def start(self) -> None:
        """Start it, unless it runs, and wait until it answers."""
        if self._process is not None and self._process.poll() is None:
            return
        switches = [word for switch in self._switches for word in ("-c", switch)]
        with (self._folder / "console.txt").open("ab") as console:
            self._process = subprocess.Popen(
                [self._server, "-D", self._folder / "data", "-p", str(self.port), *switches],
                stdout=console, stderr=console, **self._as,
            )  # fmt: skip
        deadline_s = time.monotonic() + START_S
        while True:
            try:
                self._connect().close()
                return
            except psycopg.OperationalError as error:
                if time.monotonic() > deadline_s or self._process.poll() is not None:
                    said = (self._folder / "console.txt").read_text()
                    raise AssertionError(f"PostgreSQL did not start: {error}\n{said}") from error
                time.sleep(0.05)

    def kill(self) -> None:
        """Pull its plug: the server and all its children at once, by SIGKILL."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)  # so that it sees none of its children die
        for child in _children(self._process.pid):
            os.kill(child, signal.SIGKILL)
        self._process.kill()
        self._process.wait()

    def drop_sessions(self) -> None:
        """End every session but this one, as an administrator or a proxy would."""
        with self._connect() as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )

    def close(self) -> None:
        """Stop it and remove its folder."""
        if self._process is not None and self._process.poll() is None:
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)  # its children are just ending

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.url("postgres"), autocommit=True)


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, after = stat.read_text().rpartition(")")
        except OSError:
            continue  # it has just ended
        if int(after.split()[1]) == parent:
            found.append(int(stat.parent.name))
    return found


@contextmanager
def opened(url: str, keys: Mapping[str, bytes] | None = None) -> Iterator[Streams]:
    """The streams of a database, with tables that are paired."""
    engine = open_database(url)
    try:
        with Streams(engine) as streams:
            if keys is not None:
                Tables(streams).replace(keys, at_s=0.0)
            yield streams
    finally:
        engine.dispose()
