"""Lamp, buzzer and button at the pins, by gpiozero without a Pi; the console; the commands."""

from collections.abc import Iterator
from typing import Any

import pytest
from device_help import eventually
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device import signal_panel
from device.errors import SettingsError
from device.settings import Settings
from device.signal_panel import ConsolePanel, GpioPanel, Presses, SignalsError
from device.signal_settings import SignalSettings, signal_settings
from device.signal_table import (
    ASKS,
    CALIBRATING,
    COUNTED,
    OBJECTS,
    READY,
    SCREEN,
    SIGNALS,
    Signal,
)

NOBODY = Presses(short=lambda: None, long=lambda: None)


PINS = SignalSettings(panel="gpio", hold_s=0.3)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """gpiozero's own pins that only remember."""
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


def levels(factory: MockFactory, settings: SignalSettings = PINS) -> tuple[float, ...]:
    assert settings.lamp_pins is not None
    return tuple(factory.pin(pin).state for pin in settings.lamp_pins)


def test_steady_signals_are_at_the_pins(factory: MockFactory) -> None:
    panel = GpioPanel(PINS, NOBODY, pin_factory=factory)
    panel.show(COUNTED)
    assert levels(factory) == (0, 1, 0)
    panel.show(READY)
    assert levels(factory) == pytest.approx((0, 0.06, 0))
    panel.close()
    assert levels(factory) == (0, 0, 0)
    panel.close()


@pytest.mark.parametrize("signal", [ASKS, OBJECTS, CALIBRATING, SCREEN], ids=lambda s: s.name)
def test_rhythms_go_on_and_off_at_the_pins(factory: MockFactory, signal: Signal) -> None:
    panel = GpioPanel(PINS, NOBODY, pin_factory=factory)
    panel.show(signal)
    (at,) = [n for n, part in enumerate(signal.colour) if part == 1.0]
    assert PINS.lamp_pins is not None
    pin = factory.pin(PINS.lamp_pins[at])
    assert eventually(lambda: max(state.state for state in pin.states) > 0.9)
    lit = len(pin.states)
    assert eventually(lambda: any(state.state < 0.1 for state in pin.states[lit:]))
    panel.close()
    assert pin.state == 0


def test_a_lamp_with_a_common_anode_and_half_as_bright(factory: MockFactory) -> None:
    settings = SignalSettings(panel="gpio", lit_by_low=True, brightness=0.5)
    panel = GpioPanel(settings, NOBODY, pin_factory=factory)
    panel.show(COUNTED)
    assert levels(factory, settings) == (1, 0.5, 1)
    panel.close()


def test_the_buzzer_sounds_twice(factory: MockFactory) -> None:
    panel = GpioPanel(PINS, NOBODY, pin_factory=factory)
    panel.buzz()
    pin = factory.pin(24)
    assert eventually(lambda: [state.state for state in pin.states].count(1) == 2)
    assert eventually(lambda: pin.state == 0)
    panel.close()


def test_short_and_long_presses_are_told_apart(factory: MockFactory) -> None:
    pressed: list[str] = []
    presses = Presses(short=lambda: pressed.append("short"), long=lambda: pressed.append("long"))
    panel = GpioPanel(PINS, presses, pin_factory=factory)
    pin = factory.pin(23)
    pin.drive_low()
    pin.drive_high()
    assert pressed == ["short"]
    pin.drive_low()
    assert eventually(lambda: pressed == ["short", "long"])
    pin.drive_high()
    assert pressed == ["short", "long"], "letting go is no second press"
    pin.drive_low()
    pin.drive_high()
    assert pressed == ["short", "long", "short"]
    panel.close()


def test_parts_that_are_not_there_are_left_out(factory: MockFactory) -> None:
    settings = SignalSettings(panel="gpio", lamp_pins=None, buzzer_pin=None, button_pin=None)
    panel = GpioPanel(settings, NOBODY, pin_factory=factory)
    panel.show(ASKS)
    panel.buzz()
    panel.close()
    assert factory.pins == {}


def test_a_pin_that_is_taken_is_told_and_nothing_is_held(factory: MockFactory) -> None:
    first = GpioPanel(PINS, NOBODY, pin_factory=factory)
    with pytest.raises(SignalsError, match=r"pins cannot be used \(lamp red GPIO17.*GPIO17"):
        GpioPanel(PINS, NOBODY, pin_factory=factory)
    first.close()
    GpioPanel(PINS, NOBODY, pin_factory=factory).close()


def test_whoever_presses_is_heard_before_he_lets_go(factory: MockFactory) -> None:
    heard: list[str] = []
    presses = Presses(
        short=lambda: heard.append("short"), long=lambda: None, down=lambda: heard.append("down")
    )
    panel = GpioPanel(PINS, presses, pin_factory=factory)
    factory.pin(23).drive_low()
    assert heard == ["down"]
    factory.pin(23).drive_high()
    assert heard == ["down", "short"]
    panel.close()


def test_a_part_that_cannot_be_closed_keeps_none_of_the_others(factory: MockFactory) -> None:
    panel = GpioPanel(PINS, NOBODY, pin_factory=factory)
    panel.show(COUNTED)

    class Torn:
        def close(self) -> None:
            raise OSError("the chip is gone")

    panel._open.append(Torn())
    panel.close()
    assert levels(factory) == (0, 0, 0)
    assert panel._open == []


def test_without_pins_or_gpiozero_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SignalsError, match="python3-lgpio is there"):
        GpioPanel(PINS, NOBODY)
    monkeypatch.setitem(__import__("sys").modules, "gpiozero", None)
    with pytest.raises(SignalsError, match="apt install python3-gpiozero python3-lgpio"):
        GpioPanel(PINS, NOBODY)


def test_settings_say_which_pins() -> None:
    assert signal_settings(Settings()) == SignalSettings()
    silent = signal_settings(Settings({"signals.panel": "gpio", "signals.buzzer": False}))
    assert str(silent) == "lamp red GPIO17, green GPIO27, blue GPIO22; button GPIO23"
    assert str(signal_settings(Settings())) == "none"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"red_pin": 40}, "expected 27 or less"),
        ({"red_pin": 27}, "which another signal has, too"),
        ({"blue_pin": -1}, "needs all three, or none"),
        ({"brightness": 1.5}, "expected 1 or less"),
    ],
)
def test_pins_that_cannot_be_are_refused(changed: dict[str, Any], said: str) -> None:
    values = {f"signals.{name}": value for name, value in changed.items()}
    with pytest.raises(SettingsError, match=said):
        signal_settings(Settings(values))


def test_the_console_shows_it_all(capsys: pytest.CaptureFixture[str]) -> None:
    panel = ConsolePanel()
    panel.show(ASKS)
    panel.buzz()
    panel.close()
    said = capsys.readouterr().err
    assert "lamp: amber (slow blinking): asks" in said
    assert "buzzer" in said


def test_the_command_lists_and_plays(run, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, _ = run("signals", "list")
    assert status == 0
    assert len(out.splitlines()) == len(SIGNALS)
    status, _, err = run("signals", "test")
    assert status == 2
    assert 'signals.panel is "none"' in err

    for seconds in ("-1", "nan", "1e300", "long"):
        status, _, err = run("signals", "test", "--seconds", seconds)
        assert status == 2
        assert f"'{seconds}' is no time, expected 0 to 3600 seconds" in err

    settings = tmp_path / "table.toml"
    settings.write_text('[signals]\npanel = "console"\n')
    status, out, err = run("signals", "test", "--seconds", "0", "--settings", settings, "--json")
    assert status == 0
    assert err.count("lamp:") == len(SIGNALS)
    assert all(line.startswith("{") for line in out.splitlines())

    settings.write_text('[signals]\npanel = "gpio"\n')
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr("gpiozero.Device.pin_factory", factory)
    monkeypatch.setattr("device.commands.signals.PRESS_S", 0.05)
    status, out, _ = run("signals", "test", "--seconds", "0", "--settings", settings)
    assert status == 1
    assert "nothing came from GPIO23" in out
    factory.reset()


def test_the_doctor_names_the_pins(run, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text('[signals]\npanel = "gpio"\n')
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr("gpiozero.Device.pin_factory", factory)
    _, out, _ = run("doctor", "--settings", settings)
    assert "signals: lamp red GPIO17, green GPIO27, blue GPIO22; buzzer GPIO24" in out
    factory.reset()
    monkeypatch.setattr(signal_panel, "GpioPanel", _broken)
    _, out, _ = run("doctor", "--settings", settings)
    assert "missing signals: no pins here" in out


def _broken(*_: object) -> GpioPanel:
    raise SignalsError("no pins here")
