"""Lamp, buzzer and button: at the pins of a Raspberry Pi by gpiozero, or on the console.

gpiozero and its lgpio come from Raspberry Pi OS; they are imported when a panel is opened.
"""

from __future__ import annotations

import logging
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from device.errors import SchockaugeError
from device.signal_settings import CONSOLE, SignalSettings
from device.signal_table import Signal

_log = logging.getLogger(__name__)

BOUNCE_S = 0.03
"""A button's contacts open and close several times within this."""
BEEP_S, BEEP_PAUSE_S, BEEPS = 0.12, 0.1, 2


class SignalsError(SchockaugeError, OSError):
    """Lamp, buzzer or button cannot be used."""


def _nothing() -> None:
    """Nobody asks."""


@dataclass(frozen=True)
class Presses:
    """Who is told of the button; called from a thread of its own.

    Attributes:
        short: pressed and let go.
        long: held.
        down: pressed; nobody knows yet how long.
    """

    short: Callable[[], None]
    long: Callable[[], None]
    down: Callable[[], None] = _nothing


class Panel(Protocol):
    """What is on the table."""

    def show(self, signal: Signal) -> None:
        """Show a signal until another is shown.

        Raises:
            SignalsError: it cannot.
        """

    def buzz(self) -> None:
        """Sound twice, shortly; does not wait; errors as above."""

    def close(self) -> None:
        """Go dark and let the pins go; may be called twice."""


class GpioPanel:
    """At the pins of a Raspberry Pi.

    Args:
        settings: which pins.
        presses: who is told of the button.
        pin_factory: of gpiozero; None: the one that it finds, lgpio on a Pi.

    Raises:
        SignalsError: gpiozero is missing, or a pin cannot be used.
    """

    def __init__(
        self, settings: SignalSettings, presses: Presses, *, pin_factory: Any = None
    ) -> None:
        try:
            import gpiozero
        except ImportError as error:
            raise SignalsError(
                f"Lamp and button need gpiozero of Raspberry Pi OS ({error}): apt install "
                "python3-gpiozero python3-lgpio, and make the environment with "
                "--system-site-packages."
            ) from error
        self._settings = settings
        self._open: list[Any] = []
        self._lamp: Any = None
        self._buzzer: Any = None
        try:
            with warnings.catch_warnings():  # of every library that gpiozero tries in turn
                warnings.simplefilter("ignore")
                self._take_pins(gpiozero, presses, pin_factory)
        except Exception as error:  # each of gpiozero's backends has errors of its own
            self.close()
            raise SignalsError(
                f"The pins cannot be used ({settings}): {error or type(error).__name__}. Check "
                "that the settings signals.… name the right ones, that python3-lgpio is there, "
                "and that no other program holds them."
            ) from error

    def _take_pins(self, gpiozero: Any, presses: Presses, factory: Any) -> None:
        settings = self._settings
        if settings.lamp_pins is not None:
            red, green, blue = settings.lamp_pins
            lit = not settings.lit_by_low
            self._lamp = gpiozero.RGBLED(red, green, blue, active_high=lit, pin_factory=factory)
            self._open.append(self._lamp)
        if settings.buzzer_pin is not None:
            self._buzzer = gpiozero.Buzzer(settings.buzzer_pin, pin_factory=factory)
            self._open.append(self._buzzer)
        if settings.button_pin is not None:
            button = gpiozero.Button(
                settings.button_pin,
                bounce_time=BOUNCE_S,
                hold_time=settings.hold_s,
                pin_factory=factory,
            )
            self._open.append(button)
            held = threading.Event()

            def is_held() -> None:
                held.set()
                presses.long()

            def let_go() -> None:
                if not held.is_set():
                    presses.short()
                held.clear()

            button.when_pressed = presses.down
            button.when_held, button.when_released = is_held, let_go

    def show(self, signal: Signal) -> None:
        """Show a signal until another is shown; errors as of `Panel`."""
        lamp = self._lamp
        if lamp is None:
            return
        colour = tuple(part * self._settings.brightness for part in signal.colour)
        try:
            if signal.fades:
                lamp.pulse(fade_in_time=signal.on_s, fade_out_time=signal.off_s, on_color=colour)
            elif signal.off_s:
                lamp.blink(on_time=signal.on_s, off_time=signal.off_s, on_color=colour)
            else:
                lamp.color = colour
        except Exception as error:
            raise SignalsError(f"The lamp cannot be set: {error}.") from error

    def buzz(self) -> None:
        """Sound twice, shortly; errors as of `Panel`."""
        if self._buzzer is None:
            return
        try:
            self._buzzer.beep(on_time=BEEP_S, off_time=BEEP_PAUSE_S, n=BEEPS)
        except Exception as error:
            raise SignalsError(f"The buzzer cannot be set: {error}.") from error

    def close(self) -> None:
        """Go dark and let the pins go; may be called twice."""
        while self._open:
            part = self._open.pop()
            try:
                part.close()
            except Exception as error:  # the others are to go dark all the same
                _log.warning("a part of the panel cannot be closed: %s", error)


class ConsolePanel:
    """Writes what the lamp would show.

    Args:
        out: where to; None: stderr.
    """

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr

    def show(self, signal: Signal) -> None:
        """Write a line."""
        line = f"lamp: {signal.colour_name} ({signal.rhythm}): {signal.says[1]}"
        print(line, file=self._out, flush=True)

    def buzz(self) -> None:
        """Write a line."""
        print("buzzer: beep, beep", file=self._out, flush=True)

    def close(self) -> None:
        """Nothing to let go."""


def open_panel(settings: SignalSettings, presses: Presses) -> Panel:
    """The panel that the settings name; not for `none`.

    Raises:
        SignalsError: it cannot be used.
    """
    return ConsolePanel() if settings.panel == CONSOLE else GpioPanel(settings, presses)
