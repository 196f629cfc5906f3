"""Folds the log into what the page shows. The log is the only truth the dashboard has.

The fold is kept and only continued, so that fifty viewers cost as much as one. Entries of the
rules are applied to a `rules.match.Match`; questions and faults are kept beside it; everything
else merely appears in the list of lines. No entry can make the page fail: an event that the
rules cannot follow is shown as a fault, and the state before it stays.
"""

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rules.errors import RulesError
from rules.events import EVENT_TYPES, event_from_json
from rules.match import Match
from rules.statistics import Tally, tally
from rules.view import snapshot
from web_ui.evening import NO_GAMES, Game, game_of
from web_ui.facts import Fact, Facts
from web_ui.ports import Alarms, LogEntry, Readable
from web_ui.sentences import QUIET_TYPES

THROW_DEEDS = frozenset({"thrown", "burnt", "covered", "taken_back", "turn_started"})
"""Events after which another throw is the one to be repeated, or none."""

RULINGS = frozenset({"throw_corrected", "round_ruled", "deckel_ruled"})
"""Events by which a referee changes what the table has counted."""

_RULINGS_KEPT = 5
_READ_ENTRIES = 1000
"""Entries fetched at a time; a page of the log, so that a long evening needs little memory."""


@dataclass(frozen=True)
class Ruling:
    """What a referee has changed: the entry, and the match before and after (`snapshot`)."""

    entry: LogEntry
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True)
class Board:
    """What is true after entry `seq`.

    Attributes:
        seq: number of the last entry that went in; 0 for an empty log.
        match: `rules.view.snapshot`, or None before a game begins.
        burnt: the latest `burnt` event while the throw has not been repeated, or None.
        questions: open questions as asked, oldest first; `unread`: the game goes on without it.
        cases: open cases for the referee, oldest first; `past`: of a game before this one.
        waiting: numbers of the throws that wait behind a question, oldest first.
        faults: faults that last, oldest first, and what is alarming and not in the log.
        entries: the latest entries for people, newest first.
        broken: what the rules could not follow (`seq`, `reason`), or None.
        at_s: when entry `seq` was written, in the log's time; 0 for an empty log.
        games: the games of the log, oldest first, the one under way last.
        game: the match itself, or None before a game begins.
        facts: what the camera saw, by number of its entry.
        fact_of_throw: number of the fact that a throw came from (0: none), by number of the throw.
        rulings: what the referee has changed, the latest few, oldest first.
        past: what all games before the one under way come to.
        own_dice: in the game under way everybody throws at a seat of his own.
    """

    seq: int
    match: Mapping[str, Any] | None
    burnt: Mapping[str, Any] | None
    questions: tuple[Mapping[str, Any], ...]
    cases: tuple[Mapping[str, Any], ...]
    waiting: tuple[int, ...]
    faults: tuple[Mapping[str, Any], ...]
    entries: tuple[LogEntry, ...]
    broken: Mapping[str, Any] | None
    at_s: float
    games: tuple[Game, ...]
    game: Match | None
    facts: Mapping[int, Fact]
    fact_of_throw: Mapping[int, int]
    rulings: tuple[Ruling, ...]
    past: Tally
    own_dice: bool

    @cached_property
    def under_way(self) -> Tally:
        """What the game under way comes to; worked out when somebody looks, once."""
        return NO_GAMES if self.game is None else tally(self.game.state, own_dice=self.own_dice)


class Projection:
    """The fold of one log; safe to use from several threads."""

    def __init__(self, log: Readable, *, log_lines: int, alarms: Alarms = tuple) -> None:
        self._log = log
        self._alarms = alarms
        self._alarmed: tuple[Mapping[str, Any], ...] = ()
        self._lock = threading.Lock()
        self._entries: deque[LogEntry] = deque(maxlen=log_lines)
        self._seq = 0
        self._match: Match | None = None
        self._burnt: Mapping[str, Any] | None = None
        self._questions: dict[str, Mapping[str, Any]] = {}
        self._cases: dict[str, Mapping[str, Any]] = {}
        self._waiting: list[int] = []
        self._faults: dict[str, Mapping[str, Any]] = {}
        self._broken: Mapping[str, Any] | None = None
        self._at_s = self._began_s = 0.0
        self._games: list[Game] = []
        self._facts = Facts()
        self._rulings: deque[Ruling] = deque(maxlen=_RULINGS_KEPT)
        self._past = NO_GAMES
        self._own_dice = False
        self._board: Board | None = None

    def board(self) -> Board:
        """Return the state after everything the log holds now."""
        with self._lock:
            while entries := self._log.read(self._seq, _READ_ENTRIES):
                for entry in entries:
                    self._fold(entry)
            alarmed = tuple(self._alarms())
            if self._board is None or self._board.seq != self._seq or alarmed != self._alarmed:
                self._alarmed = alarmed
                self._board = self._freeze()
            return self._board

    def _freeze(self) -> Board:
        match = None if self._match is None else snapshot(self._match)
        under_way = () if match is None else (game_of(match, self._began_s),)
        return Board(
            seq=self._seq,
            match=match,
            burnt=self._burnt,
            questions=tuple(self._questions.values()),
            cases=tuple(self._cases.values()),
            waiting=tuple(self._waiting),
            faults=tuple({**self._faults, **self._alarms_by_name()}.values()),
            entries=tuple(reversed(self._entries)),
            broken=self._broken,
            at_s=self._at_s,
            games=(*self._games, *under_way),
            game=self._match,
            facts=dict(self._facts.known),
            fact_of_throw=dict(self._facts.of_throw),
            rulings=tuple(self._rulings),
            past=self._past,
            own_dice=self._own_dice,
        )

    def _alarms_by_name(self) -> dict[str, Mapping[str, Any]]:
        return {str(alarm.get("what", "")): alarm for alarm in self._alarmed}

    def _fold(self, entry: LogEntry) -> None:
        self._seq, self._at_s = entry.seq, entry.at_s
        self._facts.take(entry)
        if entry.type not in QUIET_TYPES:
            self._entries.append(entry)
        if entry.type.startswith("table.") and entry.data.get("seat") is not None:
            self._own_dice = True
        if entry.type in EVENT_TYPES:
            self._fold_event(entry)
        elif entry.type.startswith("question."):
            self._fold_question(entry)
        elif entry.type.startswith("case."):
            self._fold_case(entry)
        elif entry.type in ("waits", "caught_up"):
            self._fold_waiting(entry)
        elif entry.type in ("fault", "fault_over"):
            self._fold_fault(entry)

    def _fold_event(self, entry: LogEntry) -> None:
        begins = entry.type == "match_started"
        if self._broken is not None and not begins:
            return
        before = self._match
        try:
            event = event_from_json({"type": entry.type, **entry.data})
            if begins or self._match is None:
                self._match = Match.replay([event])
            else:
                self._match = self._match.apply(event)
        except RulesError as error:
            self._broken = {"seq": entry.seq, "reason": str(error)}
            return
        if begins:
            if before is not None:
                played = tally(before.state, own_dice=self._own_dice)
                game = game_of(snapshot(before), self._began_s)
                self._games.append(replace(game, tally=played))
                self._past += played
            self._began_s = entry.at_s
            self._own_dice = False
            self._broken = self._burnt = None
            self._questions.clear()
            self._waiting.clear()
            self._cases = {name: {**case, "past": True} for name, case in self._cases.items()}
        elif entry.type in RULINGS and before is not None:
            self._rulings.append(Ruling(entry, snapshot(before), snapshot(self._match)))
        if entry.type in THROW_DEEDS:
            self._burnt = entry.data if entry.type == "burnt" else None

    def _fold_question(self, entry: LogEntry) -> None:
        """`asked` opens a question, `unread` lets the game go on, any other word closes it."""
        question_id = entry.data.get("question_id")
        if question_id is None:
            return
        if entry.type == "question.asked":
            self._questions[str(question_id)] = entry.data
        elif entry.type == "question.unread" and str(question_id) in self._questions:
            asked = self._questions[str(question_id)]
            self._questions[str(question_id)] = {**asked, "unread": True}
        else:
            self._questions.pop(str(question_id), None)

    def _fold_case(self, entry: LogEntry) -> None:
        """`opened` opens a case, `closed` closes it; `seen` is another fact of an open one."""
        case_id = entry.data.get("case_id")
        if case_id is not None and entry.type == "case.opened":
            self._cases[str(case_id)] = entry.data
        elif entry.type == "case.closed":
            self._cases.pop(str(case_id), None)

    def _fold_waiting(self, entry: LogEntry) -> None:
        """A throw of which the log says that it `waits` does so until it is `caught_up`."""
        if entry.type == "waits":
            if isinstance(seq := entry.data.get("seq"), int):
                self._waiting.append(seq)
            return
        upto = entry.data.get("upto")
        self._waiting = [seq for seq in self._waiting if isinstance(upto, int) and seq > upto]

    def _fold_fault(self, entry: LogEntry) -> None:
        what = str(entry.data.get("what", ""))
        if entry.type == "fault":
            self._faults[what] = entry.data
        else:
            self._faults.pop(what, None)
