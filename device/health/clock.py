"""The machine's clock: is it set by the network, and has it jumped while we ran?

A Pi has no clock that runs on without power (but the Pi 5 with a battery): until the network has
told it the time it goes on where it was switched off, and then it jumps.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from device.health.machine import ROOT, Run, ask

STA_UNSYNC = 0x40
"""Flag of the kernel's clock (linux/timex.h): nobody keeps it right."""
TIMEX_BYTES = 208
"""Size of `struct timex` on 64 bit; `status` is its sixth field."""

JUMP_S = 1.0
"""Less between two looks is the network's daily work, and leap seconds."""
KEPT_S = 1800.0
"""A jump is told for half an hour: so long somebody may wonder about a time in the log."""


class Timex(ctypes.Structure):
    """`struct timex` of Linux on 64 bit, as far as it is read."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * (TIMEX_BYTES - 44)),
    )


def kernel_status() -> int | None:
    """The kernel's flags of its clock (`adjtimex`, which only looks); None: it does not tell.

    A service with `ProtectClock=yes` may not ask.
    """
    if not sys.platform.startswith("linux"):
        return None
    told = Timex()
    try:
        state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(told))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else int(told.status)


def is_synchronised(
    root: Path = ROOT, run: Run = ask, status: Callable[[], int | None] = kernel_status
) -> bool | None:
    """Whether the network keeps the clock right; None: nobody tells."""
    if (flags := status()) is not None:
        return not flags & STA_UNSYNC
    if (root / "run/systemd/timesync/synchronized").exists():
        return True
    said = (run(["timedatectl", "show", "--property=NTPSynchronized", "--value"]) or "").strip()
    return {"yes": True, "no": False}.get(said)


class ClockWatch:
    """Compares the clock with one that nobody sets.

    Args:
        wall: Unix time, seconds.
        steady: monotonic seconds.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall, self._steady = wall, steady
        self._lock = threading.Lock()
        self._apart_s = wall() - steady()
        self._jumps: deque[tuple[float, float]] = deque()

    def jump(self) -> tuple[float, float]:
        """The largest jump of the last half hour, seconds, below 0: backwards; and its age."""
        with self._lock:
            now_s, apart_s = self._steady(), self._wall() - self._steady()
            jump_s, self._apart_s = apart_s - self._apart_s, apart_s
            if abs(jump_s) >= JUMP_S:
                self._jumps.append((now_s, jump_s))
            while self._jumps and now_s - self._jumps[0][0] > KEPT_S:
                self._jumps.popleft()
            if not self._jumps:
                return 0.0, 0.0
            then_s, largest_s = max(self._jumps, key=lambda jump: abs(jump[1]))
            return largest_s, now_s - then_s
