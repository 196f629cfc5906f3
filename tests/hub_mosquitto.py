"""A real broker on a free port, which can be killed and comes back; a road to it that breaks."""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from device.hub.broker import Broker, reload_broker
from device.hub.broker_folder import BrokerFolder, BrokerSettings

READY_S = 10.0
"""Patience with the start of a broker."""


def mosquitto() -> str:
    """The broker's program; without it tests are skipped, and fail where all tools should be."""
    found = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        missing = "mosquitto is not installed (Debian: apt-get install mosquitto)"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return found


def until(said: Callable[[], object], patience_s: float = 60.0) -> None:
    """Wait until something holds."""
    end_s = time.monotonic() + patience_s
    while not said():
        assert time.monotonic() < end_s, "it did not come to that"
        time.sleep(0.005)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as knocking:
        knocking.settimeout(1.0)
        return knocking.connect_ex(("127.0.0.1", port)) == 0


class PlainMosquitto:
    """A broker that lets everybody do everything, without TLS."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._config = folder / "plain.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self._folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen(
                [mosquitto(), "-c", str(self._config)], stdout=log, stderr=log
            )
        until(lambda: listens(self.port), READY_S)

    def kill(self) -> None:
        """As a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Proxy:
    """A road to a broker: it can be cut, held for a while, or made slow.

    Args:
        port: where it leads to.
    """

    def __init__(self, port: int) -> None:
        self.delay_s = 0.0
        self._to = port
        self._open = threading.Event()
        self._open.set()
        self._held = threading.Event()
        self._held.set()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and let none through."""
        self._open.clear()
        for pair in self._pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        self._pairs.clear()

    def mend(self) -> None:
        """Let connections through again."""
        self._open.set()

    def hold(self) -> None:
        """Let nothing pass, and nobody notice: a cable that was pulled."""
        self._held.clear()

    def let_go(self) -> None:
        """Let what was held pass."""
        self._held.set()

    def close(self) -> None:
        self.cut()
        self.let_go()
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._server.accept()
            except OSError:
                return
            try:
                if not self._open.is_set():
                    raise OSError("the road is cut")
                there = socket.create_connection(("127.0.0.1", self._to), 5.0)
            except OSError:
                here.close()
                continue
            there.settimeout(None)
            self._pairs.append((here, there))
            for one, other in ((here, there), (there, here)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while content := one.recv(65_536):
                self._held.wait()
                time.sleep(self.delay_s)
                other.sendall(content)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


class Hall:
    """The hub's broker as the hub prepares and runs it, on a free port.

    Attributes:
        folder: its folder.
        broker: runs it; it comes back by itself.
        deaths: what was told of its ends.
    """

    def __init__(self, where: Path) -> None:
        mosquitto()
        self.deaths: list[str] = []
        port = free_port()
        settings = BrokerSettings("127.0.0.1", port, frozenset({"127.0.0.1", "localhost"}))
        self.folder = BrokerFolder(where, settings)
        self.folder.on_change = self.reload
        self.broker = Broker(self.folder, self.deaths.append)

    def reload(self) -> None:
        reload_broker(self.folder.config)

    def kill(self) -> None:
        """As a power cut would; it is back soon after."""
        pid = self.broker.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        until(lambda: self.broker.pid != pid and listens(self.folder.settings.port))

    def log(self) -> str:
        return (self.folder.folder / "mosquitto.log").read_text()
