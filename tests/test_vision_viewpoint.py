"""The camera's place is found from how it sees the mat."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.viewpoint import USUAL_FOV_DEG, camera_above

PICTURE_PX = (1280, 960)


def seen_from(x: float, y: float, height: float, tilt: tuple[float, float], fov_deg: float):
    """Homography px -> mm of a pinhole camera above the mat, tilted about its own x and y."""
    focal = PICTURE_PX[0] / 2 / np.tan(np.radians(fov_deg) / 2)
    a, b = np.radians(tilt)
    about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    turn = about_x @ about_y
    place = np.array([x, y, -height])  # z runs into the table
    inner = np.array([[focal, 0, PICTURE_PX[0] / 2], [0, focal, PICTURE_PX[1] / 2], [0, 0, 1.0]])
    to_px = inner @ np.column_stack([turn[:, 0], turn[:, 1], -turn @ place])
    return np.linalg.inv(to_px)


@given(
    st.floats(0, 420), st.floats(0, 315), st.floats(400, 900),
    st.floats(-10, 10), st.floats(-10, 10),
)  # fmt: skip
def test_the_usual_camera_is_found_wherever_it_hangs(x, y, height, a, b) -> None:
    matrix = seen_from(x, y, height, (a, b), USUAL_FOV_DEG)
    found = camera_above(matrix, PICTURE_PX)
    assert np.allclose(found, (x, y, height), atol=0.02 * height)


@given(st.floats(45, 100), st.sampled_from([-25.0, 25.0]))
def test_a_mat_seen_aslant_tells_the_focal_length(fov_deg, tilt) -> None:
    matrix = seen_from(210, 160, 600, (tilt, 3.0), fov_deg)
    assert camera_above(matrix, PICTURE_PX) == pytest.approx((210, 160, 600), abs=25)


def test_a_mat_seen_from_straight_above_takes_the_usual_focal_length() -> None:
    matrix = seen_from(210, 160, 600, (0, 0), 90)
    x, y, height = camera_above(matrix, PICTURE_PX, fov_deg=90)
    assert (x, y, height) == pytest.approx((210, 160, 600), abs=10)
    assert camera_above(matrix, PICTURE_PX, fov_deg=45)[2] > 1.5 * height


def test_the_scale_of_the_matrix_does_not_matter() -> None:
    matrix = seen_from(100, 50, 700, (12, -5), 66)
    assert np.allclose(camera_above(matrix, PICTURE_PX), camera_above(-3 * matrix, PICTURE_PX))
