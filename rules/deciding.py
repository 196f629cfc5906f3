"""Decide an action: what it leads to, or why it is refused.

`decide` answers with the event of the action itself, followed by everything that
follows from it without anybody's choice: the limit, the next turn, the
settlement, players dropping out, the next round or part, the end of the game.
Corrections are decided in `rules.correcting`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rules import actions, events, faulting, legality, opening
from rules.consequences import consequence
from rules.evolving import evolve
from rules.phases import Part, Phase
from rules.ranking import figure_of
from rules.reasons import refuse
from rules.state import MatchState, clockwise_from, visible_results
from rules.valuation import describe
from rules.visibility import Role, is_shown


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
    decided = [verify(state, action)]
    after = evolve(state, decided[0])
    while (event := consequence(after)) is not None:
        decided.append(event)
        after = evolve(after, event)
    return tuple(decided), after


def verify(state: MatchState, action: actions.Action) -> events.Event:
    """Check a player's action and return its own event, without what follows from it.

    Raises:
        Refused: the rules do not allow the action now.
    """
    return _DECIDERS[type(action)](state, action)


def turn_of(state: MatchState, player: str) -> legality.Turn:
    """Return the turn under way if it is this player's.

    Raises:
        Refused: `unknown_player`, `game_over`, `opening_throw_only`, `showdown` or
            `not_your_turn`.
    """
    check_player(state, player)
    if state.part is Part.OPENING:
        raise refuse(state.book, "opening_throw_only", player=player)
    if state.phase is Phase.SHOWDOWN:
        missing = tuple(turn.player for turn in state.covered)
        raise refuse(state.book, "showdown", player=player, expected=missing)
    if state.turn is None or state.turn.player != player:
        expected = state.current_player
        raise refuse(state.book, "not_your_turn", player=player, expected=expected)
    return state.turn


def throwing_turn(state: MatchState, player: str) -> legality.Turn:
    """Return the turn that a throw of this player belongs to, in a showdown the covered one.

    Raises:
        Refused: as `turn_of`.
    """
    covered = state.covered_turn(player) if state.phase is Phase.SHOWDOWN else None
    return covered or turn_of(state, player)


def check_player(state: MatchState, player: str) -> None:
    """Refuse names that do not play here, and everybody once the game is over."""
    if player not in state.players:
        raise refuse(state.book, "unknown_player", player=player, expected=state.players)
    if state.part is Part.OVER:
        raise refuse(state.book, "game_over", expected=state.game_loser)


def verify_throw(state: MatchState, player: str, dice: tuple[int, ...] | None) -> None:
    """Check a throw; `dice` None asks whether this player may throw at all.

    Raises:
        Refused: he may not.
    """
    check_player(state, player)
    if state.part is Part.OPENING and state.opening is not None:
        opening.verify_throw(state.opening, player, dice)
    else:
        legality.verify_throw(throwing_turn(state, player), dice)


def _throw(state: MatchState, action: actions.ThrowDice) -> events.Event:
    if action.burns is None:
        verify_throw(state, action.player, action.dice)
        return _thrown(state, action.player, action.dice)
    verify_throw(state, action.player, None)
    return events.Burnt(
        player=action.player,
        throw_id=_throw_id(state, action.player),
        part=state.part,
        round=_round_number(state),
        dice=action.dice,
        burns=action.burns,
        section=state.book.cite("burnt_throw"),
    )


def _thrown(state: MatchState, player: str, dice: tuple[int, ...]) -> events.Thrown:
    before = throwing_turn(state, player) if state.part is not Part.OPENING else None
    after = None if before is None else legality.throw(before, dice)
    all_dice = dice if after is None else after.dice
    from_hand = after is None or after.from_hand
    single = len(all_dice) == 1
    figure = None if single else figure_of(state.book, all_dice, from_hand=from_hand)
    return events.Thrown(
        player=player,
        throw_id=_throw_id(state, player),
        part=state.part,
        round=_round_number(state),
        throw_no=1 if after is None else after.throws,
        dice=dice,
        outside=() if after is None else after.outside,
        from_hand=from_hand,
        category=None if figure is None else figure.category,
        name=str(dice[0]) if figure is None else figure.name,
        deckel=0 if figure is None else figure.deckel,
        shown=after is None or _lifted(before) or _shown(after),
    )


def _throw_id(state: MatchState, player: str) -> int:
    """Return the number of a throw: a covered one has its number already."""
    if state.part is Part.OPENING:
        return state.next_throw_id
    return throwing_turn(state, player).covered_id or state.next_throw_id


def _lifted(before: legality.Turn | None) -> bool:
    return before is not None and before.covered_id is not None


def _shown(turn: legality.Turn) -> bool:
    role: Role = "first" if turn.limit is None else "follower"
    return is_shown(turn.book, role=role, limit=turn.limit, throw_no=turn.throws)


def _round_number(state: MatchState) -> int:
    return 1 if state.part is Part.OPENING else state.round


def _cover(state: MatchState, action: actions.CoverThrow) -> events.Event:
    turn = legality.cover(turn_of(state, action.player), state.next_throw_id)
    return events.Covered(
        player=action.player,
        throw_id=state.next_throw_id,
        part=state.part,
        round=state.round,
        throw_no=turn.throws,
        outside=turn.outside,
    )


def _keep(state: MatchState, action: actions.KeepDice) -> events.Event:
    turn = legality.keep(turn_of(state, action.player), action.dice)
    return events.Kept(player=action.player, dice=action.dice, outside=turn.outside)


def _return(state: MatchState, action: actions.ReturnDice) -> events.Event:
    turn = legality.take_back_dice(turn_of(state, action.player), action.dice)
    return events.Returned(player=action.player, dice=action.dice, outside=turn.outside)


def _turn(state: MatchState, action: actions.TurnSixes) -> events.Event:
    turn = legality.turn_sixes(turn_of(state, action.player), action.count)
    return events.Turned(
        player=action.player,
        count=action.count,
        outside=turn.outside,
        section=state.book.cite("turning"),
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
        Refused: `no_voluntary_take`, `throw_not_covered`, `dice_outside`, `stock_empty` or
            `nothing_to_take`, or as `turn_of`.
    """
    turn = turn_of(state, player)
    covered = turn.covered_id is not None or turn.throws == 0
    against = {
        "no_voluntary_take": not state.book.voluntary_take,
        "throw_not_covered": not covered,
        "dice_outside": bool(turn.outside),
        "stock_empty": state.stock == 0 and state.book.voluntary_take_source == "stock_only",
        "nothing_to_take": not visible_results(state),
    }
    for code, applies in against.items():
        if applies:
            raise turn.refused(code)


def _hand_over(state: MatchState, action: actions.HandOver) -> events.Event:
    verify_hand_over(state, action.player, action.starter)
    return events.HandedOver(
        player=action.player,
        starter=action.starter,
        part=state.part,
        order=clockwise_from(state.members, action.starter),
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
    chooses = state.book.half2_starter == "chosen_by_loser_half1" and player == state.half1_loser
    if not (untouched and chooses):
        raise refuse(state.book, "no_hand_over", **words)


def _has_thrown(state: MatchState) -> bool:
    last = state.record[-1] if state.record else None
    return isinstance(last, (events.Thrown, events.Burnt)) and last.part == state.part


def _report_fault(state: MatchState, action: actions.ReportFault) -> events.Event:
    check_player(state, action.player)
    return faulting.decide_fault(state, action)


def _reenter(state: MatchState, action: actions.ReEnter) -> events.Event:
    check_player(state, action.player)
    return faulting.decide_reentry(state, action)


_DECIDERS: Mapping[type[actions.Action], Callable[[MatchState, Any], events.Event]] = {
    actions.ThrowDice: _throw,
    actions.CoverThrow: _cover,
    actions.KeepDice: _keep,
    actions.ReturnDice: _return,
    actions.TurnSixes: _turn,
    actions.StopTurn: _stop,
    actions.TakeDeckel: _take,
    actions.HandOver: _hand_over,
    actions.ReportFault: _report_fault,
    actions.ReEnter: _reenter,
}
