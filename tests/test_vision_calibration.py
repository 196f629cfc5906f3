import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.calibration import (
    CalibrationError,
    MatCalibration,
    calibrate_from_corners,
    calibrate_from_markers,
)
from vision.calibration_file import from_toml, to_toml
from vision.errors import PictureError
from vision.markers import marker_centres_mm
from vision.mat_view import rectify

MAT_MM = (420.0, 315.0)
PX_PER_MM = 4
CAMERA = (960, 720)
CORNERS = [[60, 40], [900, 55], [930, 690], [30, 670]]

jitter = st.lists(st.tuples(*[st.floats(-60, 60)] * 2), min_size=4, max_size=4)


def mat_sheet(ids=(0, 1, 2, 3), side_mm=20) -> np.ndarray:
    """The printed mat from straight above, 4 pixels a millimetre."""
    sheet = np.full((315 * PX_PER_MM, 420 * PX_PER_MM, 3), 205, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker, (x, y) in zip(ids, marker_centres_mm(), strict=True):
        if marker is None:
            continue
        side = side_mm * PX_PER_MM
        printed = cv2.aruco.generateImageMarker(dictionary, marker, side)
        top, left = round(y * PX_PER_MM - side / 2), round(x * PX_PER_MM - side / 2)
        sheet[top : top + side, left : left + side] = printed[:, :, None]
    return sheet


def camera_picture(sheet: np.ndarray, corners=CORNERS) -> np.ndarray:
    height, width = sheet.shape[:2]
    square = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    matrix = cv2.getPerspectiveTransform(square, np.float32(corners))
    return cv2.warpPerspective(
        sheet, matrix, CAMERA, flags=cv2.INTER_AREA, borderValue=(60, 70, 80)
    )


def test_four_markers_seen_in_perspective_give_the_mat():
    mat = calibrate_from_markers(camera_picture(mat_sheet()))
    assert mat.mat_size_mm == MAT_MM
    assert mat.corners_px() == pytest.approx(np.array(CORNERS), abs=1.5)
    assert mat.to_mm(CORNERS) == pytest.approx(
        np.array([[0, 0], [420, 0], [420, 315], [0, 315]]), abs=0.6
    )


def test_the_size_of_the_markers_does_not_matter():
    mat = calibrate_from_markers(camera_picture(mat_sheet(side_mm=16)))
    assert mat.corners_px() == pytest.approx(np.array(CORNERS), abs=1.5)


def test_a_hidden_marker_is_named():
    sheet = mat_sheet(ids=(0, 1, None, 3))
    with pytest.raises(CalibrationError, match=r"2 \(bottom right\) is not"):
        calibrate_from_markers(camera_picture(sheet))


def test_no_markers_at_all():
    with pytest.raises(CalibrationError, match=r"0 \(top left\), .* are not"):
        calibrate_from_markers(np.zeros((480, 640, 3), np.uint8))


def test_a_marker_twice_in_the_picture():
    with pytest.raises(CalibrationError, match="Marker 0 is twice"):
        calibrate_from_markers(camera_picture(mat_sheet(ids=(0, 1, 0, 3))))


def test_markers_in_a_wrong_order():
    with pytest.raises(CalibrationError, match="clockwise"):
        calibrate_from_markers(camera_picture(mat_sheet(ids=(1, 0, 2, 3))))


def test_other_markers_do_not_disturb():
    sheet = mat_sheet()
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    sheet[600:680, 800:880] = cv2.aruco.generateImageMarker(dictionary, 17, 80)[:, :, None]
    assert calibrate_from_markers(camera_picture(sheet)).mat_size_mm == MAT_MM


@given(moves=jitter, points=st.lists(st.tuples(*[st.floats(0, 315)] * 2), min_size=1))
def test_millimetres_to_pixels_and_back(moves, points):
    mat = calibrate_from_corners(np.array(CORNERS) + moves, MAT_MM)
    assert mat.to_mm(mat.to_px(points)) == pytest.approx(np.array(points), abs=1e-3)


@given(moves=jitter)
def test_a_calibration_survives_its_text_exactly(moves):
    mat = calibrate_from_corners(np.array(CORNERS) + moves, MAT_MM, die_mm=15.5)
    again = from_toml(to_toml(mat))
    assert (again.homography_px_to_mm == mat.homography_px_to_mm).all()
    assert (again.mat_size_mm, again.scale_px_per_mm, again.die_mm) == (MAT_MM, 2.2, 15.5)


@given(
    moves=st.lists(st.tuples(*[st.floats(-25, 25)] * 2), min_size=4, max_size=4),
    x=st.floats(10, 410),
    y=st.floats(10, 305),
    margin=st.sampled_from([0.0, 12.0]),
)
def test_a_spot_on_the_mat_is_where_it_should_be_in_the_view(moves, x, y, margin):
    mat = calibrate_from_corners(np.array(CORNERS) + moves, MAT_MM)
    picture = np.full((720, 960, 3), 114, np.uint8)
    spot = mat.to_px([[x, y]])[0]
    cv2.circle(
        picture, tuple(np.round(spot * 16).astype(int).tolist()), 5 * 16, (255,) * 3, -1, 16, 4
    )
    view = rectify(picture, mat, margin_mm=margin)
    assert view.shape == (round((315 + 2 * margin) * 2.2), round((420 + 2 * margin) * 2.2), 3)
    weight = view[:, :, 0].astype(float) - 114
    rows, columns = np.indices(weight.shape)
    centre = np.array([(columns * weight).sum(), (rows * weight).sum()]) / weight.sum()
    assert centre == pytest.approx((np.array([x, y]) + margin) * 2.2, abs=1.0)


def test_a_much_finer_camera_is_averaged_not_sampled():
    fine = (np.indices((2160, 2880)).sum(axis=0) % 2 * 255).astype(np.uint8)
    corners = [[0, 0], [2880, 0], [2880, 2160], [0, 2160]]
    view = rectify(fine, calibrate_from_corners(corners, MAT_MM))
    assert view.std() < 8  # a chessboard of single pixels becomes grey


def test_beyond_the_camera_the_view_is_grey():
    mat = calibrate_from_corners([[0, 0], [960, 0], [960, 720], [0, 720]], MAT_MM)
    view = rectify(np.zeros((720, 960, 3), np.uint8), mat, margin_mm=10)
    assert (view[:15] == 114).all()


def test_a_camera_that_was_moved_or_resized_shows():
    mat = calibrate_from_corners(CORNERS, MAT_MM)
    with pytest.raises(CalibrationError, match="calibrate again"):
        rectify(np.zeros((480, 640, 3), np.uint8), mat)


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [10, 0], [10, 10]],
        [[0, 0], [0, 10], [10, 10], [10, 0]],
        [[0, 0], [10, 10], [10, 0], [0, 10]],
        [[0, 0], [5, 0], [10, 0], [5, 9]],
        [[0, 0], [np.nan, 0], [10, 10], [0, 10]],
    ],
)
def test_corners_that_are_no_mat(corners):
    with pytest.raises(CalibrationError):
        calibrate_from_corners(corners, MAT_MM)


@pytest.mark.parametrize(
    ("matrix", "size", "scale"),
    [
        (np.zeros((3, 3)), MAT_MM, 2.2),
        (np.full((3, 3), np.nan), MAT_MM, 2.2),
        (np.eye(2), MAT_MM, 2.2),
        (np.eye(3), (0.0, 315.0), 2.2),
        (np.eye(3), MAT_MM, 0.0),
    ],
)
def test_impossible_calibrations(matrix, size, scale):
    with pytest.raises(CalibrationError):
        MatCalibration(matrix, size, scale)


@pytest.mark.parametrize(
    "text", ["", "[mat]\nsize_mm = [1, 2]", "[mat", "[mat]\nsize_mm = 3", "mat = 3"]
)
def test_damaged_texts(text):
    with pytest.raises(CalibrationError, match="calibration again"):
        from_toml(text)


def test_a_text_with_a_wrong_matrix():
    text = to_toml(calibrate_from_corners(CORNERS, MAT_MM)).replace("[mat]", "[mat]\n# x")
    assert from_toml(text).die_mm == 16
    broken = text.split("homography_px_to_mm")[0] + "homography_px_to_mm = [[1, 2], [3]]"
    with pytest.raises(CalibrationError):
        from_toml(broken)


def test_what_is_no_picture_is_refused():
    with pytest.raises(PictureError):
        calibrate_from_markers(np.zeros((0, 0, 3), np.uint8))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("die_mm", '"big"'),
        ("die_mm", "160.0"),
        ("die_mm", "36.0"),
        ("die_measured", "1"),
        ("scale_px_per_mm", "-2"),
        ("size_mm", "[420.0]"),
        ("by_hand", '"no"'),
    ],
)
def test_a_bad_value_is_named_with_its_line(key, value):
    lines = ["", *to_toml(calibrate_from_corners(CORNERS, MAT_MM)).splitlines()]
    bad = f"{key} = {value}"
    lines = [bad if row.startswith(f"{key} =") else row for row in lines]
    line = lines.index(bad) + 1
    with pytest.raises(CalibrationError, match=rf"line {line}: {key} is .*expected"):
        from_toml("\n".join(lines))


def test_a_text_of_before_lenses_and_measured_dice_is_read():
    mat = calibrate_from_corners(CORNERS, MAT_MM)
    kept = [row for row in to_toml(mat).splitlines() if not row.startswith(("die_meas", "by_h"))]
    old = from_toml("\n".join(kept))
    assert (old.die_measured, old.by_hand, old.lens) == (False, False, None)


def test_a_corner_outside_the_picture_is_named():
    corners = [[60, 40], [1300, 55], [930, 690], [30, 670]]
    with pytest.raises(CalibrationError, match=r"top right corner \(1300, 55\) lies outside"):
        calibrate_from_corners(corners, MAT_MM, picture_px=CAMERA)
    assert calibrate_from_corners(CORNERS, MAT_MM, picture_px=CAMERA).by_hand
