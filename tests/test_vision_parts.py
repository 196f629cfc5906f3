"""Parts of the mat: what changes at one seat says nothing of the others."""

import numpy as np
import pytest
from vision_seats import MAT_MM, NAMES

from vision.bare_mat import BareMat
from vision.motion import MotionGate
from vision.parts import PIXEL_MM, WHOLE, Parts, parts_of
from vision.resting import Resting
from vision.seats import seats_around

SHAPE = (225, 300)
FOUR = seats_around(NAMES[:4], MAT_MM)
PARTS = parts_of(FOUR, SHAPE, margin_mm=0.0)
BELOW, LEFT, ABOVE, RIGHT = range(4)


def mat(level: float = 90.0) -> np.ndarray:
    rng = np.random.default_rng(4)
    return (level + rng.integers(-20, 20, (*SHAPE, 1)) + np.zeros(3)).astype(np.float32)


def covered(picture: np.ndarray, x_mm: float, y_mm: float, side_mm: float = 80.0) -> np.ndarray:
    """A light square with its centre there."""
    out = picture.copy()
    left, top, right, bottom = (
        round((v + d * side_mm / 2) / PIXEL_MM) for d in (-1, 1) for v in (x_mm, y_mm)
    )
    out[top:bottom, left:right] = 230
    return out


def only(*which: int) -> np.ndarray:
    return np.isin(np.arange(4), which)


NOTHING = [False, False]


def test_every_pixel_belongs_to_the_seat_in_whose_area_it_lies():
    assert PARTS.areas_mm2(np.ones(SHAPE, bool)).sum() == pytest.approx(600 * 450)
    places = np.array([[300, 440], [5, 225], [300, 5], [595, 225], [900, 225]], np.float32)
    assert PARTS.owners_at(places).tolist() == [BELOW, LEFT, ABOVE, RIGHT, RIGHT]
    assert WHOLE.owners_at(places).tolist() == [0] * 5
    assert parts_of((), SHAPE, margin_mm=0.0) is WHOLE


def test_a_cup_over_a_border_changes_the_part_that_it_belongs_to_alone():
    gate = MotionGate()
    gate.accept(mat())
    now = covered(mat(), 300, 290)
    assert np.count_nonzero(gate.changed_mm2(covered(mat(), 200, 300), PARTS)) == 2
    box = (260.0, 250.0, 340.0, 330.0)
    mine = PARTS.with_things([box], [LEFT], margin_mm=0.0)
    changed = gate.changed_mm2(now, mine)
    assert changed[LEFT] == pytest.approx(82**2, rel=0.01), (
        "a pixel more, of 2 mm: it is a mean over 2"
    )
    assert changed[[BELOW, ABOVE, RIGHT]].tolist() == [0, 0, 0]


def test_the_gate_takes_over_only_the_parts_that_were_looked_at():
    gate = MotionGate()
    assert np.isinf(gate.changed_mm2(mat(), PARTS)).all()
    gate.accept(mat())
    now = covered(covered(mat(), 300, 400), 300, 50)
    gate.accept(now, PARTS.mask(only(BELOW)))
    changed = gate.changed_mm2(now, PARTS)
    assert changed[BELOW] == 0
    assert changed[ABOVE] > 6000


def test_the_bare_mat_is_learned_part_by_part():
    bare = BareMat(600.0, 150.0)
    now = covered(mat(), 300, 400)
    assert bare.look(now, PARTS).bare == (None,) * 4
    bare.learn(now, PARTS, only(LEFT, ABOVE, RIGHT))
    look = bare.look(now, PARTS)
    assert look.bare == (None, True, True, True)
    assert look.traces == (False,) * 4
    assert look.part_in_use(only(LEFT, RIGHT)) == (0, 0, 0, 0)
    left, top, right, bottom = look.part_in_use(only(BELOW))
    assert (left, right) == pytest.approx((75, 525), abs=4), "nobody knows it bare"
    assert (top, bottom) == pytest.approx((225, 450), abs=4)
    bare.learn(mat(), PARTS, only(BELOW))
    assert bare.look(now, PARTS).bare == (False, True, True, True)
    assert bare.look(now, PARTS).part_in_use(only(BELOW)) == pytest.approx(
        (260, 360, 340, 440), abs=4
    )


def test_every_part_has_a_light_of_its_own_but_a_cover_is_no_light():
    bare = BareMat(600.0, 150.0)
    bare.learn(mat(), PARTS, only(BELOW))
    bare.learn(mat(110.0), PARTS, only(LEFT, ABOVE, RIGHT))  # the lamp was turned up meanwhile
    assert bare.look(mat(110.0), PARTS).bare == (True,) * 4
    sleeve = mat(110.0)
    sleeve[PARTS.owners == LEFT] = 30
    assert bare.look(sleeve, PARTS).bare == (True, False, True, True)


def test_a_coarse_look_at_a_part_that_rests_does_not_wake_it():
    resting = Resting(2, still_mm2=20.0, rest_s=2.0)
    both, quiet = np.array([True, True]), np.zeros(2)
    assert not resting.may_rest(quiet, [True, True], NOTHING, 0.0).any()
    resting.looked(both, quiet, 0.0, coarsely=False)
    assert resting.may_rest(quiet, [True, False], NOTHING, 0.1).tolist() == [True, False]
    moves = np.array([0.0, 500.0])
    resting.looked(both, moves, 0.2, coarsely=True)
    assert resting.may_rest(quiet, [True, True], NOTHING, 0.3).tolist() == [True, False]
    resting.looked(np.array([False, True]), quiet, 0.4, coarsely=False)
    assert resting.may_rest(quiet, [True, True], NOTHING, 0.5).tolist() == [True, True]
    assert resting.may_rest(moves, [True, True], NOTHING, 0.5).tolist() == [True, False]
    assert not resting.may_rest(quiet, [True, True], NOTHING, 2.6).any()


def test_the_longer_nothing_changes_the_seldomer_a_part_is_looked_at():
    resting = Resting(2, still_mm2=20.0, rest_s=2.0)
    both, quiet = np.array([True, True]), np.zeros(2)
    looks: list[float] = []
    for tick in range(300):
        now_s = tick / 10
        if not resting.may_rest(quiet, [True, True], NOTHING, now_s).all():
            resting.looked(both, quiet, now_s, coarsely=False)
            looks.append(now_s)
    assert looks == [0.0, 2.0, 6.0, 14.0, 22.0]
    resting.looked(both, np.array([500.0, 0.0]), 30.0, coarsely=False)
    resting.looked(both, quiet, 30.1, coarsely=False)
    later = [
        resting.may_rest(quiet, [True, True], NOTHING, at).tolist() for at in (32.0, 32.2, 39.0)
    ]
    assert later == [[True, True], [False, True], [False, False]]


def test_one_part_needs_no_masks():
    assert WHOLE.mask(np.array([True])) is None
    assert WHOLE.with_things([(0, 0, 9, 9)], [0], margin_mm=0.0) is WHOLE
    assert Parts().areas_mm2(np.ones((10, 10), bool)).tolist() == [400.0]


def test_where_something_lies_and_nothing_is_found_many_looks_are_taken():
    resting = Resting(1, still_mm2=20.0, rest_s=2.0)
    quiet, everywhere = np.zeros(1), np.ones(1, np.bool_)
    for look in range(8):
        resting.looked(everywhere, quiet, look / 10, coarsely=False)
        assert resting.may_rest(quiet, [True], [False], look / 10).all()
        assert resting.may_rest(quiet, [True], [True], look / 10).all() == (look == 7)
