"""A match: decide an action, apply the events, replay a log.

    match = Match.new(find_book("turnier"), ["Anna", "Ben", "Cem"])
    for event in match.decide(ThrowDice("Anna", (6, 5, 2))):
        match = match.apply(event)

A match is a frozen value. `decide` looks at an action and answers with events or
raises `Refused`, and changes nothing; `apply` leads from one match to the next;
`do` is both at once. A log is the list of all events, beginning with
`match_started`; `replay` leads from a log to the match. Each action also comes as
a triad: `verify_…` raises the reason against it, `can_…` says whether there is one
(`rules.permissions`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules import actions, correcting, deciding, events, legality
from rules.book import RuleBook, Weekday
from rules.checking import check_follows
from rules.errors import BookError, IllegalEvent, Refused
from rules.evolving import evolve
from rules.library import find_book, own_book
from rules.permissions import Permissions
from rules.phases import Part, Phase
from rules.reasons import refuse
from rules.state import initial_state

Find = Callable[[str], RuleBook]
_RECOUNTS = tuple(correcting.DECIDERS)
"""Actions after which the game counts anew; the others lead on from its last state."""


@dataclass(frozen=True)
class Match(Permissions):
    """A match in progress; see the module's text. Make one with `new` or `replay`."""

    @classmethod
    def new(
        cls, book: RuleBook, players: Sequence[str], *, weekday: Weekday | None = None
    ) -> "Match":
        """Begin a match.

        Args:
            book: the rule book, from `find_book`.
            players: names in seating order, clockwise.
            weekday: the day of the evening, for example `wednesday`, for books with a
                Champions League; this package knows no clock.

        Raises:
            MalformedRecord: too few players, an empty name, a name twice or no such day.
        """
        return cls(initial_state(book, tuple(players), weekday=weekday))

    @classmethod
    def replay(
        cls,
        log: Iterable[events.Event | Mapping[str, Any]],
        *,
        find: Find = find_book,
    ) -> "Match":
        """Lead from a log to the match.

        Args:
            log: all events in order, as events or as their JSON objects.
            find: where to look up the rule book by its key.

        Raises:
            IllegalEvent: the log does not begin with `match_started`, is written in
                another form, carries a rule book that is none, an event cannot follow the
                ones before it, or the last decision is cut off: apply its events one by
                one then, and after them what is `missing`.
            MalformedRecord: an entry is no event.
            UnknownBook: the log was written with a book that is not there.
        """
        match: Match | None = None
        for entry in log:
            event = entry if isinstance(entry, events.Event) else events.event_from_json(entry)
            if isinstance(event, events.MatchStarted):
                match = cls._begun(event, find, after=match)
            elif match is not None:
                match = match.apply(event)
            else:
                raise IllegalEvent(f"a log must begin with 'match_started', not {event.type!r}")
        if match is None:
            raise IllegalEvent("the log is empty; it must begin with 'match_started'")
        if missing := match.missing():
            types = ", ".join(repr(event.type) for event in missing)
            raise IllegalEvent(f"the log ends inside a decision; what must follow is {types}")
        return match

    @classmethod
    def _begun(cls, event: events.MatchStarted, find: Find, after: "Match | None") -> "Match":
        if after is not None and not after.is_over:
            raise IllegalEvent("a game begins while another one is under way")
        if event.schema != events.SCHEMA:
            raise IllegalEvent(f"the log has form {event.schema}, expected {events.SCHEMA}")
        try:
            book = own_book(event.book_text) if event.book_text else find(event.book)
        except BookError as error:
            raise IllegalEvent(f"the rule book of 'match_started' is none: {error}") from error
        return cls.new(book, event.players, weekday=event.weekday)

    @property
    def started(self) -> events.MatchStarted:
        """The event that a log of this match begins with."""
        book, day = self.book, self.state.weekday
        return events.MatchStarted(book.key, book.version, self.players, day, book.text)

    def missing(self) -> tuple[events.Event, ...]:
        """Return what follows by itself and has not been applied yet.

        Empty, unless the events applied so far end inside a decision: in a log that is cut off.
        """
        return deciding.follow_up(self.state)[0]

    def decide(self, action: actions.Action) -> tuple[events.Event, ...]:
        """Work out what an action leads to; nothing is changed.

        Raises:
            Refused: the rules do not allow it now.
        """
        if isinstance(action, actions.BeginGame):
            return (self._next(action).started,)
        if isinstance(action, _RECOUNTS):
            return (correcting.DECIDERS[type(action)](self.state, action)[0],)
        return deciding.decide(self.state, action)

    def apply(self, event: events.Event) -> "Match":
        """Return the match after an event.

        Raises:
            IllegalEvent: the event cannot follow; this match is unchanged.
        """
        if isinstance(event, events.MatchStarted):
            return Match._begun(event, find_book, after=self)
        corrected = check_follows(self.state, event)
        return Match(evolve(self.state, event) if corrected is None else corrected)

    def do(self, action: actions.Action) -> tuple["Match", tuple[events.Event, ...]]:
        """Decide an action and apply it.

        Returns:
            The match afterwards, and the events for the log.

        Raises:
            Refused: the rules do not allow it now; nothing has changed.
        """
        if isinstance(action, actions.BeginGame):
            decided = self.decide(action)
            return self.apply(decided[0]), decided
        if isinstance(action, _RECOUNTS):
            event, corrected = correcting.DECIDERS[type(action)](self.state, action)
            return Match(corrected), (event,)
        decided, after = deciding.carry_out(self.state, action)
        return Match(after), decided

    def _next(self, action: actions.BeginGame) -> "Match":
        """The next game by the same book.

        Raises:
            Refused: `game_under_way`.
            MalformedRecord: as `new`.
        """
        if not self.is_over:
            raise refuse(self.book, "game_under_way")
        return Match.new(self.book, action.players, weekday=self.state.weekday)

    def refusal(self, action: actions.Action) -> Refused | None:
        """Return why an action is refused now, or None if it is allowed."""
        try:
            self.decide(action)
        except Refused as refused:
            return refused
        return None

    @property
    def book(self) -> RuleBook:
        """The rule book of the match."""
        return self.state.book

    @property
    def players(self) -> tuple[str, ...]:
        """All players, clockwise."""
        return self.state.players

    @property
    def part(self) -> Part:
        """What is being played for."""
        return self.state.part

    @property
    def phase(self) -> Phase:
        """What the table waits for."""
        return self.state.phase

    @property
    def turn(self) -> legality.Turn | None:
        """The turn under way; None in an opening, in a showdown and after the game."""
        return self.state.turn

    @property
    def current_player(self) -> str | None:
        """Who is expected to act next."""
        return self.state.current_player

    @property
    def stock(self) -> int:
        """Deckel in the common supply."""
        return self.state.stock

    @property
    def holdings(self) -> Mapping[str, int]:
        """Deckel per player; cannot be changed."""
        return self.state.holdings

    @property
    def is_over(self) -> bool:
        """Whether the game has a loser, or was abandoned."""
        return self.state.part is Part.OVER
