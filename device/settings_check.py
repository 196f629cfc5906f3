"""Whether a value fits a setting; where not, what to say of it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from device.address import masked
from device.setting import Setting, Value
from device.settings_problem import Problem

KINDS: Mapping[type, tuple[str, str]] = {
    str: ("a text", "ein Text"),
    int: ("a whole number", "eine ganze Zahl"),
    float: ("a number", "eine Zahl"),
    bool: ("true or false", "true oder false (ja oder nein)"),
    list: ("a list", "eine Liste"),
}
"""What a value must be, by the type of the default."""

LONGEST_SHOWN = 80
"""Characters of a value in a message."""


def unknown(name: str, names: Iterable[str]) -> Problem:
    """Say that there is no setting of this name, and which may have been meant."""
    meant = _meant(name, list(names))
    hint_en = f"Did you mean {meant}?" if meant else "`schockauge settings` lists all of them."
    hint_de = f"Gemeint ist vielleicht {meant}." if meant else "`schockauge settings` nennt alle."
    name = name[:LONGEST_SHOWN]
    return Problem(
        f"There is no setting {name!r}. {hint_en}",
        f"Die Einstellung {name!r} gibt es nicht. {hint_de}",
        name,
    )


def _meant(name: str, names: list[str]) -> str | None:
    """The setting that somebody has misspelt, or put into no section or a wrong one."""
    if len(name) > LONGEST_SHOWN:
        return None
    key = name.rpartition(".")[2]
    same_key = [known for known in names if known.partition(".")[2] == key]
    by_key = {known.partition(".")[2]: known for known in names}
    close = get_close_matches(name, names, n=1, cutoff=0.75)
    close_key = [by_key[k] for k in get_close_matches(key, by_key, n=1, cutoff=0.8)]
    return next(iter([*same_key, *close, *close_key]), None)


def fitting(setting: Setting, value: Any) -> Value | Problem:
    """Return the value in its proper type, or what is wrong with it."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if whole and isinstance(setting.default, float):
        value = float(value) if abs(value) < 2**53 else math.inf
    if type(value) is not type(setting.default):
        return _expected(setting, value, *KINDS[type(setting.default)])
    if isinstance(value, list):
        return _list_problem(setting, value) or [
            float(item) if setting.of_numbers else item for item in value
        ]
    if isinstance(value, str) and not _is_plain(value):
        return _expected(setting, value, "a text of one line", "ein Text aus einer Zeile")
    if setting.choices and value not in setting.choices:
        among = ", ".join(choice or '""' for choice in setting.choices)
        return _expected(setting, value, f"one of {among}", f"eines von {among}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _range_problem(setting, value) or value
    return value


def _range_problem(setting: Setting, value: float) -> Problem | None:
    least, most = setting.least, setting.most
    if not math.isfinite(value):
        return _expected(setting, value, "a number", "eine Zahl")
    if least is not None and value < least:
        return _expected(setting, value, f"{least:g} or more", f"{_german(least)} oder mehr")
    if most is not None and value > most:
        return _expected(setting, value, f"{most:.15g} or less", f"{_german(most)} oder weniger")
    return None


def _list_problem(setting: Setting, value: list[Any]) -> Problem | None:
    if setting.of_numbers:
        if not all(_is_number(item) for item in value):
            return _expected(setting, value, "a list of numbers", "eine Liste von Zahlen")
    elif not all(isinstance(item, str) and item.strip() and _is_plain(item) for item in value):
        return _expected(setting, value, "a list of texts", "eine Liste von Texten")
    if len(value) < setting.least_items or (setting.distinct and len(set(value)) < len(value)):
        least = {0: ("", ""), 2: ("two or more ", "zwei oder mehr ")}[setting.least_items]
        return _expected(
            setting, value, f"{least[0]}different names", f"{least[1]}verschiedene Namen"
        )
    return None


def _expected(setting: Setting, value: Any, wanted_en: str, wanted_de: str) -> Problem:
    shown = "…" if setting.secret else _shown(value)
    return Problem(
        f"{setting.name} is {shown}, expected {wanted_en}.",
        f"{setting.name} ist {shown}, erwartet wird: {wanted_de}.",
        setting.name,
    )


def _shown(value: Any) -> str:
    try:
        shown = repr(masked(value) if isinstance(value, str) else value)
    except (RecursionError, ValueError):  # nested deeply, or a number of thousands of digits
        return "…"
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"


def _is_plain(text: str) -> bool:
    """Whether a text is one line of whole characters: nothing that steers a terminal or a log."""
    return not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text)


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) < 2**53  # neither nan, which is below nothing, nor inf
    )


def _german(number: float) -> str:
    return f"{number:.15g}".replace(".", ",")
