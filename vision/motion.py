"""Two cheap looks at the mat that need no model: did anything move, and does it look bare?

Both compare small grey pictures (about 2 mm a pixel) in square millimetres of change, so that the
camera's resolution does not matter. Averaging to 2 mm takes the sensor's noise away.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image

PIXEL_MM = 2.0
MOVED_LEVELS = 12.0
"""Change of grey, 0..255, that noise and compression stay below after averaging."""
DIFFERENT_LEVELS = 25.0
"""A cup or a die on the mat differs from the bare mat by more, a lamp's flicker by less."""
TRACE_LEVELS = 15.0
"""Dice of the mat's own colours differ by more in places."""

Thumb = NDArray[np.float32]


def thumb(rectified_bgr: Image, scale_px_per_mm: float) -> Thumb:
    """A small grey copy of a rectified picture at `PIXEL_MM` millimetres a pixel.

    Args:
        rectified_bgr: (H, W, 3) uint8.
        scale_px_per_mm: its resolution.

    Returns:
        (h, w) float32, 0..255.
    """
    factor = min(1.0, 1 / (PIXEL_MM * scale_px_per_mm))
    size = (
        max(1, round(rectified_bgr.shape[1] * factor)),
        max(1, round(rectified_bgr.shape[0] * factor)),
    )
    small = cv2.resize(rectified_bgr, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.float32)


@dataclass(frozen=True)
class MotionSettings:
    """Areas of change, in square millimetres.

    Attributes:
        still_mm2: up to this much change the mat counts as unchanged; a die that tips over
            changes 200 and more, single pixels of noise 4 each.
        busy_mm2: from this much on somebody is at work on the mat (a hand, a moving cup).
        object_mm2: a larger difference from the bare mat is a thing; three dice together have
            770, a cup about 5000.
        trace_mm2: from so much difference on something may lie there that nobody sees: three dice
            of 12 to 14 mm of a patterned carpet's own colours had 400 and more, the bare mats of 16
            simulated throws at most 20.
    """

    still_mm2: float = 20.0
    busy_mm2: float = 400.0
    object_mm2: float = 600.0
    trace_mm2: float = 150.0


class MotionGate:
    """Says how much the mat has changed since the last picture that was looked at closely.

    The reference stays until `accept`, so slow change adds up instead of slipping through.
    """

    def __init__(self) -> None:
        self._reference: Thumb | None = None

    def changed_mm2(self, now: Thumb) -> float:
        """Area that differs from the reference; infinite without one (or of another size)."""
        if self._reference is None or self._reference.shape != now.shape:
            return float("inf")
        return float(np.sum(np.abs(now - self._reference) > MOVED_LEVELS)) * PIXEL_MM**2

    def accept(self, now: Thumb) -> None:
        """Make this picture the reference."""
        self._reference = now


class BareMat:
    """Remembers how the mat looks with nothing on it: a second witness for *cleared*.

    A cup that the detector overlooks still differs from the bare mat.
    """

    def __init__(self, object_mm2: float) -> None:
        self._object_mm2 = object_mm2
        self._reference: Thumb | None = None

    def learn(self, now: Thumb) -> None:
        """Take this picture as the bare mat."""
        self._reference = now

    def looks_bare(self, now: Thumb) -> bool | None:
        """Whether nothing large lies on the mat; None before the first `learn`.

        The median change is taken off first: a lamp that dims changes the whole mat alike.
        """
        if (change := self._change(now)) is None:
            return None
        return bool(np.sum(change > DIFFERENT_LEVELS) * PIXEL_MM**2 < self._object_mm2)

    def has_traces(self, now: Thumb, trace_mm2: float) -> bool:
        """Whether at least `trace_mm2` differ a little from the bare mat; False before `learn`."""
        change = self._change(now)
        area = 0.0 if change is None else float(np.sum(change > TRACE_LEVELS)) * PIXEL_MM**2
        return area >= trace_mm2

    def part_in_use(self, now: Thumb) -> tuple[float, float, float, float] | None:
        """The rectangle around all that differs from the bare mat: where dice can be.

        Returns:
            Left, top, right, bottom in millimetres of the rectified picture; an empty rectangle
            where nothing differs; None before the first `learn`.
        """
        if (change := self._change(now)) is None:
            return None
        # The mean over 2 x 2 takes single noisy pixels away and leaves a die's edge.
        rows, columns = np.nonzero(cv2.blur(change, (2, 2)) > MOVED_LEVELS)
        if not len(rows):
            return (0.0, 0.0, 0.0, 0.0)
        low, high = (columns.min(), rows.min()), (columns.max() + 1, rows.max() + 1)
        x1, y1, x2, y2 = (float(v) * PIXEL_MM for v in (*low, *high))
        return (x1, y1, x2, y2)

    def _change(self, now: Thumb) -> Thumb | None:
        """How much every place differs from the bare mat, the median taken off."""
        if self._reference is None or self._reference.shape != now.shape:
            return None
        change = now - self._reference
        return np.asarray(np.abs(change - np.median(change)), np.float32)
