"""The start of a game: who leads, and in some books who already pays (rows S1 to S4).

With one die the highest leads and only the tied highest roll again. With three
dice everybody throws once at the same time, the lowest takes what the highest is
worth, and only the tied lowest throw again; the rethrow binds them, whatever the
others have.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.book import RuleBook
from rules.changing import FrozenMapping, changed
from rules.dice import DICE_PER_PLAYER, Dice
from rules.ranking import Result, figure_of
from rules.reasons import refuse
from rules.results import Deckel

OPENING_DICE: Mapping[str, int] = {"single_die": 1, "three_dice_round": DICE_PER_PLAYER}


@dataclass(frozen=True, kw_only=True)
class Opening:
    """The opening throws so far.

    Attributes:
        book: the rule book.
        contenders: who is still in question (all at first, then only the tied).
        waiting: contenders who have not thrown yet in this pass, in seat order.
        standing: the latest throw of each player; a rethrow replaces the old one.
    """

    book: RuleBook
    contenders: tuple[str, ...]
    waiting: tuple[str, ...]
    standing: Mapping[str, Dice]

    @property
    def dice_to_throw(self) -> int:
        """How many dice each player throws."""
        return OPENING_DICE[self.book.start]


@dataclass(frozen=True)
class Outcome:
    """How an opening pass ended.

    Attributes:
        tied: the players who must throw again; empty when it is decided.
        winner: who has the best throw, once decided.
        loser: who pays, or None where the book has nobody pay.
        starter: who leads round 1.
        deckel: how many Deckel the loser takes; 0 where nobody pays.
        order: all players, best first, the loser last whatever the others threw.
    """

    tied: tuple[str, ...]
    winner: str = ""
    loser: str | None = None
    starter: str = ""
    deckel: Deckel = 0
    order: tuple[str, ...] = ()


def new_opening(book: RuleBook, players: tuple[str, ...]) -> Opening:
    """Begin: every player has one throw to make."""
    return Opening(book=book, contenders=players, waiting=players, standing=FrozenMapping({}))


def add_throw(opening: Opening, player: str, dice: Dice) -> Opening:
    """Enter a player's throw.

    Raises:
        Refused: `already_thrown` or `wrong_number_of_dice`.
    """
    verify_throw(opening, player, dice)
    return changed(
        opening,
        waiting=tuple(name for name in opening.waiting if name != player),
        standing=FrozenMapping({**opening.standing, player: dice}),
    )


def verify_throw(opening: Opening, player: str, dice: Dice | None = None) -> None:
    """Check that this player still has to throw, with so many dice."""
    if player not in opening.waiting:
        raise refuse(opening.book, "already_thrown", player=player, expected=opening.waiting)
    wanted = opening.dice_to_throw
    if dice is not None and len(dice) != wanted:
        words = {"player": player, "expected": wanted, "got": len(dice)}
        raise refuse(opening.book, "wrong_number_of_dice", **words)


def rethrow(opening: Opening, tied: tuple[str, ...]) -> Opening:
    """Let only the tied throw again; the throws of the others stand."""
    return changed(opening, contenders=tied, waiting=tied)


def outcome(opening: Opening) -> Outcome:
    """Tell how a complete pass ended; nobody may be waiting."""
    strengths = {name: _strength(opening, name) for name in opening.contenders}
    decisive = max if opening.book.start == "single_die" else min
    extreme = decisive(strengths.values())
    tied = tuple(name for name in opening.contenders if strengths[name] == extreme)
    if len(tied) > 1:
        return Outcome(tied=tied)
    best_first = _best_first(opening)
    if opening.book.start == "single_die":
        order = (tied[0], *(name for name in best_first if name != tied[0]))
        return Outcome(tied=(), winner=tied[0], starter=tied[0], order=order)
    paying = best_first[0]
    if opening.book.start_value_scope == "rethrow_only":
        paying = next(name for name in best_first if name in opening.contenders)
    return Outcome(
        tied=(),
        winner=paying,
        loser=tied[0],
        starter=tied[0],
        deckel=figure_of(opening.book, opening.standing[paying], from_hand=True).deckel,
        order=(*(name for name in best_first if name != tied[0]), tied[0]),
    )


def standing_results(opening: Opening) -> tuple[Result, ...]:
    """Return the three-dice throws so far as results, best first; empty with single dice."""
    if opening.dice_to_throw != DICE_PER_PLAYER:
        return ()
    return tuple(
        Result(name, opening.standing[name], throws=1, from_hand=True)
        for name in _best_first(opening)
    )


def _best_first(opening: Opening) -> tuple[str, ...]:
    return tuple(sorted(opening.standing, key=lambda n: _strength(opening, n), reverse=True))


def _strength(opening: Opening, player: str) -> int:
    dice = opening.standing[player]
    if len(dice) == DICE_PER_PLAYER:
        return figure_of(opening.book, dice, from_hand=True).rung
    return dice[0]
