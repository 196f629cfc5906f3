"""Lead a tournament from one state to the next: what each event changes, nothing else."""

from collections.abc import Callable, Mapping
from typing import Any

from rules import tournament_events as events
from rules.changing import FrozenMapping, changed
from rules.errors import IllegalEvent
from rules.tournament_state import Entrant, Handed, Playoff, Round, TournamentState


def evolve(state: TournamentState, event: events.TournamentEvent) -> TournamentState:
    """Return the state after an event that has been checked.

    Raises:
        IllegalEvent: no tournament is changed by such an event.
    """
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise IllegalEvent(f"event {event.type!r} cannot follow in a tournament")
    return handler(state, event)


def _entrant(state: TournamentState, name: str, **changes: Any) -> TournamentState:
    one = changed(state.entrants[name], **changes)
    return changed(state, entrants=FrozenMapping({**state.entrants, name: one}))


def _round(state: TournamentState, number: int, **changes: Any) -> TournamentState:
    rounds = tuple(changed(one, **changes) if one.number == number else one for one in state.rounds)
    return changed(state, rounds=rounds)


def _registered(state: TournamentState, event: events.Registered) -> TournamentState:
    one = Entrant(name=event.player, team=event.team, first_round=event.first_round)
    return changed(state, entrants=FrozenMapping({**state.entrants, event.player: one}))


def _fee_paid(state: TournamentState, event: events.FeePaid) -> TournamentState:
    paid = state.entrants[event.player].paid_eur + event.eur
    return _entrant(state, event.player, paid_eur=paid)


def _left(state: TournamentState, event: events.PlayerLeft) -> TournamentState:
    after = _entrant(state, event.player, gone_in_round=event.round)
    if not event.table:
        return after
    return _round(after, event.round, away=(*state.rounds[event.round - 1].away, event.player))


def _drawn(state: TournamentState, event: events.RoundDrawn) -> TournamentState:
    one = Round(
        number=event.number,
        kind=event.kind,
        tables=event.tables,
        sitting_out=event.sitting_out,
        attempt=event.attempt,
        here=frozenset(state.here),
    )
    earlier = tuple(other for other in state.rounds if other.number < event.number)
    return changed(state, rounds=(*earlier, one))


def _seated(state: TournamentState, event: events.PlayerSeated) -> TournamentState:
    one = state.rounds[-1]
    tables = [tuple(name for name in table if name != event.player) for table in one.tables]
    tables[event.table - 1] = (*tables[event.table - 1], event.player)
    return _round(
        state,
        event.round,
        tables=tuple(tables),
        sitting_out=tuple(name for name in one.sitting_out if name != event.player),
        late=(*(name for name in one.late if name != event.player), event.player),
        moved=(*one.moved, (event.player, event.from_table)) if event.from_table else one.moved,
    )


def _handed_in(state: TournamentState, event: events.TableHandedIn) -> TournamentState:
    handed = Handed(result=event.result, gone=event.gone)
    one = state.rounds[event.round - 1]
    return _round(state, event.round, handed=FrozenMapping({**one.handed, event.table: handed}))


def _corrected(state: TournamentState, event: events.ResultCorrected) -> TournamentState:
    one = state.rounds[event.round - 1]
    handed = changed(one.handed[event.table], result=event.result)
    after = _round(state, event.round, handed=FrozenMapping({**one.handed, event.table: handed}))
    # The ranking that was read out no longer holds, nor why it was read out early.
    return changed(after, over=False, ended_early="")


def _scharf(state: TournamentState, event: events.ScharfCalled) -> TournamentState:
    called = state.rounds[event.round - 1].scharf | frozenset(event.tables)
    return _round(state, event.round, scharf=called)


def _stechen(state: TournamentState, event: events.StechenRecorded) -> TournamentState:
    one = Playoff(round=event.round, table=event.table, order=event.order)
    kept = tuple(
        other
        for other in state.playoffs
        if (other.round, other.table) != (one.round, one.table)
        or not (event.reason and other.players <= one.players)
    )
    return changed(state, playoffs=(*kept, one))


_HANDLERS: Mapping[type[events.TournamentEvent], Callable[..., TournamentState]] = {
    events.Registered: _registered,
    events.FeePaid: _fee_paid,
    events.CharityPaid: lambda state, event: _entrant(
        state, event.player, charity_eur=event.total_eur
    ),
    events.PlayerLeft: _left,
    events.PlayerBack: lambda state, event: _entrant(state, event.player, gone_in_round=0),
    events.RoundDrawn: _drawn,
    events.PlayerSeated: _seated,
    events.TableHandedIn: _handed_in,
    events.ResultCorrected: _corrected,
    events.ScharfCalled: _scharf,
    events.StechenRecorded: _stechen,
    events.TournamentFinished: lambda state, event: changed(
        state, over=True, ended_early=event.reason
    ),
}
