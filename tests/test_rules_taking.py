"""Taking Deckel voluntarily and choosing who leads half 2, in a match (blog2019, rows A9, S7)."""

from dataclasses import replace

import pytest
from rules_play import begun, code_against, one_throw_round, played

from rules import (
    CorrectThrow,
    CoverThrow,
    Event,
    HandOver,
    KeepDice,
    Match,
    Part,
    Phase,
    ReportFault,
    RuleRound,
    StopTurn,
    TakeBack,
    TakeDeckel,
    ThrowDice,
    find_book,
    snapshot,
)
from rules.book import Penalty
from rules.fault_outcomes import NO_CONCEDING

BLOG = find_book("blog2019")


def opened() -> Match:
    """Let C lose the Ausscheidung against a Hausnummer: C holds 1 and leads."""
    throws = [("A", (6, 5, 2)), ("B", (6, 5, 3)), ("C", (3, 2, 2))]
    match = Match.new(BLOG, ["A", "B", "C"])
    return played(match, *(ThrowDice(name, dice) for name, dice in throws))[0]


def led(*dice: int) -> Match:
    return played(opened(), ThrowDice("C", tuple(dice)), StopTurn("C"))[0]


def test_blog2019_l144_schock_3_is_taken_and_the_covered_throw_leads_the_next_round() -> None:
    match, log = played(led(3, 1, 1), TakeDeckel("A"))
    assert [event.type for event in log] == [
        "took_voluntarily", "round_settled", "deckel_moved", "round_started", "carried_over",
    ]  # fmt: skip
    assert (match.stock, match.holdings["A"]) == (9, 3)
    assert match.state.order == ("A", "B", "C")
    assert (match.phase, match.current_player) == (Phase.COVERED, "A")
    assert match.turn is not None
    assert (match.turn.throws, match.turn.limit) == (1, None)
    match, _ = played(match, ThrowDice("A", (6, 4, 1)), KeepDice("A", (1,)), ThrowDice("A", (5, 1)))
    assert match.turn is not None
    assert match.turn.throws == 2


def test_the_carried_throw_may_stand_blind_and_is_shown_in_the_showdown() -> None:
    match, log = played(led(3, 1, 1), CoverThrow("A"), TakeDeckel("A"), StopTurn("A"))
    assert log[0].to_json()["throw_id"] == log[1].to_json()["throw_id"]
    assert match.state.limit == 1
    match, _ = played(match, ThrowDice("B", (6, 5, 2)), StopTurn("B"))
    match, _ = played(match, ThrowDice("C", (6, 5, 3)), StopTurn("C"))
    assert (match.phase, match.current_player) == (Phase.SHOWDOWN, "A")
    match, _ = played(match, ThrowDice("A", (2, 2, 1)))
    assert match.holdings["A"] == 4


def test_taking_is_capped_by_the_stock() -> None:
    match = opened()  # stock 12
    match, _ = played(match, *one_throw_round("CAB", (6, 1, 1), (6, 5, 2), (6, 5, 3)))  # A 6
    match, _ = played(match, *one_throw_round("ABC", (5, 1, 1), (6, 5, 2), (6, 5, 3)))  # B 5
    assert (match.stock, match.current_player) == (1, "B")
    match, _ = played(match, ThrowDice("B", (4, 1, 1)), StopTurn("B"), TakeDeckel("C"))
    assert (match.stock, match.holdings["C"]) == (0, 2)
    match, _ = played(match, ThrowDice("C", (4, 1, 1)), StopTurn("C"))
    assert code_against(match, TakeDeckel("A")) == "stock_empty"


def test_b10_taking_from_the_winner_is_a_switch() -> None:
    house = replace(BLOG, key="house", voluntary_take_source="stock_then_winner")
    match = Match.new(house, ["A", "B"])
    match, _ = played(match, ThrowDice("A", (6, 1, 1)), ThrowDice("B", (6, 5, 2)))  # B 6
    match, _ = played(match, *one_throw_round("BA", (6, 1, 1), (6, 5, 2)))  # A 6
    match, _ = played(match, ThrowDice("A", (4, 1, 1)), StopTurn("A"), TakeDeckel("B"))  # B 7
    match, _ = played(match, ThrowDice("B", (4, 1, 1)), StopTurn("B"), TakeDeckel("A"))
    assert (match.stock, dict(match.holdings)) == (0, {"A": 10, "B": 3})


def test_l143_when_taking_is_refused() -> None:
    assert code_against(opened(), TakeDeckel("C")) == "nothing_to_take"
    match = led(3, 1, 1)
    assert code_against(match, TakeDeckel("B")) == "not_your_turn"
    match, _ = played(match, ThrowDice("A", (6, 5, 2)))
    assert code_against(match, TakeDeckel("A")) == "throw_not_covered"
    thrice = [ThrowDice("C", (6, 5, 2)), ThrowDice("C", (6, 5, 3)), CoverThrow("C"), StopTurn("C")]
    match, _ = played(opened(), *thrice)
    assert code_against(match, TakeDeckel("A")) == "nothing_to_take"
    twice = [ThrowDice("C", (6, 5, 2)), ThrowDice("C", (6, 5, 3)), StopTurn("C")]
    out = [ThrowDice("A", (6, 4, 1)), KeepDice("A", (1,)), CoverThrow("A")]
    match, _ = played(opened(), *twice, *out)
    assert code_against(match, TakeDeckel("A")) == "dice_outside"


def test_statuten_19_a_schock_aus_of_the_final_must_be_beaten() -> None:
    house = replace(find_book("statuten"), key="house", voluntary_take=True)
    match = begun(house, "AB")
    aus, low = ThrowDice("A", (1, 1, 1)), (2, 2, 1)
    match, _ = played(match, aus, StopTurn("A"))
    assert match.can_take("B")  # not in a half
    match, _ = played(match, ThrowDice("B", low), StopTurn("B"))  # B loses half 1 and leads
    match, _ = played(match, *one_throw_round("BA", (1, 1, 1), low))
    assert match.state.part is Part.FINAL
    assert match.current_player == "A"
    match, _ = played(match, aus, StopTurn("A"))
    assert match.refusal(TakeDeckel("B")).section == "004 §19"
    assert code_against(match, TakeDeckel("B")) == "concede_against_schock_aus_in_final"
    allowed = {NO_CONCEDING: Penalty(outcome={"allowed": True}, source=house.sources["keep"])}
    lenient = replace(match.state, book=replace(house, penalties=allowed))
    assert Match(lenient).can_take("B")


@pytest.mark.parametrize("book", ["turnier", "allgemein", "jule", "statuten"])
def test_a9_other_books_know_no_taking(book: str) -> None:
    match = Match.new(find_book(book), ["A", "B"])
    count = 1 if match.book.start == "single_die" else 3
    for player, dice in (("A", (6, 5, 4)), ("B", (2, 2, 1))):
        match, _ = match.do(ThrowDice(player, dice[:count]))
    leader, other = match.state.order
    match, _ = played(match, ThrowDice(leader, (3, 1, 1)), StopTurn(leader))
    assert code_against(match, TakeDeckel(other)) == "no_voluntary_take"
    assert "take_deckel" not in snapshot(match)["actions"]


def test_the_dashboard_is_told_whether_the_deckel_may_be_taken() -> None:
    assert snapshot(led(3, 1, 1))["actions"]["take_deckel"] == {"allowed": True}
    refused = snapshot(opened())["actions"]["take_deckel"]
    assert (refused["allowed"], refused["code"]) == (False, "nothing_to_take")


def test_a_taken_round_is_replayed_corrected_and_taken_back() -> None:
    match, log = played(led(3, 1, 1), TakeDeckel("A"))
    assert match.can_correct(CorrectThrow("C", 4, (4, 1, 1), by="R"))
    corrected, _ = match.do(CorrectThrow("C", 4, (4, 1, 1), by="R"))
    assert (corrected.holdings["A"], corrected.phase) == (4, Phase.COVERED)
    back, _ = match.do(TakeBack("R"))
    assert (back.holdings["A"], back.current_player, back.phase) == (0, "A", Phase.LOADED)
    again, more = played(back, TakeDeckel("A"))
    assert again.holdings == match.holdings
    everything: list[Event] = [match.started, *replay_of_opening(), *log]
    assert Match.replay(everything) == match
    assert more


@pytest.mark.parametrize("fault", ["pack_early", "vorwerfen", "too_many_throws"])
def test_nobody_takes_the_deckel_of_a_round_that_a_fault_has_lost(fault: str) -> None:
    """L116 "gilt als verloren", L127 "mit dem Verlust"; that one "darf" take (L143) ends there."""
    match, _ = played(led(3, 1, 1), ReportFault("B", fault, "R"))
    assert code_against(match, TakeDeckel("A")) == "deckel_are_lost"
    refused = snapshot(match)["actions"]["take_deckel"]
    assert refused["allowed"] is False
    assert "B" in refused["text_de"]
    assert "L116" in refused["section"]
    match, _ = played(match, *one_throw_round("A", (6, 5, 2)))
    assert (match.state.history[-1].loser, match.holdings["B"]) == ("B", 3)
    match, _ = played(led(3, 1, 1), ReportFault("B", "drop_die", "R"))
    assert match.can_take("A"), "that loses no round here"


def test_a10_a_carried_cup_that_is_left_covered_begins_its_round() -> None:
    """L145-146: it is throw 1 of the next round, so who has led with it has led."""
    match, _ = played(led(3, 1, 1), TakeDeckel("A"), StopTurn("A"))
    lost_by_b = RuleRound("half1", 1, "loser", "R", "A was pushed", "B", "C", 3)
    assert match.refusal(lost_by_b) is None
    match, _ = played(match, ThrowDice("B", (6, 4, 1)), lost_by_b)
    assert match.state.order == ("A", "B", "C"), "A has led it, whoever should have"
    before = match.state.record
    match, log = played(match, TakeBack("R"))
    assert match.state.record == before[:-1]
    assert (log[0].to_json()["dropped"], match.current_player) == (0, "B")


def replay_of_opening() -> list[Event]:
    match, log = Match.new(BLOG, ["A", "B", "C"]), list[Event]()
    for name, dice in [("A", (6, 5, 2)), ("B", (6, 5, 3)), ("C", (3, 2, 2))]:
        match, events = match.do(ThrowDice(name, dice))
        log += events
    return [*log, *played(match, ThrowDice("C", (3, 1, 1)), StopTurn("C"))[1]]


def test_blog2019_l190_loser_of_half_1_lets_another_lead_half_2() -> None:
    match, _ = played(opened(), *one_throw_round("CAB", (2, 2, 1), (1, 1, 1), (6, 5, 2)))
    assert (match.part, match.current_player) == (Part.HALF2, "C")
    assert match.can_hand_over("C", "A")
    assert not match.can_hand_over("B", "A")
    match, _ = played(match, HandOver("C", "A"))
    assert (match.current_player, match.state.order) == ("A", ("A", "B", "C"))
    match, _ = played(match, *one_throw_round("ABC", (6, 5, 2), (6, 5, 3), (2, 2, 1)))
    assert match.holdings["C"] == 1
    assert code_against(match, HandOver("C", "A")) == "no_hand_over"
    first = next(entry for entry in snapshot(match)["throws"] if entry["part"] == "half2")
    corrected, _ = match.do(CorrectThrow("A", first["throw_id"], (2, 1, 1), by="R"))
    assert corrected.holdings["C"] == 2
