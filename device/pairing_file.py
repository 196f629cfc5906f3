"""The pairing file: what a table needs to speak to the hub, and nobody else may read.

The hub makes it (`schockauge hub pair`); at the table the setting `hub.pairing_file` names it.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from device.errors import SchockaugeError
from device.hub_wire import KEY_BYTES, check_table

OWNER_ONLY = 0o600


@dataclass(frozen=True)
class BrokerAccess:
    """Where the broker is, and as whom to enter.

    Attributes:
        host: its name or address, one of those in its certificate.
        port: of its door with TLS, or without where `ca_pem` is empty.
        user: a table's is the table's name.
        password: never shown.
        ca_pem: the certificate of whoever signed the broker's; empty: no TLS, which only the
            hub's own way over 127.0.0.1 may go without.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    ca_pem: str = field(default="", repr=False)


@dataclass(frozen=True)
class Pairing:
    """A table that is paired with a hub.

    Attributes:
        table: the name under which the hub knows it.
        access: to the broker.
        key: seals messages, `KEY_BYTES` long.
    """

    table: str
    access: BrokerAccess
    key: bytes = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {"table": self.table, **asdict(self.access), "key": self.key.hex()}

    @classmethod
    def from_json(cls, record: Any) -> Self:
        """Read it.

        Raises:
            SchockaugeError: this is no pairing.
        """
        wanted = {"table": str, "host": str, "port": int, "user": str, "password": str}
        wanted |= {"ca_pem": str, "key": str}
        if not isinstance(record, dict):
            raise SchockaugeError("A pairing is a JSON object; this is something else.")
        for name, kind in wanted.items():
            if type(record.get(name)) is not kind:
                raise SchockaugeError(f"The pairing has no usable {name!r}. Pair the table anew.")
        try:
            key = bytes.fromhex(record["key"])
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES or not 0 < record["port"] < 65536 or not record["host"]:
            raise SchockaugeError("The key or the address in the pairing cannot be. Pair anew.")
        access = BrokerAccess(*(record[n] for n in ("host", "port", "user", "password", "ca_pem")))
        return cls(check_table(record["table"]), access, key)


def load_pairing(path: Path) -> Pairing:
    """Read a pairing file.

    Raises:
        SchockaugeError: it is missing, unreadable or something else.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise SchockaugeError(
            f"The pairing file {path} does not exist. `schockauge pair` makes it."
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise SchockaugeError(f"The pairing file {path} cannot be read: {error}.") from error
    try:
        return Pairing.from_json(record)
    except SchockaugeError as error:
        raise SchockaugeError(f"{path}: {error}") from error


def save_pairing(path: Path, pairing: Pairing) -> None:
    """Write a pairing file that only its owner may read.

    Raises:
        SchockaugeError: it cannot be written.
    """
    write_secret(path, json.dumps(pairing.to_json(), indent=1) + "\n")


def write_secret(path: Path, content: str, *, mode: int = OWNER_ONLY) -> None:
    """Put a new file in the place of an old one, so that a power cut harms none.

    Raises:
        SchockaugeError: it cannot be written.
    """
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        try:
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise SchockaugeError(f"{path} cannot be written: {error.strerror}.") from error
