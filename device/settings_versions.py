"""Every earlier content of a settings file, kept beside it: what, when, by whom."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from device.durable_file import own_folder, write_durably
from device.errors import SettingsError

SUFFIX = ".versions"
MOST = 50
"""Versions kept; the oldest goes. A file has some kilobytes."""

LATEST_S = 4e9
"""Unix time of the year 2096: what is noted as later was damaged."""

_NUMBERED = re.compile(r"[0-9]{6}\.toml")
_KEPT = re.compile(r"[0-9]{6}\.(toml|json)")


def is_kept(name: str) -> bool:
    """Whether a file of this name in the folder of the versions is one, or says who made one."""
    return _KEPT.fullmatch(name) is not None


@dataclass(frozen=True)
class Version:
    """One content that the file has had.

    Attributes:
        number: 1, 2, 3 ... in the order in which they came.
        at_s: since when, Unix time in seconds.
        by: who wrote it; empty: somebody at the file itself.
        changed: names of the settings that differ from the version before.
    """

    number: int
    at_s: float
    by: str
    changed: tuple[str, ...] = ()


class Versions:
    """The folder `NAME.versions` beside a settings file: a numbered copy each, and who made it.

    Args:
        path: the settings file; copies get its owner and mode.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = path.with_name(path.name + SUFFIX)

    def all(self) -> tuple[Version, ...]:
        """All that are kept, newest first."""
        return tuple(self._version(number) for number in reversed(self._numbers()))

    def content(self, number: int) -> bytes:
        """What a version holds.

        Raises:
            SettingsError: there is no such version, or it cannot be read.
        """
        try:
            return self._file(number).read_bytes()
        except FileNotFoundError as error:
            raise SettingsError(
                f"There is no version {number} of {self.path}. "
                "`schockauge settings --history` lists those that are kept."
            ) from error
        except OSError as error:
            raise SettingsError(
                f"{self._file(number)} cannot be read: {error.strerror}."
            ) from error

    def contents(self) -> Iterator[bytes]:
        """What they hold, newest first; one that cannot be read is passed over."""
        for number in reversed(self._numbers()):
            try:
                yield self.content(number)
            except SettingsError:
                continue

    def newest(self) -> bytes | None:
        """What the newest one holds, as far as it can be read."""
        return next(self.contents(), None)

    def keep(self, content: bytes, *, at_s: float, by: str, changed: Sequence[str] = ()) -> Version:
        """Keep a content as the newest version, and drop the oldest where there are too many.

        Raises:
            OSError: it cannot be written.
        """
        own_folder(self.folder, like=self.path)
        numbers = self._numbers()
        version = Version((numbers or [0])[-1] + 1, at_s, by, tuple(changed))
        known = json.dumps(asdict(version), ensure_ascii=False).encode()
        write_durably(self._note(version.number), known, like=self.path)
        write_durably(self._file(version.number), content, like=self.path)
        for number in [*numbers, version.number][:-MOST]:
            self.drop(number)
        return version

    def drop(self, number: int) -> None:
        """Forget a version, where it is there.

        Raises:
            OSError: its file cannot be deleted.
        """
        self._file(number).unlink(missing_ok=True)
        self._note(number).unlink(missing_ok=True)

    def files(self) -> Iterator[Path]:
        """All that is kept: each version, and who made it."""
        for number in self._numbers():
            yield from (path for path in (self._file(number), self._note(number)) if path.exists())

    def _version(self, number: int) -> Version:
        """A version as it was noted; where that was lost, by the time of its file."""
        try:
            noted: dict[str, Any] = json.loads(self._note(number).read_text(encoding="utf-8"))
            changed = tuple(map(str, noted["changed"]))
            at_s = float(noted["at_s"])
            if not 0 <= at_s < LATEST_S:
                raise ValueError("no moment that a calendar has")
            return Version(number, at_s, str(noted["by"]), changed)
        except (OSError, ValueError, KeyError, TypeError):
            return Version(number, self._time_of(number), "")

    def _time_of(self, number: int) -> float:
        try:
            return self._file(number).stat().st_mtime
        except OSError:
            return 0.0

    def _numbers(self) -> list[int]:
        try:
            names = [entry.name for entry in self.folder.iterdir()]
        except OSError:
            return []
        return sorted(int(name[:6]) for name in names if _NUMBERED.fullmatch(name))

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:06d}.toml"

    def _note(self, number: int) -> Path:
        return self.folder / f"{number:06d}.json"
