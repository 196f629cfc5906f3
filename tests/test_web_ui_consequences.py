"""What a ruling changes, told by comparing two states of a match."""

from typing import Any

import pytest
from pipeline_table import Table

from web_ui.consequences import changes, consequence


@pytest.fixture
def table() -> Table:
    """C leads round 1 with 6-6-1, A has 5-4-2 and loses it, B 6-4-3."""
    table = Table()
    table.opening()
    for dice in ((6, 6, 1), (5, 4, 2), (6, 4, 3)):
        table.throw(*dice, clear=True)
    assert table.state["history"][-1]["loser"] == "A"
    return table


def corrected(table: Table, player: str, *dice: int, **more: Any) -> dict[str, Any]:
    thrown = [t for t in table.state["throws"] if t["player"] == player][-1]
    about = {"player": player, "throw_id": thrown["throw_id"], "dice": list(dice), "by": "Ute"}
    return table.pipeline.preview({"type": "correct_throw", **about, "reason": "clip", **more})


def test_another_loser_of_a_round_in_german_and_english(table: Table):
    tried = corrected(table, "A", 6, 5, 3)
    told = consequence(tried, "de")
    assert told["texts"] == [
        "1. Hälfte, Runde 1: B bekommt 1 Deckel.",
        "A: sechs dreiundfünfzig im Ersten statt fünf zweiundvierzig im Ersten.",
        "A: Platz 2 statt 3.",
        "B: Platz 3 statt 2.",
        "A: 0 Deckel statt 1.",
        "B: 1 Deckel statt 0.",
        "1. Hälfte: bleibt offen.",
        "Am Zug ist B statt A.",
    ]
    assert told["players"] == [
        {"name": "A", "before": 1, "after": 0},
        {"name": "B", "before": 0, "after": 1},
        {"name": "C", "before": 1, "after": 1},
    ]
    assert told["stock"] == {"before": 11, "after": 11}
    english = consequence(tried, "en")["texts"]
    assert english[0] == "1st half, Round 1: B gets 1 Deckel."
    assert "A: 0 Deckel instead of 1." in english


def test_a_dearer_throw_takes_more_from_the_stock(table: Table):
    told = consequence(corrected(table, "C", 4, 1, 1), "de")
    assert told["texts"][0] == "1. Hälfte, Runde 1: A bekommt 4 Deckel."
    assert "Stock: 8 Deckel statt 11." in told["texts"]
    assert told["stock"] == {"before": 11, "after": 8}


def test_a_throw_that_changes_no_deckel_is_told_as_it_would_be_called():
    table = Table()
    table.opening()
    table.throw(6, 6, 1, clear=True)
    table.throw(5, 4, 2, clear=True)
    assert consequence(corrected(table, "A", 6, 5, 3), "de")["texts"] == [
        "A: sechs dreiundfünfzig im Ersten statt fünf zweiundvierzig im Ersten."
    ]
    assert consequence(corrected(table, "A", 4, 1, 1), "de")["texts"] == [
        "A: Schock Vier aus der Hand statt fünf zweiundvierzig im Ersten.",
        "A: Platz 1 statt 2.",
        "C: Platz 2 statt 1.",
        "Es geht um 4 Deckel statt 1.",
    ]


def test_what_changes_nothing_says_so(table: Table):
    tried = corrected(table, "B", 6, 5, 1)
    told = consequence({**tried, "after": tried["before"]}, "de")
    assert told["texts"] == ["Am Stand ändert sich nichts."]


def test_a_round_that_does_not_count(table: Table):
    ruling = {"type": "rule_round", "part": "half1", "round": 1, "verdict": "void", "by": "Ute"}
    told = consequence(table.pipeline.preview({**ruling, "reason": "cup fell"}), "de")
    assert told["texts"][0] == "1. Hälfte, Runde 1 zählt nicht."
    assert "A: 0 Deckel statt 1." in told["texts"]


def test_a_game_that_was_lost_is_open_again():
    table = Table("A", "B")
    lost = table.state
    won = {**lost, "game": {**lost["game"], "half1_loser": "A", "game_loser": "A"}}
    assert changes(won, lost, "de") == ["1. Hälfte: wieder offen.", "Das Spiel ist wieder offen."]
    assert changes(lost, won, "de") == ["1. Hälfte: verloren hat A.", "Das Spiel hat A verloren."]


def test_later_moves_that_no_longer_fit_are_counted(table: Table):
    table.throw(6, 6, 4)
    table.by_hand("turn", player="A", count=1)
    thrown = table.state["throws"][-1]
    about = {"player": "A", "throw_id": thrown["throw_id"], "dice": [5, 4, 3], "by": "Ute"}
    action = {"type": "correct_throw", **about, "reason": "clip", "drop_later": True}
    told = consequence(table.pipeline.preview(action), "de")
    assert told["texts"][0] == "1 späterer Zug fällt weg."
