"""The test of fairness: known values of chi-square, and verdicts that claim no more."""

from math import exp, factorial, gamma
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fairness import (
    CONSPICUOUS_BELOW,
    FEWEST_DICE,
    NONCENTRALITY,
    Faces,
    chance_of_more,
)

TABLE = [(1.145, 0.95), (4.351, 0.5), (9.236, 0.1), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)]
"""Upper percentage points of chi-square, 5 degrees of freedom. Source: NIST/SEMATECH e-Handbook,
1.3.6.7.4."""


@pytest.mark.parametrize(("chi_square", "chance"), TABLE)
def test_chances_are_those_of_the_tables(chi_square: float, chance: float) -> None:
    assert chance_of_more(chi_square) == pytest.approx(chance, rel=2e-3)


def test_the_ends() -> None:
    assert chance_of_more(0.0) == 1.0
    assert 0.0 <= chance_of_more(1e6) < 1e-300
    assert (Faces().chi_square, Faces().chance, Faces().noticed_from) == (0.0, 1.0, None)


@given(st.floats(0.0, 400.0), st.floats(0.0, 400.0))
def test_more_uneven_is_never_more_likely(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0.0 <= chance_of_more(high) <= chance_of_more(low) <= 1.0


def power(noncentrality: float) -> float:
    """How often a noncentral chi-square is conspicuous: a Poisson mixture of central ones.

    Source: Abramowitz & Stegun 26.4.25 and, from one number of degrees to the next, 26.4.8.
    """
    critical = next(x / 1e4 for x in range(10**6) if chance_of_more(x / 1e4) < CONSPICUOUS_BELOW)
    half, tail, total = noncentrality / 2, chance_of_more(critical), 0.0
    step = (critical / 2) ** 2.5 * exp(-critical / 2) / gamma(3.5)
    for pairs in range(60):
        total += exp(-half) * half**pairs / factorial(pairs) * tail
        tail += step
        step *= critical / (7 + 2 * pairs)
    return total


def test_four_of_five_sets_that_are_so_uneven_are_conspicuous() -> None:
    assert power(NONCENTRALITY) == pytest.approx(0.8, abs=1e-3)


def test_fewer_dice_than_would_show_a_face_twice_as_likely_say_nothing() -> None:
    assert FEWEST_DICE == 123
    assert Faces(122).verdict == "too_few"
    assert Faces(21, 21, 21, 21, 21, 21).verdict == "inconspicuous"
    noticed = Faces(21, 21, 21, 21, 21, 21).noticed_from
    assert noticed is not None
    assert noticed == pytest.approx(1.0, abs=0.02)


def test_verdicts_follow_the_chance() -> None:
    assert Faces(100, 104, 97, 99, 103, 97).verdict == "inconspicuous"
    assert Faces(100, 100, 100, 100, 92, 144).verdict == "inconspicuous", "one in 200 is no wonder"
    odd = Faces(100, 100, 100, 100, 90, 150)
    assert (odd.verdict, odd.strangest) == ("conspicuous", 6)
    assert 0.0001 < odd.chance < 0.001
    very = Faces(100, 100, 100, 100, 100, 200)
    assert very.verdict == "very_conspicuous"
    assert very.chi_square == pytest.approx(71.43, abs=0.01)


def test_sets_are_added_face_by_face() -> None:
    assert Faces(1, 2, 3, 4, 5, 6) + Faces(1, 0, 0, 0, 0, 1) == Faces(2, 2, 3, 4, 5, 7)


def test_of_fair_sets_that_are_looked_at_all_evening_few_are_ever_conspicuous() -> None:
    """Sets of 450 dice, looked at after every 15: about one in a hundred stands out once."""
    chance, ever, sets = Random(7), 0, 1500
    for _ in range(sets):
        counts, verdicts = Faces(), set[str]()
        for _ in range(30):
            thrown = chance.choices(range(6), k=15)
            counts += Faces(*(thrown.count(face) for face in range(6)))
            verdicts.add(counts.verdict)
        ever += bool(verdicts - {"too_few", "inconspicuous"})
    assert 2 <= ever <= 30
