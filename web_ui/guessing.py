"""Holds up whoever guesses PINs, and nobody else.

Every try counts against who makes it, from the moment it begins, so that many at once are counted
like one after the other. After a few the next one has to wait, each time twice as long.

* A device that has signed in as a role before proves it by a cookie and is counted by itself:
  whatever others do, it cannot be locked out by them (OWASP: device cookies).
* Everybody else is counted by address, and all strangers together, so that many addresses help a
  guesser little. A stranger who is held up himself does not count against the others.

A signed-in device needs no PIN and notices nothing of all this.
"""

import ipaddress
import threading
from collections.abc import Callable
from dataclasses import dataclass

Key = tuple[str, str, str]


@dataclass(frozen=True)
class Patience:
    """How many tries are free and how the wait grows.

    Attributes:
        free: tries without a wait.
        first_s: wait after them, seconds; doubles with each further try.
        longest_s: at most so long, seconds.
    """

    free: int
    first_s: float
    longest_s: float

    def wait_s(self, tries: int) -> float:
        """How long to wait after so many tries that failed, seconds."""
        if tries < self.free:
            return 0.0
        return min(self.longest_s, self.first_s * 2.0 ** min(tries - self.free, 60))


EACH = Patience(free=5, first_s=10.0, longest_s=3_600.0)
"""For one device or address: thick fingers are forgiven, a day holds some thirty tries."""

STRANGERS = Patience(free=40, first_s=10.0, longest_s=600.0)
"""For all addresses together: less than 200 tries a day, of 10,000 or a million PINs."""

FORGET_S = 86_400.0
"""Tries that failed are forgotten after a day without another."""

MOST_KEYS = 1_000
"""Counts kept at a time; beyond them the one that was quiet longest is dropped."""


class TooManyTries(ValueError):  # noqa: N818 - a refusal, not a failure
    """The next try has to wait; `wait_s`: how long, seconds."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"the next try is possible in {wait_s:.0f} s")
        self.wait_s = wait_s


@dataclass
class _Count:
    tries: int = 0
    last_s: float = 0.0
    open_s: float = 0.0


class Guesses:
    """Counts tries; safe to use from several threads.

    Args:
        clock: seconds from any fixed moment on.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._counts: dict[Key, _Count] = {}

    def begin(self, role: str, *, address: str, device: str | None) -> None:
        """Count a try before its PIN is looked at.

        Args:
            role: whose PIN is tried.
            address: where the try comes from.
            device: id of a device that has signed in as that role before, or None.

        Raises:
            TooManyTries: it has to wait, and has not been counted.
        """
        with self._lock:
            now_s = self._clock()
            self._forget(now_s)
            keys = _keys(role, address, device)
            wait_s = max(self._counts.get(key, _Count()).open_s - now_s for key in keys)
            if wait_s > 0:
                raise TooManyTries(wait_s)
            for key in keys:
                count = self._counts.setdefault(key, _Count())
                count.tries += 1
                count.last_s = now_s
                count.open_s = now_s + _patience(key).wait_s(count.tries)

    def succeeded(self, role: str, *, address: str, device: str | None) -> None:
        """Take a try back: its PIN was right."""
        with self._lock:
            own, *shared = _keys(role, address, device)
            self._counts.pop(own, None)
            for key in shared:
                if (count := self._counts.get(key)) is not None:
                    count.tries -= 1
                    count.open_s = 0.0

    def _forget(self, now_s: float) -> None:
        old = [key for key, count in self._counts.items() if now_s - count.last_s > FORGET_S]
        for key in old:
            del self._counts[key]
        if len(self._counts) > MOST_KEYS:
            own = (key for key in self._counts if key[0] != "strangers")
            del self._counts[min(own, key=lambda key: self._counts[key].last_s)]


def _keys(role: str, address: str, device: str | None) -> tuple[Key, ...]:
    if device is not None:
        return (("device", device, role),)
    return (("address", network(address), role), ("strangers", "", role))


def _patience(key: Key) -> Patience:
    return STRANGERS if key[0] == "strangers" else EACH


def network(address: str) -> str:
    """Return what one guesser can have of addresses: an IPv4 address, or 64 bits of an IPv6 one."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    mapped = parsed.ipv4_mapped
    return str(mapped or ipaddress.ip_network((parsed, 64), strict=False))
