"""What systemd is told (`Type=notify`, `WatchdogSec=`); where nobody listens, nothing is said.

The words are those of sd_notify(3). There are packages for it: sdnotify has had no release since
2017, systemd-watchdog counts by the wall clock, which jumps on a Pi, and lacks STOPPING=1.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Self
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

from device.health.checks import HUNG_S
from device.health.vitals import Vitals, Watching

if TYPE_CHECKING:
    from device.appliance import Appliance

MOST_STATUS = 200
"""Letters of the line in `systemctl status`."""
MOST_EVERY_S = 20.0
STATUS_EVERY_S = 30.0
"""How often the status is told where nobody set a watchdog."""

_log = logging.getLogger(__name__)
_ask = build_opener(ProxyHandler({})).open  # this machine is asked, never a proxy


class Notifier:
    """Tells systemd.

    Args:
        environment: of the process; names the socket.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):  # an abstract socket
            self._address = "\0" + self._address[1:]
        self.watchdog_s = _watchdog_s(environment) if self._address else None

    @property
    def is_heard(self) -> bool:
        """Whether systemd listens."""
        return bool(self._address)

    def ready(self, status: str) -> None:
        """The appliance serves."""
        self._send(f"READY=1\nSTATUS={_line(status)}")

    def alive(self, status: str) -> None:
        """It still does; the watchdog waits anew."""
        self._send(f"WATCHDOG=1\nSTATUS={_line(status)}")

    def status(self, status: str) -> None:
        """How it is."""
        self._send(f"STATUS={_line(status)}")

    def stopping(self) -> None:
        """It ends, on purpose."""
        self._send("STOPPING=1")

    def _send(self, words: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.settimeout(1.0)
                out.sendto(words.encode(), self._address)
        except OSError as error:  # systemd then waits in vain, and says so itself
            _log.warning("systemd cannot be told: %s", error)


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """How long systemd waits for a word, seconds; None: it does not."""
    try:
        waits_s = int(environment.get("WATCHDOG_USEC", "0")) / 1e6
        meant = int(environment.get("WATCHDOG_PID", os.getpid()))
    except ValueError:
        return None
    return waits_s if waits_s > 0 and meant == os.getpid() else None


def _line(status: str) -> str:
    return " ".join(status.split())[:MOST_STATUS]


class Watchdog:
    """Tells systemd that the appliance lives, as long as watch and page do.

    A camera that is lost is no reason to start anew: the watch says so and goes on. One that hangs
    is (for `HUNG_S`), and so is a page that does not answer. Of the watch the time is looked at, of
    the page an answer is asked for, whatever it says.

    Args:
        notifier: tells.
        vitals: of the watch.
        url: of the page.
        status: how the appliance is, in a line.
        hung_s: a watch without a sign of life for so long hangs.
    """

    def __init__(
        self,
        notifier: Notifier,
        vitals: Vitals,
        url: str,
        status: Callable[[], str],
        *,
        hung_s: float = HUNG_S,
    ) -> None:
        self._notifier, self._vitals, self._hung_s = notifier, vitals, hung_s
        self._url, self._status = f"{url}healthz", status
        waits_s = notifier.watchdog_s
        self._every_s = STATUS_EVERY_S if waits_s is None else min(MOST_EVERY_S, waits_s / 3)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def why_dead(self) -> str:
        """Why systemd should start the appliance anew, or ""."""
        pulse = self._vitals.pulse()
        if pulse.watching is Watching.RUNS and pulse.silent_s >= self._hung_s:
            return f"the watch has hung for {pulse.silent_s:.0f} s"
        try:
            _ask(self._url, timeout=self._every_s).close()
        except HTTPError as answer:  # it answers, and says that something is wrong
            answer.close()
        except OSError as error:
            return f"the page does not answer: {error}"
        return ""

    def __enter__(self) -> Self:
        """Tell that the appliance is ready, and go on telling."""
        if self._notifier.is_heard:
            self._notifier.ready(self._status())
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._notifier.stopping()
        if self._thread.is_alive():
            self._thread.join(2 * self._every_s)

    def _run(self) -> None:
        while not self._over.is_set():
            if why := self.why_dead():
                _log.error("systemd is not told that all is well: %s", why)
                self._notifier.status(f"hangs: {why}")
            elif self._notifier.watchdog_s is None:
                self._notifier.status(self._status())
            else:
                self._notifier.alive(self._status())
            self._over.wait(self._every_s)


def watched_over(appliance: Appliance, url: str) -> Watchdog:
    """What tells systemd of an appliance whose page is served; a context manager."""
    monitor = appliance.monitor
    status = (lambda: "") if monitor is None else monitor.line
    return Watchdog(Notifier(), appliance.vitals, url, status)
