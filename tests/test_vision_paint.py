"""Whether all marks that were counted on a die are of one paint."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.crops import CROP_PX
from vision.paint import one_paint, two_paints
from vision.pips import Marks

RED, YELLOW, GREY, WHITE, BLACK = (
    (20, 10, 120),
    (60, 160, 180),
    (150, 150, 160),
    (235, 235, 235),
    (15, 15, 15),
)
FIVE = np.array([(0, 0), (-1, -1), (1, 1), (-1, 1), (1, -1)], float)
PLACES = {
    1: FIVE[:1],
    2: FIVE[1:3],
    3: FIVE[:3],
    4: FIVE[1:],
    5: FIVE,
    6: np.array([(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)], float),
}


def turned(value, turn):
    """Where the pips of a face turned so lie, as shares of a crop."""
    cos, sin = np.cos(turn), np.sin(turn)
    return 0.5 + 0.18 * PLACES[value] @ np.array([[cos, sin], [-sin, cos]])


def painted(places, paints, *, face=RED, light=0.0):
    """A crop with such marks; the light falls off by so much from the left to the right."""
    crop = np.full((CROP_PX, CROP_PX, 3), face, np.uint8)
    for place, paint in zip(places, paints, strict=True):
        cv2.circle(crop, tuple(np.round(place * CROP_PX).astype(int).tolist()), 4, paint, -1)
    fall = 1 - light * np.linspace(0, 1, CROP_PX)[None, :, None]
    grain = np.random.default_rng(3).normal(0, 3, crop.shape)
    return np.clip(crop * fall + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("value", "flecks", "paint"),
    [
        (4, [0, 1], GREY),
        (5, [3, 4], GREY),
        (5, [0, 1, 2], GREY),
        (3, [1, 2], BLACK),
        (3, [0], BLACK),
        (5, [1, 2, 3, 4], BLACK),
        (5, [0], BLACK),
        (6, [1, 4], BLACK),
    ],
)
@pytest.mark.parametrize("turn", [0.0, 0.4, 2.5])
def test_flecks_that_make_another_value_of_it_are_told_from_pips(value, flecks, paint, turn):
    places = turned(value, turn)
    paints = [paint if mark in flecks else YELLOW for mark in range(value)]
    assert two_paints(painted(places, paints), places)
    assert two_paints(painted(places, paints, light=0.3), places)


@pytest.mark.parametrize(("value", "lit"), [(3, [0]), (5, [0]), (6, [1, 4])])
def test_a_lamp_mirrored_in_the_middle_makes_no_second_paint(value, lit):
    places = turned(value, 0.4)
    paints = [GREY if mark in lit else YELLOW for mark in range(value)]
    assert not two_paints(painted(places, paints), places)


@settings(deadline=None)
@given(
    st.sampled_from(sorted(PLACES)),
    st.floats(0, 6.3),
    st.floats(0, 0.5),
    st.sampled_from([(RED, YELLOW), (WHITE, BLACK), (BLACK, WHITE), (RED, BLACK)]),
)
def test_pips_of_one_paint_are_so_however_the_light_falls(value, turn, light, colours):
    face, pip = colours
    places = turned(value, turn)
    assert not two_paints(painted(places, [pip] * value, face=face, light=light), places)


@pytest.mark.parametrize(("value", "lit"), [(3, [1]), (4, [2]), (5, [1]), (5, [1, 3]), (6, [0])])
def test_a_lamp_in_some_pips_that_leaves_no_other_value_is_no_second_paint(value, lit):
    places = turned(value, 0.4)
    paints = [WHITE if mark in lit else BLACK for mark in range(value)]
    assert not two_paints(painted(places, paints), places)


def test_what_is_marked_at_the_very_edge_is_looked_at_there():
    places = np.array([[0.0, 0.0], [0.5, 0.5], [1.0, 1.0]])
    crop = np.full((CROP_PX, CROP_PX, 3), RED, np.uint8)
    crop[28:37, 28:37] = YELLOW
    assert two_paints(crop, places)


def test_a_value_of_two_paints_is_not_readable():
    places = turned(5, 0.4)
    honest = painted(places, [YELLOW] * 5)
    flecked = painted(places, [YELLOW, YELLOW, YELLOW, GREY, GREY])
    marks = Marks(places, np.full(5, 0.96))
    chances = np.array([[0.01, 0, 0.05, 0.02, 0.9, 0, 0.02]] * 2, np.float32)
    told = one_paint(np.stack([honest, flecked]), [marks, marks], chances)
    assert told[0] == pytest.approx(chances[0])
    assert told[1] == pytest.approx([0.01, 0, 0.05, 0.02, 0, 0, 0.92])
    assert chances[1, 4] == pytest.approx(0.9), "what was asked is left as it was"
    nothing = one_paint(np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8), [], chances[:0])
    assert nothing.shape == (0, 7)
