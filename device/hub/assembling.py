"""The hub's broker and pairing desk, put together from settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from device.errors import SettingsError
from device.hub.addresses import own_addresses, own_names
from device.hub.broker import reload_broker
from device.hub.broker_folder import BrokerFolder, BrokerSettings
from device.hub.pairing import PairingDesk
from device.settings import Settings


def broker_folder(settings: Settings) -> BrokerFolder:
    """The folder of the broker; a change is told to a broker that runs there, whoever has begun it.

    Raises:
        SettingsError: nobody can tell under which address tables reach the hub.
        HubError: the folder cannot be used.
    """
    folder = BrokerFolder(Path(settings["hub.folder"]), broker_settings(settings))

    def reload() -> None:
        reload_broker(folder.config)

    folder.on_change = reload
    return folder


def broker_settings(settings: Settings) -> BrokerSettings:
    """How the broker is reached.

    Raises:
        SettingsError: nobody can tell under which address.
    """
    addresses, names = own_addresses(), own_names()
    host = settings["hub.host"] or next(iter(addresses), "")
    if not host:
        raise SettingsError(
            "This machine has no address in a network; connect it, or set hub.host to the name or "
            "address under which tables reach it."
        )
    return BrokerSettings(
        host=host,
        port=settings["hub.broker_port"],
        local_port=settings["hub.local_port"],
        names=frozenset({host, "localhost", *addresses, *names, *settings["hub.host_names"]}),
    )


def pairing_desk(folder: BrokerFolder, report: Callable[[str], None]) -> PairingDesk:
    """Where tables get their pairings; `report`: told when somebody guesses codes."""
    return PairingDesk(folder.issue, report, time.monotonic)
