"""Makes of dice: what a table's colour, two swirling colours and uneven pips make of them."""

from dataclasses import replace

import numpy as np
import pytest

from models.lab import surfaces
from models.lab.kernels import PIP_COUNT, PIP_PLACES
from models.lab.looks import luminance, makes
from models.lab.object_rows import object_table
from models.lab.pips import pips_of
from models.lab.surfaces import albedo_at
from models.lab.things import Die, Finish, Scene

INK = (0.01, 0.01, 0.01)
GROUNDS = ((0.7, 0.68, 0.6), (0.02, 0.1, 0.03), (0.2, 0.1, 0.05))


def made(seed, ground=GROUNDS[0], **shares):
    return makes(np.random.default_rng(seed), np.array(ground), under_ring=False, **shares)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("seed", range(8))
def test_hidden_dice_have_the_tables_colour_and_pips_that_can_be_seen(seed, ground):
    for look in made(seed, ground, hidden=1.0):
        body, pip = np.array(look.finish.rgb), np.array(look.pip_rgb)
        assert np.abs(np.log(body / ground)).max() < 1.0
        hue = np.abs(pip / pip.sum() - body / body.sum()).sum()
        assert hue > 0.4 or abs(np.log(luminance(look.pip_rgb) / luminance(look.finish.rgb))) > 0.5


def test_swirled_dice_have_two_colours():
    looks = [look for seed in range(12) for look in made(seed, swirls=1.0)]
    assert {look.finish.pattern for look in looks} == {surfaces.MARBLE}
    apart = [abs(np.log(luminance(x.finish.rgb) / luminance(x.finish.rgb2))) for x in looks]
    assert np.median(apart) > 0.7
    assert all(look.finish.pattern_amount >= 0.5 for look in looks)


@pytest.mark.parametrize("seed", range(30))
def test_pips_of_an_uneven_make_neither_touch_nor_leave_their_face(seed):
    for look in made(seed, uneven=1.0):
        for value in range(2, 7):
            places = PIP_PLACES[value, : PIP_COUNT[value]] * (look.six_rows if value == 6 else 1, 1)
            places = places * look.pip_spacing * look.face_spacing[value - 1]
            apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
            assert apart[~np.eye(value, dtype=bool)].min() > 2 * look.pip_radius
            assert np.abs(places).max() + look.pip_radius < 0.5


def test_a_two_of_an_uneven_make_is_drawn_in():
    looks = [look for seed in range(200) for look in made(seed, uneven=1.0)]
    twos, fives = np.array([(look.face_spacing[1], look.face_spacing[4]) for look in looks]).T
    assert 0.8 < np.median(twos / fives) < 0.95
    assert np.mean(twos < fives) < 0.9, "not always"


def test_the_pips_that_are_told_lie_where_they_are_painted():
    look = replace(made(3)[0], face_spacing=(1.0, 0.7, 0.9, 1.1, 0.8, 1.0), pip_radius=0.05)
    look = replace(look, finish=Finish(rgb=(0.8, 0.8, 0.8)), pip_rgb=INK, ace_rgb=INK)
    die = Die(position_mm=(0, 0, 8), rotation=np.eye(3), look=look)
    scene = Scene(floor_rgb=np.zeros((2, 2, 3), np.float32), floor_size_mm=(9.0, 9.0), dice=[die])
    row, rgb, bend = object_table(scene)[0], np.zeros(3), np.zeros(3)
    for face in range(6):
        for x, y, z in pips_of(die, face):
            albedo_at(row, x, y, z - 8, rgb, bend)
            assert rgb[0] < 0.1, (die.values[face], x, y, z)


def test_earlier_sets_stay_as_they_were():
    plain = [made(seed) for seed in range(5)]
    assert plain == [made(seed, GROUNDS[1]) for seed in range(5)], "a share of 0 draws nothing"
