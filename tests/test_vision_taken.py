"""Dice that were taken by hand before a cup came: whose throw is the next one?"""

import pytest
from vision_table import CUP, THROW, Table, thrown

from vision.throws import ThrowTracker

NEXT = [(4, 120, 200), (3, 180, 210), (1, 200, 130)]


def play(table: Table) -> tuple[str, bool]:
    """Type of the last event, and whether the dice before it were taken."""
    last = table.play(until_s=9)[-1]
    return last.type, last.taken


def test_dice_that_were_gone_before_the_cup_came_may_be_another_players() -> None:
    table = thrown().at(4.0, busy=True, gone=True).at(4.7, cup=CUP).at(6.0, NEXT)
    assert play(table) == ("throw_seen", True)


def test_dice_that_the_cup_came_over_are_thrown_again() -> None:
    table = thrown().at(4.0, busy=True).at(4.7, cup=CUP).at(6.0, NEXT)
    assert play(table) == ("throw_seen", False)


def test_dice_that_are_back_in_sight_were_not_taken() -> None:
    table = thrown().at(4.0, busy=True, gone=True).at(4.7, THROW).at(5.4, cup=CUP).at(6.5, NEXT)
    assert play(table) == ("throw_seen", False)


def test_when_the_mat_was_cleared_nobody_needs_to_ask() -> None:
    table = thrown().at(4.0, gone=True, looks_bare=True).at(6.0, cup=CUP).at(7.5, NEXT)
    assert play(table) == ("throw_seen", False)


def test_it_is_asked_once() -> None:
    table = thrown().at(4.0, busy=True, gone=True).at(4.7, cup=CUP).at(6.0, NEXT)
    table.at(8.5, cup=CUP).at(10.0, THROW)
    told = [event for event in table.play(until_s=13) if event.type == "throw_seen"]
    assert [event.taken for event in told] == [False, True, False]


@pytest.mark.parametrize("kind", ["tower", "burning"])
def test_a_throw_that_burns_may_be_another_players_too(kind: str) -> None:
    odd = [(kind, 120, 200), (1, 200, 130)]
    table = thrown(second_reader=False).at(4.0, busy=True, gone=True)
    table.at(4.7, cup=CUP).at(6.0, odd)
    assert play(table) == (kind, True)


def test_so_may_one_that_cannot_be_read() -> None:
    table = thrown(second_says={4: 2}).at(4.0, busy=True, gone=True).at(4.7, cup=CUP).at(6.0, NEXT)
    assert play(table) == ("unsure", True)


@pytest.mark.parametrize("seat", ["A", None])
def test_at_a_seat_nobody_else_throws(seat: str | None) -> None:
    table = thrown().at(4.0, busy=True, gone=True).at(4.7, cup=CUP).at(6.0, NEXT)
    table.tracker = ThrowTracker(seat=seat)
    assert play(table) == ("throw_seen", seat is None)
