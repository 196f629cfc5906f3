"""Who may speak to the broker: the paired tables, the hub itself, and Home Assistant.

One file for its owner alone. Of a table it holds the sealing key and the hash of the password; the
password itself is in the table's pairing file and nowhere else.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from device.errors import HubError
from device.pairing_file import OWNER_ONLY, write_secret

HUB, HOME_ASSISTANT = "hub", "homeassistant"
OWN_USERS = frozenset({HUB, HOME_ASSISTANT})
"""No table can be called so."""

SALT_BYTES = 12
ITERATIONS = 101
"""As `mosquitto_passwd` does it. More would protect passwords that people choose; ours are 256 bits
of chance, and a hundred tables that come back at once must not keep the broker busy."""


@dataclass(frozen=True)
class PairedTable:
    """A table that may speak to the broker.

    Attributes:
        key: seals its messages, hexadecimal.
        password_hash: in the form of Mosquitto's password file.
        paired_at_s: when, Unix time.
    """

    key: str = field(repr=False)
    password_hash: str = field(repr=False)
    paired_at_s: float


@dataclass(frozen=True)
class Paired:
    """All that the file holds.

    Attributes:
        tables: by name.
        users: passwords of `OWN_USERS`, as far as they may enter.
    """

    tables: Mapping[str, PairedTable] = field(default_factory=dict)
    users: Mapping[str, str] = field(default_factory=dict, repr=False)


class PairedFile:
    """The file; several processes may use it.

    Args:
        path: made with the first change.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Paired:
        """What it holds now.

        Raises:
            HubError: it cannot be read, or holds something else.
        """
        try:
            record = json.loads(self.path.read_text(encoding="utf-8"))
            tables = {name: PairedTable(**told) for name, told in record["tables"].items()}
            users = {name: str(password) for name, password in record["users"].items()}
        except FileNotFoundError:
            return Paired()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise HubError(
                f"The paired tables in {self.path} cannot be read: {error}. Restore the file "
                "from a copy; or delete it, then all tables have to be paired anew."
            ) from error
        return Paired(tables, users)

    @contextmanager
    def changing(self) -> Iterator[dict[str, dict[str, Any]]]:
        """Change `tables` and `users` (plain JSON) while no other process does; then it is written.

        Raises:
            HubError: the file cannot be read; SchockaugeError: it cannot be written.
        """
        with self.alone():
            now = self.read()
            record: dict[str, dict[str, Any]] = {
                "tables": {name: asdict(table) for name, table in now.tables.items()},
                "users": dict(now.users),
            }
            yield record
            write_secret(self.path, json.dumps(record, indent=1, sort_keys=True) + "\n")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let no other process or thread in; not to be nested."""
        lock = os.open(self.path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, OWNER_ONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def password_hash(password: str) -> str:
    """Hash a password in the form of Mosquitto's password file.

    Source: mosquitto_passwd(1), `sha512-pbkdf2`.
    """
    salt = secrets.token_bytes(SALT_BYTES)
    hashed = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    coded = (base64.b64encode(part).decode() for part in (salt, hashed))
    return "$".join(("", "7", str(ITERATIONS), *coded))


def password_file(paired: Paired) -> str:
    """Mosquitto's password file."""
    hashes = {name: password_hash(password) for name, password in paired.users.items()}
    hashes |= {name: table.password_hash for name, table in paired.tables.items()}
    return "".join(f"{name}:{hashed}\n" for name, hashed in sorted(hashes.items()))


_OWN_RIGHTS = {
    HUB: (
        "read schockauge/#",
        "write schockauge/+/set/#",
        "write homeassistant/#",
        "read homeassistant/status",
    ),
    HOME_ASSISTANT: (
        "read schockauge/+/available",
        "read schockauge/+/state",
        "read homeassistant/#",
        "write homeassistant/status",
    ),
}

_TABLE_RIGHTS = (
    "write schockauge/{table}/available",
    "write schockauge/{table}/state",
    "write schockauge/{table}/events",
    "write schockauge/{table}/evidence/+",
    "write schockauge/{table}/answers/+",
    "read schockauge/{table}/set/#",
)


def rights_file(paired: Paired) -> str:
    """Mosquitto's list of who may read and write what; whoever is not in it may nothing."""
    rights: dict[str, tuple[str, ...]] = {name: _OWN_RIGHTS[name] for name in paired.users}
    rights |= {
        name: tuple(right.format(table=name) for right in _TABLE_RIGHTS) for name in paired.tables
    }
    return "\n".join(
        f"user {name}\n" + "".join(f"topic {right}\n" for right in rights[name])
        for name in sorted(rights)
    )
