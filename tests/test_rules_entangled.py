"""Faults, rulings and corrections that meet: what was played stays played, the rest counts anew."""

from dataclasses import replace

import pytest
from rules_play import begun, code_against, one_throw_round, played, rounds

from rules import (
    CorrectThrow,
    CoverThrow,
    HandOver,
    IllegalEvent,
    Match,
    ReportFault,
    RuleDeckel,
    RuleRound,
    StopTurn,
    TakeBack,
    TakeDeckel,
    ThrowDice,
    TurnSixes,
    find_book,
    snapshot,
)
from rules.state import visible_results

TURNIER, STATUTEN, BLOG, JULE = (
    find_book(name) for name in ("turnier", "statuten", "blog2019", "jule")
)
EARLY = "lift_early"
TOO_MANY = "too_many_throws"


def throw_id(match: Match, player: str, number: int) -> int:
    """The number of a player's throw in a round of the first half."""
    return next(
        event.throw_id  # type: ignore[attr-defined]
        for event in match.state.record
        if event.type == "thrown"
        and (event.player, event.part, event.round) == (player, "half1", number)  # type: ignore[attr-defined]
    )


def test_a_replaced_turn_of_the_leader_survives_corrections_and_take_backs() -> None:
    match, _ = played(begun(STATUTEN), ReportFault("A", EARLY, "R"))
    match = rounds(match, *["A652 B651 C221"] * 3)
    match, _ = played(match, ThrowDice("C", (6, 5, 2)), TakeBack("R"))
    assert match.state.round == 4
    assert len(match.state.history) == 3
    corrected = CorrectThrow("B", throw_id(match, "B", 2), (6, 4, 3), "R")
    match, _ = played(match, corrected)
    assert len(match.state.history) == 3


def test_a_round_keeps_its_order_though_a_correction_changes_who_should_have_led() -> None:
    """The leader has a fault before he throws, and by the correction another one leads."""
    match = rounds(begun(STATUTEN), "A652 B651 C221")
    match, _ = played(match, ReportFault("C", EARLY, "R"), *one_throw_round("C", (6, 5, 2)))
    match, _ = played(match, CorrectThrow("C", throw_id(match, "C", 1), (6, 5, 3), "R"))
    assert match.state.history[-1].loser == "B"
    assert match.state.order == ("C", "A", "B"), "C has thrown first"
    assert match.current_player == "A"


def test_the_later_of_two_offenders_loses_whatever_is_taken_back() -> None:
    match = begun(TURNIER, "ABCD")
    match = rounds(match, "A652 B221 C653 D651")
    assert match.state.order == ("B", "C", "D", "A")
    match, _ = played(
        match, ReportFault("B", TOO_MANY, "R"), *one_throw_round("C", (6, 5, 2)),
        ReportFault("A", TOO_MANY, "R"), *one_throw_round("D", (6, 4, 1)),
    )  # fmt: skip
    assert match.state.history[-1].loser == "A"
    match, _ = played(match, TakeBack("R"), StopTurn("D"))
    assert match.state.history[-1].loser == "A"


def test_whoever_holds_nothing_is_out_when_the_stock_is_emptied_before_a_round() -> None:
    """E1: A and B have nothing, C gets the last of the stock as a Doofmanndeckel."""
    match = rounds(begun(STATUTEN, "ABCD"), "A611 B652 C221 D431", "A411 B652 C651 D221")
    assert (match.stock, match.holdings["A"], match.holdings["B"]) == (1, 0, 0)
    match, log = played(match, ReportFault("C", EARLY, "R"))
    assert [event.player for event in log if event.type == "player_out"] == ["A", "B"]  # type: ignore[attr-defined]
    assert match.state.order == ("D", "C")
    assert match.current_player == "D"
    match, _ = played(match, *one_throw_round("D", (6, 5, 2)))
    match, _ = played(match, *one_throw_round("C", (4, 3, 1)))
    assert match.state.round == 4, "the round counts: it began after the stock was empty"


def test_a_loser_who_is_out_does_not_lead_the_next_round() -> None:
    match = rounds(begun(TURNIER, "ABCD"), "A652 B651 C653 D221")
    total = match.stock
    match, _ = played(
        match, *one_throw_round("D", (6, 5, 2)), RuleDeckel(None, "C", total, "R", "x")
    )
    while match.state.round == 2:
        match, _ = played(match, *one_throw_round(str(match.current_player), (2, 2, 1)))
    assert not set(match.state.order) & set(match.state.out)


@pytest.mark.parametrize("ruled_first", [True, False])
def test_a_round_that_was_taken_can_be_ruled_void(ruled_first: bool) -> None:
    void = RuleRound("half1", 1, "void", "R", "the cup fell")
    match, _ = played(begun(BLOG), *one_throw_round("A", (6, 5, 2)))
    last = (void, TakeDeckel("B")) if ruled_first else (TakeDeckel("B"), void)
    match, _ = played(match, *last)
    assert match.state.round == 2
    assert match.state.history[-1].part == "opening"
    assert match.current_player == "A", "nobody has lost, so the same one leads again"
    match, _ = played(match, *one_throw_round("A", (6, 5, 3)))
    assert match.state.turn is not None
    assert match.state.turn.player == "B"
    assert match.state.turn.covered_id is not None, "the cup that B has not lifted is still his"


def test_a_covered_throw_stays_with_whoever_took() -> None:
    match, _ = played(begun(BLOG), *one_throw_round("A", (6, 5, 2)), CoverThrow("B"))
    match, _ = played(match, TakeDeckel("B"), RuleRound("half1", 1, "loser", "R", "x", "A", "B", 1))
    assert match.current_player == "A"
    assert match.turn is not None
    assert match.turn.covered_id is None
    match, _ = played(match, *one_throw_round("A", (6, 5, 3)))
    assert match.turn is not None
    assert (match.turn.player, match.turn.throws) == ("B", 1)
    assert match.turn.covered_id is not None


def test_a_replaced_player_who_then_loses_the_round_does_not_hold_up_the_showdown() -> None:
    book = replace(STATUTEN, vorwerfen="lose_round")
    match, _ = played(
        begun(book, "AB"), ReportFault("A", EARLY, "R"), ReportFault("A", "vorwerfen", "R"),
        CoverThrow("B"), StopTurn("B"), ThrowDice("B", (6, 5, 2)),
    )  # fmt: skip
    assert match.state.history[-1].loser == "A"


def test_a_second_offence_voids_the_replacing_throw_too() -> None:
    """§7: all throws so far are void, and a single open throw takes their place."""
    match, _ = played(
        begun(STATUTEN), ThrowDice("A", (6, 5, 2)), ReportFault("A", TOO_MANY, "R"),
        ThrowDice("A", (1, 1, 1)), ReportFault("A", TOO_MANY, "R"),
    )  # fmt: skip
    assert match.holdings["A"] == 2
    assert match.turn is not None
    assert (match.turn.thrown, match.turn.replacement) == ((), True)
    match, _ = played(match, *one_throw_round("A", (2, 2, 1)))
    assert match.state.results[0].dice == (2, 2, 1)


def test_a_ruling_does_not_outlive_the_round_it_was_about() -> None:
    match = rounds(begun(TURNIER), "A411 B652 C221", "A411 B221 C652", "A411 B652 C221")
    match, _ = played(match, RuleRound("half1", 3, "loser", "R", "B pushed a die", "B", "A", 3))
    first = throw_id(match, "A", 1)
    match, _ = played(match, CorrectThrow("A", first, (1, 1, 1), "R", "", drop_later=True))
    match, _ = played(match, CorrectThrow("A", first, (4, 1, 1), "R", "", drop_later=True))
    match = rounds(match, "A652 B651 C221", "A652 B651 C221")
    assert match.state.history[-1].loser == "C"
    assert not match.state.history[-1].ruled


def test_the_referee_can_rule_on_a_round_that_did_not_count() -> None:
    """A void round by §17b: jule L72 and F10 let a decision bind all the same."""
    match = rounds(begun(STATUTEN, "ABCD"), "A611 B652 C221 D431", "A411 B652 C651 D221")
    match, _ = played(match, *one_throw_round("D", (6, 5, 2)), ReportFault("B", EARLY, "R"))
    match, log = played(match, *one_throw_round("ABC", (6, 4, 1), (4, 3, 1), (2, 2, 1)))
    assert "round_void" in [event.type for event in log]
    match, _ = played(match, RuleRound("half1", 3, "loser", "R", "x", "C", "D", 1))
    assert match.state.history[-1].loser == "C"


def test_the_referee_can_rule_against_a_half_lost_by_dropping() -> None:
    drop = ReportFault("B", "drop_die", "R")
    match, _ = played(begun(JULE), drop, drop)
    assert match.state.half1_loser == "B"
    pushed = RuleRound("half1", 1, "void", "R", "somebody pushed him")
    match, _ = played(match, pushed)
    assert match.state.half1_loser is None
    assert match.state.round == 1
    match, _ = played(match, *one_throw_round("ABC", (6, 5, 2), (6, 5, 1), (2, 2, 1)))
    assert (match.state.round, match.stock, match.state.half1_loser) == (2, 13, None)


def test_an_offender_who_did_not_lose_the_round_can_be_ruled_to_have() -> None:
    match, _ = played(
        begun(TURNIER), *one_throw_round("A", (6, 5, 2)), ReportFault("B", TOO_MANY, "R"),
        ReportFault("C", TOO_MANY, "R"),
    )  # fmt: skip
    assert match.state.history[-1].loser == "C"
    ruled = RuleRound("half1", 1, "loser", "R", "C was innocent", "B", "A", 1)
    match, _ = played(match, ruled)
    assert match.state.history[-1].loser == "B"
    nobody = RuleRound("half1", 7, "void", "R", "x")
    assert code_against(match, nobody) == "unknown_round"


def test_who_leads_after_a_fault_of_the_first_shows_his_throws() -> None:
    """blog2019 L124: the second throw of whoever sets the limit lies open."""
    match, _ = played(
        begun(BLOG, "ABCD"), ReportFault("A", "pack_early", "R"), ThrowDice("B", (6, 5, 2)),
        ThrowDice("B", (6, 4, 1)), StopTurn("B"),
    )  # fmt: skip
    assert [result.player for result in visible_results(match.state)] == ["B"]


def test_a_game_lost_without_a_settled_round_has_a_snapshot_and_a_cash_book() -> None:
    drop = ReportFault("B", "drop_die", "R")
    match, _ = played(begun(JULE), *[drop] * 4)
    assert match.state.sweep == "Durchmarsch"
    assert snapshot(match)["cash"] == []
    all_gone = RuleDeckel(None, "A", 13, "R", "x")
    match, _ = played(begun(STATUTEN), all_gone, all_gone)
    assert [item["eur"] for item in snapshot(match)["cash"]] == [5]


def test_a_champions_league_is_decided_by_the_round_that_ends_the_part_only() -> None:
    match = Match.new(STATUTEN, ["A", "B", "C"], weekday="wednesday")
    for at, name in enumerate("ABC"):
        match, _ = match.do(ThrowDice(name, (6 - at,)))
    match = rounds(match, "A111 B111 C221")
    assert match.state.lost_by == "champions_league"
    match, _ = played(match, RuleRound("half1", 1, "loser", "R", "x", "C", "A", 3))
    assert not match.is_over
    match, _ = played(match, RuleDeckel(None, "B", 10, "R", "x"), RuleDeckel("C", "B", 3, "R", "x"))
    assert match.state.half1_loser == "B"
    assert not match.is_over, "nobody has thrown a Schock aus in that round"


def test_a_fault_does_not_slide_into_another_half() -> None:
    match = rounds(begun(JULE), "A111 B652 C221")
    match, _ = played(match, ReportFault("B", "drop_die", "R"))
    corrected = CorrectThrow("A", throw_id(match, "A", 1), (6, 5, 4), "R")
    assert code_against(match, corrected) == "correction_breaks_later"
    match, _ = played(match, replace(corrected, drop_later=True), ReportFault("B", "drop_die", "R"))
    assert match.state.half1_loser is None, "it was his first in that half"


def test_a_ruling_ends_with_its_round_and_not_before() -> None:
    match = rounds(begun(TURNIER), "A411 B652 C221")
    match, _ = played(match, *one_throw_round("C", (6, 5, 2)))
    match, _ = played(match, RuleRound("half1", 2, "loser", "R", "x", "B", "A", 3))
    while match.state.round == 2:
        match, _ = match.do(TakeBack("R"))
    assert not match.state.rulings, "its round has not begun any more"
    match, _ = played(begun(TURNIER), ThrowDice("A", (6, 6, 2)))
    match, _ = played(match, RuleRound("half1", 1, "void", "R", "x"), TurnSixes("A", 1))
    fixed = CorrectThrow("A", throw_id(match, "A", 1), (6, 5, 2), "R", "", drop_later=True)
    match, _ = played(match, fixed)
    assert len(match.state.rulings) == 1, "its round is still being played"


def test_a_void_round_is_led_again_by_whoever_was_named() -> None:
    match = rounds(begun(BLOG), "A111 B652 C221")
    match, _ = played(match, HandOver("C", "B"))
    match, _ = played(match, *one_throw_round("BCA", (6, 5, 2), (6, 5, 1), (2, 2, 1)))
    match, _ = played(match, RuleRound("half2", 1, "void", "R", "x"))
    assert match.current_player == "B"


def test_forged_corrections_are_found_out() -> None:
    match, _ = played(begun(TURNIER), *one_throw_round("A", (6, 5, 2)))
    (event,) = match.decide(CorrectThrow("A", throw_id(match, "A", 1), (6, 5, 3), "R"))
    forged = (
        {"player": "Zed"}, {"throw_id": 9999}, {"dice_before": (1, 1, 1)}, {"dropped": 99},
        {"next_player": "Q"}, {"round": 77}, {"dice": (6,)}, {"dice": ()},
    )  # fmt: skip
    for change in forged:
        with pytest.raises(IllegalEvent):
            match.apply(replace(event, **change))
    ended = rounds(begun(TURNIER), "A652 B651 C221")
    (ruled,) = ended.decide(RuleRound("half1", 1, "loser", "R", "x", "B", "A", 1))
    for change in ({"book_loser": "A"}, {"reason": ""}, {"ruled_part": "half2"}):
        with pytest.raises(IllegalEvent):
            ended.apply(replace(ruled, **change))
