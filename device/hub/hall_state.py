"""The hall as a fold of everything that the hub has: its own log and the logs of all tables. Pure.

What people at the desk and the hub itself decide is in the hub's own log; what the tables have
played is in theirs. After a restart the same entries give the same hall.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from device.chain import canonical
from device.hub.incidents import INCIDENT
from device.hub.thrown import THROWN, last_throw
from device.hub_wire import Seating
from device.played_games import Place
from device.played_rounds import REFUSED, SEATED, PlayedRounds
from rules.tournament import Tournament
from rules.tournament_events import EVENT_TYPES, TournamentStarted, tournament_event_from_json
from rules.tournament_state import Round
from web_ui.ports import LogEntry
from web_ui.tournament_ports import LastThrow

TOURNAMENT = "tournament."
"""What the type of a tournament's event begins with in the hub's log."""

OPENED, ASSIGNED, CLOCKED = "hall.opened", "hall.assigned", "hall.clocked"
"""Entries of the hub's log: the rule book of a tournament; which device stands at which table of a
round; the minutes of the round count from now on."""

BEGUN = "match_started"
"""Entry of a table's log: a game begins."""

AVAILABLE = "hall.available"
"""A table is there or not."""

MOST_TOLD = 200
"""Incidents and events of the tournament kept to be shown; the log has all of them."""


class FeedEntry(LogEntry, Protocol):
    """One entry of the feed over all logs; `table` is "" for the hub's own."""

    @property
    def table(self) -> str:
        """Whose log it is of."""

    @property
    def log(self) -> str:
        """Of which log, by the hash of its first entry."""

    @property
    def log_seq(self) -> int:
        """Its number in that log."""


@dataclass(frozen=True)
class Told:
    """An event of the tournament, as it is shown.

    Attributes:
        seq: its number in the feed.
        at_s: when, Unix time in seconds.
        type: of the event.
        data: the rest of it.
    """

    seq: int
    at_s: float
    type: str
    data: Mapping[str, Any]


@dataclass
class AtTable:
    """What is known of one device.

    Attributes:
        played: what it has played in rounds of tournaments.
        log: its newest log.
        online: the broker has it.
        seq: the last entry of it that has come.
        seen_s: when that was written.
        last_throw: the latest one of the game under way, or None.
    """

    played: PlayedRounds
    log: str = ""
    online: bool = False
    seq: int = 0
    seen_s: float = 0.0
    last_throw: LastThrow | None = None


class HallState:
    """The fold; `take` the entries of the feed in their order.

    Attributes:
        tournament: the newest one; None before there is one.
        key: names it beside its own name: two may be called the same.
        book: by which rule book its games are played.
        drawn_s: when the last round was drawn, Unix time in seconds.
        tables: devices by name.
        started_s: when the clock of that round was started; 0: it was not.
        off: devices that were taken off their table by hand, and have not come back since.
        incidents: what the desk should know of, the newest last.
        told: what the hub itself has reported since the last draw, as JSON texts.
        history: the latest events of the tournament, the newest last.
    """

    def __init__(self) -> None:
        self.tournament: Tournament | None = None
        self.key = ""
        self.book = ""
        self.drawn_s = 0.0
        self.started_s = 0.0
        self.tables: dict[str, AtTable] = {}
        self.off: set[str] = set()
        self.incidents: list[Mapping[str, Any]] = []
        self.told: set[str] = set()
        self.history: list[Told] = []
        self._anew: dict[tuple[str, Place], int] = {}
        self._devices: dict[tuple[int, int], dict[int, str]] = {}
        self._stood: set[tuple[int, int, int, str]] = set()

    def take(self, entry: FeedEntry) -> bool:
        """Take in an entry; tell whether a result, or who plays where, may have changed."""
        if entry.table:
            return self._take_of_table(entry)
        if entry.type.startswith(TOURNAMENT):
            return self._take_tournament(entry)
        data = entry.data
        if entry.type == OPENED:
            self.book = str(data["book"])
        elif entry.type == ASSIGNED:
            named = {int(number): str(name) for number, name in data["tables"].items()}
            self._devices[int(data["round"]), int(data["attempt"])] = named
            self._stood |= {
                (int(data["round"]), int(data["attempt"]), number, name)
                for number, name in named.items()
            }
            self.off = (self.off | {str(data.get("off", ""))}) - {"", *named.values()}
        elif entry.type == AVAILABLE:
            self._at(str(data["table"])).online = bool(data["online"])
            self.off -= {str(data["table"])} if data["online"] else set()
        elif entry.type == CLOCKED:
            self.started_s = entry.at_s
        elif entry.type == INCIDENT:
            self._note_incident(entry)
        return entry.type == ASSIGNED

    def devices(self, one: Round) -> Mapping[int, str]:
        """Which device stands at which table of a round; a table without one plays by card."""
        return self._devices.get((one.number, one.attempt), {})

    def seatings(self, devices: Iterable[str]) -> dict[str, Seating]:
        """What is to be played at each of some devices now.

        Without a tournament it is said as well: of an earlier hub, or one that was set back to a
        backup, there may be something that the broker has kept, or that a table still plays.
        """
        tournament = self.tournament
        free = Seating(tournament=self.key, round=0)
        if tournament is None or tournament.round is None or tournament.is_over:
            return dict.fromkeys(devices, free)
        one = tournament.round
        waiting = set(one.waiting)
        numbers = {name: n for n, name in self.devices(one).items() if n in waiting}
        return {
            name: self._seating_at(tournament, one, numbers[name]) if name in numbers else free
            for name in devices
        }

    def has_stood(self, device: str, place: Place) -> bool:
        """Whether a device was ever put at a table of a round; what its log says does not count."""
        return (*place[1:], device) in self._stood and place[0] == self.key

    def place(self, one: Round, number: int) -> Place:
        """How a table of a round is named in the log of the device."""
        return self.key, one.number, one.attempt, number

    def _seating_at(self, tournament: Tournament, one: Round, number: int) -> Seating:
        made, seats = tournament.format, one.tables[number - 1]
        players = tuple(name for name in seats if tournament.state.entrants[name].here)
        lives = made.lives(one.kind) if one.kind != "points" else 0
        return Seating(
            tournament=self.key,
            round=one.number,
            attempt=one.attempt,
            number=number,
            players=players,
            book=self.book,
            games=0 if lives else made.games_per_round,
            lives=tuple(lives for _ in players) if lives else (),
            go_on=made.go_on(len(seats), one.kind),
            scharf=number in one.scharf,
            half_out=made.scharf == "half_out",
        )

    def _at(self, name: str) -> AtTable:
        return self.tables.setdefault(name, AtTable(PlayedRounds()))

    def _take_of_table(self, entry: FeedEntry) -> bool:
        at = self._at(entry.table)
        if at.played.turn_to(entry.log, entry.at_s):
            at.log, at.seq, at.seen_s = entry.log, entry.log_seq, entry.at_s
        if entry.type == REFUSED:
            self._note_incident(entry)
        was_damaged = at.played.damage_of(entry.log)
        changed = at.played.take(entry)
        if entry.log == at.log and entry.type in THROWN:
            at.last_throw = last_throw(entry, at.played.match)
        elif entry.log == at.log and entry.type == BEGUN:
            at.last_throw = None
        if not was_damaged and (damage := at.played.damage_of(entry.log)):
            self._note_damage(entry, damage)
        if entry.type in (SEATED, BEGUN):  # either log may come first
            self._note_new_log(entry, at.played)
        return changed

    def _take_tournament(self, entry: FeedEntry) -> bool:
        kind = entry.type.removeprefix(TOURNAMENT)
        if kind not in EVENT_TYPES:
            return False
        event = tournament_event_from_json({**entry.data, "type": kind})
        if isinstance(event, TournamentStarted):
            self.tournament = Tournament.replay([event])
            self.key = f"{event.name} ({entry.seq})"
            self._devices, self._stood = {}, set()
        elif self.tournament is not None:
            self.tournament = self.tournament.apply(event)
        if kind == "round_drawn":
            self.drawn_s, self.started_s = entry.at_s, 0.0
            self.told.clear()
        self.history.append(Told(entry.seq, entry.at_s, kind, entry.data))
        del self.history[:-MOST_TOLD]
        return True

    def _note_incident(self, entry: FeedEntry) -> None:
        if not entry.table:
            self.told.add(canonical(entry.data))
        told = {**entry.data, "table": entry.table or entry.data.get("table", "")}
        told.setdefault("kind", entry.type)
        self.incidents.append({**told, "seq": entry.seq, "at_s": entry.at_s})
        del self.incidents[:-MOST_TOLD]

    def _note_damage(self, entry: FeedEntry, why: str) -> None:
        self.incidents.append(
            {
                "kind": "log_not_followed",
                "table": entry.table,
                "text_de": f"Das Protokoll von {entry.table} ist ab Eintrag {entry.seq} mit den "
                f"Regeln nicht zu vereinbaren ({why}). Bitte die Tischkarte eintragen.",
                "text_en": f"The log of {entry.table} cannot be followed by the rules from entry "
                f"{entry.seq} on ({why}). Please enter the table's card.",
                "seq": entry.seq,
                "at_s": entry.at_s,
            }
        )
        del self.incidents[:-MOST_TOLD]

    def _note_new_log(self, entry: FeedEntry, played: PlayedRounds) -> None:
        place, logs = played.place, played.began_anew()
        if place is None or logs <= self._anew.get((entry.table, place), 0):
            return
        self._anew[entry.table, place] = logs
        number = place[1]
        self.incidents.append(
            {
                "kind": "log_begun_anew",
                "table": entry.table,
                "text_de": f"{entry.table} hat mitten in Runde {number} ein neues Protokoll "
                "begonnen und weiß nicht mehr, was dort gespielt war. Es zählt, was in beiden "
                "steht. Bitte vergleichen und, wo nötig, die Tischkarte eintragen.",
                "text_en": f"{entry.table} has begun a new log in the middle of round {number} and "
                "does not know any more what was played there. What stands in both counts. Please "
                "compare, and enter the table's card where needed.",
                "seq": entry.seq,
                "at_s": entry.at_s,
            }
        )
        del self.incidents[:-MOST_TOLD]
