"""A cheap look at the mat that needs no model: did anything move?

Small pictures (about 2 mm a pixel) are compared in square millimetres of change, so that the
camera's resolution does not matter. Averaging to 2 mm takes the sensor's noise away. Every part of
the mat is answered for by itself (`vision.parts`). `vision.bare_mat` is the other such look.
"""

from dataclasses import dataclass
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.median import medians
from vision.parts import PIXEL_MM, WHOLE, Parts

MOVED_LEVELS = 12.0
"""Change of grey, 0..255, that noise and compression stay below after averaging."""
MOST_GAIN = 1.15
"""No lamp's flicker changes the light between two frames by more."""
Thumb = NDArray[np.float32]
"""(h, w, 3): grey, red, blue."""
Grey = NDArray[np.float32]
"""(h, w)."""


def thumb(rectified_bgr: Image, scale_px_per_mm: float) -> Thumb:
    """A small copy of a rectified picture at `PIXEL_MM` millimetres a pixel.

    Args:
        rectified_bgr: (H, W, 3) uint8.
        scale_px_per_mm: its resolution.

    Returns:
        (h, w, 3) float32, 0..255: grey, and how red and how blue it is (Cr, Cb).
    """
    factor = min(1.0, 1 / (PIXEL_MM * scale_px_per_mm))
    # Whole pixels into one are averaged six times as fast as parts of them: an odd row is doubled.
    height, width = rectified_bgr.shape[:2]
    size = (max(1, ceil(width * factor)), max(1, ceil(height * factor)))
    rows, columns = round(size[1] / factor) - height, round(size[0] / factor) - width
    whole = cv2.copyMakeBorder(rectified_bgr, 0, rows, 0, columns, cv2.BORDER_REPLICATE)
    small = cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb), dtype=np.float32)


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

    def changed_mm2(self, now: Thumb, parts: Parts = WHOLE) -> NDArray[np.float64]:
        """(count,) area of every part that differs from the reference; infinite without one."""
        if self._reference is None or self._reference.shape != now.shape:
            return np.full(parts.count, np.inf)
        grey, before = (np.ascontiguousarray(one[..., 0]) for one in (now, self._reference))
        changed = _moved(grey, before)
        if changed.any():  # light is reckoned with only where it may matter: most frames are quiet
            changed &= _moved(grey, _in_light_of(grey, before))
        return parts.areas_mm2(changed)

    def accept(self, now: Thumb, where: NDArray[np.bool_] | None = None) -> None:
        """Make this picture the reference; `where`: only there."""
        self._reference = taken_over(self._reference, now, where)


def _moved(now: Grey, before: Grey) -> NDArray[np.bool_]:
    """Where a picture differs.

    The mean over 2 x 2 takes noise away and what compression does to edges, not a die's move.
    """
    return np.asarray(np.abs(cv2.blur(now - before, (2, 2))) > MOVED_LEVELS)


def _in_light_of(now: Grey, before: Grey) -> Grey:
    """The picture `before`, its rows and then its columns as light as those of `now`.

    A lamp on the mains and a rolling shutter darken bands of the picture by a few per cent, which
    is many levels of whatever is white. What covers a row or column is no light: `MOST_GAIN`.
    """
    lit = before
    for axis in (1, 0):
        gains = medians((now + 1.0) / (lit + 1.0), axis=axis)
        lit = lit * np.clip(gains, 1 / MOST_GAIN, MOST_GAIN)
    return np.asarray(lit, np.float32)


def taken_over(before: Thumb | None, now: Thumb, where: NDArray[np.bool_] | None) -> Thumb:
    """The picture `now`, outside `where` the one before."""
    if where is None or before is None or before.shape != now.shape:
        return now
    return np.where(where[..., None], now, before)
