"""Which findings of a detector can be what they are called, by their size and place.

Findings inside a cup's outline do not count (the print on its bottom), unless they are so much
clearer than the cup that it must be a coaster.
"""

import numpy as np
from numpy.typing import NDArray

from vision.detections import CUP, VALUE_CLASSES, Detections
from vision.scene_settings import SceneSettings

INSIDE_CUP = 0.85
"""A finding is inside a cup when its centre lies in the ellipse of the cup's box shrunk to this."""
CLEARER = 0.4
"""A die whose score is this much better than that of the cup around it lies on a coaster."""


def plausible(
    boxes: NDArray[np.float64],
    centres: NDArray[np.float64],
    found: Detections,
    settings: SceneSettings,
) -> NDArray[np.bool_]:
    """Which findings count.

    Args:
        boxes: (N, 4) left, top, right, bottom, mm.
        centres: (N, 2), mm.
        found: N findings.
        settings: sizes.

    Returns:
        (N,).
    """
    class_id = found.class_id
    width, height = (boxes[:, 2:] - boxes[:, :2]).T
    side = np.sqrt(np.maximum(width * height, 0)) / settings.die_mm
    is_value = class_id < VALUE_CLASSES
    fits = (side >= settings.smallest_die) & (side <= settings.largest_die)
    counts = np.where(is_value, fits, side >= settings.smallest_die)
    counts &= (class_id != CUP) | (np.minimum(width, height) >= settings.smallest_cup_mm)
    for left, top, right, bottom in settings.blind_mm:
        x, y = centres.T
        counts &= ~((x > left) & (x < right) & (y > top) & (y < bottom))
    for cup in np.flatnonzero(class_id == CUP):
        inside = _inside(centres, boxes[cup]) & (class_id != CUP)
        if (found.score[inside] > found.score[cup] + CLEARER).any():
            counts[cup] = False
        else:
            counts &= ~inside
    return np.asarray(counts, dtype=np.bool_)


def _inside(centres: NDArray[np.float64], box: NDArray[np.float64]) -> NDArray[np.bool_]:
    middle = (box[:2] + box[2:]) / 2
    half = (box[2:] - box[:2]) / 2 * INSIDE_CUP
    return np.asarray((((centres - middle) / half) ** 2).sum(axis=1) < 1, dtype=np.bool_)
