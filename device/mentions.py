"""Which files of evidence a log speaks of: what was kept, what was deleted, what was exported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from device.chain import LogEntry


@dataclass(frozen=True)
class Mention:
    """A file that was kept.

    Attributes:
        seq: of the entry that says so.
        about: of the fact that the file is evidence of.
        at_s: when, Unix time.
        sha256: of the file.
    """

    seq: int
    about: int
    at_s: float
    sha256: str


@dataclass
class Mentions:
    """What a log says of its files.

    Attributes:
        kept: all mentions of every file, by its name.
        dropped: entry that says that a file was deleted, by the file's name.
        exported: the latest entry `evidence.exported`, or None.
        exports: names of the files of every export that was finished, by its entry.
    """

    kept: dict[str, list[Mention]] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    exported: LogEntry | None = None
    exports: dict[int, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: Iterable[LogEntry]) -> Mentions:
        """Fold entries, oldest first."""
        mentions = cls()
        for entry in entries:
            mentions.take(entry)
        return mentions

    def take(self, entry: LogEntry) -> None:
        """Take in one entry; of one in a strange form nothing is believed."""
        data = entry.data
        if entry.type.startswith("table."):
            self._keep(entry, data.get("still"), data.get("sha256"), entry.seq)
        elif entry.type == "evidence.kept":
            self._keep(entry, data.get("file"), data.get("sha256"), data.get("seq"))
        elif entry.type == "evidence.dropped":
            for name in _names(data):
                self.dropped[name] = entry.seq
        elif entry.type == "evidence.exported":
            self.exported = entry
            self.exports[entry.seq] = _names(data)
        elif entry.type == "evidence.export_failed" and isinstance(data.get("seq"), int):
            self.exports.pop(data["seq"], None)

    @property
    def exported_names(self) -> set[str]:
        """Names of all files that were ever exported."""
        return {name for names in self.exports.values() for name in names}

    def expected(self, upto: int | None = None) -> dict[str, Mention]:
        """The files that must be there, by name, with the newest mention.

        Args:
            upto: only what entries up to this one say.
        """
        files = {}
        for name, said in self.kept.items():
            known = [mention for mention in said if upto is None or mention.seq <= upto]
            if known and self.dropped.get(name, 0) < known[-1].seq:
                files[name] = known[-1]
        return files

    def _keep(self, entry: LogEntry, name: Any, sha256: Any, about: Any) -> None:
        if isinstance(name, str) and isinstance(sha256, str) and isinstance(about, int):
            mention = Mention(entry.seq, about, entry.at_s, sha256)
            self.kept.setdefault(name, []).append(mention)


def _names(data: Mapping[str, Any]) -> list[str]:
    files = data.get("files")
    return [name for name in files if isinstance(name, str)] if isinstance(files, list) else []
