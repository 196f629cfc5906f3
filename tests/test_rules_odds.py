"""The chances of each choice: by hand, what they have in common, and what is legal."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from odds_play import AIMS, BOOKS, STRICT, TURNIER, WEIGHTS, handled, thrown

from rules import (
    Refused,
    Result,
    RuleBook,
    find_book,
    legality,
)
from rules.dice import ALL_MULTISETS, Dice
from rules.legality import Turn
from rules.odds import Aim, Choice, ChoiceOdds, HiddenThrow, Position, odds
from rules.odds_choices import choices
from rules.odds_table import Table, against, follower
from rules.odds_turns import FALLS, TurnGraph, turn_graph

Earlier = tuple[Result | HiddenThrow, ...]

each_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.key)


def by_text(found: tuple[ChoiceOdds, ...]) -> dict[str, ChoiceOdds]:
    return {item.choice.text_en: item for item in found}


# By hand.


def test_first_player_who_stops_after_one_throw_is_lowest_if_everybody_gets_above_him() -> None:
    """One throw each: 69 of 216 falls are above 652 (24 numbers, 24 Straßen, 5 + 15 + 1)."""
    found = odds(Position(turn=thrown(TURNIER, (6, 5, 2)), to_come=3))
    stop = by_text(found)["let it stand"]
    assert stop.lowest == Fraction(69, 216) ** 3
    assert stop.highest == Fraction(147, 216) ** 3
    assert found[0] == stop


def test_k3_a_tie_goes_to_the_earlier_player() -> None:
    for dice, lowest in (((6, 5, 2), 1), ((6, 5, 3), 0)):
        position = Position(
            turn=thrown(TURNIER, dice, limit=1), earlier=(Result("A", (6, 5, 2), 1, True),)
        )
        (only,) = odds(position)
        assert (only.choice.kind, only.lowest, only.highest) == ("stop", lowest, 1 - lowest)


def test_x1_turning_a_six_is_the_way_to_beat_schock_6() -> None:
    """With 1-1 outside one die in six makes Schock aus; three fresh dice do so once in 216."""
    position = Position(
        turn=thrown(TURNIER, (6, 6, 1), limit=2), earlier=(Result("A", (6, 1, 1), 2, True),)
    )
    found = odds(position)
    assert found[0].choice == Choice(kind="throw", turned=1, put_out=(1,), outside=(1, 1))
    assert found[0].highest == Fraction(1, 6)
    assert by_text(found)["throw all three dice"].highest == Fraction(1, 216)
    assert by_text(found)["put out 1, throw two dice"].highest == Fraction(1, 36)
    assert by_text(found)["let it stand"].highest == 0


def test_k1_k2_throws_and_hand_decide_where_the_book_says_so() -> None:
    """Schock 6 against Schock 6: fewer throws win; at equal throws the hand, if it counts."""
    mine = thrown(STRICT, (6, 1, 1), limit=2, throws=2)
    for earlier, lowest in (
        (Result("A", (6, 1, 1), 2, False), 0),
        (Result("A", (6, 1, 1), 2, True), 1),
        (Result("A", (6, 1, 1), 1, True), 1),
    ):
        assert odds(Position(turn=mine, earlier=(earlier,)))[0].lowest == lowest
    assembled = Result("A", (6, 1, 1), 2, False)
    same_in_turnier = thrown(TURNIER, (6, 1, 1), limit=2, throws=2)
    assert odds(Position(turn=same_in_turnier, earlier=(assembled,)))[0].lowest == 1


def test_a_covered_earlier_throw_counts_with_each_fall_of_the_hidden_dice() -> None:
    """1-1 and a hidden die in three: above Schock 3 in one are 1, 4, 5 and 6."""
    hidden = HiddenThrow((1, 1), 3)
    position = Position(turn=thrown(TURNIER, (3, 1, 1), limit=3), earlier=(hidden,))
    stop = by_text(odds(position))["let it stand"]
    assert (stop.lowest, stop.highest) == (Fraction(4, 6), Fraction(2, 6))


def test_two_covered_throws_are_independent() -> None:
    earlier = (HiddenThrow((1, 1), 3), HiddenThrow((1, 1), 3))
    position = Position(turn=thrown(TURNIER, (3, 1, 1), limit=3), earlier=earlier)
    stop = by_text(odds(position))["let it stand"]
    assert (stop.lowest, stop.highest) == (Fraction(16, 36), Fraction(4, 36))


def test_t2_those_to_come_have_as_many_throws_as_the_first_player_used() -> None:
    """Above Straße 4-5-6 in one are 21 falls (5 Generals, 15 Schocks, Schock aus)."""
    chances = []
    for throws in (1, 2, 3):
        position = Position(turn=thrown(TURNIER, (6, 5, 4), throws=throws), to_come=1)
        chances.append(by_text(odds(position))["let it stand"].lowest)
    assert chances[0] == Fraction(21, 216)
    # A third throw is covered: they do not know what to beat, and do it a little less often.
    assert chances[0] < chances[2] < chances[1]


def test_nothing_is_to_choose_after_the_last_throw_and_before_the_first() -> None:
    earlier = (Result("A", (6, 5, 2), 2, False),)
    last = Position(turn=thrown(TURNIER, (6, 6, 1), limit=2, throws=2), earlier=earlier)
    assert [item.choice.kind for item in odds(last)] == ["stop"]
    before = Position(turn=Turn(book=TURNIER, player="me", limit=2), earlier=earlier)
    (only,) = odds(before)
    assert only.choice == Choice(kind="throw")
    mean = sum(
        WEIGHTS[dice] * odds(replace(before, turn=thrown(TURNIER, dice, limit=2)))[0].lowest
        for dice in ALL_MULTISETS
    )
    assert only.lowest == Fraction(mean, FALLS)


# What all chances have in common.


@each_book
def test_all_falls_and_all_results_of_a_turn_add_up(book: RuleBook) -> None:
    graph = turn_graph(book)
    assert all(sum(weights) == FALLS for weights in graph.weights)
    for table in (Table(), Table(3, 40), Table(hidden=(HiddenThrow((1,), 3),))):
        others = against(book, table)
        assert max(others.above) <= others.total >= max(others.below)
        for limit in range(1, book.max_throws + 1):
            one = follower(book, table, limit)
            assert all(a + b == one.total for a, b in zip(one.above, one.below, strict=True))
            assert one.above[-1] == 0
            assert one.total == FALLS**limit


@each_book
@pytest.mark.parametrize("aim", AIMS)
def test_of_two_players_exactly_one_is_lowest(book: RuleBook, aim: Aim) -> None:
    """Lowest and highest are counted apart; for two players they must add up to 1."""
    for dice in ALL_MULTISETS[::5]:
        for position in (
            Position(turn=thrown(book, dice), to_come=1),
            Position(turn=thrown(book, dice, limit=3), earlier=(HiddenThrow((1,), 3),)),
        ):
            for item in odds(position, aim=aim):
                assert item.lowest + item.highest == 1
                assert item.p_between == 0


@each_book
def test_chances_are_chances_and_the_best_comes_first(book: RuleBook) -> None:
    earlier = (Result("A", (6, 5, 2), 3, False), HiddenThrow((1,), 2))
    for dice in ALL_MULTISETS[::7]:
        position = Position(turn=thrown(book, dice, limit=3), earlier=earlier, to_come=2)
        careful, bold = (odds(position, aim=aim) for aim in AIMS)
        for found in (careful, bold):
            assert all(min(i.lowest, i.highest, 1 - i.lowest - i.highest) >= 0 for i in found)
        assert careful[0].lowest == min(item.lowest for item in (*careful, *bold))
        assert bold[0].highest == max(item.highest for item in (*careful, *bold))
        assert {i.choice for i in careful} == {i.choice for i in bold}


# What is legal.


@each_book
def test_every_legal_choice_is_listed_once_and_each_listed_is_legal(book: RuleBook) -> None:
    graph = turn_graph(book)
    for outside, fallen in every_throw(graph):
        for throws, limit in ((2, 3), (3, 3)):
            turn = thrown(book, fallen, limit=limit, throws=throws, outside=outside)
            listed = choices(turn)
            ways = [choice.outside for choice in listed if choice.kind == "throw"]
            assert len(set(ways)) == len(ways)
            assert set(ways) == outsides_by_trying(turn)
            assert [c.kind for c in listed].count("stop") == 1
            for choice in listed:
                after = handled(turn, choice)
                assert after.outside == choice.outside
                check = legality.verify_stop if choice.kind == "stop" else legality.verify_throw
                check(after)


@each_book
def test_the_graph_holds_for_every_throw_and_limit(book: RuleBook) -> None:
    graph = turn_graph(book)
    for outside, fallen in every_throw(graph):
        at = graph.outsides.index(outside)
        nexts = graph.nexts[at][graph.falls[at].index(fallen)]
        known = {graph.outsides[o] for o in nexts}
        for throws, limit in ((1, 2), (1, 3), (2, 3)):
            turn = thrown(book, fallen, limit=limit, throws=throws, outside=outside)
            found = {c.outside for c in choices(turn) if c.kind == "throw"}
            assert found == known


def test_x9_after_turning_only_throws_are_left() -> None:
    turn = legality.turn_sixes(thrown(TURNIER, (6, 6, 5), limit=2), 1)
    assert [c.text_en for c in choices(turn)] == ["throw two dice"]
    position = Position(turn=turn, earlier=(Result("A", (6, 5, 2), 2, False),))
    before = Position(turn=thrown(TURNIER, (6, 6, 5), limit=2), earlier=position.earlier)
    way = by_text(odds(before))["turn one six to a 1, throw two dice"]
    assert odds(position)[0].lowest == way.lowest


def test_p2_only_where_the_book_says_so_dice_come_back() -> None:
    for key, back in (("turnier", False), ("allgemein", True)):
        turn = thrown(find_book(key), (4, 2), limit=3, throws=2, outside=(5,))
        assert any(choice.taken_back for choice in choices(turn)) is back


# Helpers.


def every_throw(graph: TurnGraph) -> Iterator[tuple[Dice, Dice]]:
    for outside, falls in zip(graph.outsides, graph.falls, strict=True):
        for fallen in falls:
            yield outside, fallen


def outsides_by_trying(turn: Turn) -> set[Dice]:
    """Everything that can lie outside at the next throw, by doing whatever is not refused."""
    waiting, tried, found = [turn], set(), set()
    while waiting:
        now = waiting.pop()
        key = (now.outside, now.lying, now.turned_now, *(n in now.kept_now for n in range(1, 7)))
        if key in tried:
            continue
        tried.add(key)
        if allowed(lambda now=now: legality.verify_throw(now)):
            found.add(now.outside)
        steps = [
            *((legality.keep, (die,)) for die in set(now.lying)),
            *((legality.take_back_dice, (die,)) for die in set(now.outside)),
            *((legality.turn_sixes, count) for count in (1, 2) if now.lying.count(6) >= count),
        ]
        for step, what in steps:
            if allowed(lambda step=step, now=now, what=what: step(now, what)):
                waiting.append(step(now, what))
    return found


def allowed(check: Callable[[], object]) -> bool:
    try:
        check()
    except Refused:
        return False
    return True
