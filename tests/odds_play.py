"""What the tests of the odds share: books, a turn after a throw, doing what a choice says."""

from collections import Counter
from itertools import product

from rules import (
    KeepDice,
    ReturnDice,
    RuleBook,
    TurnSixes,
    all_books,
    find_book,
    legality,
    parse_book,
)
from rules.dice import Dice
from rules.legality import Turn
from rules.odds import Aim, Choice

TURNIER = find_book("turnier")

STRICT = parse_book(
    """
    based_on = "turnier"
    key = "strict"
    [fields]
    keep = { value = "only_ones", text = "1" }
    turn_keep_side = { value = "only_ones", text = "1" }
    covered = { value = "last_of_followers_and_third", text = "1" }
    tie_break = { value = ["throws", "hand", "order"], text = "1" }
    schock2_above_general = { value = true, text = "1" }
    straight_one_throw = { value = false, text = "1" }
    jule_421 = { value = true, text = "1" }
    """
)
"""House rules with the other answer wherever `turnier` and `allgemein` agree."""

BOOKS = (*all_books(), STRICT)
AIMS: tuple[Aim, ...] = ("not_lowest", "highest")

WEIGHTS = Counter(tuple(sorted(fall, reverse=True)) for fall in product(range(1, 7), repeat=3))
"""How many of the 216 falls of three dice show what."""


def thrown(
    book: RuleBook, dice: Dice, *, limit: int | None = None, throws: int = 1, outside: Dice = ()
) -> Turn:
    return Turn(
        book=book,
        player="me",
        limit=limit,
        throws=throws,
        outside=outside,
        lying=dice,
        thrown=dice,
    )


def handled(turn: Turn, choice: Choice) -> Turn:
    """Do what a choice says, in the order in which `Choice.actions` has it."""
    for action in choice.actions("me"):
        if isinstance(action, TurnSixes):
            turn = legality.turn_sixes(turn, action.count)
        elif isinstance(action, KeepDice):
            turn = legality.keep(turn, action.dice)
        elif isinstance(action, ReturnDice):
            turn = legality.take_back_dice(turn, action.dice)
    return turn
