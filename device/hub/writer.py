"""The one connection that writes to the hub's database, and holds its lock while it lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from device.errors import HubError
from device.hub.alone import FileLock, lock_session
from device.hub.database import shown, telling, writing


class Writer:
    """Transactions one after the other; after a failure the next one begins on a new connection.

    Args:
        engine: of `open_database`.

    Raises:
        HubError: another hub writes there, or the database cannot be reached.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = writing(engine)
        self._connection: sa.Connection | None = None
        self._closed = False
        sqlite = engine.dialect.name == "sqlite"
        self._file = FileLock(str(engine.url.database)) if sqlite else None

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """Commit what is done in it, or nothing of it.

        Raises:
            DatabaseAwayError: the database did not answer. Lost while committing, what was done
                may be there all the same.
            HubError: it refuses what was done.
        """
        with telling(self._engine):
            connection = self._connected()
            try:
                with connection.begin():
                    yield connection
            except BaseException:
                self._drop()  # with its lock, and whatever it still has open
                raise

    def close(self) -> None:
        """Let go of connection and lock; may be called twice."""
        self._closed = True
        self._drop()
        if self._file is not None:
            self._file.close()

    def _connected(self) -> sa.Connection:
        if self._closed:
            raise HubError(f"The hub's database {shown(self._engine.url)} is closed.")
        if self._connection is None:
            self._connection = connection = self._engine.connect()
            try:
                if self._file is None:
                    lock_session(connection)
            except BaseException:
                self._drop()
                raise
        return self._connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()  # really closed: nobody else gets the session with its lock
            connection.close()
