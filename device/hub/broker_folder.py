"""The folder of the hub's broker: who may enter, certificates, and Mosquitto's own files.

`paired.json`, `ca.key` and `ca.pem` are the hub's; everything in `mosquitto/` follows from them and
is written anew whenever it is prepared. Started as root, Mosquitto goes on as the user `mosquitto`:
then that folder is his, and the hub's own files still are not. Where he cannot get to it (below
/root, for instance) he stays root; a hub should not be started as root anyway.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from device.errors import HubError, SchockaugeError
from device.hub.certificates import Authority
from device.hub.paired import (
    HOME_ASSISTANT,
    HUB,
    OWN_USERS,
    PairedFile,
    PairedTable,
    password_file,
    password_hash,
    rights_file,
)
from device.hub_wire import KEY_BYTES, MOST_EVIDENCE_BYTES, check_table
from device.pairing_file import BrokerAccess, Pairing, write_secret

BROKER_USER = "mosquitto"
PASSWORD_BYTES = 32
HEADROOM_BYTES = 4096

_CONFIG = """\
# Written by `schockauge hub`; changes are lost. See docs/hub.md, "The broker".
listener {port}
cafile {folder}/ca.pem
certfile {folder}/broker.pem
keyfile {folder}/broker.key
tls_version tlsv1.2
{local}
allow_anonymous false
allow_zero_length_clientid false
password_file {folder}/passwords
acl_file {folder}/rights

# Nothing is kept on disk: tables and hub tell everything anew that was retained, so that a broker
# that was killed never comes back with a seating or cursor of before.
persistence false
max_packet_size {most_bytes}
max_queued_messages 10000
max_queued_bytes 268435456
max_inflight_messages 100
set_tcp_nodelay true

log_dest stderr
log_timestamp_format %Y-%m-%dT%H:%M:%S
log_type error
log_type warning
log_type notice
connection_messages true
{user}"""


@dataclass(frozen=True)
class BrokerSettings:
    """How the broker is reached.

    Attributes:
        host: name or address that is written into pairings.
        port: with TLS, on all addresses.
        local_port: without TLS, on 127.0.0.1 alone; 0: none.
        names: all names and addresses that its certificate has, `host` among them.
    """

    host: str
    port: int
    names: frozenset[str]
    local_port: int = 0


class BrokerFolder:
    """Prepares the folder, and lets tables in and out.

    Args:
        folder: made when absent.
        settings: how the broker is reached.

    Attributes:
        on_change: called after every change that a running broker has to take over.

    Raises:
        HubError: the folder cannot be made, or holds something else.
    """

    def __init__(self, folder: Path, settings: BrokerSettings) -> None:
        self.folder, self.settings = folder.resolve(), settings
        self.on_change: Callable[[], None] = lambda: None
        self._broker = self.folder / "mosquitto"
        try:
            self.folder.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, exist_ok=True)
            self._broker.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise HubError(f"The folder {folder} cannot be made: {error.strerror}.") from error
        self.authority = Authority(self.folder)
        self.paired = PairedFile(self.folder / "paired.json")

    @property
    def config(self) -> Path:
        """Mosquitto's configuration."""
        return self._broker / "mosquitto.conf"

    def prepare(self) -> None:
        """Write everything that Mosquitto needs.

        Raises:
            SchockaugeError: a file cannot be written.
        """
        if HUB not in self.paired.read().users:
            self._let_in(HUB)
        self._write()

    def hub_access(self) -> BrokerAccess:
        """The hub's own way in; `prepare` first.

        Raises:
            HubError: nobody has prepared the folder.
        """
        return self._own_access(HUB)

    def home_assistant_access(self) -> BrokerAccess:
        """Home Assistant's, who is let in with that.

        Raises:
            SchockaugeError: a file cannot be written.
        """
        if HOME_ASSISTANT not in self.paired.read().users:
            self._let_in(HOME_ASSISTANT)
            self._write()
            self.on_change()
        return self._own_access(HOME_ASSISTANT, self.settings.host)

    def issue(self, table: str) -> Pairing:
        """Pair a table; a pairing that it had before is void.

        Raises:
            SchockaugeError: it cannot be called so, or a file cannot be written.
        """
        if check_table(table) in OWN_USERS:
            raise SchockaugeError(f"A table cannot be called {table!r}: somebody else is.")
        password, key = secrets.token_urlsafe(PASSWORD_BYTES), secrets.token_bytes(KEY_BYTES)
        with self.paired.changing() as record:
            record["tables"][table] = asdict(
                PairedTable(key.hex(), password_hash(password), time.time())
            )
        self._write()
        self.on_change()
        where = self.settings
        access = BrokerAccess(where.host, where.port, table, password, self.authority.pem)
        return Pairing(table, access, key)

    def withdraw(self, table: str) -> bool:
        """End a pairing; False: there was none.

        Raises:
            SchockaugeError: a file cannot be written.
        """
        with self.paired.changing() as record:
            was_paired = record["tables"].pop(table, None) is not None
        self._write()
        self.on_change()
        return was_paired

    def keys(self) -> dict[str, bytes]:
        """The sealing keys of all paired tables.

        Raises:
            HubError: their file cannot be read.
        """
        tables = self.paired.read().tables
        try:
            return {name: bytes.fromhex(table.key) for name, table in tables.items()}
        except (ValueError, TypeError) as error:
            raise HubError(
                f"A key in {self.paired.path} is none: {error}. Restore the file from a copy."
            ) from error

    def _own_access(self, user: str, host: str = "127.0.0.1") -> BrokerAccess:
        password = self.paired.read().users.get(user)
        if password is None:
            raise HubError(f"{self.folder} is no prepared folder: start the broker first.")
        return BrokerAccess(host, self.settings.port, user, password, self.authority.pem)

    def _let_in(self, user: str) -> None:
        with self.paired.changing() as record:
            record["users"].setdefault(user, secrets.token_urlsafe(PASSWORD_BYTES))

    def _write(self) -> None:
        """One at a time, so that the last one has written what is there by now."""
        with self.paired.alone():
            self._write_alone()

    def _write_alone(self) -> None:
        paired, folder, owner = self.paired.read(), self._broker, _owner(self._broker)
        self.authority.certify(
            folder / "broker.pem", folder / "broker.key", self.settings.names | {"127.0.0.1"}
        )
        local = f"listener {self.settings.local_port} 127.0.0.1" if self.settings.local_port else ""
        config = _CONFIG.format(
            port=self.settings.port,
            folder=folder,
            local=local,
            most_bytes=MOST_EVIDENCE_BYTES + HEADROOM_BYTES,
            user=f"user {BROKER_USER if owner else 'root'}\n" if os.geteuid() == 0 else "",
        )
        written = {
            "ca.pem": self.authority.pem,
            "passwords": password_file(paired),
            "rights": rights_file(paired),
            "mosquitto.conf": config,
        }
        for name, content in written.items():
            write_secret(folder / name, content)
        if owner:
            for name in ("", "broker.pem", "broker.key", *written):
                os.chown(folder / name, *owner, follow_symlinks=False)


def find_mosquitto() -> str:
    """The broker's program.

    Raises:
        HubError: it is not installed.
    """
    found = shutil.which(
        "mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
    )
    if found is None:
        raise HubError("Mosquitto is not installed; on Debian: apt-get install mosquitto")
    return found


def _owner(folder: Path) -> tuple[int, int] | None:
    """Of Mosquitto's files, where it does not go on as who starts it."""
    if os.geteuid() != 0 or not all(above.stat().st_mode & 0o001 for above in folder.parents):
        return None
    try:
        found = pwd.getpwnam(BROKER_USER)
    except KeyError:
        return None
    return found.pw_uid, found.pw_gid
