"""The chain of the log: entries that are numbered and sealed, so that a changed one shows.

Every entry carries the SHA-256 of its own content and of the entry before it. Who changes, removes
or inserts a record would have to seal everything behind it anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from device.errors import LogDamagedError, StoreError

GENESIS = "0" * 64
"""`previous` of the first entry."""


@dataclass(frozen=True)
class LogEntry:
    """One line of the log.

    Attributes:
        seq: 1, 2, 3 ... without gaps.
        at_s: when it was written, Unix time in seconds.
        type: what it is, for instance `thrown` or `question.asked`.
        data: JSON object.
        previous: hash of the entry before, `GENESIS` for the first.
        hash: SHA-256 over the other five, hexadecimal.
    """

    seq: int
    at_s: float
    type: str
    data: dict[str, Any]
    previous: str
    hash: str

    def to_json(self) -> dict[str, Any]:
        """The entry as a JSON object, one line of an export."""
        return {
            "seq": self.seq,
            "at_s": self.at_s,
            "type": self.type,
            "data": self.data,
            "previous": self.previous,
            "hash": self.hash,
        }


def chain(
    last: LogEntry | None, items: Iterable[tuple[str, Mapping[str, Any]]], *, at_s: float
) -> list[LogEntry]:
    """Number and seal new entries behind `last`.

    Raises:
        StoreError: the data are no JSON object.
    """
    seq, previous = (last.seq, last.hash) if last else (0, GENESIS)
    at_s = float(at_s)  # 5 and 5.0 have different seals, and a store keeps the latter
    entries = []
    for kind, data in items:
        seq += 1
        try:
            written = canonical(dict(data))
            check_text(kind, written)
            plain = json.loads(written)
        except (TypeError, ValueError) as error:
            raise StoreError(f"The entry {kind!r} cannot be written as JSON: {error}.") from error
        sealed = _seal(seq, at_s, kind, plain, previous)
        entries.append(LogEntry(seq, at_s, kind, plain, previous, sealed))
        previous = sealed
    return entries


def verify_chain(entries: Iterable[LogEntry], previous: LogEntry | None = None) -> None:
    """Check numbers and hashes of consecutive entries.

    Args:
        entries: oldest first.
        previous: the entry before the first of them, None at the beginning of the log.

    Raises:
        LogDamagedError: names the first entry that does not fit.
    """
    seq, last = (previous.seq, previous.hash) if previous else (0, GENESIS)
    for entry in entries:
        if entry.seq != seq + 1:
            raise LogDamagedError(
                f"The log jumps from entry {seq} to entry {entry.seq}: entries are missing. "
                "Restore the file from a copy; nothing after the gap can be trusted."
            )
        sealed = seal_of(entry)
        if entry.previous != last or entry.hash != sealed:
            raise LogDamagedError(
                f"Entry {entry.seq} ({entry.type}) of the log was changed after it was written: "
                "its hash does not fit. Restore the file from a copy."
            )
        seq, last = entry.seq, entry.hash


def seal_of(entry: LogEntry) -> str:
    """What the hash of an entry must be, by its content."""
    return _seal(entry.seq, entry.at_s, entry.type, entry.data, entry.previous)


def as_line(entry: LogEntry) -> str:
    """An entry as the one line of an export that it can be, without its end."""
    return json.dumps(entry.to_json(), ensure_ascii=False)


def canonical(data: Mapping[str, Any]) -> str:
    """JSON with one spelling only: what is hashed and what is stored."""
    return json.dumps(
        data, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def _seal(seq: int, at_s: float, kind: str, data: Mapping[str, Any], previous: str) -> str:
    content = canonical(
        {"seq": seq, "at_s": at_s, "type": kind, "data": data, "previous": previous}
    )
    # Half a character was never sealed; who forces one into a log changes the seal like any other.
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def check_text(*texts: str) -> None:
    """Check that texts hold whole characters: no file, database or network takes half a one.

    Raises:
        UnicodeEncodeError: one of them does not.
    """
    for text in texts:
        text.encode()


def is_row(row: tuple[object, ...]) -> bool:
    """Tell whether a row of a log's database holds what it should: damage may make any of it NULL.

    Args:
        row: `seq`, `at_s`, `type`, `data`, `previous`, `hash`.
    """
    seq, at_s, *texts = row
    numbers = isinstance(seq, int) and isinstance(at_s, int | float)
    return numbers and all(isinstance(text, str) for text in texts)
