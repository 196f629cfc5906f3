"""Luck: the share of falls that lie below, exactly one half on the mean in every book."""

from fractions import Fraction
from functools import reduce
from itertools import product
from operator import add

import pytest

from rules import RuleBook, all_books, find_book
from rules.luck import HALVES, Luck, first_throw

BOOKS = pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
TURNIER = find_book("turnier")


def falls() -> list[tuple[int, ...]]:
    return [tuple(sorted(fall, reverse=True)) for fall in product(range(1, 7), repeat=3)]


@BOOKS
def test_over_all_falls_the_mean_share_is_one_half_and_the_variance_is_its_own(
    book: RuleBook,
) -> None:
    each = [first_throw(book, dice) for dice in falls()]
    together = reduce(add, each, Luck())
    assert together.share == 0.5
    assert together.verdict == "as_expected"
    squares = sum((Fraction(one.halves, HALVES) - Fraction(1, 2)) ** 2 for one in each)
    assert squares / 216 == each[0].variance
    assert together.schock_aus == together.expected_schock_aus == 1


def test_the_best_throw_lies_above_all_but_itself_and_the_worst_above_none() -> None:
    best, worst = first_throw(TURNIER, (1, 1, 1)), first_throw(TURNIER, (2, 2, 1))
    assert best.halves == 2 * 215 + 1
    assert worst.halves == 3, "three falls, each counting by half"


@BOOKS
def test_a_better_figure_has_a_greater_share(book: RuleBook) -> None:
    ladder = [(1, 1, 1), (6, 1, 1), (5, 1, 1), (6, 6, 5), (2, 2, 1)]
    shares = [first_throw(book, dice).halves for dice in ladder]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == len(ladder)


def test_only_more_than_two_standard_errors_are_luck() -> None:
    best = first_throw(TURNIER, (1, 1, 1))
    assert best.verdict == "as_expected", "one throw says nothing"
    assert (best + best).verdict == "lucky"
    worst = first_throw(TURNIER, (2, 2, 1))
    assert (worst + worst + worst).verdict == "unlucky"
    assert (best + worst).verdict == "as_expected"


def test_before_the_first_throw_there_is_nothing_to_say() -> None:
    assert (Luck().share, Luck().error, Luck().verdict) == (None, None, "as_expected")


def test_the_spread_shrinks_with_the_root_of_the_throws() -> None:
    one = first_throw(TURNIER, (6, 5, 2))
    four = one + one + one + one
    assert one.error is not None
    assert four.error == pytest.approx(one.error / 2)
    assert one.error == pytest.approx(0.288, abs=0.002), "as of evenly spread shares, 1 / sqrt 12"
