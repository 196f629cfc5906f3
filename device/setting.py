"""What a setting is; `device.settings` has all of them."""

from __future__ import annotations

from dataclasses import dataclass

Value = str | int | float | bool | list[str] | list[float]


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
    """

    name: str
    default: Value
    unit: str
    help: str
    least: float | None = None
    choices: tuple[str, ...] = ()
    of_numbers: bool = False
