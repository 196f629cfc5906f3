"""The thread that takes the tables' messages in: read, write, answer, report, in this order.

A table hears of its entries only after the database has committed them. While the database is away
nothing is answered: messages wait, then drop, and the tables send again from their cursor. After a
failure the ends of all logs are read anew, because a commit whose answer was lost may have been
made; messages that wait are then held against what is really there.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from tenacity import (
    AttemptManager,
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    sleep_using_event,
    stop_when_event_set,
    wait_random_exponential,
)

from device.errors import DatabaseAwayError, HubError, LogDamagedError
from device.hub.inbox import Inbox
from device.hub.incidents import INCIDENT, REFUSED, Incident, IncidentBook
from device.hub.intake import Intake, Outcome, conflict
from device.hub.streams import Streams
from device.hub.table_log import HubLog
from device.hub.tables import Tables
from device.hub_wire import CURSOR, Cursor, parse_topic, seal, topic

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 5.0
"""Between two tries to reach the database; each is drawn from twice the range of the one before."""

LOOK_S = 1.0
"""How often it is looked whether a count of incidents is due."""

DATABASE, ANSWERS, RECEIVER = "database", "answers", "receiver"
"""Faults that are reported: the hub cannot write; it cannot answer the tables; it has failed and
takes nothing in any more, which only a restart mends."""

Publish = Callable[[str, bytes], None]
"""Sends a retained message: topic, content. Without a broker it may be lost: who connects anew
calls `announce`."""

Report = Callable[[str, str | None], None]
"""Tells a fault and what is wrong; then the same fault and None: it is over."""

Messages = Sequence[tuple[str, bytes]]


@dataclass(frozen=True)
class Counts:
    """What the receiver has done since it began."""

    messages: int
    entries: int
    dropped: int
    waiting: int


class Receiver:
    """Takes messages in until it is closed.

    Args:
        streams: where the logs are.
        log: the hub's own, for incidents.
        publish: sends a retained message.
        report: tells a fault, and its end.
        clock: Unix time in seconds.
        ticks: a clock that never goes back, in seconds.
    """

    def __init__(
        self,
        streams: Streams,
        log: HubLog,
        publish: Publish,
        report: Report,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._streams, self._log, self._tables = streams, log, Tables(streams)
        self._publish, self._report = publish, report
        self._clock, self._ticks = clock, ticks
        self._inbox = Inbox()
        self._incidents = IncidentBook()
        self._intake: Intake | None = None
        self._keys: Mapping[str, bytes] = {}
        self._wanted: deque[Mapping[str, bytes]] = deque(maxlen=1)
        self._to_announce = threading.Event()
        self._stopping = threading.Event()
        self._faults: set[str] = set()
        self._messages = self._entries = 0
        self._thread = threading.Thread(target=self._run, name="hub-receiver", daemon=True)

    def start(self) -> None:
        """Begin: read how far all logs go, tell every paired table, then take in what comes."""
        self._thread.start()

    def close(self) -> None:
        """End after what is being written; what waits is dropped, for its table sends it again."""
        self._stopping.set()
        self._inbox.ring()
        if self._thread.ident is not None:
            self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def put(self, topic: str, payload: bytes) -> bool:
        """Take a message from the broker's thread, at once; False: no room, it was dropped."""
        return self._inbox.put(topic, payload)

    def reload(self, keys: Mapping[str, bytes]) -> None:
        """From now on these tables are paired, and no others; all are told how far the hub is."""
        self._wanted.append(dict(keys))
        self.announce()

    def announce(self) -> None:
        """Tell every paired table how far the hub is: the broker is new, or there again."""
        self._to_announce.set()
        self._inbox.ring()

    def counts(self) -> Counts:
        """What was done so far."""
        return Counts(self._messages, self._entries, self._inbox.dropped, len(self._inbox))

    def _run(self) -> None:
        self._to_announce.set()
        self._inbox.ring()
        try:
            for attempt in self._patiently():
                with attempt:
                    self._keys = self._tables.keys()
            while not self._stopping.is_set():
                messages = self._inbox.take(LOOK_S if self._incidents.waiting() else None)
                self._change_keys()
                if messages:
                    self._messages += len(messages)
                    self._settle(messages)
                if self._to_announce.is_set():
                    self._tell_all()
                self._write_incidents()
        except Exception as error:
            if not self._stopping.is_set():
                self._begin(RECEIVER, f"{type(error).__name__}: {error}")
                raise

    def _settle(self, messages: Messages) -> None:
        """Write a burst and answer it; what the database refuses goes without its table's rest."""
        try:
            for attempt in self._patiently():
                with attempt:
                    outcome = self._written(messages)
        except (DatabaseAwayError, LogDamagedError):
            raise  # the hub is being closed
        except HubError as error:
            tables = {(parse_topic(where) or ("",))[0] for where, _ in messages}
            if len(tables) == 1:
                self._incidents.note(Incident(REFUSED, tables.pop(), detail=str(error)[:200]))
                return
            for table in sorted(tables):
                own = [m for m in messages if (parse_topic(m[0]) or ("",))[0] == table]
                self._settle(own)
            return
        for table, cursor in outcome.cursors:
            self._tell(table, cursor)
        for incident in outcome.incidents:
            self._incidents.note(incident)

    def _written(self, messages: Messages) -> Outcome:
        """One try: decide, write, and only then adopt what was decided."""
        fresh = self._intake is None
        outcome = self._known().take(messages, self._ticks())
        try:
            self._streams.add(outcome.accepted)
            changed = [c for c in outcome.checks if self._streams.hash_of(c.log, c.seq) != c.hash]
        except (HubError, LogDamagedError) as error:
            self._intake = None  # what the database holds now is to be read, not to be guessed
            if fresh or isinstance(error, DatabaseAwayError | LogDamagedError):
                raise
            return self._written(messages)  # it may have been restored from a backup meanwhile
        self._intake = outcome.after
        self._entries += sum(len(part.entries) for part in outcome.accepted)
        for check in changed:
            self._incidents.note(conflict(check))
        return outcome

    def _known(self) -> Intake:
        if self._intake is None:
            self._intake = Intake.of(self._streams.ends().values(), self._keys)
        return self._intake

    def _change_keys(self) -> None:
        if not self._wanted:
            return
        wanted = self._wanted.popleft()
        for attempt in self._patiently():
            with attempt:
                self._tables.replace(wanted, at_s=self._clock())
        self._keys = wanted
        if self._intake is not None:
            self._intake = self._intake.with_keys(wanted)

    def _tell_all(self) -> None:
        self._to_announce.clear()
        for attempt in self._patiently():
            with attempt:
                intake = self._known()
        for table in self._keys:
            self._tell(table, intake.cursor(table))

    def _tell(self, table: str, cursor: Cursor) -> None:
        where = topic(table, CURSOR)
        message = seal(self._keys[table], where, cursor.to_body())
        try:
            self._publish(where, message)
        except Exception as error:  # of whatever library: one answer must not stop the hub
            self._begin(ANSWERS, f"{type(error).__name__}: {error}")
        else:
            self._end(ANSWERS)

    def _write_incidents(self) -> None:
        now_s = self._ticks()
        due: list[dict[str, Any]] = self._incidents.due(now_s)
        if not due:
            return
        for attempt in self._patiently():
            with attempt:
                self._log.append_all([(INCIDENT, data) for data in due], at_s=self._clock())
        self._incidents.written(now_s)

    def _patiently(self) -> Iterator[AttemptManager]:
        """Try until the database is there, or the hub is closed."""
        yield from Retrying(
            retry=retry_if_exception_type((DatabaseAwayError, LogDamagedError)),
            wait=wait_random_exponential(multiplier=FIRST_PAUSE_S, max=LONGEST_PAUSE_S),
            sleep=sleep_using_event(self._stopping),
            stop=stop_when_event_set(self._stopping),
            before_sleep=self._failed,
            reraise=True,
        )
        self._end(DATABASE)

    def _failed(self, state: RetryCallState) -> None:
        self._begin(DATABASE, str(state.outcome.exception() if state.outcome else ""))

    def _begin(self, fault: str, wrong: str) -> None:
        if fault not in self._faults:
            self._faults.add(fault)
            self._report(fault, wrong)

    def _end(self, fault: str) -> None:
        if fault in self._faults:
            self._faults.remove(fault)
            self._report(fault, None)
