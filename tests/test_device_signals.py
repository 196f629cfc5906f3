"""Lamp, buzzer and button follow the log."""

import pytest
from signal_house import House

from device.errors import StoreError
from device.signal_button import BY, claim_last, confirm_reading
from device.signal_table import (
    ASKS,
    CALIBRATING,
    COUNTED,
    FAULT,
    OBJECTS,
    READY,
    SCREEN,
    SIGNALS,
)
from device.signals import Signals


@pytest.fixture
def house() -> House:
    return House()


# --- what is shown ----------------------------------------------------------------------------


def test_a_throw_is_green_for_a_while(house: House) -> None:
    assert house.after() == READY.name
    house.table.throw(6, 5, 2)
    assert house.after() == COUNTED.name
    assert house.after(1.4) == COUNTED.name
    assert house.after(0.2) == READY.name
    assert house.lamp.beeps == 0


def test_a_question_is_amber_until_it_is_answered_and_sounds_once(house: House) -> None:
    house.table.say("unsure", (6, 5, 2), reason="values", candidates=((6, 5, 2), (6, 5, 1)))
    assert house.after() == ASKS.name
    assert house.after(3600) == ASKS.name
    assert house.lamp.beeps == 1
    house.table.answer(dice=[6, 5, 2])
    assert house.after() == COUNTED.name
    assert house.after(2) == READY.name


def test_burnt_and_against_the_rules_are_red_for_a_while(house: House) -> None:
    house.table.opening()
    house.after()
    house.table.say("burning", (6, 5))
    assert "burnt" in house.table.types()
    assert house.after() == OBJECTS.name
    assert house.after(3.1) == READY.name
    house.table.throw(6, 6, 1)
    claim_last(house.pipeline)
    assert house.after() == OBJECTS.name, "a case is open"
    assert house.after(3.1) == READY.name, "the referee takes his time"


def test_what_is_against_the_rules_stays_red_though_the_throw_counts(house: House) -> None:
    house.table.throw(6, 6, 1)
    claim_last(house.pipeline)
    house.after()
    house.table.throw(6, 5, 2)
    assert house.after(1.0) == OBJECTS.name
    assert house.after(2.1) == READY.name


def test_the_mat_that_is_looked_for_is_blue_and_a_lost_camera_flashes(house: House) -> None:
    house.sees_mat = False
    assert house.after() == CALIBRATING.name
    house.sees_mat = True
    house.faults = ("moved",)
    assert house.after() == CALIBRATING.name
    house.sees_mat = False
    for code in ("model", "log", "camera"):
        house.faults = (code,)
        assert house.after() == FAULT.name, f"{code}: uncovering the markers would not help"
    house.sees_mat = True
    for code in ("frozen", "black", "order", "hidden", "disk", "hub"):
        house.faults = (code,)
        assert house.after() == FAULT.name, code
    house.faults = ("drift",)
    assert house.after() == READY.name, "a warning that would stay all evening"


def test_what_hinders_most_is_shown(house: House) -> None:
    house.table.say("unsure", (6, 5, 2), reason="values", candidates=((6, 5, 2),))
    house.faults = ("hub",)
    assert house.after() == ASKS.name, "somebody has to answer"
    house.faults = ("hub", "camera")
    assert house.after() == FAULT.name
    house.table.answer(dice=[6, 5, 2])
    assert house.after() == COUNTED.name, "entered by hand it counts as well"


def test_what_happened_before_is_not_played_again(house: House) -> None:
    house.table.throw(6, 5, 2)
    house.table.say("unsure", (4, 4, 1), reason="values", candidates=((4, 4, 1),))
    again = Signals(house, house.opened, clock=lambda: house.now_s)
    again.step()
    assert house.lamp.shown == [ASKS.name], "but the question is still open"
    assert house.lamp.beeps == 0


def test_signals_differ_by_more_than_colour() -> None:
    rhythms = {(signal.on_s, signal.off_s, signal.fades) for signal in SIGNALS if signal.off_s}
    assert len(rhythms) == len([signal for signal in SIGNALS if signal.off_s])
    steady = [signal for signal in SIGNALS if not signal.off_s]
    assert steady == [READY, COUNTED], "the one is faint, the other as bright as can be"


# --- the button -------------------------------------------------------------------------------


def test_pressed_it_disputes_the_last_throw_once(house: House) -> None:
    house.after()
    house.presses.short()
    assert house.after() == SCREEN.name, "there is no throw yet"
    house.table.throw(6, 5, 2, clear=True)
    house.presses.short()
    assert house.table.cases() == ["claim"]
    assert house.table.last("case.opened")["by"] == BY
    assert house.table.last("case.opened")["dice"] == [6, 5, 2]
    assert house.after(9) == OBJECTS.name
    house.now_s += 9
    house.presses.short()
    assert house.after() == SCREEN.name, "it is before the referee already"
    assert house.table.cases() == ["claim"]


def test_held_it_confirms_the_only_reading(house: House) -> None:
    house.table.say("unsure", (6, 5, 2), reason="values", candidates=((6, 5, 2),))
    house.after()
    house.presses.down()
    house.presses.long()
    assert house.pipeline.open_question is None
    answered = house.table.last("question.answered")
    assert (answered["dice"], answered["by"]) == ([6, 5, 2], BY)
    assert house.after() == COUNTED.name


@pytest.mark.parametrize(
    ("reason", "candidates"),
    [
        ("values", ((6, 5, 2), (6, 5, 1))),
        ("kind", ((6, 5, 2),)),
        ("fewer", ((6, 5),)),
        ("more", ((6, 6, 5, 2),)),
        ("outage", ((6, 5, 2),)),
        ("gone", ()),
        ("changed", ((6, 5, 2),)),
    ],
)
def test_where_there_is_a_choice_it_takes_the_screen(
    house: House, reason: str, candidates: tuple[tuple[int, ...], ...]
) -> None:
    dice = candidates[0] if candidates else ()
    house.table.say("unsure", dice, reason=reason, candidates=candidates)
    assert house.pipeline.open_question is not None
    house.after()
    house.presses.down()
    house.presses.long()
    assert house.pipeline.open_question is not None
    assert house.after() == SCREEN.name
    assert house.after(3) == ASKS.name


def test_a_question_that_comes_while_it_is_held_is_not_confirmed_unread(house: House) -> None:
    house.after()
    house.presses.down()
    house.table.say("unsure", (6, 5, 2), reason="values", candidates=((6, 5, 2),))
    house.presses.long()
    assert house.pipeline.open_question is not None
    assert house.after() == SCREEN.name


def test_a_press_over_which_our_code_stumbles_is_no_end_of_the_button(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.after()

    def stumble(action: object) -> None:
        raise KeyError("a mistake of ours")

    house.table.throw(6, 5, 2)
    monkeypatch.setattr(house.pipeline, "submit", stumble)
    house.presses.short()
    assert house.after(9) == COUNTED.name
    house.presses.short()
    assert house.after() == SCREEN.name


def test_without_a_question_holding_it_changes_nothing(house: House) -> None:
    before = house.table.entries()
    assert not confirm_reading(house.pipeline, None)
    assert house.table.entries() == before


def test_a_log_that_cannot_be_written_is_no_end_of_the_button(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.table.throw(6, 5, 2)

    def full(action: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(house.pipeline, "submit", full)
    assert not claim_last(house.pipeline)
