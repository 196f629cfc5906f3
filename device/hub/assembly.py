"""The hub put together: database, receiver, hall, station, and what the pages are given."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from device.hub.database import open_database
from device.hub.discovery import discovery, forgotten
from device.hub.files import Files
from device.hub.front import Front
from device.hub.hall import Hall
from device.hub.link import HubLink
from device.hub.receiver import Receiver
from device.hub.station import Station
from device.hub.streams import Streams
from device.hub.table_log import HubLog
from device.hub.tables import Tables
from device.pairing_file import BrokerAccess

FILE_CAME = "hall.file"
"""Entry of the hub's log: a still or clip that was asked for is here."""

_log = logging.getLogger(__name__)


class Hub:
    """One hub; a context manager that works between entering and leaving.

    Args:
        database: its address, such as `sqlite:///hub.sqlite3` or `postgresql://…`.
        access: to the broker, as its user `hub`.
        folder: for stills and clips of disputes.
        keys: the paired tables; None: as the database says.
        clock: Unix time in seconds.

    Attributes:
        streams: all logs.
        front: what the pages are given.
        hall: the tournament.
        receiver: takes in what tables send.

    Raises:
        HubError: the database cannot be reached, or another hub works on it.
        StoreError: the folder cannot be made.
    """

    def __init__(
        self,
        database: str,
        access: BrokerAccess,
        folder: Path,
        *,
        keys: Mapping[str, bytes] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._faults: dict[str, str] = {}
        self._came: set[tuple[str, str]] = set()
        self._clock = clock
        self._closing = ExitStack()
        with ExitStack() as undo:
            engine = open_database(database)
            undo.callback(engine.dispose)
            self.streams = undo.enter_context(Streams(engine, clock))
            log = HubLog(self.streams)
            self._tables = Tables(self.streams)
            if keys is not None:
                self._tables.replace(keys, at_s=clock())
            self._keys = self._tables.keys()
            self.receiver = Receiver(self.streams, log, self._publish_kept, self._report, clock)
            self._station = Station(self._publish, lambda: self._keys, self)
            self._link = HubLink(access, self._station.received, self._station.changed)
            undo.callback(self._link.close)
            self.hall = Hall(
                self.streams,
                log,
                clock=clock,
                devices=lambda: sorted(self._keys),
                seat=self._station.seat,
                report=self._report,
            )
            self._files = Files(folder, self._station.want, time.monotonic)
            self.front = Front(
                self.hall,
                self.streams,
                self.streams,
                self._station.state,
                self._station.ask,
                self._files,
                self._faulty,
                clock,
            )
            self._closing = undo.pop_all()

    def __enter__(self) -> Self:
        self._closing.callback(self._link.close)
        self._station.start()
        self._closing.callback(self._station.close)
        self.receiver.start()
        self._closing.callback(self.receiver.close)
        self.hall.start()
        self._closing.callback(self.hall.close)
        self._link.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there."""
        return self._link.is_connected

    def close(self) -> None:
        """End; may be called twice."""
        self._closing.close()

    def pair(self, keys: Mapping[str, bytes]) -> None:
        """From now on these tables are paired, and no others.

        Raises:
            HubError: the database cannot be written.
        """
        gone = self._keys.keys() - keys.keys()
        self._tables.replace(keys, at_s=self._clock())
        self._keys = dict(keys)
        self.receiver.reload(keys)
        self._station.paired()
        self.hall.tell_all()
        self._tell_home_assistant(gone)

    # --- what the station hands on ------------------------------------------------------------

    def events(self, topic: str, content: bytes) -> None:
        """A piece of a table's log."""
        self.receiver.put(topic, content)

    def available(self, table: str, *, online: bool) -> None:
        """A table has come or gone."""
        self.hall.available(table, online=online)

    def file(self, table: str, sha256: str, content: bytes) -> None:
        """A still or clip has come."""
        if self._files.take(table, sha256, content):
            self._came.add((table, sha256))
        if (table, sha256) in self._came:  # also when the database was away at the first try
            self.hall.note(FILE_CAME, {"table": table, "sha256": sha256})
            self._came.discard((table, sha256))

    def connected(self) -> None:
        """The broker is there: it may have forgotten what it kept."""
        self.receiver.announce()
        self.hall.tell_all()
        self._tell_home_assistant()

    # --- out ----------------------------------------------------------------------------------

    def _publish(self, topic: str, content: bytes, *, retain: bool = False) -> bool:
        return self._link.publish(topic, content, retain=retain)

    def _tell_home_assistant(self, gone: Collection[str] = ()) -> None:
        """Tell Home Assistant which tables there are, and which are no more."""
        told = [discovery(table) for table in self._keys]
        for messages in (*told, *(forgotten(table) for table in gone)):
            for where, content in messages.items():
                self._link.publish(where, content, retain=True)

    def _publish_kept(self, topic: str, content: bytes) -> None:
        self._link.publish(topic, content, retain=True)

    def _report(self, fault: str, why: str | None) -> None:
        """A fault of the hub itself; it cannot be in the log while the database is away."""
        if why is None:
            self._faults.pop(fault, None)
        else:
            self._faults[fault] = why
            _log.error("%s: %s", fault, why)

    def _faulty(self) -> list[Mapping[str, Any]]:
        told = list(self._faults.items())
        if not self._link.is_connected:
            told.append(("broker", self._link.trouble.value or "away"))
        return [_fault(what, why, self._clock()) for what, why in told]


def _fault(what: str, why: str, at_s: float) -> Mapping[str, Any]:
    german, english = FAULTS.get(what, FAULTS["receiver"])
    texts = {"text_de": german.format(why=why), "text_en": english.format(why=why)}
    return {"kind": what, "table": "", "at_s": at_s, **texts}


FAULTS: Mapping[str, tuple[str, str]] = {
    "database": (
        "Die Datenbank ist nicht zu erreichen ({why}). An den Tischen geht es weiter; was fehlt, "
        "kommt nach.",
        "The database cannot be reached ({why}). The tables play on; what is missing comes later.",
    ),
    "broker": (
        "Der Broker (Mosquitto) ist nicht zu erreichen ({why}). An den Tischen geht es weiter; was "
        "fehlt, kommt nach.",
        "The broker (Mosquitto) cannot be reached ({why}). The tables play on; what is missing "
        "comes later.",
    ),
    "hall": (
        "Die Spielleitung kommt mit dem, was in den Protokollen steht, nicht weiter ({why}). "
        "Ergebnisse bitte von den Karten eintragen, und dies melden.",
        "The hall cannot go on with what stands in the logs ({why}). Please enter results from "
        "the cards, and report this.",
    ),
    "receiver": (
        "Die Turnierleitung nimmt nichts mehr an ({why}). Bitte neu starten; nichts geht verloren.",
        "The hub takes nothing any more ({why}). Please restart it; nothing is lost.",
    ),
}
