"""Which tables are paired with the hub, in its database."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from device.hub.database import telling
from device.hub.schema import tables
from device.hub.streams import Streams


class Tables:
    """The paired tables and the keys that their messages are sealed with.

    Args:
        streams: who writes to the database.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def keys(self) -> dict[str, bytes]:
        """The key of every paired table, by its name.

        Raises:
            HubError: the database cannot be read.
        """
        query = sa.select(tables.c.name, tables.c.key).where(tables.c.key.is_not(None))
        engine = self._streams.engine
        with telling(engine), engine.connect() as connection:
            return {row.name: row.key for row in connection.execute(query.order_by(tables.c.name))}

    def replace(self, keys: Mapping[str, bytes], *, at_s: float) -> None:
        """Let these be paired and no others; the logs of the others stay.

        Raises:
            HubError: the database cannot be written.
        """
        with self._streams.transaction() as connection:
            rows = connection.execute(sa.select(tables.c.name, tables.c.key)).all()
            known = {row.name: row.key for row in rows}
            for name in known.keys() | keys.keys():
                key = keys.get(name)
                if name not in known:
                    row = {"name": name, "key": key, "paired_at_s": at_s}
                    connection.execute(sa.insert(tables).values(row))
                elif known[name] != key:
                    row = {"key": key} if key is None else {"key": key, "paired_at_s": at_s}
                    connection.execute(
                        sa.update(tables).where(tables.c.name == name).values(row)
                    )  # fmt: skip
