"""The desk's buttons for the tables of a round: which device plays there, and the time is up."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hall_client import forms, organiser, send, words
from hall_scenes import between, opened, people, playing, until
from tournament_hall import MemoryHall
from tournament_play import play_on

from rules.tournament import Tournament
from rules.tournament_actions import HandIn
from rules.tournament_checking import action_of
from rules.tournament_results import TableResult
from rules.tournament_state import Round
from web_ui.i18n import LANGUAGES, messages
from web_ui.tournament_forms import draw_id

CARDS = "/tournament/desk?at=cards"


def now(hall: MemoryHall) -> Tournament:
    tournament = hall.tournament()
    assert tournament is not None
    return tournament


def drawn_round(hall: MemoryHall) -> Round:
    one = now(hall).round
    assert one is not None
    return one


def logs_of(hall: MemoryHall) -> dict[int, TableResult]:
    """What tables that still play may have in their logs: one game less than a whole card."""
    tournament, chance, found = now(hall), random.Random(5), {}
    while (one := tournament.round) is not None and one.waiting:
        tournament, (event,) = play_on(tournament, chance)
        action = action_of(event)
        assert isinstance(action, HandIn)
        games = action.result.games[:-1]
        found[action.table] = replace(action.result, games=games, source="log")
    return found


def with_logs() -> MemoryHall:
    """Tables 2 and 3 of a point round play; only at table 2 stands a device."""
    hall = playing()
    assert drawn_round(hall).waiting == (2, 3)
    hall.logged = {2: logs_of(hall)[2]}
    return hall


def press(hall: MemoryHall, do: str, lang: str = "en", **fields: Any) -> Any:
    draw = {"draw": draw_id(drawn_round(hall))} | fields
    return send(organiser(hall), do, f"/tournament/desk?at=cards&lang={lang}", **draw)


# --- the time is up --------------------------------------------------------------------------


def test_at_a_ticked_table_counts_what_its_log_says_with_the_reason():
    hall = with_logs()
    games = hall.logged[2].games
    answer = press(hall, "collect", table=["2"], reason="Zeit  um")
    assert answer.status_code == 303
    handed = drawn_round(hall).handed[2].result
    assert (handed.games, handed.cut_short, handed.source) == (games, "Zeit um", "log")
    assert drawn_round(hall).waiting == (3,)


def test_all_that_still_play_are_scored_in_one_click_and_who_cannot_be_is_named():
    hall = with_logs()
    answer = press(hall, "collect_all", reason="Zeit um")
    assert answer.status_code == 409
    assert "Table 3: No device at 3." in words(answer)
    assert drawn_round(hall).waiting == (3,)
    hall = playing()
    hall.logged = logs_of(hall)
    assert press(hall, "collect_all", reason="Zeit um").status_code == 303
    assert drawn_round(hall).waiting == ()


@pytest.mark.parametrize(
    ("do", "fields", "said"),
    [
        ("collect", {"table": ["2"], "reason": " "}, "enter a reason"),
        ("collect_all", {"reason": ""}, "enter a reason"),
        ("collect", {"reason": "x"}, "No table is ticked"),
        ("collect", {"table": ["zwei"], "reason": "x"}, "zwei"),
    ],
)
def test_a_form_that_is_not_complete_changes_nothing(do: str, fields: dict[str, Any], said: str):
    hall = with_logs()
    answer = press(hall, do, **fields)
    assert answer.status_code == 400
    assert said in words(answer)
    assert drawn_round(hall).waiting == (2, 3)


@pytest.mark.parametrize("do", ["collect", "collect_all", "scharf", "assign"])
def test_a_form_of_an_earlier_draw_touches_no_table_of_the_next_one(do: str):
    hall = with_logs()
    answer = press(hall, do, draw="1-2", table="2", reason="Zeit um", device="")
    assert answer.status_code == 409
    assert "Another draw was made meanwhile" in words(answer)
    assert drawn_round(hall).waiting == (2, 3)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_buttons_say_why_they_are_off(lang: str):
    text = messages(lang)
    page = organiser(with_logs()).get(f"{CARDS}&lang={lang}").text
    assert text["hall.time_up.why"] in words(page)
    assert text["hall.clock.left"] in page[: page.index('id="form-time"')]
    at_three = page[page.index('name="table" value="3"') :]
    assert "disabled" in at_three[:40]
    assert ("An Tisch 3 steht kein Gerät" if lang == "de" else "No device at 3") in at_three
    assert "disabled" not in page[page.index('id="do-collect"') :].partition(">")[0]
    assert "disabled" in page[page.index('id="do-scharf"') :].partition(">")[0]
    for scene in (opened, between):
        page = organiser(scene()).get(f"{CARDS}&lang={lang}").text
        for do in ("collect", "collect_all", "scharf"):
            assert "disabled" in page[page.index(f'id="do-{do}"') :].partition(">")[0]
            why = page[page.index(f'id="why-{do}"') :].partition("</small>")[0]
            assert why.partition(">")[2]


def test_where_the_format_plays_scharf_its_button_stands_beside():
    hall, chance = opened(people(9)), random.Random(1)
    while (
        hall.tournament() is None or now(hall).round is None or drawn_round(hall).kind == "points"
    ):
        hall.log.append("mark", {})
        until(hall, "round_drawn", chance)
    page = organiser(hall).get(f"{CARDS}&lang=en")
    assert "play the rest as sudden death" in words(page)
    assert "disabled" not in page.text[page.text.index('id="do-scharf"') :].partition(">")[0]
    assert "disabled" in page.text[page.text.index('id="do-collect"') :].partition(">")[0]
    number = str(drawn_round(hall).waiting[0])
    assert press(hall, "scharf", table=[number]).status_code == 303
    assert drawn_round(hall).scharf == {int(number)}


# --- devices ---------------------------------------------------------------------------------


def test_a_device_is_taken_off_a_table_and_another_put_there():
    hall = playing()
    assert hall.statuses[2].name == "tisch-2"
    assert press(hall, "assign", table="2", device="").status_code == 303
    assert 2 not in hall.statuses
    assert press(hall, "assign", table="3", device="tisch-2").status_code == 303
    assert hall.statuses[3].name == "tisch-2"
    page = organiser(hall).get("/tournament/desk?at=round&lang=en").text
    row = page[page.index('id="form-assign-3"') :].partition("</form>")[0]
    assert '<option value="tisch-2" selected>tisch-2 (cannot be reached)</option>' in row
    assert '<option value="tisch-1" >tisch-1 (Table 1)</option>' in row


def test_only_a_paired_device_comes_to_a_table_of_the_round():
    hall = playing()
    for fields, said in (
        ({"table": "2", "device": "tisch-77"}, "tisch-77"),
        ({"table": "44", "device": ""}, "no table 44"),
    ):
        answer = press(hall, "assign", **fields)
        assert answer.status_code == 409
        assert said in words(answer)
    assert press(hall, "assign", table="", device="").status_code == 400
    assert hall.statuses[2].name == "tisch-2"


def test_devices_are_offered_only_where_some_are_paired_and_a_round_is_played():
    assert "form-assign-2" in forms(organiser(playing()).get("/tournament/desk?at=round"))
    for scene in (opened, between):
        page = organiser(scene()).get("/tournament/desk?at=round").text
        assert "form-assign" not in page


@pytest.mark.parametrize(
    "action",
    [
        {"type": "assign_table", "table": 0, "device": ""},
        {"type": "assign_table", "table": True, "device": ""},
        {"type": "assign_table", "device": ""},
        {"type": "assign_table", "table": 1, "device": 7},
        {"type": "assign_table", "table": 1, "device": "", "by": "Ute"},
        {"type": "collect", "tables": [], "reason": "x"},
        {"type": "collect", "tables": [2, 2], "reason": "x"},
        {"type": "collect", "tables": "2", "reason": "x"},
        {"type": "collect", "tables": [2], "reason": ["x"]},
    ],
)
def test_a_program_is_told_what_an_action_must_be(action: dict[str, Any]):
    hall = with_logs()
    before = hall.seq
    answer = organiser(hall).post("/api/tournament/actions", json={"by": "R", "action": action})
    assert answer.status_code == 400
    assert action["type"] in answer.get_json()["error"]["text_en"]
    assert hall.seq == before
