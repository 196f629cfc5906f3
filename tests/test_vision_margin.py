"""How far around the mat the camera sees."""

import numpy as np
import pytest

from vision.calibration import MatCalibration
from vision.margin import LEAST_MM, MOST_MM, margin_in_view


def seen_at(px_per_mm: float, left_mm: float, top_mm: float) -> MatCalibration:
    """A mat seen from straight above, with so much table left of it and above it."""
    scale = 1 / px_per_mm
    return MatCalibration(np.array([[scale, 0, -left_mm], [0, scale, -top_mm], [0, 0, 1.0]]))


@pytest.mark.parametrize(
    ("around_mm", "expected"), [(60.0, MOST_MM), (21.0, 20.0), (13.0, LEAST_MM), (3.0, LEAST_MM)]
)
def test_the_margin_is_what_is_seen_on_all_sides(around_mm: float, expected: float):
    size = (round((420 + 2 * around_mm) * 2), round((315 + 2 * around_mm) * 2))
    assert margin_in_view(seen_at(2.0, around_mm, around_mm), size) == expected


def test_the_narrowest_side_counts():
    assert margin_in_view(seen_at(2.0, 17.0, 60.0), (1200, 1000)) == 16.0
