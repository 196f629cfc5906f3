"""Frames to table events: waits until the mat can be seen, then watches it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from device.errors import SourceError
from device.sources import Frame
from vision.errors import CalibrationError
from vision.events import TableEvent
from vision.watcher import Watcher

CALIBRATION_TRIES = 250
"""Frames in which the mat is looked for, 10 s at 25 a second: an arm over it goes away."""


def watch(
    frames: Iterable[Frame], make_watcher: Callable[[Frame], Watcher]
) -> Iterator[tuple[Watcher, tuple[TableEvent, ...]]]:
    """Watch frames to their end.

    Args:
        frames: in the order they were taken.
        make_watcher: calibrates from a frame; raises `CalibrationError` while it cannot.

    Yields:
        For every frame from the first on that shows the mat: the watcher, and what happened.

    Raises:
        SourceError: the frames break off, or there are none.
        CalibrationError: the mat is not in the first `CALIBRATION_TRIES` frames.
    """
    watcher: Watcher | None = None
    problem: CalibrationError | None = None
    for tried, frame in enumerate(frames, start=1):
        if watcher is None:
            try:
                watcher = make_watcher(frame)
            except CalibrationError as error:
                problem = error
                if tried >= CALIBRATION_TRIES:
                    break
                continue
        yield watcher, watcher.receive(frame.image_bgr, frame.taken_at_s)
    if watcher is None:
        raise problem or SourceError("The source has no pictures.")
