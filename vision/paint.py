"""Whether the marks that were counted on a die are all of one paint.

Pips of one die are painted alike; a pale fleck of a marbled one may lie where a pip may lie, but
has another colour. Lamps and wear, too, make pips of one die differ, but hardly ever so that those
that are alike would alone be another value: of five marks three in a row are yellow, two are grey.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.pips import MOST, SLACK, Marks, Points, layout_error

BLUR_PX = 1.2
"""A mark has the colour around its middle, this standard deviation wide; a pip is 6 px wide or more
in a cut-out."""
PIP_PX = 5.0
"""What is further from all marks shows the face."""
OTHERS = {3: (1, 2), 4: (2,), 5: (1, 2, 3, 4), 6: (2, 4)}
"""How many of a value's pips may alone be another value."""
OFF = 2 * SLACK
"""How badly these may lie for that (`layout_error`), and how far from the middle of all."""
APART = 0.3
"""Two paints differ by at least this share of how far they differ from the face,"""
GRAIN_LEVELS = 6.0
"""and by more than what is of either differs from its mean, and by this, of 0..255: so much do
equal colours differ in any picture."""
NESTED = 2.0
"""Where one lies around the other they differ by so much more: a lamp that a face mirrors in its
middle lights the pip there, and no other. How often right dice do: `models/EXPERIMENTS.md`."""

Floats = NDArray[np.float32]


def one_paint(crops_bgr: Image, marks: Sequence[Marks], chances: Floats) -> Floats:
    """What marks say of values, should they be pips: nothing where they are of two paints.

    Args:
        crops_bgr: (N, 64, 64, 3) uint8 of `vision.crops`, as they were marked.
        marks: of each.
        chances: (N, 7) what they say of its value (`vision.pips.value_chances`).

    Returns:
        (N, 7): with two paints, the chance of the likeliest value goes to "anything else".
    """
    told = chances.copy()
    for row, (crop, seen) in enumerate(zip(crops_bgr, marks, strict=True)):
        value_id = int(chances[row, :MOST].argmax())
        if two_paints(crop, seen.places[: value_id + 1]):
            told[row, [value_id, MOST]] = 0.0, chances[row, [value_id, MOST]].sum()
    return told


def two_paints(crop_bgr: Image, places: Points) -> bool:
    """Whether some marks are painted otherwise than the rest, and one of both is another value.

    Args:
        crop_bgr: (64, 64, 3) uint8 of `vision.crops`.
        places: (K, 2) marks that lie as the pips of the value K, as shares of the crop.
    """
    if len(places) not in OTHERS:
        return False
    at_px = places * crop_bgr.shape[0]
    soft = cv2.GaussianBlur(crop_bgr, (0, 0), BLUR_PX).astype(np.float32)
    columns, rows = np.clip(at_px.astype(int), 0, crop_bgr.shape[0] - 1).T
    paints = soft[rows, columns]
    between = np.linalg.norm(paints[:, None] - paints[None], axis=2)
    for alone in _parts(len(paints)):
        apart = float(between[alone][:, ~alone].min())
        if apart > GRAIN_LEVELS and _is_a_value(at_px, alone):
            more = NESTED if _nested(at_px, alone) else 1.0
            if apart > more * _same_paint(paints, alone, _face(soft, at_px)):
                return True
    return False


def _same_paint(paints: Floats, alone: NDArray[np.bool_], face: Floats) -> float:
    """How far two groups of colours (K, 3) may be apart and still be one paint on this face."""
    groups = paints[alone], paints[~alone]
    means = [group.mean(axis=0) for group in groups]
    widths = [np.linalg.norm(g - m, axis=1).max() for g, m in zip(groups, means, strict=True)]
    contrast = max(float(np.linalg.norm(mean - face)) for mean in means)
    return max(float(sum(widths)) + GRAIN_LEVELS, APART * contrast)


@cache
def _parts(marks: int) -> list[NDArray[np.bool_]]:
    """Which of so many marks may alone be another value."""
    return [
        np.isin(np.arange(marks), part)
        for number in OTHERS[marks]
        for part in combinations(range(marks), number)
    ]


def _is_a_value(at_px: Points, alone: NDArray[np.bool_]) -> bool:
    """Whether those marks lie as the pips of a value do, in the middle of the face."""
    middle, part = at_px.mean(axis=0), at_px[alone]
    reach = float(np.linalg.norm(at_px - middle, axis=1).mean())
    off = float(np.linalg.norm(part.mean(axis=0) - middle))
    return off < OFF * reach and layout_error(part) < OFF


def _nested(at_px: Points, alone: NDArray[np.bool_]) -> bool:
    """Whether all of one group are nearer to the middle of the face than all of the other."""
    away = np.linalg.norm(at_px - at_px.mean(axis=0), axis=1)
    some, others = away[alone], away[~alone]
    return bool(some.max() < others.min() or others.max() < some.min())


def _face(soft: Floats, at_px: Points) -> Floats:
    """(3,) the colour of the face around the marks."""
    axis = np.arange(soft.shape[0]) + 0.5
    away = np.hypot(axis - at_px[:, 0, None, None], axis[:, None] - at_px[:, 1, None, None])
    middle = at_px.mean(axis=0)
    reach = float(np.linalg.norm(at_px - middle, axis=1).max())
    inside = np.hypot(axis - middle[0], axis[:, None] - middle[1]) < reach
    there = soft[inside & (away.min(axis=0) > PIP_PX)]
    return np.asarray(np.median(there if len(there) else soft.reshape(-1, 3), axis=0))
