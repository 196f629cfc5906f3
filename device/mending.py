"""The settings file of a table that has not started, as the page of safe mode mends it."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from device.errors import SettingsError
from device.settings import Inspection, Settings, inspect
from device.settings_desk import ENTRY, changes_told, mistake_of, mistakes_of, versions_of
from device.settings_file import SettingsFile, differing
from device.settings_problem import BadSettingsError, Problem
from device.settings_sense import no_worse, problems_of
from device.settings_versions import Versions
from device.store_trouble import StoreTrouble, store_trouble
from web_ui.safe_mode import Broken
from web_ui.settings_port import BadValues, Texts

STATUS = "safe mode: the settings have to be mended at the page"
"""What systemd is told, so that it does not end what waits for the landlord;"""
STORE_STATUS = "safe mode: the log cannot be used: "
"""and what where that is why."""

LOOK_S = 1.0
"""How often it is looked whether somebody has mended the file in another way."""

RETRY_S = 30.0
"""How often the table is tried again by itself where the file is sound: what it names may have come
(a stick that is put in, a folder of the network)."""

NEEDED = (
    "web.host", "web.port", "web.language", "web.table_name", "web.host_names", "web.threads",
    "web.table_needs_pin", "web.signed_in_h", "store.path", "store.pins_file",
)  # fmt: skip
"""What the page of safe mode itself needs of the settings."""

Note = tuple[str, dict[str, Any]]


class Mend:
    """The settings file of a table that has not started (`web_ui.safe_mode.Mending`).

    Args:
        path: of the file.
        error: why the table has not started.
        given: settings that the command line gives.

    Attributes:
        notes: what is to be written into the log when the table has started.
    """

    def __init__(self, path: Path, error: Exception, given: Mapping[str, Any]) -> None:
        self._file = SettingsFile(path, check=no_worse)
        self._given = dict(given)
        self._go = threading.Event()
        self._is_starting = False
        self._told = ""
        self._elsewhere: tuple[Problem, ...] = ()
        self._store: StoreTrouble | None = None
        self._tried = self._file.stamp
        self.notes: list[Note] = []
        self.failed(error)

    def failed(self, error: Exception) -> None:
        """Say that the table has not started, at the page and on the console."""
        self._problems = self._problems_of(error)
        self._store = store_trouble(error, self.readable())
        self._is_starting = False
        if str(error) != self._told:
            self._told = str(error)
            print(f"schockauge: error: {error}", file=sys.stderr)

    def served_elsewhere(self, problem: Problem) -> None:
        """Say at the page that it is not where the settings want it."""
        self._elsewhere = (problem.at(self._seen().lines.get(problem.name)),)

    def wait(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Wait until it makes sense to start the table again; calls `meanwhile` every second."""
        until_s = time.monotonic() + RETRY_S
        while not self._go.wait(LOOK_S):
            meanwhile()
            if self._file.stamp != self._tried:  # mended with an editor
                self._is_starting = True
                break
            if self._store is not None and self._store.is_over:
                break
            if time.monotonic() >= until_s and not self._seen().problems:
                break  # the page stays as it is: somebody may be typing
        self._go.clear()
        self._tried = self._file.stamp

    @property
    def status(self) -> str:
        """How it stands, in a line for systemd."""
        return STATUS if self._store is None else STORE_STATUS + self._store.said[1]

    def readable(self) -> Settings:
        """What the settings say as far as they can be read, for this page itself.

        What is lost in a broken line is as in the newest version that was whole.
        """
        seen = self._seen()
        values = {name: seen.values[name] for name in NEEDED if name in seen.values}
        lost = [name for name in NEEDED if name not in values and self._is_lost(name, seen)]
        if lost:
            before = self._last_whole()
            values |= {name: before[name] for name in lost}
        with suppress(SettingsError):
            return Settings(values).with_values(self._given)
        return Settings(values)

    def state(self) -> Broken:
        """Return how it stands; see `web_ui.safe_mode.Mending`."""
        stamp = self._file.stamp
        return Broken(
            file=self._file.path.name,
            text=_text_of(self._content()),
            stamp=stamp,
            mistakes=tuple(map(mistake_of, (*self._problems, *self._elsewhere))),
            versions=versions_of(self._file),
            is_starting=self._is_starting,
            given=tuple(self._given),
            store=None if self._store is None else _texts(self._store),
        )

    def write(self, text: str, *, stamp: str, by: str) -> None:
        """Put another text into the file; see `web_ui.safe_mode.Mending`."""
        try:
            content = text.encode()
        except UnicodeEncodeError as error:
            raise BadValues((mistake_of(HALF_A_CHARACTER),)) from error
        self._write(by, lambda: self._file.replace(content, by=by, at_s=time.time(), stamp=stamp))

    def restore(self, number: int, *, stamp: str, by: str) -> None:
        """Take an earlier version back; see `web_ui.safe_mode.Mending`."""
        self._write(by, lambda: self._file.restore(number, by=by, at_s=time.time(), stamp=stamp))

    def try_again(self) -> None:
        """Start the table with the file as it is."""
        self._start()

    def note(self, kind: str, data: dict[str, Any]) -> None:
        """Keep an entry for the log."""
        self.notes.append((kind, data))

    def _write(self, by: str, write: Callable[[], Settings]) -> None:
        before = self._seen().settings()
        try:
            after = write()
        except SettingsError as error:
            raise BadValues(mistakes_of(error)) from error
        if changed := differing(before, after):
            self.note(ENTRY, changes_told(changed, before, after, by))
        self._start()

    def _start(self) -> None:
        self._is_starting = True
        self._go.set()

    def _problems_of(self, error: Exception) -> tuple[Problem, ...]:
        """What is wrong, with its lines: with the file, with what it names, or else the error."""
        seen = self._seen()
        if seen.problems:
            return seen.problems
        settings = seen.settings()
        with suppress(SettingsError):
            settings = settings.with_values(self._given)
        if isinstance(error, BadSettingsError):
            return error.problems
        found = problems_of(settings)
        told = [problem for problem in found if str(error) in problem.text_en]
        others = () if told else (Problem(str(error), str(error)),)
        return (*others, *(problem.at(seen.lines.get(problem.name)) for problem in found))

    def _is_lost(self, name: str, seen: Inspection) -> bool:
        """Whether the file names a setting, but so that it cannot be read."""
        content = self._content()
        if not seen.values:
            return bool(seen.problems) or not content.strip()
        key = re.escape(name.partition(".")[2])
        named = re.search(rf"^\s*(\w+\.)?{key}\b", _text_of(content), re.MULTILINE)
        return bool(seen.problems) and named is not None

    def _last_whole(self) -> Settings:
        for content in Versions(self._file.path).contents():
            if not (seen := inspect(content)).problems and seen.values:
                return seen.settings()
        return Settings()

    def _seen(self) -> Inspection:
        return inspect(self._content())

    def _content(self) -> bytes:
        try:
            return self._file.path.read_bytes()
        except OSError:
            return b""


HALF_A_CHARACTER = Problem(
    "The text holds half a character, which no file takes.",
    "Der Text enthält ein halbes Zeichen, das keine Datei aufnimmt.",
)


def _texts(trouble: StoreTrouble) -> Texts:
    return dict(zip(("de", "en"), trouble.said, strict=True))


def _text_of(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace").replace("\r\n", "\n")
