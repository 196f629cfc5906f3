"""Games written down: a log's database, an exported log, rules events, or a hand-written record.

A hand-written record is one JSON object a line, first the table, then what was done:

    {"book": "turnier", "players": ["A", "B", "C"]}
    {"type": "throw", "player": "A", "dice": [6, 5, 2]}
    {"type": "stop", "player": "A"}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.chain import LogEntry, verify_chain
from device.errors import SourceError
from device.store import SqliteLog
from rules import find_book
from rules.actions import ACTION_TYPES, action_from_json
from rules.errors import RulesError
from rules.events import EVENT_TYPES, Event, event_from_json
from rules.match import Match

SQLITE_MAGIC = b"SQLite format 3\0"
PAGE_ENTRIES = 1000


@dataclass(frozen=True)
class Step:
    """One event of a replayed game and the match after it."""

    number: int
    event: Event
    match: Match


def entries(path: Path) -> Iterator[LogEntry]:
    """The entries of a log: its database, or JSON lines as `schockauge export` writes them.

    Raises:
        SourceError: no such file, or no log.
        StoreError: damaged.
    """
    if _is_database(path):
        with SqliteLog(path) as log:
            seq = 0
            while page := log.read(seq, PAGE_ENTRIES):
                yield from page
                seq = page[-1].seq
        return
    last: LogEntry | None = None
    for number, line in _json_lines(path):
        try:
            entry = LogEntry(**line)
        except TypeError as error:
            raise SourceError(
                f"{path}, line {number} is no entry of a log: {error}. Expected the lines of "
                "`schockauge export --format json`."
            ) from error
        verify_chain([entry], last)
        last = entry
        yield entry


def replay(path: Path) -> Iterator[Step]:
    """Replay a game, whatever way it was written down.

    Raises:
        SourceError: no such file, or a line that is no step of a game; names the line.
        StoreError: the log is damaged.
    """
    match: Match | None = None
    for number, record in _game_lines(path):
        try:
            if "players" in record and "type" not in record:
                match = Match.new(find_book(str(record.get("book", ""))), record["players"])
                yield Step(number, match.started, match)
                continue
            match, events = _step(match, record)
        except RulesError as error:
            raise SourceError(f"{path}, line {number}: {error}") from error
        for event, after in events:
            yield Step(number, event, after)
    if match is None:
        raise SourceError(f"{path} holds no game. Expected a log, events or a written record.")


def _step(
    match: Match | None, record: Mapping[str, Any]
) -> tuple[Match | None, list[tuple[Event, Match]]]:
    if record.get("type") not in ACTION_TYPES:
        event = event_from_json(record)
        begins = match is None or event.type == "match_started"
        after = Match.replay([event]) if match is None or begins else match.apply(event)
        return after, [(event, after)]
    action = action_from_json(record)
    if match is None:
        raise RulesError("a record begins with the table: {'book': ..., 'players': [...]}")
    steps = []
    for event in match.decide(action):
        match = match.apply(event)
        steps.append((event, match))
    return match, steps


def _game_lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Events or actions, with the number of the line or entry they come from."""
    if _is_database(path):
        for entry in entries(path):
            if entry.type in EVENT_TYPES:
                yield entry.seq, {"type": entry.type, **entry.data}
        return
    for number, line in _json_lines(path):
        if "hash" not in line:
            yield number, line
        elif line.get("type") in EVENT_TYPES:
            yield number, {"type": line["type"], **line.get("data", {})}


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from error


def _json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise SourceError(f"{path}, line {number} is no JSON: {error}.") from error
        if not isinstance(record, dict):
            raise SourceError(f"{path}, line {number} is {record!r}, expected a JSON object.")
        yield number, record
