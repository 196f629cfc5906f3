"""Where a table's pages are served: where the settings say, or else where somebody finds them.

A table must not be without a page because its router has given it another address, or because
somebody has typed a wrong one: then it listens at all addresses, which has the right one among
them as soon as the machine gets it, and at the usual port where it may not have its own. Whoever
serves it so says so on the pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from device.errors import AddressError
from device.server import DashboardServer
from device.settings import BY_NAME, Settings
from device.settings_problem import Problem

EVERYWHERE = "0.0.0.0"
FAULT = "address"
"""Code of the fault on the dashboard."""

NOT_THERE = (
    "Die Seite ist nicht dort, wo web.host und web.port sie wollen: Diese Adresse hat das Gerät "
    "nicht. Sie antwortet solange unter allen Adressen des Geräts. Am Gerät berichtigen: "
    "schockauge settings --settings DATEI --set web.host=0.0.0.0, dann neu starten.",
    "The page is not where web.host and web.port want it: the appliance has no such address. "
    "Until that is mended it answers at all addresses of the appliance. Mend it there: "
    "schockauge settings --settings FILE --set web.host=0.0.0.0, then start it anew.",
)
"""What the pages say, German and English."""


def problem_of(error: AddressError) -> Problem:
    """The same with what was wrong, for safe mode."""
    german, english = NOT_THERE
    return Problem(f"{english} ({error})", f"{german} ({error})", "web.host")


def reachable(settings: Settings, app: Any) -> tuple[DashboardServer, AddressError | None]:
    """The server of a table's pages, not started yet, and what was wrong with its address.

    Args:
        settings: of the table.
        app: what it serves (WSGI).

    Raises:
        PortInUseError: another program listens there; it may end.
        AddressError: nowhere at all.
    """
    first: AddressError | None = None
    for host, port in _places(settings):
        try:
            server = DashboardServer(app, host=host, port=port, threads=settings["web.threads"])
        except AddressError as error:
            first = first or error
        else:
            return server, first
    assert first is not None, "there is one place at least"
    raise first


def _places(settings: Settings) -> Iterator[tuple[str, int]]:
    """Where to listen, the best first: another port alone tells nobody what he may not see."""
    usual = BY_NAME["web.port"].default
    assert isinstance(usual, int)
    for host in (settings["web.host"], EVERYWHERE):
        for port in (settings["web.port"], usual):
            yield host, port
