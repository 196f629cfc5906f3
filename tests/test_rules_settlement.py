"""Settlement and opening: Deckel are never made or lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import MalformedRecord, Refused, find_book, opening, settle
from rules.results import Deckel

TURNIER = find_book("turnier")
VALUES = st.one_of(st.just("all"), st.integers(1, 7))


@given(st.integers(0, 13), st.lists(st.integers(0, 13), min_size=2, max_size=6), VALUES, st.data())
def test_stock_and_holdings_stay_the_total(
    stock: int, held: list[int], value: Deckel, data: st.DataObject
) -> None:
    holdings = {f"P{at}": count for at, count in enumerate(held)}
    winner, loser = data.draw(st.permutations(sorted(holdings)))[:2]
    after = settle(TURNIER, stock=stock, holdings=holdings, winner=winner, loser=loser, value=value)
    assert after.stock + sum(after.holdings.values()) == stock + sum(held)
    assert min(after.stock, *after.holdings.values()) >= 0
    assert after.holdings[loser] == holdings[loser] + after.moved
    if after.part_loser is None and after.stock == 0:
        assert set(after.out) == {name for name, count in after.holdings.items() if count == 0}
    else:
        assert after.out == ()


def test_a4_a5_a_small_stock_gives_what_is_left_and_the_winner_nothing() -> None:
    after = settle(TURNIER, stock=2, holdings={"A": 6, "B": 5}, winner="A", loser="B", value=5)
    assert (after.stock, after.holdings) == (0, {"A": 6, "B": 7})


def test_a6_e2_a_winner_with_too_few_gives_all_and_is_out() -> None:
    holdings = {"A": 1, "B": 8, "C": 4}
    after = settle(TURNIER, stock=0, holdings=holdings, winner="A", loser="B", value=6)
    assert (after.holdings, after.out) == ({"A": 0, "B": 9, "C": 4}, ("A",))


def test_e3_nobody_is_out_while_the_stock_lasts() -> None:
    after = settle(
        TURNIER, stock=9, holdings={"A": 4, "B": 0, "C": 0}, winner="A", loser="B", value=1
    )
    assert after.out == ()


def test_winner_and_loser_must_be_two_players() -> None:
    with pytest.raises(MalformedRecord, match="two players"):
        settle(TURNIER, stock=13, holdings={"A": 0}, winner="A", loser="A", value=1)


def passed(throws: dict[str, tuple[int, ...]]) -> opening.Opening:
    state = opening.new_opening(TURNIER, tuple(throws))
    for player, dice in throws.items():
        state = opening.add_throw(state, player, dice)
    return state


def test_s3_lowest_takes_what_the_highest_is_worth() -> None:
    ended = opening.outcome(passed({"A": (6, 5, 2), "B": (4, 1, 1), "C": (3, 2, 2)}))
    assert (ended.loser, ended.deckel, ended.starter) == ("C", 4, "C")
    assert ended.order == ("B", "A", "C")


def test_s2_only_the_tied_lowest_throw_again_and_the_rethrow_binds() -> None:
    first = passed({"A": (6, 5, 3), "B": (2, 2, 1), "C": (2, 2, 1)})
    assert opening.outcome(first).tied == ("B", "C")
    again = opening.rethrow(first, ("B", "C"))
    with pytest.raises(Refused) as caught:
        opening.add_throw(again, "A", (6, 6, 6))
    assert caught.value.code == "already_thrown"
    again = opening.add_throw(opening.add_throw(again, "B", (1, 1, 1)), "C", (6, 1, 1))
    ended = opening.outcome(again)
    assert (ended.loser, ended.winner, ended.deckel) == ("C", "B", "all")
    assert ended.order == ("B", "A", "C")


def test_s4_value_is_the_highest_of_all_standing_throws() -> None:
    first = passed({"A": (5, 1, 1), "B": (2, 2, 1), "C": (2, 2, 1)})
    again = opening.rethrow(first, ("B", "C"))
    again = opening.add_throw(opening.add_throw(again, "B", (6, 5, 3)), "C", (5, 3, 2))
    ended = opening.outcome(again)
    assert (ended.loser, ended.deckel) == ("C", 5)


def test_a_tie_for_the_highest_is_irrelevant() -> None:
    ended = opening.outcome(passed({"A": (4, 1, 1), "B": (4, 1, 1), "C": (3, 2, 2)}))
    assert (ended.tied, ended.loser, ended.deckel) == ((), "C", 4)
