"""A match: decide an action, apply the events, replay a log.

    match = Match.new(find_book("turnier"), ["Anna", "Ben", "Cem"])
    for event in match.decide(ThrowDice("Anna", (6, 5, 2))):
        match = match.apply(event)

A match is a frozen value. `decide` looks at an action and answers with events or
raises `Refused`, and changes nothing; `apply` leads from one match to the next;
`do` is both at once. A log is the list of all events, beginning with
`match_started`; `replay` leads from a log to the match. Each action also comes as
a triad: `verify_…` raises the reason against it, `can_…` says whether there is one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rules import actions, correcting, deciding, events, legality, throwing
from rules.book import RuleBook, Weekday
from rules.checking import check_follows
from rules.dice import Dice, as_dice
from rules.errors import IllegalEvent, Refused
from rules.evolving import evolve
from rules.library import find_book, own_book
from rules.phases import Part, Phase
from rules.reasons import refuse
from rules.state import MatchState, initial_state

Find = Callable[[str], RuleBook]
_RECOUNTS = tuple(correcting.DECIDERS)
"""Actions after which the game counts anew; the others lead on from its last state."""


@dataclass(frozen=True)
class Match:
    """A match in progress; see the module's text. Make one with `new` or `replay`."""

    state: MatchState

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
                another form, or an event cannot follow the ones before it.
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
        return match

    @classmethod
    def _begun(cls, event: events.MatchStarted, find: Find, after: "Match | None") -> "Match":
        if after is not None and not after.is_over:
            raise IllegalEvent("a game begins while another one is under way")
        if event.schema != events.SCHEMA:
            raise IllegalEvent(f"the log has form {event.schema}, expected {events.SCHEMA}")
        book = own_book(event.book_text) if event.book_text else find(event.book)
        return cls.new(book, event.players, weekday=event.weekday)

    @property
    def started(self) -> events.MatchStarted:
        """The event that a log of this match begins with."""
        book, day = self.book, self.state.weekday
        return events.MatchStarted(book.key, book.version, self.players, day, book.text)

    def decide(self, action: actions.Action) -> tuple[events.Event, ...]:
        """Work out what an action leads to; nothing is changed.

        Raises:
            Refused: the rules do not allow it now.
        """
        if isinstance(action, actions.BeginGame):
            return (self._next(action).started,)
        if isinstance(action, _RECOUNTS):
            return (correcting.DECIDERS[type(action)](self.state, action),)
        return deciding.decide(self.state, action)

    def apply(self, event: events.Event) -> "Match":
        """Return the match after an event.

        Raises:
            IllegalEvent: the event cannot follow; this match is unchanged.
        """
        if isinstance(event, events.MatchStarted):
            return Match._begun(event, find_book, after=self)
        check_follows(self.state, event)
        if isinstance(event, (events.ThrowCorrected, events.TakenBack, events.RoundRuled)):
            return Match(correcting.apply_correction(self.state, event))
        return Match(evolve(self.state, event))

    def do(self, action: actions.Action) -> tuple["Match", tuple[events.Event, ...]]:
        """Decide an action and apply it.

        Returns:
            The match afterwards, and the events for the log.

        Raises:
            Refused: the rules do not allow it now; nothing has changed.
        """
        if isinstance(action, (*_RECOUNTS, actions.BeginGame)):
            decided = self.decide(action)
            return self.apply(decided[0]), decided
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

    def verify_throw(self, player: str, dice: Dice | None = None) -> None:
        """Raise `Refused` if this player may not throw now (or not these dice)."""
        checked = None if dice is None else as_dice(dice)
        throwing.verify_throw(self.state, player, checked)

    def can_throw(self, player: str, dice: Dice | None = None) -> bool:
        """Tell whether this player may throw now."""
        return _holds(self.verify_throw, player, dice)

    def verify_cover(self, player: str) -> None:
        """Raise `Refused` if this player may not throw and leave the cup down now."""
        legality.verify_cover(throwing.turn_of(self.state, player))

    def can_cover(self, player: str) -> bool:
        """Tell whether this player may throw and leave the cup down now."""
        return _holds(self.verify_cover, player)

    def verify_keep(self, player: str, dice: Dice) -> None:
        """Raise `Refused` if this player may not put these dice out now."""
        legality.verify_keep(throwing.turn_of(self.state, player), as_dice(dice))

    def can_keep(self, player: str, dice: Dice) -> bool:
        """Tell whether this player may put these dice out now."""
        return _holds(self.verify_keep, player, dice)

    def verify_return(self, player: str, dice: Dice) -> None:
        """Raise `Refused` if this player may not take these dice back now."""
        legality.verify_return(throwing.turn_of(self.state, player), as_dice(dice))

    def can_return(self, player: str, dice: Dice) -> bool:
        """Tell whether this player may take these dice back now."""
        return _holds(self.verify_return, player, dice)

    def verify_turn(self, player: str, count: int = 1) -> None:
        """Raise `Refused` if this player may not turn so many sixes now."""
        legality.verify_turn(throwing.turn_of(self.state, player), count)

    def can_turn(self, player: str, count: int = 1) -> bool:
        """Tell whether this player may turn so many sixes now."""
        return _holds(self.verify_turn, player, count)

    def verify_stop(self, player: str) -> None:
        """Raise `Refused` if this player may not let his result stand now."""
        legality.verify_stop(throwing.turn_of(self.state, player))

    def can_stop(self, player: str) -> bool:
        """Tell whether this player may let his result stand now."""
        return _holds(self.verify_stop, player)

    def verify_take(self, player: str) -> None:
        """Raise `Refused` if this player may not take the Deckel voluntarily now."""
        deciding.verify_take(self.state, player)

    def can_take(self, player: str) -> bool:
        """Tell whether this player may take the Deckel voluntarily now."""
        return _holds(self.verify_take, player)

    def verify_hand_over(self, player: str, starter: str) -> None:
        """Raise `Refused` if this player may not let `starter` lead half 2 now."""
        deciding.verify_hand_over(self.state, player, starter)

    def can_hand_over(self, player: str, starter: str) -> bool:
        """Tell whether this player may let `starter` lead half 2 now."""
        return _holds(self.verify_hand_over, player, starter)

    def verify_correct(self, action: actions.CorrectThrow) -> None:
        """Raise `Refused` if this correction is not possible."""
        correcting.decide_correction(self.state, action)

    def can_correct(self, action: actions.CorrectThrow) -> bool:
        """Tell whether this correction is possible."""
        return _holds(self.verify_correct, action)

    def forced(self) -> actions.StopTurn | None:
        """Return the stop that is the only thing left to do, or None.

        After the last permitted throw, and when all dice lie outside, a player can
        only stop. A table that is driven by a camera does so without asking.
        """
        turn = self.turn
        if turn is None or (turn.throws_left and turn.dice_to_throw):
            return None
        return actions.StopTurn(turn.player) if self.can_stop(turn.player) else None

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
        return MappingProxyType(self.state.holdings)

    @property
    def is_over(self) -> bool:
        """Whether the game has a loser, or was abandoned."""
        return self.state.part is Part.OVER


def _holds(check: Callable[..., None], *args: Any) -> bool:
    try:
        check(*args)
    except Refused:
        return False
    return True
