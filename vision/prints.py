"""Look-alikes that belong to the mat: printed dice, logos, burn marks, a domino glued down.

The mat is remembered as it looks when nothing lies on it, and so is what lay there before the
first cup came, around cups that stood there already. What the detector finds at a place that
looks as it did then is no die that anybody threw. A die that falls on it changes how it looks, and
counts.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image, Where, to_uint8
from vision.mat_view import MatView

PATCH_PX = 20
KNOWN_SHARE = 0.8
"""How much of a place must be known for it to be compared."""
SAME_LOOK = 0.8
"""Correlation of fine structure from which on a place looks as it did: light may change, a die may
not."""
LIKE = 0.5
"""The same of the middle of a place (`WITHIN`) that looks somewhat as it did, in a shadow or half
under a die: fourteen look-alikes that were taken for a fourth die have 0.66 and more, no die beside
them more than 0.21. Its rim would speak for the mat around a die, too (0.75)."""
AROUND = 0.15
"""How far beyond its box a place is compared, as a share of the box: its outline is looked at."""
WITHIN = -0.2
"""The same where the mat around would speak for what is there: for a cup, which is smooth."""
SAME_TINT, SAME_LEVEL = 0.04, 1.6
"""How far the shares of blue, green and red, and the light as a factor, may change at a place that
has stayed the same: a shadow's edge runs over a real cup as it ran over the mat, and a red die on
red paper is as light as the paper."""
SOFT_PX = 3.0
"""Structure softer than this in a patch is light, not print."""
INSIDE = slice(5, 15)
"""The middle of a patch: 0.6 of the box."""
INSIDE_LEVELS = 4.0
"""Standard deviation of what may differ there where the whole looks alike: noise. A bold line at
the edge speaks for the whole, though a die lies beside it now."""
FAINT = 2.0
"""Standard deviation below which a place has no look of its own to be compared."""

Boxes = NDArray[np.float32]
EVERYTHING: Where = (slice(None), slice(None))


class Prints:
    """Remembers how the mat looks without dice; places are pixels of its rectified picture.

    Args:
        whole_cups: a cup is known that stands there as it did, its outline with it; else only where
            the mat has such a look.
    """

    def __init__(self, *, whole_cups: bool = False) -> None:
        self._whole_cups = whole_cups
        self._mat: Image | None = None
        self._known: NDArray[np.bool_] | None = None

    @property
    def knows_nothing(self) -> bool:
        """Whether nothing has been learned yet."""
        return self._mat is None

    def learn(
        self,
        view_bgr: Image,
        *,
        besides_px: Boxes | None = None,
        where: NDArray[np.bool_] | None = None,
    ) -> None:
        """What is to be seen now belongs to the mat.

        Args:
            view_bgr: (H, W, 3) uint8, the mat now.
            besides_px: (N, 4) where something lies that does not; what was known there stays.
            where: (h, w) of a smaller picture: only this is learned; None: all of it.
        """
        if (learned := self._learned(view_bgr)) is None:
            learned = view_bgr.copy(), np.zeros(view_bgr.shape[:2], np.bool_)
            self._mat, self._known = learned
        mat, known = learned
        size = (view_bgr.shape[1], view_bgr.shape[0])
        some = np.ones((1, 1), np.uint8) if where is None else where.astype(np.uint8)
        there = to_uint8(cv2.resize(some, size, interpolation=cv2.INTER_NEAREST))
        for box in () if besides_px is None else besides_px:
            there[_part(box, view_bgr.shape, around=0.0)] = 0
        cv2.copyTo(view_bgr, there, mat)
        known |= there.view(np.bool_)

    def beneath(self, view_bgr: Image | MatView, where: Where = EVERYTHING) -> Image:
        """How a part of the mat looks without dice, (h, w, 3); as now where nobody knows that.

        Args:
            view_bgr: (H, W, 3) uint8, the mat now.
            where: rows and columns of the part.
        """
        now, learned = view_bgr[where], self._learned(view_bgr)
        if learned is None:
            return now
        mat, known = learned
        return to_uint8(cv2.copyTo(mat[where], known[where].view(np.uint8), now.copy()))

    def are_known(
        self,
        view_bgr: Image | MatView,
        boxes_px: Boxes,
        *,
        are_cups: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.bool_]:
        """Which findings were there before.

        Args:
            view_bgr: (H, W, 3) uint8, the mat now.
            boxes_px: (N, 4) what was found in it.
            are_cups: (N,) which of it was taken for cups; None: nothing.

        Returns:
            (N,) True where the mat looks as it did without dice.
        """
        learned = self._learned(view_bgr)
        if learned is None:
            return np.zeros(len(boxes_px), np.bool_)
        cups = np.zeros(len(boxes_px), np.bool_) if are_cups is None else are_cups
        known = [
            self._is_same(*learned, view_bgr, box, is_cup=bool(is_cup))
            for box, is_cup in zip(boxes_px, cups, strict=True)
        ]
        return np.array(known, np.bool_)

    def are_like(self, view_bgr: Image | MatView, boxes_px: Boxes) -> NDArray[np.bool_]:
        """Which findings lie where the mat looks somewhat as it did; arguments as of `are_known`.

        What only resembles print may be a die all the same: it takes other dice to tell.
        """
        learned = self._learned(view_bgr)
        if learned is None:
            return np.zeros(len(boxes_px), np.bool_)
        mat, known = learned
        parts = [_part(box, view_bgr.shape, around=WITHIN) for box in boxes_px]
        like = [
            _covered(known[part])
            and _same_colour(mat[part], view_bgr[part])
            and _alike(_fine(mat[part]), _fine(view_bgr[part]), bound=LIKE)
            for part in parts
        ]
        return np.array(like, np.bool_)

    def _learned(self, view_bgr: Image | MatView) -> tuple[Image, NDArray[np.bool_]] | None:
        """The mat, and where it is known; None where that is of no such picture."""
        if self._mat is None or self._known is None or self._mat.shape != view_bgr.shape:
            return None
        return self._mat, self._known

    def _is_same(
        self,
        mat: Image,
        known: NDArray[np.bool_],
        view: Image | MatView,
        box: Boxes,
        *,
        is_cup: bool,
    ) -> bool:
        """Whether one place looks as it did."""
        inner = _part(box, view.shape, around=WITHIN if is_cup else AROUND)
        outer = _part(box, view.shape) if is_cup and self._whole_cups else inner
        if not _covered(known[outer]) or not _same_colour(mat[inner], view[inner]):
            return False
        before, now = _fine(mat[outer]), _fine(view[outer])
        if is_cup:  # the mat's edge behind it is in its outline, and speaks for no cup
            same = _same_or_smooth(_fine(mat[inner]), _fine(view[inner]))
        else:
            same = _same_inside(before, now)
        return same and _alike(before, now)


def _part(box: Boxes, shape: tuple[int, ...], *, around: float = AROUND) -> Where:
    """Rows and columns of a box and a little around it, at least one of each, in a picture."""
    further = around * (box[2:] - box[:2])
    left, top = (round(float(v)) for v in box[:2] - further)
    right, bottom = (round(float(v)) for v in box[2:] + further)
    x, y = min(shape[1] - 1, max(0, left)), min(shape[0] - 1, max(0, top))
    return slice(y, max(y + 1, bottom)), slice(x, max(x + 1, right))


def _covered(known: NDArray[np.bool_]) -> bool:
    """Whether nearly all of a place is known."""
    return bool(np.count_nonzero(known) > KNOWN_SHARE * known.size)


def _same_colour(before_bgr: Image, now_bgr: Image) -> bool:
    """Whether a place has kept its colour, and about its light."""
    before, now = (np.array(cv2.mean(part)[:3]) + 1 for part in (before_bgr, now_bgr))
    factor = float(now.sum() / before.sum())
    tint = float(np.abs(now / now.sum() - before / before.sum()).max())
    return tint <= SAME_TINT and 1 / SAME_LEVEL <= factor <= SAME_LEVEL


def _same_inside(before: NDArray[np.float32], now: NDArray[np.float32]) -> bool:
    """Whether the middle of a place has kept its fine structure, whatever is around it."""
    before, now = before[INSIDE, INSIDE], now[INSIDE, INSIDE]
    energy = float((before * before).sum())
    gain = float((before * now).sum()) / energy if energy else 0.0
    most = max(INSIDE_LEVELS, (1 - SAME_LOOK**2) ** 0.5 * float(now.std()))
    return bool((now - gain * before).std() <= most)


def _alike(
    before: NDArray[np.float32], now: NDArray[np.float32], *, bound: float = SAME_LOOK
) -> bool:
    """Whether two places have the same fine structure, however strong."""
    return float(np.mean(_even(before) * _even(now))) >= bound


def _same_or_smooth(before: NDArray[np.float32], now: NDArray[np.float32]) -> bool:
    """Whether they have, or neither has any."""
    smooth = max(float(before.std()), float(now.std())) < FAINT
    return smooth or _alike(before, now)


def _even(fine: NDArray[np.float32]) -> NDArray[np.float32]:
    """Fine structure with its spread made one; zeros where there is none."""
    spread = float(fine.std())
    return fine / np.float32(spread) if spread >= FAINT else np.zeros_like(fine)


def _fine(part_bgr: Image) -> NDArray[np.float32]:
    """Structure of a place in colours: edges, pips and letters; soft light and shadow taken off."""
    small = cv2.resize(part_bgr, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
    colours = small.astype(np.float32)
    return np.asarray(colours - cv2.GaussianBlur(colours, (0, 0), SOFT_PX), np.float32)
