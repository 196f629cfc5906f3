"""The judge answers every kind for turnier and never stumbles over a malformed question."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.judge import KINDS, answer


def asked(kind: str, **given_input: Any) -> dict[str, Any]:
    return answer({"id": "q", "book": "turnier", "kind": kind, "input": given_input})


def test_answer_carries_id_and_section() -> None:
    judged = asked("value", dice=[2, 5, 6], throws=2, from_hand=False)
    assert judged["id"] == "q"
    assert (judged["name"], judged["deckel"]) == ("100er 652", 1)
    assert judged["spoken"] == "sechs zweiundfünfzig im Zweiten"
    assert judged["rule"] == "001 L7-9, L29"


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (None, "must be a JSON object"),
        ([], "must be a JSON object"),
        ({"id": 1}, "lacks 'book'"),
        ({"id": 1, "book": "kneipe", "kind": "rank", "input": {}}, "no rule book 'kneipe'"),
        ({"id": 1, "book": "turnier", "kind": "luck", "input": {}}, "'kind' must be one of"),
        ({"id": 1, "book": "turnier", "kind": "rank"}, "lacks 'input'"),
        ({"id": 1, "book": "turnier", "kind": "rank", "input": {"results": []}}, "at least one"),
        (
            {"id": 1, "book": "turnier", "kind": "value", "input": {"dice": [7, 1, 1]}},
            "A die shows 1 to 6",
        ),
    ],
)
def test_a_question_that_cannot_be_judged_says_why(question: Any, message: str) -> None:
    judged = answer(question)
    assert set(judged) == {"id", "error"}
    assert message in judged["error"]
    assert judged["error"].endswith(".")


WORDS = [
    "A",
    "B",
    "results",
    "player",
    "dice",
    "throws",
    "from_hand",
    "winner",
    "loser",
    "value",
    "stock",
    "holdings",
    "total",
    "players",
    "starter",
    "rounds",
    "actions",
    "do",
    "count",
    "burns",
    "limit",
    "role",
    "throw_no",
    "rolls",
    "method",
    "half1_loser",
    "half2_loser",
    "final_loser",
    "event",
    "offender",
    "place",
]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 14) | st.floats() | st.text(max_size=4)
    | st.sampled_from(["A", "B", "all", "throw", "keep", "turn", "stop", "first", "follower"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(WORDS),
        inner,
        max_size=6,
    ),
    max_leaves=20,
)  # fmt: skip


@given(st.sampled_from(sorted(KINDS)), JSON)
def test_no_input_makes_the_judge_stumble(kind: str, value: Any) -> None:
    judged = answer({"id": 7, "book": "turnier", "kind": kind, "input": value})
    assert judged["id"] == 7
    assert ("error" in judged) != ("rule" in judged)
    json.dumps(judged)


@given(JSON)
def test_no_question_makes_the_judge_stumble(question: Any) -> None:
    assert "error" in answer(question)


def test_stock_and_holdings_that_do_not_make_the_total_are_not_settled() -> None:
    judged = asked(
        "settle", total=13, stock=5, holdings={"A": 4, "B": 1}, winner="A", loser="B", value=1
    )
    assert "make 10 Deckel, but there are 13" in judged["error"]


def test_half_counts_the_rounds_and_names_the_starters() -> None:
    rounds = [
        {"winner": "A", "loser": "B", "value": 6},
        {"winner": "C", "loser": "A", "value": 5},
        {"winner": "B", "loser": "A", "value": 5},
        {"winner": "B", "loser": "A", "value": 6},
        {"winner": "A", "loser": "B", "value": 1},
    ]
    judged = asked("half", total=13, players=["A", "B", "C"], starter="C", rounds=rounds)
    assert (judged["over"], judged["loser"], judged["rounds_used"]) == (True, "A", 4)
    assert judged["starters"] == ["C", "B", "A", "A"]
    assert judged["holdings"] == {"A": 13, "B": 0, "C": 0}


def test_half_does_not_count_a_player_who_is_out() -> None:
    rounds = [
        {"winner": "A", "loser": "B", "value": "all"},
        {"winner": "A", "loser": "B", "value": 1},
    ]
    judged = asked("half", players=["A", "B", "C"], starter="A", rounds=rounds)
    assert judged["rounds_used"] == 1
    rounds = [
        {"winner": "A", "loser": "B", "value": 6},
        {"winner": "B", "loser": "A", "value": 6},
        {"winner": "A", "loser": "B", "value": 6},
        {"winner": "C", "loser": "B", "value": 1},
    ]
    judged = asked("half", players=["A", "B", "C"], starter="A", rounds=rounds)
    assert "already out" in judged["error"]


def test_game_with_two_losers_has_a_final_that_loser_of_half_1_begins() -> None:
    judged = asked("game", players=["A", "B", "C"], half1_loser="C", half2_loser="A")
    assert judged["final"] is True
    assert (judged["finalists"], judged["final_starter"]) == (["C", "A"], "C")
    assert (judged["half2_starter"], judged["game_loser"]) == ("C", None)


def test_start_names_the_tied_who_must_throw_again() -> None:
    rolls = [{"A": [6, 5, 2], "B": [2, 2, 1], "C": [1, 2, 2]}]
    assert asked("start", method="three_dice", rolls=rolls)["tied"] == ["B", "C"]
    rolls.append({"A": [6, 5, 2], "B": [6, 5, 3]})
    assert "Pass 2 must be thrown by ['B', 'C']" in asked("start", rolls=rolls)["error"]


def test_start_with_one_die_is_not_how_turnier_begins() -> None:
    judged = asked("start", method="single_die", rolls=[{"A": 5, "B": 2}])
    assert "starts a game by 'three_dice_round'" in judged["error"]


@pytest.mark.parametrize(
    ("role", "limit", "throw_no", "shown"),
    [
        ("first", None, 1, True),
        ("first", None, 2, True),
        ("first", None, 3, False),
        ("follower", 1, 1, True),
        ("follower", 2, 2, True),
        ("follower", 3, 2, True),
        ("follower", 3, 3, False),
    ],
)
def test_t4_to_t8_only_the_third_throw_is_covered(
    role: str, limit: int | None, throw_no: int, shown: bool
) -> None:
    assert asked("visibility", role=role, limit=limit, throw_no=throw_no)["shown"] is shown


def test_turnier_l48_what_one_has_seen_all_must_see() -> None:
    seen = {"role": "follower", "limit": 3, "throw_no": 3, "looked_at_it": True}
    assert asked("visibility", **seen)["shown"] is True
    assert asked("visibility", **{**seen, "throw_no": 1, "looked_at_it": False})["shown"] is False


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ("tower", {"throw": "repeat"}),
        ("burning", {"throw": "repeat"}),
        ("feuer", {"throw": "repeat"}),
        ("drop_die", {"throw": "repeat"}),
        ("lift_early", {"may_cover_again": True, "may_repeat": False, "throw_stands": True}),
        ("too_many_throws", {"loses_round": True}),
        ("disobey", {"excluded": True}),
        ("voluntary_take", {"allowed": False}),
        ("concede", {"allowed": False}),
    ],
)
def test_penalties_of_turnier(event: str, expected: dict[str, Any]) -> None:
    judged = asked("penalty", event=event)
    assert {key: judged.get(key) for key in expected} == expected


def test_round_lost_by_fault_is_valued_by_the_others() -> None:
    results = [
        {"player": "A", "dice": [1, 1, 1], "throws": 1},
        {"player": "B", "dice": [4, 1, 1], "throws": 1},
        {"player": "C", "dice": [2, 2, 1], "throws": 1},
    ]
    judged = asked("penalty", event="round_lost_by_fault", offender="A", results=results)
    assert (judged["winner"], judged["loser"], judged["deckel"]) == ("B", "A", 4)


def test_fees_of_turnier() -> None:
    assert asked("fee", event="entry", players=3)["eur"] == 30
    thrown = [
        {"throws": 1, "from_hand": True},
        {"throws": 3, "from_hand": True},
        {"throws": 2, "from_hand": False},
    ]
    king = asked("fee", event="schock_aus_koenig", paid_all=True, schock_aus=thrown)
    assert (king["ranked"], king["count"], king["eur"]) == (True, 2, 6)
    assert asked("fee", event="prize", place=6)["prize"] is True
    assert asked("fee", event="prize", place=7)["prize"] is False
    assert asked("fee", event="prize", place=2)["challenge_cup"] is False
    assert asked("fee", event="lost_game")["eur"] == 0
    games = [{"half1_loser": "A", "half2_loser": "A"}, {"half1_loser": "A", "half2_loser": "B"}]
    assert asked("fee", event="evening", games=games)["eur"] == 0
    assert asked("fee", event="start_with_three_dice")["eur"] == 0


def test_a_turn_names_the_first_illegal_action() -> None:
    thrown = {"do": "throw", "dice": [6, 5, 2]}
    put_out = {"do": "keep", "dice": [6, 5, 2]}
    for empty in ({"do": "throw", "dice": []}, {"do": "throw", "dice": [1]}):
        judged = asked("turn", limit=3, actions=[thrown, put_out, empty])
        assert (judged["legal"], judged["at"], judged["reason"]) == (False, 2, "no_dice_in_cup")
    judged = asked("turn", limit=None, actions=[thrown, {"do": "return", "dice": [6]}])
    assert (judged["at"], judged["reason"], judged["rule"]) == (1, "no_return", "001 L47")
    judged = asked("turn", limit=3, actions=[{"do": "stop"}])
    assert (judged["at"], judged["reason"]) == (0, "no_throw")
    judged = asked("turn", limit=3, actions=[thrown, {"do": "stop"}, thrown])
    assert "after the player has stopped" in judged["error"]
    judged = asked("turn", limit=3, actions=[thrown, {"do": "keep", "dice": [4]}])
    assert "cannot have happened" in judged["error"]


def test_a_player_without_a_name_is_named_as_one_in_both_languages():
    actions = [
        {"do": "throw", "dice": [6, 3, 2]},
        {"do": "keep", "dice": [6]},
        {"do": "throw", "dice": [5, 4]},
        {"do": "return", "dice": [6]},
    ]
    question = {"id": "1", "book": "turnier", "kind": "turn", "input": {"actions": actions}}
    told = answer(question)
    assert told["text_de"].startswith("Was der Spieler draußen gelassen hat")
    assert told["text_en"].startswith("What the player has left outside")
    question["book"] = "statuten"
    assert answer(question)["text_de"].startswith("Der Spieler darf nur Einsen")
