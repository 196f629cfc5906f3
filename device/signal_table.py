"""What the lamp shows: a signal has a colour, and a rhythm for those who cannot tell colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from device.troubles import TROUBLES

Colour = tuple[float, float, float]

GREEN: Colour = (0.0, 1.0, 0.0)
AMBER: Colour = (1.0, 0.35, 0.0)
RED: Colour = (1.0, 0.0, 0.0)
BLUE: Colour = (0.0, 0.0, 1.0)
GLOW: Colour = (0.0, 0.06, 0.0)


@dataclass(frozen=True)
class Signal:
    """One signal of the lamp.

    Attributes:
        name: what it is called.
        colour: red, green, blue, 0 to 1.
        colour_name: in a sentence.
        rhythm: likewise.
        on_s: lit so long,
        off_s: then dark so long, again and again; 0: never dark.
        fades: it swells and fades instead of blinking.
        lasts_s: it is over after so long; None: when what it is about is over.
        says: what it means, German and English.
    """

    name: str
    colour: Colour
    colour_name: str
    rhythm: str
    says: tuple[str, str]
    on_s: float = 0.0
    off_s: float = 0.0
    fades: bool = False
    lasts_s: float | None = None


READY = Signal(
    "ready", GLOW, "green", "faint, steady",
    ("bereit: es wird zugesehen", "ready: the table is watched"),
)  # fmt: skip
COUNTED = Signal(
    "counted", GREEN, "green", "steady, 1.5 s",
    ("gezählt: der Wurf ist eingetragen", "counted: the throw is entered"),
    lasts_s=1.5,
)  # fmt: skip
ASKS = Signal(
    "asks", AMBER, "amber", "slow blinking",
    ("Frage: bitte am Bildschirm antworten", "asks: please answer at the screen"),
    on_s=0.7, off_s=0.7,
)  # fmt: skip
OBJECTS = Signal(
    "objects", RED, "red", "fast blinking, 3 s",
    (
        "verbrannt oder gegen die Regeln; mehr steht auf dem Bildschirm",
        "burnt, or against the rules; the screen tells more",
    ),
    on_s=0.15, off_s=0.15, lasts_s=3.0,
)  # fmt: skip
CALIBRATING = Signal(
    "calibrating", BLUE, "blue", "swelling and fading",
    ("die Matte wird gesucht: alle Marken frei lassen", "looks for the mat: uncover its markers"),
    on_s=1.0, off_s=1.0, fades=True,
)  # fmt: skip
FAULT = Signal(
    "fault", RED, "red", "a short flash every 2 s",
    ("Störung: was fehlt, steht auf dem Bildschirm", "fault: the screen tells what is wrong"),
    on_s=0.12, off_s=1.9,
)  # fmt: skip
SCREEN = Signal(
    "screen", AMBER, "amber", "short gaps, 2.4 s",
    (
        "das geht nicht mit dem Taster: bitte am Bildschirm",
        "the button cannot do that: please use the screen",
    ),
    on_s=0.5, off_s=0.1, lasts_s=2.4,
)  # fmt: skip

SIGNALS = (READY, COUNTED, ASKS, OBJECTS, CALIBRATING, FAULT, SCREEN)

MOMENTARY: Mapping[str, Signal] = {
    "thrown": COUNTED,
    "covered": COUNTED,
    "burnt": OBJECTS,
    "case.opened": OBJECTS,
}
"""Entries of the log that are shown for a while."""
SEARCHING = frozenset({"mat", "moved", "resized", "setup"})
"""Faults that are over when the mat has been found, or the table is set up."""
BLIND = frozenset(TROUBLES) - SEARCHING | {"model", "log"}
"""Faults while which nothing is seen, or nothing counted."""
OWN = frozenset({"signals", "drift"})
"""Faults that no lamp shows: its own, and a warning that would stay all evening."""
