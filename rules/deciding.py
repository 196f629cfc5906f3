"""Decide an action: what it leads to, or why it is refused.

`decide` answers with the event of the action itself, followed by everything that
follows from it without anybody's choice: the limit, the next turn, the
settlement, players dropping out, the next round or part, the end of the game.
Corrections are decided in `rules.correcting`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rules import actions, events, faulting, legality, overruling, throwing
from rules.consequences import consequence
from rules.evolving import evolve
from rules.fault_outcomes import NO_CONCEDING
from rules.phases import Part, Phase
from rules.ranking import value_of
from rules.reasons import refuse
from rules.state import MatchState, clockwise_from, lost_by_fault, visible_results
from rules.throwing import check_name, check_player, refuse_once_over, turn_of
from rules.valuation import describe


def decide(state: MatchState, action: actions.Action) -> tuple[events.Event, ...]:
    """Decide a player's action; nothing is changed.

    Returns:
        The events to apply, in order.

    Raises:
        Refused: the rules do not allow the action now.
    """
    return carry_out(state, action)[0]


def carry_out(
    state: MatchState, action: actions.Action
) -> tuple[tuple[events.Event, ...], MatchState]:
    """Decide a player's action and follow it: its events and the state after them.

    Raises:
        Refused: the rules do not allow the action now.
    """
    decided = verify(state, action)
    following, after = follow_up(evolve(state, decided))
    return (decided, *following), after


def follow_up(state: MatchState) -> tuple[tuple[events.Event, ...], MatchState]:
    """Work out what follows without anybody's choice: the events and the state after them."""
    following = []
    while (event := consequence(state)) is not None:
        following.append(event)
        state = evolve(state, event)
    return tuple(following), state


def verify(state: MatchState, action: actions.Action) -> events.Event:
    """Check a player's action and return its own event, without what follows from it.

    Raises:
        Refused: the rules do not allow the action now.
    """
    return _DECIDERS[type(action)](state, action)


def _keep(state: MatchState, action: actions.KeepDice) -> events.Event:
    turn = legality.keep(turn_of(state, action.player), action.dice)
    return events.Kept(player=action.player, dice=action.dice, outside=turn.outside)


def _return(state: MatchState, action: actions.ReturnDice) -> events.Event:
    turn = legality.take_back_dice(turn_of(state, action.player), action.dice)
    return events.Returned(player=action.player, dice=action.dice, outside=turn.outside)


def _turn(state: MatchState, action: actions.TurnSixes) -> events.Event:
    turn = legality.turn_sixes(turn_of(state, action.player), action.count)
    topics = ["turning"] + ["turn_one_of_three"] * legality.turned_one_of_three(turn)
    return events.Turned(
        player=action.player,
        count=action.count,
        outside=turn.outside,
        section=state.book.cite(*topics),
    )


def _stop(state: MatchState, action: actions.StopTurn) -> events.Event:
    turn = turn_of(state, action.player)
    if turn.covered_id is not None:
        return events.LeftCovered(
            player=action.player,
            part=state.part,
            round=state.round,
            throws=turn.throws,
            outside=turn.outside,
        )
    result = legality.stop(turn)
    return events.Stopped(
        player=action.player,
        part=state.part,
        round=state.round,
        result=describe(state.book, result),
    )


def _take(state: MatchState, action: actions.TakeDeckel) -> events.Event:
    verify_take(state, action.player)
    return events.TookVoluntarily(
        player=action.player,
        throw_id=turn_of(state, action.player).covered_id or state.next_throw_id,
        part=state.part,
        round=state.round,
        section=state.book.cite("voluntary_take"),
    )


def verify_take(state: MatchState, player: str) -> None:
    """Check taking the Deckel voluntarily (rows A9, A10, contradiction B10).

    A cup that nobody has lifted yet in this turn counts as a covered throw, because all
    cups are loaded before a round begins.

    Raises:
        Refused: `no_voluntary_take`, `deckel_are_lost` (somebody has lost the round by a fault
            and gets its Deckel: blog2019 L116, L127), `NO_CONCEDING` (statuten §19),
            `throw_not_covered`, `dice_outside`, `stock_empty` or `nothing_to_take`, or as
            `turn_of`.
    """
    turn = turn_of(state, player)
    guilty = lost_by_fault(state)
    covered = turn.covered_id is not None or turn.throws == 0
    against = {
        "no_voluntary_take": not state.book.voluntary_take,
        "deckel_are_lost": bool(guilty),
        NO_CONCEDING: not _may_concede(state),
        "throw_not_covered": not covered,
        "dice_outside": bool(turn.outside),
        "stock_empty": state.stock == 0 and state.book.voluntary_take_source == "stock_only",
        "nothing_to_take": not visible_results(state),
    }
    for code, applies in against.items():
        if applies:
            raise turn.refused(code, guilty=guilty)


def _may_concede(state: MatchState) -> bool:
    """Tell whether the book lets a round be given away: perhaps not a Schock aus of the final."""
    special = state.book.penalties.get(NO_CONCEDING)
    if special is None or special.outcome.get("allowed") is not False or state.part != Part.FINAL:
        return True
    return all(value_of(state.book, result).deckel != "all" for result in visible_results(state))


def _hand_over(state: MatchState, action: actions.HandOver) -> events.Event:
    verify_hand_over(state, action.player, action.starter)
    return events.HandedOver(
        player=action.player,
        starter=action.starter,
        part=state.part,
        order=clockwise_from(state.order, action.starter),
        section=state.book.cite("half2_starter"),
    )


def verify_hand_over(state: MatchState, player: str, starter: str) -> None:
    """Check letting another player lead half 2 (row S7): before its first throw only.

    Raises:
        Refused: `no_hand_over`, or as `turn_of`.
    """
    check_player(state, player)
    check_player(state, starter)
    words = {"player": player, "expected": state.half1_loser or ""}
    untouched = state.part is Part.HALF2 and state.round == 1 and state.limit is None
    untouched = untouched and state.phase is Phase.LOADED and not _has_thrown(state)
    untouched = untouched and {player, starter} <= set(state.order)  # nobody who is out
    chooses = state.book.half2_starter == "chosen_by_loser_half1" and player == state.half1_loser
    if not (untouched and chooses):
        raise refuse(state.book, "no_hand_over", **words)


def _has_thrown(state: MatchState) -> bool:
    throws = (events.Thrown, events.Burnt, events.Covered)
    return any(isinstance(deed, throws) and deed.part == state.part for deed in state.record)


def _report_fault(state: MatchState, action: actions.ReportFault) -> events.Event:
    check_name(state, action.player)
    return faulting.decide_fault(state, action)


def _reenter(state: MatchState, action: actions.ReEnter) -> events.Event:
    check_player(state, action.player)
    return faulting.decide_reentry(state, action)


def _rule_deckel(state: MatchState, action: actions.RuleDeckel) -> events.Event:
    for name in (action.giver, action.taker):
        if name is not None:
            check_name(state, name)
    return overruling.decide_deckel(state, action)


def _pause(state: MatchState, action: actions.Pause) -> events.Event:
    _verify_pause(state, paused=False)
    return events.Paused(by=action.by, reason=action.reason)


def _resume(state: MatchState, action: actions.Resume) -> events.Event:
    _verify_pause(state, paused=True)
    return events.Resumed(by=action.by)


def _verify_pause(state: MatchState, *, paused: bool) -> None:
    refuse_once_over(state)
    if state.paused is not paused:
        raise refuse(state.book, "paused" if state.paused else "not_paused")


def _abandon(state: MatchState, action: actions.Abandon) -> events.Event:
    refuse_once_over(state)
    return events.Abandoned(
        by=action.by,
        reason=action.reason,
        part=state.part,
        round=state.round,
        section=state.book.cite("referee"),
    )


_DECIDERS: Mapping[type[actions.Action], Callable[[MatchState, Any], events.Event]] = {
    actions.ThrowDice: throwing.decide_throw,
    actions.CoverThrow: throwing.decide_cover,
    actions.KeepDice: _keep,
    actions.ReturnDice: _return,
    actions.TurnSixes: _turn,
    actions.StopTurn: _stop,
    actions.TakeDeckel: _take,
    actions.HandOver: _hand_over,
    actions.ReportFault: _report_fault,
    actions.ReEnter: _reenter,
    actions.RuleDeckel: _rule_deckel,
    actions.Pause: _pause,
    actions.Resume: _resume,
    actions.Abandon: _abandon,
}
