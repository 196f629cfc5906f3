"""The hall at work: takes in what comes, decides what follows, and writes it down.

Everything goes one way: into the hub's log, from there into the feed, from there into the hall's
state. A hub that is killed at any point begins again with the same entries and goes on.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from device.chain import canonical
from device.errors import DatabaseAwayError, HubError, StoreError
from device.hub.hall_actions import Entries, decide, tournament_entry
from device.hub.hall_results import Due, due
from device.hub.hall_state import AVAILABLE, FeedEntry, HallState
from device.hub.incidents import INCIDENT
from device.hub_wire import Seating
from device.store import EventLog
from rules.tournament_events import TournamentEvent
from web_ui.errors import ActionRefused

PAGE_ENTRIES = 200
"""Taken in under one lock, some 20 ms: a hall that has much to catch up with still shows itself."""

WAIT_S = 0.5
AGAIN_S = 1.0
"""After the database could not be read or written."""

STUMBLED = "hall"
"""Fault that is reported: the hall cannot go on with what stands in the logs."""

SeatAt = Callable[[str, Seating], None]
Report = Callable[[str, str | None], None]
"""Tells a fault and what is wrong; then the same fault and None: it is over."""

_log = logging.getLogger(__name__)


class Feed(Protocol):
    """All logs of the hall as one (`device.hub.streams.Streams`)."""

    def read(self, after_seq: int = 0, limit: int = 1000) -> Sequence[FeedEntry]:
        """The entries after a number, oldest first."""

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Wait until there is one after a number; False when the time ran out."""


class Hall:
    """Runs the tournament; safe to use from the threads of pages and broker.

    Args:
        feed: all logs.
        log: the hub's own, which is part of the feed.
        clock: Unix time in seconds, stamps the entries.
        devices: the names of the paired tables.
        seat: tells a table who plays there (`device.hub_wire.Seating`).
        report: tells a fault, and its end.

    Raises:
        HubError, StoreError: the database cannot be read.
    """

    def __init__(
        self,
        feed: Feed,
        log: EventLog,
        *,
        clock: Callable[[], float],
        devices: Callable[[], Sequence[str]],
        seat: SeatAt,
        report: Report = lambda fault, why: None,
    ) -> None:
        self.state = HallState()
        self._feed, self._log, self._clock = feed, log, clock
        self._devices, self._seat = devices, seat
        self._report = report
        self._seq = 0
        self._told: dict[str, Seating] = {}
        self._online: dict[str, bool] = {}
        self._may_follow = False
        self.lock = threading.RLock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self.catch_up()

    @property
    def seq(self) -> int:
        """Number of the newest entry of the feed that is taken in."""
        return self._seq

    @property
    def devices(self) -> Callable[[], Sequence[str]]:
        """The names of the paired tables."""
        return self._devices

    def start(self) -> None:
        """Begin to follow the tables, with what an earlier hub has left to do."""
        self._thread.start()

    def close(self) -> None:
        """Stop following; may be called twice, and without `start`."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def catch_up(self) -> bool:
        """Take in what is new; tell whether anything may follow that was not followed yet.

        Raises:
            HubError, StoreError: the database cannot be read.
        """
        while page := self._feed.read(self._seq, PAGE_ENTRIES):
            with self.lock:
                for entry in page:
                    if entry.seq > self._seq:  # another thread may have read the same
                        self._may_follow |= self.state.take(entry)
                        self._seq = entry.seq
        return self._may_follow

    def do(self, action: Mapping[str, Any], by: str = "") -> tuple[TournamentEvent, ...]:
        """Carry out what the desk asks for, and what follows from it.

        What follows can come later: where the database is lost in between, `start`'s thread does
        it as soon as it is back.

        Args:
            action: an action of `rules.tournament_actions` as JSON, or one of the hall
                (`device.hub.hall_actions`).
            by: who asks, where the action itself does not say so.

        Returns:
            The events of the tournament.

        Raises:
            ActionRefused: not allowed now; nothing has changed.
            HubError, StoreError: it cannot be written. Nothing has changed, unless the database
                was lost while committing: who asks again is told what is there.
        """
        self.catch_up()  # the most of it without keeping others out
        with self.lock:
            self.catch_up()
            decided = decide(self.state, action, by=by, devices=self._devices())
            self._append(decided.entries)
            with suppress(HubError, StoreError):
                self.catch_up()
                self.follow()
        return decided.events

    def refusal(self, action: Mapping[str, Any], by: str = "") -> ActionRefused | None:
        """Why an action is refused now, or None if it is allowed."""
        with self.lock:
            try:
                decide(self.state, action, by=by, devices=self._devices())
            except ActionRefused as refused:
                return refused
        return None

    def note(self, type: str, data: Mapping[str, Any]) -> None:
        """Write an entry of the hub's own log.

        Raises:
            HubError, StoreError: it cannot be written.
        """
        with self.lock:
            self._write([(type, dict(data))])

    def report(self, incident: Mapping[str, Any]) -> None:
        """Tell the desk of something (`kind`, `table`, `text_de`, `text_en`).

        Raises:
            HubError, StoreError: it cannot be written.
        """
        self.note(INCIDENT, incident)

    def available(self, table: str, *, online: bool) -> None:
        """A table has come, or has gone.

        Raises:
            HubError, StoreError: it cannot be written.
        """
        with self.lock:
            at = self.state.tables.get(table)
            known = self._online.get(table, at is not None and at.online)
            if known != online:  # however much there is to catch up with, this does not wait for it
                entry = (AVAILABLE, {"table": table, "online": online})
                self._log.append_all([entry], at_s=self._clock())
                self._online[table] = online

    def tell_all(self) -> None:
        """Tell every table anew who plays there: the broker may have forgotten."""
        with self.lock:
            self._told.clear()
            self._tell()

    def _run(self) -> None:
        stumbled = False
        while not self._stop.is_set():
            try:
                if self._feed.wait(self._seq, WAIT_S):
                    self.catch_up()
                if self._may_follow:  # whoever has read the entry from which something follows
                    with self.lock:
                        self.catch_up()
                        self.follow()
            except DatabaseAwayError:
                self._stop.wait(AGAIN_S)  # whoever writes says so at the desk
            except Exception as error:  # the desk must hear of it: a damaged entry, or what it is
                if not stumbled:
                    _log.exception("the hall stumbled behind entry %d", self._seq)
                    self._report(STUMBLED, f"{type(error).__name__}: {error}")
                stumbled = True
                self._stop.wait(AGAIN_S)
            else:
                if stumbled:
                    self._report(STUMBLED, None)
                stumbled = False

    def follow(self) -> None:
        """Do what follows from the logs, one thing after the other, and tell the tables."""
        while step := next((one for one in due(self.state) if not self._is_told(one)), None):
            if step.action is not None:
                assert self.state.tournament is not None, "something is due in it"
                events = self.state.tournament.decide(step.action)
                self._write([tournament_entry(event) for event in events])
            elif step.incident is not None:
                self._write([(INCIDENT, dict(step.incident))])
        self._may_follow = False  # only now: a write that failed leaves the rest to be done
        self._tell()

    def _is_told(self, step: Due) -> bool:
        """Whether an incident stands in the log already, since the last draw."""
        return step.incident is not None and canonical(step.incident) in self.state.told

    def _tell(self) -> None:
        for device, seating in self.state.seatings(self._devices()).items():
            if self._told.get(device) != seating:
                self._told[device] = seating
                self._seat(device, seating)

    def _write(self, entries: Entries) -> None:
        self._append(entries)
        self.catch_up()

    def _append(self, entries: Entries) -> None:
        self._log.append_all(list(entries), at_s=self._clock())
