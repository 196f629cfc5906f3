"""Frames that cannot be believed: frozen, black, out of order, or none at all.

Sans I/O: frames go in with their times, what is wrong with them comes out. A frame that is not
to be believed is held back at once; the trouble is told only when it lasts, and it is over only
when good frames have come for a while. So a single bad frame costs one frame and no words.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from device.frames import Frame, Missing
from device.image_pixels import Picture

FROZEN_S = 1.0
"""A live camera whose picture stays the same to the last bit for so long is frozen: a sensor's
noise changes some pixel in every picture, drivers repeat one for two or three frames at most."""
CODED_S = 30.0
"""A network camera sends what has changed: a table at rest is the same to the last bit for seconds
(measured with H.264 of constant quality: 198 of 200 pictures). But every 1 to 20 s it sends a whole
picture anew, which differs somewhere."""
BLACK_S = 0.5
"""A picture without light for so long is black: a lamp that is switched leaves one or two such."""
BLACK_MEAN, BLACK_SPREAD = 24.0, 6.0
"""Levels, 0..255: below both a picture shows nothing. A covered lens has a mean of 2 to 15 and a
spread of up to 4; a mat with its black and white markers spreads over more than 10 however dim."""
BLACK_STEP_PX = 8
"""Every so many pixels in both directions is enough to tell black."""
LATE_WINDOW_S = 2.0
"""Late frames are counted over so long,"""
LATE_SHARE, LATE_LEAST = 0.2, 5
"""and are a trouble from this share of them on, and this many: one in a hundred is the network's
ordinary life, one in five means that the times are not to be trusted."""
SET_BACK_S = 1.0
"""When all frames are late for so long, it is the camera's clock that was set back."""
GOOD_S = 0.5
"""So long good frames must have come before a trouble that was told is over."""

CAMERA, FROZEN, BLACK, ORDER = "camera", "frozen", "black", "order"


@dataclass(frozen=True)
class Trouble:
    """Why the table cannot be read.

    Attributes:
        what: a code of `device.troubles.TROUBLES`.
        since_s: since when, in the time of the frames.
        shift_mm: how far the mat has moved, where that is the trouble.
        problem: what the source says, where that is the trouble.
    """

    what: str
    since_s: float
    shift_mm: float | None = None
    problem: str = ""


class FrameWatch:
    """Watches the frames of one source.

    Args:
        live: the frames come from a camera, which never sends the same picture twice; the
            pictures of a recording may stand still.

    Attributes:
        trouble: what is wrong now; None: nothing that has lasted.
        late: frames that came too late so far.
    """

    def __init__(self, *, live: bool) -> None:
        self._live = live
        self.trouble: Trouble | None = None
        self.late = 0
        self._newest: Frame | None = None
        self._bad: Trouble | None = None
        self._good_since_s: float | None = None
        self._order: deque[tuple[float, bool]] = deque()
        self._late_since_s: float | None = None
        self._set_back_s = 0.0
        self._changed_s = 0.0

    def receive(self, item: Frame | Missing) -> Frame | None:
        """Take in what the source gives.

        Args:
            item: a frame, or that there is none.

        Returns:
            The frame, if it is to be believed; `trouble` tells what lasts.
        """
        if isinstance(item, Missing):
            self._order.clear()
            self._good_since_s = None
            self._bad = None
            self.trouble = Trouble(CAMERA, item.since_s, problem=item.problem)
            return None
        frame = self._in_order(replace(item, taken_at_s=item.taken_at_s + self._set_back_s))
        if frame is None:
            return None
        wrong = self._wrong_with(frame)
        self._newest = frame
        if wrong is not None:
            self._tell(*wrong, frame.taken_at_s)
            return None
        return self._believed(frame)

    def _in_order(self, frame: Frame) -> Frame | None:
        """The frame, unless it is older than the newest, or the newest once more."""
        newest_s = float("-inf") if self._newest is None else self._newest.taken_at_s
        if frame.taken_at_s > newest_s:
            self._late_since_s = None
            self._count(newest_s=frame.taken_at_s, late=False)
            return frame
        if frame.taken_at_s == newest_s:
            return None
        if self._late_since_s is None or frame.taken_at_s < self._late_since_s:
            self._late_since_s = frame.taken_at_s
        elif frame.taken_at_s - self._late_since_s >= SET_BACK_S:
            back_s = newest_s - self._late_since_s
            self._set_back_s += back_s
            self._order.clear()
            return self._in_order(replace(frame, taken_at_s=frame.taken_at_s + back_s))
        self.late += 1
        self._count(newest_s=newest_s, late=True)
        return None

    def _count(self, *, newest_s: float, late: bool) -> None:
        self._order.append((newest_s, late))
        while newest_s - self._order[0][0] > LATE_WINDOW_S:
            self._order.popleft()

    def _wrong_with(self, frame: Frame) -> tuple[str, float] | None:
        """What is wrong with a frame, and how long it must last to be told."""
        if is_black(frame.image_bgr):
            return BLACK, BLACK_S
        if self._live and self._newest is not None and same(self._newest, frame):
            if not frame.is_coded:
                return FROZEN, FROZEN_S
            if frame.taken_at_s - self._changed_s >= CODED_S:
                return FROZEN, 0.0
        else:
            self._changed_s = frame.taken_at_s
        late = [at_s for at_s, is_late in self._order if is_late]
        many = len(late) >= max(LATE_LEAST, LATE_SHARE * len(self._order))
        if many and frame.taken_at_s - late[-1] < GOOD_S:
            return ORDER, 0.0
        return None

    def _tell(self, what: str, lasts_s: float, now_s: float) -> None:
        self._good_since_s = None
        if self._bad is None or self._bad.what != what:
            self._bad = Trouble(what, now_s)
        if now_s - self._bad.since_s >= lasts_s - 1e-6:
            self.trouble = self._bad

    def _believed(self, frame: Frame) -> Frame | None:
        self._bad = None
        if self.trouble is None:
            return frame
        if self._good_since_s is None:
            self._good_since_s = frame.taken_at_s
        if frame.taken_at_s - self._good_since_s < GOOD_S - 1e-6:
            return None
        self.trouble = None
        return frame


def is_black(image_bgr: Picture) -> bool:
    """Whether a picture shows no light anywhere: a covered lens, a camera that has failed."""
    few = image_bgr[::BLACK_STEP_PX, ::BLACK_STEP_PX]
    return float(few.mean()) < BLACK_MEAN and float(few.std()) < BLACK_SPREAD


def same(before: Frame, now: Frame) -> bool:
    """Whether two frames show the same picture to the last bit."""
    a, b = before.image_bgr, now.image_bgr
    if a.shape != b.shape or not np.array_equal(a[::64, ::64], b[::64, ::64]):
        return False
    return np.array_equal(a, b)
