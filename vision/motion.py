"""Two cheap looks at the mat that need no model: did anything move, and does it look bare?

Both compare small grey pictures (about 2 mm a pixel) in square millimetres of change, so that the
camera's resolution does not matter. Averaging to 2 mm takes the sensor's noise away. Both answer
for every part of the mat by itself (`vision.parts`), and learn part by part.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.parts import PIXEL_MM, WHOLE, Parts

MOVED_LEVELS = 12.0
"""Change of grey, 0..255, that noise and compression stay below after averaging."""
MOST_GAIN = 1.15
"""No lamp's flicker changes the light between two frames by more."""
DIFFERENT_LEVELS = 25.0
"""A cup or a die on the mat differs from the bare mat by more, a lamp's flicker by less."""
TRACE_LEVELS = 15.0
"""Dice of the mat's own colours differ by more in places."""

SAME_SHARE = 0.08
"""A place looks bare when no more of it and of what is around differs by `TRACE_LEVELS`; of a die
it is a fourth."""
ROUND_MM = 8.0
"""So far around a place its surroundings tell what light there is."""

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
    grey = cv2.cvtColor(rectified_bgr, cv2.COLOR_BGR2GRAY)  # first: a third is left to average
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


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
        changed = _moved(now, self._reference)
        if changed.any():  # light is reckoned with only where it may matter: most frames are quiet
            changed &= _moved(now, _in_light_of(now, self._reference))
        return parts.areas_mm2(changed)

    def accept(self, now: Thumb, where: NDArray[np.bool_] | None = None) -> None:
        """Make this picture the reference; `where`: only there."""
        self._reference = _taken_over(self._reference, now, where)


@dataclass(frozen=True, eq=False)
class BareLook:
    """One comparison with the bare mat.

    Attributes:
        bare: for every part whether nothing large lies there; None where nobody can tell.
        traces: whether something may lie there that is too faint for `bare`.
        parts: which pixels these are.
        change: (h, w) by how much each is lighter, the light taken off; not a number where it was
            never seen bare; None: nowhere it was.
    """

    bare: tuple[bool | None, ...]
    traces: tuple[bool, ...]
    parts: Parts
    change: Thumb | None

    def part_in_use(self, which: NDArray[np.bool_]) -> tuple[float, float, float, float] | None:
        """The rectangle around all that differs from the bare mat: where dice can be.

        Args:
            which: (count,) the parts that matter.

        Returns:
            Left, top, right, bottom in millimetres of the rectified picture; an empty rectangle
            where nothing differs; None as long as nothing is known of the mat.
        """
        if self.change is None:
            return None
        # The mean over 2 x 2 takes single noisy pixels away and leaves a die's edge.
        strange = cv2.blur(np.nan_to_num(np.abs(self.change)), (2, 2)) > MOVED_LEVELS
        strange |= np.isnan(self.change)
        if (mask := self.parts.mask(which)) is not None:
            strange &= mask
        rows, columns = np.nonzero(strange)
        if not len(rows):
            return (0.0, 0.0, 0.0, 0.0)
        low, high = (columns.min(), rows.min()), (columns.max() + 1, rows.max() + 1)
        x1, y1, x2, y2 = (float(v) * PIXEL_MM for v in (*low, *high))
        return (x1, y1, x2, y2)

    def is_bare_at(self, boxes_mm: NDArray[np.float64]) -> bool:
        """Whether the mat looks bare at some places, whatever lies elsewhere and in any light.

        Args:
            boxes_mm: (N, 4) left, top, right, bottom, millimetres of the rectified picture.

        Returns:
            True for all of them; False also where nobody can tell.
        """
        if self.change is None:
            return False
        grown = boxes_mm + ROUND_MM * np.array([-1, -1, 1, 1])
        for left, top, right, bottom in np.maximum(grown / PIXEL_MM, 0).round().astype(int):
            place = self.change[top:bottom, left:right]
            known = place[np.isfinite(place)]
            if len(known) < place.size or not len(known):
                return False
            differs = np.abs(known - np.median(known)) > TRACE_LEVELS
            if differs.mean() > SAME_SHARE:
                return False
        return True


class BareMat:
    """Remembers how the mat looks with nothing on it: a second witness for *cleared*.

    A cup that the detector overlooks still differs from the bare mat. Parts that are seen bare at
    different times were seen in different light; each has a light of its own.

    What lies beside dice that are all accounted for is no die: a glass, a hand that rests. A place
    is as good as bare when it looks as it did bare, or as it did then.

    Args:
        object_mm2: a larger difference is a thing.
        trace_mm2: from so much faint difference on something may lie there.
    """

    def __init__(self, object_mm2: float, trace_mm2: float) -> None:
        self._object_mm2, self._trace_mm2 = object_mm2, trace_mm2
        self._reference: Thumb | None = None
        self._beside: Thumb | None = None
        self._learned = np.zeros(0, np.bool_)

    def learn(
        self, now: Thumb, parts: Parts = WHOLE, which: NDArray[np.bool_] | None = None
    ) -> None:
        """Take this picture as the bare mat; `which` (count,): only of these parts."""
        which = np.ones(parts.count, np.bool_) if which is None else which
        anew = self._reference is None or self._reference.shape != now.shape
        known = np.zeros(parts.count, np.bool_) if anew else self._learned
        nowhere = np.full_like(now, np.nan) if anew else self._reference
        self._reference = _taken_over(nowhere, now, parts.mask(which))
        self._learned = known | which

    def learn_beside(self, now: Thumb, where: NDArray[np.bool_]) -> None:
        """Remember what lies beside dice; `where` (h, w): not there."""
        anew = self._beside is None or self._beside.shape != now.shape
        nowhere = np.full_like(now, np.nan) if anew else self._beside
        self._beside = _taken_over(nowhere, now, where)

    def look(self, now: Thumb, parts: Parts = WHOLE) -> BareLook:
        """Compare the mat with how it looks bare."""
        reference = self._reference
        if reference is None or reference.shape != now.shape:
            nobody_knows = (None,) * parts.count
            return BareLook(nobody_knows, (False,) * parts.count, parts, None)
        change = now - reference
        change = change - _light(change, parts)
        if self._beside is not None and self._beside.shape == now.shape:
            beside = now - self._beside
            beside = beside - _light(beside, parts)
            change = np.where(np.abs(beside) < np.abs(change), beside, change)
        different = np.abs(change)
        different_mm2 = parts.areas_mm2(different > DIFFERENT_LEVELS)
        faint_mm2 = parts.areas_mm2(different > TRACE_LEVELS)
        bare = [
            bool(area < self._object_mm2) if known else None
            for area, known in zip(different_mm2, self._learned, strict=True)
        ]
        traces = (faint_mm2 >= self._trace_mm2) & self._learned
        return BareLook(tuple(bare), tuple(traces.tolist()), parts, np.asarray(change, np.float32))


def _moved(now: Thumb, before: Thumb) -> NDArray[np.bool_]:
    """Where a picture differs.

    The mean over 2 x 2 takes noise away and what compression does to edges, not a die's move.
    """
    return np.asarray(np.abs(cv2.blur(now - before, (2, 2))) > MOVED_LEVELS)


def _in_light_of(now: Thumb, before: Thumb) -> Thumb:
    """The picture `before`, its rows and then its columns as light as those of `now`.

    A lamp on the mains and a rolling shutter darken bands of the picture by a few per cent, which
    is many levels of whatever is white. What covers a row or column is no light: `MOST_GAIN`.
    """
    lit = before
    for axis in (1, 0):
        gains = np.median((now + 1.0) / (lit + 1.0), axis=axis, keepdims=True)
        lit = lit * np.clip(gains, 1 / MOST_GAIN, MOST_GAIN)
    return np.asarray(lit, np.float32)


def _light(change: Thumb, parts: Parts) -> Thumb | np.float32:
    """The median change, a number or (h, w): a lamp that dims changes all of a part alike.

    Light that only one part has seen is no light: something covers it.
    """
    if parts.owners is None:
        known = change[np.isfinite(change)]
        return np.float32(np.median(known)) if len(known) else np.float32(0)
    # Every other pixel in both directions tells as well what most of them do.
    some, owners = change[::2, ::2], parts.owners[::2, ::2]
    known = np.isfinite(some)
    everywhere = float(np.median(some[known])) if known.any() else 0.0
    lights = np.full(parts.count, everywhere, np.float32)
    for index in range(parts.count):
        here = some[known & (owners == index)]
        light = float(np.median(here)) if len(here) else everywhere
        if abs(light - everywhere) <= DIFFERENT_LEVELS:
            lights[index] = light
    return np.asarray(lights[parts.owners], np.float32)


def _taken_over(before: Thumb | None, now: Thumb, where: NDArray[np.bool_] | None) -> Thumb:
    """The picture `now`, outside `where` the one before."""
    if where is None or before is None or before.shape != now.shape:
        return now
    return np.where(where, now, before)
