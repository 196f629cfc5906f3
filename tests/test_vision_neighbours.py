"""What the places of dice tell about how they stand."""

import numpy as np
import pytest
from vision_table import alone, look

from vision.neighbours import stance_odds
from vision.scene_settings import SceneSettings
from vision.seats import seats_around
from vision.stance import STANCES

SETTINGS = SceneSettings(die_mm=16.0)
FLAT, TOWER, BURNING = range(len(STANCES))


def odds(*places):
    return stance_odds([np.array(place, float) for place in places], SETTINGS)


def test_no_die_has_no_odds():
    assert odds().shape == (0, 3)


def test_only_towers_have_odds():
    assert (odds((0, 0), (17, 0), (90, 0))[:, [FLAT, BURNING]] == 1).all()


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([(0, 0), (50, 0), (100, 0)], 0.1),
        ([(0, 0), (50, 0)], 1.0),  # the third may be under one of them
        ([(0, 0), (50, 0), (100, 0), (150, 0)], 1.0),  # so may a look-alike's third
        ([(0, 0), (50, 0), (60, 0)], 1.0),  # one stands on the other's edge
    ],
)
def test_three_that_lie_apart_are_hardly_a_tower(places, expected):
    assert (odds(*places)[:, TOWER] == expected).all()


def test_dice_of_other_seats_do_not_make_a_tower_less_likely():
    """Two lie at one seat, one of which may be two; the third is somebody else's."""
    seats = seats_around("AB", (600.0, 450.0))
    settings = SceneSettings(die_mm=16.0, seats=seats)
    below, above = [(100, 400), (150, 400)], [(100, 50)]
    assert (stance_odds(np.array([*below, *above], float), settings)[:, TOWER] == 1.0).all()
    three = stance_odds(np.array([*below, (200, 400), *above], float), settings)
    assert three[:, TOWER].tolist() == [0.1, 0.1, 0.1, 1.0]


def test_a_die_alone_is_hardly_a_tower_where_one_is_in_play():
    places = np.array([(0, 0), (50, 0), (100, 0)], float)
    assert stance_odds(places[:1], SETTINGS, (1,))[0, TOWER] == 0.1
    assert (stance_odds(places, SETTINGS, (1,))[:, TOWER] == 1.0).all()


def test_a_visitor_does_not_make_a_tower_less_likely():
    """Two of three are to be seen, and one that rolled there: the third may be under them."""
    seats = seats_around("AB", (600.0, 450.0))
    settings = SceneSettings(die_mm=16.0, seats=seats)
    places = np.array([(100, 400), (150, 400), (200, 400)], float)
    assert (stance_odds(places, settings, (4, 3))[:, TOWER] == 1.0).all()


@pytest.mark.parametrize(
    ("places", "sure"),
    [
        ([(100, 100), (150, 100), (200, 100)], True),
        ([(100, 100), (150, 100)], False),  # the third may be under one of them
        ([(100, 100), (150, 100), (200, 100), (250, 100)], False),  # so may a look-alike's third
        ([(100, 100), (150, 100), (160, 100)], False),  # one stands on the other's edge
    ],
)
def test_where_three_lie_apart_hardly_any_is_a_tower(places, sure):
    scene = alone(stance_reader=True, match_mm=4.0)
    words = np.array([0.6, 0.4, 0.0], np.float32)
    for frame in range(12):
        scene.update(look(*[(5, x, y) for x, y in places]), frame / 10)
        scene.hear_stance(dict.fromkeys(scene.wants_stance(), words))
    state = scene.state()
    assert [die.stands_sure for die in state.dice] == [sure] * len(places)


def test_a_clear_tower_is_one_even_where_three_lie_apart():
    scene = alone(stance_reader=True)
    words = np.array([0.01, 0.98, 0.01], np.float32)
    for frame in range(12):
        scene.update(look((5, 100, 100), (5, 150, 100), (5, 200, 100)), frame / 10)
        scene.hear_stance({1: words} if 1 in scene.wants_stance() else {})
    state = scene.state()
    assert (state.dice[0].kind, state.dice[0].stands_sure) == ("tower", True)


def test_the_odds_follow_when_a_die_is_taken_away():
    """Of two the third may be under one of them."""
    scene = alone(stance_reader=True)
    words = np.array([0.75, 0.25, 0.0], np.float32)
    for frame in range(12):
        scene.update(look((5, 50, 100), (5, 100, 100), (5, 150, 100)), frame / 10)
        scene.hear_stance(dict.fromkeys(scene.wants_stance(), words))
    for frame in range(12, 30):
        state = scene.update(look((5, 50, 100), (5, 100, 100)), frame / 10)
    assert [die.stands_sure for die in state.dice] == [False, False]
