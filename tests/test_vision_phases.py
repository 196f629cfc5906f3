import pytest
from vision_table import CUP, THROW, Table, thrown, told, types

from vision.phases import TRANSITIONS, Phase, Signal


def test_every_phase_and_signal_is_in_the_table_and_every_phase_can_be_left():
    assert set(TRANSITIONS) == set(Phase)
    assert {signal for row in TRANSITIONS.values() for signal in row} == set(Signal)
    assert {phase for row in TRANSITIONS.values() for phase in row.values()} == set(Phase)


PARKED = [(60, 250)]


@pytest.mark.parametrize("dice", [THROW, [(6, 100, 100), ("tower", 200, 90)]])
def test_a_cup_parked_from_the_beginning_hides_no_throw(dice):
    table = Table().at(0.0, parked=PARKED).at(1.0, cup=CUP, parked=PARKED)
    events = table.at(3.0, dice, parked=PARKED).play(until_s=6)
    assert types(events)[-2:] == ["cup_up", "throw_seen" if dice is THROW else "tower"]
    assert types(events).count("cup_up") == 1


def test_a_parked_cup_that_is_carried_elsewhere_covers_anew():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW, cup=(60, 250))
    table.at(4.0, cup=(110, 220)).at(6.0, [(4, 100, 100), (4, 150, 120), (3, 200, 90)])
    expected = ["cup_down", "cup_up", "throw_seen"]
    assert types(table.play(until_s=8)) == expected * 2


def test_the_cup_that_came_first_may_be_lifted_first():
    table = Table().at(0.0).at(0.5, parked=PARKED).at(1.5, cup=(250, 150), parked=PARKED)
    table.at(3.0, [(6, 60, 250), (5, 80, 230), (2, 40, 220)], cup=(250, 150))
    assert types(table.play(until_s=6)) == ["cup_down", "cup_up", "throw_seen"]


def test_a_finding_that_comes_and_goes_holds_up_no_throw():
    table = thrown()
    for step in range(40):
        table.at(2.0 + step / 7.5, [*THROW, (1, 60, 250)] if step % 4 == 0 else THROW)
    assert told(table.play(until_s=5))[-1] == ("throw_seen", (6, 5, 2), ())


def test_a_cup_lifted_from_something_that_is_no_die_to_anyone_is_a_doubt():
    events = thrown([]).at(2.2, looks_bare=False).play(until_s=6)
    assert [(event.type, event.reason) for event in events[2:]] == [("unsure", "fewer")]
    assert types(thrown([]).at(2.2, looks_bare=True).play(until_s=6))[2:] == ["cleared"]


def test_more_than_three_dice_in_the_open_are_a_doubt_once():
    table = Table().at(0.0, THROW).at(2.0, [*THROW, (3, 60, 60), (3, 90, 60), (1, 60, 200)])
    events = table.play(until_s=9)
    assert [(event.type, event.reason) for event in events] == [("unsure", "more")]


def test_dice_that_lie_beside_a_cup_for_long_are_asked_about():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, [(6, 50, 60), (5, 80, 60)], cup=CUP)
    events = table.play(until_s=7)
    assert told(events)[1:] == [("cup_up", (), ()), ("unsure", (6, 5), ())]
    assert events[-1].reason == "fewer"


def test_a_die_that_rolls_out_for_a_moment_is_not_asked_about():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, [(6, 50, 60)], cup=CUP).at(3.5, cup=CUP)
    assert types(table.at(5.0, THROW).play(until_s=8)) == ["cup_down", "cup_up", "throw_seen"]


@pytest.mark.parametrize("more", [[], [(2, 200, 90)]])
def test_a_tower_that_stands_there_without_a_cup_is_asked_about(more):
    events = Table().at(0.0).at(1.0, [("tower", 100, 100), *more]).play(until_s=5)
    assert [(event.type, event.reason) for event in events] == [("unsure", "kind")]
    assert len(events[0].readings) == 1 + len(more), "what is doubtful is among the evidence"


def test_a_look_alike_that_blinks_does_not_hold_up_the_question():
    table = thrown()
    for step in range(40):
        seen = [*THROW, (1, 60, 250)] if step % 5 else THROW
        table.at(2.0 + step / 15, seen)
    events = table.play(until_s=4.6)
    assert (events[-1].type, events[-1].reason) == ("unsure", "more")
    assert events[-1].t_s == pytest.approx(2.0 + 0.4 + 1.5, abs=0.3)


def test_a_finding_that_trembles_while_nothing_moves_is_asked_about_soon():
    def trembling(*, busy):
        table = Table().at(0.0).at(0.5, cup=CUP)
        for step in range(150):
            x = 100 + 4 * (step // 2 % 2)
            table.at(2.0 + step / 15, [(6, x, 100), (5, 150, 120), (2, 200, 90)], busy=busy)
        return table.play(until_s=9)[-1]

    still, moved = trembling(busy=False), trembling(busy=True)
    assert still.reason == moved.reason == "restless"
    assert still.t_s == pytest.approx(2.0 + 0.35 + 2.0, abs=0.3)
    assert moved.t_s == pytest.approx(2.0 + 0.35 + 5.0, abs=0.3)


def test_a_cup_that_only_passed_over_four_old_things_leaves_too_many():
    four = [*THROW, (1, 60, 250)]
    table = Table().at(0.0, four).at(3.0, four[2:], cup=(125, 110)).at(5.0, four)
    events = table.play(until_s=15)
    assert [(event.type, event.reason) for event in events] == [
        ("cup_down", ""),
        ("cup_up", ""),
        ("unsure", "more"),
    ]


@pytest.mark.parametrize("kind", ["tower", "burning"])
def test_a_fault_in_the_open_is_told_even_if_something_else_looks_like_a_cup(kind):
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, [(kind, 60, 60)], cup=(260, 230))
    events = table.play(until_s=8)
    assert kind in types(events)
    fault = next(event for event in events if event.type == kind)
    assert 4.5 < fault.t_s < 6.0
