"""Mosquitto as a child of the hub: started, watched, started again when it dies.

The number of its process is above its configuration, so that another command (`hub pair`) can tell
it to read its lists anew, and a hub that was killed finds the broker that it has left behind.
"""

from __future__ import annotations

import fcntl
import logging
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from device.errors import HubError
from device.hub.broker_folder import BrokerFolder, find_mosquitto
from device.pairing_file import OWNER_ONLY

START_S = 10.0
STOP_S = 5.0
ALONE_S = 2.0
"""So long a new one waits for one that is just ending."""

AGAIN_S = (0.2, 10.0)
"""After a death it is started again so much later, doubling from the first to the second."""

STEADY_S = 30.0
"""Who has lived so long dies for a new reason: the pauses begin anew."""

MOST_LOG_BYTES = 5_000_000

_log = logging.getLogger(__name__)


class Broker:
    """Runs Mosquitto in a prepared folder; a context manager.

    Args:
        folder: is prepared before the start.
        died: told each time it has ended by itself; it is started again anyway.
    """

    def __init__(
        self, folder: BrokerFolder, died: Callable[[str], None] = lambda why: None
    ) -> None:
        self._folder, self._died = folder, died
        self._process: subprocess.Popen[bytes] | None = None
        self._alone: IO[bytes] | None = None
        self._over, self._lock = threading.Event(), threading.Lock()
        self._watcher = threading.Thread(target=self._watch, name="broker", daemon=True)

    @property
    def pid(self) -> int | None:
        """Of Mosquitto; None: it does not run."""
        return None if self._process is None else self._process.pid

    def start(self) -> Self:
        """Prepare the folder, end what was left behind there, start, and wait until it answers.

        Raises:
            HubError: Mosquitto is not installed, does not start, or another hub runs one in this
                folder; says why.
        """
        self._alone = _alone(self._folder.folder)  # else it would end a broker that is at work
        try:
            self._folder.prepare()
            end_left_behind(self._folder.config)
            self._start()
        except BaseException:
            self._alone.close()
            raise
        self._watcher.start()
        return self

    def close(self) -> None:
        """End it; may be called twice."""
        with self._lock:  # no start is under way, and none comes after this one
            self._over.set()
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._watcher.is_alive():
            self._watcher.join(STOP_S)
        if self._alone is not None and not self._alone.closed:
            _pid_file(self._folder.config).unlink(missing_ok=True)
            self._alone.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        port = self._folder.settings.port
        if _listens(port):
            raise HubError(f"Another program listens on port {port}: set hub.broker_port.")
        log_file = self._folder.folder / "mosquitto.log"
        long = log_file.exists() and log_file.stat().st_size > MOST_LOG_BYTES
        with log_file.open("wb" if long else "ab") as log:
            command = [find_mosquitto(), "-c", str(self._folder.config)]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        _pid_file(self._folder.config).write_text(str(self._process.pid))
        end_s = time.monotonic() + START_S
        while not _listens(port):
            if self._process.poll() is not None or time.monotonic() > end_s:
                self._process.kill()
                self._process.wait()
                raise HubError(
                    f"Mosquitto does not start on port {port}: {_last_line(log_file)} "
                    f"(all of it in {log_file})."
                )
            time.sleep(0.02)

    def _watch(self) -> None:
        pause_s, least_s = AGAIN_S[0], AGAIN_S[0]
        while self._process is not None:
            begun_s = time.monotonic()
            status = self._process.wait()
            if self._over.is_set():
                return
            _log.warning("mosquitto has ended with status %s; it is started again", status)
            self._died(f"Mosquitto has ended with status {status}.")
            pause_s = least_s if time.monotonic() - begun_s > STEADY_S else pause_s
            while not self._over.wait(pause_s):
                pause_s = min(2 * pause_s, AGAIN_S[1])
                try:
                    with self._lock:
                        if self._over.is_set():
                            return
                        self._start()
                except (HubError, OSError) as error:
                    self._died(str(error))
                else:
                    break


def reload_broker(config: Path) -> bool:
    """Have the broker that runs with a configuration read its lists anew; False: none does."""
    if (pid := _running(config)) is None:
        return False
    os.kill(pid, signal.SIGHUP)
    return True


def is_running(config: Path) -> bool:
    """Whether a broker runs with a configuration."""
    return _running(config) is not None


def end_left_behind(config: Path) -> None:
    """End the broker of a hub that was killed."""
    if (pid := _running(config)) is None:
        return
    os.kill(pid, signal.SIGTERM)
    end_s = time.monotonic() + STOP_S
    while _running(config) == pid and time.monotonic() < end_s:
        time.sleep(0.02)


def _running(config: Path) -> int | None:
    """The process that runs with a configuration, as the file above it says and /proc confirms."""
    with suppress(OSError, ValueError):
        pid = int(_pid_file(config).read_text())
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if str(config).encode() in words:
            return pid
    return None


def _alone(folder: Path) -> IO[bytes]:
    """Lock the folder; the kernel lets go of it with the process, however that ends.

    Raises:
        HubError: another process holds it, or it cannot be made.
    """
    path = folder / "broker.lock"
    try:
        held = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, OWNER_ONLY), "wb")
    except OSError as error:
        raise HubError(f"{path} cannot be written: {error.strerror}.") from error
    end_s = time.monotonic() + ALONE_S
    while True:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end_s:
                held.close()
                raise HubError(
                    f"Another hub runs with the folder {folder}. Stop that one first, or set "
                    "hub.folder to another one."
                ) from None
            time.sleep(0.05)
        else:
            return held


def _pid_file(config: Path) -> Path:
    return config.parent.with_name("mosquitto.pid")


def _listens(port: int) -> bool:
    with socket.socket() as knocking:
        knocking.settimeout(1.0)
        return knocking.connect_ex(("127.0.0.1", port)) == 0


def _last_line(log_file: Path) -> str:
    with suppress(OSError):
        lines = log_file.read_text(errors="replace").strip().splitlines()
        errors = [line for line in lines[-20:] if "rror" in line]
        return (errors or lines or [""])[-1]
    return ""
