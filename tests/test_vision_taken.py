"""Dice that were taken by hand before a cup came: whose throw is the next one?"""

import pytest
from vision_table import CUP, THROW, Table, thrown

from vision.throws import ThrowTracker

NEXT = [(4, 120, 200), (3, 180, 210), (1, 200, 130)]


def play(table: Table) -> tuple[str, str]:
    """Type of the last event, and its reason."""
    last = table.play(until_s=9)[-1]
    return last.type, last.reason


def test_dice_that_were_gone_before_the_cup_came_may_be_another_players() -> None:
    table = thrown().at(4.0, busy=True, gone=True).at(4.7, cup=CUP).at(6.0, NEXT)
    assert play(table) == ("unsure", "taken")


def test_dice_that_the_cup_came_over_are_thrown_again() -> None:
    table = thrown().at(4.0, busy=True).at(4.7, cup=CUP).at(6.0, NEXT)
    assert play(table) == ("throw_seen", "")


def test_dice_that_are_back_in_sight_were_not_taken() -> None:
    table = thrown().at(4.0, busy=True, gone=True).at(4.7, THROW).at(5.4, cup=CUP).at(6.5, NEXT)
    assert play(table) == ("throw_seen", "")


def test_when_the_mat_was_cleared_nobody_needs_to_ask() -> None:
    table = thrown().at(4.0, gone=True, looks_bare=True).at(6.0, cup=CUP).at(7.5, NEXT)
    assert play(table) == ("throw_seen", "")


def test_it_is_asked_once() -> None:
    table = thrown().at(4.0, busy=True, gone=True).at(4.7, cup=CUP).at(6.0, NEXT)
    table.at(8.5, cup=CUP).at(10.0, THROW)
    told = [event for event in table.play(until_s=13) if event.type in ("unsure", "throw_seen")]
    assert [event.reason for event in told] == ["", "taken", ""]


@pytest.mark.parametrize("seat", ["A", None])
def test_at_a_seat_nobody_else_throws(seat: str | None) -> None:
    table = thrown().at(4.0, busy=True, gone=True).at(4.7, cup=CUP).at(6.0, NEXT)
    table.tracker = ThrowTracker(seat=seat)
    assert play(table)[0] == ("unsure" if seat is None else "throw_seen")
