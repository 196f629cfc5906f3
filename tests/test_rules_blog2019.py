"""The book `blog2019` (document 002): Königswurf, Pasch, Ausscheidung, voluntary taking."""

from dataclasses import replace
from typing import Any

import pytest

from rules import Result, figure_of, find_book, is_shown, rank
from rules.judge import answer
from rules.opening import add_throw, new_opening, outcome, rethrow

BLOG = find_book("blog2019")


def asked(kind: str, **given_input: Any) -> dict[str, Any]:
    return answer({"id": "q", "book": "blog2019", "kind": kind, "input": given_input})


def aus(player: str, *, throws: int, from_hand: bool) -> Result:
    return Result(player, (1, 1, 1), throws, from_hand)


def order(*results: Result) -> str:
    return "".join(result.player for result in rank(BLOG, results).order)


@pytest.mark.parametrize("name", ["blog2019", "002", "Blog", "November 2019"])
def test_blog2019_is_found_by_name_and_alias(name: str) -> None:
    assert find_book(name) is BLOG


def test_blog2019_l164_l356_koenigswurf_beats_the_assembled_schock_aus_in_the_third() -> None:
    together, king = aus("A", throws=3, from_hand=False), aus("D", throws=3, from_hand=True)
    assert order(together, king) == "DA"
    assert order(replace(together, player="D"), replace(king, player="A")) == "AD"


def test_b4_koenigswurf_is_for_schock_aus_in_the_third_only() -> None:
    in_two = [aus("A", throws=2, from_hand=False), aus("B", throws=2, from_hand=True)]
    assert order(*in_two) == "AB"
    anyhow = replace(BLOG, key="anyhow", koenigswurf_any_count=True)
    assert rank(anyhow, in_two).winner == "B"
    assert order(aus("A", throws=3, from_hand=True), aus("B", throws=2, from_hand=False)) == "BA"
    sixes = [Result("A", (6, 1, 1), 3, False), Result("B", (6, 1, 1), 3, True)]
    assert order(*sixes) == "AB"


def test_blog2019_l289_a_pasch_beats_schock_2_alone() -> None:
    pasch = figure_of(BLOG, (2, 2, 2), from_hand=True)
    assert (pasch.name, pasch.deckel) == ("Pasch 2", 3)
    schocks = [figure_of(BLOG, (n, 1, 1), from_hand=True).rung for n in (2, 3)]
    assert schocks[0] < pasch.rung < figure_of(BLOG, (6, 6, 6), from_hand=True).rung < schocks[1]


@pytest.mark.parametrize("dice", [(6, 5, 4), (3, 2, 1), (4, 4, 4)])
def test_blog2019_l249_l256_zugeworfen_counts_as_hausnummer(dice: tuple[int, ...]) -> None:
    together = figure_of(BLOG, dice, from_hand=False)
    assert (together.category, together.deckel) == ("hausnummer", 1)
    assert figure_of(BLOG, dice, from_hand=True).deckel > 1  # type: ignore[operator]


def test_blog2019_l118_l120_second_and_third_throw_of_the_others_stay_closed() -> None:
    shown = {
        (limit, n): is_shown(BLOG, role="follower", limit=limit, throw_no=n)
        for limit in (1, 2, 3)
        for n in range(1, limit + 1)
    }
    assert [key for key, value in shown.items() if not value] == [(2, 2), (3, 3)]


def test_blog2019_l84_l86_three_ones_in_the_ausscheidung_give_the_half_away() -> None:
    rolls = [{"A": [6, 5, 2], "B": [2, 2, 1], "C": [2, 2, 1]}, {"B": [1, 1, 1], "C": [2, 2, 1]}]
    judged = asked("start", method="three_dice", rolls=rolls)
    assert (judged["loser"], judged["deckel"], judged["half_loser"]) == ("C", "all", "C")
    assert (judged["half_over"], judged["next_starter"]) == (True, "C")


def test_b2_value_of_the_rethrow_only_is_a_switch() -> None:
    strict = replace(BLOG, key="strict", start_value_scope="rethrow_only")
    deckel = {}
    for book in (BLOG, strict):
        opening = new_opening(book, ("A", "B", "C"))
        for player, dice in [("A", (5, 1, 1)), ("B", (2, 2, 1)), ("C", (2, 2, 1))]:
            opening = add_throw(opening, player, dice)
        opening = rethrow(opening, outcome(opening).tied)
        opening = add_throw(add_throw(opening, "B", (6, 5, 3)), "C", (5, 3, 2))
        deckel[book.key] = outcome(opening).deckel
    assert deckel == {"blog2019": 5, "strict": 1}


def test_blog2019_l190_loser_of_half_1_names_who_leads_half_2() -> None:
    named = asked("game", players=["A", "B", "C"], half1_loser="B", half2_starter_chosen="C")
    assert named["half2_starter"] == "C"
    assert asked("game", half1_loser="B")["half2_starter"] == "B"
    strange = asked("game", players=["A", "B"], half1_loser="B", half2_starter_chosen="X")
    assert "'X' is none of the players" in strange["error"]
    elsewhere = {"id": 1, "book": "turnier", "kind": "game"}
    judged = answer({**elsewhere, "input": {"half1_loser": "B", "half2_starter_chosen": "C"}})
    assert "may not choose 'C'" in judged["error"]


def test_blog2019_l143_l146_taking_deckel_voluntarily() -> None:
    covered = {"event": "voluntary_take", "player": "B", "own_throw_covered": True}
    judged = asked("penalty", **covered, own_dice_outside=0, highest_value=3)
    assert (judged["allowed"], judged["deckel"], judged["next_starter"]) == (True, 3, "B")
    assert judged["next_throw_no"] == 1
    little = asked("penalty", **covered, own_dice_outside=0, highest_value=3, stock=2)
    assert little["deckel"] == 2


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"own_throw_covered": False}, "throw_not_covered"),
        ({"own_dice_outside": 2}, "dice_outside"),
        ({"stock": 0}, "stock_empty"),
        ({"role": "first"}, "nothing_to_take"),
    ],
)
def test_b10_when_taking_is_not_allowed(changed: dict[str, Any], reason: str) -> None:
    given_input = {"own_throw_covered": True, "own_dice_outside": 0, "highest_value": 3}
    judged = asked("penalty", event="voluntary_take", player="B", **{**given_input, **changed})
    assert (judged["allowed"], judged["reason"]) == (False, reason)
    source = "; 002 L143, in the chapter Aufnehmen (interpretation)"
    assert judged["rule"] == "002 L143-146" + (source if reason == "stock_empty" else "")


@pytest.mark.parametrize("event", ["vorwerfen", "pack_early", "too_many_throws"])
def test_blog2019_l116_l127_faults_that_lose_the_round(event: str) -> None:
    assert asked("penalty", event=event)["loses_round"] is True


def test_blog2019_l112_spinksen_is_taboo_without_a_sanction() -> None:
    judged = asked("penalty", event="spinksen")
    assert (judged["allowed"], judged["sanction"], judged["rule"]) == (False, None, "002 L112-114")
