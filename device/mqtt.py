"""A connection to the broker that comes back by itself. This and `mqtt_loop` alone know paho-mqtt.

MQTT 5, because then the broker says when it refuses a message (a table that writes under another's
name), where 3.1.1 drops it without a word. The session is a clean one: what is sent and not taken
lies in a log, so that there is nothing for the broker to keep, and nothing stale comes out of it.
For the same reason what paho still holds of a lost connection is thrown away.
"""

from __future__ import annotations

import hmac
import logging
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion

from device.errors import SchockaugeError
from device.mqtt_loop import NetworkLoop
from device.pairing_file import BrokerAccess

KEEPALIVE_S = 10
"""A cable that was pulled shows within one and a half times this: then the last will is told."""

AT_LEAST_ONCE = 1

GOODBYE_S = 2.0
"""How long closing waits for the broker to take the last word."""

_NOT_US = frozenset({134, 135})
"""Reasons of MQTT 5 (3.2.2.2): bad user name or password, not authorized."""

_log = logging.getLogger(__name__)


class Trouble(Enum):
    """Why there is no connection."""

    NONE = ""
    AWAY = "away"
    REFUSED = "refused"
    """The broker does not know the user or the password."""
    UNTRUSTED = "untrusted"
    """What answers there has no certificate of our hub."""


Received = Callable[[str, bytes, bool], None]
"""Topic, content, and whether the broker has kept it (retained)."""

Changed = Callable[[bool], None]
"""There is a connection, all subscriptions stand; or it is lost."""


def nobody(_: object) -> None:
    """For those who need not be told."""


class Connection:
    """The way to the broker, for a table or the hub.

    Both callbacks run in the connection's own thread and must not block. An error in one of them
    is logged and handed to `failed`; the connection goes on.

    Args:
        access: where and as whom.
        name: one connection a name and password; a second one ends the first.
        topics: to subscribe to.
        received: told of every message.
        changed: told of every change of the connection.
        failed: told of an error in one of the two.
        will: topic and content that the broker keeps and tells when the connection is lost.

    Raises:
        SchockaugeError: the certificate of the hub is none.
    """

    def __init__(
        self,
        access: BrokerAccess,
        name: str,
        topics: Sequence[str],
        received: Received,
        changed: Changed,
        failed: Callable[[Exception], None] = nobody,
        *,
        will: tuple[str, bytes] | None = None,
    ) -> None:
        self._access, self._topics, self._will = access, tuple(topics), will
        self._received, self._changed, self._failed = received, changed, failed
        self._lock = threading.Lock()
        self._is_connected = False
        self.trouble = Trouble.AWAY
        self.refused: str | None = None
        self._client = self._make(_client_id(name, access.password))
        self._client.connect_async(access.host, access.port, KEEPALIVE_S, clean_start=True)
        self._loop = NetworkLoop(self._client, f"mqtt {name}", self._could_not_connect)

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection and all subscriptions stand."""
        return self._is_connected

    def start(self) -> None:
        """Connect in the background, and go on doing so."""
        self._loop.start()

    def publish(self, topic: str, content: bytes, *, retain: bool = False) -> bool:
        """Send a message; False: there is no connection, nothing was kept of it."""
        with self._lock:
            if not self._is_connected:
                return False
            sent = self._client.publish(topic, content, AT_LEAST_ONCE, retain)
        return sent.rc == MQTTErrorCode.MQTT_ERR_SUCCESS

    def close(self) -> None:
        """Say goodbye (with what the will says) and end; may be called twice."""
        with self._lock:
            was_connected, self._is_connected = self._is_connected, False
            if was_connected and self._will is not None:
                topic, content = self._will
                last = self._client.publish(topic, content, AT_LEAST_ONCE, retain=True)
            else:
                last = None
        if last is not None:
            with suppress(RuntimeError, ValueError):
                last.wait_for_publish(GOODBYE_S)
        self._loop.close(GOODBYE_S)

    def _make(self, client_id: str) -> Client:
        client = Client(CallbackAPIVersion.VERSION2, client_id, protocol=MQTTProtocolVersion.MQTTv5)
        client.username_pw_set(self._access.user, self._access.password)
        if self._access.ca_pem:
            client.tls_set_context(_tls(self._access.ca_pem))
        client.max_inflight_messages = 100
        if self._will is not None:
            client.will_set(*self._will, qos=AT_LEAST_ONCE, retain=True)
        client.on_socket_open = _without_delay
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        return client

    def _on_connect(self, client: Client, _: Any, flags: Any, reason: Any, more: Any) -> None:
        if reason.is_failure:  # for another reason the broker may take us later
            self.trouble = Trouble.REFUSED if reason.value in _NOT_US else Trouble.AWAY
            return
        client.subscribe([(topic, AT_LEAST_ONCE) for topic in self._topics])

    def _could_not_connect(self, error: Exception) -> None:
        if not isinstance(error, OSError):
            _log.error("the connection to %s failed: %r", self._access.host, error)
        self._lost()
        untrusted = isinstance(error, ssl.SSLCertVerificationError)
        self.trouble = Trouble.UNTRUSTED if untrusted else Trouble.AWAY

    def _on_subscribe(self, client: Client, _: Any, mid: int, reasons: Any, more: Any) -> None:
        if any(reason.is_failure for reason in reasons):
            self.trouble = Trouble.REFUSED
            return
        with self._lock:
            self._is_connected, self.trouble, self.refused = True, Trouble.NONE, None
        self._loop.went_well()
        self._tell(self._changed, self._is_connected)

    def _on_disconnect(self, client: Client, _: Any, flags: Any, reason: Any, more: Any) -> None:
        self._lost()

    def _lost(self) -> None:
        with self._lock:
            was_connected, self._is_connected = self._is_connected, False
            self._client.drop_out_messages()
        if was_connected:
            self.trouble = Trouble.AWAY
            self._tell(self._changed, self._is_connected)

    def _on_message(self, client: Client, _: Any, message: Any) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        self._tell(self._received, topic, bytes(message.payload), bool(message.retain))

    def _on_publish(self, client: Client, _: Any, mid: int, reason: Any, more: Any) -> None:
        if reason.is_failure:  # without the lock: paho holds its own, publish() takes both
            self.refused = str(reason)

    def _tell(self, callback: Callable[..., None], *said: Any) -> None:
        try:
            callback(*said)
        except Exception as error:  # an error that left here would end paho's thread
            _log.exception("a message from the broker could not be handled")
            self._failed(error)


def _client_id(name: str, password: str) -> str:
    """A name that nobody else can take: who connects under the same one puts the first out."""
    return f"{name}-{hmac.digest(password.encode(), name.encode(), 'sha256').hex()[:12]}"


def _tls(ca_pem: str) -> ssl.SSLContext:
    """Trust nobody but the hub."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_verify_locations(cadata=ca_pem)
    except (ssl.SSLError, ValueError) as error:
        raise SchockaugeError(f"The certificate of the hub is none: {error}.") from error
    return context


def _without_delay(client: Client, _: Any, opened: Any) -> None:
    """Let small messages leave at once (TCP would gather them for up to 40 ms)."""
    with suppress(OSError, AttributeError):
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
