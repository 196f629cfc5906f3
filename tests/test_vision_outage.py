"""What may have been thrown while nobody saw the table becomes a question, and nothing else does.

The blind table is a table whose frames between two times never arrive.
"""

from collections.abc import Sequence

import pytest
from vision_table import CUP, THROW, Table, told, types

from vision.throws import TableEvent

KEPT = [(6, 380, 100), *THROW[1:]]
OTHER = [(4, 120, 200), (1, 180, 210), (3, 90, 60)]


def blind(table: Table, start_s: float, end_s: float, *, until_s: float) -> list[TableEvent]:
    """Play without the frames from `start_s` to `end_s`."""
    table.unseen = (start_s, end_s)
    return table.play(until_s=until_s)


def bare(table: Table) -> Table:
    return table.at(0.0, looks_bare=True)


def doubts(events: Sequence[TableEvent]) -> list[str]:
    return [event.reason for event in events if event.type == "unsure"]


def test_before_the_cup_a_short_outage_on_a_bare_mat_is_nothing():
    table = Table().at(0.0).at(7.0, cup=CUP).at(9.0, THROW)
    events = blind(table, 1.0, 3.7, until_s=11)
    assert told(events) == [("cup_down", (), ()), ("cup_up", (), ()), ("throw_seen", (6, 5, 2), ())]


def test_after_a_long_outage_on_a_bare_mat_the_table_is_asked_once():
    events = blind(Table().at(0.0), 1.0, 8.0, until_s=12)
    assert types(events) == ["unsure", "cleared"]
    assert events[0].reason == "outage"
    assert events[0].dice == ()
    assert not events[0].sure


@pytest.mark.parametrize("dice", [THROW, THROW[:2]])
def test_dice_that_lie_there_after_an_outage_are_asked_about(dice):
    events = blind(Table().at(0.0).at(2.0, dice), 1.0, 4.0, until_s=8)
    assert types(events) == ["unsure"]
    assert events[0].reason == "outage"
    assert events[0].candidates[0] == tuple(sorted((die[0] for die in dice), reverse=True))


def test_a_cup_that_came_meanwhile_covers_a_throw_that_is_asked_about():
    events = blind(Table().at(0.0).at(2.0, cup=CUP).at(6.0, THROW), 1.0, 4.0, until_s=9)
    assert types(events) == ["cup_down", "cup_up", "unsure"]
    assert (events[-1].reason, events[-1].candidates[0]) == ("outage", (6, 5, 2))


def test_while_covered_the_throw_is_read_and_asked_about():
    """The cup may have been lifted, and another throw be under it by now."""
    table = Table().at(0.0).at(0.5, cup=CUP).at(6.0, THROW)
    events = blind(table, 1.5, 4.5, until_s=9)
    assert types(events) == ["cup_down", "cup_up", "unsure"]
    assert (events[-1].reason, events[-1].candidates[0]) == ("outage", (6, 5, 2))


def test_a_cup_lifted_during_the_outage_leaves_dice_that_are_asked_about():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.5, THROW)
    events = blind(table, 1.5, 5.0, until_s=8)
    assert types(events) == ["cup_down", "cup_up", "unsure"]
    assert (events[-1].reason, events[-1].dice) == ("outage", (6, 5, 2))


def test_a_throw_that_was_lifted_and_taken_away_meanwhile_is_asked_about():
    table = Table().at(0.0, looks_bare=True).at(0.5, cup=CUP, looks_bare=False)
    events = blind(table.at(3.0, looks_bare=True), 1.5, 6.0, until_s=9)
    assert types(events) == ["cup_down", "cup_up", "unsure", "cleared"]
    assert doubts(events) == ["outage"]


def test_after_the_lift_before_the_dice_rest_they_are_asked_about():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW)
    events = blind(table, 2.2, 5.0, until_s=8)
    assert types(events) == ["cup_down", "cup_up", "unsure"]
    assert (events[-1].reason, events[-1].candidates[0]) == ("outage", (6, 5, 2))


def test_dice_seen_before_and_covered_after_the_outage_are_not_passed_over():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW).at(3.5, cup=CUP).at(7.0, OTHER)
    events = blind(table, 2.35, 5.0, until_s=10)
    assert types(events) == ["cup_down", "cup_up", "unsure", "cup_down", "cup_up", "throw_seen"]
    assert doubts(events) == ["outage"]
    assert events[-1].dice == (4, 3, 1)


def test_while_open_untouched_dice_are_no_question():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW).at(14.0)
    events = blind(table, 4.0, 12.0, until_s=16)
    assert types(events) == ["cup_down", "cup_up", "throw_seen", "cleared"]


def test_while_open_dice_put_aside_meanwhile_are_no_question():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW).at(5.0, KEPT)
    table.at(9.0, [KEPT[0]], CUP).at(11.0, [KEPT[0], *OTHER[:2]])
    events = blind(table, 4.0, 7.0, until_s=14)
    assert told(events)[2:] == [
        ("throw_seen", (6, 5, 2), ()),
        ("cup_down", (), ()),
        ("dice_kept", (6,), (6,)),
        ("cup_up", (), (6,)),
        ("throw_seen", (4, 1), (6,)),
    ]


@pytest.mark.parametrize("later", [OTHER, [(6, 220, 60), (5, 90, 200), (2, 140, 240)]])
def test_while_open_dice_that_lie_elsewhere_are_asked_about(later):
    """Even with the same values: they may have been thrown again."""
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW).at(5.0, later)
    events = blind(table, 4.0, 7.0, until_s=11)
    assert types(events) == ["cup_down", "cup_up", "throw_seen", "unsure"]
    assert doubts(events) == ["outage"]


def test_while_open_dice_that_are_gone_are_asked_about_before_the_mat_is_cleared():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW).at(5.0)
    events = blind(table, 4.0, 7.0, until_s=10)
    assert types(events) == ["cup_down", "cup_up", "throw_seen", "unsure", "cleared"]
    assert doubts(events) == ["outage"]


def test_a_tower_under_a_cup_that_nobody_watched_is_asked_about():
    table = Table().at(0.0).at(0.5, cup=CUP).at(6.0, [*THROW[:1], ("tower", 150, 120)])
    events = blind(table, 1.5, 4.5, until_s=9)
    assert types(events) == ["cup_down", "cup_up", "unsure"]


def test_dice_seen_for_a_moment_after_a_short_outage_and_covered_again_are_asked_about():
    """They are gone before they can be read, in less time than a second throw would take."""
    told_of = [(4, 120, 200), (1, 180, 210)]
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW).at(4.1, THROW[1:], busy=True)
    table.at(4.3, cup=CUP).at(6.0, [*told_of, (3, 90, 60)])
    events = blind(table, 2.3, 3.9, until_s=9)
    assert types(events) == ["cup_down", "cup_up", "unsure", "cup_down", "cup_up", "throw_seen"]
    assert doubts(events) == ["outage"]
    assert events[-1].dice == (4, 3, 1)


def test_a_cup_in_the_air_may_come_down_and_go_in_a_second():
    """Beside a die put aside: all others had been gathered before the outage."""
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW).at(4.0, KEPT).at(5.5, KEPT[:1])
    table.at(6.2, KEPT[:1], CUP).at(7.0, [KEPT[0], *OTHER[:2]]).at(8.2)
    events = blind(table, 6.0, 7.2, until_s=11)
    assert doubts(events) == ["outage"]
    assert [event.dice for event in events if event.type == "throw_seen"] == [(6, 5, 2)]


@pytest.mark.parametrize("start_s", [0.2, 0.8, 1.6, 2.1, 2.3, 2.9, 4.0])
def test_a_second_without_pictures_changes_nothing(start_s):
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW).at(6.0)
    events = blind(table, start_s, start_s + 1.0, until_s=8)
    assert [event.type for event in events if event.type != "cup_up"] == [
        "cup_down",
        "throw_seen",
        "cleared",
    ]
    assert events[-2].dice == (6, 5, 2)


@pytest.mark.parametrize("start_s", [number / 4 for number in range(1, 36)])
@pytest.mark.parametrize("seconds", [2.2, 3.7])
def test_wherever_the_outage_falls_both_throws_are_told_or_asked_about(start_s, seconds):
    """Two players throw; whatever was hidden, nothing false is told as sure."""
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW).at(4.0)
    table.at(5.0, cup=CUP).at(6.5, OTHER).at(9.0)
    events = blind(table, start_s, start_s + seconds, until_s=14)
    sure = [event.dice for event in events if event.type == "throw_seen"]
    assert all(dice in ((6, 5, 2), (4, 3, 1)) for dice in sure)
    assert len(sure) == len(set(sure))
    missing = 2 - len(sure)
    assert len(doubts(events)) >= min(1, missing), told(events)
