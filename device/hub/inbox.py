"""Where messages wait for the hub's receiver: bounded, a flood costs no more than it may."""

from __future__ import annotations

import threading
import time
from collections import deque

from device.hub_wire import MOST_BYTES

MOST_WAITING_BYTES = 64 * 1024 * 1024
"""Together; what comes on top is dropped, and its table sends it again: nobody confirms it."""

MOST_AT_ONCE = 500
"""Messages in one transaction: what 200 tables send in the time that one commit takes, twice."""

MOST_BYTES_AT_ONCE = 4 * 1024 * 1024
"""In one transaction: taken apart, entries need about ten times the room that they have here."""

GATHER_S = 0.02
"""So long what comes is gathered where little waits: hundreds of tables that send an entry each
cost few transactions, and nobody sees the difference."""

LITTLE = 50
"""Messages."""


class Inbox:
    """Messages, topic and content, in the order of arrival. Safe to use from several threads."""

    def __init__(self, most_bytes: int = MOST_WAITING_BYTES) -> None:
        self._most_bytes = most_bytes
        self._arrived = threading.Condition()
        self._messages: deque[tuple[str, bytes]] = deque()
        self._bytes = 0
        self._rung = False
        self.dropped = 0

    def put(self, topic: str, payload: bytes) -> bool:
        """Take a message at once; False: there is no room, it was dropped and counted."""
        payload = payload[: MOST_BYTES + 1]  # enough to tell that it is too large
        size = len(topic) + len(payload)
        with self._arrived:
            if self._bytes + size > self._most_bytes:
                self.dropped += 1
                return False
            self._messages.append((topic, payload))
            self._bytes += size
            self._arrived.notify()
        return True

    def ring(self) -> None:
        """Let `take` return, though no message may be there."""
        with self._arrived:
            self._rung = True
            self._arrived.notify()

    def take(self, timeout_s: float | None) -> list[tuple[str, bytes]]:
        """Wait for messages, and return what is there, at most `MOST_AT_ONCE`; for one thread.

        Args:
            timeout_s: how long; None: for as long as it takes.
        """
        with self._arrived:
            self._arrived.wait_for(lambda: self._messages or self._rung, timeout_s)
        if 0 < len(self._messages) < LITTLE:
            time.sleep(GATHER_S)
        taken: list[tuple[str, bytes]] = []
        size = 0
        with self._arrived:
            self._rung = False
            while self._messages and len(taken) < MOST_AT_ONCE and size < MOST_BYTES_AT_ONCE:
                taken.append(self._messages.popleft())
                size += sum(map(len, taken[-1]))
            self._bytes -= size
        return taken

    def __len__(self) -> int:
        return len(self._messages)
