"""What the pages of the tournament are given: the hall and its tables.

Looking goes into the database of the hub; acting at a table goes over the broker and comes back
with the table's own answer.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from device.faults import FAULTS
from device.hub.files import Files
from device.hub.hall import Hall
from device.hub.hall_state import AtTable
from device.hub.table_view import TableView
from device.store import EventLog
from rules.errors import RulesError
from rules.tournament import Tournament
from web_ui.errors import ActionRefused
from web_ui.ports import EventLog as ShownLog
from web_ui.ports import LogEntry
from web_ui.tournament_ports import Pending, RoundClock, TableStatus

Ask = Callable[[str, Mapping[str, Any], str], None]
"""Sends a referee's action to a table and waits for its answer; raises `ActionRefused`."""


class Logs(Protocol):
    """The logs of the tables (`device.hub.streams.Streams`)."""

    def log(self, log_id: str) -> EventLog:
        """One log, to read."""


class Front:
    """Implements `web_ui.tournament_ports.Hall`; safe to use from several threads.

    Args:
        hall: the tournament.
        feed: everything that happens, for the live stream.
        logs: of the tables.
        states: what each table says of itself (`url`, `faults`, `seq`), by its name.
        ask: has a table carry out an action.
        files: stills and clips that have come, and asking for them.
        faults: what is wrong with the hub itself just now, in the form of incidents.
        clock: Unix time in seconds.
    """

    def __init__(
        self,
        hall: Hall,
        feed: ShownLog,
        logs: Logs,
        states: Callable[[str], Mapping[str, Any]],
        ask: Ask,
        files: Files,
        faults: Callable[[], Sequence[Mapping[str, Any]]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._hall, self._feed, self._logs = hall, feed, logs
        self._states, self._ask, self._files, self._clock = states, ask, files, clock
        self._faults = faults
        self._views: dict[str, tuple[str, TableView]] = {}
        self._lock = threading.Lock()

    @property
    def log(self) -> ShownLog:
        """Everything that happens in the hall, in one row."""
        return self._feed

    @property
    def seq(self) -> int:
        """Number of the newest entry that the hall has taken in."""
        return self._hall.seq

    def history(self, most: int) -> Sequence[LogEntry]:
        """The latest events of the tournament, newest first."""
        with self._hall.lock:
            return self._hall.state.history[: -most - 1 : -1]

    def tournament(self) -> Tournament | None:
        """The tournament that is under way or was the last; None before the first."""
        with self._hall.lock:
            return self._hall.state.tournament

    def clock(self) -> RoundClock | None:
        """When the last round that was drawn began; None before the first."""
        with self._hall.lock:
            state = self._hall.state
            one = state.tournament.round if state.tournament is not None else None
            if one is None:
                return None
            return RoundClock(
                round=one.number, drawn_at_s=state.drawn_s, started_at_s=state.started_s
            )

    def do(self, action: dict[str, Any], by: str) -> Sequence[Mapping[str, Any]]:
        """Carry out an action; see `device.hub.hall_actions`.

        Raises:
            ActionRefused: it is not allowed now; nothing has changed.
            HubError: the database cannot be written; nothing has changed.
        """
        return [event.to_json() for event in self._hall.do(action, by)]

    def refusal(self, action: dict[str, Any]) -> ActionRefused | None:
        """Why `do` would refuse an action now, or None."""
        return self._hall.refusal(action)

    def tables(self) -> Sequence[TableStatus]:
        """The tables of the current draw by their number, then other devices by name."""
        with self._hall.lock:
            state = self._hall.state
            one = state.tournament.round if state.tournament is not None else None
            drawn = {} if one is None or not one.waiting else dict(state.devices(one))
            seats = () if one is None or not one.waiting else one.tables
            shown = [
                self._status(drawn.get(number, ""), number, players)
                for number, players in enumerate(seats, start=1)
            ]
            others = sorted(set(self._hall.devices()) - set(drawn.values()))
            return [*shown, *(self._status(name, 0, ()) for name in others)]

    def queue(self) -> Sequence[Pending]:
        """What all tables ask for, the oldest first."""
        with self._lock:
            asked = [one for view in self._up_to_date() for one in view.pending()]
        return sorted(asked, key=lambda one: (one.at_s, one.table, one.id))

    def rule(self, table: str, action: dict[str, Any], by: str) -> None:
        """Have a table carry out a referee's action.

        Raises:
            ActionRefused: the table does not allow it, or cannot be reached.
        """
        self._ask(table, action, by)

    def evidence(self, table: str, sha256: str) -> Path | None:
        """A still or clip; None: it is not here yet, and its table has been asked for it."""
        if (here := self._files.find(sha256)) is not None:
            return here
        with self._lock:
            known = any(view.names(sha256) for view in self._up_to_date() if view.table == table)
        if known:
            self._files.want(table, sha256)
        return None

    def incidents(self) -> Sequence[Mapping[str, Any]]:
        """What somebody should look into, the latest first."""
        with self._hall.lock:
            told = [*self._faults(), *reversed(self._hall.state.incidents)]
        now_s, views = self._clock(), [view for _, view in list(self._views.values())]
        told += [_not_followed(view, now_s) for view in views if view.damaged]
        return [{**one, "what": one.get("kind", "")} for one in told]

    def _up_to_date(self) -> list[TableView]:
        """The view of every table's newest log, with what is new in it."""
        with self._hall.lock:
            logs = {name: at.log for name, at in self._hall.state.tables.items() if at.log}
        for name, log_id in logs.items():
            known = self._views.get(name)
            if known is None or known[0] != log_id:
                self._views[name] = (log_id, TableView(name, self._logs.log(log_id)))
            self._views[name][1].read()
        return [self._views[name][1] for name in logs]

    def _status(self, name: str, number: int, players: Sequence[str]) -> TableStatus:
        state = self._hall.state
        at, said = state.tables.get(name), self._states(name) if name else {}
        if at is None:
            return TableStatus(name=name, number=number, players=tuple(players))
        match = at.played.match if at.played.in_place or not number else None
        sits = tuple(players) or (match.players if match is not None else ())
        return TableStatus(
            name=name,
            number=number,
            online=at.online,
            players=sits,
            turn=(match.current_player or "") if match is not None else "",
            last_throw=at.last_throw if match is not None else None,
            games_done=self._games_done(at, number),
            behind=max(0, _whole(said.get("seq")) - at.seq),
            last_seen_s=max(0.0, self._clock() - at.seen_s) if at.seen_s else None,
            url=str(said.get("url") or ""),
            faults=_faults(said.get("faults")),
            source="log",
        )

    def _games_done(self, at: AtTable, number: int) -> int:
        """Games that are over at a table of the round, which may not have heard of it yet."""
        tournament = self._hall.state.tournament
        one = tournament.round if tournament is not None else None
        if one is None or not number:
            return 0
        try:
            return len(at.played.games(self._hall.state.place(one, number)))
        except RulesError:
            return 0  # told among the incidents


def _not_followed(view: TableView, at_s: float) -> Mapping[str, Any]:
    return {
        "kind": "queue_not_followed",
        "table": view.table,
        "at_s": at_s,
        "text_de": f"Was {view.table} den Schiedsrichter fragt, kann hier nicht gezeigt werden "
        f"({view.damaged}). Bitte am Tisch selbst nachsehen.",
        "text_en": f"What {view.table} asks the referee cannot be shown here ({view.damaged}). "
        "Please look at the table itself.",
    }


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _faults(value: object) -> tuple[tuple[str, str], ...]:
    """What a table reports, by codes, as pairs of a German and an English sentence."""
    told = value if isinstance(value, list) else []
    return tuple(FAULTS.get(str(code), (str(code), str(code))) for code in told)
