"""What is called out, to which sound, and that nothing is told twice."""

from typing import Any

from test_web_ui_table import Table

from rules.actions import StopTurn, ThrowDice
from web_ui.calls import calls_of
from web_ui.projection import Projection


def calls(table: Table, lang: str = "de") -> list[dict[str, Any]]:
    return calls_of(Projection(table.log, log_lines=60).board(), lang)


def texts(table: Table, lang: str = "de") -> list[str]:
    return [call["text"] for call in calls(table, lang)]


def test_results_and_deckel_are_called_in_the_order_they_came():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (4, 1, 1)), StopTurn("Cem"))
    said = texts(table)
    assert "Cem bekommt 1 Deckel vom Stock." in said
    assert said[-1] == "Cem: Schock Vier aus der Hand"
    assert texts(table, "en")[-1] == "Cem, Schock Four from the hand"
    seqs = [call["seq"] for call in calls(table)]
    assert seqs == sorted(seqs)
    assert [call["sound"] for call in calls(table)][-1] == "result"


def test_a_schock_aus_is_celebrated_by_name_and_a_covered_one_is_kept_secret():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (1, 1, 1)))
    last = calls(table)[-1]
    assert (last["sound"], last["celebrate"]) == ("schock_aus", "Cem")
    assert last["text"] == "Schock aus von Cem!"
    (thrown,) = [e for e in table.log.read(0) if e.data.get("category") == "schock_aus"]
    table.log.append("thrown", {**thrown.data, "shown": False, "throw_id": 99})
    assert calls(table)[-1] == last


def test_a_throw_alone_is_not_called_out():
    table = Table()
    table.play_opening()
    before = texts(table)
    table.do(ThrowDice("Cem", (6, 4, 3)))
    assert texts(table) == before


def test_the_same_told_again_has_the_same_key_and_another_result_another():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (4, 1, 1)), StopTurn("Cem"))
    table.submit({"type": "take_back", "by": "Ute"})
    table.do(StopTurn("Cem"))
    first, again = [call for call in calls(table) if call["text"].startswith("Cem: ")]
    assert first["seq"] < again["seq"]
    assert first["key"] == again["key"]
    table.submit({"type": "take_back", "by": "Ute"})
    table.do(ThrowDice("Cem", (6, 6, 6)), StopTurn("Cem"))
    assert calls(table)[-1]["key"] != first["key"]


def test_a_correction_is_told_and_does_not_tell_the_results_again():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 5, 2)), StopTurn("Cem"))
    before = calls(table)
    correction = {"type": "correct_throw", "player": "Cem", "throw_id": 4, "by": "Ute"}
    table.submit(correction | {"dice": [6, 6, 2]})
    new = calls(table)[len(before) :]
    told = "Ute berichtigt den Wurf von Cem: statt 6-5-2 liegt da"
    assert [call["text"] for call in new] == [told]


def test_the_next_game_may_tell_what_the_last_one_told():
    table = Table()
    table.play_opening()
    first = calls(table)
    table.begin(table.match.players)
    table.play_opening()
    keys = [call["key"] for call in calls(table)]
    assert len(keys) == 2 * len(first)
    assert len(set(keys)) == len(keys)
    assert [call["key"] for call in first] == keys[: len(first)], "the old ones keep theirs"
