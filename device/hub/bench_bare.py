"""A bare subscriber in a process of its own, for `schockauge bench hub`: it counts, nothing else.

paho-mqtt as it comes, at the same broker with the same messages: what the hub's whole road is held
against.
"""

from __future__ import annotations

import ssl
import threading
import time
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from device.hub.bench_part import config_and_orders, tell
from device.hub_wire import EVENTS, ROOT
from device.pairing_file import BrokerAccess

PATIENCE_S = 300.0


class Counter:
    """Counts messages until there are as many as were sent."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._last_s = 0.0

    def message(self, *_: Any) -> None:
        """One more."""
        with self._changed:
            self._count += 1
            self._last_s = time.time()
            self._changed.notify()

    def until(self, count: int) -> dict[str, Any]:
        """Wait until so many have come; tell how many there are, and when the last one came."""
        with self._changed:
            self._changed.wait_for(lambda: self._count >= count, PATIENCE_S)
            return {"messages": self._count, "done_s": self._last_s}


def main() -> None:
    """Count."""
    config, orders = config_and_orders()
    access, counter = BrokerAccess(**config["access"]), Counter()
    client = Client(CallbackAPIVersion.VERSION2, "bare", protocol=MQTTProtocolVersion.MQTTv5)
    client.username_pw_set(access.user, access.password)
    context = ssl.create_default_context(cadata=access.ca_pem)
    client.tls_set_context(context)
    client.on_subscribe = lambda *_: tell(ready=True)
    client.on_message = counter.message
    client.connect(access.host, access.port)
    client.subscribe(f"{ROOT}/+/{EVENTS}", 1)  # paho sends it once the connection stands
    client.loop_start()
    for order in orders:
        tell(**counter.until(order["messages"]))
    client.disconnect()
    client.loop_stop()


if __name__ == "__main__":
    main()
