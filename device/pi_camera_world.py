"""What lies in front of `device.pi_camera_stub`, and what befalls it, by a plan.

A plan is a list of faults `KIND[=VALUE]@START[+SECONDS]` in seconds since the camera was first
opened:

* `hang`: no frames come, as from a sensor whose cable is loose (picamera2's issues 962, 1264);
* `deaf`: asking for one does not even end when its time is up (issue 1086);
* `stuck`: closing does not return, and the camera stays taken (issues 1048, 1065);
* `drop=3`: every third frame is lost;
* `dim=0.3`: so much of the light is left.

Where the source ends, its last picture stays, with a sensor's grain.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from device.errors import UsageError
from device.frames import Source
from device.image_pixels import Picture
from device.pi_camera_sensor import Sensor

KINDS = {"hang": 0.0, "deaf": 0.0, "stuck": 0.0, "drop": 3.0, "dim": 0.5}
"""Faults, and their values where the plan does not say."""
_STEP = re.compile(
    r"(?P<kind>[a-z]+)(=(?P<value>\d+(\.\d+)?))?@(?P<start>\d+(\.\d+)?)"
    r"(\+(?P<seconds>\d+(\.\d+)?))?"
)


@dataclass(frozen=True)
class Fault:
    """One fault of a plan; see the module."""

    kind: str
    start_s: float
    seconds: float
    value: float


class World:
    """What lies in front of the camera, and what befalls it; outlives every opening.

    Args:
        source: its pictures.
        plan: what goes wrong.
        clock: seconds, monotonic.
        sleep: waits, seconds.
    """

    def __init__(
        self,
        source: Source,
        plan: tuple[Fault, ...] = (),
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.clock, self.sleep = clock, sleep
        self.let_go = threading.Event()
        self.is_taken = False
        self.sensor = Sensor()
        self._plan = plan
        self._source = source
        self._frames: Iterator[tuple[float, Picture]] = (
            (frame.taken_at_s, frame.image_bgr) for frame in source
        )
        self._next: tuple[float, Picture] | None = next(self._frames)
        self._picture = self._next[1]
        self._began_s = clock()
        self._began_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        self._random = np.random.default_rng(0)
        self._count = 0

    def close(self) -> None:
        """End for good: whoever hangs comes back."""
        self.let_go.set()
        self._source.close()

    @property
    def now_s(self) -> float:
        """Seconds since it was first opened."""
        return self.clock() - self._began_s

    def fault(self, kind: str) -> Fault | None:
        """The fault of a kind that is at work now."""
        now_s = self.now_s
        holding = (f for f in self._plan if f.start_s <= now_s < f.start_s + f.seconds)
        return next((fault for fault in holding if fault.kind == kind), None)

    def picture(self, until_s: float) -> tuple[Picture, int] | None:
        """Wait for the next frame.

        Args:
            until_s: not beyond this time of the clock.

        Returns:
            Its picture and the sensor's time, nanoseconds since the machine was started; None:
            none came.
        """
        while self.fault("hang") or self.fault("deaf"):
            if self.fault("deaf") is None and self.clock() >= until_s:
                return None
            if self.let_go.is_set():
                return None
            self.sleep(0.05)
            self._skip()
        while True:
            wait_s = self._due_s() - self.now_s
            if self.clock() + wait_s > until_s:
                self.sleep(max(0.0, until_s - self.clock()))
                return None
            self.sleep(max(0.0, wait_s))
            at_s = self._advance()
            drop = self.fault("drop")
            self._count += 1
            if drop is None or self._count % max(1, int(drop.value)):
                return self._grained(), self._began_ns + int(at_s * 1e9)

    def _due_s(self) -> float:
        return self.now_s + 1 / 25 if self._next is None else self._next[0]

    def _advance(self) -> float:
        """Show the next picture; returns its time."""
        if self._next is None:
            return self.now_s
        at_s, self._picture = self._next
        self._next = next(self._frames, None)
        return at_s

    def _skip(self) -> None:
        """Let pass what happens while nobody sees it."""
        while self._next is not None and self._next[0] < self.now_s:
            self._advance()

    def _grained(self) -> Picture:
        grain = self._random.integers(0, 2, self._picture.shape, np.uint8)
        return np.asarray(np.bitwise_xor(self._picture, grain), np.uint8)


def parted(spec: str) -> tuple[tuple[Fault, ...], str]:
    """The plan and the inner source of what stands behind `picamera-stub:`.

    Raises:
        UsageError: a fault that there is not.
    """
    plan, _, inner = spec.partition(":")
    if "@" not in plan or not inner:
        return (), spec
    return tuple(_fault(word.strip()) for word in plan.split(",")), inner


def _fault(word: str) -> Fault:
    parts = _STEP.fullmatch(word)
    if parts is None or parts["kind"] not in KINDS:
        raise UsageError(
            f"{word!r} is no fault of a Raspberry Pi camera, expected KIND[=VALUE]@START[+SECONDS] "
            f"with one of {', '.join(KINDS)}, such as hang@10+5."
        )
    value = float(parts["value"] or KINDS[parts["kind"]])
    return Fault(parts["kind"], float(parts["start"]), float(parts["seconds"] or "inf"), value)
