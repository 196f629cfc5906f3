"""The settings of a running table, as its page shows and changes them (`web_ui.settings_port`)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from device.address import HIDDEN, masked
from device.errors import SettingsError
from device.restarting import Restart
from device.setting import LOCKS, Setting, Value
from device.settings import BY_NAME, SETTINGS, Inspection, Settings, inspect
from device.settings_check import unknown
from device.settings_file import SettingsFile, differing
from device.settings_problem import BadSettingsError, Problem
from device.settings_sense import no_worse, problems_of
from device.settings_typed import as_typed, typed
from device.unwritten import HELD
from web_ui.settings_port import BadValues, Field, Mistake, SettingsSheet, Version

ENTRY = "settings.changed"
RESTARTED = "settings.restarted"

_log = logging.getLogger(__name__)

Note = Callable[[str, dict[str, Any]], object]


class SettingsDesk:
    """Shows and changes the settings of a table.

    Args:
        path: of the settings file; None: the table has none, so that nothing can be changed.
        running: what the table runs by.
        note: writes an entry into the log.
        clock: Unix time in seconds.
        restarting: the way to start the table anew; None: this process's own.
        held: how much waits in memory for a log that cannot be written.

    Attributes:
        take_over: called with all settings when some of those that count at once were changed.
    """

    def __init__(
        self,
        path: Path | None,
        running: Settings,
        *,
        note: Note,
        clock: Callable[[], float] = time.time,
        restarting: Restart | None = None,
        held: Callable[[], int] = lambda: 0,
    ) -> None:
        self._file = None if path is None else SettingsFile(path, check=no_worse)
        self._running = dict(running)
        self._note, self._clock = note, clock
        self._restart = Restart() if restarting is None else restarting
        self._held = held
        self.take_over: Callable[[Mapping[str, Any]], None] = lambda settings: None

    def sheet(self) -> SettingsSheet:
        """Return all settings as the file has them now."""
        if self._file is None:
            return SettingsSheet(tuple(map(self._field_of_running, SETTINGS)), (), "", "")
        stamp, seen = self._file.stamp, self._seen(self._file)
        return SettingsSheet(
            fields=tuple(self._field(setting, seen) for setting in SETTINGS),
            versions=versions_of(self._file),
            stamp=stamp,
            file=self._file.path.name,
            mistakes=tuple(map(mistake_of, seen.problems)),
            can_restart=self._restart.can,
            command=self._restart.command,
        )

    def shown(self, stamp: str) -> Mapping[str, str]:
        """What the form said that was made of the content with this stamp."""
        content = None if self._file is None else self._file.content_of(stamp)
        if content is None:
            return {field.name: field.value for field in self.sheet().fields}
        values = inspect(content).settings()
        return {one.name: _typeable(one, values[one.name]) for one in SETTINGS}

    def change(self, typed: Mapping[str, str | None], *, stamp: str, by: str) -> tuple[str, ...]:
        """Write what somebody has typed; see `web_ui.settings_port.TableSettings`."""
        values, problems = _understood(typed)
        if problems:
            raise BadValues(tuple(map(mistake_of, problems)))
        return self._write(
            by, lambda file: file.change(values, by=by, at_s=self._clock(), stamp=stamp)
        )

    def restore(self, number: int, *, stamp: str, by: str) -> tuple[str, ...]:
        """Take an earlier version back; see `web_ui.settings_port.TableSettings`."""
        return self._write(
            by, lambda file: file.restore(number, by=by, at_s=self._clock(), stamp=stamp)
        )

    def restart(self, *, by: str) -> None:
        """Start the table anew; see `web_ui.settings_port.TableSettings`."""
        if not self._restart.can:
            raise BadValues((mistake_of(NO_SERVICE),))
        if self._held():
            german, english = HELD
            raise BadValues((mistake_of(Problem(english, german)),))
        seen = None if self._file is None else self._seen(self._file)
        if seen and (wrong := seen.problems or problems_of(seen.settings())):
            raise BadValues(tuple(map(mistake_of, wrong)))
        self._log(RESTARTED, {"by": by})
        self._restart.begin()

    def _write(self, by: str, write: Callable[[SettingsFile], Settings]) -> tuple[str, ...]:
        file = self._file
        if file is None:
            raise BadValues((mistake_of(NO_FILE),))
        before = self._seen(file).settings()
        try:
            after = write(file)
        except SettingsError as error:
            raise BadValues(mistakes_of(error)) from error
        changed = differing(before, after)
        self._take_over(changed, after)
        if changed:
            self._tell(changed, before, after, by)
        return changed

    def _take_over(self, changed: Iterable[str], after: Settings) -> None:
        """Let those that count at once count."""
        now = {name: after[name] for name in changed if BY_NAME[name].at_once}
        if now:
            self._running |= now
            self.take_over(self._running)

    def _tell(self, changed: Iterable[str], before: Settings, after: Settings, by: str) -> None:
        self._log(ENTRY, changes_told(changed, before, after, by))

    def _log(self, kind: str, data: dict[str, Any]) -> None:
        try:
            self._note(kind, data)
        except OSError as error:  # done it is all the same; of a change its version says by whom
            _log.error("%s cannot be written into the log: %s", kind, error)

    @staticmethod
    def _seen(file: SettingsFile) -> Inspection:
        try:
            return inspect(file.path.read_bytes())
        except OSError as error:
            gone = Problem(
                f"The settings file cannot be read: {error.strerror}.",
                f"Die Einstellungsdatei ist nicht zu lesen: {error.strerror}.",
            )
            return Inspection({}, {}, (gone,))

    def _field(self, setting: Setting, seen: Inspection) -> Field:
        is_set = setting.name in seen.values
        value = seen.values.get(setting.name, setting.default)
        running = self._running[setting.name]
        other = None if running == value else _typeable(setting, running)
        return _field_of(setting, value, is_set=is_set, running=other)

    def _field_of_running(self, setting: Setting) -> Field:
        return _field_of(setting, self._running[setting.name], is_set=False, running=None)


NO_SERVICE = Problem(
    "Nobody would start the table again when it ends: it does not run as a service.",
    "Niemand würde den Tisch wieder starten, wenn er endet: Er läuft nicht als Dienst.",
)

NO_FILE = Problem(
    "The table was started without a settings file: schockauge run --settings FILE.",
    "Der Tisch wurde ohne Einstellungsdatei gestartet: schockauge run --settings DATEI.",
)

RETYPE = (
    "{name}: a password is hidden here as {hidden}; type the whole address anew.",
    "{name}: Hier ist ein Passwort als {hidden} verdeckt; die ganze Adresse neu eingeben.",
)


def changes_told(
    changed: Iterable[str], before: Settings, after: Settings, by: str
) -> dict[str, Any]:
    """What the log is to know of a change: who, what, from, to; no passwords."""
    changes = [
        {
            "name": name,
            "from": _without_secret(BY_NAME[name], before[name]),
            "to": _without_secret(BY_NAME[name], after[name]),
        }
        for name in changed
    ]
    return {"by": by, "changes": changes}


def versions_of(file: SettingsFile) -> tuple[Version, ...]:
    """The versions of a file for its page; the newest that the file has now is the current one."""
    told, found = [], False
    for version in file.versions():
        current = not found and file.is_version(version.number)
        found = found or current
        told.append(Version(version.number, version.at_s, version.by, version.changed, current))
    return tuple(told)


def mistakes_of(error: SettingsError) -> tuple[Mistake, ...]:
    """What is wrong, for the page."""
    if isinstance(error, BadSettingsError):
        return tuple(map(mistake_of, error.problems))
    return (Mistake({"de": str(error), "en": str(error)}),)


def mistake_of(problem: Problem) -> Mistake:
    """The same for the page."""
    return Mistake({"de": problem.text_de, "en": problem.text_en}, problem.name, problem.line)


def _understood(said: Mapping[str, str | None]) -> tuple[dict[str, Value | None], list[Problem]]:
    """The values that somebody means, and what cannot be so."""
    values: dict[str, Value | None] = {}
    problems: list[Problem] = []
    for name, text in said.items():
        setting = BY_NAME.get(name)
        if setting is None:
            problems.append(unknown(name, BY_NAME))
        elif setting.locked:
            german, english = LOCKS[setting.locked]
            problems.append(Problem(f"{name}: {english}", f"{name}: {german}", name))
        elif text is not None and HIDDEN in text:
            en, de = (told.format(name=name, hidden=HIDDEN) for told in RETYPE)
            problems.append(Problem(en, de, name))
        else:
            value = None if text is None else typed(setting, text)
            if isinstance(value, Problem):
                problems.append(value)
            else:
                values[name] = value
    return values, problems


def _field_of(setting: Setting, value: Value, *, is_set: bool, running: str | None) -> Field:
    lock = LOCKS.get(setting.locked)
    return Field(
        name=setting.name,
        kind=_kind(setting),
        value=_typeable(setting, value),
        default=_typeable(setting, setting.default),
        unit=setting.unit,
        help={"de": setting.help_de or setting.help, "en": setting.help},
        choices=setting.choices,
        is_set=is_set,
        at_once=setting.at_once,
        running=running,
        locked=None if lock is None else {"de": lock[0], "en": lock[1]},
    )


def _kind(setting: Setting) -> str:
    if isinstance(setting.default, list):
        return "numbers" if setting.of_numbers else "texts"
    if setting.choices:
        return "choice"
    kinds: Mapping[type, str] = {str: "text", bool: "switch", int: "whole", float: "number"}
    return kinds[type(setting.default)]


def _typeable(setting: Setting, value: Value) -> str:
    return as_typed(setting, _without_secret(setting, value))


def _without_secret(setting: Setting, value: Value) -> Value:
    if setting.secret:
        return HIDDEN if value else ""
    return masked(value) if isinstance(value, str) else value
