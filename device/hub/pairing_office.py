"""Pairing on the hub's own pages: codes for the desk, pairings for those who know one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address

from device.errors import SchockaugeError
from device.hub.pairing import Offer, PairingDesk
from device.pairing_client import Invitation
from web_ui.errors import ActionRefused
from web_ui.tournament_pairing import OpenCode

GUESSED: Mapping[str, str] = {
    "kind": "pairing_guessed",
    "table": "",
    "text_de": "Zehnmal wurde ein falscher Kopplungscode eingegeben. Alle offenen Codes sind "
    "ungültig; bitte neue holen. Geschieht es wieder, rät jemand: dann per Datei koppeln.",
    "text_en": "A wrong pairing code was entered ten times. All open codes are void; please get "
    "new ones. If it happens again somebody is guessing: then pair by file.",
}
"""Incident: somebody has guessed."""

UNREACHED = (
    "Diese Seite ist nur auf diesem Rechner zu erreichen, kein Tisch kann sich hier melden. Die "
    "Turnierleitung mit --host 0.0.0.0 starten (web.host), oder per Datei koppeln.",
    "This page can be reached on this machine alone, so no table can ask here. Start the hub with "
    "--host 0.0.0.0 (web.host), or pair by file.",
)


class Office:
    """Implements `web_ui.tournament_pairing.PairingOffice`.

    Args:
        desk: has the codes and gives out the pairings.
        url: where tables reach the hub's pages; "" where they cannot.
        clock: monotonic time, seconds; the desk's.
    """

    def __init__(
        self, desk: PairingDesk, url: Callable[[], str], clock: Callable[[], float]
    ) -> None:
        self._desk, self._url, self._clock = desk, url, clock

    def offer(self, table: str) -> None:
        """Have a code for a table; one that is open already stays, two may have asked for it.

        Raises:
            ActionRefused: it cannot be called so, or no table could reach this page.
        """
        if (problem := self.problem()) is not None:
            raise ActionRefused(*problem, "pairing_unreached")
        try:
            self._desk.offer_once(table)
        except SchockaugeError as error:
            raise ActionRefused(
                f"„{table}“ geht nicht: erwartet werden 1 bis 32 kleine Buchstaben a bis z, "
                "Ziffern und Bindestriche, etwa table-7, und höchstens 99 offene Codes.",
                str(error),
                "pairing_name",
            ) from error

    def withdraw(self, table: str) -> None:
        """Let a table's code hold no more."""
        self._desk.withdraw(table)

    def codes(self) -> Sequence[OpenCode]:
        """The codes that are open."""
        return [self._shown(offer) for offer in self._desk.offers()]

    def problem(self) -> tuple[str, str] | None:
        """Why no table can be paired here, in German and English; None where it can."""
        return None if self._url() else UNREACHED

    def begin(self, offer: int, message: bytes) -> tuple[str, bytes]:
        """Take a table's first message; see `PairingDesk.begin`."""
        return self._desk.begin(offer, message)

    def finish(self, session: str, proof: bytes) -> bytes:
        """Take its proof; see `PairingDesk.finish`."""
        return self._desk.finish(session, proof)

    def _shown(self, offer: Offer) -> OpenCode:
        url = self._url()
        return OpenCode(
            table=offer.table,
            code=str(offer.code),
            url=url,
            invitation=Invitation(url, offer.code).to_text(),
            left_s=max(0.0, offer.until_s - self._clock()),
        )


def pages_url(host: str, listens_on: str, port: int) -> str:
    """Say where tables reach the hub's pages; "" where only this machine does.

    Args:
        host: name or address of the hub, as it stands in pairings.
        listens_on: the address at which the pages are served.
        port: the port.
    """
    if _is_loopback(listens_on) and not _is_loopback(host):
        return ""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
