"""Doofmanndeckel, replacement throws and re-entry in a match (statuten §6 to §8, §17)."""

import pytest
from rules_play import begun, code_against, played, rounds, types

from rules import (
    CoverThrow,
    Match,
    Part,
    Phase,
    ReEnter,
    ReportFault,
    StopTurn,
    ThrowDice,
    find_book,
)  # fmt: skip

STATUTEN = find_book("statuten")


@pytest.mark.parametrize("fault", ["lift_early", "too_many_throws"])
def test_statuten_6_7_one_open_throw_instead_and_a_doofmanndeckel(fault: str) -> None:
    match, _ = played(
        begun(STATUTEN), ThrowDice("A", (6, 5, 2)), ThrowDice("A", (6, 5, 3)), StopTurn("A")
    )
    match, _ = played(match, ThrowDice("B", (6, 4, 1)))
    match, log = played(match, ReportFault("B", fault, by="R"))
    assert types(log) == ["fault_reported", "doofmann_paid", "turn_replaced"]
    assert (match.stock, match.holdings["B"], match.phase) == (12, 1, Phase.LOADED)
    assert code_against(match, CoverThrow("B")) == "open_throw_only"
    match, _ = played(match, ThrowDice("B", (6, 6, 1)))
    assert not match.can_turn("B")
    assert match.forced() == StopTurn("B")
    match, log = played(match, StopTurn("B"))
    stopped = log[0].to_json()["result"]
    assert (stopped["throws"], stopped["from_hand"]) == (1, True)


def test_statuten_6_before_and_after_his_turn() -> None:
    match, _ = played(begun(STATUTEN), ReportFault("B", "lift_early", by="R"))
    assert match.current_player == "A"
    match, _ = played(match, ThrowDice("A", (6, 5, 2)), ThrowDice("A", (6, 5, 3)), StopTurn("A"))
    assert match.turn is not None
    assert (match.turn.player, match.turn.throws_left) == ("B", 1)
    match, _ = played(match, ThrowDice("B", (5, 5, 1)), StopTurn("B"), ThrowDice("C", (4, 3, 1)))
    match, log = played(match, ReportFault("B", "too_many_throws", by="R"))
    assert types(log) == ["fault_reported", "doofmann_paid"]
    match, _ = played(match, StopTurn("C"))
    assert match.current_player == "B"
    match, log = played(match, ThrowDice("B", (2, 2, 1)), StopTurn("B"))
    settled = next(event.to_json() for event in log if event.type == "round_settled")
    assert settled["loser"] == "B"
    assert match.holdings["B"] == 2 + 2  # two Doofmanndeckel, hardcore 1 + 1


def test_statuten_6_a_cup_lifted_early_in_the_showdown() -> None:
    thrice = [ThrowDice("A", (6, 5, 2)), ThrowDice("A", (6, 5, 3)), CoverThrow("A"), StopTurn("A")]
    match, _ = played(begun(STATUTEN, "AB"), *thrice, ThrowDice("B", (4, 3, 1)), StopTurn("B"))
    assert match.phase is Phase.SHOWDOWN
    match, log = played(match, ReportFault("A", "lift_early", by="R"))
    assert types(log) == ["fault_reported", "doofmann_paid", "turn_replaced"]
    assert (match.phase, match.current_player) == (Phase.LOADED, "A")
    match, _ = played(match, ThrowDice("A", (3, 1, 1)), StopTurn("A"))
    assert match.holdings["B"] == 3


def nearly_empty() -> Match:
    """C holds 5 and B 7, one Deckel is left in the stock; C leads round 3."""
    match = rounds(begun(STATUTEN), "A611 B221 C652")  # hardcore: 6 + 1
    match = rounds(match, "B652 C221 A511")
    assert (match.stock, match.holdings["B"], match.holdings["C"]) == (1, 7, 5)
    assert match.current_player == "C"
    return match


def test_statuten_17b_the_last_of_the_stock_voids_the_round_under_way() -> None:
    match, _ = played(nearly_empty(), ThrowDice("C", (4, 1, 1)), StopTurn("C"))
    match, log = played(match, ReportFault("C", "lift_early", by="R"))
    paid = log[1].to_json()
    assert (paid["type"], paid["stock"], paid["givers"]) == ("doofmann_paid", 0, [])
    assert "004 §17b" in paid["section"]
    match, _ = played(match, ThrowDice("A", (6, 5, 2)), StopTurn("A"))
    assert match.current_player == "C"  # his open throw comes as soon as the turn is free
    match, _ = played(match, ThrowDice("C", (4, 1, 1)), StopTurn("C"))
    match, log = played(match, ThrowDice("B", (2, 2, 1)), StopTurn("B"))
    assert types(log)[2:] == ["round_void", "player_out", "round_started", "turn_started"]
    assert dict(match.holdings) == {"A": 0, "B": 7, "C": 6}
    assert match.current_player == "C"


def test_statuten_17b_a_schock_aus_counts_all_the_same() -> None:
    match, _ = played(nearly_empty(), ThrowDice("C", (1, 1, 1)), StopTurn("C"))
    match, _ = played(match, ReportFault("A", "lift_early", by="R"))
    match, _ = played(match, ThrowDice("A", (6, 5, 2)), StopTurn("A"))
    match, log = played(match, ThrowDice("B", (2, 2, 1)), StopTurn("B"))
    assert "round_settled" in types(log)
    assert match.state.half1_loser == "B"


def all_out() -> Match:
    """A is out, B holds 7, C holds 6, the stock is empty."""
    match = rounds(nearly_empty(), "C221 A411 B652")
    assert (match.state.out, dict(match.holdings)) == (("A",), {"A": 0, "B": 7, "C": 6})
    return match


def test_statuten_8_an_eliminated_player_comes_back_with_a_doofmanndeckel() -> None:
    match = all_out()
    assert match.state.order == ("C", "B")
    assert code_against(match, ReEnter("B")) == "still_playing"
    assert code_against(match, ReportFault("A", "lift_early", by="R")) == "not_in_round"
    match, log = played(match, ReEnter("A"))
    assert types(log) == ["reentered", "doofmann_paid"]
    assert (log[1].to_json()["givers"], dict(match.holdings)) == (["B"], {"A": 1, "B": 6, "C": 6})
    match = rounds(match, "C221 B411")
    assert match.state.order == ("C", "A", "B")
    assert dict(match.holdings) == {"A": 1, "B": 2, "C": 10}


def test_statuten_17e_the_richest_fool_is_paid_by_the_second_richest() -> None:
    match, log = played(all_out(), ReportFault("B", "lift_early", by="R"))
    assert (log[1].to_json()["givers"], match.holdings["B"]) == (["C"], 8)


def test_a_doofmanndeckel_that_makes_all_ends_the_part_at_once() -> None:
    match = rounds(all_out(), "C221 B611")
    assert dict(match.holdings) == {"A": 0, "B": 1, "C": 12}
    match, log = played(match, ReportFault("C", "lift_early", by="R"))
    assert types(log)[:4] == ["fault_reported", "doofmann_paid", "round_void", "half_over"]
    assert (match.state.half1_loser, match.part) == ("C", Part.HALF2)


def test_s11_in_the_final_a_third_player_may_come_in() -> None:
    match = rounds(begun(STATUTEN), "A111 B652 C221")
    match = rounds(match, "C652 A111 B221")
    assert (match.part, match.state.members) == (Part.FINAL, ("B", "C"))
    assert code_against(match, ReEnter("A")) == "stock_left"
    match = rounds(match, "B611 C221", "C611 B221", "B411 C221")
    assert (match.stock, dict(match.holdings)) == (0, {"A": 0, "B": 6, "C": 7})
    match, _ = played(match, ReEnter("A"))
    assert (match.state.members, match.holdings["A"]) == (("A", "B", "C"), 1)
    match = rounds(match, "C652 B411")
    assert match.state.order == ("C", "A", "B")
