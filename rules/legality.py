"""One player's turn: what he may do with his dice, and why not.

A turn is a value; every step checks first (raising `Refused`, nothing changed)
and returns the next value. The legal order is: throw, perhaps turn sixes,
perhaps put dice out (and, where the book allows it, take some back), then stop
or throw every die that is not outside.
"""

from collections import Counter
from dataclasses import dataclass

from rules.book import RuleBook
from rules.changing import changed
from rules.dice import DICE_PER_PLAYER, Dice, contains, together, without
from rules.errors import Refused
from rules.ranking import Result
from rules.reasons import refuse


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The state of a turn.

    Attributes:
        book: the rule book.
        player: whose turn it is.
        limit: throws set by the first player of the round; None for himself.
        throws: valid throws so far.
        outside: dice put out, turned ones included.
        lying: dice of the last throw that still lie in the throwing place; empty
            before the first throw and after a burnt one.
        thrown: the last valid throw as it fell; empty like `lying`.
        kept_now: dice put out since the last throw, turned ones not included.
        turned_now: sixes turned since the last throw.
        must_throw: sixes were turned and no valid throw has followed yet.
        replacement: this turn is a single open throw in place of one that a fault has voided.
        covered_id: number of a valid throw that lies under the cup unseen, or None.
    """

    book: RuleBook
    player: str
    limit: int | None = None
    throws: int = 0
    outside: Dice = ()
    lying: Dice = ()
    thrown: Dice = ()
    kept_now: Dice = ()
    turned_now: int = 0
    must_throw: bool = False
    replacement: bool = False
    covered_id: int | None = None

    @property
    def most_throws(self) -> int:
        """Throws allowed in this turn."""
        if self.replacement:
            return 1
        return self.book.max_throws if self.limit is None else self.limit

    @property
    def counted_throws(self) -> int:
        """Throws that the result counts as; a replacement may count as the limit (S4)."""
        counts_limit = self.replacement and self.book.replacement_counts_as == "limit"
        return self.limit or self.throws if counts_limit else self.throws

    @property
    def throws_left(self) -> int:
        """Throws that may still follow."""
        return self.most_throws - self.throws

    @property
    def dice_to_throw(self) -> int:
        """How many dice the next throw has: all that do not lie outside."""
        return DICE_PER_PLAYER - len(self.outside)

    @property
    def from_hand(self) -> bool:
        """Whether all three dice were in the last throw (row P4)."""
        return len(self.thrown) == DICE_PER_PLAYER

    @property
    def dice(self) -> Dice:
        """All three dice as they lie, or fewer while the cup is down."""
        return together(self.outside, self.lying)

    def refused(self, code: str, **words: object) -> Refused:
        """Make a refusal that speaks of this player."""
        return refuse(self.book, code, player=self.player, **words)


def verify_throw(turn: Turn, dice: Dice | None = None) -> None:
    """Check a throw.

    Args:
        turn: the turn.
        dice: the dice thrown, or None to ask whether throwing is allowed at all.

    Raises:
        Refused: `too_many_throws`, `no_dice_in_cup` or `wrong_number_of_dice`.
    """
    if turn.throws_left < 1 and turn.covered_id is None:
        raise turn.refused("too_many_throws", limit=turn.most_throws)
    if turn.dice_to_throw < 1:
        raise turn.refused("no_dice_in_cup")
    if dice is not None and len(dice) != turn.dice_to_throw:
        raise turn.refused("wrong_number_of_dice", expected=turn.dice_to_throw, got=len(dice))


def throw(turn: Turn, dice: Dice) -> Turn:
    """Make a valid throw of all dice that do not lie outside, or lift the cup from one."""
    verify_throw(turn, dice)
    return changed(
        turn,
        throws=turn.throws + (turn.covered_id is None),
        covered_id=None,
        lying=dice,
        thrown=dice,
        kept_now=(),
        turned_now=0,
        must_throw=False,
    )


def burn(turn: Turn) -> Turn:
    """Make a throw that does not count (row F8): it must be repeated with the same dice."""
    verify_throw(turn)
    uncounted = turn.throws - (turn.covered_id is not None)
    cleared = changed(turn, throws=uncounted, covered_id=None)
    return changed(cleared, lying=(), thrown=(), kept_now=(), turned_now=0)


def verify_cover(turn: Turn) -> None:
    """Check throwing without lifting the cup (rows T5 to T7, T12).

    Raises:
        Refused: `cup_is_down`, `open_throw_only`, `too_many_throws` or `no_dice_in_cup`.
    """
    if turn.replacement:
        raise turn.refused("open_throw_only")
    if turn.covered_id is not None:
        raise turn.refused("cup_is_down")
    verify_throw(turn)


def cover(turn: Turn, throw_id: int) -> Turn:
    """Make a valid throw that stays under the cup; its dice come later with `throw`."""
    verify_cover(turn)
    return changed(
        turn,
        throws=turn.throws + 1,
        covered_id=throw_id,
        lying=(),
        thrown=(),
        kept_now=(),
        turned_now=0,
    )


def verify_keep(turn: Turn, dice: Dice) -> None:
    """Check putting dice out.

    Raises:
        Refused: `no_throw`, `dice_not_there`, `other_six_must_return`, `only_ones` or
            `turned_keeps_only_ones`.
    """
    _needs_throw(turn)
    if not contains(turn.lying, dice):
        raise turn.refused("dice_not_there", dice=dice, there=turn.lying)
    if turn.turned_now and 6 in dice:
        raise turn.refused("other_six_must_return")
    others = tuple(die for die in dice if die != 1)
    if others and turn.book.keep == "only_ones":
        raise turn.refused("only_ones", dice=others)
    if others and turn.turned_now and turn.book.turn_keep_side == "only_ones":
        raise turn.refused("turned_keeps_only_ones", dice=others)


def keep(turn: Turn, dice: Dice) -> Turn:
    """Put dice of the last throw out (row P1)."""
    verify_keep(turn, dice)
    return changed(
        turn,
        outside=together(turn.outside, dice),
        lying=without(turn.lying, dice),
        kept_now=together(turn.kept_now, dice),
    )


def verify_return(turn: Turn, dice: Dice) -> None:
    """Check taking dice back (row P2).

    Raises:
        Refused: `no_return`, `no_throw`, `dice_not_there` or `no_throw_left`.
    """
    if not turn.book.return_kept:
        raise turn.refused("no_return")
    _needs_throw(turn)
    if not contains(turn.outside, dice):
        raise turn.refused("dice_not_there", dice=dice, there=turn.outside)
    if turn.throws_left < 1:
        raise turn.refused("no_throw_left")


def take_back_dice(turn: Turn, dice: Dice) -> Turn:
    """Take dice from outside back to those that will be thrown again.

    Where one like it was put out just now, that one goes back: nobody can tell them apart.
    """
    verify_return(turn, dice)
    just_kept = tuple((Counter(turn.kept_now) & Counter(dice)).elements())
    return changed(
        turn,
        outside=without(turn.outside, dice),
        lying=together(turn.lying, dice),
        kept_now=without(turn.kept_now, just_kept),
    )


def verify_turn(turn: Turn, count: int) -> None:
    """Check turning sixes to ones (rows X1 to X8, X11).

    Raises:
        Refused: `no_throw`, `sixes_not_in_one_throw`, `other_six_must_return`,
            `no_throw_left` or `turned_keeps_only_ones`.
    """
    _needs_throw(turn)
    fallen = turn.thrown.count(6)
    wanted = turn.turned_now + count
    if wanted >= fallen:
        older = turn.outside.count(6) - turn.kept_now.count(6)
        together_enough = fallen + older > wanted
        code = (
            "sixes_not_in_one_throw" if fallen < 2 or together_enough else "other_six_must_return"
        )
        raise turn.refused(code)
    if turn.throws_left < 1:
        raise turn.refused("no_throw_left")
    if 6 in turn.kept_now:
        raise turn.refused("other_six_must_return")
    side = tuple(die for die in turn.kept_now if die != 1)
    if side and turn.book.turn_keep_side == "only_ones":
        raise turn.refused("turned_keeps_only_ones", dice=side)


def turn_sixes(turn: Turn, count: int) -> Turn:
    """Turn `count` sixes of the last throw to ones and put them out (row X10)."""
    verify_turn(turn, count)
    return changed(
        turn,
        outside=together(turn.outside, (1,) * count),
        lying=without(turn.lying, (6,) * count),
        turned_now=turn.turned_now + count,
        must_throw=True,
    )


def turned_one_of_three(turn: Turn) -> bool:
    """Whether of three sixes in one throw only one has been turned so far (row X11)."""
    return turn.turned_now == 1 and turn.thrown.count(6) == DICE_PER_PLAYER


def verify_stop(turn: Turn) -> None:
    """Check letting the result stand.

    Raises:
        Refused: `must_throw_after_turn` (row X9) or `no_throw`.
    """
    if turn.covered_id is not None:
        return
    if turn.must_throw:
        raise turn.refused("must_throw_after_turn")
    _needs_throw(turn)


def stop(turn: Turn) -> Result:
    """Let the result stand: what lies outside and the last throw together.

    Raises:
        Refused: as `verify_stop`, or `cup_is_down` while the dice are not known.
    """
    verify_stop(turn)
    if turn.covered_id is not None:
        raise turn.refused("cup_is_down")
    return Result(turn.player, turn.dice, turn.counted_throws, turn.from_hand)


def _needs_throw(turn: Turn) -> None:
    if turn.covered_id is not None:
        raise turn.refused("cup_is_down")
    if not turn.thrown:
        raise turn.refused("no_throw")
