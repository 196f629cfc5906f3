"""When the mat is cleared though arms, glasses and shadows are about."""

import numpy as np
import pytest

from vision.bare_mat import BareMat
from vision.clearing import bare_for
from vision.covering import Covering
from vision.lying import Zones, sort_scene
from vision.memory import Memory, ThrowSettings, Timers
from vision.motion import thumb
from vision.table import DieReading, SceneState, TableCup, TableDie

SETTINGS = ThrowSettings()
FELT, DIE = 60, 200
PX_PER_MM = 1.0


def mat(*things: tuple[int, int, int, int, int]) -> np.ndarray:
    """A view of the mat, a pixel a millimetre, with grey boxes on it."""
    view = np.full((339, 444, 3), FELT, np.uint8)
    for left, top, right, bottom, grey in things:
        view[top:bottom, left:right] = grey
    return view


def look(bare: BareMat, view: np.ndarray):
    return bare.look(thumb(view, PX_PER_MM))


@pytest.fixture
def bare() -> BareMat:
    known = BareMat(600.0, 150.0)
    known.learn(thumb(mat(), PX_PER_MM))
    return known


PLACE = np.array([[100.0, 100.0, 116.0, 116.0]])


def test_where_a_die_lay_the_mat_is_bare_again_whatever_lies_elsewhere(bare: BareMat):
    die, glass = (100, 100, 116, 116, DIE), (300, 0, 362, 60, 220)
    assert not look(bare, mat(die)).is_bare_at(PLACE)
    there = look(bare, mat(glass))
    assert there.bare == (False,)
    assert there.is_bare_at(PLACE)
    assert not look(bare, mat(glass, die)).is_bare_at(PLACE)


def test_where_a_cup_stood_three_small_dice_are_no_bare_mat(bare: BareMat):
    cup = np.array([[150.0, 100.0, 260.0, 210.0]])
    dice = [(left, 150, left + 13, 163, DIE) for left in (180, 193, 206)]
    assert look(bare, mat()).is_bare_at(cup)
    assert not look(bare, mat(*dice)).is_bare_at(cup)


@pytest.mark.parametrize("factor", [0.6, 1.5])
def test_a_shadow_over_a_place_is_no_die(bare: BareMat, factor: float):
    shaded = mat()
    shaded[:, :222] = (shaded[:, :222] * factor).astype(np.uint8)
    assert look(bare, shaded).is_bare_at(PLACE)
    shaded[100:116, 100:116] = 5
    assert not look(bare, shaded).is_bare_at(PLACE), "a dark die in it"


def test_nobody_can_tell_where_the_mat_was_never_seen():
    assert not look(BareMat(600.0, 150.0), mat()).is_bare_at(PLACE)


def test_what_lay_beside_dice_that_were_all_read_is_as_good_as_bare(bare: BareMat):
    glass, die = (300, 0, 362, 60, 220), (100, 100, 116, 116, DIE)
    small = thumb(mat(glass, die), PX_PER_MM)
    where = np.ones(small.shape[:2], np.bool_)
    where[40:70, 40:70] = False
    bare.learn_beside(small, where)
    assert look(bare, mat(glass)).bare == (True,)
    assert look(bare, mat()).bare == (True,), "and where it is taken away again"
    assert look(bare, mat(glass, die)).bare == (True,), "one die is no large thing"
    assert not look(bare, mat(glass, die)).is_bare_at(PLACE)
    assert look(bare, mat((200, 200, 288, 288, 20))).bare == (False,)


def cup(since_s: float, x: float = 200.0) -> TableCup:
    return TableCup(1, (x, 100.0), (x - 44, 56.0, x + 44, 144.0), True, since_s, since_s)


def die(track_id: int, x: float, y: float) -> TableDie:
    box = (x - 8, y - 8, x + 8, y + 8)
    sixth = (1 / 6,) * 6
    reading = DieReading((x, y), 5, 0.99, True, sixth, ())
    return TableDie(track_id, "die", (x, y), box, True, 4.0, True, True, True, True, reading, sixth)


def gone_times(scenes: list[SceneState]) -> list[tuple[float, float]]:
    timers = Timers()
    return [bare_for(s, sort_scene(s, Zones()), timers, SETTINGS) for s in scenes]


def test_dice_are_gone_after_a_second_though_somebody_is_at_work():
    scenes = [SceneState(t / 10, busy=True, looks_bare=False, gone=True) for t in range(13)]
    told = gone_times(scenes)
    assert told[9] == (0.0, 0.0)
    assert told[11][1] >= 1.0
    assert {bare_s for bare_s, _ in told} == {0.0}


def test_dice_that_were_gone_before_a_cup_came_are_gone():
    before = [SceneState(t / 10, busy=True, gone=True) for t in range(7)]
    after = [SceneState(t / 10, cups=(cup(0.6),), busy=True, gone=True) for t in range(7, 10)]
    assert gone_times(before + after)[-1][1] >= 0.5
    late = [SceneState(t / 10, busy=True, gone=t > 4) for t in range(7)]
    assert gone_times(late + after)[-1][1] == 0.0, "it may have come to gather them"


def test_a_glass_that_stood_beside_an_open_throw_covers_nothing_later():
    known = Memory(known=(6, 5, 2))
    covering, glass = Covering(SETTINGS), cup(3.0)
    empty = sort_scene(SceneState(6.0, cups=(glass,)), Zones())
    dice = tuple(die(number, 60.0 + 30 * number, 200.0) for number in range(3))
    open_throw = SceneState(5.0, dice, (glass,))
    covering.park(open_throw, sort_scene(open_throw, Zones()), known)
    assert not covering.comes(SceneState(6.0, cups=(glass,)), empty, known, lifted=False)
    moved = cup(7.0, x=120.0)
    there = sort_scene(SceneState(8.0, cups=(moved,)), Zones())
    assert covering.comes(SceneState(8.0, cups=(moved,)), there, known, lifted=False)
