"""The ladder and the tie-breaks: a strict total order over all results."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import MalformedRecord, Result, figure_of, find_book, rank, value_of
from rules.dice import ALL_MULTISETS
from rules.ranking import sort_key

TURNIER = find_book("turnier")


def a_result(
    player: str, dice: tuple[int, ...], throws: int = 1, hand: bool | None = None
) -> Result:
    return Result(player, dice, throws, throws == 1 if hand is None else hand)


@st.composite
def results(draw: st.DrawFn, least: int = 2, most: int = 6) -> list[Result]:
    count = draw(st.integers(least, most))
    made = []
    for index in range(count):
        throws = draw(st.integers(1, 3))
        dice = draw(st.sampled_from(ALL_MULTISETS))
        hand = True if throws == 1 else draw(st.booleans())
        made.append(Result(f"P{index}", dice, throws, hand))
    return made


def test_there_are_56_multisets() -> None:
    assert len(ALL_MULTISETS) == 56
    expected = {tuple(sorted(c)) for c in combinations_with_replacement(range(1, 7), 3)}
    assert {tuple(sorted(dice)) for dice in ALL_MULTISETS} == expected


def test_turnier_figures_of_one_throw_count_1_5_5_4_41() -> None:
    counts: dict[str, int] = {}
    for dice in ALL_MULTISETS:
        category = figure_of(TURNIER, dice, from_hand=True).category
        counts[category] = counts.get(category, 0) + 1
    assert counts == {"schock_aus": 1, "schock": 5, "general": 5, "strasse": 4, "hausnummer": 41}


def test_turnier_ladder_from_top_to_bottom() -> None:
    ladder = [
        (1, 1, 1), (6, 1, 1), (5, 1, 1), (4, 1, 1), (3, 1, 1),
        (6, 6, 6), (5, 5, 5), (4, 4, 4), (3, 3, 3), (2, 2, 2),
        (2, 1, 1), (6, 5, 4), (5, 4, 3), (4, 3, 2), (3, 2, 1), (6, 6, 5), (2, 2, 1),
    ]  # fmt: skip
    rungs = [figure_of(TURNIER, dice, from_hand=True).rung for dice in ladder]
    assert rungs == sorted(rungs, reverse=True)
    assert len(set(rungs)) == len(rungs)
    assert rungs[0] == max(rungs)


def test_turnier_l10_l12_assembled_straight_and_general_are_hundreds() -> None:
    for dice, name in [((6, 5, 4), "100er 654"), ((4, 4, 4), "100er 444")]:
        figure = value_of(TURNIER, a_result("A", dice, throws=2, hand=False))
        assert (figure.category, figure.name, figure.deckel) == ("hausnummer", name, 1)


def test_turnier_l15_assembled_schock_keeps_its_rung() -> None:
    thrown = figure_of(TURNIER, (6, 1, 1), from_hand=True)
    assert thrown == figure_of(TURNIER, (6, 1, 1), from_hand=False)


def test_turnier_l50_fewer_throws_win_then_the_earlier_thrower() -> None:
    later_but_fewer = [a_result("A", (6, 5, 2), 3, True), a_result("B", (6, 5, 2), 2, True)]
    assert rank(TURNIER, later_but_fewer).winner == "B"
    equal = [a_result("A", (6, 5, 2), 2, False), a_result("B", (6, 5, 2), 2, True)]
    assert rank(TURNIER, equal).winner == "A"
    assert "tie_break" in rank(TURNIER, equal).topics


@given(results())
def test_ranking_is_a_strict_total_order(made: list[Result]) -> None:
    keys = [sort_key(TURNIER, result, index) for index, result in enumerate(made)]
    assert len(set(keys)) == len(keys)
    ranking = rank(TURNIER, made)
    assert sorted(r.player for r in ranking.order) == sorted(r.player for r in made)
    places = [made.index(result) for result in ranking.order]
    ordered = [keys[at] for at in places]
    assert ordered == sorted(ordered, reverse=True)


@given(results(least=3, most=3))
def test_comparison_of_two_does_not_depend_on_a_third(made: list[Result]) -> None:
    order = [r.player for r in rank(TURNIER, made).order]
    pair = [r.player for r in rank(TURNIER, made[:2]).order]
    assert [player for player in order if player in pair] == pair


@given(results())
def test_value_of_the_round_is_that_of_the_winner(made: list[Result]) -> None:
    ranking = rank(TURNIER, made)
    assert ranking.deckel == value_of(TURNIER, ranking.order[0]).deckel


def test_one_throw_cannot_be_assembled() -> None:
    with pytest.raises(MalformedRecord, match="one throw is always from the hand"):
        Result("A", (6, 5, 2), 1, False)


def test_a_player_may_not_be_ranked_twice() -> None:
    with pytest.raises(MalformedRecord, match="each player once"):
        rank(TURNIER, [a_result("A", (6, 5, 2)), a_result("A", (6, 5, 3))])
