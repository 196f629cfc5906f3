"""A hall in memory: a tournament of the rules, tables as a test says, a log that only grows."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rules.errors import FormatError, Refused, UnknownFormat
from rules.tournament import Tournament
from rules.tournament_actions import HandIn, tournament_action_from_json
from rules.tournament_events import EVENT_TYPES, TournamentEvent
from rules.tournament_library import find_format, own_format
from rules.tournament_results import TableResult
from web_ui.errors import ActionRefused
from web_ui.tournament_pairing import PairingOffice
from web_ui.tournament_ports import (
    ASSIGN,
    CLOCK,
    COLLECT,
    OPEN,
    Pending,
    RoundClock,
    TableStatus,
)

START_S = 1_800_000_000.0


@dataclass(frozen=True)
class Entry:
    seq: int
    at_s: float
    type: str
    data: Mapping[str, Any]


class GrowingLog:
    """Entries in memory that may be waited for."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._grown = threading.Condition()

    def append(self, type: str, data: Mapping[str, Any], at_s: float = START_S) -> None:
        with self._grown:
            self.entries.append(Entry(len(self.entries) + 1, at_s, type, dict(data)))
            self._grown.notify_all()

    def read(self, after_seq: int = 0, limit: int = 1000) -> Sequence[Entry]:
        return self.entries[after_seq : after_seq + limit]

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        with self._grown:
            return self._grown.wait_for(lambda: len(self.entries) > after_seq, timeout_s)


def _refused(error: Refused) -> ActionRefused:
    return ActionRefused(error.text_de, error.text_en, error.code)


@dataclass
class MemoryHall:
    """See `web_ui.tournament_ports.Hall`; what comes of tables is set by the test."""

    clock_s: Any = None
    statuses: Mapping[int, TableStatus] = field(default_factory=dict)
    logged: Mapping[int, TableResult] = field(default_factory=dict)
    others: Sequence[TableStatus] = ()
    pending: list[Pending] = field(default_factory=list)
    files: dict[tuple[str, str], Path] = field(default_factory=dict)
    told: list[Mapping[str, Any]] = field(default_factory=list)
    offline: set[str] = field(default_factory=set)
    office: PairingOffice | None = None

    def __post_init__(self) -> None:
        self.log = GrowingLog()
        self.ruled: list[tuple[str, dict[str, Any], str]] = []
        self.asked: list[tuple[str, str]] = []
        self.done: list[tuple[dict[str, Any], str]] = []
        self._now: Tournament | None = None
        self._clock: RoundClock | None = None
        self._lock = threading.RLock()

    @property
    def seq(self) -> int:
        return len(self.log.entries)

    def _time_s(self) -> float:
        return START_S if self.clock_s is None else float(self.clock_s())

    def history(self, most: int) -> Sequence[Entry]:
        found = [one for one in self.log.entries if one.type in EVENT_TYPES]
        return found[: -most - 1 : -1]

    def tournament(self) -> Tournament | None:
        return self._now

    def clock(self) -> RoundClock | None:
        return self._clock

    def do(self, action: dict[str, Any], by: str) -> Sequence[Mapping[str, Any]]:
        with self._lock:
            self.done.append((action, by))
            if action["type"] == OPEN:
                return self._open(action)
            if action["type"] == CLOCK:
                return self._start_clock()
            if (refused := self.refusal(action)) is not None:
                raise refused
            if action["type"] == ASSIGN:
                return self._assign(action["table"], action["device"])
            assert self._now is not None
            after, happened = self._now, list[TournamentEvent]()
            for one in self._asked(action):
                after, events = after.do(one)
                happened += events
            return self._happened(after, happened)

    def refusal(self, action: dict[str, Any]) -> ActionRefused | None:
        kind = action["type"]
        if kind == CLOCK:
            return None if self._plays() else self._no_round()
        if self._now is None:
            return self._nothing()
        if kind == ASSIGN:
            return self._refuses_device(action["table"], action["device"])
        if kind == COLLECT and not self._plays():
            return self._no_round()
        try:
            after = self._now
            for one in self._asked(action):
                after, _ = after.do(one)
        except Refused as error:
            return _refused(error)
        except KeyError as error:
            n = error.args[0]
            return ActionRefused(f"An Tisch {n} steht kein Gerät.", f"No device at {n}.", "none")
        return None

    def _asked(self, action: dict[str, Any]) -> list[Any]:
        """The actions of the rules that an action comes to; KeyError: a table has no device."""
        if action["type"] != COLLECT:
            return [tournament_action_from_json(action)]
        results = {n: replace(self.logged[n], cut_short=action["reason"]) for n in action["tables"]}
        return [HandIn(table=number, result=result) for number, result in results.items()]

    def _refuses_device(self, number: int, device: str) -> ActionRefused | None:
        one = None if self._now is None else self._now.round
        if one is None:
            return self._no_round()
        if number > len(one.tables):
            said = f"the round has no table {number}"
            return ActionRefused(said, said, "malformed")
        if device and device not in {status.name for status in self.tables()}:
            said = f"no table {device!r} is paired"
            return ActionRefused(said, said, "malformed")
        return None

    def _assign(self, number: int, device: str) -> Sequence[Mapping[str, Any]]:
        known = {one.name: one for one in self.tables() if one.name}
        named = {n: one.name for n, one in self.statuses.items() if one.name != device}
        named.pop(number, None)
        named |= {number: device} if device else {}
        self.statuses = {n: known[name] for n, name in named.items()}
        left = sorted(set(known) - set(named.values()))
        self.others = [replace(known[name], number=0, players=()) for name in left]
        self.log.append("hall.assigned", {"tables": named}, self._time_s())
        return ()

    def tables(self) -> Sequence[TableStatus]:
        one = None if self._now is None else self._now.round
        drawn = []
        for number, seats in enumerate(() if one is None else one.tables, start=1):
            known = self.statuses.get(number, TableStatus())
            drawn.append(TableStatus(**{**vars(known), "number": number, "players": seats}))
        return (*drawn, *self.others)

    def queue(self) -> Sequence[Pending]:
        return tuple(sorted(self.pending, key=lambda one: one.at_s))

    def rule(self, table: str, action: dict[str, Any], by: str) -> None:
        if table in self.offline:
            raise ActionRefused(
                f"{table} ist nicht erreichbar.", f"{table} cannot be reached.", "table_away"
            )
        self.ruled.append((table, action, by))
        answered = action.get("question_id", action.get("case_id"))
        self.pending = [one for one in self.pending if (one.table, one.id) != (table, answered)]
        self.log.append("ruled", {"table": table})

    def evidence(self, table: str, sha256: str) -> Path | None:
        self.asked.append((table, sha256))
        return self.files.get((table, sha256))

    def incidents(self) -> Sequence[Mapping[str, Any]]:
        return tuple(self.told)

    def _open(self, action: dict[str, Any]) -> Sequence[Mapping[str, Any]]:
        if self._now is not None and not self._now.is_over:
            raise ActionRefused(
                "Es läuft schon ein Turnier.", "A tournament is under way.", "under_way"
            )
        try:
            text = action["format_text"]
            made = own_format(text) if text else find_format(action["format"])
        except (FormatError, UnknownFormat) as error:
            raise ActionRefused(str(error), str(error), "format") from error
        self._clock = None
        new = Tournament.new(made, action["name"], seed=action["seed"])
        return self._happened(new, (new.started,))

    def _start_clock(self) -> Sequence[Mapping[str, Any]]:
        if not self._plays() or self._clock is None:
            raise self._no_round()
        self._clock = RoundClock(**{**vars(self._clock), "started_at_s": self._time_s()})
        self.log.append("clock_started", {}, self._time_s())
        return ()

    def _plays(self) -> bool:
        return (
            self._now is not None and self._now.round is not None and bool(self._now.round.waiting)
        )

    def _happened(
        self, after: Tournament, events: Sequence[TournamentEvent]
    ) -> Sequence[Mapping[str, Any]]:
        self._now = after
        told = [event.to_json() for event in events]
        for event in told:
            if event["type"] == "round_drawn":
                self._clock = RoundClock(round=event["number"], drawn_at_s=self._time_s())
            data = {name: value for name, value in event.items() if name != "type"}
            self.log.append(event["type"], data, self._time_s())
        return told

    @staticmethod
    def _nothing() -> ActionRefused:
        return ActionRefused("Es gibt noch kein Turnier.", "There is no tournament.", "none")

    @staticmethod
    def _no_round() -> ActionRefused:
        return ActionRefused("Es ist keine Runde im Gang.", "No round is under way.", "no_round")
