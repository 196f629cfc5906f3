"""How much of the table around the mat is looked at: dice fall off."""

import numpy as np

from vision.calibration import MatCalibration

LEAST_MM, MOST_MM, STEP_MM = 12.0, 26.0, 2.0
"""A die that rolls off a mat on a table mostly stays within a hand's breadth; farther out lie the
things of the pub."""


def margin_in_view(mat: MatCalibration, picture_px: tuple[int, int]) -> float:
    """How far around the mat the camera sees on all sides, mm: from `LEAST_MM` to `MOST_MM`.

    Args:
        mat: where the camera sees the mat.
        picture_px: width and height of its pictures.
    """
    width, height = mat.mat_size_mm
    for margin in np.arange(MOST_MM, LEAST_MM, -STEP_MM):
        low, right, bottom = -margin, width + margin, height + margin
        corners = mat.to_px([[low, low], [right, low], [right, bottom], [low, bottom]])
        if (corners >= 0).all() and (corners <= picture_px).all():
            return float(margin)
    return LEAST_MM
