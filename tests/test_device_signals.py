"""Lamp, buzzer and button follow the log, and disturb nobody."""

import pytest
from device_help import eventually
from pipeline_table import Table

from device.appliance import FAULTS
from device.bootstrap_signals import signals
from device.errors import StoreError
from device.settings import Settings
from device.signal_button import BY, claim_last, confirm_reading
from device.signal_panel import Panel, Presses, SignalsError
from device.signal_table import (
    ASKS,
    CALIBRATING,
    COUNTED,
    FAULT,
    OBJECTS,
    READY,
    SCREEN,
    SIGNALS,
    Signal,
)
from device.signals import RETRY_S, SIGNALS_FAULT, Signals

NOBODY = Presses(short=lambda: None, long=lambda: None)


class Lamp:
    """Remembers what it was told; it can be broken."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.beeps = 0
        self.closed = 0
        self.broken = False

    def show(self, signal: Signal) -> None:
        if self.broken:
            raise SignalsError("The wire is off.")
        self.shown.append(signal.name)

    def buzz(self) -> None:
        self.beeps += 1

    def close(self) -> None:
        self.closed += 1


class House:
    """A table with a lamp, and a clock."""

    def __init__(self) -> None:
        self.table = Table("A", "B", "C")
        self.log, self.pipeline = self.table.log, self.table.pipeline
        self.sees_mat = True
        self.faults: tuple[str, ...] = ()
        self.now_s = 0.0
        self.lamp = Lamp()
        self.presses = NOBODY
        self.missing = False
        self.signals = Signals(self, self.opened, clock=lambda: self.now_s)

    def opened(self, presses: Presses) -> Panel:
        if self.missing:
            raise SignalsError("There is no gpiozero.")
        self.presses = presses
        return self.lamp

    def report(self, what: str) -> None:
        self.faults = tuple({*self.faults, what})

    def fault_over(self, what: str) -> None:
        self.faults = tuple({*self.faults} - {what})

    def after(self, seconds: float = 0.0) -> str:
        """What the lamp shows so long from now."""
        self.now_s += seconds
        self.signals.step()
        return self.lamp.shown[-1]


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


def test_the_mat_that_is_looked_for_is_blue_and_a_lost_camera_flashes(house: House) -> None:
    house.sees_mat = False
    assert house.after() == CALIBRATING.name
    house.sees_mat = True
    house.faults = ("moved",)
    assert house.after() == CALIBRATING.name
    for code in ("camera", "frozen", "black", "order", "hidden", "disk", "hub"):
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
    house.presses.long()
    assert house.pipeline.open_question is not None
    assert house.after() == SCREEN.name
    assert house.after(3) == ASKS.name


def test_without_a_question_holding_it_changes_nothing(house: House) -> None:
    before = house.table.entries()
    assert not confirm_reading(house.pipeline)
    assert house.table.entries() == before


def test_a_log_that_cannot_be_written_is_no_end_of_the_button(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.table.throw(6, 5, 2)

    def full(action: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(house.pipeline, "submit", full)
    assert not claim_last(house.pipeline)


# --- what goes wrong --------------------------------------------------------------------------


def test_a_panel_that_cannot_be_opened_is_a_fault_and_is_tried_again(house: House) -> None:
    house.missing = True
    house.signals.step()
    assert house.faults == (SIGNALS_FAULT,)
    assert SIGNALS_FAULT in FAULTS
    house.table.throw(6, 5, 2)
    house.missing = False
    house.signals.step()
    assert house.lamp.shown == [], "not at once"
    assert house.after(RETRY_S) == READY.name
    assert house.faults == ()


def test_a_lamp_that_breaks_is_a_fault_and_comes_back(house: House) -> None:
    house.after()
    house.lamp.broken = True
    house.table.throw(6, 5, 2)
    house.signals.step()
    assert house.faults == (SIGNALS_FAULT,)
    assert house.lamp.closed == 1
    house.lamp.broken = False
    assert house.after(RETRY_S) == READY.name
    assert house.faults == ()


def test_in_its_own_thread_it_follows_the_log_and_goes_dark_at_the_end(house: House) -> None:
    with house.signals:
        assert eventually(lambda: house.lamp.shown == [READY.name])
        house.table.throw(6, 5, 2)
        assert eventually(lambda: house.lamp.shown[-1] == COUNTED.name)
        house.now_s += 2
        assert eventually(lambda: house.lamp.shown[-1] == READY.name)
    assert house.lamp.closed == 1
    house.signals.close()


def test_pins_that_cannot_be_are_a_fault_and_no_end(house: House) -> None:
    wrong = Settings({"signals.panel": "gpio", "signals.red_pin": 27})
    told: list[tuple[str, str]] = []
    house.report = lambda what, problem="": told.append((what, problem))  # type: ignore[method-assign]
    with signals(wrong, house):  # type: ignore[arg-type]
        pass
    assert told == [(SIGNALS_FAULT, "signals.red_pin is 27, which another signal has, too.")]
    house.faults = (SIGNALS_FAULT,)
    with signals(Settings(), house):  # type: ignore[arg-type]
        assert house.faults == (), "there are none any more, and so no fault of theirs"
