"""Which findings can be what they are called, by their size and place."""

import numpy as np
import pytest

from vision.detections import CUP, Detections
from vision.plausible import CLEARER, plausible
from vision.scene_settings import SceneSettings

DIE_MM = 16.0
CUP_MM = (40.0, 40.0, 120.0, 120.0)
SETTINGS = SceneSettings(die_mm=DIE_MM)


def counting(place: tuple[float, float], *, score: float, cup_score: float = 0.6) -> list[bool]:
    """Whether a five there counts, and the cup."""
    x, y = place
    die = [x - DIE_MM / 2, y - DIE_MM / 2, x + DIE_MM / 2, y + DIE_MM / 2]
    boxes = np.array([die, CUP_MM])
    found = Detections.of(boxes.tolist(), [score, cup_score], [4, CUP])
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    return plausible(boxes, centres, found, SETTINGS).tolist()


@pytest.mark.parametrize("place", [(80, 80), (60, 70), (80, 113), (103, 57)])
def test_the_print_on_a_cup_is_no_die(place):
    assert counting(place, score=0.9) == [False, True]


@pytest.mark.parametrize("place", [(52, 52), (108, 54), (80, 118), (20, 80)])
def test_beside_a_round_cup_lies_a_die_also_in_the_corner_of_its_box(place):
    assert counting(place, score=0.9) == [True, True]


def test_what_is_much_clearer_than_the_cup_around_it_lies_on_a_coaster():
    assert counting((80, 80), score=0.31 + CLEARER, cup_score=0.3) == [True, False]


def test_a_die_of_another_size_is_none():
    x, y = 20.0, 20.0
    for side_mm, counts in ((0.3 * DIE_MM, False), (DIE_MM, True), (3 * DIE_MM, False)):
        box = np.array([[x, y, x + side_mm, y + side_mm]])
        found = Detections.of(box.tolist(), [0.9], [0])
        middle = (box[:, :2] + box[:, 2:]) / 2
        assert plausible(box, middle, found, SETTINGS).tolist() == [counts]
