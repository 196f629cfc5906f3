"""The position of a match, covered cups, what does not fit, and what a choice says."""

from dataclasses import replace

import pytest
from odds_play import TURNIER, WEIGHTS, thrown
from rules_play import opened, played

from rules import (
    CoverThrow,
    KeepDice,
    MalformedRecord,
    Result,
    ReturnDice,
    StopTurn,
    ThrowDice,
    TurnSixes,
    legality,
)
from rules.dice import ALL_MULTISETS
from rules.odds import Choice, HiddenThrow, Position, odds, position_of
from rules.odds_turns import FALLS

Earlier = tuple[Result | HiddenThrow, ...]


def test_the_position_of_a_match() -> None:
    match = opened()
    assert position_of(match.state).to_come == 2
    c_throws = [ThrowDice("C", (6, 5, 1)), KeepDice("C", (1,)), CoverThrow("C"), StopTurn("C")]
    match, _ = played(match, *c_throws, ThrowDice("A", (6, 6, 2)))
    position = position_of(match.state)
    assert position.earlier == (HiddenThrow((1,), 2),)
    assert (position.turn.limit, position.to_come) == (2, 1)
    best = odds(position)[0].choice
    for action in best.actions("A"):
        match, _ = match.do(action)


def test_a_covered_throw_can_be_lifted_or_left() -> None:
    match, _ = played(opened(), CoverThrow("C"))
    position = position_of(match.state)
    found = {item.choice.kind: item for item in odds(position)}
    assert set(found) == {"lift", "stop"}
    lifted = [
        (WEIGHTS[dice], odds(replace(position, turn=legality.throw(position.turn, dice)))[0])
        for dice in ALL_MULTISETS
    ]
    assert found["lift"].lowest == sum(n * item.lowest for n, item in lifted) / FALLS


@pytest.mark.parametrize(
    ("limit", "earlier", "message"),
    [
        (None, (Result("A", (6, 5, 2), 2, False),), "no limit yet"),
        (2, (Result("A", (6, 5, 2), 3, False),), "1 to 2 throws"),
        (3, (HiddenThrow((6, 6, 6), 3),), "nobody can have left"),
        (3, (HiddenThrow((6,), 1),), "nobody can have left"),
    ],
)
def test_a_position_that_cannot_be_is_refused(
    limit: int | None, earlier: Earlier, message: str
) -> None:
    with pytest.raises(MalformedRecord, match=message):
        Position(turn=thrown(TURNIER, (6, 5, 2), limit=limit), earlier=earlier)


def test_there_are_no_odds_in_an_opening() -> None:
    with pytest.raises(MalformedRecord, match="no turn"):
        position_of(replace(opened().state, turn=None))


@pytest.mark.parametrize(
    ("choice", "text_de"),
    [
        (Choice(kind="stop"), "stehen lassen"),
        (Choice(kind="lift"), "den Becher heben"),
        (
            Choice(kind="throw", turned=1, put_out=(1,), outside=(1, 1)),
            "eine Sechs zur Eins drehen, 1 rauslegen, mit einem Würfel werfen",
        ),
        (
            Choice(kind="throw", put_out=(1,), taken_back=(5,), outside=(1,)),
            "1 rauslegen, 5 zurücknehmen, mit zwei Würfeln werfen",
        ),
    ],
)
def test_a_choice_says_what_it_is(choice: Choice, text_de: str) -> None:
    assert choice.text_de == text_de
    names = [type(action) for action in choice.actions("me")]
    order = [TurnSixes, KeepDice, ReturnDice, StopTurn]
    assert names == sorted(names, key=order.index)
