"""Logs as they are written, for `device.proof`: nothing is repaired, nothing is left out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from device.chain import LogEntry, as_line, canonical, is_row
from device.errors import SourceError
from device.json_lines import parse_json
from device.store_file import read_only


@dataclass(frozen=True)
class Read:
    """A line of a log.

    Attributes:
        entry: what it says; None when it says nothing.
        problem: why not.
        written: the text as it stands there.
        spelling: the only way in which this entry is written.
    """

    entry: LogEntry | None
    problem: str = ""
    written: str = ""
    spelling: str = ""


def from_database(path: Path) -> Iterator[Read]:
    """The entries of a log's database; it is opened for reading only.

    Raises:
        SourceError: it cannot be opened.
    """
    try:
        database = read_only(path)
    except sqlite3.Error as error:
        raise SourceError(f"The log {path} cannot be opened: {error}.") from error
    try:
        columns = "seq, at_s, type, data, previous, hash"
        for row in database.execute(f"SELECT {columns} FROM entries ORDER BY seq"):
            yield _of_row(row)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter when it names what is damaged
        yield Read(None, f"the database is damaged ({error})")
    finally:
        database.close()


def _of_row(row: tuple[int, float, str, str, str, str]) -> Read:
    if not is_row(row):
        return Read(None, "its columns hold something else")
    seq, at_s, kind, data, previous, sealed = row
    try:
        content = parse_json(data)
    except ValueError as error:
        return Read(None, f"its data are no JSON ({error})")
    if not isinstance(content, dict):
        return Read(None, "its data are no JSON object")
    entry = LogEntry(seq, at_s, kind, content, previous, sealed)
    return Read(entry, written=data, spelling=canonical(content))


def from_lines(content: bytes) -> Iterator[Read]:
    """The entries of an exported log (`schockauge export`).

    Args:
        content: of the file: JSON lines, each with its end.
    """
    *lines, rest = content.split(b"\n")
    for line in lines:
        yield _of_line(line)
    if rest:
        yield Read(None, "the line has no end")


def _of_line(line: bytes) -> Read:
    try:
        text = line.decode("utf-8")
        record = parse_json(text)
    except ValueError as error:
        return Read(None, f"it is no JSON ({error})")
    try:
        entry = LogEntry(**record)
    except TypeError:
        return Read(None, "it is no entry of a log")
    forms = ((entry.seq, int), (entry.at_s, int | float), (entry.type, str), (entry.data, dict))
    if not all(isinstance(value, form) for value, form in forms):
        return Read(None, "it is no entry of a log")
    return Read(entry, written=text, spelling=as_line(entry))
