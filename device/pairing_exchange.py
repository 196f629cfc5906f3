"""How a table gets its pairing over a network that others listen in: six digits make a key. Pure.

Both sides know the code from the hub's screen, such as `7-482913`: which offer, and six digits.
By SPAKE2 (RFC 9382 describes its family; here as the package `spake2` does it) each sends one
message and has then the same key, if and only if both know the same six digits. Who listens learns
nothing that he could try digits against; who speaks in another's place has one try for each time.
The table proves first that it has the key; then it gets the pairing, enciphered with it (AES-GCM),
which proves that the hub has it, too. So plain HTTP does, and the hub's certificate comes along.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from spake2 import SPAKE2_A, SPAKE2_B

from device.errors import SchockaugeError

DIGITS = 6
MOST_OFFERS = 99
"""Offers at a time: as many tables as can be paired in the same ten minutes."""

_CODE = re.compile(r"\s*(\d{1,2})\s*-?\s*(\d{3})[\s-]?(\d{3})\s*")
_TABLE, _HUB = b"schockauge table", b"schockauge hub"
_NONCE_BYTES = 12


class WrongCodeError(SchockaugeError, ValueError):
    """The two sides do not know the same six digits."""


@dataclass(frozen=True)
class Code:
    """What is shown at the hub and entered at the table.

    Attributes:
        offer: which of the offers that are open; no secret.
        digits: the secret.
    """

    offer: int
    digits: str

    @classmethod
    def new(cls, offer: int) -> Code:
        """A code for an offer."""
        return cls(offer, f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}")

    @classmethod
    def read(cls, text: str) -> Code:
        """Read what somebody has entered.

        Raises:
            SchockaugeError: it is no code.
        """
        found = _CODE.fullmatch(text)
        if found is None:
            raise SchockaugeError(
                f"{text!r} is no pairing code; expected the number of the offer and six digits as "
                "the hub shows them, such as 7-482913."
            )
        return cls(int(found[1]), found[2] + found[3])

    def __str__(self) -> str:
        return f"{self.offer}-{self.digits}"


class TableExchange:
    """The table's side.

    Args:
        code: as somebody has entered it.

    Attributes:
        message: goes to the hub first.
    """

    def __init__(self, code: Code) -> None:
        self._spake = SPAKE2_A(str(code).encode(), idA=_TABLE, idB=_HUB)
        self.message: bytes = self._spake.start()
        self._key = b""

    def proof(self, their_message: bytes) -> bytes:
        """What goes to the hub second: that the table has the key.

        Raises:
            WrongCodeError: the hub's message is none.
        """
        self._key = _key(self._spake, their_message)
        return _mac(self._key, b"the table has the key")

    def open(self, sealed: bytes) -> dict[str, Any]:
        """Decipher the pairing.

        Raises:
            WrongCodeError: who sent it does not know the code.
        """
        nonce, content = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            opened = json.loads(AESGCM(_cipher_key(self._key)).decrypt(nonce, content, _HUB))
        except (InvalidTag, ValueError) as error:
            raise WrongCodeError(
                "What answers there does not know the code: this is not our hub."
            ) from error
        if not isinstance(opened, dict):
            raise WrongCodeError("What answers there sends no pairing.")
        return opened


class HubExchange:
    """The hub's side.

    Args:
        code: as it was offered.
        their_message: the table's first.

    Attributes:
        message: goes to the table.

    Raises:
        WrongCodeError: the table's message is none.
    """

    def __init__(self, code: Code, their_message: bytes) -> None:
        spake = SPAKE2_B(str(code).encode(), idA=_TABLE, idB=_HUB)
        self.message: bytes = spake.start()
        self._key = _key(spake, their_message)

    def is_proved_by(self, proof: bytes) -> bool:
        """Whether the table has the key."""
        return hmac.compare_digest(proof, _mac(self._key, b"the table has the key"))

    def seal(self, record: Mapping[str, Any]) -> bytes:
        """Encipher the pairing."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        content = json.dumps(record).encode()
        return nonce + AESGCM(_cipher_key(self._key)).encrypt(nonce, content, _HUB)


def _key(spake: Any, their_message: bytes) -> bytes:
    try:
        return bytes(spake.finish(their_message))
    except Exception as error:  # the package has no common error for what is no point of its curve
        raise WrongCodeError("The other side's message is none of this exchange.") from error


def _mac(key: bytes, what: bytes) -> bytes:
    return hmac.digest(key, what, "sha256")


def _cipher_key(key: bytes) -> bytes:
    return _mac(key, b"the pairing itself")
