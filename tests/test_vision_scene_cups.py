"""Cups of a scene: which stand where they stood, and which may have been carried."""

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
