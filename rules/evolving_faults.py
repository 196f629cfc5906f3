"""Apply the events of faults to the state of a match."""

from collections.abc import Callable, Mapping
from typing import Any

from rules import fault_events
from rules.changing import FrozenMapping, changed
from rules.deeds import Event
from rules.errors import MalformedRecord
from rules.faulting import DROPS_THAT_LOSE_A_PART, LOSES_PART, REPLACED, in_progress
from rules.legality import Turn
from rules.state import MatchState


def fault_reported(state: MatchState, event: fault_events.FaultReported) -> MatchState:
    """Mark what the fault brings about."""
    mark = _MARKS.get(event.consequence)
    marked = state if mark is None else mark(state, event.player)
    return changed(marked, record=(*state.record, event))


def _lose_round(state: MatchState, player: str) -> MatchState:
    lost = (*state.faults.lost_round, player)
    return _without_result(changed(state, faults=changed(state.faults, lost_round=lost)), player)


def _replace_turn(state: MatchState, player: str) -> MatchState:
    faults = state.faults
    again = (*(name for name in faults.replaced if name != player), player)
    marked = changed(faults, replaced=again, fools=(*faults.fools, player))
    turn = state.turn
    if turn is not None and turn.player == player and turn.replacement:
        turn = changed(turn, replacement=False)  # this one is void, too, and replaced once more
    return _without_result(changed(state, faults=marked, turn=turn), player)


def _without_result(state: MatchState, player: str) -> MatchState:
    """Let go of what this player has thrown; the limit that he has set so far stays (INT)."""
    turn = state.turn
    limit, limit_by = state.limit, state.limit_by
    if limit is None and turn is not None and turn.player == player and turn.throws:
        limit, limit_by = turn.throws, player
    kept = state.carrier != player
    return changed(
        state,
        limit=limit,
        limit_by=limit_by,
        carried=state.carried if kept else None,
        carrier=state.carrier if kept else None,
        results=tuple(result for result in state.results if result.player != player),
        covered=tuple(other for other in state.covered if other.player != player),
    )


def _drop(state: MatchState, player: str) -> MatchState:
    drops = FrozenMapping({**state.faults.drops, player: state.faults.drops.get(player, 0) + 1})
    loser = player if drops[player] >= DROPS_THAT_LOSE_A_PART else None
    return changed(state, faults=changed(state.faults, drops=drops, part_loser=loser))


_MARKS: Mapping[str, Callable[[MatchState, str], MatchState]] = {
    "lose_round": _lose_round,
    REPLACED: _replace_turn,
    LOSES_PART: _drop,
}
"""What a consequence marks; the others leave the state as it is."""


def reentered(state: MatchState, event: fault_events.Reentered) -> MatchState:
    """Let the player back in from the next round on; his Doofmanndeckel is due."""
    faults = changed(state.faults, fools=(*state.faults.fools, event.player))
    playing = {*state.members, event.player}
    return changed(
        state,
        faults=faults,
        members=tuple(name for name in state.players if name in playing),
        out=tuple(name for name in state.out if name != event.player),
        record=(*state.record, event),
    )


def doofmann_paid(state: MatchState, event: fault_events.DoofmannPaid) -> MatchState:
    """Move the Deckel; the last of the stock in a round leaves it only a Schock aus."""
    faults = state.faults
    if faults.fools[:1] != (event.player,):
        raise MalformedRecord(f"{event.player!r} has no Doofmanndeckel coming")
    last = not event.givers and event.stock == 0 and in_progress(state)
    faults = changed(faults, fools=faults.fools[1:], only_schock_aus=faults.only_schock_aus or last)
    gave, holdings = (*state.gave, *event.givers), FrozenMapping(event.holdings)
    return changed(state, stock=event.stock, holdings=holdings, faults=faults, gave=gave)


def turn_forfeited(state: MatchState, event: fault_events.TurnForfeited) -> MatchState:
    """End the turn without a result."""
    return changed(state, turn=None)


def turn_replaced(state: MatchState, event: fault_events.TurnReplaced) -> MatchState:
    """Begin the turn anew, with a single open throw."""
    turn = Turn(book=state.book, player=event.player, limit=state.limit, replacement=True)
    return changed(state, turn=turn)


def part_forfeited(state: MatchState, event: fault_events.PartForfeited) -> MatchState:
    """Give everything to the loser."""
    cleared = round_void(state, event)
    faults = changed(state.faults, part_loser=None)
    return changed(
        cleared, stock=event.stock, holdings=FrozenMapping(event.holdings), faults=faults,
        starter=event.player,
    )  # fmt: skip


def round_void(
    state: MatchState, event: fault_events.RoundVoid | fault_events.PartForfeited
) -> MatchState:
    """Clear the table without anything due; a cup that somebody has not lifted stays his."""
    return changed(state, turn=None, results=(), covered=(), due=(), taker=None)


HANDLERS: Mapping[type[Event], Callable[[MatchState, Any], MatchState]] = {
    fault_events.FaultReported: fault_reported,
    fault_events.Reentered: reentered,
    fault_events.DoofmannPaid: doofmann_paid,
    fault_events.TurnForfeited: turn_forfeited,
    fault_events.TurnReplaced: turn_replaced,
    fault_events.PartForfeited: part_forfeited,
    fault_events.RoundVoid: round_void,
}
"""What each event of a fault does to the state."""
