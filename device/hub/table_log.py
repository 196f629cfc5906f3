"""Logs of the hub's database in the form of every other log: one table's, and the hub's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from device.chain import LogEntry, chain, verify_chain
from device.errors import StoreError
from device.hub.feed import Accepted

if TYPE_CHECKING:
    from device.hub.streams import Streams


class TableLog:
    """One log as `device.store.EventLog`, to read: only its table writes it.

    Args:
        streams: where it is.
        log_id: the hash of its first entry; a log that has not come yet is empty.
    """

    def __init__(self, streams: Streams, log_id: str) -> None:
        self.id = log_id
        self._streams = streams

    def append(self, type: str, data: Mapping[str, Any], *, at_s: float) -> LogEntry:
        """Refuse: see `append_all`."""
        return self.append_all([(type, data)], at_s=at_s)[0]

    def append_all(
        self, items: Sequence[tuple[str, Mapping[str, Any]]], *, at_s: float
    ) -> list[LogEntry]:
        """Refuse.

        Raises:
            StoreError: always.
        """
        raise StoreError(
            f"The hub cannot write {[kind for kind, _ in items]} into the log of a table; only the "
            "table itself does."
        )

    def read(self, after_seq: int = 0, limit: int = 1000) -> list[LogEntry]:
        """The entries after `after_seq`, oldest first, at most `limit`."""
        return [entry.entry() for entry in self._streams.read_log(self.id, after_seq, limit)]

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Wait until there is an entry after `after_seq`; False when the time ran out."""
        return self._streams.wait_log(lambda: self.id, after_seq, timeout_s)

    def close(self) -> None:
        """Nothing to let go of."""


class HubLog:
    """The hub's own log: what the desk did, who was paired, what went wrong. As `EventLog`.

    It is a log like those of the tables, chained like them, in the same feed, of the table "".

    Args:
        streams: where it is; the log that was written to last is continued.

    Raises:
        HubError: the database cannot be read.
        LogDamagedError: the log's chain is broken.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        last: LogEntry | None = None
        while page := self.read(last.seq if last else 0):
            verify_chain(page, last)
            last = page[-1]

    def append(self, type: str, data: Mapping[str, Any], *, at_s: float) -> LogEntry:
        """Write one entry and return it."""
        return self.append_all([(type, data)], at_s=at_s)[0]

    def append_all(
        self, items: Sequence[tuple[str, Mapping[str, Any]]], *, at_s: float
    ) -> list[LogEntry]:
        """Write several entries, all or none of them.

        Raises:
            StoreError: they are no JSON.
            DatabaseAwayError: the database did not answer. Lost while committing and not back at
                once, they may be there all the same: read before writing again.
            HubError: the database refuses them.
        """
        with self._streams.alone:
            ends = self._streams.ends()
            end = ends.get(self._streams.own_log())
            entries = chain(end.entry() if end else None, items, at_s=at_s)
            if entries:
                log_id = end.log if end else entries[0].hash
                self._streams.add([Accepted("", log_id, tuple(entries))])
            return entries

    def read(self, after_seq: int = 0, limit: int = 1000) -> list[LogEntry]:
        """The entries after `after_seq`, oldest first, at most `limit`."""
        feed = self._streams.read_log(self._streams.own_log(), after_seq, limit)
        return [entry.entry() for entry in feed]

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Wait until there is an entry after `after_seq`; False when the time ran out."""
        return self._streams.wait_log(self._streams.own_log, after_seq, timeout_s)

    def close(self) -> None:
        """Nothing to let go of: the streams belong to whoever opened them."""
