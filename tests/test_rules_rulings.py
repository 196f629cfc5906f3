"""The referee rules against the book (row F10): binding, with a reason, both on record."""

import json

import pytest
from rules_play import TURNIER, begun, code_against, one_throw_round, opened, played, rounds, types

from rules import (
    Action,
    CorrectThrow,
    Event,
    MalformedRecord,
    Match,
    Part,
    Pause,
    Phase,
    ReportFault,
    Resume,
    RuleDeckel,
    RuleRound,
    StopTurn,
    TakeBack,
    ThrowDice,
    action_from_json,
    event_from_json,
    find_book,
    snapshot,
)

FIRST = one_throw_round("CAB", (6, 5, 2), (6, 6, 2), (3, 3, 1))
LOST_BY_C = RuleRound("half1", 1, "loser", "Referee", "C swapped a die", "C", "A", 3)
VOID = RuleRound("half1", 1, "void", "Referee", "the cup fell over")
AS_THE_BOOK_SAYS = RuleRound("half1", 1, "book", "Referee", "I was wrong")


def after_one_round() -> Match:
    match, _ = played(opened(), *FIRST)
    assert dict(match.holdings) == {"A": 0, "B": 1, "C": 4}
    return match


def replayed(*moves: Action) -> tuple[Match, list[Event]]:
    """Play and check that the written log leads to the same match."""
    match = Match.new(TURNIER, ["A", "B", "C"])
    opening = [ThrowDice("A", (6, 5, 2)), ThrowDice("B", (4, 1, 1)), ThrowDice("C", (3, 2, 2))]
    after, log = played(match, *opening, *moves)
    written = json.loads(json.dumps([event.to_json() for event in [match.started, *log]]))
    assert [event_from_json(entry) for entry in written[1:]] == log
    assert Match.replay(written) == after
    assert after.stock + sum(after.holdings.values()) == TURNIER.deckel_total
    return after, log


def test_a_settled_round_is_lost_by_whom_the_referee_names_and_both_are_on_record() -> None:
    match, log = replayed(*FIRST, LOST_BY_C)
    event = log[-1].to_json()
    assert event["type"] == "round_ruled"
    assert [event[f"book_{name}"] for name in ("loser", "winner", "deckel")] == ["B", "A", 1]
    assert [event[name] for name in ("loser", "winner", "deckel")] == ["C", "A", 3]
    assert event["section"] == TURNIER.cite("referee")
    assert dict(match.holdings) == {"A": 0, "B": 0, "C": 7}
    assert match.current_player == "C", "who has lost leads the next round"
    rounds = snapshot(match)["history"]
    assert [entry["ruled"] for entry in rounds] == [False, True]
    assert [item["player"] for item in rounds[-1]["order"]] == ["A", "C", "B"], "what was thrown"


def test_what_was_played_after_the_round_counts_anew() -> None:
    more = [ThrowDice("B", (5, 5, 1)), StopTurn("B")]
    match, _ = replayed(*FIRST, *more, LOST_BY_C)
    assert match.state.order == ("B", "C", "A"), "as it was really played"
    assert match.holdings["C"] == 7
    assert [result.player for result in match.state.results] == ["B"]


def test_a_void_round_moves_nothing_and_is_played_again_by_the_same_starter() -> None:
    match, log = replayed(*FIRST, VOID)
    assert log[-1].to_json()["book_loser"] == "B"
    assert dict(match.holdings) == {"A": 0, "B": 0, "C": 4}
    assert match.current_player == "C"
    match, log = replayed(VOID, *FIRST)
    assert "round_void" in types(log)
    assert dict(match.holdings) == {"A": 0, "B": 0, "C": 4}


@pytest.mark.parametrize("ruling", [LOST_BY_C, VOID])
def test_a_ruling_can_be_withdrawn(ruling: RuleRound) -> None:
    match, _ = replayed(*FIRST, ruling, AS_THE_BOOK_SAYS)
    assert dict(match.holdings) == dict(after_one_round().holdings)
    assert match.state.rulings == ()


def test_a_second_ruling_still_shows_what_the_book_says() -> None:
    _, log = replayed(*FIRST, LOST_BY_C, VOID, AS_THE_BOOK_SAYS)
    for event in log[-3:]:
        said = event.to_json()
        assert [said[f"book_{name}"] for name in ("loser", "winner", "deckel")] == ["B", "A", 1]


def test_a_round_under_way_is_settled_as_it_was_ruled() -> None:
    match, log = replayed(*FIRST[:2], LOST_BY_C, *FIRST[2:])
    settled = [event.to_json() for event in log if event.type == "round_settled"][-1]
    assert (settled["loser"], settled["deckel"], settled["ruled"]) == ("C", 3, True)
    assert match.holdings["C"] == 7


def test_rulings_survive_corrections_and_moves_taken_back() -> None:
    match, _ = replayed(*FIRST, LOST_BY_C, CorrectThrow("A", 5, (6, 1, 1), by="R"))
    assert dict(match.holdings) == {"A": 0, "B": 0, "C": 7}
    match, _ = replayed(*FIRST, LOST_BY_C, TakeBack("R"), StopTurn("B"))
    assert dict(match.holdings) == {"A": 0, "B": 0, "C": 7}


def test_a_ruling_may_end_the_half_and_let_go_of_what_was_played_later_only_when_told() -> None:
    match, _ = played(after_one_round(), ThrowDice("B", (5, 5, 1)))
    everything = RuleRound("half1", 1, "loser", "R", "cheating", "B", "A", "all")
    assert code_against(match, everything) == "ruling_breaks_later"
    agreed = RuleRound("half1", 1, "loser", "R", "cheating", "B", "A", "all", drop_later=True)
    match, log = played(match, agreed)
    assert log[0].to_json()["dropped"] == 1
    assert (match.part, match.state.half1_loser) == (Part.HALF2, "B")


@pytest.mark.parametrize(
    ("ruling", "code"),
    [
        (RuleRound("half1", 7, "void", "R", "x"), "unknown_round"),
        (RuleRound("final", 1, "void", "R", "x"), "unknown_round"),
        (AS_THE_BOOK_SAYS, "unchanged_ruling"),
        (RuleRound("half1", 1, "loser", "R", "x", "X", "A", 1), "not_in_that_round"),
        (RuleDeckel(None, "X", 1, "R", "x"), "unknown_player"),
        (RuleDeckel("A", "B", 1, "R", "x"), "not_enough_deckel"),
        (RuleDeckel(None, "B", 9, "R", "x"), "not_enough_deckel"),
    ],
)
def test_rulings_that_make_no_sense_are_refused(ruling: Action, code: str) -> None:
    match = after_one_round()
    assert code_against(match, ruling) == code
    assert action_from_json(json.loads(json.dumps(ruling.to_json()))) == ruling


def test_who_did_not_play_the_round_cannot_have_lost_it() -> None:
    match, _ = played(after_one_round(), RuleDeckel(None, "B", 8, "R", "stock away"))
    assert match.stock == 0
    assert match.state.out == ("A",), "nobody has thrown yet in this round"
    assert match.state.order == ("B", "C")
    out = RuleRound("half1", 2, "loser", "R", "x", "A", "B", 1)
    assert code_against(match, out) == "not_in_that_round"
    assert code_against(match, RuleDeckel("B", "A", 1, "R", "x")) == "not_in_round"
    assert code_against(Match.new(TURNIER, ["A", "B"]), RuleDeckel(None, "A", 1, "R", "x")) == (
        "not_in_round"
    )


def test_deckel_move_because_the_referee_says_so() -> None:
    match, log = replayed(*FIRST, RuleDeckel("C", "A", 2, "Referee", "phone at the table"))
    assert (dict(match.holdings), match.stock) == ({"A": 2, "B": 1, "C": 2}, 8)
    assert match.phase is Phase.LOADED, "the turn goes on"
    assert log[-1].to_json()["section"] == TURNIER.cite("referee")
    match, _ = replayed(*FIRST, RuleDeckel("C", None, 4, "R", "given by mistake"))
    assert (match.stock, match.holdings["C"]) == (12, 0)
    match, _ = replayed(*FIRST, RuleDeckel(None, "A", 2, "R", "x"), TakeBack("R"))
    assert match.holdings["A"] == 0


def test_even_a_lost_game_can_be_ruled_upon() -> None:
    aus = one_throw_round("CAB", (6, 5, 2), (1, 1, 1), (3, 3, 1))
    match, _ = replayed(*aus, *one_throw_round("BCA", (6, 5, 2), (1, 1, 1), (3, 3, 1)))
    over, _ = played(match, *one_throw_round("BA", (1, 1, 1), (3, 3, 1)))
    assert (over.part, over.state.game_loser) == (Part.OVER, "A")
    ruled, _ = played(over, RuleRound("final", 1, "loser", "R", "A was pushed", "B", "A", "all"))
    assert (ruled.part, ruled.state.game_loser) == (Part.OVER, "B")
    again, _ = played(over, RuleRound("final", 1, "void", "R", "A was pushed"))
    assert (again.part, again.current_player) == (Part.FINAL, "B")


def test_nobody_plays_during_a_pause_and_the_referee_still_decides() -> None:
    match, _ = replayed(*FIRST, Pause("Ute", "food"))
    assert snapshot(match)["paused"]
    assert not match.can_throw("B")
    for action in (ThrowDice("B", (6, 5, 2)), Pause("Ute")):
        assert code_against(match, action) == "paused"
    match, _ = replayed(*FIRST, Pause("Ute"), LOST_BY_C, RuleDeckel(None, "A", 1, "R", "x"),
                        ReportFault("B", "lift_early", by="R"), Resume("Ute"))  # fmt: skip
    assert match.can_throw("C")
    assert code_against(match, Resume("Ute")) == "not_paused"
    match, _ = replayed(Pause("Ute"), TakeBack("R"))
    assert match.state.paused, "taking back a throw ends no pause"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: RuleRound("half1", 1, "void", "R", " "),
        lambda: RuleRound("opening", 1, "void", "R", "x"),
        lambda: RuleRound("half1", 1, "loser", "R", "x", "A"),
        lambda: RuleRound("half1", 1, "void", "R", "x", "A", "B", 1),
        lambda: RuleRound("half1", 1, "loser", "R", "x", "A", "A", 1),
        lambda: RuleRound("half1", 1, "loser", "R", "x", "A", "B", 0),
        lambda: RuleDeckel(None, None, 1, "R", "x"),
        lambda: RuleDeckel(None, "A", 0, "R", "x"),
        lambda: RuleDeckel(None, "A", 1, "R", ""),
    ],
)
def test_a_ruling_that_is_none_is_malformed(wrong) -> None:
    with pytest.raises(MalformedRecord):
        wrong()


def named_and_empty() -> Match:
    """C stays for round 1 with nothing because a ruling names him; then all three throw, twice."""
    match = begun(find_book("jule"))
    named = RuleRound("half1", 1, "loser", "R", "x", "B", "C", 2)
    dealt = [RuleDeckel(None, "A", 7, "R", "x"), RuleDeckel(None, "B", 6, "R", "x")]
    match, _ = played(match, named, *dealt)
    return rounds(match, "A665 B652 C221", "B652 A411", "A652 B411")


def test_whoever_has_thrown_stays_for_his_round_when_the_ruling_that_kept_him_is_changed() -> None:
    match = named_and_empty()
    settled = [(r.part, r.round) for r in match.state.history]
    void, log = match.do(RuleRound("half1", 1, "void", "R", "x"))
    assert log[0].to_json()["dropped"] == 0
    assert void.state.orders[("half1", 1)] == ("A", "B", "C")
    assert [(r.part, r.round) for r in void.state.history] == settled[1:]
    back, _ = void.do(RuleRound("half1", 1, "loser", "R", "x", "B", "C", 2))
    assert back.state.history == match.state.history
    assert back.holdings == match.holdings


def test_whoever_has_not_thrown_yet_leaves_with_the_ruling_that_kept_him() -> None:
    match = begun(find_book("jule"))
    named = RuleRound("half1", 1, "loser", "R", "x", "B", "C", 2)
    dealt = [RuleDeckel(None, "A", 7, "R", "x"), RuleDeckel(None, "B", 6, "R", "x")]
    match, _ = played(match, named, *dealt)
    assert match.state.order == ("A", "B", "C")
    match, _ = match.do(RuleRound("half1", 1, "void", "R", "x"))
    assert match.state.order == ("A", "B")
