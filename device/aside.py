"""What lies beside the mat against what the rules believe: which moves explain the difference."""

from __future__ import annotations

from collections import Counter

from rules.actions import Action, KeepDice, TurnSixes
from rules.legality import Turn


def moves_aside(turn: Turn, player: str, outside: tuple[int, ...]) -> tuple[Action, ...]:
    """The moves after which the rules believe what lies there.

    Sixes that became ones are turned, everything else that is new was kept; it does not matter
    whether the camera told of both.

    Args:
        turn: the turn so far.
        player: whose turn it is.
        outside: values that lie beside.

    Returns:
        `TurnSixes`, then `KeepDice`, as far as needed; none before the first throw.
    """
    if not turn.thrown:
        return ()
    moves: tuple[Action, ...] = ()
    new = Counter(outside) - Counter(turn.outside)
    strange_ones = max(0, new[1] - turn.lying.count(1))
    turnable = min(strange_ones, max(0, turn.thrown.count(6) - 1 - turn.turned_now))
    if turnable:
        moves += (TurnSixes(player, turnable),)
        new -= Counter({1: turnable})
    if new:
        moves += (KeepDice(player, tuple(sorted(new.elements(), reverse=True))),)
    return moves
