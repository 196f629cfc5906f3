"""The state of a match: one frozen value that events lead from one to the next."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from rules.book import RuleBook, Weekday
from rules.changing import FrozenMapping
from rules.errors import MalformedRecord
from rules.events import Event
from rules.faults import NO_FAULTS, Faults
from rules.fees import HowLost
from rules.legality import Turn
from rules.opening import Opening, new_opening
from rules.phases import Part, Phase
from rules.ranking import Result
from rules.results import Deckel, RankedResult
from rules.rulings import Ruling
from rules.settlement import Transfer
from rules.visibility import Role, is_shown


@dataclass(frozen=True)
class SettledRound:
    """A finished round for the history: who paid whom, and the ranking, best first.

    `deckel` is what the winner's result is worth, `moved` what the loser received: no more than
    there was. `ruled`: who paid is the referee's word against the book.
    """

    part: Part
    round: int
    winner: str
    loser: str | None
    deckel: Deckel
    order: tuple[RankedResult, ...]
    ruled: bool = False
    moved: int = 0


@dataclass(frozen=True, kw_only=True)
class MatchState:
    """Everything that the rest of a match depends on.

    Attributes:
        book: the rule book.
        players: all players, clockwise.
        part: what is being played for.
        phase: what the table waits for.
        weekday: the day, where it matters to the book; else None.
        opening: the opening throws; None once the first half has begun.
        members: who plays this part (all, or the two finalists), clockwise.
        out: members who have dropped out of this part.
        stock: Deckel in the common supply.
        holdings: Deckel per player of the match.
        round: number of the round in this part, from 1; 0 before the first.
        starter: who leads the next round of this part.
        order: throwing order of the round.
        begun: the order in which every round so far was begun, by part and number: before somebody
            let another one lead, or dropped out before the first throw.
        orders: the same without those who dropped out then: who has played the round.
        limit: throws set by the first player of the round, once he has stopped.
        limit_by: who has set it.
        turn: the turn under way, or None.
        results: finished and known results of the round, in throwing order.
        covered: finished turns whose last throw is still under the cup, in throwing order.
        faults: what reported faults have brought about.
        taker: who has taken the Deckel of this round voluntarily, or None.
        carried: a covered throw (its number) that is its player's first one of the next round.
        carrier: whose it is.
        due: Deckel of a settled round that have not moved yet.
        last_loser: who takes the Deckel that are due.
        gave: who has given Deckel away since the round began.
        half1_loser: loser of the first half, once known.
        half2_loser: loser of the second half, once known.
        game_loser: loser of the game, once known.
        lost_by: how the game was lost, once it is.
        lost_with: how many Schock aus the round had that decided it.
        sweep: the book's word for losing both halves, if that happened.
        history: settled rounds, oldest first.
        interrupted: the last pause has not been ended; see `paused`.
        rulings: what the referee has ruled about rounds, against the book.
        record: what people did, in the version that counts (corrections applied).
        next_throw_id: number of the next throw; never used twice.
    """

    book: RuleBook
    players: tuple[str, ...]
    part: Part
    phase: Phase
    weekday: Weekday | None = None
    opening: Opening | None
    members: tuple[str, ...]
    out: tuple[str, ...] = ()
    stock: int
    holdings: Mapping[str, int]
    round: int = 0
    starter: str = ""
    order: tuple[str, ...] = ()
    orders: Mapping[tuple[str, int], tuple[str, ...]] = field(default_factory=FrozenMapping)
    begun: Mapping[tuple[str, int], tuple[str, ...]] = field(default_factory=FrozenMapping)
    limit: int | None = None
    limit_by: str | None = None
    turn: Turn | None = None
    results: tuple[Result, ...] = ()
    covered: tuple[Turn, ...] = ()
    faults: Faults = NO_FAULTS
    taker: str | None = None
    carried: int | None = None
    carrier: str | None = None
    due: tuple[Transfer, ...] = ()
    last_loser: str | None = None
    gave: tuple[str, ...] = ()
    half1_loser: str | None = None
    half2_loser: str | None = None
    game_loser: str | None = None
    lost_by: HowLost | None = None
    lost_with: int = 0
    sweep: str | None = None
    history: tuple[SettledRound, ...] = ()
    interrupted: bool = False
    rulings: tuple[Ruling, ...] = ()
    record: tuple[Event, ...] = ()
    next_throw_id: int = 1

    @property
    def current_player(self) -> str | None:
        """Who is expected to act next; in an opening the first in seat order of those missing."""
        if self.phase is Phase.OPENING and self.opening is not None:
            return self.opening.waiting[0] if self.opening.waiting else None
        turn = self.current_turn
        return None if turn is None else turn.player

    @property
    def current_turn(self) -> Turn | None:
        """The turn under way, or in a showdown the first one that is still covered."""
        if self.phase is Phase.SHOWDOWN:
            return self.covered[0] if self.covered else None
        return self.turn

    def covered_turn(self, player: str) -> Turn | None:
        """Return this player's finished turn that is still covered, or None."""
        return next((turn for turn in self.covered if turn.player == player), None)

    @property
    def paused(self) -> bool:
        """Whether nobody may play for now; a game that is over does not wait for anything.

        If its end is taken back, the pause holds again: nobody has ended it.
        """
        return self.interrupted and self.part is not Part.OVER

    @property
    def abandoned(self) -> bool:
        """Whether the game has ended without a loser."""
        return self.part is Part.OVER and self.game_loser is None

    @property
    def part_loser(self) -> str | None:
        """Who holds all Deckel, or None."""
        if self.stock:
            return None
        total = sum(self.holdings.values())
        return next((name for name in self.members if self.holdings[name] == total), None)


def initial_state(
    book: RuleBook, players: tuple[str, ...], *, weekday: Weekday | None = None
) -> MatchState:
    """Return the state right after `match_started`.

    Raises:
        MalformedRecord: too few players, an empty name, a name twice or no such weekday.
    """
    if weekday is not None and weekday not in get_args(Weekday):
        known = ", ".join(get_args(Weekday))
        raise MalformedRecord(f"weekday must be one of {known}, but got {weekday!r}")
    if len(players) < book.least_players:
        raise MalformedRecord(
            f"a match needs at least {book.least_players} players, but got {len(players)}"
        )
    for name in players:
        if not isinstance(name, str) or not name.strip():
            raise MalformedRecord(f"a player needs a name, but got {name!r}")
    if len(set(players)) != len(players):
        raise MalformedRecord(f"every player needs a name of his own, but got {list(players)}")
    return MatchState(
        book=book,
        players=players,
        part=Part.OPENING,
        phase=Phase.OPENING,
        weekday=weekday,
        opening=new_opening(book, players),
        members=players,
        stock=book.deckel_total,
        holdings=FrozenMapping(dict.fromkeys(players, 0)),
    )


def still_to_throw(state: MatchState) -> tuple[str, ...]:
    """Return who still has a turn in this round, in throwing order."""
    done = {result.player for result in state.results} | {turn.player for turn in state.covered}
    return tuple(name for name in state.order if name not in {*done, *state.faults.lost_round})


def lost_by_fault(state: MatchState) -> tuple[str, ...]:
    """Return who has lost this round by a fault, in throwing order."""
    return tuple(name for name in state.order if name in state.faults.lost_round)


def visible_results(state: MatchState) -> tuple[Result, ...]:
    """Return the results of the round that lie uncovered for everybody, in throwing order."""
    shown: list[Result] = []
    for result in state.results:
        role: Role = "first" if result.player == state.limit_by else "follower"
        limit = None if role == "first" else state.limit
        if is_shown(state.book, role=role, limit=limit, throw_no=result.throws):
            shown.append(result)
    return tuple(shown)


def clockwise_from(players: tuple[str, ...], starter: str) -> tuple[str, ...]:
    """Turn a seating order so that `starter` comes first.

    >>> clockwise_from(("A", "B", "C"), "B")
    ('B', 'C', 'A')
    """
    at = players.index(starter)
    return players[at:] + players[:at]
