"""What lies beside the mat against what the rules believe: which moves explain the difference."""

from __future__ import annotations

from collections import Counter

from rules.actions import Action, KeepDice, ReturnDice, TurnSixes
from rules.dice import DICE_PER_PLAYER
from rules.legality import Turn


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
