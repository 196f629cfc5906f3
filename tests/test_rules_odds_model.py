"""The chances against plain recursion with fractions, and against simulated rounds."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from random import Random

import pytest
from odds_play import BOOKS, handled, thrown

from rules import Result, RuleBook, is_shown, legality, rank
from rules.dice import Dice, without
from rules.legality import Turn
from rules.odds import Choice, HiddenThrow, Position, odds
from rules.odds_choices import choices

each_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.key)

SEEING = [b for b in BOOKS if is_shown(b, role="follower", limit=2, throw_no=2)]
"""Books in which a second and last throw lies open."""


Worth = Callable[[Result], tuple[Fraction, Fraction]]


def plain(turn: Turn, choice: Choice, worth: Worth) -> tuple[Fraction, Fraction]:
    """(lowest, highest) of a choice: follow the rules of the turn, one fall at a time."""
    after = handled(turn, choice)
    if choice.kind == "stop":
        return worth(legality.stop(after))
    known: dict[tuple[Dice, int], tuple[Fraction, Fraction]] = {}

    def throwing(turn: Turn) -> tuple[Fraction, Fraction]:
        key = turn.outside, turn.throws
        if key not in known:
            falls = Counter(
                tuple(sorted(fall, reverse=True))
                for fall in product(range(1, 7), repeat=turn.dice_to_throw)
            )
            values = [(best(legality.throw(turn, dice)), n) for dice, n in falls.items()]
            total = sum(falls.values())
            known[key] = (
                Fraction(sum(v[0] * n for v, n in values), total),
                Fraction(sum(v[1] * n for v, n in values), total),
            )
        return known[key]

    def best(turn: Turn) -> tuple[Fraction, Fraction]:
        if not turn.throws_left:
            return worth(legality.stop(turn))
        found = [
            worth(legality.stop(turn)) if c.kind == "stop" else throwing(handled(turn, c))
            for c in choices(turn)
        ]
        return min(found, key=lambda value: (value[0], -value[1]))

    return throwing(after)


def place(book: RuleBook, results: list[Result]) -> tuple[Fraction, Fraction]:
    ranking = rank(book, results)
    return Fraction(ranking.loser == "me"), Fraction(ranking.winner == "me")


@each_book
@pytest.mark.parametrize("dice", [(6, 6, 6), (6, 4, 1), (5, 5, 2)])
def test_the_last_player_by_plain_recursion(book: RuleBook, dice: Dice) -> None:
    earlier = (Result("A", (6, 5, 2), 2, False), Result("B", (4, 1, 1), 3, False))
    turn = thrown(book, dice, limit=3)
    for item in odds(Position(turn=turn, earlier=earlier)):
        expected = plain(turn, item.choice, cache(lambda mine: place(book, [*earlier, mine])))
        assert (item.lowest, item.highest) == expected


@pytest.mark.parametrize("book", SEEING, ids=lambda book: book.key)
def test_a_player_with_one_to_come_by_plain_recursion(book: RuleBook) -> None:
    """He throws one die more: six results, each answered by the best turn of the other."""
    earlier = Result("A", (5, 1, 1), 2, False)
    turn = thrown(book, (4, 1, 1), limit=2)
    found = odds(Position(turn=turn, earlier=(earlier,), to_come=1))
    item = next(item for item in found if item.choice.outside == (1, 1))

    def answered(mine: Result) -> tuple[Fraction, Fraction]:
        results = [earlier, replace(mine, player="B")]
        fresh = Turn(book=book, player="me", limit=2)
        start = Choice(kind="throw")
        (theirs_low, theirs_high) = plain(
            fresh, start, cache(lambda other: place(book, [*results, other]))
        )
        mine_now = place(book, [earlier, mine])
        return mine_now[0] * (1 - theirs_low), mine_now[1] * (1 - theirs_high)

    assert (item.lowest, item.highest) == plain(turn, item.choice, cache(answered))


# Against simulation: everybody plays by `odds`, dice by chance, places by `rank`.

best_choice = cache(lambda position: odds(position)[0].choice)

Earlier = tuple[Result | HiddenThrow, ...]

CASES = {
    "first of three after 6-5-3": (None, (6, 5, 3), (), 2),
    "first of two after 3-2-1": (None, (3, 2, 1), (), 1),
    "second of three, limit 2": (2, (6, 4, 1), (Result("A", (6, 5, 2), 2, False),), 1),
    "second of four behind a covered throw": (2, (5, 5, 1), (HiddenThrow((1,), 2),), 2),
}
ROUNDS = 1000
SIGMAS = 4


@each_book
@pytest.mark.parametrize("case", CASES)
def test_simulated_rounds_agree(book: RuleBook, case: str) -> None:
    """Within four standard deviations of the count, for a seed nobody has chosen."""
    limit, dice, earlier, to_come = CASES[case]
    position = Position(turn=thrown(book, dice, limit=limit), earlier=earlier, to_come=to_come)
    chances = odds(position)[min(1, len(odds(position)) - 1)]  # not always just a stop
    numbers = Random(f"{book.key} {case}")
    lost = won = 0
    for _ in range(ROUNDS):
        loser, winner = simulated(position, chances.choice, numbers)
        lost, won = lost + (loser == "me"), won + (winner == "me")
    for count, p in ((lost, chances.p_lowest), (won, chances.p_highest)):
        assert abs(count - ROUNDS * p) <= SIGMAS * sqrt(ROUNDS * p * (1 - p)) + 1e-9


def simulated(position: Position, choice: Choice, numbers: Random) -> tuple[str, str]:
    """Play the round to its end from this choice; return its loser and its winner."""
    mine, outside = finished(position, choice, numbers)
    book, limit = position.turn.book, position.turn.limit
    role = "first" if limit is None else "follower"
    shown = is_shown(book, role=role, limit=limit, throw_no=mine.throws)
    public = mine if shown else HiddenThrow(outside, mine.throws)
    seen = (*position.earlier, public)
    results = [revealed(item, at, numbers) for at, item in enumerate(position.earlier)]
    results.append(mine)
    for at in range(position.to_come):
        turn = Turn(book=book, player="me", limit=limit or mine.throws)
        last = Position(turn=turn, earlier=seen)
        theirs, _ = finished(last, Choice(kind="throw"), numbers)
        results.append(replace(theirs, player=f"to come {at}"))
    ranking = rank(book, results)
    return ranking.loser, ranking.winner


def finished(position: Position, choice: Choice, numbers: Random) -> tuple[Result, Dice]:
    """Play a turn to its end by the best choices: the result, and what lay outside before."""
    turn = handled(position.turn, choice)
    while choice.kind == "throw":
        turn = legality.throw(turn, fall(turn.dice_to_throw, numbers))
        choice = best_choice(replace(position, turn=turn))
        turn = handled(turn, choice)
    return legality.stop(turn), without(turn.dice, turn.thrown)


def revealed(item: Result | HiddenThrow, at: int, numbers: Random) -> Result:
    if isinstance(item, Result):
        return item
    dice = (*item.outside, *fall(3 - len(item.outside), numbers))
    return Result(f"hidden {at}", dice, item.throws, not item.outside)


def fall(count: int, numbers: Random) -> Dice:
    return tuple(sorted((numbers.randint(1, 6) for _ in range(count)), reverse=True))
