"""Seats around one mat: everybody's throws by themselves, and dice that roll over a border."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vision_seats import (
    CUP,
    NAMES,
    THROW,
    SeatsTable,
    aside,
    gist,
    of_seat,
    on_mat,
    shared,
    thrown,
)
from vision_table import Moment, told, types

from vision.errors import SeatsError

THROWN = [("cup_down", (), ()), ("cup_up", (), ()), ("throw_seen", (6, 5, 2), ())]


def throws(table: SeatsTable, seat: str, *, lifts_s: float, dice=THROW) -> SeatsTable:
    """A cup down from the beginning, lifted over these dice."""
    return table.at(seat, 0.5, cup=CUP).at(seat, lifts_s, dice)


def test_everybody_shakes_at_once_and_lifts_in_order():
    table = SeatsTable(3)
    throws(table, "A", lifts_s=2.0)
    table.at("A", 4.0, [*aside(6), *THROW[1:]]).at("A", 5.5, aside(6), cup=CUP)
    table.at("A", 7.5, [*aside(6), *thrown(4, 1)])
    throws(table, "B", lifts_s=10.0, dice=thrown(3, 3, 1))
    throws(table, "C", lifts_s=13.0, dice=thrown(6, 4, 4))
    for seat in "ABC":
        table.at(seat, 16.0)
    events = table.play(until_s=18)
    assert told(of_seat(events, "A")) == [
        *THROWN,
        ("cup_down", (), ()),
        ("dice_kept", (6,), (6,)),
        ("cup_up", (), (6,)),
        ("throw_seen", (4, 1), (6,)),
        ("cleared", (), ()),
    ]
    assert told(of_seat(events, "B"))[2:] == [("throw_seen", (3, 3, 1), ()), ("cleared", (), ())]
    assert told(of_seat(events, "C"))[2:] == [("throw_seen", (6, 4, 4), ()), ("cleared", (), ())]
    assert [e.seat for e in events if e.type == "throw_seen"] == ["A", "A", "B", "C"]
    assert all(event.sure for event in events)


def test_all_lift_in_the_same_moment():
    table = SeatsTable(8)
    for seat in NAMES:
        throws(table, seat, lifts_s=3.0)
    events = table.play(until_s=6)
    assert [told(of_seat(events, seat)) for seat in NAMES] == [THROWN] * 8


@pytest.mark.parametrize("later_s", [0.1, 0.3, 0.7])
def test_the_next_lifts_before_the_first_throw_was_read(later_s):
    table = throws(throws(SeatsTable(2), "A", lifts_s=2.0), "B", lifts_s=2.0 + later_s)
    events = table.play(until_s=6)
    assert told(of_seat(events, "A")) == told(of_seat(events, "B")) == THROWN


def test_one_seat_is_cleared_while_dice_lie_at_another():
    table = throws(throws(SeatsTable(2), "A", lifts_s=2.0), "B", lifts_s=4.0).at("B", 6.0)
    events = table.play(until_s=8)
    assert [e.seat for e in events if e.type == "cleared"] == ["B"]


def test_an_arm_at_one_seat_keeps_no_other_one_waiting():
    quiet = throws(SeatsTable(4), "A", lifts_s=2.0).play(until_s=6)
    table = throws(SeatsTable(4), "A", lifts_s=2.0)
    table.at("C", 0.0, busy=True, looks_bare=False)
    assert gist(table.play(until_s=6)) == gist(quiet)
    assert types(quiet)[-1] == "throw_seen"


def test_turned_dice_are_told_at_their_seat():
    table = throws(SeatsTable(5), "D", lifts_s=2.0, dice=thrown(6, 6, 2))
    table.at("D", 4.0, [*aside(1), *thrown(6, 2)]).at("D", 6.0, aside(1), cup=CUP)
    events = table.play(until_s=8)
    assert told(events)[3:] == [("cup_down", (), ()), ("turned", (1,), (1,))]
    assert {event.seat for event in events} == {"D"}


def test_how_many_dice_are_in_play_is_told_to_every_seat():
    table = SeatsTable(3)
    for seat in "AB":
        throws(table, seat, lifts_s=2.0, dice=thrown(5))
    throws(table, "C", lifts_s=2.0)
    table.seating.dice_in_play = 1
    seen = [event.seat for event in table.play(until_s=3.2) if event.type == "throw_seen"]
    assert sorted(seen) == ["A", "B"]
    assert (table.seating.dice_in_play, table.seating.in_play) == (1, (1, 1, 1))
    with pytest.raises(SeatsError, match="Nobody called 'X' sits here"):
        table.seating.lying_at("X")


def test_a_visitor_is_one_more_die_where_it_lies():
    table = throws(SeatsTable(4), "A", lifts_s=3.0, dice=THROW[:2])
    table.at("B", 0.5, cup=CUP).at("B", 1.2, THROW).at("B", 3.0, [*THROW, STRAY])
    table.play(until_s=4)
    assert table.seating.in_play == (3, 4, 3, 3)


# --- dice that roll over a border ------------------------------------------------------------

STRAY = (4, 70.0, 125.0)
"""In the coordinates of the neighbour where it comes to rest."""


def strays(neighbour: dict[float, dict], *, lifts_s: float = 3.0, until_s: float = 8.0) -> list:
    """A throws two dice, the third comes to rest at B, who does what the script says."""
    table = throws(SeatsTable(4), "A", lifts_s=lifts_s, dice=THROW[:2])
    script = {0.0: {}, **neighbour}
    for start_s in sorted({*script, lifts_s}):
        moment = dict(script[max(at for at in script if at <= start_s)])
        if start_s >= lifts_s:
            moment["dice"] = [*moment.get("dice", ()), STRAY]
        table.at("B", start_s, **moment)
    return table.play(until_s=until_s)


@pytest.mark.parametrize(
    "neighbour",
    [
        pytest.param({}, id="nothing lies there"),
        pytest.param({0.5: {"cup": CUP}}, id="covered"),
        pytest.param({0.5: {"cup": CUP}, 1.2: {"dice": THROW}}, id="thrown before"),
    ],
)
def test_a_die_that_rolls_to_a_neighbour_is_one_question_at_the_seat_that_threw(neighbour):
    events = strays(neighbour, until_s=12)
    asked = [(event.seat, event.reason) for event in events if event.type == "unsure"]
    assert asked == [("A", "fewer")]
    without = [event for event in strays(neighbour, lifts_s=99, until_s=12) if event.seat == "B"]
    assert gist(of_seat(events, "B")) == gist(without), "B goes on as if nothing had come"


def test_a_neighbour_that_lifts_later_is_read_without_the_visitor():
    events = strays({0.5: {"cup": CUP}, 7.0: {"dice": THROW}}, until_s=10)
    assert told(of_seat(events, "B")) == THROWN
    assert [e.reason for e in of_seat(events, "A") if e.type == "unsure"] == ["fewer"]


def test_both_seats_are_asked_when_nobody_can_tell_whose_die_it_is():
    events = strays({0.5: {"cup": CUP}, 3.0: {"dice": THROW}})
    asked = {(event.seat, event.reason) for event in events if event.type == "unsure"}
    assert asked == {("A", "fewer"), ("B", "more")}


def test_a_die_that_comes_while_a_whole_throw_is_read_is_asked_about_where_it_lies():
    """It was not thrown there: the thrower has all of his."""
    table = throws(SeatsTable(4), "A", lifts_s=3.0)
    table.at("B", 0.5, cup=CUP).at("B", 1.2, THROW).at("B", 3.1, [*THROW, STRAY])
    events = table.play(until_s=8)
    asked = [(event.seat, event.reason) for event in events if event.type == "unsure"]
    assert asked == [("B", "more")]


def test_what_lay_under_a_cup_that_is_set_aside_is_never_a_visitor():
    """A lacks a die, and B, too, lifts over a single one; its cup stays in sight beside it."""
    table = throws(SeatsTable(2), "A", lifts_s=3.0, dice=THROW[:2])
    table.at("B", 0.5, aside(6, 5), cup=CUP).at("B", 3.2, [*aside(6, 5), *thrown(4)], (-150, 150))
    events = table.play(until_s=9)
    assert told(of_seat(events, "B"))[-1] == ("throw_seen", (4,), (6, 5))
    assert of_seat(events, "A")[-1].reason == "fewer"


def test_a_visitor_that_a_hand_hides_for_a_moment_stays_one():
    table = throws(SeatsTable(2), "A", lifts_s=3.0, dice=THROW[:2])
    table.at("B", 0.5, cup=CUP).at("B", 1.2, THROW).at("B", 3.0, [*THROW, STRAY])
    table.at("B", 6.0, THROW).at("B", 8.0, [*THROW, STRAY])
    events = table.play(until_s=12)
    assert [(e.seat, e.reason) for e in events if e.type == "unsure"] == [("A", "fewer")]


def test_a_die_that_bounces_back_is_read_with_its_throw():
    table = throws(SeatsTable(2), "A", lifts_s=3.0, dice=THROW[:2])
    for step in range(8):  # slowly enough to be followed, from B over the border to A
        table.at("B", 3.6 + step / 15, [(2, 100.0, 25.0 - 10.0 * step)])
    table.at("B", 4.2).at("A", 4.2, [*THROW[:2], (2, -100.0, 100.0)])
    events = table.play(until_s=8)
    assert told(of_seat(events, "A"))[-1] == ("throw_seen", (6, 5, 2), ())
    assert not of_seat(events, "B")


def test_dice_without_a_cup_are_asked_about_though_another_one_shook_without_a_throw():
    table = SeatsTable(2).at("A", 0.0, looks_bare=True).at("A", 0.5, cup=CUP)
    table.at("A", 2.0, busy=True).at("A", 5.0, looks_bare=True).at("B", 3.0, THROW)
    events = table.play(until_s=12)
    assert [(e.seat, e.reason) for e in events if e.type == "unsure"] == [("B", "no_cup")]


def test_what_lies_on_a_border_stays_at_the_seat_where_it_was():
    table = SeatsTable(2)
    left, _ = table.seats
    assert on_mat(left, 40.0, 0.0) == (340.0, 225.0)
    for step in range(60):
        table.at("A", step / 15, [(3, 100.0, 2.0 - 4.0 * (step % 2))])
    table.play(until_s=3.9)
    assert [len(state.dice) for state in table.seating.placed] == [1, 0]
    table.at("A", 4.0, [(3, 100.0, -9.0)])
    table.seating = SeatsTable(2).seating
    table.play(until_s=5)
    assert [len(state.dice) for state in table.seating.placed] == [0, 1]


# --- any script at any seat --------------------------------------------------------------------

VALUES = st.integers(1, 6)


@st.composite
def scripts(draw):
    """What one player does: throws, faults of the number, dice put aside, turned, cleared."""
    at_s = draw(st.floats(0.6, 4.0))
    moments, kept = [Moment(0.0, [], [], False, None, False)], []

    def then(dice, cup=None, *, after_s):
        nonlocal at_s
        moments.append(Moment(at_s, dice, [cup] if cup else [], False, None, False))
        at_s += after_s

    for _ in range(draw(st.integers(1, 3))):
        then(aside(*kept), CUP, after_s=draw(st.floats(1.0, 3.0)))
        values = draw(st.lists(VALUES, min_size=2 - len(kept), max_size=3 - len(kept)))
        then([*aside(*kept), *thrown(*values)], after_s=draw(st.floats(2.5, 4.0)))
        if draw(st.booleans()) or len(kept) + len(values) < 3 or not values:
            then([], after_s=draw(st.floats(1.5, 2.5)))
            kept = []
        else:
            count = draw(st.integers(0, 2 - len(kept)))
            new = [1 if value == 6 and draw(st.booleans()) else value for value in values[:count]]
            kept = [*kept, *new]
            rest = [(v, *place) for v, *place in thrown(*values)[count:]]
            then([*aside(*kept), *rest], after_s=1.5)
    return moments


@settings(max_examples=25)
@given(scripts(), st.integers(2, 8), st.data())
def test_a_script_at_any_seat_gives_what_it_gives_on_a_shared_mat(script, count, data):
    seat = NAMES[data.draw(st.integers(0, count - 1))]
    until_s = script[-1].start_s + 4
    events = SeatsTable(count, {seat: script}).play(until_s=until_s)
    assert {event.seat for event in events} <= {seat}
    assert gist(events) == gist(shared(script).play(until_s=until_s))


@settings(max_examples=15)
@given(st.lists(scripts(), min_size=2, max_size=4))
def test_whole_throws_at_several_seats_do_not_touch_each_other(played):
    scripts_of = dict(zip(NAMES, played, strict=False))
    until_s = max(script[-1].start_s for script in played) + 4
    whole = {
        seat: script
        for seat, script in scripts_of.items()
        if all(len(moment.dice) in (0, 3) for moment in script if not moment.cups)
    }
    together = SeatsTable(len(played), whole).play(until_s=until_s)
    for seat, script in whole.items():
        alone = SeatsTable(len(played), {seat: script}).play(until_s=until_s)
        assert gist(of_seat(together, seat)) == gist(alone)
    assert together == SeatsTable(len(played), whole).play(until_s=until_s)


def test_a_throw_waits_from_the_lifting_of_its_cup_until_it_is_told():
    table = SeatsTable(2)
    throws(table, "B", lifts_s=2.0, dice=THROW[:2])
    told_s = next(event.t_s for event in table.play(until_s=6) if event.type == "unsure")
    assert table.seating.waiting_s == (0.0, 0.0)
    table = SeatsTable(2)
    throws(table, "B", lifts_s=2.0, dice=THROW[:2])
    table.play(until_s=told_s - 0.2)
    assert table.seating.waiting_s == (0.0, pytest.approx(told_s - 2.2, abs=0.15))
