"""Lamp, buzzer and button break, and disturb nobody; what cannot be followed is not ready."""

import pytest
from device_help import eventually
from signal_house import House

from device.bootstrap_signals import signals
from device.errors import StoreError
from device.faults import FAULTS, SIGNALS_FAULT
from device.settings import Settings
from device.signal_table import COUNTED, FAULT, READY, Signal
from device.signals import RETRY_S


@pytest.fixture
def house() -> House:
    return House()


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


def test_whatever_a_panel_throws_is_a_fault_and_told(house: House) -> None:
    house.after()

    def gone(signal: Signal) -> None:
        raise ValueError("I/O operation on closed file")

    house.lamp.show = gone  # type: ignore[method-assign]
    house.table.throw(6, 5, 2)
    house.signals.step()
    assert house.faults == (SIGNALS_FAULT,)
    assert house.problem == "I/O operation on closed file"


def test_a_lamp_that_stays_broken_is_one_fault_and_not_one_every_half_minute(house: House) -> None:
    house.lamp.broken = True
    told: list[str] = []
    house.fault_over = told.append  # type: ignore[method-assign]
    for _ in range(3):
        house.now_s += RETRY_S
        house.signals.step()
    assert told == []


@pytest.mark.parametrize("error", [StoreError("The disk is gone."), KeyError("ours")])
def test_a_log_that_cannot_be_read_is_shown_and_followed_again(
    house: House, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    whole = house.log.read

    def broken(after_seq: int = 0, limit: int = 1000) -> list:
        raise error

    with house.signals:
        assert eventually(lambda: house.lamp.shown == [READY.name])
        monkeypatch.setattr(house.log, "read", broken)
        assert eventually(lambda: house.lamp.shown[-1] == FAULT.name)
        monkeypatch.setattr(house.log, "read", whole)
        house.table.throw(6, 5, 2)
        assert eventually(lambda: COUNTED.name in house.lamp.shown)


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
