"""Questions at the edges of a book: an emptied stock, house rules, what is only read so."""

from dataclasses import replace
from typing import Any

import pytest

from rules import MalformedRecord, find_book
from rules.judge import KINDS, answer
from rules.judge_input import read_fields


def asked(book: str, kind: str, **given_input: Any) -> dict[str, Any]:
    return answer({"id": "q", "book": book, "kind": kind, "input": given_input})


LATE = [
    {"player": "C", "dice": [1, 1, 1]},
    {"player": "A", "dice": [6, 6, 5]},
    {"player": "B", "dice": [2, 2, 1]},
]


def test_d2_a_schock_aus_counts_though_a_doofmanndeckel_emptied_the_stock_meanwhile() -> None:
    table = {"stock": 0, "holdings": {"A": 12, "B": 1, "C": 0}, "results": LATE}
    judged = asked("statuten", "settle", **table)
    assert (judged["half_loser"], judged["holdings"]) == ("B", {"A": 0, "B": 13, "C": 0})
    assert "004 §17b" in judged["rule"]
    lower = [{**LATE[0], "dice": [5, 1, 1]}, *LATE[1:]]
    assert (
        "'C' has no Deckel: he is out"
        in asked("statuten", "settle", **table | {"results": lower})["error"]
    )
    assert "he is out" in asked("jule", "settle", **table)["error"]


def test_d2_nobody_is_out_while_the_round_goes_on_in_which_the_stock_was_emptied() -> None:
    fault = {
        "event": "lift_early",
        "player": "C",
        "stock": 1,
        "holdings": {"A": 12, "B": 0, "C": 0},
    }
    judged = asked("statuten", "penalty", **fault)
    assert (judged["stock"], judged["out"]) == (0, [])
    assert asked("statuten", "penalty", round_in_progress=False, **fault)["out"] == ["B"]


THIRD = {"player": "A", "dice": [6, 5, 2], "throws": 3, "from_hand": True}
SECOND = {"player": "B", "dice": [2, 2, 1], "throws": 2, "from_hand": True}


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("rank", {"results": [THIRD, SECOND]}),
        ("value", {"dice": [6, 5, 2], "throws": 3, "from_hand": True}),
        ("settle", {"stock": 13, "holdings": {"A": 0, "B": 0}, "results": [THIRD, SECOND]}),
        ("half", {"players": ["A", "B"], "starter": "A", "rounds": [{"results": [THIRD, SECOND]}]}),
        ("penalty", {"event": "round_lost_by_fault", "player": "B", "results": [THIRD, SECOND]}),
        ("fee", {"event": "schock_aus_koenig", "schock_aus": [THIRD]}),
    ],
)
def test_t1_no_result_has_more_throws_than_the_book_lets(
    kind: str, question: dict[str, Any]
) -> None:
    two = replace(find_book("turnier"), key="two", max_throws=2)
    with pytest.raises(MalformedRecord, match="'throws' must be a whole number from 1 to 2"):
        KINDS[kind](two, read_fields(question, "q"))
    assert "error" not in asked("turnier", kind, **question)


def conceded(event: str, **question: Any) -> dict[str, Any]:
    house = replace(find_book("statuten"), key="house", voluntary_take=True)
    given = {"event": event, "own_throw_covered": True, **question}
    return KINDS["penalty"](house, read_fields(given, "q"))


@pytest.mark.parametrize("event", ["concede", "voluntary_take"])
def test_c5_a_schock_aus_of_the_final_is_not_conceded_where_deckel_may_be_taken(event: str) -> None:
    final = {"phase": "final", "highest_value": "all"}
    assert conceded(event, **final) == {"allowed": False, "rule": "004 §19"}
    assert conceded(event, **final | {"phase": "half1"})["allowed"] is True
    assert conceded(event, **final | {"highest_value": 2})["allowed"] is True
    assert conceded(event, **final | {"own_throw_covered": False})["allowed"] is False
    with pytest.raises(MalformedRecord, match="lacks 'phase'"):
        conceded(event, highest_value="all")
    with pytest.raises(MalformedRecord, match="'schock_aus_on_table' is false"):
        conceded(event, schock_aus_on_table=False, **final)
    # nobody may take it either way: no need to ask back
    untold = conceded(event, own_throw_covered=False)
    assert (untold["allowed"], untold["reason"]) == (False, "throw_not_covered")


@pytest.mark.parametrize("event", ["concede", "voluntary_take"])
def test_a10_an_empty_stock_rests_on_how_the_book_is_read(event: str) -> None:
    judged = asked(
        "blog2019", "penalty",
        event=event, own_throw_covered=True, highest_value=2, stock=0, phase="half1",
    )  # fmt: skip
    assert judged["reason"] == "stock_empty"
    assert "002 L143, in the chapter Aufnehmen (interpretation)" in judged["rule"]


@pytest.mark.parametrize("book", ["allgemein", "blog2019"])
def test_x4_of_a_limit_of_one_or_two_the_book_is_only_read_so(book: str) -> None:
    turned = [{"do": "throw", "dice": [6, 6, 2]}, {"do": "turn"}]
    judged = asked(book, "turn", limit=1, actions=turned)
    assert judged["legal"] is False
    assert "(interpretation)" in judged["rule"]
