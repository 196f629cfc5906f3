"""Clips of what happened: cut out of the ring, written by a thread of their own.

The thread that reads frames only compresses every other one and decides when a clip is complete;
encoding and the disk are the worker's, who has a process of its own encode (`device.film`). What
comes of every clip is in the log: `evidence.kept` with its file, digest and span, or
`evidence.missing` with the reason. A log that cannot be written just now is told later.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from device.errors import SchockaugeError, StoreError
from device.evidence import Evidence
from device.film import webm
from device.frames import Frame
from device.images import jpeg
from device.ring import Ring, Shot
from vision.calibration import MatCalibration
from vision.events import TableEvent

PX_PER_MM = 1.6
"""Of clips: pips of a die of 16 mm can be counted on 26 pixels, at half the cost of a still."""
QUALITY = 85
ROUNDING_S = 1e-3
"""Times of frames are sums and differences of fractions."""
MOST_WAITING = 8
"""Clips that wait for the worker; each holds up to 4 MB of pictures that may not be forgotten."""
PATIENCE_S = 60.0
"""So long the end of an evening waits for the next clip that the worker finishes."""
SLOW, NONE, CUT_OFF, FAILED = "slow", "no_pictures", "switched_off", "failed"
"""Why a clip is missing."""

Tell = Callable[[str, Mapping[str, Any]], None]


class Fault(Protocol):
    """Shows a fault, or takes it back."""

    def __call__(self, *, there: bool) -> None:
        """Say whether it is there; may be said again and again."""


@dataclass(frozen=True)
class FilmSettings:
    """What clips are like; see `device.store_settings`."""

    before_s: float = 3.0
    after_s: float = 2.0
    fps: float = 12.0
    ring_s: float = 20.0
    ring_bytes: int = 32_000_000


@dataclass(frozen=True)
class Cut:
    """A clip to be made.

    Attributes:
        seq: of the log's entry that it is evidence of.
        from_s: where it begins, in the time of the frames.
        to_s: where it ends.
        shots: its pictures, when the time has come.
    """

    seq: int
    from_s: float
    to_s: float
    shots: tuple[Shot, ...] = ()


class Filming:
    """Makes the clips of one table.

    Args:
        evidence: where they go.
        tell: writes into the log; may raise `StoreError`. Called by either thread.
        fault: told of every clip; it is there when the clip is missing.
        settings: lengths and sizes.
    """

    def __init__(
        self,
        evidence: Evidence,
        tell: Tell,
        fault: Fault,
        settings: FilmSettings | None = None,
    ) -> None:
        self.evidence = evidence
        self.settings = settings or FilmSettings()
        self._tell, self._fault = tell, fault
        needed_s = self.settings.before_s + self.settings.after_s + 1.0
        self._ring = Ring(
            length_s=max(self.settings.ring_s, needed_s),
            most_bytes=self.settings.ring_bytes,
            fps=self.settings.fps,
        )
        self._open: list[Cut] = []
        self._jobs: queue.Queue[Cut | None] = queue.Queue(MOST_WAITING)
        self._worker: threading.Thread | None = None
        self._idle = threading.Condition()
        self._busy: list[Cut] = []
        self._untold: list[tuple[str, Mapping[str, Any]]] = []
        self._telling = threading.Lock()

    def span_s(self, event: TableEvent) -> tuple[float, float]:
        """From when to when the clip of an event goes."""
        before_s, after_s = self.settings.before_s, self.settings.after_s
        return max(0.0, event.started_at_s - before_s), event.ended_at_s + after_s

    def see(self, frame: Frame, mat: MatCalibration, *, live: bool, still: bool = False) -> None:
        """Take in a frame that shows the mat in its place.

        Args:
            frame: as the camera took it; only the mat and its margin are held.
            mat: where it lies.
            live: no frame may wait; of a recording the next ones do when the worker is behind.
            still: nothing has changed since the frame before.
        """
        if not self._ring.wants(frame.taken_at_s, still=still and not self._open):
            return
        picture = self.evidence.cropped(frame.image_bgr, mat, px_per_mm=PX_PER_MM)
        self._ring.add(frame.taken_at_s, jpeg(picture, quality=QUALITY))
        self._cut(frame.taken_at_s, live=live)

    def want(self, seq: int, event: TableEvent) -> None:
        """Make a clip of an event as soon as its time is over."""
        self._open.append(Cut(seq, *self.span_s(event)))

    def finish(self) -> None:
        """No more frames: cut what is open from what there is, and wait for the worker."""
        self._cut(float("inf"), live=False)
        self._ring.clear()
        with self._idle:
            while self._busy and self._idle.wait(PATIENCE_S):
                pass  # the worker gets on
            late, self._busy = self._busy, []
        for cut in late:
            self._missing(cut, CUT_OFF, "the appliance was switched off before it was written")
        if self._worker is not None and not late:
            self._jobs.put(None)
            self._worker.join(PATIENCE_S)
            self._worker = None
        self._say()

    def _cut(self, now_s: float, *, live: bool) -> None:
        """Hand the clips whose time is over to the worker."""
        done = [cut for cut in self._open if cut.to_s <= now_s]
        self._open = [cut for cut in self._open if cut.to_s > now_s]
        for cut in done:
            shots = self._ring.between(cut.from_s - ROUNDING_S, cut.to_s + ROUNDING_S)
            if not shots:
                self._missing(cut, NONE, "no picture of that time shows the mat in its place")
                continue
            self._hand_over(Cut(cut.seq, cut.from_s, cut.to_s, shots), live=live)

    def _hand_over(self, cut: Cut, *, live: bool) -> None:
        if self._worker is None:
            self._worker = threading.Thread(target=self._work, name="clips", daemon=True)
            self._worker.start()
        with self._idle:
            self._busy.append(cut)
        try:
            self._jobs.put(cut, block=not live, timeout=PATIENCE_S)
        except queue.Full:
            if self._taken(cut):
                self._missing(cut, SLOW, "the disk or the processor is too slow")

    def _work(self) -> None:
        while (cut := self._jobs.get()) is not None:
            try:
                kept = self.evidence.keep_clip(webm(cut.shots), t_s=cut.shots[0].t_s)
            except Exception as error:  # a worker that ends would lose all that follows
                said = str(error) if isinstance(error, SchockaugeError) else repr(error)
                if self._taken(cut):
                    self._missing(cut, FAILED, said)
                continue
            if self._taken(cut):
                span = {"from_s": round(cut.shots[0].t_s, 3), "to_s": round(cut.shots[-1].t_s, 3)}
                self._say("evidence.kept", {"seq": cut.seq, "kind": "clip", **kept, **span})
                self._show(missing=False)

    def _taken(self, cut: Cut) -> bool:
        """Whether it is still to be told of: whoever takes a clip from the list tells of it."""
        with self._idle:
            mine = any(other is cut for other in self._busy)
            self._busy = [other for other in self._busy if other is not cut]
            self._idle.notify_all()
        return mine

    def _missing(self, cut: Cut, code: str, reason: str) -> None:
        told = {"seq": cut.seq, "kind": "clip", "code": code, "reason": reason}
        self._say("evidence.missing", told)
        self._show(missing=True)

    def _show(self, *, missing: bool) -> None:
        with suppress(StoreError):  # as below
            self._fault(there=missing)

    def _say(self, *entry: Any) -> None:
        """Write an entry, and before it those that could not be written so far."""
        with self._telling:
            self._untold += [entry] if entry else []
            while self._untold:
                try:
                    self._tell(*self._untold[0])
                except StoreError:
                    return  # the game's own entries say that the log cannot be written
                self._untold.pop(0)
