"""Reported faults in a match: lost rounds, drops, refusals, corrections (rows F1 to F7)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules_play import begun, code_against, played, types

from rules import (
    Action,
    CorrectThrow,
    CoverThrow,
    Event,
    MalformedRecord,
    Match,
    Part,
    Phase,
    ReEnter,
    ReportFault,
    RuleBook,
    StopTurn,
    TakeBack,
    TakeDeckel,
    ThrowDice,
    all_books,
    event_from_json,
    find_book,
    snapshot,
)
from rules.fault_outcomes import FAULT_OUTCOMES

STATUTEN, JULE, BLOG = find_book("statuten"), find_book("jule"), find_book("blog2019")


@pytest.mark.parametrize(
    ("book", "fault"),
    [
        (JULE, "too_many_throws"),
        (BLOG, "vorwerfen"),
        (BLOG, "pack_early"),
        (BLOG, "too_many_throws"),
    ],
)
def test_f2_f4_f5_round_is_lost_and_the_others_decide_the_value(book: RuleBook, fault: str) -> None:
    match = begun(book)
    before = match.holdings["B"]
    match, _ = played(match, ThrowDice("A", (4, 1, 1)), StopTurn("A"), ThrowDice("B", (1, 1, 1)))
    match, log = played(match, ReportFault("B", fault, by="R"))
    assert types(log) == ["fault_reported", "turn_forfeited", "turn_started"]
    assert code_against(match, ReportFault("B", fault, by="R")) == "already_lost_round"
    match, log = played(match, ThrowDice("C", (2, 2, 1)), StopTurn("C"))
    settled = next(event.to_json() for event in log if event.type == "round_settled")
    assert (settled["winner"], settled["loser"], settled["deckel"]) == ("A", "B", 4)
    assert match.holdings["B"] == before + 4
    assert match.current_player == "B"


def test_the_first_player_who_loses_the_round_has_set_the_limit() -> None:
    match, _ = played(begun(BLOG), ThrowDice("A", (6, 5, 2)), ThrowDice("A", (6, 5, 3)))
    match, log = played(match, ReportFault("A", "pack_early", by="R"))
    assert (match.current_player, match.state.limit) == ("B", 2)
    match, _ = played(begun(BLOG), ReportFault("A", "vorwerfen", by="R"))
    assert (match.current_player, match.state.limit) == ("B", None)
    assert log


def test_j9_of_two_offenders_the_later_loses_and_somebody_must_be_left() -> None:
    match, _ = played(begun(JULE), ReportFault("B", "too_many_throws", by="R"))
    match, _ = played(match, ReportFault("C", "too_many_throws", by="R"))
    assert code_against(match, ReportFault("A", "too_many_throws", by="R")) == "nobody_left"
    match, _ = played(match, ThrowDice("A", (3, 1, 1)), StopTurn("A"))
    assert dict(match.holdings) == {"A": 0, "B": 0, "C": 3}


def test_a_fault_of_one_who_has_finished_takes_his_result_away() -> None:
    match, _ = played(
        begun(JULE), ThrowDice("A", (1, 1, 1)), StopTurn("A"), ThrowDice("B", (6, 5, 2))
    )
    match, _ = played(match, ReportFault("A", "too_many_throws", by="R"), StopTurn("B"))
    match, _ = played(match, ThrowDice("C", (2, 2, 1)), StopTurn("C"))
    assert match.holdings["A"] == 1


def test_jule_l70_a_throw_lifted_early_stands() -> None:
    match, log = played(begun(JULE), ReportFault("B", "lift_early", by="R"))
    assert types(log) == ["fault_reported"]
    assert (match.current_player, match.phase) == ("A", Phase.LOADED)


def test_jule_l66_second_drop_in_a_half_loses_the_half() -> None:
    match, log = played(begun(JULE), ReportFault("B", "drop_die", by="R"))
    assert types(log) == ["fault_reported"]
    match, log = played(match, ReportFault("C", "drop_die", by="R"))
    match, log = played(match, ReportFault("B", "drop_die", by="R"))
    assert types(log)[:3] == ["fault_reported", "part_forfeited", "half_over"]
    assert (match.part, match.current_player, match.state.half1_loser) == (Part.HALF2, "B", "B")
    assert match.stock == 13
    match, _ = played(match, ReportFault("B", "drop_die", by="R"))
    assert match.part is Part.HALF2  # counted anew in each half


def test_other_books_let_a_dropped_die_be_thrown_again() -> None:
    for book in (STATUTEN, BLOG):
        match, _ = played(begun(book), *[ReportFault("B", "drop_die", by="R")] * 3)
        assert match.part is Part.HALF1


def test_reentry_and_faults_are_refused_where_they_do_not_belong() -> None:
    start = Match.new(STATUTEN, ["A", "B"])
    assert code_against(start, ReportFault("A", "lift_early", by="R")) == "not_in_round"
    assert code_against(begun(STATUTEN), ReEnter("A")) == "stock_left"
    assert code_against(begun(JULE), ReEnter("A")) == "no_reentry"
    assert code_against(begun(STATUTEN), ReportFault("X", "lift_early", by="R")) == "unknown_player"
    with pytest.raises(MalformedRecord, match="must be one of lift_early"):
        ReportFault("A", "yawning", by="R")


def test_faults_survive_corrections_and_can_be_taken_back() -> None:
    match, _ = played(begun(STATUTEN), ThrowDice("A", (6, 5, 2)), StopTurn("A"))
    match, _ = played(match, ReportFault("C", "lift_early", by="R"))
    number = snapshot(match)["throws"][-1]["throw_id"]
    corrected, _ = match.do(CorrectThrow("A", number, (6, 5, 3), by="R"))
    assert corrected.holdings["C"] == 1
    assert corrected.state.faults.replaced == ("C",)
    back, _ = match.do(TakeBack("R"))
    assert (back.holdings["C"], back.stock) == (0, 13)


def anything(match: Match, data: st.DataObject) -> Action:
    name = data.draw(st.sampled_from("ABC"))
    player = match.current_player or name
    turn = match.state.current_turn
    count = 3 if turn is None else max(turn.dice_to_throw, 1)
    dice = tuple(data.draw(st.lists(st.sampled_from([1, 1, 2, 6]), min_size=count, max_size=count)))
    fault = data.draw(st.sampled_from(sorted(FAULT_OUTCOMES)))
    options: list[Action] = [
        ThrowDice(player, dice), ThrowDice(player, dice), StopTurn(player), StopTurn(player),
        CoverThrow(player), ReportFault(name, fault, by="R"), ReEnter(name), TakeDeckel(player),
        TakeBack("R"),
    ]  # fmt: skip
    return data.draw(st.sampled_from(options))


@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
@settings(max_examples=20)
@given(data=st.data())
def test_whatever_is_reported_deckel_add_up_and_the_log_replays(
    book: RuleBook, data: st.DataObject
) -> None:
    match = begun(book)
    start = match
    log: list[Event] = []
    for _ in range(data.draw(st.integers(5, 50))):
        action = anything(match, data)
        if match.refusal(action) is None:
            match, events = match.do(action)
            log += events
        assert match.stock + sum(match.holdings.values()) == book.deckel_total
        assert min(match.holdings.values()) >= 0
        assert match.is_over or match.current_player is not None
    again = start
    for event in log:
        again = again.apply(event_from_json(json.loads(json.dumps(event.to_json()))))
    assert again == match
    json.dumps(snapshot(match))
