"""A camera that misbehaves on purpose, by a plan: freezes, goes black, is pulled out, bumped ...

It wraps any source and is chosen explicitly: `hostile:PLAN:SOURCE` wherever a source is named. A
plan is a list of steps `KIND[=VALUE]@START[+SECONDS]`, in seconds of the source's time, such as
`freeze@10+3,unplug@20+5,resize=640x480@30+4`; without `+SECONDS` the fault stays.

It behaves like a live camera whatever it wraps: time goes on while it is out of order, it can be
opened anew after it was pulled out, and recorded pictures get the grain of a sensor, so that two
are the same to the last bit only where it is frozen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from device.errors import SourceError, UsageError
from device.frames import Closing, Frame, Source
from device.image_pixels import Picture

DARK_LEVEL = 3
"""What a covered lens shows, and how much it differs: a sensor's noise in the dark."""
SLOW_S = 1.0
"""A slow camera sends one picture in so many seconds, if the plan does not say."""
BLOCK_PX = 16
"""A broken stream shows blocks of this size."""

_STEP = re.compile(
    r"(?P<kind>[a-z]+)(=(?P<value>[^@]+))?@(?P<start>\d+(\.\d+)?)(\+(?P<seconds>\d+(\.\d+)?))?"
)


@dataclass(frozen=True)
class Step:
    """One fault of a plan.

    Attributes:
        kind: one of `KINDS`, or `unplug`.
        start_s: when it begins, in the source's time.
        seconds: how long it lasts.
        value: width and height for `resize`, pixels; every how many frames for `drop` (1: all);
            seconds between frames for `slow`; pixels right and down, and degrees, for `bump`.

    Raises:
        ValueError: no such kind, a time below 0, or a value that does not fit.
    """

    kind: str
    start_s: float
    seconds: float = float("inf")
    value: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in (*KINDS, UNPLUG):
            kinds = ", ".join((*KINDS, UNPLUG))
            raise ValueError(f"A fault is one of {kinds}, but got {self.kind!r}.")
        if self.start_s < 0 or self.seconds <= 0:
            raise ValueError(f"A fault begins at 0 s or later and lasts, but got {self}.")
        counts, least = VALUES.get(self.kind, ((0,), 0.0))
        if len(self.value) not in counts or any(number < least for number in self.value):
            raise ValueError(f"The fault {self.kind!r} cannot have the value {self.value}.")

    def holds(self, at_s: float) -> bool:
        """Whether it is at work at a time."""
        return self.start_s <= at_s < self.start_s + self.seconds


class HostileSource(Closing):
    """A source with faults.

    Args:
        plan: what goes wrong when; several at once work one after the other.
        inner: where the pictures come from.
        seed: of grain, noise and broken blocks.
    """

    live = True

    def __init__(self, plan: Sequence[Step], inner: Source, *, seed: int = 0) -> None:
        self.plan = tuple(plan)
        self.frame_count = inner.frame_count
        self._inner = inner
        self._frames = iter(inner)
        self._random = np.random.default_rng(seed)
        self._grain: Picture | None = None
        self._back_at_s = 0.0
        self._unplugged = False
        self._last: Frame | None = None
        self._held: Frame | None = None

    def __iter__(self) -> Iterator[Frame]:
        for given in self._frames:
            if given.taken_at_s < self._back_at_s:
                continue  # nobody was connected
            frame = replace(given, small_bgr=None)  # that would show it without its fault
            steps = [step for step in self.plan if step.holds(frame.taken_at_s)]
            for step in steps:
                if step.kind == UNPLUG:
                    self._unplugged = True
                    self._back_at_s = step.start_s + step.seconds
                    raise SourceError("The simulated camera sends no pictures any more.")
            frames = [frame if self._inner.live else self._grained(frame)]
            for step in steps:
                frames = [out for one in frames for out in KINDS[step.kind](self, step, one)]
            if self._held is not None and not any(step.kind == "swap" for step in steps):
                frames.insert(0, self._held)
                self._held = None
            for out in frames:
                self._last = out
                yield out

    def reopen(self) -> None:
        """Plug it in again; what the table did meanwhile was not seen.

        Raises:
            SourceError: it stays out for good, or the inner source cannot be opened anew.
        """
        if not self._unplugged:
            self._inner.reopen()
            self._frames = iter(self._inner)
        elif self._back_at_s == float("inf"):
            raise SourceError("The simulated camera is not there.")
        self._unplugged = False

    def look_again(self) -> bool:
        """Let the inner source find light and focus anew."""
        return self._inner.look_again()

    def close(self) -> None:
        """Close the inner source."""
        self._inner.close()

    def _grained(self, frame: Frame) -> Frame:
        """The frame with a sensor's grain: the lowest bit of some pixels, others every time."""
        shape = frame.image_bgr.shape
        if self._grain is None or self._grain.shape != shape:
            self._grain = self._random.integers(0, 2, shape, np.uint8)
        grain = np.roll(self._grain, frame.index + 1, axis=0)
        return replace(frame, image_bgr=np.bitwise_xor(frame.image_bgr, grain))

    # --- faults: a frame in, the frames that arrive out -------------------------------------

    def _freeze(self, step: Step, frame: Frame) -> list[Frame]:
        """The picture before it, again and again."""
        last = self._last
        return [frame if last is None else replace(frame, image_bgr=last.image_bgr)]

    def _black(self, step: Step, frame: Frame) -> list[Frame]:
        dark = self._random.integers(0, 2 * DARK_LEVEL + 1, frame.image_bgr.shape, np.uint8)
        return [replace(frame, image_bgr=dark)]

    def _resize(self, step: Step, frame: Frame) -> list[Frame]:
        size_px = (int(step.value[0]), int(step.value[1]))
        image = cv2.resize(frame.image_bgr, size_px, interpolation=cv2.INTER_AREA)
        return [replace(frame, image_bgr=np.asarray(image, np.uint8))]

    def _swap(self, step: Step, frame: Frame) -> list[Frame]:
        """Of every two frames the later one arrives first."""
        if self._held is None:
            self._held = frame
            return []
        late, self._held = self._held, None
        return [frame, late]

    def _duplicate(self, step: Step, frame: Frame) -> list[Frame]:
        return [frame, frame]

    def _drop(self, step: Step, frame: Frame) -> list[Frame]:
        every = int(step.value[0]) if step.value else 1
        return [] if frame.index % every == every - 1 else [frame]

    def _slow(self, step: Step, frame: Frame) -> list[Frame]:
        wait_s = step.value[0] if step.value else SLOW_S
        last = self._last
        comes = last is None or frame.taken_at_s - last.taken_at_s >= wait_s - 1e-6
        return [frame] if comes else []

    def _bump(self, step: Step, frame: Frame) -> list[Frame]:
        """The camera was pushed: its picture is shifted and turned about its middle."""
        dx, dy, turned = (*step.value, 0.0)[:3]
        height, width = frame.image_bgr.shape[:2]
        matrix = np.array(cv2.getRotationMatrix2D((width / 2, height / 2), turned, 1.0), float)
        matrix[:, 2] += (dx, dy)
        image = cv2.warpAffine(
            frame.image_bgr, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
        return [replace(frame, image_bgr=np.asarray(image, np.uint8))]

    def _corrupt(self, step: Step, frame: Frame) -> list[Frame]:
        """Blocks of any colour instead of the picture."""
        height, width = frame.image_bgr.shape[:2]
        few = (-(-height // BLOCK_PX), -(-width // BLOCK_PX), 3)
        blocks = self._random.integers(0, 256, few, np.uint8)
        image = blocks.repeat(BLOCK_PX, axis=0).repeat(BLOCK_PX, axis=1)[:height, :width]
        return [replace(frame, image_bgr=np.ascontiguousarray(image))]


UNPLUG = "unplug"
"""The cable is pulled; the source breaks off until it is opened anew after that."""

KINDS: Mapping[str, Callable[[HostileSource, Step, Frame], list[Frame]]] = {
    "freeze": HostileSource._freeze,
    "black": HostileSource._black,
    "resize": HostileSource._resize,
    "swap": HostileSource._swap,
    "duplicate": HostileSource._duplicate,
    "drop": HostileSource._drop,
    "slow": HostileSource._slow,
    "corrupt": HostileSource._corrupt,
    "bump": HostileSource._bump,
}
"""The other faults: what becomes of a frame."""

VALUES: Mapping[str, tuple[tuple[int, ...], float]] = {
    "resize": ((2,), 1.0),
    "bump": ((2, 3), float("-inf")),
    "drop": ((0, 1), 1.0),
    "slow": ((0, 1), 0.0),
}
"""How many numbers a fault's value may have, and the least of them; none where it is not named."""


def plan_from(text: str) -> tuple[Step, ...]:
    """Read a plan.

    Args:
        text: steps `KIND[=VALUE]@START[+SECONDS]`, separated by commas; empty: no fault.

    Raises:
        UsageError: names the step and what was expected.
    """
    return tuple(_step(word.strip()) for word in text.split(",") if word.strip())


def _step(word: str) -> Step:
    parts = _STEP.fullmatch(word)
    if parts is None:
        raise UsageError(
            f"{word!r} is no fault of a camera, expected KIND[=VALUE]@START[+SECONDS] such as "
            "freeze@10+3 or resize=640x480@20."
        )
    try:
        value = tuple(float(number) for number in (parts["value"] or "").split("x") if number)
        seconds = float(parts["seconds"] or "inf")
        return Step(parts["kind"], float(parts["start"]), seconds, value)
    except ValueError as error:
        raise UsageError(f"{word!r} is no fault of a camera: {error}") from error
