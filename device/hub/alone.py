"""One hub per database: who writes holds a lock that ends with its process, however that ends.

PostgreSQL: an advisory lock of the very session that writes. Whoever gets it knows that the
session before is over, and with it a commit of unknown outcome: what is read then is final. SQLite:
a lock on a file beside the database, which the kernel lets go with the process.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from device.errors import DatabaseAwayError, HubError

LOCK = 0x5C40C8
"""The number of the advisory lock, in each database its own."""

PATIENCE_S = 3.0
"""How long a new hub waits for one that was just killed to be noticed as gone."""

_POLL_S = 0.05


class FileLock:
    """A lock on `FILE.lock` beside an SQLite file, held until it is closed.

    Raises:
        DatabaseAwayError: another process holds it.
        HubError: the file cannot be made.
    """

    def __init__(self, database: str) -> None:
        path = Path(f"{database}.lock")
        try:
            self._file = path.open("ab")
        except OSError as error:
            raise HubError(
                f"Cannot make {path}: {error.strerror}. Name a database in a writable folder."
            ) from error
        try:
            _wait_for(self._locked, database)
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Let go; may be called twice."""
        self._file.close()

    def _locked(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def lock_session(connection: sa.Connection) -> None:
    """Take PostgreSQL's lock for as long as this session lasts.

    Raises:
        DatabaseAwayError: another hub holds it.
    """
    query = sa.select(sa.func.pg_try_advisory_lock(LOCK))
    _wait_for(lambda: bool(connection.scalar(query)), str(connection.engine.url.database))
    connection.commit()


@contextmanager
def alone_for_now(connection: sa.Connection) -> Iterator[None]:
    """Hold the lock for one transaction, in which the form of the database is changed.

    Raises:
        DatabaseAwayError: a hub is running on it.
    """
    database = str(connection.engine.url.database)
    if connection.dialect.name == "sqlite":
        lock = FileLock(database)
        try:
            yield
        finally:
            lock.close()
        return
    query = sa.select(sa.func.pg_try_advisory_xact_lock(LOCK))
    _wait_for(lambda: bool(connection.scalar(query)), database)
    yield


def _wait_for(locked: Callable[[], bool], database: str) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not locked():
        if time.monotonic() > deadline_s:
            raise DatabaseAwayError(_taken(database))
        time.sleep(_POLL_S)


def _taken(database: str) -> str:
    return (
        f"Another hub writes to the database {database}, or was just cut off from it. One hub has "
        "one database: stop the other one, wait for some seconds, or name another database."
    )
