"""Players who decide by chance, for rehearsals and benchmarks: always a move that is allowed."""

from __future__ import annotations

import random

from rules.actions import Action, KeepDice, StopTurn, ThrowDice, TurnSixes
from rules.dice import Dice
from rules.match import Match
from rules.opening import OPENING_DICE


def random_action(match: Match, chance: random.Random) -> Action:
    """Throw, turn what can be turned, put a 1 out, or stop one time in two.

    Args:
        match: a game that is not over.
        chance: decides dice and choices.
    """
    player, turn = match.current_player, match.turn
    if turn is None:
        assert player is not None, "somebody is to act while the game is not over"
        return ThrowDice(player, random_dice(OPENING_DICE[match.book.start], chance))
    if turn.thrown and not turn.must_throw:
        may_go_on = turn.throws_left and turn.dice_to_throw
        if not may_go_on or chance.random() < 0.5:
            return StopTurn(turn.player)
        if turn.lying.count(6) > 1 and not turn.kept_now and match.can_turn(turn.player):
            return TurnSixes(turn.player)
        if 1 in turn.lying:
            return KeepDice(turn.player, (1,))
    return ThrowDice(turn.player, random_dice(turn.dice_to_throw, chance))


def random_dice(count: int, chance: random.Random) -> Dice:
    """So many thrown dice, the highest first."""
    return tuple(sorted((chance.randint(1, 6) for _ in range(count)), reverse=True))
