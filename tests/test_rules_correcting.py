"""Corrections and moves taken back: the log keeps everything, the game counts anew."""

from dataclasses import replace

import pytest
from rules_play import a_match, begun, code_against, one_throw_round, opened, played, rounds

from rules import (
    Action,
    CorrectThrow,
    KeepDice,
    Part,
    ReportFault,
    RuleDeckel,
    RuleRound,
    StopTurn,
    TakeBack,
    ThrowDice,
    TurnSixes,
    find_book,
    snapshot,
)


def test_correcting_a_throw_of_a_settled_round_moves_the_deckel() -> None:
    match, log = played(opened(), *one_throw_round("CAB", (6, 5, 2), (6, 6, 2), (3, 3, 1)))
    assert dict(match.holdings) == {"A": 0, "B": 1, "C": 4}
    match, log = played(match, CorrectThrow("A", 5, (6, 1, 1), by="Referee", reason="misread"))
    assert [event.type for event in log] == ["throw_corrected"]
    assert dict(match.holdings) == {"A": 0, "B": 6, "C": 4}
    assert snapshot(match)["throws"][4]["dice"] == [6, 1, 1]
    assert match.stock + sum(match.holdings.values()) == 13


def test_a_round_under_way_keeps_the_order_in_which_it_was_played() -> None:
    match, _ = played(opened(), *one_throw_round("CAB", (6, 5, 2), (6, 6, 2), (3, 3, 1)))
    match, _ = played(match, ThrowDice("B", (5, 5, 1)), StopTurn("B"))
    match, _ = played(match, CorrectThrow("B", 6, (6, 6, 3), by="Referee"))
    assert dict(match.holdings) == {"A": 0, "B": 0, "C": 5}
    assert match.state.order == ("B", "C", "A")
    assert match.current_player == "C"
    assert [result.player for result in match.state.results] == ["B"]


def test_a_correction_follows_the_die_that_was_kept() -> None:
    match, _ = played(opened(), ThrowDice("C", (6, 5, 2)), KeepDice("C", (5,)))
    match, _ = played(match, CorrectThrow("C", 4, (6, 6, 2), by="Referee"))
    turn = match.turn
    assert turn is not None
    assert (turn.outside, turn.lying) == ((6,), (6, 2))


def test_a_correction_that_breaks_later_moves_needs_the_consent_to_drop_them() -> None:
    match, _ = played(opened(), ThrowDice("C", (6, 6, 1)), TurnSixes("C"), ThrowDice("C", (2, 1)))
    wrong = CorrectThrow("C", 4, (6, 5, 1), by="Referee")
    assert code_against(match, wrong) == "correction_breaks_later"
    agreed = CorrectThrow("C", 4, (6, 5, 1), by="Referee", drop_later=True)
    match, log = played(match, agreed)
    assert log[0].to_json()["dropped"] == 2
    assert match.turn is not None
    assert (match.turn.throws, match.turn.lying) == (1, (6, 5, 1))
    _, log = played(match, ThrowDice("C", (4, 4, 4)))
    assert log[0].to_json()["throw_id"] == 6, "a throw's number is never used twice"


def test_a_correction_that_would_have_ended_the_half_does_not_move_later_throws_into_the_next() -> (
    None
):
    match, _ = played(opened(), *one_throw_round("CAB", (6, 5, 2), (6, 6, 2), (3, 3, 1)))
    match, _ = played(match, ThrowDice("B", (5, 5, 1)))
    schock_aus = CorrectThrow("A", 5, (1, 1, 1), by="Referee")
    refused = match.refusal(schock_aus)
    assert refused is not None
    assert refused.code == "correction_breaks_later"
    assert "anderen Abschnitt" in refused.text_de
    match, log = played(match, replace(schock_aus, drop_later=True))
    assert (match.part, match.state.half1_loser, match.current_player) == (Part.HALF2, "B", "B")
    assert log[0].to_json()["dropped"] == 1


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (CorrectThrow("A", 99, (1, 1, 1), by="R"), "unknown_throw"),
        (CorrectThrow("B", 1, (1, 1, 1), by="R"), "unknown_throw"),
        (CorrectThrow("A", 1, (2, 5, 6), by="R"), "unchanged"),
        (CorrectThrow("A", 1, (6, 5), by="R"), "wrong_number_of_dice"),
        (ThrowDice("Z", (6, 5, 2)), "unknown_player"),
    ],
)
def test_impossible_requests_are_refused_with_a_reason(action: Action, code: str) -> None:
    refused = opened().refusal(action)
    assert refused is not None
    assert refused.code == code
    assert refused.fault in ("table", "referee")


def test_taking_back_a_false_stop_reopens_the_turn() -> None:
    match, _ = played(opened(), ThrowDice("C", (6, 5, 2)))
    stopped, _ = played(match, StopTurn("C"))
    back, log = played(stopped, TakeBack(by="Referee"))
    assert back == match
    assert log[0].to_json()["undone"] == "stopped"


def test_nothing_to_take_back_in_a_new_match() -> None:
    assert code_against(a_match(), TakeBack(by="R")) == "nothing_to_take_back"


@pytest.mark.parametrize("book", ["jule", "turnier", "statuten"])
def test_a_fault_reported_before_anybody_has_thrown_leaves_no_order_behind(book: str) -> None:
    match = begun(find_book(book))
    left = match.stock - 5 - 1
    dealt = [RuleDeckel(None, "A", 5, "R", "x"), RuleDeckel(None, "B", left, "R", "x")]
    match, _ = played(match, *dealt)
    match = rounds(match, "A665 B652 C221")
    assert (match.stock, match.current_player) == (0, "C")
    match, _ = played(match, ReportFault("B", "drop_die", "R"))
    # round 1 as ruled puts C out; while nobody has thrown, whoever lost round 1 leads round 2
    match, _ = played(match, RuleRound("half1", 1, "loser", "R", "x", "B", "A", 1))
    assert match.state.order == ("B", "A")
    match, _ = played(match, RuleRound("half1", 1, "book", "R", "x"))
    assert match.state.order == ("C", "A", "B")
