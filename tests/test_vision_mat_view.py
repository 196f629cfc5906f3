"""The mat from straight above, warped where somebody looks."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.calibration import calibrate_from_corners
from vision.mat_view import MatView, rectify

MAT_MM = (210.0, 160.0)
CORNERS = [[45, 30], [430, 50], [445, 330], [20, 310]]
FRAME = np.random.default_rng(5).integers(0, 256, (360, 480, 3)).astype(np.uint8)
MAT = calibrate_from_corners(np.array(CORNERS, float), MAT_MM)
WHOLE = rectify(FRAME, MAT, margin_mm=12.0)
SLICES = st.tuples(st.integers(-20, 600), st.integers(-20, 600)).map(lambda ends: slice(*ends))


def view() -> MatView:
    return MatView(FRAME, MAT, margin_mm=12.0)


@given(st.lists(st.tuples(SLICES, SLICES), min_size=1, max_size=5))
def test_parts_are_those_of_the_whole_in_whatever_order_they_are_asked_for(wheres):
    seen = view()
    for where in wheres:
        assert np.array_equal(seen[where], WHOLE[where])
    assert np.array_equal(seen.whole, WHOLE)
    for where in wheres:
        assert np.array_equal(seen[where], WHOLE[where])


def test_it_has_the_shape_of_the_whole_before_anything_is_warped(monkeypatch):
    monkeypatch.setattr(cv2, "remap", lambda *what, **how: pytest.fail("warped"))
    assert view().shape == WHOLE.shape == (405, 515, 3)


def test_a_place_in_what_was_seen_is_not_warped_again(monkeypatch):
    seen, warped = view(), []
    real = cv2.remap
    monkeypatch.setattr(cv2, "remap", lambda *what, **how: warped.append(1) or real(*what, **how))
    _ = seen[50:250, 100:400]
    _ = seen[60:80, 110:130], seen[50:250, 100:400], seen[249:250, 399:400]
    assert len(warped) == 1
    _ = seen[40:80, 110:130]
    assert len(warped) == 2
    _ = seen.whole, seen.whole, seen[0:80, 0:90]
    assert len(warped) == 3


def test_a_fine_camera_is_averaged_once_and_parts_are_the_same():
    fine = np.repeat(np.repeat(FRAME, 4, axis=0), 4, axis=1)
    mat = calibrate_from_corners(4.0 * np.array(CORNERS), MAT_MM)
    seen = MatView(fine, mat)
    assert np.array_equal(seen[10:200, 20:300], rectify(fine, mat)[10:200, 20:300])
