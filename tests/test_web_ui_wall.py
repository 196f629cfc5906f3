"""The facts on the wall screen, for every number of players, with names of all kinds."""

import random
import time
from typing import Any

import pytest
from test_web_ui_table import Table
from web_ui_scenes import LONG_NAMES, NAMES, evening, mid_round, names, step

from rules.actions import KeepDice, StopTurn, ThrowDice
from web_ui.projection import Projection
from web_ui.wall import RESTS_AFTER_S, name_fit, present_wall

NOON_S = time.mktime((2026, 10, 7, 12, 0, 0, 0, 0, -1))
"""Far from six in the morning, where an evening ends."""


def wall_of(table: Table, lang: str = "de", *, later_s: float = 5.0) -> dict[str, Any]:
    board = Projection(table.log, log_lines=40).board()
    return present_wall(board, lang, board.at_s + later_s)


def cups(view: dict[str, Any]) -> dict[str, str]:
    return {player["name"]: player["cup"] for player in view["players"]}


@pytest.mark.parametrize("count", range(2, 11))
def test_for_every_number_of_players_the_board_is_whole(count: int):
    table = Table(names(count, long=count % 2 == 0))
    mid_round(table)
    view = wall_of(table)
    assert view["mode"] == "play"
    assert [player["name"] for player in view["players"]] == list(table.match.players)
    assert [p["name"] for p in view["players"] if p["turn"]] == [table.match.current_player]
    held = {player["name"]: player["deckel"] for player in view["players"]}
    assert held == dict(table.match.holdings)
    assert sum(held.values()) + view["stock"] == view["total"] == 13
    marked = [p["name"] for p in view["players"] for b in p["badges"] if b["kind"] == "half1"]
    assert marked == [table.match.state.half1_loser]
    assert cups(view)[str(table.match.current_player)] == "turn"


def test_after_the_opening_twelve_of_thirteen_discs_lie_in_the_stock():
    table = Table()
    table.play_opening()
    view = wall_of(table)
    assert (view["stock"], view["total"]) == (12, 13)
    assert [player["deckel"] for player in view["players"]] == [0, 0, 1]


def test_cups_are_open_covered_in_the_hand_or_waiting():
    table = Table(names(6))
    mid_round(table)
    order = list(table.match.state.order)
    found = cups(wall_of(table))
    assert [found[name] for name in order[:4]] == ["open", "open", "covered", "turn"]
    assert {found[name] for name in order[4:]} == {"waits"}
    (second,) = [p for p in wall_of(table)["players"] if p["name"] == order[1]]
    assert second["dice"] == (4, 1, 1)
    (third,) = [p for p in wall_of(table)["players"] if p["name"] == order[2]]
    assert third["dice"] == (), "what lies under a cup stays there"


def test_throws_used_and_the_limit_are_told():
    table = Table(names(4))
    mid_round(table)
    turn = wall_of(table)["turn"]
    assert turn["throws_short"] == "1 von 2"
    assert turn["pips"] == ["used", "free"]
    assert (turn["inside"], turn["outside"]) == ((6, 4), (1,))


@pytest.mark.parametrize(
    ("lang", "top", "bottom"),
    [
        ("de", "Schock Vier aus der Hand", "fünf vierundvierzig im Zweiten"),
        ("en", "Schock Four from the hand", "five forty-four in the second"),
    ],
)
def test_the_highest_and_the_lowest_are_named_as_players_say_them(lang: str, top: str, bottom: str):
    table = Table(names(6))
    mid_round(table)
    ends = wall_of(table, lang)["ends"]
    assert [(row["role"], row["spoken"]) for row in ends] == [("top", top), ("bottom", bottom)]
    assert ends[0]["worth"] == 4


def test_one_result_is_the_top_and_no_bottom():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 5, 2)), StopTurn("Cem"))
    assert [row["role"] for row in wall_of(table)["ends"]] == ["top"]


def test_who_is_out_holds_no_cup():
    table = Table(names(5))
    mid_round(table, part="final", round=2)
    found = cups(wall_of(table))
    playing = set(table.match.state.members)
    assert {name for name, cup in found.items() if cup == "out"} == set(names(5)) - playing
    assert [step["state"] for step in wall_of(table)["steps"]][-1] == "now"


def test_rounds_are_those_of_this_part_newest_first():
    table = Table()
    table.play_opening()
    assert [r["label"] for r in wall_of(table)["rounds"]] == ["Eröffnung"]
    table.play_round()
    newest = wall_of(table)["rounds"][0]
    assert newest["label"] == "Runde 1"
    assert (newest["loser"], newest["moved"]) == ("Ben", "+4")
    assert newest["by"] == "Cem, Schock Vier"
    table = Table(names(4))
    mid_round(table, part="half2", round=3)
    assert [r["label"] for r in wall_of(table)["rounds"]] == ["Runde 2", "Runde 1"]


def test_a_question_a_case_and_a_fault_are_said_in_one_line_each():
    table = Table()
    table.play_opening()
    assert wall_of(table)["notices"] == []
    table.ask("q1")
    (notice,) = wall_of(table)["notices"]
    assert notice == {"kind": "ask", "text": "Der Tisch wird gefragt: Was liegt bei Cem?"}
    case = {"case_id": "c1", "player": "Ben", "round": 1, "text_de": "Ben hat gemogelt."}
    table.log.append("case.opened", case | {"text_en": "Ben has cheated."})
    table.log.append("fault", {"what": "camera", "text_de": "Kamera weg.", "text_en": "Gone."})
    notices = wall_of(table)["notices"]
    assert [n["kind"] for n in notices] == ["fault", "ask", "ask"]
    assert notices[0]["text"] == "Störung: Kamera weg."
    assert notices[2]["text"] == "Der Schiedsrichter wird gefragt: Ben hat gemogelt."
    table.ask("q2")
    table.ask("q3")
    assert wall_of(table)["notices"][-1]["more"] == "und noch 2"


def test_before_a_game_and_after_one_nobody_plays():
    empty = Table()
    empty.log = type(empty.log)()
    assert wall_of(empty)["mode"] == "idle"
    assert wall_of(empty)["resting"] == ""
    table = Table(names(6), start_s=NOON_S)
    evening(table, games=2)
    view = wall_of(table)
    assert view["mode"] == "over"
    assert view["verdict"]["name"] == table.match.state.game_loser
    leaders = {row["player"]: row["lost"] for row in view["evening"]["rows"]}
    assert sum(leaders.values()) == 2
    assert view["evening"]["games_text"] == "2 Spiele"


def test_a_table_that_was_left_alone_rests_and_wakes_with_the_next_entry():
    table = Table(start_s=NOON_S)
    table.play_opening()
    assert wall_of(table, later_s=RESTS_AFTER_S - 1)["mode"] == "play"
    view = wall_of(table, later_s=RESTS_AFTER_S + 1)
    assert view["mode"] == "idle"
    assert "Cem ist am Zug" in view["resting"]
    assert wall_of(table, later_s=24 * 3600)["evening"]["title"] == "Der letzte Abend"
    assert wall_of(table)["evening"]["title"] == "Heute Abend"


def test_the_losers_of_the_evening_are_named_while_the_next_game_is_played():
    table = Table(names(3), start_s=NOON_S)
    evening(table, games=1)
    loser = table.match.state.game_loser
    table.begin(names(3))
    assert wall_of(table)["evening"]["losers"] == f"Heute verloren: {loser} 1"


@pytest.mark.parametrize(
    ("name", "fit"),
    [
        ("Anna", "short"),
        ("Friederike", "middle"),
        ("Maximiliane Meier", "long"),
        (LONG_NAMES[0], "longest"),
        ("日本語の名前", "middle"),
        ("", "short"),
    ],
)
def test_the_longer_a_name_the_smaller_its_type(name: str, fit: str):
    assert name_fit(name) == fit


def test_the_long_names_are_as_long_as_the_tests_say():
    assert {len(name) for name in LONG_NAMES} == {32}
    assert len(set(LONG_NAMES)) == len(LONG_NAMES) == len(NAMES) == 10


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("count", [2, 10])
def test_every_moment_of_a_game_can_be_shown(lang: str, count: int):
    table, chance = Table(names(count)), random.Random(count)
    projection = Projection(table.log, log_lines=40)
    while not table.match.is_over:
        step(table, chance)
        board = projection.board()
        view = present_wall(board, lang, board.at_s)
        assert len(view["players"]) == count
        assert {player["cup"] for player in view["players"]} <= {
            "open", "covered", "turn", "waits", "out",
        }  # fmt: skip


def test_a_covered_throw_of_the_turn_shows_the_cup():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 4, 1)), KeepDice("Cem", (1,)))
    table.submit({"type": "cover", "player": "Cem"})
    view = wall_of(table)
    assert cups(view)["Cem"] == "covered"
    assert view["turn"]["inside"] == ()
