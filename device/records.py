"""Games written down: a log's database, an exported log, rules events, or a hand-written record.

A hand-written record is one JSON object a line, first the table, then what was done:

    {"book": "turnier", "players": ["A", "B", "C"]}
    {"type": "throw", "player": "A", "dice": [6, 5, 2]}
    {"type": "stop", "player": "A"}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.books import book_named
from device.chain import LogEntry, verify_chain
from device.errors import SourceError
from device.json_lines import json_lines
from device.store import SqliteLog
from rules.actions import ACTION_TYPES, action_from_json
from rules.errors import RulesError
from rules.events import EVENT_TYPES, Event, event_from_json
from rules.match import Match

SQLITE_MAGIC = b"SQLite format 3\0"
PAGE_ENTRIES = 1000
HEAD = ("book", "players", "weekday")
"""What the first line of a written record may name."""
NO_ENTRY = "is no entry of a log as `schockauge export --format json` writes them"


@dataclass(frozen=True)
class Step:
    """One event of a replayed game and the match after it.

    Attributes:
        number: of the line or entry that it stands in.
        event: what happened.
        match: how it stands then.
        missing: it stands nowhere: the record ends inside a decision (at line `number`), and this
            follows from it by itself.
    """

    number: int
    event: Event
    match: Match
    missing: bool = False


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
    for number, line in json_lines(path):
        last = _entry(path, number, line, last)
        yield last


def _entry(path: Path, number: int, line: Mapping[str, Any], before: LogEntry | None) -> LogEntry:
    """An entry of an exported log that follows the one before it in the chain.

    Raises:
        SourceError: it is none; names the line.
        StoreError: it was changed.
    """
    try:
        entry = LogEntry(**line)
        fits = isinstance(entry.type, str) and isinstance(entry.data, Mapping)
    except TypeError as error:
        raise SourceError(f"{path}, line {number} {NO_ENTRY}: {error}.") from error
    if not fits:
        raise SourceError(f"{path}, line {number} {NO_ENTRY}: {dict(line)!r}.")
    verify_chain([entry], before)
    return entry


def replay(path: Path) -> Iterator[Step]:
    """Replay a game, whatever way it was written down; the end of a cut-off decision is added.

    Raises:
        SourceError: no such file, or a line that is no step of a game; names the line.
        StoreError: the log is damaged.
    """
    match: Match | None = None
    number = 0
    for number, record in _game_lines(path):
        try:
            if "players" in record and "type" not in record:
                if match is not None and not match.is_over:
                    raise RulesError("a table is named while a game is under way")
                match = _table(record)
                yield Step(number, match.started, match)
                continue
            match, events = _step(match, record)
        except RulesError as error:
            raise SourceError(f"{path}, line {number}: {error}") from error
        for event, after in events:
            yield Step(number, event, after)
    if match is None:
        raise SourceError(f"{path} holds no game. Expected a log, events or a written record.")
    for event in match.missing():
        match = match.apply(event)
        yield Step(number, event, match, missing=True)


def _table(record: Mapping[str, Any]) -> Match:
    """Begin the game that the head of a written record names.

    Raises:
        RulesError: a key that no head has, or one that does not fit.
    """
    unknown = sorted(set(record) - set(HEAD))
    if unknown:
        raise RulesError(f"unknown {', '.join(unknown)}; a table has {', '.join(HEAD)}")
    players, book = record["players"], record.get("book")
    if not isinstance(players, list):
        raise RulesError(f"'players' must be a list of names, but got {players!r}")
    if not isinstance(book, str):
        raise RulesError(f"'book' must be the name of a rule book, but got {book!r}")
    return Match.new(book_named(book), players, weekday=record.get("weekday"))


def _step(
    match: Match | None, record: Mapping[str, Any]
) -> tuple[Match | None, list[tuple[Event, Match]]]:
    kind = record.get("type")
    if not isinstance(kind, str):
        raise RulesError(f"'type' must name an action or an event, but got {kind!r}")
    if kind not in ACTION_TYPES:
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
    last: LogEntry | None = None
    for number, line in json_lines(path):
        if "hash" not in line:
            yield number, line
            continue
        last = _entry(path, number, line, last)
        if last.type in EVENT_TYPES:
            yield number, {"type": last.type, **last.data}


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from error
