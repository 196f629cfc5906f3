"""What lies there unseen must not be learned as the bare mat."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.bare_mat import BareMat
from vision.known_mat import KnownMat
from vision.lying import Zones
from vision.quiet import LearnSettings
from vision.table import DieReading, SceneState, TableCup, TableDie

MAT = np.full((100, 120, 3), 90, np.uint8)
SMALL = np.full((50, 60, 3), 90, np.float32)
FAINT = SMALL.copy()
FAINT[10:18, 10:18] += 20


def known() -> KnownMat:
    mat = KnownMat(BareMat(600.0, 150.0), [Zones()], scale_px_per_mm=1.0, margin_mm=0.0)
    mat.searched(0.0)
    for at_s in (0.0, 0.6):
        mat.learn(lambda: MAT, SMALL, [SceneState(at_s)])
        mat.searched(at_s)
    assert mat.bare.look(SMALL).bare == (True,)
    return mat


@pytest.mark.parametrize("traces", [True, False])
def test_faint_traces_are_learned_only_after_a_long_quiet(traces: bool) -> None:
    mat, begun_s = known(), 1.0
    mat.searched(begun_s)
    times = np.arange(begun_s, begun_s + LearnSettings().anew_s - 0.5, 0.1)
    for at_s in times:
        state = SceneState(float(at_s), looks_bare=True, traces=traces)
        mat.learn(lambda: MAT, FAINT, [state])
    assert mat.bare.look(FAINT).traces == (traces,)
    later_s = float(times[-1]) + LearnSettings().anew_s
    mat.searched(later_s)
    mat.learn(lambda: MAT, FAINT, [SceneState(later_s, looks_bare=True, traces=traces)])
    assert mat.bare.look(FAINT).traces == (False,)


GLASS = SMALL.copy()
GLASS[5:25, 5:25] += 60


def die(x_mm: float, y_mm: float = 60.0, *, at_rest: bool = True) -> TableDie:
    place, box = (x_mm, y_mm), (x_mm - 8, y_mm - 8, x_mm + 8, y_mm + 8)
    reading = DieReading(place, 5, 0.99, True, (0.0,) * 6, ())
    ones = (0.0,) * 6
    return TableDie(1, "die", place, box, at_rest, 1.0, True, True, True, True, reading, ones)


@pytest.mark.parametrize(("count", "learned"), [(1, True), (2, False), (3, False)])
def test_what_lies_beside_as_many_dice_as_are_in_play_is_none(count: int, learned: bool) -> None:
    """One die is thrown for the start: a glass beside it keeps no mat from being cleared."""
    mat = known()
    mat.in_play = (1,)
    mat.searched(2.0)
    dice = tuple(die(70.0 + 20 * number) for number in range(count))
    mat.learn(lambda: MAT, GLASS, [SceneState(2.0, dice, looks_bare=False)])
    assert mat.bare.look(GLASS).bare == (learned,)


def test_a_throw_of_one_die_that_is_read_makes_what_lay_before_it_forgotten() -> None:
    mat = known()
    mat.in_play = (1,)
    mat.learn(lambda: MAT, SMALL, [SceneState(1.0, (die(30.0),))])
    mat.learn(lambda: MAT, SMALL, [SceneState(2.0, (die(90.0),))])
    there = SMALL.copy()
    there[26:34, 11:19] += 60  # a sleeve, where the first die lay
    assert mat.gone(mat.bare.look(there)) == (True,)


@pytest.mark.parametrize("cleared", [False, True])
def test_where_dice_lay_is_known_until_the_mat_was_cleared(cleared: bool) -> None:
    """A hand that comes while the mat is hardly bare does not bring the dice back."""
    mat = known()
    dice = (die(30.0), die(60.0), die(90.0))
    mat.learn(lambda: MAT, SMALL, [SceneState(1.0, dice, looks_bare=False)])
    mat.learn(lambda: MAT, SMALL, [SceneState(2.0, looks_bare=True)])
    if cleared:
        mat.cleared((0,))
    hand = SMALL.copy()
    hand[2:12, 30:60] += 60
    mat.learn(lambda: MAT, hand, [SceneState(2.2, busy=True, looks_bare=False)])
    assert mat.gone(mat.bare.look(hand)) == (not cleared,)


@pytest.mark.parametrize(("count", "known_as"), [(1, False), (2, True), (3, False)])
def test_what_may_be_a_throw_lies_there_from_the_beginning_as_dice(
    count: int, known_as: bool
) -> None:
    """One die, which is in play, or a whole set; two are none of them."""
    mat = KnownMat(BareMat(600.0, 150.0), [Zones()], scale_px_per_mm=1.0, margin_mm=0.0)
    mat.in_play = (1,)
    picture = MAT.copy()
    picture[52:68, 22:38] = np.random.default_rng(1).integers(0, 255, (16, 16, 3))
    dice = tuple(replace(die(30.0 + 30 * number), still_since_s=0.0) for number in range(count))
    for at_s in (0.0, 1.5):
        mat.searched(at_s)
        mat.learn(lambda: picture, SMALL, [SceneState(at_s, dice, looks_bare=False)])
    box = np.array([[22, 52, 38, 68]], np.float32)
    assert mat.are_known(
        picture, box, are_cups=np.array([False]), owners=np.array([0])
    ).tolist() == [known_as]


def test_where_a_cup_stood_from_the_beginning_a_die_that_is_overlooked_is_not_learned() -> None:
    mat = KnownMat(BareMat(600.0, 150.0), [Zones()], scale_px_per_mm=1.0, margin_mm=0.0)
    cup = TableCup(1, (30.0, 60.0), (5.0, 35.0, 55.0, 85.0), True, 0.0, 1.5)
    picture = MAT.copy()
    for at_s, cups in ((0.0, (cup,)), (1.5, (cup,)), (3.0, ()), (4.5, ())):
        if not cups:
            picture[52:68, 22:38] = np.random.default_rng(1).integers(0, 255, (16, 16, 3))
        mat.searched(at_s)
        mat.learn(picture.copy, SMALL, [SceneState(at_s, (), cups, looks_bare=False)])
    box = np.array([[22, 52, 38, 68]], np.float32)
    assert mat.are_known(
        picture, box, are_cups=np.array([False]), owners=np.array([0])
    ).tolist() == [False]


@pytest.mark.parametrize(
    ("others", "aside", "known_as"), [(2, False, False), (3, False, True), (3, True, False)]
)
def test_what_lay_there_when_the_watch_began_is_none_of_as_many_other_dice_as_are_in_play(
    others: int, aside: bool, known_as: bool
) -> None:
    """But for what lay in the strip: somebody had put it aside."""
    zones = Zones(aside=(75.0, 0.0, 120.0, 100.0)) if aside else Zones()
    mat = KnownMat(BareMat(600.0, 150.0), [zones], scale_px_per_mm=1.0, margin_mm=0.0)
    rng, picture = np.random.default_rng(1), MAT.copy()
    places = [(22, 52), (52, 52), (82, 52), (22, 12), (52, 12), (82, 12)]
    for x, y in places[:3]:
        picture[y : y + 16, x : x + 16] = rng.integers(0, 255, (16, 16, 3))
    for at_s in (0.0, 1.5):
        mat.searched(at_s)
        three = tuple(replace(die(30.0 + 30 * n), still_since_s=0.0) for n in range(3))
        mat.learn(lambda: picture, SMALL, [SceneState(at_s, three, looks_bare=False)])
    now = picture.copy()
    for x, y in places[3 : 3 + others]:
        now[y : y + 16, x : x + 16] = rng.integers(0, 255, (16, 16, 3))
    boxes = np.array([[x, y, x + 16, y + 16] for x, y in places[2 : 3 + others]], np.float32)
    nothing = np.zeros(len(boxes), int)
    known = mat.are_known(now, boxes, are_cups=nothing.astype(bool), owners=nothing)
    assert known.tolist() == [known_as] + [False] * others


@pytest.mark.parametrize(
    ("others", "in_play", "known_as"), [(2, 3, False), (3, 3, True), (2, 2, True)]
)
def test_a_print_half_covered_is_none_of_as_many_other_dice_as_are_in_play(
    others: int, in_play: int, known_as: bool
) -> None:
    """Beside fewer it may be a die that lies on the print."""
    mat = KnownMat(BareMat(600.0, 150.0), [Zones()], scale_px_per_mm=1.0, margin_mm=0.0)
    mat.in_play = (in_play,)
    rng, picture = np.random.default_rng(1), MAT.copy()
    picture[52:68, 22:38], picture[57:63, 27:33] = 170, 20
    mat.prints.learn(picture)
    now = picture.copy()
    now[60:80, 15:45] = 120
    places = [(22, 52), (52, 52), (82, 52), (52, 12)][: 1 + others]
    for x, y in places[1:]:
        now[y : y + 16, x : x + 16] = rng.integers(0, 255, (16, 16, 3))
    boxes = np.array([[x, y, x + 16, y + 16] for x, y in places], np.float32)
    nothing = np.zeros(len(boxes), int)
    known = mat.are_known(now, boxes, are_cups=nothing.astype(bool), owners=nothing)
    assert known.tolist() == [known_as] + [False] * others


@pytest.mark.parametrize(("there", "stood"), [("coaster", True), ("cup", False), ("mat", False)])
def test_a_coaster_of_the_beginning_is_known_again_and_a_cup_that_came_is_not(
    there: str, stood: bool
) -> None:
    pictures = {name: MAT.copy() for name in ("mat", "coaster", "cup")}
    cv2.circle(pictures["coaster"], (60, 50), 22, (30, 60, 160), -1)
    cv2.circle(pictures["cup"], (64, 47), 27, (20, 30, 60), -1)
    mat = KnownMat(BareMat(600.0, 150.0), [Zones()], scale_px_per_mm=1.0, margin_mm=0.0)
    box = (38.0, 28.0, 82.0, 72.0)
    coaster = TableCup(1, (60.0, 50.0), box, True, 0.0, 0.0)
    for at_s in (0.0, 0.6, 1.2):
        mat.searched(at_s)
        mat.learn(lambda: pictures["coaster"], SMALL, [SceneState(at_s, cups=(coaster,))])
    found = np.array([box], np.float32)
    told = mat.stood(pictures[there], found, are_cups=np.array([True]))
    assert told.tolist() == [stood]
    assert not mat.stood(pictures[there], found, are_cups=np.array([False])).any()


@pytest.mark.parametrize("told", [True, False])
def test_what_lies_beside_look_alikes_that_nobody_threw_may_cover_dice(told: bool) -> None:
    mat = known()
    mat.told = (told,)
    mat.searched(2.0)
    dice = tuple(die(50.0 + 20 * number) for number in range(3))
    mat.learn(lambda: MAT, GLASS, [SceneState(2.0, dice, looks_bare=False)])
    assert mat.bare.look(GLASS).bare == (told,)
