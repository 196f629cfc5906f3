"""Cups of a scene: which stand where they stood, and which may have been carried."""

import numpy as np
import pytest
from vision_table import alone, look

from vision.detections import CUP


def test_a_cup_whose_box_trembles_by_more_than_a_die_stands_where_it_stood():
    scene = alone()
    for frame in range(12):
        state = scene.update(look((CUP, 100 + 20 * (frame % 2), 100), side_mm=80), frame / 10)
    assert state.cups[0].since_s == 0.0
    carried = scene.update(look((CUP, 150, 100), side_mm=80), 1.2)
    assert carried.cups[0].since_s == pytest.approx(1.2)


def test_a_larger_cup_elsewhere_may_be_another_one_and_needs_further_looks():
    scene = alone()
    for frame in range(6):
        state = scene.update(look((CUP, 100, 100), side_mm=60), frame / 10)
    assert state.is_settled
    states = [scene.update(look((CUP, 128, 100), side_mm=100), at / 10) for at in (6, 7, 8)]
    assert [state.is_settled for state in states] == [False, False, True]
    assert [state.cups[0].since_s for state in states] == [0.0, 0.0, pytest.approx(0.8)]


def test_a_cup_that_stood_there_from_the_beginning_has_not_come_anew():
    """A coaster, taken for a cup, whose track the real cup had taken over."""
    scene = alone()
    for frame in range(6):
        scene.update(look((CUP, 100, 100), side_mm=60), frame / 10)
    moved = [scene.update(look((CUP, 150, 100), side_mm=100), at / 10) for at in (6, 7, 8)]
    assert moved[-1].cups[0].since_s > 0.5
    back = look((CUP, 100, 100), side_mm=60)
    state = scene.update(back, 0.9, stood=np.array([True]))
    assert (state.cups[0].since_s, state.cups[0].carried) == (0.0, False)


def test_a_cup_that_is_put_over_a_coaster_of_the_beginning_has_come():
    scene, at_coaster = alone(), np.array([True])
    for frame in range(6):
        scene.update(look((CUP, 100, 100), side_mm=60), frame / 10)
    for at in (6, 7, 8):
        over = scene.update(look((CUP, 112, 100), side_mm=90), at / 10, stood=~at_coaster)
    assert over.cups[0].since_s == pytest.approx(0.8)
    gone = scene.update(look((CUP, 100, 100), side_mm=60), 0.9, stood=at_coaster)
    assert gone.cups[0].since_s == 0.0


def test_a_cup_that_trembles_over_the_coaster_in_its_middle_has_come():
    scene = alone()
    for frame in range(6):
        scene.update(look((CUP, 100, 100), side_mm=60), frame / 10)
    for at in (6, 7, 8):
        over = scene.update(look((CUP, 99 + 2 * (at % 2), 100), side_mm=90), at / 10)
    assert over.cups[0].since_s == pytest.approx(0.8)
