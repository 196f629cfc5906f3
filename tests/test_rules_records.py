"""Actions and events as JSON: read strictly, written without loss; how results are spoken."""

from typing import Any

import pytest

from rules import DiceError, MalformedRecord, Result, ThrowDice, find_book
from rules.actions import ACTION_TYPES, CorrectThrow, TurnSixes, action_from_json
from rules.dice import as_dice, without
from rules.events import EVENT_TYPES, event_from_json
from rules.valuation import describe

TURNIER = find_book("turnier")


def test_action_json_is_flat_and_sorted_highest_first() -> None:
    assert ThrowDice("Anna", (2, 6, 5)).to_json() == {
        "type": "throw", "player": "Anna", "dice": [6, 5, 2], "burns": None,
    }  # fmt: skip


def test_optional_fields_may_be_left_out() -> None:
    read = action_from_json({"type": "throw", "player": "Anna", "dice": [6, 5, 2]})
    assert read == ThrowDice("Anna", (6, 5, 2))


def test_a_burnt_throw_may_have_unreadable_dice() -> None:
    assert ThrowDice("Anna", (), burns="off_mat").dice == ()
    with pytest.raises(DiceError, match="1 to 3 dice"):
        ThrowDice("Anna", ())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("throw", "must be a JSON object"),
        ({}, "unknown action type None"),
        ({"type": ["throw"]}, "unknown action type"),
        ({"type": "throws"}, "known types: abandon, begin_game, correct_throw, cover"),
        ({"type": "throw", "player": "A"}, "lacks the field 'dice'"),
        ({"type": "throw", "player": 1, "dice": [1]}, "'player' must be of type str"),
        ({"type": "throw", "player": "A", "dice": "123"}, "must be a list"),
        ({"type": "throw", "player": "A", "dice": [0]}, "shows 1 to 6"),
        ({"type": "throw", "player": "A", "dice": [1.0]}, "must be of type int"),
        ({"type": "throw", "player": "A", "dice": [True]}, "must be of type int"),
        ({"type": "throw", "player": "A", "dice": [1], "cup": 1}, "has no field 'cup'"),
        ({"type": "throw", "player": "A", "dice": [1], "burns": 3}, "wrong type"),
        ({"type": "turn", "player": "A", "count": 0}, "count of sixes"),
    ],
)
def test_a_malformed_action_is_an_error_that_names_the_field(data: Any, message: str) -> None:
    with pytest.raises(MalformedRecord, match=message):
        action_from_json(data)


def test_a_malformed_event_is_an_error() -> None:
    with pytest.raises(MalformedRecord, match="unknown event type"):
        event_from_json({"type": "throw"})
    with pytest.raises(MalformedRecord, match="must be one of"):
        event_from_json(
            {
                "type": "game_over", "loser": "A", "how": "luck", "sweep": None,
                "half1_loser": "A", "half2_loser": "A", "section": "",
            }
        )  # fmt: skip


def test_types_are_named_as_documented() -> None:
    assert set(ACTION_TYPES) == {
        "throw", "cover", "keep", "return", "turn", "stop", "correct_throw", "take_back",
        "take_deckel", "hand_over", "report_fault", "reenter", "rule_round", "rule_deckel",
        "pause", "resume", "abandon", "begin_game",
    }  # fmt: skip
    assert {"match_started", "thrown", "kept", "turned", "stopped", "limit_set"} <= set(EVENT_TYPES)
    assert action_from_json({"type": "turn", "player": "A"}) == TurnSixes("A", 1)
    correction = CorrectThrow("A", 3, (6, 6, 1), by="R", reason="misread", drop_later=True)
    assert action_from_json(correction.to_json()) == correction


@pytest.mark.parametrize(
    ("dice", "throws", "from_hand", "german", "english"),
    [
        ((6, 5, 2), 2, False, "sechs zweiundfünfzig im Zweiten", "six fifty-two in the second"),
        ((6, 2, 1), 1, True, "sechs einundzwanzig im Ersten", "six twenty-one in the first"),
        ((5, 1, 1), 1, True, "Schock Fünf aus der Hand", "Schock Five from the hand"),
        ((5, 1, 1), 3, False, "Schock Fünf im Dritten", "Schock Five in the third"),
        ((6, 1, 1), 2, True, "Schock Sechs aus der Hand im Zweiten",
         "Schock Six from the hand in the second"),
        ((1, 1, 1), 1, True, "Schock aus aus der Hand", "Schock out from the hand"),
        ((4, 4, 4), 2, True, "General Vier im Zweiten", "General Four in the second"),
        ((6, 5, 4), 1, True, "Straße vier fünf sechs im Ersten",
         "straight four five six in the first"),
    ],
)  # fmt: skip
def test_results_are_spoken_as_at_the_table(
    dice: tuple[int, ...], throws: int, from_hand: bool, german: str, english: str
) -> None:
    described = describe(TURNIER, Result("A", dice, throws, from_hand))
    assert (described.spoken, described.spoken_en) == (german, english)


def test_dice_are_a_multiset() -> None:
    assert as_dice([1, 6, 1]) == (6, 1, 1)
    assert without((6, 6, 1), (6,)) == (6, 1)
    with pytest.raises(DiceError, match="is not among"):
        without((6, 5, 1), (6, 6))
    with pytest.raises(DiceError, match="expected 3 dice"):
        as_dice([6, 5], least=3)
