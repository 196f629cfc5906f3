"""What becomes of things where the detector does not look."""

import pytest
from vision_table import alone, look

from vision.detections import CUP

ELSEWHERE = (250.0, 150.0, 400.0, 300.0)
"""A part of the mat: left, top, right, bottom, millimetres."""
EVERYWHERE = (-1e9, -1e9, 1e9, 1e9)


def standing():
    """A cup that has stood for a second."""
    scene = alone()
    for frame in range(11):
        scene.update(look((CUP, 100, 100), side_mm=80), frame / 10)
    return scene


def test_a_cup_that_was_overlooked_once_does_not_vanish_while_nobody_looks_there():
    scene = standing()
    assert scene.update(look(), 1.1).cups
    for frame in range(12, 60):
        state = scene.update(look(), frame / 10, seen_mm=ELSEWHERE)
    assert len(state.cups) == 1
    assert not state.is_settled, "it is looked for"
    again = scene.update(look((CUP, 100, 100), side_mm=80), 6.0)
    assert again.cups[0].since_s == 0.0
    assert again.is_settled


@pytest.mark.parametrize("seen_mm", [None, EVERYWHERE])
def test_a_cup_that_is_not_found_where_it_stood_is_gone(seen_mm):
    scene = standing()
    cups = [len(scene.update(look(), 1 + f / 10, seen_mm=seen_mm).cups) for f in range(1, 6)]
    assert cups == [1, 1, 1, 0, 0]


def test_the_time_that_a_thing_was_missed_adds_up_over_looks_elsewhere():
    scene = standing()
    for frame in range(11, 14):
        scene.update(look(), frame / 10)
    for frame in range(14, 30):
        state = scene.update(look(), frame / 10, seen_mm=ELSEWHERE)
    assert state.cups
    assert not scene.update(look(), 3.0).cups


def test_what_was_there_is_there_while_nothing_changes():
    scene = standing()
    for frame in range(11, 100):
        state = scene.hold(frame / 10)
    assert state.cups[0].seen_s == state.t_s
    assert state.is_settled
