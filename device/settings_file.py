"""The settings file of a table: read, changed with its comments kept, every version kept.

    file = SettingsFile(Path("table.toml"))
    settings = file.load()
    file.change({"web.table_name": "Stammtisch", "web.port": None}, by="Wirt", at_s=time.time())

What is written was checked as a whole before. A power cut leaves the old file or the new one.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from device.durable_file import own_folder, write_durably
from device.errors import SettingsError
from device.setting import Value
from device.settings import Settings, known, read_settings, settings_of
from device.settings_edit import edited
from device.settings_problem import BadSettingsError, Problem
from device.settings_template import template
from device.settings_versions import Version, Versions

Check = Callable[[Settings, Settings], None]
"""Given the settings before and after: raises `SettingsError` where the change must not be made."""


def _anything(before: Settings, after: Settings) -> None:
    """Sound settings are good enough."""


class ChangedMeanwhileError(BadSettingsError):
    """Somebody else has written the file since it was read; nothing was written."""


class SettingsFile:
    """One settings file and its versions; safe to use from several threads and processes.

    Args:
        path: the TOML file; `change` makes it when absent (its folder must exist).
        check: looks at what is about to be written, besides `Settings` itself.
    """

    def __init__(self, path: Path, *, check: Check = _anything) -> None:
        self.path = path.resolve()  # a link stays a link
        self._check = check
        self._versions = Versions(self.path)
        self._lock = threading.RLock()
        self._seen: bytes | None = None
        self._loaded = False

    def load(self) -> Settings:
        """Read the file; `change` then refuses where somebody else has written it since.

        Raises:
            SettingsError: names the file, the line, the value and what was expected.
        """
        with self._lock:
            self._loaded = False
            self._seen = read_settings(self.path)
            self._loaded = True
            return settings_of(self._seen, self.path)

    def change(
        self,
        values: Mapping[str, Value | None],
        *,
        by: str,
        at_s: float,
        stamp: str | None = None,
    ) -> Settings:
        """Change some settings and keep the rest of the file, comments and order as they are.

        Args:
            values: by setting name; None: back to the default.
            by: who wants it, for the list of versions.
            at_s: when, Unix time in seconds.
            stamp: `stamp` of the content that this is meant for; None: as it was loaded last.

        Returns:
            All settings as the file has them now. Nothing is written where nothing differs.

        Raises:
            ChangedMeanwhileError: the file is another one by now.
            SettingsError: a value does not fit, or the file cannot be read or written; it is as
                before.
        """
        with self._alone(stamp):
            content = self._content_or_none()
            before = Settings() if content is None else settings_of(content, self.path)
            known(values)
            before.with_values(values)
            text = template() if content is None else content.decode("utf-8-sig")
            return self._put(edited(text, values).encode(), by=by, at_s=at_s)

    def replace(
        self, content: bytes, *, by: str, at_s: float, stamp: str | None = None
    ) -> Settings:
        """Put another content in the place of the file; arguments and errors as of `change`."""
        with self._alone(stamp):
            return self._put(content, by=by, at_s=at_s)

    def restore(self, number: int, *, by: str, at_s: float, stamp: str | None = None) -> Settings:
        """Put an earlier version in the place of the file; it becomes the newest one.

        Raises:
            SettingsError: as of `change`, or there is no such version.
        """
        return self.replace(self._versions.content(number), by=by, at_s=at_s, stamp=stamp)

    def keep(self) -> None:
        """Keep what the file says now as a version, where it is none yet: an editor wrote it.

        Raises:
            SettingsError: the file cannot be read, or its versions cannot be written.
        """
        with self._alone(self.stamp):
            try:
                self._keep_found(self._content_or_none())
            except OSError as error:
                raise self._unwritable(error) from error

    def versions(self) -> tuple[Version, ...]:
        """The contents that the file has had, newest first; the last one written is its own."""
        return self._versions.all()

    def version(self, number: int) -> bytes:
        """What a version holds; SettingsError where there is none."""
        return self._versions.content(number)

    def is_version(self, number: int) -> bool:
        """Tell whether the file is as in a version now."""
        with suppress(SettingsError):
            return self._versions.content(number) == self._content_or_none()
        return False

    def content_of(self, stamp: str) -> bytes | None:
        """The content with a stamp: the file's own, or a version's; None: it is not kept."""
        with suppress(SettingsError):
            now = self._content_or_none()
            kept = self._versions.contents()
            return next((one for one in (now, *kept) if one and _stamp(one) == stamp), None)
        return None

    @property
    def stamp(self) -> str:
        """Names the content that the file has now, for a form that may be sent much later."""
        with suppress(SettingsError):
            return _stamp(self._content_or_none())
        return "?"

    @contextmanager
    def _alone(self, stamp: str | None) -> Iterator[None]:
        """Nobody else changes the file meanwhile, and it is still the one that was seen."""
        with self._lock:
            try:
                own_folder(self._versions.folder, like=self.path)
                handle = os.open(self._versions.folder, os.O_RDONLY | os.O_DIRECTORY)
            except OSError as error:
                raise self._unwritable(error) from error
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                now = _stamp(self._content_or_none())
                loaded = _stamp(self._seen) if self._loaded else now
                if now != (loaded if stamp is None else stamp):
                    raise ChangedMeanwhileError([self._changed_meanwhile()])
                yield
            finally:
                os.close(handle)

    def _put(self, content: bytes, *, by: str, at_s: float) -> Settings:
        settings = settings_of(content, self.path)
        before = self._content_or_none()
        self._check(self._sound(before), settings)
        try:
            if content != before:
                self._keep_found(before)
                changed = differing(self._sound(before), settings)
                kept = self._versions.keep(content, at_s=at_s, by=by, changed=changed)
                try:
                    write_durably(self.path, content)
                except OSError:
                    self._versions.drop(kept.number)  # it never came into force
                    raise
        except OSError as error:
            raise self._unwritable(error) from error
        self._seen, self._loaded = content, True
        return settings

    def _keep_found(self, content: bytes | None) -> None:
        """Keep what somebody has written into the file itself, or what there was at first."""
        if content is not None and content != self._versions.newest():
            self._versions.keep(content, at_s=self.path.stat().st_mtime, by="")

    def _sound(self, content: bytes | None) -> Settings:
        """What a content says; nothing where it is damaged."""
        if content is not None:
            with suppress(SettingsError):
                return settings_of(content, self.path)
        return Settings()

    def _content_or_none(self) -> bytes | None:
        return read_settings(self.path) if self.path.exists() else None

    def _changed_meanwhile(self) -> Problem:
        return Problem(
            f"{self.path} was changed by somebody else meanwhile; nothing was written. Look at "
            "what it says now and try again.",
            f"{self.path} hat inzwischen jemand anders geändert; geschrieben wurde nichts. "
            "Nachsehen, was jetzt darin steht, und noch einmal versuchen.",
        )

    def _unwritable(self, error: OSError) -> SettingsError:
        en = (
            f"The settings file {self.path} cannot be written: {error.strerror}. It stays as it "
            "was; its folder must be one that Schockauge may write, on a disk with free space."
        )
        de = (
            f"Die Einstellungsdatei {self.path} ist nicht zu schreiben: {error.strerror}. Sie "
            "bleibt, wie sie war; Schockauge muss ihren Ordner beschreiben dürfen, und auf dem "
            "Datenträger muss Platz sein."
        )
        return BadSettingsError([Problem(en, de)])


def differing(before: Mapping[str, object], now: Mapping[str, object]) -> tuple[str, ...]:
    """Names of the settings whose values differ."""
    return tuple(name for name in now if before[name] != now[name])


def _stamp(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()[:32]
