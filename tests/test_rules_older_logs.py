"""Corrections in a log: worked out once, and those of an older version read as they were meant."""

from dataclasses import replace

import pytest
from rules_play import begun, one_throw_round, opened, played, rounds

import rules.correcting
from rules import (
    CorrectThrow,
    IllegalEvent,
    Match,
    RuleDeckel,
    RuleRound,
    StopTurn,
    TakeBack,
    ThrowDice,
    find_book,
)

ROUND = one_throw_round("CAB", (6, 5, 2), (6, 6, 2), (3, 3, 1))
CORRECTIONS = [
    TakeBack("R", "too early"),
    CorrectThrow("A", 5, (6, 1, 1), by="R"),
    RuleRound("half1", 1, "void", "R", "x"),
]


def test_a_move_taken_back_that_took_others_with_it_in_an_older_version() -> None:
    """It let go of the throw before the stop, too, which would stay today."""
    match, _ = played(opened(), *ROUND, ThrowDice("B", (5, 5, 1)), StopTurn("B"))
    once, log = match.do(TakeBack("R"))
    assert log[0].to_json()["dropped"] == 0
    twice, more = once.do(TakeBack("R"))
    old = replace(more[0], undone="stopped", dropped=1)
    read = match.apply(old)
    assert (read.state.record, read.current_player) == (twice.state.record, "B")
    assert read.do(ThrowDice("B", (6, 5, 2)))[0].turn.throws == 1, "the game goes on from there"


def test_what_an_older_version_let_go_of_must_lead_to_what_it_says() -> None:
    match, _ = played(opened(), *ROUND, ThrowDice("B", (5, 5, 1)), StopTurn("B"))
    _, log = match.do(TakeBack("R"))
    for wrong in ({"dropped": 2}, {"dropped": 99}, {"dropped": -1}, {"stock": 1}):
        with pytest.raises(IllegalEvent, match="does not follow"):
            match.apply(replace(log[0], **wrong))


def test_a_ruling_of_an_older_version_that_ended_a_round_of_who_had_no_right_to_play() -> None:
    """C had thrown; an older version sent him away and let go of all that came after it."""
    match = begun(find_book("jule"))
    named = RuleRound("half1", 1, "loser", "R", "x", "B", "C", 2)
    dealt = [RuleDeckel(None, "A", 7, "R", "x"), RuleDeckel(None, "B", 6, "R", "x")]
    match, _ = played(match, named, *dealt)
    thrown = rounds(match, "A665 B652 C221")
    gone = len(thrown.state.record) - len(match.state.record)
    void, log = match.do(RuleRound("half1", 1, "void", "R", "x"))
    _, today = thrown.do(RuleRound("half1", 1, "void", "R", "x"))
    assert today[0].to_json()["dropped"] == 0
    old = replace(log[0], dropped=gone, book_loser=None, book_winner=None, book_deckel=None)
    said = {name: getattr(today[0], name) for name in ("book_loser", "book_winner", "book_deckel")}
    read = thrown.apply(replace(old, **said))
    assert read.state.record == void.state.record


@pytest.mark.parametrize("action", CORRECTIONS, ids=lambda action: action.type)
def test_a_correction_in_a_log_is_worked_out_once(
    action: TakeBack | CorrectThrow | RuleRound, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, _ = played(opened(), *ROUND)
    decided = match.decide(action)
    count, real = [0], rules.correcting.replayed

    def counted(*args: object) -> object:
        count[0] += 1
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(rules.correcting, "replayed", counted)
    after = match.apply(decided[0])
    ruled = isinstance(action, RuleRound)  # also asks what the book says of the round
    assert count == [2 if ruled else 1]
    done, events = match.do(action)
    assert (done, events) == (after, decided)
    assert count == [4 if ruled else 2]
    assert isinstance(after, Match)
