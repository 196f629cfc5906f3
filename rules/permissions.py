"""What may be done now, each thing asked in two ways: `verify_…` raises, `can_…` tells."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules import actions, correcting, deciding, legality, throwing
from rules.dice import Dice, as_dice
from rules.errors import Refused
from rules.state import MatchState


@dataclass(frozen=True)
class Permissions:
    """What a match in this state allows; `rules.match.Match` is one.

    Attributes:
        state: everything that the answers depend on.
    """

    state: MatchState

    def verify_throw(self, player: str, dice: Dice | None = None) -> None:
        """Raise `Refused` if this player may not throw now (or not these dice)."""
        checked = None if dice is None else as_dice(dice)
        throwing.verify_throw(self.state, player, checked)

    def can_throw(self, player: str, dice: Dice | None = None) -> bool:
        """Tell whether this player may throw now."""
        return _holds(self.verify_throw, player, dice)

    def verify_cover(self, player: str) -> None:
        """Raise `Refused` if this player may not throw and leave the cup down now."""
        legality.verify_cover(throwing.turn_of(self.state, player))

    def can_cover(self, player: str) -> bool:
        """Tell whether this player may throw and leave the cup down now."""
        return _holds(self.verify_cover, player)

    def verify_keep(self, player: str, dice: Dice) -> None:
        """Raise `Refused` if this player may not put these dice out now."""
        legality.verify_keep(throwing.turn_of(self.state, player), as_dice(dice))

    def can_keep(self, player: str, dice: Dice) -> bool:
        """Tell whether this player may put these dice out now."""
        return _holds(self.verify_keep, player, dice)

    def verify_return(self, player: str, dice: Dice) -> None:
        """Raise `Refused` if this player may not take these dice back now."""
        legality.verify_return(throwing.turn_of(self.state, player), as_dice(dice))

    def can_return(self, player: str, dice: Dice) -> bool:
        """Tell whether this player may take these dice back now."""
        return _holds(self.verify_return, player, dice)

    def verify_turn(self, player: str, count: int = 1) -> None:
        """Raise `Refused` if this player may not turn so many sixes now."""
        legality.verify_turn(throwing.turn_of(self.state, player), count)

    def can_turn(self, player: str, count: int = 1) -> bool:
        """Tell whether this player may turn so many sixes now."""
        return _holds(self.verify_turn, player, count)

    def verify_stop(self, player: str) -> None:
        """Raise `Refused` if this player may not let his result stand now."""
        legality.verify_stop(throwing.turn_of(self.state, player))

    def can_stop(self, player: str) -> bool:
        """Tell whether this player may let his result stand now."""
        return _holds(self.verify_stop, player)

    def verify_take(self, player: str) -> None:
        """Raise `Refused` if this player may not take the Deckel voluntarily now."""
        deciding.verify_take(self.state, player)

    def can_take(self, player: str) -> bool:
        """Tell whether this player may take the Deckel voluntarily now."""
        return _holds(self.verify_take, player)

    def verify_hand_over(self, player: str, starter: str) -> None:
        """Raise `Refused` if this player may not let `starter` lead half 2 now."""
        deciding.verify_hand_over(self.state, player, starter)

    def can_hand_over(self, player: str, starter: str) -> bool:
        """Tell whether this player may let `starter` lead half 2 now."""
        return _holds(self.verify_hand_over, player, starter)

    def verify_correct(self, action: actions.CorrectThrow) -> None:
        """Raise `Refused` if this correction is not possible."""
        correcting.decide_correction(self.state, action)

    def can_correct(self, action: actions.CorrectThrow) -> bool:
        """Tell whether this correction is possible."""
        return _holds(self.verify_correct, action)

    def forced(self) -> actions.StopTurn | None:
        """Return the stop that is the only thing left to do, or None.

        After the last permitted throw, and when all dice lie outside, a player can
        only stop. A table that is driven by a camera does so without asking.
        """
        turn = self.state.turn
        if turn is None or (turn.throws_left and turn.dice_to_throw):
            return None
        return actions.StopTurn(turn.player) if self.can_stop(turn.player) else None


def _holds(check: Callable[..., None], *args: Any) -> bool:
    try:
        check(*args)
    except Refused:
        return False
    return True
