"""The book `statuten` (document 004): only ones, Doofmanndeckel, hardcore, Champions League."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import BookError, Result, figure_of, find_book, is_shown, rank
from rules.fees import loss_fee
from rules.judge import answer
from rules.settlement import pay_doofmann

STATUTEN = find_book("statuten")


def asked(kind: str, **given_input: Any) -> dict[str, Any]:
    return answer({"id": "q", "book": "statuten", "kind": kind, "input": given_input})


def results(**dice: list[int]) -> list[dict[str, Any]]:
    return [{"player": name, "dice": shown, "throws": 1} for name, shown in dice.items()]


def order(*thrown: Result) -> str:
    return "".join(result.player for result in rank(STATUTEN, thrown).order)


@pytest.mark.parametrize("name", ["statuten", "004", "Vereinsstatuten"])
def test_statuten_is_found_by_name_and_alias(name: str) -> None:
    assert find_book(name) is STATUTEN


def test_statuten_12_assembled_in_second_beats_hand_in_third() -> None:
    assert order(Result("A", (6, 1, 1), 3, True), Result("B", (6, 1, 1), 2, False)) == "BA"
    assert order(Result("A", (6, 1, 1), 2, False), Result("B", (6, 1, 1), 2, True)) == "BA"


def test_statuten_14_a_nachleger_is_lower() -> None:
    assert order(Result("A", (4, 2, 1), 2, True), Result("B", (4, 2, 1), 2, True)) == "AB"


def test_statuten_16_schock_doof_above_general_is_worth_two() -> None:
    ranking = rank(STATUTEN, [Result("A", (6, 6, 6), 1, True), Result("B", (2, 1, 1), 1, True)])
    assert (ranking.winner, ranking.deckel) == ("B", 2)
    doof = figure_of(STATUTEN, (2, 1, 1), from_hand=False)
    assert doof.rung < figure_of(STATUTEN, (3, 1, 1), from_hand=False).rung


def test_statuten_10a_only_ones_may_be_put_out() -> None:
    throw = {"do": "throw", "dice": [6, 4, 1]}
    judged = asked("turn", limit=3, actions=[throw, {"do": "keep", "dice": [6]}])
    assert (judged["at"], judged["reason"], judged["rule"]) == (1, "only_ones", "004 §10a")
    judged = asked("turn", limit=3, actions=[throw, {"do": "keep", "dice": [1]}])
    assert judged["legal"] is True


def test_statuten_4_9_only_the_third_throw_is_covered() -> None:
    shown = [is_shown(STATUTEN, role="follower", limit=n, throw_no=n) for n in (1, 2, 3)]
    assert shown == [True, True, False]


def test_statuten_18_hardcore_adds_up_everybody_but_the_lowest() -> None:
    thrown = results(A=[4, 1, 1], B=[3, 3, 3], C=[5, 4, 3], D=[2, 2, 1])
    empty = {"stock": 13, "holdings": dict.fromkeys("ABCD", 0), "results": thrown}
    judged = asked("settle", hardcore=True, **empty)
    assert (judged["holdings"]["D"], judged["moved"]) == (9, 9)
    assert "004 §18" in judged["rule"]
    assert asked("settle", **empty)["holdings"]["D"] == 4


def test_statuten_18_hardcore_is_capped_by_the_stock_and_a_schock_aus_takes_all() -> None:
    thrown = results(A=[6, 1, 1], B=[5, 1, 1], C=[4, 1, 1], D=[2, 2, 1])
    empty = {"stock": 13, "holdings": dict.fromkeys("ABCD", 0)}
    assert asked("settle", hardcore=True, results=thrown, **empty)["half_loser"] == "D"
    thrown = results(A=[6, 6, 5], B=[1, 1, 1])
    two = {"stock": 13, "holdings": {"A": 0, "B": 0}}
    judged = asked("settle", hardcore=True, results=thrown, **two)
    assert (judged["half_over"], judged["half_loser"]) == (True, "A")


def test_a_hardcore_round_needs_results() -> None:
    given_input = {"stock": 13, "holdings": {"A": 0, "B": 0}, "winner": "A", "loser": "B"}
    judged = asked("settle", hardcore=True, value=3, **given_input)
    assert "needs 'results'" in judged["error"]


@pytest.mark.parametrize(
    ("stock", "holdings", "fool", "givers"),
    [
        (8, {"A": 3, "B": 2, "C": 0}, "B", ["stock"]),  # §17a
        (0, {"A": 7, "B": 4, "C": 2}, "C", ["A"]),  # §17c
        (0, {"A": 5, "B": 5, "C": 3}, "C", ["A", "B"]),  # §17d
        (0, {"A": 7, "B": 4, "C": 2}, "A", ["B"]),  # §17e
        (0, {"A": 7, "B": 3, "C": 3}, "A", ["B", "C"]),  # §17d, §17e
        (0, {"A": 5, "B": 5, "C": 3}, "A", ["B"]),
    ],
)
def test_statuten_17_who_gives_the_doofmanndeckel(
    stock: int, holdings: dict[str, int], fool: str, givers: list[str]
) -> None:
    judged = asked("penalty", event="doofmann", doofmann=fool, stock=stock, holdings=holdings)
    assert judged["from"] == givers
    assert judged["holdings"][fool] == holdings[fool] + len(givers)
    assert judged["stock"] + sum(judged["holdings"].values()) == stock + sum(holdings.values())


@settings(max_examples=40)
@given(
    stock=st.integers(0, 5),
    held=st.lists(st.integers(0, 8), min_size=2, max_size=5),
    fool=st.integers(0, 4),
)
def test_doofmanndeckel_never_get_lost_and_nobody_falls_below_nothing(
    stock: int, held: list[int], fool: int
) -> None:
    holdings = {f"P{at}": count for at, count in enumerate(held)}
    name = f"P{fool % len(held)}"
    paid = pay_doofmann(STATUTEN, stock=stock, holdings=holdings, doofmann=name)
    assert paid.stock + sum(paid.holdings.values()) == stock + sum(held)
    assert min(paid.holdings.values()) >= 0
    assert paid.holdings[name] == holdings[name] + paid.moved


def test_d6_every_offence_costs_a_doofmanndeckel_of_its_own() -> None:
    judged = asked(
        "penalty", event="doofmann", doofmann="C", stock=1, holdings={"A": 8, "B": 4, "C": 0},
        round_in_progress=True, offences=2,
    )  # fmt: skip
    assert (judged["from"], judged["moved"]) == (["stock", "A"], 2)
    assert judged["holdings"] == {"A": 7, "B": 4, "C": 2}
    assert judged["round_counts"] == "only_schock_aus"
    assert judged["rule"] == "004 §17a; 004 §17b; 004 §17c-e"


def test_statuten_17b_the_last_of_the_stock_leaves_only_a_schock_aus() -> None:
    judged = asked(
        "penalty", event="doofmann", doofmann="A", stock=1, holdings={"A": 5, "B": 7},
        round_in_progress=True,
    )  # fmt: skip
    assert (judged["stock"], judged["round_counts"]) == (0, "only_schock_aus")
    event = "round_after_last_doofmanndeckel"
    void = asked("penalty", event=event, results=results(B=[4, 1, 1], A=[2, 2, 1]))
    assert (void["counts"], void["loser"], void["deckel"]) == (False, None, 0)
    assert void["next_starter"] == "B"
    counts = asked("penalty", event=event, results=results(B=[1, 1, 1], A=[2, 2, 1]))
    assert (counts["counts"], counts["loser"], counts["deckel"]) == (True, "A", "all")


@pytest.mark.parametrize("event", ["lift_early", "too_many_throws"])
def test_statuten_6_7_one_open_throw_instead_and_a_doofmanndeckel(event: str) -> None:
    table = {"player": "B", "stock": 8, "holdings": {"A": 3, "B": 2, "C": 0}}
    judged = asked("penalty", event=event, **table)
    assert (judged["previous_throws_void"], judged["single_open_throw"]) == (True, True)
    assert (judged["stock"], judged["holdings"]["B"], judged["from"]) == (7, 3, ["stock"])
    assert asked("penalty", event=event)["doofmanndeckel"] == 1


def test_s4_the_replacement_throw_counts_as_one_throw_from_the_hand() -> None:
    judged = asked("penalty", event="replacement_throw", dice=[6, 6, 1], limit=3)
    assert (judged["throws"], judged["from_hand"], judged["shown"]) == (1, True, True)
    assert (judged["may_turn"], judged["may_throw_again"]) == (False, False)


def test_statuten_8_reentry_costs_a_doofmanndeckel_of_the_richest() -> None:
    asks = {"event": "reentry", "player": "C", "stock": 0}
    judged = asked("penalty", **asks, holdings={"A": 8, "B": 5, "C": 0})
    assert (judged["allowed"], judged["holdings"]) == (True, {"A": 7, "B": 5, "C": 1})
    tied = asked("penalty", **asks, holdings={"A": 6, "B": 6, "D": 1, "C": 0})
    assert (tied["from"], tied["holdings"]["C"]) == (["A", "B"], 2)
    playing = asked("penalty", **asks, holdings={"A": 8, "B": 4, "C": 1})
    assert playing["allowed"] is False
    early = asked("penalty", **{**asks, "stock": 2}, holdings={"A": 8, "B": 3, "C": 0})
    assert early["allowed"] is False


@pytest.mark.parametrize(
    ("dice", "wednesday", "phase", "decided", "loser", "fee"),
    [
        ("A111 B111 C652", True, "half1", True, "C", 6),
        ("A111 B111 C111 D652", True, "half2", True, "D", 9),
        ("A111 B111", True, "final", True, "B", 6),
        ("A111 B652", True, "half1", False, None, 0),
        ("A111 B652", True, "final", False, "B", 0),
        ("A111 B111 C652", False, "half1", False, None, 0),
        ("A611 B652", True, "half1", False, None, 0),
    ],
)
def test_statuten_19_champions_league(
    dice: str, wednesday: bool, phase: str, decided: bool, loser: str | None, fee: int
) -> None:
    thrown = results(**{word[0]: [int(die) for die in word[1:]] for word in dice.split()})
    judged = asked(
        "penalty", event="champions_league", wednesday=wednesday, phase=phase, results=thrown
    )
    got = (judged["champions_league"], judged["game_loser"], judged["fee_eur"])
    assert got == (decided, loser, fee)
    assert judged["game_over"] is (loser is not None)


def test_statuten_2_3_19_what_an_evening_costs() -> None:
    assert asked("fee", event="lost_game") == {
        "id": "q", "eur": 3, "to": "Sparkästchen", "rule": "004 §2",
    }  # fmt: skip
    assert asked("fee", event="start_with_three_dice", players=2)["eur"] == 6
    assert asked("fee", event="champions_league", schock_aus=3)["eur"] == 9
    games = [{"half1_loser": "C", "half2_loser": "C"}, {"half1_loser": "A", "half2_loser": "B"}]
    assert asked("fee", event="evening", games=games)["eur"] == 8


def test_s9_fees_that_come_on_top_are_switches() -> None:
    added = replace(STATUTEN, key="added", sweep_adds_to_loss_fee=True, cl_adds_to_loss_fee=True)
    assert (loss_fee(STATUTEN, "sweep"), loss_fee(added, "sweep")) == (5, 8)
    fees = [loss_fee(book, "champions_league", schock_aus=2) for book in (STATUTEN, added)]
    assert fees == [6, 9]


def test_a_book_that_punishes_with_doofmanndeckel_must_have_them() -> None:
    with pytest.raises(BookError, match="lift_early and too_many_throws and reentry need"):
        replace(STATUTEN, doofmann=False)
    with pytest.raises(BookError, match="champions_league must be one of"):
        replace(STATUTEN, champions_league="someday")  # type: ignore[arg-type]
    sources = {k: v for k, v in STATUTEN.sources.items() if k != "doofmann_from_stock"}
    with pytest.raises(BookError, match="doofmann_from_stock"):
        replace(STATUTEN, sources=sources)


def test_statuten_19_a_schock_aus_in_the_final_may_not_be_conceded() -> None:
    judged = asked("penalty", event="concede", phase="final", schock_aus_on_table=True)
    assert judged["allowed"] is False
