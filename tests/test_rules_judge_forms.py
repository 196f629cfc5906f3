"""Questions as people put them: synonyms, things left out, and contradictions that are refused."""

from typing import Any

import pytest

from rules.judge import answer

FLAT = {"throws": 1, "from_hand": True}
AUS = {"dice": [1, 1, 1], **FLAT}


def asked(book: str, kind: str, **given_input: Any) -> dict[str, Any]:
    return answer({"id": "q", "book": book, "kind": kind, "input": given_input})


def holds(judged: dict[str, Any], expected: dict[str, Any]) -> bool:
    return {name: judged.get(name, "nothing") for name in expected} == expected


@pytest.mark.parametrize(
    ("book", "kind", "question", "expected"),
    [
        # who has looked must show it: only turnier says so of a throw that stays covered (L48)
        ("jule", "visibility", {"role": "first", "throw_no": 3, "looked_at_it": True},
         {"shown": False}),
        ("turnier", "visibility", {"role": "first", "throw_no": 3, "looked_at_it": True},
         {"shown": True}),
        ("statuten", "visibility",
         {"role": "follower", "limit": 3, "throw_no": 3, "replacement": True}, {"shown": True}),
        # statuten G5, §8, §19: a third one can be in the final
        ("statuten", "game",
         {"players": ["A", "B", "C"], "half1_loser": "A", "half2_loser": "B", "final_loser": "C"},
         {"final": True, "finalists": ["A", "B", "C"], "game_loser": "C"}),
        # a half that an opening round has begun (blog2019 L84)
        ("blog2019", "half",
         {"players": ["A", "B", "C"], "starter": "B", "holdings": {"A": 0, "B": 6, "C": 0},
          "rounds": [{"winner": "A", "loser": "C", "value": 6}]},
         {"stock": 1, "holdings": {"A": 0, "B": 6, "C": 6}}),
        # who cannot say what he would take has nothing to take (B10)
        ("blog2019", "penalty",
         {"event": "voluntary_take", "player": "A", "own_throw_covered": True,
          "own_dice_outside": 0, "highest_value": None},
         {"allowed": False, "reason": "nothing_to_take"}),
        # jule L66: "im selben Finale"
        ("jule", "penalty", {"event": "drop_die", "nth_in_this_final": 2}, {"loses_part": True}),
        ("jule", "fee", {"event": "drop_die"}, {"drink_round": True, "eur": 0}),
        ("statuten", "fee", {"event": "lost_half"}, {"eur": 0}),
        ("statuten", "penalty", {"event": "lift_early", "doofmann": "A", "stock": 1,
                                 "holdings": {"A": 7, "B": 5}, "round_in_progress": False},
         {"from": ["stock"], "round_counts": True}),
        ("statuten", "penalty",
         {"event": "doofmann", "player": "A", "count": 2, "stock": 5, "holdings": {"A": 4, "B": 4}},
         {"stock": 3, "moved": 2}),
        ("turnier", "fee", {"event": "schock_aus_koenig", "count": 3, "paid_all": True},
         {"ranked": True, "count": 3, "eur": 9}),
        ("turnier", "fee", {"event": "schock_aus_koenig", "schock_aus": [FLAT]},
         {"ranked": None, "eur": 3}),
        ("jule", "fee", {"event": "schock_aus_koenig", "count": 1, "paid_all": True},
         {"ranked": False, "eur": 0}),
        ("jule", "fee", {"event": "aus_aus_dem_rohr"}, {"drink_round": False}),
        ("turnier", "penalty",
         {"event": "round_lost_by_fault", "offender": "B",
          "results": [{"player": "A", "dice": [5, 1, 1], **FLAT},
                      {"player": "C", "dice": [2, 2, 1], **FLAT}]},
         {"winner": "A", "loser": "B", "deckel": 5}),
        # more throws than the first has set (T2): told, not hidden
        ("jule", "rank",
         {"results": [{"player": "A", "dice": [6, 6, 5], **FLAT},
                      {"player": "B", "dice": [1, 1, 1], "throws": 2, "from_hand": False}]},
         {"over_limit": ["B"]}),
        ("turnier", "turn",
         {"actions": [{"do": "throw", "dice": [6, 5, 2]}, {"do": "keep", "dice": []},
                      {"do": "stop"}]},
         {"legal": True, "dice": [6, 5, 2]}),
    ],
)  # fmt: skip
def test_a_question_is_understood(
    book: str, kind: str, question: dict[str, Any], expected: dict[str, Any]
) -> None:
    judged = asked(book, kind, **question)
    assert holds(judged, expected), judged


@pytest.mark.parametrize("day", ["wednesday", "Wednesday", "Mittwoch"])
def test_a_day_is_understood_however_it_is_written(day: str) -> None:
    results = [{"player": "A", **AUS}, {"player": "B", **AUS}, {"player": "C", "dice": [6, 5, 2]}]
    question = {"event": "champions_league", "phase": "half1", "results": results}
    assert holds(
        asked("statuten", "penalty", weekday=day, **question),
        {"champions_league": True, "game_loser": "C", "fee_eur": 6},
    )
    refused = asked("statuten", "penalty", weekday="Mittwoche", **question)
    assert "'weekday' must be a day" in refused["error"]
    refused = asked("statuten", "penalty", weekday="tuesday", wednesday=True, **question)
    assert "'wednesday' says True" in refused["error"]


@pytest.mark.parametrize(
    ("book", "kind", "question", "problem"),
    [
        ("turnier", "game",
         {"half1_loser": "A", "half2_loser": "B", "final_loser": "C"}, "cannot lose a final"),
        ("statuten", "fee",
         {"event": "evening", "games": [{"half1_loser": "A", "champions_league_schock_aus": 1}]},
         "2 or more in one round"),
        ("turnier", "settle",
         {"stock": 13, "holdings": {"A": 0, "B": 0}, "winner": "B",
          "results": [{"player": "A", "dice": [5, 1, 1]}, {"player": "B", "dice": [2, 2, 1]}]},
         "y the results 'winner' is 'A'"),
        ("turnier", "half",
         {"players": ["A", "B"], "starter": "A", "stock": 5, "holdings": {"A": 1}, "rounds": []},
         "must make 13 Deckel"),
        ("turnier", "half",
         {"players": ["A", "B"], "starter": "A", "holdings": {"X": 1}, "rounds": []},
         "'holdings' names"),
        ("statuten", "penalty",
         {"event": "doofmann", "player": "A", "doofmann": "B", "stock": 5,
          "holdings": {"A": 4, "B": 4}},
         "contradict each other"),
        ("turnier", "turn",
         {"actions": [{"do": "throw", "dice": [6, 5, 2]}, {"do": "keep", "dice": [1]}]},
         "the player"),
    ],
)  # fmt: skip
def test_a_contradiction_is_refused(
    book: str, kind: str, question: dict[str, Any], problem: str
) -> None:
    assert problem in asked(book, kind, **question)["error"]


@pytest.mark.parametrize(
    ("book", "never_had", "gave_away"),
    [
        ("jule", "000 L25", "000 silent, default blog2019 L176"),
        ("blog2019", "002 L141", "002 L176"),
        ("allgemein", "003 L9", "003 silent, default blog2019 L176"),
    ],
)
def test_who_is_out_is_told_with_the_rule_that_put_him_out(
    book: str, never_had: str, gave_away: str
) -> None:
    settle = {"winner": "A", "loser": "B", "value": 3, "total": 13}
    judged = asked(book, "settle", stock=2, holdings={"A": 5, "B": 6, "C": 0}, **settle)
    assert judged["out"] == ["C"]
    assert judged["rule"].endswith(never_had)
    judged = asked(book, "settle", stock=0, holdings={"A": 3, "B": 6, "C": 4}, **settle)
    assert judged["out"] == ["A"]
    assert judged["rule"].endswith(gave_away)


def test_what_decided_between_others_than_first_and_last_is_cited() -> None:
    middle = {"throws": 2, "dice": [4, 4, 3]}
    judged = asked(
        "jule", "rank",
        results=[{"player": "A", "dice": [6, 6, 5], "throws": 2, "from_hand": True},
                 {"player": "B", "from_hand": False, **middle},
                 {"player": "C", "from_hand": True, **middle},
                 {"player": "D", "dice": [2, 2, 1], "throws": 2, "from_hand": True}],
    )  # fmt: skip
    assert judged["order"] == ["A", "C", "B", "D"]
    assert "L47-48" in judged["rule"]


WON = {"winner": "A", "loser": "B", "value": 3}
THREE = [
    {"player": name, "dice": dice}
    for name, dice in zip("ABC", ([6, 6, 1], [4, 1, 1], [2, 2, 1]), strict=True)
]


@pytest.mark.parametrize(
    ("book", "kind", "question", "problem"),
    [
        # E1: who has no Deckel once the stock is empty is out, as the best and as the worst
        ("jule", "settle", {"stock": 0, "holdings": {"A": 0, "B": 6, "C": 7}, **WON}, "'A' has no"),
        ("jule", "settle", {"stock": 0, "holdings": {"A": 6, "B": 0, "C": 7}, **WON}, "'B' has no"),
        ("turnier", "settle", {"stock": 0, "holdings": {"A": 6, "B": 7, "C": 0}, "results": THREE},
         "'C' has no Deckel: he is out"),
        # G3: all Deckel with one player, so there is no half left to play in
        ("jule", "settle", {"stock": 0, "holdings": {"A": 13, "B": 0}, **WON}, "the half is over"),
        ("statuten", "penalty", {"event": "reentry", "player": "B", "stock": 0,
                                 "holdings": {"A": 13, "B": 0}}, "the half is over"),
        ("statuten", "penalty", {"event": "doofmann", "doofmann": "B", "stock": 0,
                                 "holdings": {"A": 13, "B": 0}}, "the half is over"),
        # S6, C2: what cannot have been a round of this half
        ("turnier", "half", {"players": ["A", "B", "C"], "starter": "B",
                             "rounds": [{"results": THREE}]}, "begun by 'B'"),
        ("turnier", "half", {"players": ["A", "B", "C", "D"], "starter": "A",
                             "rounds": [{"results": THREE}]}, "lacks the result of 'D'"),
        ("statuten", "half", {"players": ["A", "B", "C"], "starter": "A",
                              "rounds": [{"winner": "B", "loser": "A", "value": 1},
                                         {"hardcore": True, "results": THREE}]},
         "round 2 is hardcore, but only a first one"),
    ],
)  # fmt: skip
def test_what_cannot_have_been_is_refused(
    book: str, kind: str, question: dict[str, Any], problem: str
) -> None:
    assert problem.casefold() in asked(book, kind, **question)["error"].casefold()


def test_a_doofmann_who_gets_everything_is_given_no_more() -> None:
    judged = asked(
        "statuten", "penalty",
        event="doofmann", doofmann="A", count=3, stock=1, holdings={"A": 12, "B": 0},
    )  # fmt: skip
    assert (judged["moved"], judged["half_over"], judged["half_loser"]) == (1, True, "A")
