"""The section that an answer names is the one it rests on, and says what is text and what is not.

Each case was read from the texts: the section that must be named, and one that would be wrong.
"""

from typing import Any

import pytest
from rules_play import begun, played

from rules import ThrowDice, TurnSixes, all_books, find_book
from rules.judge import answer


def rule(book: str, kind: str, **given: Any) -> str:
    judged = answer({"id": "q", "book": book, "kind": kind, "input": given})
    assert "error" not in judged, judged
    return str(judged["rule"])


def ranked(book: str, *dice: list[int]) -> str:
    """Two results of two throws: the first assembled, the second from the hand."""
    results = [
        {"player": name, "dice": list(thrown), "throws": 2, "from_hand": name != "A"}
        for name, thrown in zip("AB", dice, strict=True)
    ]
    return rule(book, "rank", results=results)


THREW = {"do": "throw", "dice": [6, 5, 2]}
BURNT = {"do": "throw", "dice": [1, 1, 1], "burns": True}
SIXES = {"do": "throw", "dice": [6, 6, 6]}
STOP = {"do": "stop"}
OPEN = {"role": "follower", "limit": 3, "throw_no": 2}
AUS = [{"player": name, "dice": [1, 1, 1]} for name in "AB"]


@pytest.mark.parametrize(
    ("book", "assembled", "section"),
    [
        ("allgemein", [3, 2, 1], "003 L29; 003 silent, default blog2019 L249"),
        ("allgemein", [4, 4, 4], "003 L29; 003 silent, default blog2019 L256"),
        ("statuten", [3, 2, 1], "004 §11; 004 silent, default blog2019 L249"),
        ("turnier", [5, 4, 3], "001 L10; 001 silent, default blog2019 L249"),
        ("turnier", [5, 5, 5], "001 L12; 001 silent, default blog2019 L256"),
        ("blog2019", [6, 5, 4], "002 L248-249; 002 L249"),
        ("blog2019", [4, 4, 4], "002 L255-256; 002 L256 (interpretation)"),
        ("jule", [6, 5, 4], "000 L17, L48 (interpretation)"),
        ("jule", [4, 2, 1], "000 L17, L48 (interpretation)"),
    ],
)
def test_v1_to_v4_an_assembled_figure_names_the_rule_on_one_throw(
    book: str, assembled: list[int], section: str
) -> None:
    assert section in ranked(book, assembled, [2, 2, 1])
    assert section not in ranked(book, [2, 2, 1], assembled)  # thrown at once
    assert section in rule(book, "value", dice=assembled, throws=2, from_hand=False)


@pytest.mark.parametrize(
    ("book", "actions", "section"),
    [
        ("turnier", [BURNT, THREW, STOP], "001 L51"),
        ("jule", [BURNT, THREW, STOP], "000 L67-68"),
        ("blog2019", [BURNT, THREW, STOP], "002 L402-404"),
        ("blog2019", [{**BURNT, "burns": "off_mat"}, THREW, STOP], "002 L406"),
        ("blog2019", [{**BURNT, "burns": "tilted"}, THREW], "002 silent, default jule L67-68"),
        ("turnier", [SIXES, {"do": "turn"}, {"do": "throw", "dice": [6, 1]}, STOP], "(X11)"),
        ("turnier", [SIXES, {"do": "turn"}], "(X11)"),
        ("jule", [THREW, {"do": "throw", "dice": [5, 5, 5]}, STOP], "000 L56"),
    ],
)
def test_a_turn_names_what_it_rests_on(
    book: str, actions: list[dict[str, Any]], section: str
) -> None:
    assert section in rule(book, "turn", limit=3, actions=actions)


@pytest.mark.parametrize(
    ("actions", "section"),
    [
        ([SIXES, {"do": "turn", "count": 2}, {"do": "throw", "dice": [6]}], "(X11)"),
        ([SIXES, {"do": "turn"}, {"do": "turn"}, {"do": "throw", "dice": [6]}], "(X11)"),
        ([{"do": "throw", "dice": [6, 6, 1]}, {"do": "turn"}], "(X11)"),
        ([THREW, STOP], "L51"),
        ([THREW, STOP], "L58"),
    ],
)
def test_a_turn_names_nothing_that_did_not_matter(
    actions: list[dict[str, Any]], section: str
) -> None:
    assert section not in rule("turnier", "turn", limit=3, actions=actions)


@pytest.mark.parametrize(
    ("book", "question", "section"),
    [
        ("statuten", {**OPEN, "stops": True}, "004 §9"),
        ("statuten", {**OPEN, "throw_no": 1, "blind": True}, "silent, default blog2019 L124-126"),
        ("jule", {**OPEN, "blind": True}, "000 silent, default blog2019 L124-126"),
        ("blog2019", {"role": "first", "throw_no": 1}, "002 L118, L120, L124 (interpretation)"),
        ("jule", OPEN, "000 L17, L19"),
        ("allgemein", OPEN, "003 silent, default jule L19"),
        ("turnier", {**OPEN, "looked_at_it": True}, "001 L48"),
    ],
)
def test_t4_to_t12_whether_a_throw_lies_open_names_why(
    book: str, question: dict[str, Any], section: str
) -> None:
    assert section in rule(book, "visibility", **question)


def test_t9_who_takes_all_his_throws_has_not_stopped_early() -> None:
    assert "§9" not in rule("statuten", "visibility", **{**OPEN, "throw_no": 3}, stops=True)
    assert "§9" not in rule("statuten", "visibility", **OPEN)


@pytest.mark.parametrize(
    ("book", "question", "allowed", "section"),
    [
        ("statuten", {"phase": "final", "schock_aus_on_table": True}, False, "004 §19"),
        ("statuten", {"phase": "half1", "schock_aus_on_table": True}, False,
         "004 silent, default turnier L49"),
        ("statuten", {"phase": "final", "schock_aus_on_table": False}, False,
         "004 silent, default turnier L49"),
        ("statuten", {}, False, "004 §19; 004 silent, default turnier L49"),
        ("turnier", {}, False, "001 L49"),
        ("jule", {}, False, "000 silent, default turnier L49"),
        ("blog2019", {"own_throw_covered": True, "highest_value": 2}, True, "002 L143-146"),
        ("blog2019", {"own_throw_covered": False, "highest_value": 2}, False, "002 L143-146"),
    ],
)  # fmt: skip
def test_a9_c5_giving_a_round_away(
    book: str, question: dict[str, Any], allowed: bool, section: str
) -> None:
    given = {"event": "concede", **question}
    judged = answer({"id": "q", "book": book, "kind": "penalty", "input": given})
    assert (judged["allowed"], judged["rule"]) == (allowed, section)


def test_c4_who_loses_among_schock_aus_rests_on_the_ties() -> None:
    cited = rule(
        "statuten", "penalty",
        event="champions_league", weekday="wednesday", phase="final", results=AUS,
    )  # fmt: skip
    assert cited.startswith("004 §19")
    assert "004 §12, §14" in cited


@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
def test_f10_the_referee_is_asked_about_in_every_book(book: Any) -> None:
    judged = answer({"id": "q", "book": book.key, "kind": "penalty", "input": {"event": "referee"}})
    assert (judged["binding"], judged["rule"]) == (True, book.cite("referee"))


def test_f7_that_a_dropped_die_is_thrown_again_is_an_assumption_of_jule() -> None:
    first, second = (rule("jule", "penalty", event="drop_die", nth=nth) for nth in (1, 2))
    assert first == "000 L66; 000 silent, default blog2019 L406"
    assert second == "000 L66"


def test_x11_the_record_names_that_one_of_three_sixes_is_an_assumption() -> None:
    match = begun(find_book("turnier"))
    _, one = played(match, ThrowDice("A", (6, 6, 6)), TurnSixes("A", 1))
    _, two = played(match, ThrowDice("A", (6, 6, 6)), TurnSixes("A", 2))
    assert "(X11)" in one[-1].section
    assert "(X11)" not in two[-1].section
