"""A camera whose lens bends lines: points, pictures and texts."""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_vision_calibration import PX_PER_MM, mat_sheet

from vision.calibration import (
    MatCalibration,
    calibrate_from_corners,
    calibrate_from_markers,
    refine_by_markers,
)
from vision.calibration_file import from_toml, to_toml
from vision.errors import CalibrationError
from vision.lens import Lens
from vision.mat_view import BORDER_GREY, rectify
from vision.plane import view_maps
from vision.viewpoint import viewpoint

MAT_MM = (420.0, 315.0)
PICTURE = (1280, 960)
CORNERS = [[150, 110], [1120, 130], [1160, 860], [105, 840]]
BARREL = [-0.28, 0.09, 0.001, -0.0008, 0.0]


def a_lens(distortion=BARREL, focal=950.0) -> Lens:
    return _lens(tuple(distortion), focal)


@lru_cache(maxsize=8)
def _lens(distortion: tuple[float, ...], focal: float) -> Lens:
    matrix = np.array([[focal, 0, 645], [0, focal * 1.002, 476], [0, 0, 1.0]])
    return Lens(matrix, np.array(distortion), PICTURE)


def bent_picture(flat: np.ndarray, to_flat: np.ndarray, lens: Lens) -> np.ndarray:
    """What a camera with this lens sees of a flat picture; `to_flat`: pinhole pixels to its own."""
    straight = _straight_pixels(lens)
    lifted = np.c_[straight, np.ones(len(straight))] @ to_flat.T
    places = (lifted[:, :2] / lifted[:, 2:]).astype(np.float32)
    places = places.reshape(PICTURE[1], PICTURE[0], 2)
    return cv2.remap(flat, places, None, cv2.INTER_AREA, borderValue=(60, 70, 80))


@lru_cache(maxsize=2)
def _straight_pixels(lens: Lens) -> np.ndarray:
    columns, rows = np.meshgrid(np.arange(PICTURE[0]), np.arange(PICTURE[1]))
    return lens.straightened(np.stack([columns, rows], axis=-1).reshape(-1, 2))


def mat_seen(lens: Lens) -> tuple[np.ndarray, np.ndarray]:
    """The mat as the bending camera sees it, and the true homography of its straight picture."""
    true = cv2.getPerspectiveTransform(
        np.float32(CORNERS), np.float32([[0, 0], [420, 0], [420, 315], [0, 315]])
    )
    half = -0.5  # the middle of the sheet's first pixel is half a pixel from its corner
    to_sheet = np.array([[PX_PER_MM, 0, half], [0, PX_PER_MM, half], [0, 0, 1.0]]) @ true
    return bent_picture(mat_sheet(), to_sheet, lens), true


GRID_MM = np.stack(np.meshgrid(np.linspace(10, 410, 9), np.linspace(10, 305, 7)), -1).reshape(-1, 2)


def test_a_bent_mat_is_right_to_a_third_of_a_millimetre_with_the_lens_and_wrong_without():
    lens = a_lens()
    picture, true = mat_seen(lens)
    exact = MatCalibration(true, MAT_MM, lens=lens)
    with_lens = calibrate_from_markers(picture, lens=lens)
    without = calibrate_from_markers(picture)
    seen_px = exact.to_px(GRID_MM)
    error_mm = np.linalg.norm(with_lens.to_mm(seen_px) - GRID_MM, axis=1)
    assert error_mm.max() < 0.3
    assert np.linalg.norm(without.to_mm(seen_px) - GRID_MM, axis=1).max() > 3.0


def test_the_view_from_above_is_straight_with_the_lens():
    lens = a_lens()
    picture, true = mat_seen(lens)
    dots = picture.copy()
    exact = MatCalibration(true, MAT_MM, lens=lens)
    dots[:] = 0
    places = np.array([[60.0, 60.0], [210, 30], [360, 280], [30, 157]])
    for x, y in np.round(exact.to_px(places) * 16).astype(int).tolist():
        cv2.circle(dots, (x, y), 4 * 16, (255,) * 3, -1, cv2.LINE_AA, 4)
    view = rectify(dots, exact, margin_mm=12.0)
    count, _, _, centres = cv2.connectedComponentsWithStats((view[:, :, 0] > 100).astype(np.uint8))
    assert count == 5
    seen_mm = centres[1:] / 2.2 - 12
    for place in places:
        assert np.linalg.norm(seen_mm - place, axis=1).min() < 0.5


@pytest.mark.parametrize("lens", [None, a_lens([0.0] * 5)])
def test_where_nothing_bends_the_view_is_what_the_homography_makes_of_the_picture(
    lens: Lens | None,
):
    picture, true = mat_seen(a_lens([0.0] * 5))
    view = rectify(picture, MatCalibration(true, MAT_MM, lens=lens), margin_mm=5.0)
    to_view = np.array([[2.2, 0, 11], [0, 2.2, 11], [0, 0, 1]]) @ true
    grey = (BORDER_GREY,) * 3
    warped = cv2.warpPerspective(picture, to_view, view.shape[1::-1], borderValue=grey)
    assert np.abs(view.astype(int) - warped).mean() < 0.6


@pytest.mark.parametrize("lens", [None, a_lens()])
def test_the_maps_of_a_view_are_made_once(lens: Lens | None):
    picture, true = mat_seen(a_lens())
    mat = MatCalibration(true, MAT_MM, lens=lens)
    before = view_maps.cache_info().misses
    for die_mm in (16.0, 16.0, 14.0, 14.5):
        rectify(picture, replace(mat, die_mm=die_mm))
    assert view_maps.cache_info().misses == before + 1


bendings = st.tuples(
    st.floats(-0.3, 0.3), st.floats(-0.05, 0.05), st.floats(-0.002, 0.002),
    st.floats(-0.002, 0.002), st.floats(-0.01, 0.01),
)  # fmt: skip


@given(
    bending=bendings,
    points=st.lists(st.tuples(st.floats(0, 1280), st.floats(0, 960)), min_size=1, max_size=20),
)
def test_pixels_to_millimetres_and_back_through_a_lens(bending, points):
    try:
        lens = a_lens(list(bending))
    except CalibrationError:
        return  # folds the picture over: refused, see below
    mat = calibrate_from_corners(CORNERS, MAT_MM, lens=lens, picture_px=PICTURE)
    assert mat.to_px(mat.to_mm(points)) == pytest.approx(np.array(points), abs=0.05)
    assert mat.corners_px() == pytest.approx(np.array(CORNERS), abs=0.05)


def test_points_are_bent_as_opencv_bends_them():
    lens = a_lens([-0.2, 0.05, 0.002, -0.003, 0.01])
    points = np.random.default_rng(1).uniform([0, 0], PICTURE, (50, 2))
    matrix, still = lens.camera_matrix, np.zeros(3)
    rays = np.c_[points, np.ones(50)] @ np.linalg.inv(matrix).T
    theirs, _ = cv2.projectPoints(rays, still, still, matrix, lens.distortion)
    assert lens.bent(points) == pytest.approx(theirs.reshape(-1, 2), abs=1e-6)


@given(x=st.floats(-5000, 5000), y=st.floats(-5000, 5000))
def test_what_lies_outside_the_picture_is_never_shown_inside(x, y):
    """The polynomial alone would fold far places back into the picture."""
    lens = a_lens([-0.2, 0.0, 0.0, 0.0, 0.0], focal=1100.0)
    edge = lens.straightened([[0, 0], [1280, 0], [1280, 960], [0, 960]])
    reach = np.linalg.norm(edge - [645, 476], axis=1).max()
    if np.hypot(x - 645, y - 476) > reach * 1.01:
        bent = lens.bent([[x, y]])[0]
        assert not (5 < bent[0] < 1275 and 5 < bent[1] < 955)


def test_a_bending_that_folds_the_picture_over_is_refused():
    with pytest.raises(CalibrationError, match="cannot be undone"):
        a_lens([-0.9, 0.0, 0.0, 0.0, 0.0], focal=500.0)


@pytest.mark.parametrize(
    ("matrix", "distortion", "size"),
    [
        (np.eye(2), np.zeros(5), PICTURE),
        (np.zeros((3, 3)), np.zeros(5), PICTURE),
        (np.eye(3), np.zeros(4), PICTURE),
        (np.eye(3), np.full(5, np.nan), PICTURE),
        (np.eye(3), np.zeros(5), (0, 960)),
    ],
)
def test_impossible_lenses(matrix, distortion, size):
    with pytest.raises(CalibrationError):
        Lens(matrix, distortion, size)


def test_a_lens_belongs_to_pictures_of_its_size():
    mat = calibrate_from_corners(CORNERS, MAT_MM, lens=a_lens())
    with pytest.raises(CalibrationError, match="1280 x 960 pixels, but this one has 640 x 480"):
        rectify(np.zeros((480, 640, 3), np.uint8), mat)
    with pytest.raises(CalibrationError, match="calibrate the lens again"):
        refine_by_markers(mat, np.zeros((480, 640, 3), np.uint8))


def test_a_lens_survives_its_text_exactly():
    mat = calibrate_from_corners(CORNERS, MAT_MM, lens=a_lens())
    mat = replace(mat, die_mm=18.2, die_measured=True)
    again = from_toml(to_toml(mat))
    assert again.lens is not None
    assert (again.lens.camera_matrix == a_lens().camera_matrix).all()
    assert again.lens.distortion.tolist() == BARREL
    assert again.lens.picture_px == PICTURE
    assert (again.die_mm, again.die_measured, again.by_hand) == (18.2, True, True)


def test_markers_make_corners_by_hand_exact():
    lens = a_lens()
    picture, true = mat_seen(lens)
    rough_px = np.add(CORNERS, [[6, -5], [-7, 3], [4, 6], [-5, 4]])
    by_hand = calibrate_from_corners(lens.bent(rough_px), MAT_MM, lens=lens, die_mm=18.0)
    refined = refine_by_markers(by_hand, picture)
    exact = MatCalibration(true, MAT_MM, lens=lens)
    wrong = np.linalg.norm(refined.to_mm(exact.to_px(GRID_MM)) - GRID_MM, axis=1).max()
    assert wrong < 0.3
    assert (refined.die_mm, refined.lens, refined.by_hand) == (18.0, lens, False)


def test_markers_of_a_sheet_on_a_larger_area_that_was_pointed_out_change_nothing():
    picture, _ = mat_seen(a_lens([0.0] * 5))
    larger = [[20, 20], [1260, 20], [1260, 940], [20, 940]]
    mat = calibrate_from_corners(larger, (560.0, 420.0))
    assert refine_by_markers(mat, picture) is mat


def test_without_all_markers_the_mat_stays_where_it_was():
    mat = calibrate_from_corners(CORNERS, MAT_MM)
    assert refine_by_markers(mat, np.zeros((960, 1280, 3), np.uint8)) is mat


def test_a_mat_that_was_moved_since_it_was_calibrated_by_markers_is_found_anew():
    picture, _ = mat_seen(a_lens([0.0] * 5))
    far = calibrate_from_corners(np.array(CORNERS) * 0.5 + 20, MAT_MM)
    moved = refine_by_markers(replace(far, by_hand=False), picture)
    assert moved.corners_px() == pytest.approx(np.array(CORNERS), abs=1.0)


def test_a_measured_lens_tells_where_the_camera_is():
    """An oblique pinhole of known place; the usual field of view would put it elsewhere."""
    lens = a_lens([0.0] * 5)
    turn, _ = cv2.Rodrigues(np.array([0.5, 0.1, 0.05]))
    camera = np.array([200.0, 500.0, -700.0])  # z down, as x right and y down
    shift = -turn @ camera
    to_px = lens.camera_matrix @ np.column_stack([turn[:, 0], turn[:, 1], shift])
    seen = viewpoint(np.linalg.inv(to_px), PICTURE, camera_matrix=lens.camera_matrix)
    assert seen.camera_mm == pytest.approx((200.0, 500.0, 700.0), abs=0.01)
    assert seen.tilt_deg == pytest.approx(np.degrees(np.arccos(turn[2, 2])), abs=1e-6)
    guessed = viewpoint(np.linalg.inv(to_px), PICTURE, fov_deg=30.0)
    assert abs(guessed.camera_mm[2] - 700) > 1
