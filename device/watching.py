"""Frames to table events: waits until the mat can be seen, then watches it; says when it cannot.

A frame passes two gates before anything is read from it: is it to be believed
(`device.frame_watch`), and does it show the mat where it was (`vision.drift`)? What passes goes to
the same watcher all evening: it knows by the times of the frames that it has missed something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from device.errors import SourceError
from device.frame_watch import FrameWatch, Trouble
from device.frames import Frame, Missing
from vision.drift import OK, DriftWatch, Sighting
from vision.errors import CalibrationError
from vision.events import TableEvent
from vision.watcher import Watcher

CALIBRATION_TRIES = 250
"""Frames in which the mat is looked for, 10 s at 25 a second: an arm over it goes away."""
TRY_AGAIN_S = 0.5
"""How often it is looked for after that, as long as the camera is on."""

MakeWatcher = Callable[[Frame], Watcher]
Reseat = Callable[[Watcher], Watcher]


def as_they_sit(watcher: Watcher) -> Watcher:
    """For a mat around which the same people sit all the time."""
    return watcher


@dataclass(frozen=True)
class Moment:
    """What became of one frame, or of none.

    Attributes:
        watcher: of the mat; None until it has been seen.
        events: what happened.
        trouble: why nothing is read; None: all is well, or it has not lasted.
        anchored_mm: the mat has been found anew in this frame, so far from where it was.
        is_guarded: should the mat be moved it will be noticed; told with the first watched frame.
        frame: the one that was watched; None when nothing was read.
    """

    watcher: Watcher | None
    events: tuple[TableEvent, ...] = ()
    trouble: Trouble | None = None
    anchored_mm: float | None = None
    is_guarded: bool = True
    frame: Frame | None = None


def watch(
    frames: Iterable[Frame | Missing],
    make_watcher: MakeWatcher,
    *,
    live: bool = False,
    reseat: Reseat = as_they_sit,
) -> Iterator[Moment]:
    """Watch frames to their end.

    Args:
        frames: as they arrive.
        make_watcher: calibrates from a frame; raises `CalibrationError` while it cannot.
        live: they come from a camera: a picture that stands still is a fault, and a mat that is
            not found may still be laid down.
        reseat: is asked before each frame, and returns another watcher of the mat when others sit
            around it now.

    Yields:
        A moment for every frame, and for every word that there is none.

    Raises:
        SourceError: the frames break off, or there are none.
        CalibrationError: the mat is not in the first `CALIBRATION_TRIES` frames of a recording.
    """
    table = _Table(make_watcher, reseat, live=live)
    for item in frames:
        yield table.receive(item)
    if table.watcher is None:
        raise table.problem or SourceError("The source has no pictures.")


class _Table:
    """The state of `watch`.

    Attributes:
        watcher: of the mat; None until it has been seen.
        problem: why not, so far.
    """

    def __init__(self, make_watcher: MakeWatcher, reseat: Reseat, *, live: bool) -> None:
        self._make_watcher = make_watcher
        self._reseat = reseat
        self._live = live
        self._frames = FrameWatch(live=live)
        self._drift: DriftWatch | None = None
        self._trouble: Trouble | None = None  # with the mat
        self._tries = 0
        self._next_try_s = 0.0
        self.watcher: Watcher | None = None
        self.problem: CalibrationError | None = None

    def receive(self, item: Frame | Missing) -> Moment:
        frame = self._frames.receive(item)
        if frame is None:
            return self._nothing()
        if self.watcher is None or self._drift is None:
            return self._look_for_mat(frame)
        seen = self._drift.look(frame.image_bgr, frame.taken_at_s)
        self._trouble = None if seen.state == OK else _told(seen)
        if not seen.in_place:
            return self._nothing()
        if seen.mat is not None:
            self.watcher.anchor(seen.mat)
        self.watcher = self._reseat(self.watcher)
        events = self.watcher.receive(frame.image_bgr, frame.taken_at_s, frame.small_bgr)
        shift_mm = seen.shift_mm if seen.mat else None
        return Moment(self.watcher, events, anchored_mm=shift_mm, frame=frame)

    def _nothing(self) -> Moment:
        return Moment(self.watcher, trouble=self._frames.trouble or self._trouble)

    def _look_for_mat(self, frame: Frame) -> Moment:
        if frame.taken_at_s < self._next_try_s:
            return self._nothing()
        self._tries += 1
        try:
            watcher = self._make_watcher(frame)
            events = watcher.receive(frame.image_bgr, frame.taken_at_s, frame.small_bgr)
        except CalibrationError as error:
            self.problem = error
            if self._tries < CALIBRATION_TRIES:
                return self._nothing()
            if not self._live:
                raise
            self._next_try_s = frame.taken_at_s + TRY_AGAIN_S
            self._trouble = self._trouble or Trouble("mat", frame.taken_at_s, problem=str(error))
            return self._nothing()
        self.watcher, self._trouble = watcher, None
        self._drift = DriftWatch(watcher.mat, frame.image_bgr)
        return Moment(watcher, events, is_guarded=self._drift.can_tell, frame=frame)


def _told(seen: Sighting) -> Trouble:
    return Trouble(seen.state, seen.since_s, shift_mm=round(seen.shift_mm, 1) or None)
