"""Pairing at the table: asks the hub for the pairing, by the code from the hub's screen."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from device.errors import SchockaugeError
from device.pairing_exchange import Code, TableExchange
from device.pairing_file import Pairing

PATH = "/api/pairing"
TIMEOUT_S = 10.0
MOST_BYTES = 65_536
SCHEME = "schockauge"


@dataclass(frozen=True)
class Invitation:
    """Where the hub is, and the code: what the QR code on its screen says.

    Attributes:
        url: of the hub, such as http://192.168.1.5:8080/.
        code: for one table, once.
    """

    url: str
    code: Code

    def to_text(self) -> str:
        """As the content of a QR code."""
        return f"{SCHEME}:pair?code={self.code}&url={quote(self.url, safe='')}"

    @classmethod
    def read(cls, text: str) -> Invitation:
        """Read the content of a QR code.

        Raises:
            SchockaugeError: it is no invitation.
        """
        split = urlsplit(text)
        told = parse_qs(split.query)
        if split.scheme != SCHEME or split.path != "pair" or not {"code", "url"} <= told.keys():
            raise SchockaugeError("This QR code is none that the hub shows for pairing.")
        return cls(told["url"][0], Code.read(told["code"][0]))


def ask_for_pairing(invitation: Invitation) -> Pairing:
    """Get the pairing from the hub.

    Raises:
        SchockaugeError: the hub cannot be reached or refuses; WrongCodeError: the other side does
            not know the code.
    """
    exchange = TableExchange(invitation.code)
    first = {"offer": invitation.code.offer, "message": exchange.message.hex()}
    answer = _post(invitation.url, first)
    proof = exchange.proof(_hex(answer, "message"))
    last = {"session": answer.get("session"), "proof": proof.hex()}
    return Pairing.from_json(exchange.open(_hex(_post(invitation.url, last), "sealed")))


def _post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    try:
        split = urlsplit(url)
        host, port = split.hostname, split.port
    except ValueError:
        host = port = None
    if not host or split.scheme not in ("http", "https"):
        raise SchockaugeError(
            f"{url!r} is no address of a hub; expected one such as http://192.168.1.5:8080/."
        )
    kind = http.client.HTTPSConnection if split.scheme == "https" else http.client.HTTPConnection
    connection = kind(host, port, timeout=TIMEOUT_S)
    try:
        connection.request("POST", PATH, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        told = json.loads(response.read(MOST_BYTES))
    except (OSError, http.client.HTTPException) as error:
        raise SchockaugeError(f"The hub at {url} cannot be reached: {error}.") from error
    except (ValueError, RecursionError) as error:
        raise SchockaugeError(f"What answers at {url} is no hub.") from error
    finally:
        connection.close()
    if response.status != 200:
        raise SchockaugeError(f"The hub at {url} refuses: {_reason(told, response.status)}")
    return told if isinstance(told, dict) else {}


def _reason(told: Any, status: int) -> str:
    error = told.get("error") if isinstance(told, dict) else None
    said = error.get("text_en") if isinstance(error, dict) else None
    return str(said or f"status {status}.")


def _hex(told: dict[str, Any], name: str) -> bytes:
    try:
        return bytes.fromhex(told[name])
    except (KeyError, TypeError, ValueError) as error:
        raise SchockaugeError(
            f"What answers there is no hub: its answer has no {name!r}."
        ) from error
