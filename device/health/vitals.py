"""What the running watch tells of itself: how often, how fast, and whether at all.

The watch hands its frames and moments through here (`frames`, `moments`); nothing is changed. All
times are monotonic and taken when something passes, so that a watch that hangs, in the camera, in
a network or in a lock, stands still here as well.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from statistics import median, quantiles
from typing import TYPE_CHECKING

from device.frames import Frame, Missing
from device.seen import BURNS, THROWS

if TYPE_CHECKING:
    from device.watching import Moment

RATE_S = 10.0
"""Frames a second are counted over so long; at the start over what there is, from"""
RATE_LEAST_S = 2.0
"""so long on."""
READS = 200
"""So many of the latest readings make the median."""
TOLD = 20
"""So many of the latest throws."""
LAG_S = 60.0
"""A frame's delay is counted against the promptest of so long."""


class Watching(StrEnum):
    """What the watch is doing."""

    NOT_BEGUN = "not_begun"
    RUNS = "runs"
    OVER = "over"
    """A recording has come to its end."""


@dataclass(frozen=True)
class Spread:
    """Of some durations.

    Attributes:
        median_ms: half of them are shorter.
        p95_ms: nineteen of twenty are.
        count: how many they are.
    """

    median_ms: float
    p95_ms: float
    count: int


@dataclass(frozen=True)
class Pulse:
    """How the watch is at one moment.

    Attributes:
        watching: what it does.
        silent_s: since it last gave a sign of life: a frame, or the word that none comes.
        picture_s: since the last picture; None: there was none yet.
        trouble: code of `device.troubles.TROUBLES` that keeps the table from being read, or "".
        fps: pictures a second; None: too early to say.
        read: how long the networks take with a picture; None: they have not read any yet.
        told: from the picture that settles a throw to its entry in the log; None: no throw yet.
    """

    watching: Watching
    silent_s: float
    picture_s: float | None
    trouble: str
    fps: float | None
    read: Spread | None
    told: Spread | None


class Vitals:
    """Keeps count of one watch; asked from other threads.

    Args:
        clock: monotonic seconds.
        read_took: told of every reading, seconds; for a histogram.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        read_took: Callable[[float], object] = lambda took_s: None,
    ) -> None:
        self._clock, self.read_took = clock, read_took
        self._lock = threading.Lock()
        self._watching = Watching.NOT_BEGUN
        self._beat_s = self._began_s = clock()
        self._live = False
        self._trouble = ""
        self._pictures: deque[float] = deque()
        self._picture_s: float | None = None
        self._offsets: deque[tuple[float, float]] = deque()
        self._late_s = 0.0
        self._looks = 0
        self._reads: deque[float] = deque(maxlen=READS)
        self._told: deque[float] = deque(maxlen=TOLD)
        self.frames_seen = 0

    def frames(
        self, items: Iterable[Frame | Missing], *, live: bool = False
    ) -> Iterator[Frame | Missing]:
        """Hand on what a source gives."""
        with self._lock:
            self._watching, self._live = Watching.RUNS, live
            self._beat_s = self._began_s = self._clock()
        try:
            for item in items:
                self._came(item)
                yield item
        finally:
            with self._lock:
                self._watching = Watching.OVER

    def moments(self, moments: Iterable[Moment]) -> Iterator[Moment]:
        """Hand on what became of the frames."""
        for moment in moments:
            self._read(moment)
            yield moment
            self._done(moment)

    def pulse(self) -> Pulse:
        """How the watch is now."""
        with self._lock:
            now_s = self._clock()
            return Pulse(
                watching=self._watching,
                silent_s=now_s - self._beat_s,
                picture_s=None if self._picture_s is None else now_s - self._picture_s,
                trouble=self._trouble,
                fps=self._fps(now_s),
                read=_spread(self._reads),
                told=_spread(self._told),
            )

    def _came(self, item: Frame | Missing) -> None:
        with self._lock:
            now_s = self._beat_s = self._clock()
            if isinstance(item, Missing):
                return
            self._picture_s = now_s
            self.frames_seen += 1
            self._pictures.append(now_s)
            self._forget(now_s)
            self._late_s = self._lag(now_s, item.taken_at_s) if self._live else 0.0

    def _lag(self, now_s: float, taken_at_s: float) -> float:
        """How much later than the promptest of the last minute a frame has come."""
        offset_s = now_s - taken_at_s
        while self._offsets and now_s - self._offsets[0][0] > LAG_S:
            self._offsets.popleft()
        while self._offsets and self._offsets[-1][1] >= offset_s:
            self._offsets.pop()
        self._offsets.append((now_s, offset_s))
        return offset_s - self._offsets[0][1]

    def _read(self, moment: Moment) -> None:
        took_s = None
        with self._lock:
            now_s = self._beat_s = self._clock()
            self._trouble = moment.trouble.what if moment.trouble is not None else ""
            looks = 0 if moment.watcher is None else moment.watcher.looks
            if looks != self._looks and self._picture_s is not None:
                took_s = now_s - self._picture_s
                self._reads.append(took_s)
            self._looks = looks
        if took_s is not None:
            self.read_took(took_s)

    def _done(self, moment: Moment) -> None:
        """After the game has taken a moment in."""
        with self._lock:
            now_s = self._beat_s = self._clock()
            if self._picture_s is None:
                return
            thrown = [event for event in moment.events if event.type in THROWS | BURNS]
            self._told.extend([self._late_s + now_s - self._picture_s] * len(thrown))

    def _forget(self, now_s: float) -> None:
        while self._pictures and now_s - self._pictures[0] > RATE_S:
            self._pictures.popleft()

    def _fps(self, now_s: float) -> float | None:
        if self._watching is not Watching.RUNS or now_s - self._began_s < RATE_LEAST_S:
            return None
        self._forget(now_s)
        return len(self._pictures) / min(RATE_S, now_s - self._began_s)


def _spread(durations_s: Iterable[float]) -> Spread | None:
    all_ms = [1000.0 * one_s for one_s in durations_s]
    if not all_ms:
        return None
    p95_ms = quantiles(all_ms, n=20, method="inclusive")[-1] if len(all_ms) > 1 else all_ms[0]
    return Spread(median(all_ms), p95_ms, len(all_ms))
