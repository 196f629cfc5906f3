"""What lies beside the mat against what the rules believe: which moves explain the difference."""

from __future__ import annotations

from collections import Counter

from rules.actions import Action, KeepDice, ReturnDice, TakeBack, ThrowDice, TurnSixes
from rules.deeds import Burnt
from rules.dice import DICE_PER_PLAYER
from rules.legality import Turn
from rules.match import Match
from rules.repeating import BY_REFEREE

CAMERA = "camera"
SEEN_LATE = "Was daneben liegt, lag dort schon vor dem verbrannten Wurf."
"""Why burnt throws are taken back and entered again: dice were put aside before them."""


def moves_aside(
    turn: Turn, player: str, outside: tuple[int, ...], *, thrown: int = 0
) -> tuple[Action, ...]:
    """The moves after which the rules believe what lies there.

    Sixes that became ones are turned, everything else that is new was kept; it does not matter
    whether the camera told of both. What is no longer there was thrown again, if the dice that were
    thrown make up for it.

    Args:
        turn: the turn so far.
        player: whose turn it is.
        outside: values that lie beside.
        thrown: with how many dice was thrown then; 0: the throw has not come yet.

    Returns:
        `ReturnDice`, `TurnSixes`, `KeepDice`, as far as needed; none before the first throw.
    """
    if not turn.thrown:
        return ()
    moves: tuple[Action, ...] = ()
    gone = Counter(turn.outside) - Counter(outside)
    if gone and thrown + len(outside) == DICE_PER_PLAYER:
        moves += (ReturnDice(player, tuple(sorted(gone.elements(), reverse=True))),)
    new = Counter(outside) - Counter(turn.outside)
    strange_ones = max(0, new[1] - turn.lying.count(1))
    turnable = min(strange_ones, max(0, turn.thrown.count(6) - 1 - turn.turned_now))
    if turnable:
        moves += (TurnSixes(player, turnable),)
        new -= Counter({1: turnable})
    if new:
        moves += (KeepDice(player, tuple(sorted(new.elements(), reverse=True))),)
    return moves


def moves_before(
    match: Match, player: str, outside: tuple[int, ...], *, thrown: int = 0
) -> tuple[Action, ...]:
    """The moves after which a throw fits what lies beside, as the rules stand now.

    Nothing can be kept of a throw that burnt. What lies there all the same was put aside before
    it, out of sight: then the burnt throws are taken back and entered again after it. Not where
    one of them had too many dice for that, and never one that a referee has had repeated.

    Args:
        match: the match.
        player: whose turn it is.
        outside: values that lie beside.
        thrown: with how many dice was thrown; 0: nobody knows.
    """
    turn = match.turn
    if turn is None:
        return ()
    if turn.thrown or Counter(outside) == Counter(turn.outside):
        return moves_aside(turn, player, outside, thrown=thrown)
    burnt: list[Burnt] = []
    for deed in reversed(match.state.record):
        if not isinstance(deed, Burnt) or deed.player != player:
            break
        burnt.insert(0, deed)
    room = DICE_PER_PLAYER - len(outside)
    if any(deed.burns == BY_REFEREE or len(deed.dice) > room for deed in burnt):
        return ()
    back = tuple(TakeBack(CAMERA, SEEN_LATE) for _ in burnt)
    for action in back:
        match, _ = match.do(action)
    aside = moves_aside(match.turn, player, outside) if back and match.turn else ()
    if not aside:
        return ()
    again = (ThrowDice(player, deed.dice, burns=deed.burns) for deed in burnt)
    return (*back, *aside, *again)
