"""The hub's own connection to the broker: everything of all tables comes in here.

The session is a clean one: the tables' logs are the outbox, so that what the broker would keep for
a hub that is away comes again anyway, from the cursor, and nothing stale is worked through first.
Therefore whoever uses this publishes all cursors and seatings anew whenever `changed` says that
there is a connection; the broker keeps nothing on disk (docs/hub.md, "The broker").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from device.hub_wire import ANSWERS, AVAILABLE, EVENTS, EVIDENCE, ROOT, STATE
from device.mqtt import Connection, Received, Trouble, nobody
from device.pairing_file import BrokerAccess

NAME = "schockauge-hub"

_FROM_TABLES = (AVAILABLE, STATE, EVENTS, f"{EVIDENCE}/+", f"{ANSWERS}/+")


class HubLink:
    """Hands on what tables send, and sends to them; a context manager.

    Args:
        access: to the broker, as the user `hub`.
        received: told of every message (topic, content, whether the broker had kept it) in the
            connection's thread: it must not block.
        changed: told whether there is a connection, whenever that changes; must not block either.
        failed: told of an error that one of the two let out.

    Raises:
        SchockaugeError: the certificate of the hub is none.
    """

    def __init__(
        self,
        access: BrokerAccess,
        received: Received,
        changed: Callable[[bool], None] = nobody,
        failed: Callable[[Exception], None] = nobody,
    ) -> None:
        topics = [f"{ROOT}/+/{what}" for what in _FROM_TABLES]
        self._connection = Connection(access, NAME, topics, received, changed, failed)

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection and all subscriptions stand."""
        return self._connection.is_connected

    @property
    def trouble(self) -> Trouble:
        """Why there is none."""
        return self._connection.trouble

    def publish(self, topic: str, content: bytes, *, retain: bool = False) -> bool:
        """Send a message; False: there is no connection, nothing was kept of it."""
        return self._connection.publish(topic, content, retain=retain)

    def start(self) -> Self:
        """Connect in the background, and go on doing so."""
        self._connection.start()
        return self

    def close(self) -> None:
        """End; may be called twice."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()
