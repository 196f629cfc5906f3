"""Every setting of the appliance: name, default, unit, help; one TOML file changes them.

`schockauge settings` prints the list, `docs/settings.md` shows it, and a test keeps them equal.
A file looks like this:

    [game]
    book = "turnier"
    players = ["Anna", "Bert", "Cem"]

    [web]
    port = 8080
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.camera_settings import CAMERA_SETTINGS
from device.game_settings import GAME_SETTINGS
from device.hub_settings import HUB_SETTINGS
from device.model_settings import MODEL_SETTINGS
from device.setting import Setting, Value
from device.settings_check import fitting, unknown
from device.settings_lines import take_apart
from device.settings_problem import BadSettingsError, Problem
from device.signal_settings import SIGNAL_SETTINGS
from device.store_settings import STORE_SETTINGS
from device.table_settings import TABLE_SETTINGS
from device.web_settings import WEB_SETTINGS

__all__ = ["BY_NAME", "SETTINGS", "Setting", "Settings", "load_settings"]

SETTINGS: tuple[Setting, ...] = (
    *GAME_SETTINGS,
    *STORE_SETTINGS,
    *TABLE_SETTINGS,
    *CAMERA_SETTINGS,
    *SIGNAL_SETTINGS,
    *MODEL_SETTINGS,
    *WEB_SETTINGS,
    *HUB_SETTINGS,
)

BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


MOST_BYTES = 262_144
"""A larger file is none of settings; all of them with their help have a tenth of it."""


MOST_PROBLEMS = 100
"""Told at a time, about; a file with more is no file of settings."""


class Settings(Mapping[str, Any]):
    """All settings with their values, by name; unchanged ones have their defaults.

    Args:
        changed: values by setting name.

    Raises:
        SettingsError: unknown names or unfit values, all of them.
    """

    def __init__(self, changed: Mapping[str, Any] | None = None) -> None:
        self._values: dict[str, Any] = {s.name: s.default for s in SETTINGS}
        fitting, problems = sound_of((changed or {}).items())
        if problems:
            raise BadSettingsError(problems)
        self._values |= fitting

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def with_values(self, changed: Mapping[str, Any]) -> Settings:
        """A copy with some values changed; None means: as it is.

        Raises:
            SettingsError: unknown names or unfit values, all of them.
        """
        kept = {name: value for name, value in changed.items() if value is not None}
        return Settings({**self._values, **kept})


@dataclass(frozen=True)
class Inspection:
    """What a settings file says, as far as it can be understood.

    Attributes:
        values: those that fit, by name.
        lines: where each of them stands, from 1 on.
        problems: everything that is wrong with the file, by lines.
    """

    values: Mapping[str, Value]
    lines: Mapping[str, int]
    problems: tuple[Problem, ...]

    def settings(self) -> Settings:
        """What fits, the rest as by default."""
        return Settings(self.values)


def sound_of(items: Iterable[tuple[str, Any]]) -> tuple[dict[str, Value], list[Problem]]:
    """The values that fit, by setting name, and what is wrong with the others."""
    values: dict[str, Value] = {}
    problems: list[Problem] = []
    for name, value in items:
        setting = BY_NAME.get(name)
        found = unknown(name, BY_NAME) if setting is None else fitting(setting, value)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            values[name] = found
    return values, problems


def load_settings(path: Path | None) -> Settings:
    """Read a settings file.

    Args:
        path: a TOML file; None: all defaults.

    Raises:
        SettingsError: names the file and of every mistake the line, the value and what was
            expected.
    """
    return Settings() if path is None else settings_of(read_settings(path), path)


def read_settings(path: Path) -> bytes:
    """Read the content of a settings file.

    Raises:
        SettingsError: there is no such file, or it cannot be read.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise unreadable(
            f"The settings file {path} does not exist.",
            f"Die Einstellungsdatei {path} gibt es nicht.",
        ) from error
    except OSError as error:
        raise unreadable(
            f"The settings file {path} cannot be read: {error}.",
            f"Die Einstellungsdatei {path} ist nicht zu lesen: {error}.",
        ) from error
    if len(content) > MOST_BYTES:
        raise unreadable(
            f"The settings file {path} cannot be read: it has more than {MOST_BYTES} bytes, which "
            "is no file of settings.",
            f"Die Einstellungsdatei {path} ist nicht zu lesen: Mit mehr als {MOST_BYTES} Bytes ist "
            "sie keine.",
        )
    return content


def unreadable(text_en: str, text_de: str) -> BadSettingsError:
    """An error about a file as a whole."""
    return BadSettingsError([Problem(text_en, text_de)])


def settings_of(content: bytes, path: Path) -> Settings:
    """What a settings file says.

    Args:
        content: of the file; a byte order mark, as some editors write it, is passed over.
        path: its name, for messages.

    Raises:
        BadSettingsError: of every mistake the line, the value and what was expected.
    """
    seen = inspect(content)
    if seen.problems:
        raise BadSettingsError(seen.problems, path)
    return seen.settings()


def inspect(content: bytes) -> Inspection:
    """Look at the content of a settings file; nothing in it is too wrong for that."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = content.decode("cp1252", "replace")
        seen = _inspected(text)
        line = content.count(b"\n", 0, error.start) + 1
        bad = Problem(
            f"The file cannot be read: line {line} is not UTF-8. Save it as UTF-8.",
            f"Die Datei ist nicht zu lesen: Zeile {line} ist kein UTF-8. Als UTF-8 speichern.",
            line=line,
        )
        return Inspection(seen.values, seen.lines, (bad, *seen.problems))
    return _inspected(text)


def _inspected(text: str) -> Inspection:
    given, problems = take_apart(text)
    values: dict[str, Value] = {}
    for one in given:
        if len(problems) >= MOST_PROBLEMS:
            break  # whoever mends these is told the others
        found, wrong = sound_of([(one.name, one.value)])
        values |= found
        problems += [problem.at(one.line) for problem in wrong]
    lines = {one.name: one.line for one in given if one.name in values}
    problems.sort(key=lambda problem: problem.line or 0)
    return Inspection(values, lines, tuple(problems))


def known(names: Iterable[str]) -> None:
    """Check that there are settings of these names.

    Raises:
        BadSettingsError: there is none of some of them.
    """
    problems = [unknown(name, BY_NAME) for name in names if name not in BY_NAME]
    if problems:
        raise BadSettingsError(problems)
