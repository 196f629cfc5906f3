"""What a table has played in the rounds of a tournament: a fold of its log.

A table notes `tournament.seated` when the hub seats players there (`device.hosting`). The games
that begin after it belong to that round, until it is seated anew. The table itself asks this fold
which game comes next, the hub asks it for the result: one reading of one log.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from device.errors import ForgedMessageError
from device.hub_wire import Seating
from device.played_games import Followed, Game, Place
from rules.errors import IllegalEvent, RulesError
from rules.events import EVENT_TYPES, Event, MatchStarted, event_from_json
from rules.match import Match
from rules.tournament_games import next_players
from rules.tournament_log import records_of
from rules.tournament_results import GameRecord, TableResult

SEATED, REFUSED = "tournament.seated", "tournament.refused"
"""Entries of a table's log: whom the hub has seated; why a game of the round cannot begin there."""


class Entry(Protocol):
    """Of a log's entry, what is read here."""

    @property
    def type(self) -> str:
        """What it is."""

    @property
    def data(self) -> Mapping[str, Any]:
        """The content."""


class PlayedRounds:
    """The fold; `take` entries in their order, of one log or of several, also in turns.

    What is said of the table as it is now (`match`, `seating` …) is of its newest log: the rest of
    an older one that comes late adds to what was played, and nothing else.
    """

    def __init__(self) -> None:
        self._played: dict[Place, list[Game]] = {}
        self._sharp_from: dict[Place, int] = {}
        self._logs: dict[str, Followed] = {}
        self._newest = self._log = Followed()

    @property
    def match(self) -> Match | None:
        """The game under way or over; None before there is one."""
        return self._newest.match

    @property
    def seating(self) -> Seating | None:
        """The newest seating that was noted; None before there is one."""
        return self._newest.seating

    @property
    def damaged(self) -> str:
        """Why the log cannot be followed any more; "" as long as it can."""
        return self._newest.damaged

    def damage_of(self, log: str) -> str:
        """Why one of the logs cannot be followed any more; "" as long as it can."""
        return self._logs[log].damaged if log in self._logs else ""

    @property
    def place(self) -> Place | None:
        """Where the table plays now; None: in no tournament."""
        return self._newest.place

    @property
    def is_playing(self) -> bool:
        """Whether a game of the round is under way; one of sudden death is over with a half."""
        game = self._newest.game
        if game is None or game.match.is_over:
            return False
        counted = self._counted(game.place, separate=True, scharf=True)
        return all(one is not game for one, _ in counted)

    @property
    def in_place(self) -> bool:
        """Whether the game under way belongs to the round for which the table is seated."""
        return self._newest.game is not None

    def turn_to(self, log: str, at_s: float) -> bool:
        """Say of which log the next entry is; tell whether that is the table's newest one.

        That is the log which was heard of last, until something later comes of another one
        (`Followed.is_later`).

        Args:
            log: names it.
            at_s: when the entry was written, by the table's clock (which may have been wrong).
        """
        is_new = log not in self._logs
        self._log = self._logs.setdefault(log, Followed())
        if is_new or self._log.is_later(at_s, self._newest):
            self._newest = self._log
        self._log.last_s = max(self._log.last_s, at_s)
        return self._log is self._newest

    def take(self, entry: Entry) -> bool:
        """Take in an entry; tell whether a result may have changed by it."""
        log = self._log
        if log.damaged:
            return False
        try:
            if entry.type == SEATED:
                self._seat(log, Seating.from_body(entry.data))
                return False
            if entry.type not in EVENT_TYPES:
                return False
            was_over = log.match is not None and log.match.is_over
            event = event_from_json({"type": entry.type, **entry.data})
            begins = log.match is None or isinstance(event, MatchStarted)
            log.match = Match.replay([event]) if begins else _after(log.match, event)
            return self._note(log, event, log.match, was_over=was_over)
        except (RulesError, ForgedMessageError) as error:
            log.damaged = str(error)
        except Exception as error:  # who wrote it may be of another version, or mean harm
            log.damaged = f"{type(error).__name__}: {error}"
        return True

    def began_anew(self) -> int:
        """In how many logs the games of the newest one's place are; 0: in this one alone."""
        games = self._played.get(self._newest.place, []) if self._newest.place else []
        others = {id(game.log) for game in games if game.log is not self._newest}
        return len(others) + 1 if others else 0

    def result(
        self,
        place: Place,
        *,
        by: str,
        separate: bool = True,
        scharf: bool = False,
        cut_short: str = "",
    ) -> TableResult:
        """What the table has to hand in for a place so far; a game under way is left out.

        Args:
            place: which one.
            by: who hands it in.
            separate: see `rules.tournament_log.table_result`.
            scharf: sudden death was called.
            cut_short: why fewer games were played.

        Raises:
            IllegalEvent: the log cannot be followed.
        """
        if self.damaged:
            raise IllegalEvent(self.damaged)
        games = [record for _, record in self._counted(place, separate=separate, scharf=scharf)]
        return TableResult(games=tuple(games), source="log", by=by, cut_short=cut_short)

    @property
    def places(self) -> Collection[Place]:
        """All places for which a game was begun here."""
        return self._played.keys()

    def games(self, place: Place) -> Sequence[GameRecord]:
        """The games that were played to their end for a place."""
        return self.result(place, by="log", scharf=True).games

    def next_players(self, seating: Seating) -> tuple[str, ...]:
        """Who plays the next game of a seating; nobody: the table is done."""
        lives = dict(zip(seating.players, seating.lives, strict=False)) if seating.lives else None
        games = self.games(seating.place)
        return next_players(
            seating.players, games, most=seating.games, lives=lives, go_on=seating.go_on,
            half_out=seating.half_out,
        )  # fmt: skip

    def _note(self, log: Followed, event: Event, match: Match, *, was_over: bool) -> bool:
        if isinstance(event, MatchStarted):
            self._begin(log, match)
        if log.place is None or log.game is None:
            return False  # for fun, or from before and about to be abandoned
        log.game.match = match
        sharp = log.place in self._sharp_from and event.type == "half_over"
        if match.is_over or sharp:
            self._done(log.game)
        return was_over or match.is_over or sharp

    def _done(self, game: Game) -> None:
        """Let games count in the order in which they were heard of as done.

        In one log that is the order in which they were begun. A game in the rest of an older log
        that comes late must not stand before those that have counted already.
        """
        if not game.is_done:
            game.is_done = True
            games = self._played[game.place]
            games.remove(game)
            games.insert(sum(one.is_done for one in games), game)

    def _begin(self, log: Followed, match: Match) -> None:
        """A game begins; it is one of the round if the round's next players play it.

        A table that is started anew between two games begins one by its own settings first.
        """
        log.game = None
        if log.place is None or log.seating is None:
            return
        wanted = () if log.is_free else self.next_players(log.seating)
        if not wanted:
            log.place = None  # after the round, or after this table's part of it
        elif set(match.players) == set(wanted):
            log.game = Game(match, log, log.place)
            self._played.setdefault(log.place, []).append(log.game)

    def _seat(self, log: Followed, seating: Seating) -> None:
        log.seating, log.is_free = seating, not seating.round
        if log.is_free:
            return  # a ruling may still change what the table has played
        if log.place != seating.place:
            log.place, log.game = seating.place, None
        if seating.scharf and log.place not in self._sharp_from:
            self._sharp_from[log.place] = self._first_sharp_game(log, log.place)

    def _counted(
        self, place: Place, *, separate: bool, scharf: bool
    ) -> list[tuple[Game, GameRecord]]:
        """The games that have a record, with it; of one of sudden death it is its first half."""
        sharp_from = self._sharp_from.get(place, 0) if scharf else 0
        counted: list[tuple[Game, GameRecord]] = []
        for game in self._played.get(place, ()):
            number = len(counted) + 1
            sharp = 0 < sharp_from <= number
            made = game.records(number, separate=separate, sharp=sharp)
            counted += [(game, record) for record in made[:1]]
        return counted

    def _first_sharp_game(self, log: Followed, place: Place) -> int:
        """From which game on halves decide: the one under way, if no half of it is over yet."""
        under_way = log.game is not None and not log.game.match.is_over
        sharp = records_of(log.game.match, 1, sharp=True) if log.game and under_way else []
        return len(self.games(place)) + 1 + bool(sharp)


def _after(match: Match | None, event: Event) -> Match:
    assert match is not None, "only called while there is a match"
    return match.apply(event)
