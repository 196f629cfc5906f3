"""The size of dice is measured on boxes of rounded cubes that were projected by a known camera."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.calibration import MatCalibration
from vision.detections import CUP, Detections
from vision.die_size import ENOUGH, DieSizes
from vision.scene import TableScene
from vision.scene_settings import SceneSettings
from vision.table import SceneState

MAT_MM = (420.0, 315.0)
CAMERA_MM = (210.0, 230.0, 700.0)
EMPTY = SceneState(0.0, looks_bare=True)
MAT = MatCalibration(np.eye(3), MAT_MM)


def box_of(edge_mm: float, at: tuple[float, float], yaw: float, rounded: float = 0.15):
    """The box on the mat's plane of a die that lies flat: spheres at the corners of its core."""
    radius = rounded * edge_mm
    half = edge_mm / 2 - radius
    cos, sin = np.cos(yaw), np.sin(yaw)
    camera = np.array(CAMERA_MM[:2])
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for z in (radius, edge_mm - radius):
        larger = CAMERA_MM[2] / (CAMERA_MM[2] - z)
        for x in (-half, half):
            for y in (-half, half):
                corner = np.add(at, [cos * x - sin * y, sin * x + cos * y])
                seen = camera + (corner - camera) * larger
                low = np.minimum(low, seen - radius * larger)
                high = np.maximum(high, seen + radius * larger)
    return [*low, *high]


def lay(sizes: DieSizes, edges_mm, *, seed: int = 1, start_s: float = 0.0, noise_mm: float = 0.4):
    """Throws of three dice, one after another, each looked at four times."""
    rng = np.random.default_rng(seed)
    spots = [(60.0, 70.0), (160.0, 220.0), (270.0, 120.0)]
    now_s = start_s
    for first in range(0, len(edges_mm), 3):
        dice = [
            (edge, rng.uniform(-25, 25, 2) + spot, rng.uniform(0, np.pi))
            for edge, spot in zip(edges_mm[first : first + 3], spots, strict=False)
        ]
        for _ in range(4):
            boxes = np.array([box_of(e, at, yaw) for e, at, yaw in dice])
            boxes = boxes + rng.normal(0, noise_mm, boxes.shape)
            sizes.look(found_at(boxes), boxes, now_s, CAMERA_MM)
            now_s += 0.2
        now_s += 10.0
    return now_s


def found_at(boxes: np.ndarray, *, score: float = 0.9, class_id: int = 3) -> Detections:
    return Detections.of(boxes.tolist(), [score] * len(boxes), [class_id] * len(boxes))


@given(edge_mm=st.floats(12.0, 25.0), seed=st.integers(0, 2**16))
def test_dice_of_every_size_are_measured_to_a_tenth(edge_mm, seed):
    sizes = DieSizes(MAT_MM)
    lay(sizes, [edge_mm] * 12, seed=seed)
    edge = sizes.edge_mm()
    assert edge is not None
    assert edge == pytest.approx(edge_mm, rel=0.12)


def test_in_the_mean_nothing_is_added_or_taken_away():
    errors = []
    for seed in range(60):
        sizes = DieSizes(MAT_MM)
        lay(sizes, [18.0] * 12, seed=seed)
        errors.append(sizes.edge_mm() / 18.0 - 1)
    assert np.mean(errors) == pytest.approx(0.0, abs=0.03)
    assert np.std(errors) < 0.05


def test_nothing_is_said_before_enough_dice_were_seen():
    sizes = DieSizes(MAT_MM)
    lay(sizes, [20.0] * (ENOUGH - 1))
    assert sizes.edge_mm() is None
    assert sizes.adopted(MAT, EMPTY) is MAT


def test_a_die_that_lies_there_all_evening_counts_once():
    sizes = DieSizes(MAT_MM)
    box = np.array([box_of(16.0, (375.0, 100.0), 0.3)])
    for step in range(400):
        sizes.look(found_at(box), box, step * 0.5, CAMERA_MM)
    assert sizes.edge_mm() is None


def test_dice_that_roll_do_not_count():
    sizes = DieSizes(MAT_MM)
    for step in range(200):
        box = np.array([box_of(16.0, (40.0 + step * 1.5 % 300, 100.0), 0.3)])
        sizes.look(found_at(box), box, step * 0.1, CAMERA_MM)
    assert sizes.edge_mm() is None


def test_a_few_other_things_do_not_shift_it():
    sizes = DieSizes(MAT_MM)
    lay(sizes, [16.0, 16.0, 25.0, 16.0, 16.0, 16.0, 16.0, 10.0, 16.0, 16.0, 16.0, 16.0])
    assert sizes.edge_mm() == pytest.approx(16.0, rel=0.12)


def test_dice_of_two_sizes_are_no_size():
    sizes = DieSizes(MAT_MM)
    lay(sizes, [12.0, 24.0] * 6)
    assert sizes.edge_mm() is None


@pytest.mark.parametrize(
    ("score", "class_id", "shift"), [(0.3, 3, 0.0), (0.9, CUP, 0.0), (0.9, 6, 0.0), (0.9, 3, 500.0)]
)
def test_what_is_doubtful_no_die_or_beside_the_mat_is_not_measured(score, class_id, shift):
    sizes = DieSizes(MAT_MM)
    for number in range(30):
        box = np.array([box_of(16.0, (100.0 + 4 * number + shift, 100.0), 0.3)])
        for step in range(4):
            found = found_at(box, score=score, class_id=class_id)
            sizes.look(found, box, number * 20 + step * 0.2, CAMERA_MM)
    assert sizes.edge_mm() is None


def test_dice_that_touch_and_markers_are_not_measured():
    touching, marked = DieSizes(MAT_MM), DieSizes(MAT_MM, blind_mm=[(90.0, 90.0, 300.0, 110.0)])
    for number in range(20):
        x = 100.0 + 5 * number
        pair = np.array([box_of(16.0, (x, 100.0), 0.0), box_of(16.0, (x + 16.5, 100.0), 0.0)])
        for step in range(4):
            now_s = number * 20 + step * 0.2
            touching.look(found_at(pair), pair, now_s, CAMERA_MM)
            marked.look(found_at(pair[:1]), pair[:1], now_s, CAMERA_MM)
    assert touching.edge_mm() is None
    assert marked.edge_mm() is None


def measured(edge_mm: float) -> DieSizes:
    sizes = DieSizes(MAT_MM)
    lay(sizes, [edge_mm] * 12, noise_mm=0.0)
    return sizes


def test_a_size_is_adopted_on_an_empty_mat_only():
    sizes = measured(22.0)
    for state in (
        replace(EMPTY, looks_bare=None),
        replace(EMPTY, looks_bare=False),
        replace(EMPTY, unborn=((0.0, 0.0, 9.0, 9.0),)),
    ):
        assert sizes.adopted(MAT, state) is MAT
    mat = sizes.adopted(MAT, EMPTY)
    assert mat.die_measured
    assert mat.die_mm == pytest.approx(22.0, rel=0.1)
    assert sizes.adopted(mat, EMPTY) is mat


def test_what_was_assumed_rightly_is_confirmed_and_not_trembled_about():
    mat = measured(16.3).adopted(MAT, EMPTY)
    assert (mat.die_mm, mat.die_measured) == (16.0, True)


def test_other_dice_are_noticed():
    sizes = measured(16.0)
    mat = sizes.adopted(MAT, EMPTY)
    assert mat.die_mm == 16.0
    lay(sizes, [21.0] * 12, start_s=1000.0, seed=4)
    assert sizes.adopted(mat, EMPTY).die_mm == pytest.approx(21.0, rel=0.1)


def test_a_size_that_somebody_measured_stays_within_what_can_be_told():
    by_hand = replace(MAT, die_mm=17.0, die_measured=True)
    assert measured(16.0).adopted(by_hand, EMPTY) is by_hand


def test_the_scene_takes_dice_of_the_new_size():
    scene = TableScene(SceneSettings(die_mm=16.0, match_mm=17.6))
    scene.resize_dice(24.0)
    assert (scene.settings.die_mm, scene.settings.match_mm) == (24.0, pytest.approx(26.4))
    box = np.array([[100.0, 100.0, 180.0, 180.0]])  # 36 mm: a die of 24 turned by 45 degrees
    state = scene.update(found_at(box), 0.0)
    assert state.unborn or state.dice
    small = TableScene(SceneSettings(die_mm=16.0)).update(found_at(box), 0.0)
    assert not small.unborn
    assert not small.dice
