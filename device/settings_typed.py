"""What somebody types for a setting, in a field of the page or in the shell, and back again."""

from __future__ import annotations

from collections.abc import Mapping

from device.setting import Setting, Value
from device.settings_check import KINDS, fitting
from device.settings_problem import Problem

YES_OR_NO: Mapping[str, bool] = {
    "true": True,
    "yes": True,
    "ja": True,
    "false": False,
    "no": False,
    "nein": False,
}

IN_SHELL, ON_PAGE = ",", "\n"
"""What parts the items of a list."""

LONGEST = 2_000
"""Characters that somebody types for one setting."""


def typed(setting: Setting, text: str, *, separator: str = ON_PAGE) -> Value | Problem:
    """Return the value that somebody means, or what is wrong with it.

    Args:
        setting: whose.
        text: as typed; a number may have a German comma.
        separator: between the items of a list.
    """
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST:
        return Problem(
            f"{setting.name}: expected {LONGEST} characters or less.",
            f"{setting.name}: erwartet werden höchstens {LONGEST} Zeichen.",
            setting.name,
        )
    kind = type(setting.default)
    if kind is list:
        parts = [part.strip() for part in text.split(separator) if part.strip()]
        numbers = [_number(part) for part in parts] if setting.of_numbers else []
        if None in numbers:
            return _wrong(setting, text)
        return fitting(setting, numbers if setting.of_numbers else parts)
    if kind is bool:
        chosen = YES_OR_NO.get(text.lower())
        return _wrong(setting, text) if chosen is None else chosen
    if kind is str:
        return fitting(setting, text)
    number = _number(text)
    if number is None or (kind is int and number != int(number)):
        return _wrong(setting, text)
    return fitting(setting, int(number) if kind is int else number)


def as_typed(setting: Setting, value: Value) -> str:
    """Return a value as somebody would type it on the page, in German numbers."""
    if isinstance(value, list):
        return "\n".join(_written(item) for item in value)
    return _written(value)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.15g}".replace(".", ",")
    return str(value)


def _number(text: str) -> float | None:
    """A number of people: digits, at most one point or comma; None: it is none."""
    digits = text.removeprefix("-").replace(",", ".", 1)
    if not (digits.isascii() and digits.replace(".", "", 1).isdigit() and len(digits) <= 20):
        return None
    return float(text.replace(",", ".", 1))


def _wrong(setting: Setting, text: str) -> Problem:
    wanted = ("a list of numbers", "eine Liste von Zahlen")
    en, de = wanted if setting.of_numbers else KINDS[type(setting.default)]
    shown = repr(text[:80])
    return Problem(
        f"{setting.name} is {shown}, expected {en}.",
        f"{setting.name} ist {shown}, erwartet wird: {de}.",
        setting.name,
    )
