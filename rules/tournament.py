"""A tournament: decide an action, apply the event, replay a log; as `rules.match` does it.

    tournament = Tournament.new(find_format("punkte_ko"), "Kirmes", seed="2026")
    tournament, events = tournament.do(Register(player="Anna"))

A tournament is a frozen value. A round is drawn by the tournament's seed alone, so that anybody
can prove the draw again (`proves`). Standings are worked out from the results that count now
(`standings`), the final ranking is the last of them, with the reason for every place.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules import tournament_actions as actions
from rules import tournament_events as events
from rules.errors import FormatError, IllegalEvent, MalformedRecord, Refused
from rules.tournament_checking import check_follows
from rules.tournament_deciding import decide
from rules.tournament_draw import METHOD
from rules.tournament_evolving import evolve
from rules.tournament_format import Format
from rules.tournament_knockout import Needed
from rules.tournament_library import find_format, own_format
from rules.tournament_standings import Standing, standings, stechen_needed
from rules.tournament_state import Round, TournamentState


@dataclass(frozen=True)
class Tournament:
    """A tournament in progress; see the module's text. Make one with `new` or `replay`."""

    state: TournamentState

    @classmethod
    def new(cls, made: Format, name: str, *, seed: str) -> "Tournament":
        """Open the registration.

        Args:
            made: the format, from `find_format` or `own_format`.
            name: what the tournament is called.
            seed: decides every lot; this package knows no chance. Whoever knows it can work out
                the draws beforehand, so it is best drawn when registration closes.

        Raises:
            MalformedRecord: name or seed is empty.
        """
        for what, value in (("name", name), ("seed", seed)):
            if not isinstance(value, str) or not value.strip():
                raise MalformedRecord(f"a tournament needs a {what}, but got {value!r}")
        return cls(TournamentState(format=made, name=name, seed=seed))

    @classmethod
    def replay(cls, log: Iterable[events.TournamentEvent | Mapping[str, Any]]) -> "Tournament":
        """Lead from a log to the tournament.

        Args:
            log: all events in order, as events or as their JSON objects.

        Raises:
            IllegalEvent: it does not begin with `tournament_started`, or an event cannot follow.
            MalformedRecord: an entry is no event.
            UnknownFormat: it was written with a format that is not there.
        """
        tournament: Tournament | None = None
        for entry in log:
            if isinstance(entry, events.TournamentEvent):
                event = entry
            else:
                event = events.tournament_event_from_json(entry)
            if tournament is not None:
                tournament = tournament.apply(event)
            elif isinstance(event, events.TournamentStarted):
                tournament = cls._begun(event)
            else:
                break
        if tournament is None:
            raise IllegalEvent("a tournament's log must begin with 'tournament_started'")
        return tournament

    @classmethod
    def _begun(cls, event: events.TournamentStarted) -> "Tournament":
        if event.schema != events.SCHEMA:
            raise IllegalEvent(f"the log has form {event.schema}, expected {events.SCHEMA}")
        try:
            text = event.format_text
            made = own_format(text) if text else find_format(event.format)
        except FormatError as error:
            raise IllegalEvent(f"the format of 'tournament_started' is none: {error}") from error
        if (made.key, made.version) != (event.format, event.format_version):
            raise IllegalEvent(
                f"the log was written with format {event.format!r} version "
                f"{event.format_version!r}, but there is {made.key!r} version {made.version!r}"
            )
        return cls.new(made, event.name, seed=event.seed)

    @property
    def started(self) -> events.TournamentStarted:
        """The event that a log of this tournament begins with."""
        made = self.state.format
        return events.TournamentStarted(
            name=self.state.name,
            format=made.key,
            format_version=made.version,
            seed=self.state.seed,
            format_text=made.text,
        )

    def decide(self, action: actions.TournamentAction) -> tuple[events.TournamentEvent, ...]:
        """Work out what an action leads to; nothing is changed.

        Raises:
            Refused: it is not allowed now.
        """
        return (decide(self.state, action),)

    def apply(self, event: events.TournamentEvent) -> "Tournament":
        """Return the tournament after an event.

        Raises:
            IllegalEvent: the event cannot follow; this tournament is unchanged.
        """
        check_follows(self.state, event)
        return Tournament(evolve(self.state, event))

    def do(
        self, action: actions.TournamentAction
    ) -> tuple["Tournament", tuple[events.TournamentEvent, ...]]:
        """Decide an action and apply it.

        Returns:
            The tournament afterwards, and the events for the log.

        Raises:
            Refused: it is not allowed now; nothing has changed.
        """
        event = decide(self.state, action)
        return Tournament(evolve(self.state, event)), (event,)

    def verify(self, action: actions.TournamentAction) -> None:
        """Raise `Refused` if this is not allowed now."""
        decide(self.state, action)

    def refusal(self, action: actions.TournamentAction) -> Refused | None:
        """Return why an action is refused now, or None if it is allowed."""
        try:
            decide(self.state, action)
        except Refused as refused:
            return refused
        return None

    def can(self, action: actions.TournamentAction) -> bool:
        """Tell whether this is allowed now."""
        return self.refusal(action) is None

    def proves(self, drawn: events.RoundDrawn) -> bool:
        """Tell whether the seed gives exactly this draw, in the tournament just before it.

        A draw by hand, or by another method than this version's, is not proved.
        """
        if drawn.method != METHOD:
            return False
        action = actions.DrawRound(by=drawn.by, reason=drawn.reason)
        return self.can(action) and self.decide(action) == (drawn,)

    @property
    def format(self) -> Format:
        """How it is played."""
        return self.state.format

    @property
    def round(self) -> Round | None:
        """The last round that was drawn, or None."""
        return self.state.round

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Everybody's place now, with its reason; after the end the final ranking."""
        return standings(self.state)

    @property
    def stechen_needed(self) -> tuple[Needed, ...]:
        """Every Stechen that has to be played now."""
        return stechen_needed(self.state)

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.state.over
