"""The simulated table's pictures: only what changed is drawn, and it is drawn where it is."""

import cv2
import numpy as np
import pytest
from lab_director import FPS, SHARED, directed

from device.simulate import BEAUTIFUL_RAYS, FAST_RAYS
from device.simulate_game import letters
from device.simulate_look import Look, camera_of
from device.simulate_render import CameraFaults, TableRenderer, merged
from device.simulate_table import TableFrame, plan_of, to_table
from vision.calibration import calibrate_from_markers


def test_only_what_changed_is_rendered_and_nothing_is_forgotten():
    director = directed(3, 0)
    frames = director.stage.frames[:: round(FPS / 3)][3:12]
    size, look = (240, 180), Look(SHARED, director.layouts)
    stepwise = TableRenderer(size, seed=1, look=look)
    for frame in frames:
        picture = stepwise.picture(frame)
    at_once = TableRenderer(size, seed=1, look=look).picture(frames[-1])
    difference = np.abs(picture.astype(int) - at_once.astype(int)).max(axis=2)
    assert (difference > 40).mean() < 0.002, "grain differs, things do not"


@pytest.mark.parametrize(
    ("plan", "size"), [(SHARED, (960, 720)), (plan_of(letters(5), "seats"), (1440, 1080))]
)
def test_the_rendered_mat_can_be_calibrated_by_its_markers(plan, size):
    width, height = plan.mat_size_mm
    picture = TableRenderer(size, seed=1, look=Look(plan)).picture(TableFrame())
    mat = calibrate_from_markers(picture, mat_size_mm=plan.mat_size_mm)
    corners = ((0, 0), (width, 0), (width, height), (0, height))
    for point in (*corners, (width / 2, height / 2)):
        on_table = to_table(point, mat_size_mm=plan.mat_size_mm)
        expected = camera_of(plan).project(on_table[None], size)[0]
        assert np.linalg.norm(mat.to_px([point])[0] - expected) < 1.5, "pixels"


def test_rectangles_that_overlap_become_one():
    assert merged([(0, 0, 4, 4), (10, 10, 12, 12), (3, 3, 11, 11)]) == [(0, 0, 12, 12)]
    assert len(merged([(0, 0, 4, 4), (4, 0, 8, 4)])) == 2


def test_what_moves_is_smeared_by_a_long_exposure():
    director = directed(3, 0)
    frames = director.stage.frames[22:34]
    look, size = Look(SHARED, director.layouts), (320, 240)
    sharp = TableRenderer(size, seed=1, look=look)
    smeared = TableRenderer(size, seed=1, look=look, faults=CameraFaults(open_share=0.6))
    edges = []
    for frame in frames:
        pair = (sharp.picture(frame), smeared.picture(frame))
        edges.append([cv2.Laplacian(p, cv2.CV_32F).var() for p in pair])
    assert any(b < 0.93 * a for a, b in edges)
    still = director.stage.frames[:3]
    a = [TableRenderer(size, seed=1, look=look).picture(f) for f in still][-1]
    b = [
        TableRenderer(size, seed=1, look=look, faults=CameraFaults(open_share=0.6)).picture(f)
        for f in still
    ][-1]
    np.testing.assert_array_equal(a, b)


def test_many_rays_take_the_grain_away():
    director = directed(3, 0)
    frame = director.stage.frames[30]
    look, size = Look(SHARED, director.layouts), (320, 240)
    quiet = CameraFaults(noise_levels=0.0)
    few, many, most = (
        TableRenderer(size, seed=1, look=look, faults=quiet, samples=rays).picture(frame)
        for rays in (FAST_RAYS, BEAUTIFUL_RAYS, 96)
    )
    assert cv2.norm(many, most) < 0.5 * cv2.norm(few, most)
