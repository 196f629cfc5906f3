"""The settings of lamp, buzzer and button at the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from device.errors import SettingsError
from device.setting import Setting

NONE = -1
"""A pin that is not there."""
GPIO, CONSOLE = "gpio", "console"
PANELS = ("none", GPIO, CONSOLE)
PINS = ("red_pin", "green_pin", "blue_pin", "buzzer_pin", "button_pin")
LAMP_PINS = PINS[:3]
MOST_PIN = 27
"""The last one on a Raspberry Pi's header."""

SIGNAL_SETTINGS: tuple[Setting, ...] = (
    Setting(
        "signals.panel",
        "none",
        "",
        "Lamp, buzzer and button at the pins of a Raspberry Pi (gpio); written to the console "
        "instead (console), to try them; or none.",
        choices=PANELS,
        help_de="Lampe, Summer und Taster an den Anschlüssen eines Raspberry Pi (gpio); zum "
        "Ausprobieren auf die Konsole geschrieben (console); oder keine (none).",
    ),
    Setting(
        "signals.red_pin",
        17,
        "",
        "Pin of the lamp's red, by the numbers of Broadcom (GPIO17); -1: no lamp.",
        NONE,
        help_de="Anschluss für das Rot der Lampe, nach der Zählung von Broadcom (GPIO17); "
        "-1: keine Lampe.",
        most=MOST_PIN,
    ),
    Setting(
        "signals.green_pin",
        27,
        "",
        "Pin of the lamp's green; -1: no lamp.",
        NONE,
        help_de="Anschluss für das Grün der Lampe; -1: keine Lampe.",
        most=MOST_PIN,
    ),
    Setting(
        "signals.blue_pin",
        22,
        "",
        "Pin of the lamp's blue; -1: no lamp.",
        NONE,
        help_de="Anschluss für das Blau der Lampe; -1: keine Lampe.",
        most=MOST_PIN,
    ),
    Setting(
        "signals.buzzer_pin",
        24,
        "",
        "Pin of the buzzer; -1: none.",
        NONE,
        help_de="Anschluss des Summers; -1: keiner.",
        most=MOST_PIN,
    ),
    Setting(
        "signals.button_pin",
        23,
        "",
        "Pin of the button, which connects it to ground; -1: none.",
        NONE,
        help_de="Anschluss des Tasters, der ihn mit Masse verbindet; -1: keiner.",
        most=MOST_PIN,
    ),
    Setting(
        "signals.lamp_lit_by_low",
        default=False,
        unit="",
        help="Whether the lamp's colours share their plus pole (common anode), so that a pin that "
        "is low lights them.",
        help_de="Ob die Farben der Lampe den Pluspol gemeinsam haben (gemeinsame Anode), sodass "
        "ein Anschluss ohne Spannung sie leuchten lässt.",
    ),
    Setting(
        "signals.brightness",
        1.0,
        "",
        "How bright the lamp is, 0 to 1.",
        0,
        help_de="Wie hell die Lampe ist, 0 bis 1.",
        most=1,
    ),
    Setting(
        "signals.buzzer",
        default=True,
        unit="",
        help="Whether the buzzer sounds when the table is asked something.",
        help_de="Ob der Summer ertönt, wenn der Tisch etwas gefragt wird.",
    ),
    Setting(
        "signals.hold_s",
        1.0,
        "s",
        "Held so long the button confirms what the table is asked; shorter it disputes the last "
        "throw.",
        0.3,
        help_de="So lange gehalten, bestätigt der Taster, was der Tisch gefragt wird; kürzer "
        "zweifelt er den letzten Wurf an.",
        most=10,
    ),
)


@dataclass(frozen=True)
class SignalSettings:
    """Where lamp, buzzer and button are; `SIGNAL_SETTINGS` says what each means.

    Attributes:
        panel: one of `PANELS`.
        lamp_pins: red, green, blue; None: no lamp.
        buzzer_pin: None: no buzzer, or it is not to sound.
        button_pin: None: no button.
        lit_by_low: the lamp has a common anode.
        brightness: 0 to 1.
        hold_s: of a long press.
    """

    panel: str = "none"
    lamp_pins: tuple[int, int, int] | None = (17, 27, 22)
    buzzer_pin: int | None = 24
    button_pin: int | None = 23
    lit_by_low: bool = False
    brightness: float = 1.0
    hold_s: float = 1.0

    def __str__(self) -> str:
        """What is where, for people."""
        if self.panel != GPIO:
            return {CONSOLE: "on the console"}.get(self.panel, "none")
        parts = []
        if self.lamp_pins is not None:
            places = zip(("red", "green", "blue"), self.lamp_pins, strict=True)
            parts.append("lamp " + ", ".join(f"{name} GPIO{pin}" for name, pin in places))
        if self.buzzer_pin is not None:
            parts.append(f"buzzer GPIO{self.buzzer_pin}")
        if self.button_pin is not None:
            parts.append(f"button GPIO{self.button_pin}")
        return "; ".join(parts) or "no pin is set"


def signal_settings(settings: Mapping[str, Any]) -> SignalSettings:
    """What the settings say of lamp, buzzer and button.

    Raises:
        SettingsError: one pin for two things, or part of a lamp.
    """
    pins = {name: settings[f"signals.{name}"] for name in PINS}
    used = [pin for pin in pins.values() if pin != NONE]
    for name, pin in pins.items():
        if pin != NONE and used.count(pin) > 1:
            raise SettingsError(f"signals.{name} is {pin}, which another signal has, too.")
    lamp = tuple(pins[name] for name in LAMP_PINS)
    if NONE in lamp and set(lamp) != {NONE}:
        raise SettingsError(
            f"signals.{', signals.'.join(LAMP_PINS)} are {', '.join(map(str, lamp))}; a lamp "
            "needs all three, or none (-1)."
        )
    buzzer = pins["buzzer_pin"] if settings["signals.buzzer"] else NONE
    return SignalSettings(
        panel=settings["signals.panel"],
        lamp_pins=None if NONE in lamp else (lamp[0], lamp[1], lamp[2]),
        buzzer_pin=None if buzzer == NONE else buzzer,
        button_pin=None if pins["button_pin"] == NONE else pins["button_pin"],
        lit_by_low=settings["signals.lamp_lit_by_low"],
        brightness=settings["signals.brightness"],
        hold_s=settings["signals.hold_s"],
    )
