"""A log read once, from its beginning: the match, and beside it what it leaves open."""

from __future__ import annotations

from dataclasses import replace

from device.chain import LogEntry
from device.desk import MOST_WAITING, Desk
from device.errors import StoreError
from device.seen import Seen
from device.store import EventLog
from rules.errors import RulesError
from rules.events import EVENT_TYPES, event_from_json
from rules.match import Match

PAGE_ENTRIES = 1000
BESIDE_THE_GAME = ("fault", "evidence.", "access.")
"""Entries that say nothing of what became of a fact."""


class Restored:
    """The fold of a log, as far as it was read.

    Args:
        log: what is to be folded.

    Attributes:
        match: the latest match; None before there is one.

    Raises:
        StoreError: it cannot be read, or the rules cannot follow it.
    """

    def __init__(self, log: EventLog) -> None:
        self.match: Match | None = None
        self._log = log
        self._seq = 0
        self._desk = Desk()
        self._fresh: Seen | None = None
        self.read()

    @property
    def desk(self) -> Desk:
        """The desk after the last entry. A fact at the very end that nothing came of yet waits."""
        desk, match = self._desk, self.match
        if self._fresh is not None:
            return replace(desk, waiting=(self._fresh,))
        waits = match is not None and not match.is_over and desk.blocked(match)
        return desk if waits else replace(desk, waiting=())

    def read(self) -> None:
        """Take in the entries that were written since.

        Raises:
            StoreError: as above.
        """
        while page := self._log.read(self._seq, PAGE_ENTRIES):
            for entry in page:
                self._take(entry)
                self._seq = entry.seq

    def _take(self, entry: LogEntry) -> None:
        if entry.type.startswith("table."):
            self._see(entry)
            return
        if not entry.type.startswith(BESIDE_THE_GAME):
            self._fresh = None  # the fact before has been acted on
        if entry.type in EVENT_TYPES:
            self.match = _followed(self.match, entry)
        self._desk = self._desk.after(entry.type, entry.data)

    def _see(self, entry: LogEntry) -> None:
        self._desk, seen = self._desk.saw(entry.seq, entry.data)
        self._fresh = None
        desk, match = self._desk, self.match
        if match is None or match.state.paused or match.is_over:
            return
        if not desk.blocked(match):
            self._desk, self._fresh = replace(desk, waiting=()), seen
        elif len(desk.waiting) < MOST_WAITING:
            self._desk = replace(desk, waiting=(*desk.waiting, seen))


def _followed(match: Match | None, entry: LogEntry) -> Match:
    try:
        event = event_from_json({"type": entry.type, **entry.data})
        if match is None or entry.type == "match_started":
            return Match.replay([event])
        return match.apply(event)
    except RulesError as error:
        raise StoreError(
            f"Entry {entry.seq} ({entry.type}) of the log does not follow from those before it: "
            f"{error}. The log belongs to another version or is damaged; name another one."
        ) from error
