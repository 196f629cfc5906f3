"""What a setting is; `device.settings` has all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Value = str | int | float | bool | list[str] | list[float]

LOCKS: Mapping[str, tuple[str, str]] = {
    "address": (
        "Ein falscher Wert sperrt alle von dieser Seite aus, auch den Wirt; nur in der Datei zu "
        "ändern.",
        "A false value shuts everybody out of this page, the landlord as well; it is changed in "
        "the file itself.",
    ),
    "place": (
        "Hier liegt, was der Tisch schreibt; mit einem anderen Ort finge er leer an. Nur in der "
        "Datei zu ändern.",
        "What the table writes lies here; elsewhere it would begin empty. It is changed in the "
        "file itself.",
    ),
    "file": (
        "Nennt eine Datei, die auf dem Gerät liegen muss; ein Befehl auf dem Gerät legt sie an. "
        "Nur in der Datei zu ändern.",
        "Names a file that has to lie on the appliance, where a command makes it. It is changed "
        "in the file itself.",
    ),
    "hub": (
        "Gilt nur an der Turnierzentrale; dort in der Datei zu ändern.",
        "Holds only at the hub of a tournament, and is changed there, in the file itself.",
    ),
}
"""Why a setting is not changed from the page, German and English, by `Setting.locked`."""


@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes:
        name: `section.key`.
        default: also fixes the type.
        unit: "mm", "s", "px" ...; "" when it has none.
        help: one sentence for the person who sets up a table.
        least: smallest number allowed.
        choices: the only values allowed; empty when all are.
        of_numbers: a list is one of numbers, not of texts.
        help_de: the same sentence in German, for the landlord at the page.
        most: largest number allowed.
        least_items: so many a list has at least.
        distinct: no two items of a list are alike.
        at_once: a change from the page takes effect at once; else with the next start.
        locked: key of `LOCKS`: why it is not changed from the page; empty: it may be.
        secret: its value is neither shown on the page nor written into the log.
    """

    name: str
    default: Value
    unit: str
    help: str
    least: float | None = None
    choices: tuple[str, ...] = ()
    of_numbers: bool = False
    help_de: str = ""
    most: float | None = None
    least_items: int = 0
    distinct: bool = False
    at_once: bool = False
    locked: str = ""
    secret: bool = False
