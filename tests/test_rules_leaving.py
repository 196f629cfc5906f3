"""Who leaves before a round's first throw, who may be named to lead, what taking back restores."""

import pytest
from rules_play import begun, code_against, one_throw_round, played, rounds

from rules import (
    HandOver,
    Match,
    ReEnter,
    ReportFault,
    RuleBook,
    RuleDeckel,
    RuleRound,
    StopTurn,
    TakeBack,
    ThrowDice,
    find_book,
)
from rules.errors import MalformedRecord
from rules.odds import odds, position_of

TURNIER, ALLGEMEIN, BLOG, JULE, STATUTEN = (
    find_book(name) for name in ("turnier", "allgemein", "blog2019", "jule", "statuten")
)
TOO_MANY = "too_many_throws"


def ruled(giver: str | None, taker: str | None, count: int) -> RuleDeckel:
    return RuleDeckel(giver, taker, count, "R", "x")


def test_a_leader_who_has_burnt_a_throw_is_in_the_round() -> None:
    match, _ = played(
        begun(ALLGEMEIN), ThrowDice("A", (6, 5, 4), burns="tower"), ruled(None, "B", 12),
        ruled(None, "C", 1),
    )  # fmt: skip
    assert (match.stock, match.state.out, match.current_player) == (0, (), "A")
    match = rounds(match, "A652 B651 C553")
    match, _ = played(match, TakeBack("R"))
    assert match.state.round == 1
    assert match.state.record[-1].type == "thrown"


def test_taking_back_never_loses_a_round() -> None:
    match, _ = played(begun(ALLGEMEIN), ruled(None, "B", 12), ruled(None, "C", 1))
    assert match.state.out == ("A",)
    match = rounds(match, "B652 C651", "C652 B651")
    before = len(match.state.record)
    match, log = played(match, TakeBack("R"))
    assert len(match.state.record) == before - 1
    assert log[0].to_json()["dropped"] == 0


@pytest.mark.parametrize("book", [ALLGEMEIN, JULE, TURNIER, BLOG], ids=lambda book: book.key)
def test_the_last_who_has_not_lost_the_round_stays_for_it(book: RuleBook) -> None:
    match = begun(book)
    given = [ruled("A", None, match.holdings["A"])] if match.holdings["A"] else []
    match, _ = played(
        match, *given, ReportFault("B", TOO_MANY, "R"), ReportFault("C", TOO_MANY, "R")
    )
    match, _ = played(match, ruled(None, "B", match.stock - 1))
    assert match.refusal(ruled(None, "C", 1)) is None
    match, _ = played(match, ruled(None, "C", 1))
    assert match.current_player == "A"
    match, _ = played(match, *one_throw_round("A", (6, 5, 2)))
    assert match.state.history[-1].loser == "C"
    assert match.state.out == ("A",)


def half_2(*moves: object) -> Match:
    """Half 2 of blog2019, which C may let another one lead."""
    return played(rounds(begun(BLOG), "A111 B652 C221"), *moves)[0]  # type: ignore[arg-type]


def test_taking_back_who_was_named_restores_who_leads() -> None:
    match = half_2(ReportFault("A", "pack_early", "R"), HandOver("C", "B"), TakeBack("R"))
    assert (match.state.order, match.current_player) == (("C", "A", "B"), "C")
    match = rounds(begun(ALLGEMEIN), "A652 B221 C653")
    match, _ = played(
        match, ReportFault("A", TOO_MANY, "R"), ruled("B", None, 1), ruled(None, "A", 12)
    )
    again, _ = played(match, ruled(None, "C", 1), TakeBack("R"))
    assert again.current_player == match.current_player == "B"


def test_nobody_who_is_out_is_named_or_names() -> None:
    match = half_2(ruled(None, "A", 12), ruled(None, "C", 1))
    assert match.state.out == ("B",)
    assert code_against(match, HandOver("C", "B")) == "no_hand_over"
    match, _ = played(match, HandOver("C", "A"))
    assert match.state.order == ("A", "C")
    match = half_2(ruled(None, "A", 12), ruled(None, "B", 1))
    assert not match.can_hand_over("C", "A")


def test_nobody_is_named_once_somebody_has_thrown_whatever_is_reported_then() -> None:
    match = half_2(ThrowDice("C", (6, 5, 4), burns="tower"))
    assert not match.can_hand_over("C", "B")
    match, _ = played(match, ReportFault("A", "drop_die", "R"))
    assert not match.can_hand_over("C", "B")


def test_those_to_come_throw_for_the_highest_where_the_round_is_lost_already() -> None:
    match, _ = played(
        begun(TURNIER, "ABCD"), ReportFault("D", TOO_MANY, "R"), ThrowDice("A", (2, 2, 1)),
        ThrowDice("A", (3, 2, 2)), StopTurn("A"), ThrowDice("B", (6, 5, 3)),
    )  # fmt: skip
    stop = next(item for item in odds(position_of(match.state)) if item.choice.kind == "stop")
    match, _ = played(match, StopTurn("B"))
    assert stop.highest == 1 - odds(position_of(match.state))[0].highest


@pytest.mark.parametrize("odd", [{"verdict": "zz"}, {"deckel": "many"}, {"deckel": True}])
def test_a_ruling_that_is_none_is_refused(odd: dict[str, object]) -> None:
    told = {"loser": "B", "winner": "A", "deckel": 1, "verdict": "loser", **odd}
    with pytest.raises(MalformedRecord):
        RuleRound(part="half1", round=1, by="R", reason="x", **told)  # type: ignore[arg-type]


def test_whoever_has_lost_the_round_by_a_fault_stays_and_pays_for_it() -> None:
    """jule L71, blog2019 L116 and L127: that he holds nothing yet does not free him."""
    match, _ = played(
        begun(ALLGEMEIN, "ABCDE"), ReportFault("A", TOO_MANY, "R"), ruled(None, "B", 7),
        ruled(None, "C", 3), ruled(None, "D", 3),
    )  # fmt: skip
    assert match.state.out == ("E",), "he is innocent and goes, though A sits before him"
    assert match.current_player == "B"
    match, _ = played(match, *one_throw_round("BC", (6, 5, 2), (6, 5, 1)))
    match, _ = played(match, ThrowDice("D", (2, 2, 1)))
    assert odds(position_of(match.state))[0].lowest == 0, "the round is lost already"
    match, _ = played(match, StopTurn("D"))
    assert match.state.history[-1].loser == "A"
    assert match.holdings == {"A": 1, "B": 6, "C": 3, "D": 3, "E": 0}
    assert match.state.order == ("A", "B", "C", "D")


def test_whom_the_referee_has_named_in_the_round_stays_for_it() -> None:
    """jule L72, turnier L61 (row F10): his decision binds, so nobody gets away from it."""
    cheated = RuleRound("half1", 1, "loser", "R", "cheated", "A", "B", 2)
    match, _ = played(begun(ALLGEMEIN, "ABCD"), cheated, ruled(None, "C", 12), ruled(None, "D", 1))
    assert match.state.out == ()
    assert len(match.state.rulings) == 1
    match = rounds(match, "A652 B651 C642 D221")
    last = match.state.history[-1]
    assert (last.loser, last.winner, last.ruled) == ("A", "B", True)
    assert match.state.out == ("A", "B"), "B had nothing to pay with, and now both go"


def test_who_is_not_named_by_a_ruling_goes_all_the_same() -> None:
    void = RuleRound("half1", 1, "void", "R", "x")
    match, _ = played(begun(ALLGEMEIN), void, ruled(None, "B", 12), ruled(None, "C", 1))
    assert match.state.out == ("A",)
    named = RuleRound("half1", 1, "loser", "R", "x", "B", "C", 2)
    match, _ = played(begun(ALLGEMEIN), named, ruled(None, "B", 12), ruled(None, "C", 1))
    assert match.state.out == ("A",)
    match = rounds(match, "B652 C221")
    assert match.state.half1_loser == "B", "C has given him his last one, as ruled"


def test_nobody_is_left_to_play_alone_while_another_comes_back() -> None:
    """statuten §8: who comes back plays from the next round on, so two must stay for this one."""
    match, _ = played(begun(STATUTEN), ruled(None, "A", 12), ruled(None, "C", 1))
    assert (match.state.out, match.state.order) == (("B",), ("A", "C"))
    match, _ = played(match, ReEnter("B"), ruled("C", "A", 1))
    assert match.state.order == ("A", "C"), "C holds nothing, but A cannot play against nobody"
    match = rounds(match, "A652 C651")
    assert match.state.history[-1].loser == "C"
    assert set(match.state.order) == {"A", "B", "C"}
