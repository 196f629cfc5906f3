"""A cheap look at the mat that needs no model: does it look bare?

Small pictures of about 2 mm a pixel (`vision.motion.thumb`) are compared in square millimetres of
change. A thing differs from the bare mat by its grey or by its colour: a brown cup on green felt
may be just as light. Every part of the mat is answered for by itself (`vision.parts`), and learned
by itself.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.median import median
from vision.motion import MOVED_LEVELS, Grey, Thumb, taken_over
from vision.parts import PIXEL_MM, WHOLE, Parts

DIFFERENT_LEVELS = 25.0
"""A cup or a die on the mat differs from the bare mat by more, a lamp's flicker by less."""
TRACE_LEVELS = 15.0
"""Dice of the mat's own colours differ by more in places."""

SAME_SHARE = 0.08
"""A place looks bare when no more of it and of what is around differs by `TRACE_LEVELS`; of a die
it is a fourth."""
ROUND_MM = 8.0
"""So far around a place its surroundings tell what light there is."""


@dataclass(frozen=True, eq=False)
class BareLook:
    """One comparison with the bare mat.

    Attributes:
        bare: for every part whether nothing large lies there; None where nobody can tell.
        traces: whether something may lie there that is too faint for `bare`.
        parts: which pixels these are.
        trace_mm2: from so much faint difference on something may lie at a place.
        change: (h, w) by how much each is lighter, or of another colour where that is more, the
            light taken off; not a number where it was never seen bare; None: nowhere it was.
        tint: (h, w) by how much each is of another colour; a shadow has none of its own.
    """

    bare: tuple[bool | None, ...]
    traces: tuple[bool, ...]
    parts: Parts
    trace_mm2: float
    change: Grey | None = None
    tint: Grey | None = None

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
        unknown = np.isnan(self.change)
        known = np.where(unknown, np.float32(0), np.abs(self.change))
        strange = unknown | (cv2.blur(known, (2, 2)) > MOVED_LEVELS)
        if (mask := self.parts.mask(which)) is not None:
            strange &= mask
        columns, rows = (np.flatnonzero(strange.any(axis=axis)) for axis in (0, 1))
        if not len(rows):
            return (0.0, 0.0, 0.0, 0.0)
        low, high = (columns[0], rows[0]), (columns[-1] + 1, rows[-1] + 1)
        x1, y1, x2, y2 = (float(v) * PIXEL_MM for v in (*low, *high))
        return (x1, y1, x2, y2)

    def is_bare_at(self, boxes_mm: NDArray[np.float64]) -> bool:
        """Whether the mat looks bare at some places, whatever lies elsewhere and in any light.

        Where a cup stood three dice are a small share: no more than a trace may differ there.

        Args:
            boxes_mm: (N, 4) left, top, right, bottom, millimetres of the rectified picture.

        Returns:
            True for all of them; False also where nobody can tell.
        """
        if self.change is None or self.tint is None:
            return False
        grown = boxes_mm + ROUND_MM * np.array([-1, -1, 1, 1])
        for left, top, right, bottom in np.maximum(grown / PIXEL_MM, 0).round().astype(int):
            place = self.change[top:bottom, left:right]
            if not place.size or not np.isfinite(place).all():
                return False
            shade = median(place.ravel())
            differs = np.abs(place - shade) > TRACE_LEVELS
            differs |= self.tint[top:bottom, left:right] > TRACE_LEVELS
            most = min(SAME_SHARE * differs.size, self.trace_mm2 / PIXEL_MM**2)
            if abs(shade) > DIFFERENT_LEVELS or differs.sum() > most:
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
        self._reference = taken_over(nowhere, now, parts.mask(which))
        self._learned = known | which

    def learn_beside(self, now: Thumb, where: NDArray[np.bool_]) -> None:
        """Remember what lies beside dice; `where` (h, w): not there."""
        anew = self._beside is None or self._beside.shape != now.shape
        nowhere = np.full_like(now, np.nan) if anew else self._beside
        self._beside = taken_over(nowhere, now, where)

    def look(self, now: Thumb, parts: Parts = WHOLE) -> BareLook:
        """Compare the mat with how it looks bare."""
        reference = self._reference
        if reference is None or reference.shape != now.shape:
            nobody_knows = (None,) * parts.count
            return BareLook(nobody_knows, (False,) * parts.count, parts, self._trace_mm2)
        change, tint = _change(now, reference, parts)
        if self._beside is not None and self._beside.shape == now.shape:
            beside, other = _change(now, self._beside, parts)
            nearer = np.abs(beside) < np.abs(change)
            change, tint = np.where(nearer, beside, change), np.where(nearer, other, tint)
        different = np.abs(change)
        different_mm2 = parts.areas_mm2(different > DIFFERENT_LEVELS)
        faint_mm2 = parts.areas_mm2(different > TRACE_LEVELS)
        bare = [
            bool(area < self._object_mm2) if known else None
            for area, known in zip(different_mm2, self._learned, strict=True)
        ]
        traces = (faint_mm2 >= self._trace_mm2) & self._learned
        return BareLook(tuple(bare), tuple(traces.tolist()), parts, self._trace_mm2, change, tint)


def _change(now: Thumb, before: Thumb, parts: Parts) -> tuple[Grey, Grey]:
    """By how much each pixel differs, (h, w), the light taken off; and by how much in colour.

    A colour has no sign here: the change has that of the grey.
    """
    planes = np.ascontiguousarray(np.moveaxis(now - before, -1, 0))
    grey, red, blue = (plane - _light(plane, parts) for plane in planes)
    tint = np.maximum(np.abs(red), np.abs(blue))
    change = np.copysign(np.maximum(tint, np.abs(grey)), grey)
    return np.asarray(change, np.float32), np.asarray(tint, np.float32)


def _light(change: Grey, parts: Parts) -> Grey | np.float32:
    """The median change, a number or (h, w): a lamp that dims changes all of a part alike.

    Light that only one part has seen is no light: something covers it.
    """
    # Every other pixel in both directions tells as well what most of them do.
    some = change[::2, ::2]
    known = np.isfinite(some)
    everywhere = median(some[known]) if known.any() else 0.0
    if parts.owners is None:
        return np.float32(everywhere)
    owners = parts.owners[::2, ::2]
    lights = np.full(parts.count, everywhere, np.float32)
    for index in range(parts.count):
        here = some[known & (owners == index)]
        light = median(here) if len(here) else everywhere
        if abs(light - everywhere) <= DIFFERENT_LEVELS:
            lights[index] = light
    # Mostly all have the same, and looking up every pixel's takes long.
    return lights[0] if (lights == lights[0]).all() else lights[parts.owners]
