"""The composition root of the hub: which database, broker, folder and page a tournament has."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Self

from device.errors import SchockaugeError
from device.hub.assembling import broker_folder, pairing_desk
from device.hub.assembly import Hub
from device.hub.broker import Broker
from device.hub.pairing_office import GUESSED, Office, pages_url
from device.pin_file import FILE_NAME, PinFile
from device.server import SPARE_THREADS, DashboardServer
from device.settings import Settings
from web_ui.access import Access
from web_ui.pins import Pins
from web_ui.tournament_app import create_hub_app

_log = logging.getLogger(__name__)

LOOK_S = 1.0
"""How often it is looked whether another command has paired a table."""

_log = logging.getLogger(__name__)


class HubAppliance:
    """The hub at work: broker, hub and pages; a context manager.

    Args:
        settings: `hub.*` and `web.*`.
        with_broker: run Mosquitto, too; else one runs already with the folder's configuration.
        died: told when the broker has ended by itself.

    Attributes:
        hub: database, hall, and what the pages are given.
        server: the pages.
        first_pin: the admin's generated PIN, until somebody has signed in with it; else None.

    Raises:
        HubError: database or broker cannot be used.
        StoreError: a folder or the PINs cannot be used.
        PortInUseError: another program listens there.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        with_broker: bool = True,
        died: Callable[[str], None] = lambda why: None,
    ) -> None:
        self._over = threading.Event()
        self._closing = ExitStack()
        with ExitStack() as undo:
            self.folder = broker_folder(settings)
            if with_broker:
                undo.enter_context(Broker(self.folder, died))
            else:
                self.folder.prepare()
            root = self.folder.folder
            self._keys = self.folder.keys()
            self.hub = Hub(
                settings["hub.database"] or f"sqlite:///{root / 'hub.sqlite3'}",
                self.folder.hub_access(),
                root / "files",
                keys=self._keys,
            )
            undo.callback(self.hub.close)
            pins = Pins(PinFile(root / FILE_NAME))
            self.first_pin = pins.begin()
            app = create_hub_app(
                self.hub.front,
                {
                    "SIGNED_IN_S": settings["web.signed_in_h"] * 3600.0,
                    "HOST_NAMES": (*settings["web.host_names"], self.folder.settings.host),
                    "DEFAULT_LANGUAGE": settings["web.language"],
                    "PUBLIC_URL": settings["web.public_url"],
                    "STREAM_LIMIT": max(1, settings["web.threads"] - SPARE_THREADS),
                },
                access=Access(pins, note=self.hub.hall.note),
                pairing=self._office(settings["web.host"]),
            )
            self.server = DashboardServer(
                app,
                host=settings["web.host"],
                port=settings["web.port"],
                threads=settings["web.threads"],
            )
            self._closing = undo.pop_all()
        self._watcher = threading.Thread(target=self._watch, name="pairings", daemon=True)

    def __enter__(self) -> Self:
        self.hub.__enter__()
        self._closing.callback(self.server.close)
        self.server.start()
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the paired tables."""
        return tuple(sorted(self._keys))

    def close(self) -> None:
        """End; may be called twice."""
        self._over.set()
        self._closing.close()

    def _office(self, listens_on: str) -> Office:
        """Where tables get their pairings, on the pages that tables reach."""
        desk = pairing_desk(self.folder, self._guessed)
        where = self.folder.settings.host
        url = partial(pages_url, where, listens_on)
        return Office(desk, lambda: url(self.server.port), time.monotonic)

    def _guessed(self, why: str) -> None:
        _log.warning("%s", why)
        try:
            self.hub.hall.report(GUESSED)
        except SchockaugeError as error:  # the desk has an alarm for that; the codes are void
            _log.error("%s", error)

    def _watch(self) -> None:
        """Take over what `schockauge hub pair` and `unpair` have changed."""
        while not self._over.wait(LOOK_S):
            try:
                keys = self.folder.keys()
                if keys != self._keys:
                    self.hub.pair(keys)
                    self._keys = keys
            except SchockaugeError:
                continue  # half written, or the database is away: the next look shows it
            except Exception:  # else no table could be paired any more, and nobody would know
                _log.exception("the pairings could not be taken over")
