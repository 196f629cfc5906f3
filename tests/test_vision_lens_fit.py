"""The lens is measured on a board that is moved before a simulated camera of known bending."""

import cv2
import numpy as np
import pytest
from test_vision_lens import GRID_MM, MAT_MM, a_lens, bent_picture, mat_seen

from vision.calibration import MatCalibration, calibrate_from_markers
from vision.charuco import board_picture
from vision.errors import CalibrationError
from vision.lens import Lens
from vision.lens_fit import LensFit

BOARD_PX_PER_MM = 4
MIDDLE_MM = np.array([126.0, 84.0, 0.0])


def board_seen(lens: Lens, turn: tuple[float, float, float], at: tuple[float, float, float]):
    """The board as the camera sees it: turned about its middle, which lies at `at`, mm."""
    border = 20 * BOARD_PX_PER_MM
    black = board_picture(BOARD_PX_PER_MM)
    sheet = np.pad(np.where(black, 25, 225).astype(np.uint8), border, constant_values=225)
    rotation, _ = cv2.Rodrigues(np.array(turn))
    shift = np.array(at) - rotation @ MIDDLE_MM
    to_px = lens.camera_matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], shift])
    offset = border - 0.5
    scale = BOARD_PX_PER_MM
    to_sheet = np.array([[scale, 0, offset], [0, scale, offset], [0, 0, 1.0]])
    flat = cv2.merge([sheet] * 3)
    return bent_picture(flat, to_sheet @ np.linalg.inv(to_px), lens)


def poses(seed: int = 3):
    """The board in every corner of the picture, near and far, tilted to every side."""
    rng = np.random.default_rng(seed)
    for x in (-1.0, 0.0, 1.0):
        for y in (-1.0, 0.0, 1.0):
            depth = float(rng.uniform(360, 480))
            at = (x * depth * 0.40, y * depth * 0.28, depth)
            yield tuple(rng.uniform(-0.45, 0.45, 3)), at
    for _ in range(7):
        depth = float(rng.uniform(320, 600))
        at = (rng.uniform(-0.2, 0.2) * depth, rng.uniform(-0.12, 0.12) * depth, depth)
        yield tuple(rng.uniform(-0.6, 0.6, 3)), at


@pytest.fixture(scope="module")
def clip() -> list[np.ndarray]:
    return [board_seen(a_lens(), *pose) for pose in poses()]


def fit_of(pictures) -> LensFit:
    fit = LensFit()
    for picture in pictures:
        fit.receive(picture)
    return fit


def test_the_bending_is_measured_and_a_mat_is_right_with_it(clip):
    true = a_lens()
    lens = fit_of(clip).solve()
    assert lens.rms_px < 0.4
    assert lens.camera_matrix[0, 0] == pytest.approx(true.camera_matrix[0, 0], rel=0.01)
    columns, rows = np.meshgrid(np.linspace(0, 1280, 12), np.linspace(0, 960, 9))
    grid = np.stack([columns, rows], axis=-1).reshape(-1, 2)
    picture, homography = mat_seen(true)
    exact = MatCalibration(homography, MAT_MM, lens=true)
    mat = calibrate_from_markers(picture, lens=lens)
    error_mm = np.linalg.norm(mat.to_mm(exact.to_px(GRID_MM)) - GRID_MM, axis=1)
    assert error_mm.max() < 0.3
    assert mat.to_px(mat.to_mm(grid)) == pytest.approx(grid, abs=0.05)


def test_frames_that_show_nothing_new_are_left_out(clip):
    fit = fit_of([clip[0]] * 5)
    assert (fit.frames, fit.seen, len(fit.views)) == (5, 5, 1)
    with pytest.raises(CalibrationError, match=r"found in 5 of 5 pictures, in 1 of them"):
        fit.solve()


def test_a_clip_without_a_board():
    with pytest.raises(CalibrationError, match="found in 0 of 2"):
        fit_of([np.full((960, 1280, 3), 90, np.uint8)] * 2).solve()


def test_a_board_that_stays_in_the_middle_is_not_enough():
    lens = a_lens()
    middle = [
        board_seen(lens, (0.3 * (-1) ** i, 0.2, 0.52 * i), (0.0, 0.0, 560.0)) for i in range(12)
    ]
    fit = fit_of(middle)
    assert len(fit.views) == 12
    with pytest.raises(CalibrationError, match=r"in \d+% of the picture only"):
        fit.solve()


def test_a_board_that_is_never_tilted_tells_no_focal_length():
    lens = a_lens()
    flat = [board_seen(lens, (0.0, 0.0, 0.2 * i), at) for i, (_, at) in enumerate(poses())]
    with pytest.raises(CalibrationError, match="never tilted"):
        fit_of(flat).solve()


def test_a_board_that_is_not_flat_fits_badly(clip):
    fit = fit_of(clip)
    for view in fit.views:  # its middle bulges: corners shift by where they are on the board
        bulge = np.sin(view.numbers / 7.0)[:, None] * np.array([4.0, -3.0])
        view.corners_px[:] += bulge * (1 + np.arange(len(view.numbers)) % 3)[:, None]
    with pytest.raises(CalibrationError, match="fits the board badly"):
        fit.solve()


def test_one_blurred_frame_does_no_harm(clip):
    fit = fit_of(clip)
    good = fit.solve()
    noise = np.random.default_rng(1).normal(0, 6.0, fit.views[4].corners_px.shape)
    fit.views[4].corners_px[:] += noise
    spoilt = fit.solve()
    assert spoilt.camera_matrix[0, 0] == pytest.approx(good.camera_matrix[0, 0], rel=0.01)
    assert spoilt.rms_px < 2 * good.rms_px


def test_pictures_of_two_cameras_are_refused(clip):
    fit = fit_of(clip[:1])
    with pytest.raises(CalibrationError, match="differ in size"):
        fit.receive(np.zeros((480, 640, 3), np.uint8))
