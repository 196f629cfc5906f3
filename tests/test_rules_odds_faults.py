"""Odds after faults: turns that are replaced, and rounds that somebody has lost already."""

from fractions import Fraction
from itertools import product

import pytest
from rules_play import begun, one_throw_round, played

from rules import ReportFault, RuleBook, StopTurn, ThrowDice, all_books, find_book, rank
from rules.odds import odds, position_of
from rules.ranking import Result

TURNIER, STATUTEN = find_book("turnier"), find_book("statuten")
EARLY = "lift_early"
TOO_MANY = "too_many_throws"


@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
def test_there_are_odds_after_every_fault(book: RuleBook) -> None:
    match, _ = played(begun(book), ThrowDice("A", (6, 5, 2)), ThrowDice("A", (6, 4, 1)))
    match, _ = played(match, ReportFault("A", TOO_MANY, "R"))
    for chosen in odds(position_of(match.state)):
        assert 0 <= chosen.lowest <= 1
        assert 0 <= chosen.highest <= 1
    if match.current_player == "A":  # a single open throw replaces his turn
        match, _ = played(match, *one_throw_round("A", (6, 5, 2)))
    match, _ = played(match, ReportFault("C", TOO_MANY, "R"))
    for chosen in odds(position_of(match.state)):
        assert 0 <= chosen.lowest <= 1
        assert 0 <= chosen.highest <= 1


def brute(dice: tuple[int, ...], *, mine_first: bool) -> tuple[Fraction, Fraction]:
    """How often B is lowest and highest with these dice against one open throw of A."""
    lowest = highest = 0
    for other in product(range(1, 7), repeat=3):
        thrown = {"A": tuple(sorted(other, reverse=True)), "B": dice}
        seats = "BA" if mine_first else "AB"
        ranking = rank(STATUTEN, [Result(name, thrown[name], 1, from_hand=True) for name in seats])
        lowest += ranking.loser == "B"
        highest += ranking.winner == "B"
    return Fraction(lowest, 216), Fraction(highest, 216)


@pytest.mark.parametrize("throws", [1, 3])
def test_odds_know_that_a_replaced_turn_is_one_throw_at_its_old_place(throws: int) -> None:
    moves = [*[ThrowDice("A", (6, 5, 2))] * throws, StopTurn("A"), ReportFault("A", EARLY, "R")]
    match, _ = played(begun(STATUTEN, "AB"), *moves, ThrowDice("B", (6, 5, 2)))
    stop = next(o for o in odds(position_of(match.state)) if o.choice.kind == "stop")
    assert (stop.lowest, stop.highest) == brute((6, 5, 2), mine_first=False)
    match, _ = played(match, StopTurn("B"), ThrowDice("A", (6, 5, 2)))
    (stop,) = odds(position_of(match.state))
    assert (stop.lowest, stop.highest) == (0, 1), "the same dice, and A sits before B"
    match, _ = played(match, StopTurn("A"))
    assert match.state.history[-1].loser == "B"


def test_nobody_can_end_lowest_where_somebody_has_lost_the_round_by_a_fault() -> None:
    match, _ = played(begun(TURNIER), ReportFault("C", TOO_MANY, "R"), ThrowDice("A", (2, 2, 1)))
    found = odds(position_of(match.state))
    assert {item.lowest for item in found} == {0}
    assert found[0].highest == max(item.highest for item in found) > found[-1].highest


def test_whoever_is_left_alone_is_highest() -> None:
    match, _ = played(begun(TURNIER), ReportFault("A", TOO_MANY, "R"))
    match, _ = played(match, ReportFault("C", TOO_MANY, "R"))
    assert match.current_player == "B"
    assert {(o.lowest, o.highest) for o in odds(position_of(match.state))} == {(0, 1)}
