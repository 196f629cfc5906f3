"""A match and its log kept in step: what the rules decide is written first, then believed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, get_args

from device.books import book_named
from device.desk import Desk
from device.restoring import Restored
from device.store import EventLog, LogEntry
from rules.actions import Action
from rules.book import RuleBook, Weekday
from rules.dice import DICE_PER_PLAYER
from rules.events import Event
from rules.match import Match
from rules.reasons import refuse

EVENING_ENDS_S = 6 * 3600.0
"""Until six in the morning it is still the day before."""


class Game:
    """The match under way; every change goes through `do`, into the log and then into the match.

    Args:
        log: where the events go; those it already holds are replayed, and if they end inside a
            decision, what follows from it by itself is added, with a note (`log_completed`).
        book: name of the rule book, or its file, for a new match.
        players: names, clockwise, for a new match.
        clock: Unix time in seconds, stamps the entries.
        weekday: the evening's day, for books to which it matters; None: as the clock says.

    Raises:
        UnknownBook, SourceError: no such book.
        StoreError: the log holds a match that the rules cannot follow, or cannot be written.
    """

    def __init__(
        self,
        log: EventLog,
        *,
        book: str,
        players: Sequence[str],
        clock: Callable[[], float],
        weekday: Weekday | None = None,
    ) -> None:
        self.log = log
        self._clock = clock
        self._weekday = weekday
        self._lock = threading.RLock()
        self._together: list[tuple[str, dict[str, Any]]] | None = None
        self._restored = Restored(log)
        resumed = self._restored.match
        if resumed is not None:
            resumed = self._completed(resumed)
        if resumed is not None and not resumed.is_over:
            self._match = resumed
            return
        self._match = self.new_match(book_named(book), players)
        self._write([self._match.started])

    @property
    def match(self) -> Match:
        """The match; whoever does nothing `together` waits until what is done so is written."""
        with self._lock:
            return self._match

    @property
    def player(self) -> str | None:
        """Who is expected to act; None when the game is over."""
        return self.match.current_player

    @property
    def dice_in_play(self) -> int:
        """How many dice a throw has now, with those put aside."""
        opening = self.match.state.opening
        return DICE_PER_PLAYER if opening is None else opening.dice_to_throw

    def left_open(self) -> Desk:
        """What the log as it is now leaves open.

        Raises:
            StoreError: it cannot be read.
        """
        with self._lock:
            self._restored.read()
            return self._restored.desk

    def do(self, action: Action) -> tuple[Event, ...]:
        """Decide an action, write what follows from it, and believe it.

        Raises:
            Refused: the rules do not allow it; nothing has changed.
            StoreError: it cannot be written; nothing has changed.
        """
        with self._lock:
            events = tuple(self._match.decide(action))
            changed = self._match
            for event in events:
                changed = changed.apply(event)
            self._write(events)
            self._match = changed
        return events

    def new_match(
        self, book: RuleBook, players: Sequence[str], weekday: Weekday | None = None
    ) -> Match:
        """A match that has not begun yet.

        Args:
            book: the rule book.
            players: names, clockwise.
            weekday: the evening's day; None: as the settings or the clock say.

        Raises:
            MalformedRecord: these players cannot play by this book, or there is no such day.
        """
        day = weekday or self._weekday or evening_of(self._clock())
        matters = book.champions_league != "off"
        return Match.new(book, players, weekday=day if matters else None)

    def begin(self, match: Match) -> tuple[Event, ...]:
        """Begin the next game, after the one before is over.

        Raises:
            Refused: it is under way; nothing has changed.
            StoreError: it cannot be written; nothing has changed.
        """
        with self._lock:
            if not self._match.is_over:
                raise refuse(self._match.book, "game_under_way")
            self._write([match.started])
            self._match = match
        return (match.started,)

    def note(self, type: str, data: dict[str, Any]) -> None:
        """Write an entry that is no event of the rules."""
        self._append([(type, data)])

    def record(self, type: str, data: dict[str, Any]) -> LogEntry:
        """Write an entry at once and return it; not inside `together`."""
        with self._lock:
            return self.log.append(type, data, at_s=self._clock())

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write what is done and noted inside all at once, at the end of the outermost block.

        Nothing of what is done inside has happened when an error leaves the block.

        Raises:
            StoreError: it cannot be written; nothing of it has happened.
        """
        with self._lock:
            before, outer = self._match, self._together
            inner: list[tuple[str, dict[str, Any]]] = []
            self._together = inner
            try:
                yield
                self._together = outer
                self._append(inner)
            except BaseException:
                self._match, self._together = before, outer
                raise

    def _completed(self, match: Match) -> Match:
        """Write what the log lacks at its end, and return the match after it."""
        missing = match.missing()
        if missing:
            note = "log_completed", {"events": [event.type for event in missing]}
            entries = [note, *(event_entry(event) for event in missing)]
            self.log.append_all(entries, at_s=self._clock())
        for event in missing:
            match = match.apply(event)
        return match

    def _write(self, events: Sequence[Event]) -> None:
        self._append([event_entry(event) for event in events])

    def _append(self, entries: Sequence[tuple[str, dict[str, Any]]]) -> None:
        with self._lock:
            if self._together is not None:
                self._together += entries
            elif entries:
                self.log.append_all(entries, at_s=self._clock())


def evening_of(at_s: float) -> Weekday:
    """The day to which an evening belongs that lasts into the night; `at_s`: Unix time."""
    days = get_args(Weekday)
    day: Weekday = days[time.localtime(at_s - EVENING_ENDS_S).tm_wday]
    return day


def event_entry(event: Event) -> tuple[str, dict[str, Any]]:
    """An event as type and data of a log entry."""
    data = event.to_json()
    return str(data.pop("type")), data
