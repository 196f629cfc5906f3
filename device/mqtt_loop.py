"""The thread in which a connection to the broker lives: connects, reads, writes, comes back.

paho brings one of its own (`loop_start`). That one looks at its sockets by select(), which ends at
file number 1023: a hub with hundreds of viewers, or many tables in one process, would lose the
broker one day and never get it back. It also sleeps a second at a time, however soon it is to end,
and all tables that lost the same broker would come back in the same instant.
"""

from __future__ import annotations

import random
import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import MQTTErrorCode

RETRY_S = (0.5, 10.0)
"""Between two tries to connect: doubling from the first to the second, and up to half of it more by
chance."""

LOOK_S = 1.0
"""At least so often it is looked whether a ping is due or overdue."""


class NetworkLoop:
    """Runs a paho client until `close`.

    Args:
        client: with host and port (`connect_async`); nobody else may run it.
        name: of the thread.
        failed: called in the thread when connecting has failed, or the connection has ended by an
            error that nobody has thought of.
    """

    def __init__(self, client: Client, name: str, failed: Callable[[Exception], None]) -> None:
        self._client, self._failed = client, failed
        self._over = threading.Event()
        self._pause_s = RETRY_S[0]
        self._woken, self._waker = socket.socketpair()
        self._woken.settimeout(0.0)
        self._waker.settimeout(0.0)
        client.on_socket_register_write = lambda *_: self.wake()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """There is something to send; from any thread."""
        with suppress(OSError):  # full: it is awake already; closed: it is over
            self._waker.send(b"\0")

    def went_well(self) -> None:
        """There is a connection: the next one may be tried soon."""
        self._pause_s = RETRY_S[0]

    def close(self, patience_s: float) -> None:
        """Send what is waiting, say goodbye, and end; may be called twice."""
        self._over.set()
        self._client.disconnect()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(patience_s)
        if self._thread.is_alive() and (open_socket := self._client.socket()) is not None:
            with suppress(OSError):  # a line on which nothing moves any more
                open_socket.close()
                self._thread.join(LOOK_S)
        if not self._thread.is_alive():
            self._woken.close()
            self._waker.close()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._client.reconnect()
                self._carry()
            except Exception as error:  # whatever it is (a host's name that is none): go on trying
                self._failed(error)
            self._over.wait(self._pause_s * random.uniform(1.0, 1.5))
            self._pause_s = min(2 * self._pause_s, RETRY_S[1])

    def _carry(self) -> None:
        """Read and write until the connection ends."""
        result = MQTTErrorCode.MQTT_ERR_SUCCESS
        while result == MQTTErrorCode.MQTT_ERR_SUCCESS:
            there = self._client.socket()
            if there is None or there.fileno() < 0:
                return
            may_read, may_write = self._wait(there)
            if may_read:
                result = self._client.loop_read()
            if may_write and result == MQTTErrorCode.MQTT_ERR_SUCCESS:
                result = self._client.loop_write()
            if result == MQTTErrorCode.MQTT_ERR_SUCCESS:
                result = self._client.loop_misc()

    def _wait(self, there: Any) -> tuple[bool, bool]:
        """Wait until something can be read or written."""
        poll = select.poll()
        wanted = select.POLLOUT if self._client.want_write() else 0
        poll.register(there.fileno(), select.POLLIN | wanted)
        poll.register(self._woken.fileno(), select.POLLIN)
        deciphered = there.pending() if hasattr(there, "pending") else 0  # TLS has read ahead
        found = dict(poll.poll(0 if deciphered else 1000 * LOOK_S))
        if self._woken.fileno() in found:
            with suppress(BlockingIOError):
                self._woken.recv(4096)
        events = found.get(there.fileno(), 0)
        broken = select.POLLERR | select.POLLHUP | select.POLLNVAL
        may_read = bool(deciphered or events & (select.POLLIN | broken))
        return may_read, bool(events & select.POLLOUT or self._client.want_write())
