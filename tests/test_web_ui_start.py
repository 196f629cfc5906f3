"""Beginning an evening and the next game on a page: names, buttons, refusals; no JavaScript."""

import re
import time
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_ui_access import known_pins, refusals, signed_in
from web_ui_desk import DeskTable, first_round, opened

from rules.library import all_books, own_book
from web_ui import create_app
from web_ui.access import Access
from web_ui.players import MOST_PLAYERS
from web_ui.projection import Board, Projection
from web_ui.starting import DAYS, Wish, first_wish, pressed, regulars, weekday_of

SCRIPT = "<script>alert(1)</script>"
WISH = Wish(names=("Anna", "Ben"), book="turnier", weekday="friday")


@pytest.fixture
def table() -> DeskTable:
    """Nobody has thrown yet."""
    return DeskTable("Anna", "Ben", "Cem")


def app_of(table: DeskTable, **settings: Any) -> Flask:
    access = Access(known_pins(), note=table.game.note)
    return create_app(table.log, table.act, settings, access=access, preview=table.preview)


def board_of(table: DeskTable) -> Board:
    return Projection(table.log, log_lines=40).board()


def sent(client: FlaskClient, do: str, *players: str, **more: str) -> Any:
    form = {"do": do, "player": list(players), "book": "turnier", "weekday": "friday"} | more
    return client.post("/start?lang=de", data=form)


def seats_shown(page: str) -> list[str]:
    return [name for name in re.findall(r'name="player" value="([^"]*)"', page) if name]


def reason_shown(page: str) -> str:
    found = re.search(r'id="reason"[^>]*>([^<]*)<', page)
    return found[1] if found else ""


# What the buttons do


@pytest.mark.parametrize(
    ("button", "names"),
    [
        ("tap:Cem", ("Anna", "Ben", "Cem")),
        ("tap:Ben", ("Anna",)),
        ("tap:", ("Anna", "Ben")),
        ("up:1", ("Ben", "Anna")),
        ("up:0", ("Ben", "Anna")),
        ("out:0", ("Ben",)),
        ("up:9", ("Anna", "Ben")),
        ("out:-1", ("Anna", "Ben")),
        ("out:99999999999999999999", ("Anna", "Ben")),
        ("up:²", ("Anna", "Ben")),
        ("nonsense", ("Anna", "Ben")),
        ("last", ("Anna", "Ben")),
    ],
)
def test_a_button_changes_who_sits_where(
    table: DeskTable, button: str, names: tuple[str, ...]
) -> None:
    assert pressed(WISH, button, board_of(table)).names == names


def test_as_last_time_are_players_and_book_of_the_latest_game_that_was_played(table: DeskTable):
    assert first_wish(board_of(table), "friday").names == (), "those of the settings never played"
    assert regulars(board_of(table).games) == ("Anna", "Ben", "Cem")
    first_round(table)
    start = {"type": "start_game", "by": "Ute", "book": "jule"}
    table.act(start | {"players": ["Dora", "Emil"], "reason": "neu"})
    board = board_of(table)
    assert first_wish(board, "friday").names == ("Anna", "Ben", "Cem")
    assert first_wish(board, "friday").book == "jule"
    assert regulars(board.games) == ("Anna", "Ben", "Cem"), "Dora and Emil have not played yet"
    assert pressed(WISH, "last", board).names == ("Anna", "Ben", "Cem")


@pytest.mark.parametrize(("hour", "day"), [(12, "wednesday"), (23, "wednesday"), (5, "tuesday")])
def test_the_evening_lasts_until_six(hour: int, day: str):
    at_s = time.mktime((2026, 11, 25, hour, 0, 0, 0, 0, -1))
    assert weekday_of(at_s) == day


# The page


def test_from_an_empty_form_to_a_game_by_plain_forms(table: DeskTable):
    client = signed_in(app_of(table), "table")
    page = client.get("/start").text
    assert seats_shown(page) == []
    for name in ("Cem", "Anna"):
        page = sent(client, f"tap:{name}", *seats_shown(page)).text
    page = sent(client, "enter", *seats_shown(page), "", " Dora ").text
    assert seats_shown(page) == ["Cem", "Anna", "Dora"]
    page = sent(client, "up:2", *seats_shown(page)).text
    answer = sent(client, "start", *seats_shown(page), book="statuten", weekday="wednesday")
    assert (answer.status_code, answer.location) == (303, "/table?lang=de")
    match = table.game.match
    assert (match.players, match.book.key) == (("Cem", "Dora", "Anna"), "statuten")
    assert match.state.weekday == "wednesday"
    assert table.last("entered_by_hand")["action"]["by"] == "am Bildschirm"


def test_the_page_is_filled_in_as_last_time_and_one_tap_begins(table: DeskTable):
    first_round(table)
    table.act({"type": "abandon", "by": "R", "reason": "Feierabend"})
    client = signed_in(app_of(table), "table")
    page = client.get("/start").text
    assert seats_shown(page) == ["Anna", "Ben", "Cem"]
    assert sent(client, "start", *seats_shown(page)).status_code == 303
    assert not table.game.match.is_over


def test_what_is_wrong_is_said_and_what_was_typed_stays(table: DeskTable):
    client = signed_in(app_of(table), "table")
    before = len(table.entries())
    for players, said in [
        (["Anna"], "mindestens 2"),
        (["Anna", "ANNA"], "zweimal"),
        (["Anna", "x" * 40], "höchstens 30"),
        (["Anna", SCRIPT], "Zeichen"),
        ([f"P{n}" for n in range(11)], "höchstens 10"),
    ]:
        answer = sent(client, "start", *players)
        assert answer.status_code == 400
        assert said in reason_shown(answer.text)
        assert SCRIPT not in answer.text
        assert len(seats_shown(answer.text)) == min(len(players), MOST_PLAYERS)
    answer = sent(client, "start", "Anna", "Ben", book="poker")
    assert (answer.status_code, reason_shown(answer.text)) == (
        409,
        "Es gibt kein Regelwerk &#39;poker&#39;.",
    )
    assert sent(client, "start", "Anna", "Ben", weekday="montag").status_code == 400
    assert {entry.type for entry in table.entries()[before:]} <= {"refused"}
    assert table.game.match.players == ("Anna", "Ben", "Cem")


def test_only_a_referee_ends_a_game_and_says_why(table: DeskTable):
    first_round(table)
    app = app_of(table)
    at_table, referee = signed_in(app, "table"), signed_in(app, "referee")
    assert 'value="start"' not in at_table.get("/start").text
    assert "nur der Schiedsrichter" in at_table.get("/start").text
    assert sent(at_table, "start", "Dora", "Emil").status_code == 409
    ending = {"abandon": "on", "reason": "Cem muss gehen"}
    assert sent(at_table, "start", "Dora", "Emil", **ending).status_code == 403
    assert sent(referee, "start", "Dora", "Emil").status_code == 409, "without the tick"
    blank = sent(referee, "start", "Dora", "Emil", abandon="on", reason=" ")
    assert (blank.status_code, "Grund" in reason_shown(blank.text)) == (400, True)
    assert table.game.match.players == ("Anna", "Ben", "Cem")
    assert sent(referee, "start", "Dora", "Emil", **ending).status_code == 303
    assert table.last("abandoned")["reason"] == "Cem muss gehen"
    assert table.game.match.players == ("Dora", "Emil")


def test_a_game_without_a_round_counts_in_no_standing(table: DeskTable):
    client = signed_in(app_of(table), "table")
    assert sent(client, "start", "Dora", "Emil").status_code == 303
    wall = client.get("/tv").text
    assert "Dora" in wall
    assert "Cem" not in wall


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_book_has_its_rule_sheet_to_read(table: DeskTable, lang: str):
    client = app_of(table).test_client()
    page = client.get(f"/start?lang={lang}").text
    for book in all_books():
        assert f'href="/rules/{book.key}?lang={lang}"' in page
        sheet = client.get(f"/rules/{book.key}?lang={lang}")
        assert sheet.status_code == 200
        assert (book.title_en if lang == "en" else book.title_de) in sheet.text
    assert "§19" in client.get("/rules/statuten").text
    assert client.get("/rules/poker").status_code == 404
    assert client.get("/rules/..%2Fturnier").status_code == 404


def test_the_pubs_own_book_is_on_offer(table: DeskTable):
    house = own_book(
        'key = "eck"\nbased_on = "turnier"\naliases = []\ntitle_de = "Eck"\ntitle_en = "Corner"\n'
    )
    client = app_of(table, HOUSE_BOOKS=(house,)).test_client()
    assert 'value="eck"' in client.get("/start").text
    assert client.get("/rules/eck").status_code == 200


def test_the_page_says_what_the_order_means(table: DeskTable):
    shared = app_of(table).test_client().get("/start").text
    seats = app_of(table, LAYOUT="seats").test_client().get("/start").text
    fixed = app_of(table, LAYOUT="seats", FIXED_SEATS=("Ute", "Udo")).test_client()
    assert "Eine Matte für alle" in shared
    assert "Teil der Matte" in seats
    assert "Ute und Udo" in fixed.get("/start").text


@pytest.mark.parametrize("day", ["wednesday", "sunday"])
def test_the_day_is_preset(table: DeskTable, day: str):
    page = app_of(table, WEEKDAY=day).test_client().get("/start").text
    assert re.findall(r'<option value="(\w+)" selected>', page) == [day]
    assert len(re.findall(r"<option", page)) == len(DAYS)


# Attacks


def test_beginning_without_a_right_to(table: DeskTable):
    app = app_of(table)
    stranger = app.test_client()
    assert 'value="start"' not in stranger.get("/start").text
    assert sent(stranger, "start", "Dora", "Emil").status_code == 401
    assert sent(stranger, "tap:Dora", "Emil").status_code == 200, "looking, not acting"
    at_table = signed_in(app, "table")
    at_table.environ_base["HTTP_X_CSRF_TOKEN"] = "another"
    assert sent(at_table, "start", "Dora", "Emil").status_code == 403
    foreign = {"Origin": "http://elsewhere.example"}
    signed = signed_in(app, "table")
    form = {"do": "start", "player": ["Dora", "Emil"], "book": "turnier"}
    assert signed.post("/start", data=form, headers=foreign).status_code == 403
    assert signed.post("/start", json=form).status_code == 415
    assert table.game.match.players == ("Anna", "Ben", "Cem")
    assert {"sign_in", "bad_token", "other_site", "not_form"} <= set(refusals(table.log))


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"players": ["Anna", SCRIPT]}, 400),
        ({"players": ["Anna", "x" * 2_000]}, 400),
        ({"players": [f"P{n}" for n in range(500)]}, 400),
        ({"players": {"0": "Anna"}}, 400),
        ({"book": ""}, 400),
        ({"book": "../../etc/passwd"}, 409),
        ({"book": "haus.toml"}, 409),
        ({"weekday": "someday"}, 400),
        ({"weekday": ["friday"]}, 400),
        ({"reason": "weil"}, 403),
        ({"reason": 7}, 403),
        ({"by": ""}, 400),
    ],
)
def test_forged_actions_are_refused_and_the_table_goes_on(
    table: DeskTable, changed: dict[str, Any], status: int
):
    client = signed_in(app_of(table), "table")
    action = {"type": "start_game", "players": ["Dora", "Emil"], "book": "turnier", "by": "Ute"}
    assert client.post("/api/actions", json=action | changed).status_code == status
    assert table.game.match.players == ("Anna", "Ben", "Cem")
    opened(table)
