"""Dice that are waited for in vain."""

from dataclasses import replace

import pytest

from vision.lying import Lying
from vision.memory import Memory, ThrowSettings
from vision.standstill import why_restless
from vision.table import DieReading, TableDie

SIXTHS = (1 / 6,) * 6
DIE = TableDie(
    1, "die", (30.0, 60.0), (22.0, 52.0, 38.0, 68.0), False, 1.0, False, True, False, True,
    DieReading((30.0, 60.0), 1, 1 / 6, False, SIXTHS, (1 / 7,) * 7), SIXTHS,
)  # fmt: skip


@pytest.mark.parametrize(
    ("dice", "odd", "reason"),
    [(3, 0, "restless"), (2, 0, "fewer"), (4, 0, "more"), (2, 1, "kind"), (3, 1, "kind")],
)
def test_dice_that_do_not_come_to_rest_are_asked_about_for_what_they_may_be(
    dice: int, odd: int, reason: str
) -> None:
    lying = Lying((DIE,) * dice, (), (DIE,) * odd, (), (), (), None)
    assert why_restless(lying, lying.towers, trembles=False) == reason
    assert why_restless(lying, lying.towers, trembles=True) == reason


@pytest.mark.parametrize(("seen", "reason"), [(2, "kind"), (1, "fewer"), (3, "more")])
def test_a_die_that_trembles_though_nothing_moves_may_lean(seen: int, reason: str) -> None:
    unclear = replace(DIE, stands_sure=False)
    lying = Lying((*(DIE,) * seen, unclear), (), (), (), (), (), None)
    assert why_restless(lying, (), trembles=True) == reason
    moved = {2: "restless"}.get(seen, reason)
    assert why_restless(lying, (), trembles=False) == moved


def test_a_die_that_may_lean_comes_before_that_no_cup_was_seen() -> None:
    unclear = replace(DIE, stands_sure=False)
    clear, leaning = (Lying((DIE, DIE, last), (), (), (), (), (), None) for last in (DIE, unclear))
    assert (clear.why_uncovered, leaning.why_uncovered) == ("no_cup", "kind")


@pytest.mark.parametrize(("left_may", "thrown_may", "reason"), [
    (False, False, "left_in_zone"), (True, False, "left_in_zone"), (False, True, "kind"),
])  # fmt: skip
def test_a_thrown_die_that_may_lean_comes_before_that_another_was_left(
    left_may: bool, thrown_may: bool, reason: str
) -> None:
    left, thrown = (replace(DIE, stands_sure=not may) for may in (left_may, thrown_may))
    lying = Lying((left, thrown, DIE), (), (), (), (), (), None)
    assert Memory().objection(lying, [thrown, DIE], ThrowSettings()) == reason


@pytest.mark.parametrize(("sure", "reason"), [(3, "more"), (2, "kind")])
def test_what_is_unclear_beside_all_dice_of_a_throw_is_one_too_many(sure: int, reason: str) -> None:
    clear, unclear = replace(DIE, sure=True), replace(DIE, stands_sure=False)
    leaning = Lying((clear,) * sure, (), (), (unclear,), (), (), None)
    assert why_restless(leaning, leaning.burning, trembles=True) == reason
    assert replace(leaning, zone=(*leaning.zone, unclear), burning=()).why_unclear == reason
