"""The book `jule` (document 000): the Jule, Drei Dicke, aus dem Rohr, closed cups."""

from dataclasses import replace
from typing import Any

import pytest

from rules import Result, figure_of, find_book, is_shown, rank
from rules.judge import answer
from rules.valuation import describe

JULE = find_book("jule")


def asked(kind: str, **given_input: Any) -> dict[str, Any]:
    return answer({"id": "q", "book": "jule", "kind": kind, "input": given_input})


def order(*results: Result) -> str:
    return "".join(result.player for result in rank(JULE, results).order)


def from_hand(player: str, *dice: int, throws: int = 1) -> Result:
    return Result(player, dice, throws, from_hand=True)


def assembled(player: str, *dice: int, throws: int = 2) -> Result:
    return Result(player, dice, throws, from_hand=False)


@pytest.mark.parametrize("name", ["jule", " JULE ", "000", "juleturnier"])
def test_jule_is_found_by_name_and_alias(name: str) -> None:
    assert find_book(name) is JULE


def test_jule_l33_to_l51_the_ladder_from_the_bottom_to_the_top() -> None:
    ladder = [
        (2, 2, 1), (5, 3, 1), (6, 4, 3), (6, 6, 5), (3, 2, 1), (4, 3, 2), (5, 4, 3), (6, 5, 4),
        (2, 1, 1), (2, 2, 2), (6, 6, 6), (3, 1, 1), (6, 1, 1), (4, 2, 1), (1, 1, 1),
    ]  # fmt: skip
    rungs = [figure_of(JULE, dice, from_hand=True).rung for dice in ladder]
    assert rungs == sorted(rungs)
    assert len(set(rungs)) == len(rungs)


@pytest.mark.parametrize(
    ("dice", "name", "deckel"),
    [
        ((1, 1, 1), "Aus", "all"),
        ((4, 2, 1), "Jule", 7),
        ((6, 1, 1), "Max 6", 6),
        ((2, 1, 1), "Max 2", 2),
        ((5, 5, 5), "Drei Dicke 5", 3),
        ((4, 3, 2), "Straße 2-3-4", 2),
        ((6, 6, 5), "Einfacher Wurf 665", 1),
    ],
)
@pytest.mark.parametrize("in_one", [True, False])
def test_jule_l17_l48_every_figure_counts_assembled_too(
    dice: tuple[int, ...], name: str, deckel: object, in_one: bool
) -> None:
    figure = figure_of(JULE, dice, from_hand=in_one)
    assert (figure.name, figure.deckel) == (name, deckel)


def test_jule_l51_drei_dicke_beat_max_zwei_only() -> None:
    assert order(from_hand("A", 2, 1, 1), from_hand("B", 2, 2, 2)) == "BA"
    assert order(from_hand("A", 6, 6, 6), from_hand("B", 3, 1, 1)) == "BA"


def test_jule_l47_l48_throws_then_rohr_then_the_earlier() -> None:
    assert order(assembled("A", 4, 2, 1), from_hand("B", 4, 2, 1, throws=2)) == "BA"
    assert order(from_hand("A", 4, 2, 1, throws=3), assembled("B", 4, 2, 1)) == "BA"
    assert order(from_hand("A", 4, 2, 1, throws=2), from_hand("B", 4, 2, 1, throws=2)) == "AB"
    assert order(assembled("A", 6, 5, 4), from_hand("B", 6, 5, 4, throws=2)) == "BA"


def test_j2_aus_aus_dem_rohr_is_a_rung_of_its_own_only_by_switch() -> None:
    in_three, in_two = from_hand("A", 1, 1, 1, throws=3), assembled("B", 1, 1, 1)
    assert rank(JULE, [in_three, in_two]).winner == "B"
    literal = replace(JULE, key="literal", aus_rohr_top=True)
    assert rank(literal, [in_three, in_two]).winner == "A"


def test_j3_one_throw_rules_are_switches() -> None:
    strict = replace(
        JULE, key="strict", straight_one_throw=True, general_one_throw=True, jule_one_throw=True
    )
    for dice, name in [((4, 2, 1), "421"), ((6, 5, 4), "654"), ((3, 3, 3), "333")]:
        assert figure_of(strict, dice, from_hand=False).name == f"Einfacher Wurf {name}"
        assert figure_of(strict, dice, from_hand=True).deckel != 1


@pytest.mark.parametrize(
    ("dice", "throws", "in_one", "german"),
    [
        ((4, 2, 1), 1, True, "Jule aus dem Rohr"),
        ((6, 5, 4), 2, True, "Straße vier fünf sechs aus dem Rohr im Zweiten"),
        ((6, 6, 6), 3, False, "Drei Dicke Sechs im Dritten"),
        ((6, 1, 1), 2, False, "Max Sechs im Zweiten"),
        ((6, 5, 2), 1, True, "sechs zweiundfünfzig im Ersten"),
    ],
)
def test_jule_results_are_spoken_with_the_words_of_the_book(
    dice: tuple[int, ...], throws: int, in_one: bool, german: str
) -> None:
    assert describe(JULE, Result("A", dice, throws, in_one)).spoken == german


@pytest.mark.parametrize(
    ("limit", "shown"),
    [(1, [False]), (2, [True, False]), (3, [True, True, False])],
)
def test_jule_l15_the_last_throw_of_the_others_stays_covered(limit: int, shown: list[bool]) -> None:
    seen = [is_shown(JULE, role="follower", limit=limit, throw_no=n + 1) for n in range(limit)]
    assert seen == shown
    first = [is_shown(JULE, role="first", limit=None, throw_no=n) for n in (1, 2, 3)]
    assert first == [True, True, False]


def test_jule_l66_second_drop_in_a_half_costs_the_half() -> None:
    first, second = asked("penalty", event="drop_die"), None
    assert (first["drink_round"], first["loses_part"], first["throw"]) == (True, False, "repeat")
    second = asked("penalty", event="drop_die", nth_in_this_half=2)
    assert (second["loses_part"], second["throw"]) == (True, None)
    assert second["rule"] == "000 L66"


def test_jule_l71_too_many_throws_lose_the_round_and_the_others_decide_the_value() -> None:
    assert asked("penalty", event="too_many_throws")["loses_round"] is True
    dice = {"A": [6, 1, 1], "B": [4, 2, 1], "C": [2, 2, 1]}
    results = [{"player": name, "dice": shown, "throws": 1} for name, shown in dice.items()]
    judged = asked("penalty", event="round_lost_by_fault", offender="B", results=results)
    assert (judged["winner"], judged["loser"], judged["deckel"]) == ("A", "B", 6)
    both = asked("penalty", event="round_lost_by_fault", offenders=["B", "A"], results=results)
    assert (both["winner"], both["loser"]) == ("C", "B")


def test_jule_l54_a_round_of_drinks_only_if_all_have_agreed() -> None:
    for agreed in (True, False):
        judged = asked("fee", event="aus_aus_dem_rohr", table_agreed_unanimously=agreed)
        assert judged["drink_round"] is agreed


def test_jule_starts_the_final_with_the_loser_of_half_2() -> None:
    judged = asked("game", players=["A", "B", "C"], half1_loser="C", half2_loser="A")
    assert (judged["half2_starter"], judged["final_starter"]) == ("C", "A")
    swept = asked("game", half1_loser="C", half2_loser="C")
    assert (swept["sweep"], swept["game_loser"]) == ("Durchmarsch", "C")


def test_jule_has_no_doofmann_no_hardcore_round_and_no_champions_league() -> None:
    results = [{"player": "A", "dice": [1, 1, 1]}, {"player": "B", "dice": [1, 1, 1]}]
    named = {"doofmann": "A", "stock": 3, "holdings": {"A": 5, "B": 5}}
    assert "no Doofmanndeckel" in asked("penalty", event="doofmann", **named)["error"]
    settled = {"stock": 13, "holdings": {"A": 0, "B": 0}, "results": results}
    assert "no hardcore rounds" in asked("settle", hardcore=True, **settled)["error"]
    judged = asked(
        "penalty", event="champions_league", wednesday=True, phase="half1", results=results
    )
    assert (judged["champions_league"], judged["fee_eur"]) == (False, 0)
