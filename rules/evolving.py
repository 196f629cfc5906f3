"""Apply one event to a state: the only place where the state of a match changes.

Every event is first looked up in the tables of `rules.phases`; then its handler
changes what it is about. Corrections are applied in `rules.correcting`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rules import events, evolving_faults, legality, opening, overruling
from rules.changing import FrozenMapping, changed
from rules.errors import IllegalEvent, MalformedRecord, Refused
from rules.faults import NO_FAULTS
from rules.legality import Turn
from rules.part_changes import deciding_schock_aus
from rules.phases import Part, Phase, following
from rules.ranking import Result
from rules.settlement import settle
from rules.state import MatchState, SettledRound


def evolve(state: MatchState, event: events.Event) -> MatchState:
    """Return the state after an event.

    Raises:
        IllegalEvent: the event cannot follow this state; nothing has changed.
    """
    part, phase = following(state.part, state.phase, event.type)
    try:
        after = _HANDLERS[type(event)](state, event)
    except (Refused, MalformedRecord, KeyError, ValueError) as error:
        raise IllegalEvent(
            f"event {event.to_json()} does not fit the match so far: {error}"
        ) from error
    same = part is after.part and phase is after.phase
    return after if same else changed(after, part=part, phase=phase)


def _turn_of(state: MatchState, player: str) -> Turn:
    if state.turn is None or state.turn.player != player:
        raise MalformedRecord(f"it is not the turn of {player!r}")
    return state.turn


def _recorded(state: MatchState, event: events.Event, **changes: Any) -> MatchState:
    return changed(state, record=(*state.record, event), **changes)


def _thrown(state: MatchState, event: events.Thrown) -> MatchState:
    following_id = {"next_throw_id": max(state.next_throw_id, event.throw_id + 1)}
    if state.part is Part.OPENING and state.opening is not None:
        entered = opening.add_throw(state.opening, event.player, event.dice)
        return _recorded(state, event, opening=entered, **following_id)
    if state.phase is Phase.SHOWDOWN:
        return _recorded(state, event, **_uncovered(state, event))
    turn = legality.throw(_turn_of(state, event.player), event.dice)
    return _recorded(state, event, turn=turn, **following_id)


def _uncovered(state: MatchState, event: events.Thrown) -> dict[str, Any]:
    """Turn a covered turn into a result at its place in the throwing order."""
    turn = state.covered_turn(event.player)
    if turn is None:
        raise MalformedRecord(f"{event.player!r} has no covered throw")
    result = legality.stop(legality.throw(turn, event.dice))
    covered = tuple(other for other in state.covered if other is not turn)
    return {"results": _in_order(state, result), "covered": covered}


def _repeated(state: MatchState, event: events.Burnt) -> dict[str, Any]:
    """Give the throw that replaces a covered one that burnt a number of its own."""
    turn = state.covered_turn(event.player)
    if turn is None:
        raise MalformedRecord(f"{event.player!r} has no covered throw")
    number = event.repeat_id or state.next_throw_id
    again = changed(turn, covered_id=number)
    covered = tuple(again if other is turn else other for other in state.covered)
    return {"covered": covered, "next_throw_id": max(state.next_throw_id, number + 1)}


def _burnt(state: MatchState, event: events.Burnt) -> MatchState:
    following_id = {"next_throw_id": max(state.next_throw_id, event.throw_id + 1)}
    if state.phase is Phase.SHOWDOWN:
        return _recorded(state, event, **_repeated(state, event))
    if state.part is Part.OPENING and state.opening is not None:
        opening.verify_throw(state.opening, event.player)
        return _recorded(state, event, **following_id)
    turn = legality.burn(_turn_of(state, event.player))
    return _recorded(state, event, turn=turn, **following_id)


def _covered(state: MatchState, event: events.Covered) -> MatchState:
    turn = legality.cover(_turn_of(state, event.player), event.throw_id)
    return _recorded(state, event, turn=turn, next_throw_id=event.throw_id + 1)


def _left_covered(state: MatchState, event: events.LeftCovered) -> MatchState:
    turn = _turn_of(state, event.player)
    return _recorded(state, event, turn=None, covered=(*state.covered, turn))


def _kept(state: MatchState, event: events.Kept) -> MatchState:
    turn = legality.keep(_turn_of(state, event.player), event.dice)
    return _recorded(state, event, turn=turn)


def _returned(state: MatchState, event: events.Returned) -> MatchState:
    turn = legality.take_back_dice(_turn_of(state, event.player), event.dice)
    return _recorded(state, event, turn=turn)


def _turned(state: MatchState, event: events.Turned) -> MatchState:
    turn = legality.turn_sixes(_turn_of(state, event.player), event.count)
    return _recorded(state, event, turn=turn)


def _stopped(state: MatchState, event: events.Stopped) -> MatchState:
    result = legality.stop(_turn_of(state, event.player))
    return _recorded(state, event, turn=None, results=_in_order(state, result))


def _in_order(state: MatchState, result: Result) -> tuple[Result, ...]:
    """Add a result at its place in the throwing order."""
    at = {name: place for place, name in enumerate(state.order)}
    return tuple(sorted([*state.results, result], key=lambda item: at[item.player]))


def _took_voluntarily(state: MatchState, event: events.TookVoluntarily) -> MatchState:
    _turn_of(state, event.player)
    following_id = max(state.next_throw_id, event.throw_id + 1)
    after = _recorded(state, event, turn=None, taker=event.player, next_throw_id=following_id)
    return changed(after, carried=event.throw_id, carrier=event.player)


def _carried_over(state: MatchState, event: events.CarriedOver) -> MatchState:
    begun = Turn(book=state.book, player=event.player, limit=state.limit)
    turn = changed(begun, throws=1, covered_id=event.throw_id)
    return changed(state, turn=turn, carried=None, carrier=None)


def _abandoned(state: MatchState, event: events.Abandoned) -> MatchState:
    return _recorded(state, event, turn=None, covered=())


def _handed_over(state: MatchState, event: events.HandedOver) -> MatchState:
    turn = Turn(book=state.book, player=event.starter)
    return _recorded(state, event, order=event.order, turn=turn, starter=event.starter)


def _limit_set(state: MatchState, event: events.LimitSet) -> MatchState:
    return changed(state, limit=event.limit, limit_by=event.player)


def _turn_started(state: MatchState, event: events.TurnStarted) -> MatchState:
    again = event.player in state.faults.replaced
    turn = Turn(book=state.book, player=event.player, limit=event.limit, replacement=again)
    return changed(state, turn=turn)


def _opening_tied(state: MatchState, event: events.OpeningTied) -> MatchState:
    if state.opening is None or state.opening.waiting:
        raise MalformedRecord("the opening throws are not complete")
    return changed(state, opening=opening.rethrow(state.opening, event.players))


def _opening_settled(state: MatchState, event: events.OpeningSettled) -> MatchState:
    settled = changed(state, starter=event.starter, last_loser=event.loser)
    if event.loser is None:
        return settled
    return _settled(settled, event, 1)


def _round_settled(state: MatchState, event: events.RoundSettled) -> MatchState:
    after = changed(
        state,
        starter=event.loser,
        last_loser=event.loser,
        results=(),
        covered=(),
        turn=None,
        taker=None,
    )
    return _settled(after, event, event.round)


def _settled(
    state: MatchState, event: events.RoundSettled | events.OpeningSettled, number: int
) -> MatchState:
    """Note the round in the history and what has to move because of it."""
    assert event.loser is not None, "both callers have checked it"
    settlement = settle(
        state.book,
        stock=state.stock,
        holdings={name: state.holdings[name] for name in state.members},
        winner=event.winner,
        loser=event.loser,
        value=event.deckel,
    )
    ruled, moved = isinstance(event, events.RoundSettled) and event.ruled, settlement.moved
    entry = SettledRound(
        state.part, number, event.winner, event.loser, event.deckel, event.ranking, ruled, moved
    )
    return changed(state, due=settlement.transfers, history=(*state.history, entry))


def _deckel_moved(state: MatchState, event: events.DeckelMoved) -> MatchState:
    gave = state.gave if event.giver is None else (*state.gave, event.giver)
    holdings = FrozenMapping(event.holdings)
    return changed(state, stock=event.stock, holdings=holdings, due=state.due[1:], gave=gave)


def _player_out(state: MatchState, event: events.PlayerOut) -> MatchState:
    name, orders = event.player, state.orders
    order = tuple(other for other in state.order if other != name)
    if state.turn is not None:  # he has not taken part in the round that has just begun
        orders = FrozenMapping({**orders, (state.part, state.round): order})
    after = changed(state, out=(*state.out, name), order=order, orders=orders, turn=None)
    return changed(after, carried=None, carrier=None) if state.carrier == name else after


def _part_started(state: MatchState, event: events.HalfStarted | events.FinalStarted) -> MatchState:
    return changed(
        state,
        opening=None,
        members=event.players,
        out=(),
        starter=event.starter,
        stock=event.stock,
        holdings=FrozenMapping(event.holdings),
        round=0,
        order=(),
        carried=None,
        carrier=None,
        faults=NO_FAULTS,
    )


def _round_started(state: MatchState, event: events.RoundStarted) -> MatchState:
    return changed(
        state,
        round=event.round,
        order=event.order,
        orders=FrozenMapping({**state.orders, (state.part, event.round): event.order}),
        begun=FrozenMapping({**state.begun, (state.part, event.round): event.order}),
        limit=None,
        limit_by=None,
        gave=(),
        turn=None,
        results=(),
        faults=state.faults.next_round(),
    )


def _half_over(state: MatchState, event: events.HalfOver) -> MatchState:
    if state.part is Part.HALF1:
        return changed(state, half1_loser=event.loser)
    return changed(state, half2_loser=event.loser)


def _game_over(state: MatchState, event: events.GameOver) -> MatchState:
    lost = changed(state, game_loser=event.loser, lost_by=event.how, sweep=event.sweep)
    return changed(lost, lost_with=deciding_schock_aus(state), turn=None)


_HANDLERS: Mapping[type[events.Event], Callable[[MatchState, Any], MatchState]] = {
    events.Thrown: _thrown,
    events.Burnt: _burnt,
    events.Covered: _covered,
    events.LeftCovered: _left_covered,
    events.ShowdownStarted: lambda state, event: state,  # the phase says it all
    events.Kept: _kept,
    events.Returned: _returned,
    events.Turned: _turned,
    events.Stopped: _stopped,
    events.TookVoluntarily: _took_voluntarily,
    events.CarriedOver: _carried_over,
    events.HandedOver: _handed_over,
    events.LimitSet: _limit_set,
    events.TurnStarted: _turn_started,
    events.OpeningTied: _opening_tied,
    events.OpeningSettled: _opening_settled,
    events.HalfStarted: _part_started,
    events.FinalStarted: _part_started,
    events.RoundStarted: _round_started,
    events.RoundSettled: _round_settled,
    events.DeckelMoved: _deckel_moved,
    events.PlayerOut: _player_out,
    events.HalfOver: _half_over,
    events.GameOver: _game_over,
    events.DeckelRuled: overruling.deckel_ruled,
    events.Paused: lambda state, event: changed(state, interrupted=True),
    events.Resumed: lambda state, event: changed(state, interrupted=False),
    events.Abandoned: _abandoned,
    **evolving_faults.HANDLERS,
}
