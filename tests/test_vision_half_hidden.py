"""Dice that a cup or a hand hides in part: waited for, and read anew when they come out."""

import numpy as np
import pytest
from vision_table import CUP, THROW, Table, told

from vision.detections import CUP as CUP_CLASS
from vision.detections import Detections
from vision.scene import SceneSettings, TableScene
from vision.table import SceneState, TableCup, overlap

OVER_THE_FIRST = (70, 70)
"""A cup whose box reaches over the die at (100, 100), not over the others."""
BEFORE_THE_FIRST = (58, 58)
"""One whose box reaches just over its edge."""
HALF = dict.fromkeys((6,), 3)
"""Half a six is a three for whoever counts pips."""


def lifted(*, away_s: float) -> Table:
    """Lifted at 2 s; the cup hangs over a die until `away_s`, which is then misread by one."""
    table = Table(second_says=dict(HALF)).at(0.0).at(0.5, cup=CUP)
    return table.at(2.0, THROW, cup=OVER_THE_FIRST).at(away_s, THROW)


def play(table: Table, away_s: float, until_s: float) -> list[str]:
    """What is told when the misreading ends with the cup."""

    class Uncovering(dict[int, int]):
        def get(self, value: int, default: int = 0) -> int:  # type: ignore[override]
            hidden = bool(table.states) and table.states[-1].t_s < away_s
            return HALF.get(value, default) if hidden else default

    table.second_says = Uncovering()
    return [f"{kind} {dice}" for kind, dice, _ in told(table.play(until_s=until_s))]


@pytest.mark.parametrize("away_s", [2.6, 3.4, 4.4])
def test_what_a_cup_hides_in_part_is_read_when_it_is_gone(away_s: float) -> None:
    table = lifted(away_s=away_s)
    assert play(table, away_s, until_s=8)[-1] == "throw_seen (6, 5, 2)"


def test_what_stays_hidden_is_asked_about_all_the_same() -> None:
    table = lifted(away_s=30.0)
    events = play(table, 30.0, until_s=8)
    assert events[-1].startswith("unsure")
    assert [state for state in table.states if state.cups and state.dice]


def test_a_cup_that_stood_there_before_the_throw_is_not_waited_for() -> None:
    table = Table(second_says=HALF).at(0.0, parked=[BEFORE_THE_FIRST])
    table.at(1.5, cup=CUP, parked=[BEFORE_THE_FIRST]).at(3.0, THROW, parked=[BEFORE_THE_FIRST])
    asked = next(event for event in table.play(until_s=9) if event.type == "unsure")
    assert asked.reason == "values"
    assert asked.t_s - 3.0 < 2.0


def test_a_cup_that_is_put_down_beside_its_dice_is_waited_for() -> None:
    table = Table(second_says=HALF).at(0.0).at(1.5, cup=CUP)
    table.at(3.0, THROW, cup=BEFORE_THE_FIRST)
    asked = next(event for event in table.play(until_s=9) if event.type == "unsure")
    assert asked.t_s - 3.0 >= 3.0


def test_dice_in_plain_sight_are_not_waited_for() -> None:
    table = Table(second_says={6: 3}).at(0.0).at(0.5, cup=CUP).at(2.0, THROW)
    asked = next(event for event in table.play(until_s=8) if event.type == "unsure")
    assert asked.t_s - 2.0 < 2.0


def box(left: float, top: float, right: float, bottom: float) -> list[float]:
    return [2.2 * side for side in (left, top, right, bottom)]


def see(scene: TableScene, at_s: float, *boxes: list[float], value: int = 3) -> SceneState:
    """Dice of one value, or a cup where the box is a cup's."""
    classes = [CUP_CLASS if b[2] - b[0] > 120 else value - 1 for b in boxes]
    scene.update(Detections.of(list(boxes), [0.9] * len(boxes), classes), at_s)
    opinion = np.full(7, 0.01, np.float32)
    opinion[value - 1] = 0.94
    scene.hear_second(dict.fromkeys(scene.wants_second(), opinion))
    return scene.state()


def alone() -> TableScene:
    return TableScene(SceneSettings(born_looks=1))


def test_a_die_whose_lower_half_comes_out_from_under_a_hand_is_read_anew() -> None:
    scene = alone()
    half, whole = box(100, 100, 117, 113.8), box(100, 100, 117, 117.5)
    for frame in range(12):
        see(scene, frame / 15, half, value=6 if frame % 2 else 3)
    assert not scene.state().dice[0].sure, "the witnesses contradict each other"
    for frame in range(12, 24):
        state = see(scene, frame / 15, whole, value=5)
    assert (state.dice[0].value, state.dice[0].sure) == (5, True)
    assert state.dice[0].still_since_s == 0.0, "it has not moved"


def test_what_was_sure_already_is_not_forgotten() -> None:
    scene = alone()
    die, cup = box(100, 100, 117, 117), box(110, 60, 200, 150)
    for frame in range(12):
        see(scene, frame / 15, die)
    readings = len(scene.state().dice[0].reading.second)
    for frame in range(12, 16):
        see(scene, frame / 15, die, cup)
    for frame in range(16, 30):
        state = see(scene, frame / 15, die)
        assert state.dice[0].sure
    assert readings == 7


@pytest.mark.parametrize(
    ("other", "shared"),
    [
        ((5, 5, 15, 15), True),
        ((10, 0, 20, 10), False),
        ((2, 2, 4, 4), True),
        ((0, 11, 5, 20), False),
    ],
)
def test_boxes_overlap_when_they_share_some_of_the_mat(
    other: tuple[float, float, float, float], shared: bool
) -> None:
    assert overlap((0, 0, 10, 10), other) is shared
    assert overlap(other, (0, 0, 10, 10)) is shared


@pytest.mark.parametrize(("ago_s", "hides"), [(0.0, True), (1 / 15, True), (1 / 5, False)])
def test_a_cup_hides_what_is_behind_it_as_long_as_it_is_seen(ago_s: float, hides: bool) -> None:
    cup = TableCup(1, (100.0, 100.0), (60.0, 60.0, 140.0, 140.0), True, 0.0, 5.0)
    state = SceneState(5.0 + ago_s, cups=(cup,))
    assert state.is_hidden((130.0, 130.0, 150.0, 150.0)) == hides
    assert not state.is_hidden((141.0, 130.0, 157.0, 146.0)), "it stands beside the cup"
