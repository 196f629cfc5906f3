"""The pages: what the scoreboard shows, in both languages, and what it never lets through."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from test_web_ui_table import ListLog, Table

from rules.actions import KeepDice, ThrowDice, TurnSixes
from web_ui import create_app
from web_ui.settings import SETTINGS


def client_of(table: Table, **settings: object) -> FlaskClient:
    return create_app(table.log, table.submit, settings).test_client()


def page_of(table: Table, path: str = "/") -> str:
    response = client_of(table).get(path)
    assert response.status_code == 200, response.text
    return response.text


def deckel_on(page: str) -> dict[str, int]:
    rows = re.findall(r'data-player="([^"]+)"\s+data-deckel="(\d+)"', page)
    return {name: int(count) for name, count in rows}


def stock_on(page: str) -> int:
    (count,) = re.findall(r'id="stock" data-deckel="(\d+)"', page)
    return int(count)


@pytest.fixture
def table() -> Table:
    return Table()


def test_an_empty_log_shows_a_table_that_is_ready():
    client = create_app(ListLog(), lambda action: {}).test_client()
    page = client.get("/").text
    assert "Der Tisch ist bereit" in page
    assert 'data-part=""' in page
    assert 'id="stock"' not in page


def test_deckel_on_the_page_are_those_of_the_match(table: Table):
    table.play_opening()
    table.play_round()
    page = page_of(table)
    assert deckel_on(page) == dict(table.match.holdings)
    assert stock_on(page) == table.match.stock == 8
    assert page.count('href="#deckel"') == 13, "stock and holdings drawn as discs"
    assert page.count('href="#deckel-empty"') == 5


def test_players_stand_in_the_order_they_sit(table: Table):
    assert list(deckel_on(page_of(table))) == ["Anna", "Ben", "Cem"]


def test_part_turn_and_number_of_the_last_entry_are_hooks(table: Table):
    page = page_of(table)
    assert 'data-part="opening" data-turn="Anna"' in page
    table.play_opening()
    page = page_of(table)
    assert 'data-part="half1" data-turn="Cem"' in page
    assert f'data-seq="{len(table.log.read(0, 10_000))}"' in page


def test_the_dice_of_the_turn_lie_inside_and_outside(table: Table):
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 4, 1)), KeepDice("Cem", (1,)))
    page = page_of(table, "/board")
    turn = page[page.index("turn-dice") : page.index('class="panel players')]
    inside, outside = turn.split("tray outside")
    assert re.findall(r"#die-(\d)", inside) == ["6", "4"]
    assert re.findall(r"#die-(\d)", outside) == ["1"]
    assert "1 Wurf von höchstens 3" in page


def test_turned_sixes_demand_another_throw_and_the_page_says_so(table: Table):
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 6, 3)))
    assert "eine darf zur Eins gedreht werden" in page_of(table)
    table.do(TurnSixes("Cem", 1))
    assert "es muss noch einmal geworfen werden" in page_of(table)


def test_the_ranking_speaks_as_players_do(table: Table):
    table.play_opening()
    table.do(ThrowDice("Cem", (4, 1, 1)))
    table.submit({"type": "stop", "player": "Cem"})
    page = page_of(table)
    assert "Schock Vier aus der Hand" in page
    assert "Cem führt und setzt 4 Deckel an." in page


def test_the_log_tells_the_newest_first_in_german(table: Table):
    table.play_opening()
    page = page_of(table)
    told = re.findall(r'<span class="what">([^<]+)</span>', page)
    assert told[-1] == "Das Spiel beginnt: Anna, Ben und Cem."
    assert told.index("Cem bekommt 1 Deckel vom Stock.") < told.index(
        "Anna wirft im Ersten: sechs zweiundfünfzig"
    )


def test_english_by_the_switch(table: Table):
    table.play_opening()
    page = page_of(table, "/?lang=en")
    assert '<html lang="en">' in page
    assert "Cem gets 1 Deckel from the stock." in page
    assert "To throw" in page
    assert "Am Zug" not in page


@pytest.mark.parametrize("asked", ["fr", "", "de%00", "../en"])
def test_an_unknown_language_is_german(table: Table, asked: str):
    assert '<html lang="de">' in page_of(table, f"/?lang={asked}")


def test_the_setting_chooses_the_default_language(table: Table):
    client = client_of(table, DEFAULT_LANGUAGE="en")
    assert '<html lang="en">' in client.get("/").text


def test_a_question_shows_its_likely_dice_as_buttons(table: Table):
    table.play_opening()
    table.ask("q7")
    page = page_of(table)
    assert 'data-question="q7"' in page
    assert re.findall(r'class="answer-die" data-value="(\d)"', page) == ["6", "5", "2"]
    assert re.findall(r'data-dice="([\d,]+)"', page) == ["6,5,2", "6,6,2"]
    assert "Was liegt bei Cem?" in page
    assert "Ein Würfel liegt halb verdeckt." in page
    assert "One die is half covered." in page_of(table, "/?lang=en")


def test_an_answered_question_is_gone(table: Table):
    table.play_opening()
    table.ask("q7")
    table.log.append("question.answered", {"question_id": "q7", "dice": [6, 5, 2], "by": "Ben"})
    page = page_of(table)
    assert "data-question" not in page
    assert "Ben bestätigt" in page


def test_a_question_without_usable_dice_still_asks(table: Table):
    table.ask("q1", dice=[], candidates=[[9, "x"], "no"], outside=[1], player=None)
    page = page_of(table)
    assert re.findall(r'class="answer-die" data-value="(\d)"', page) == ["0", "0"]
    assert re.search(r'class="confirm" disabled>Bestätigen: <span[^>]*>\?-\?<', page)
    assert "Was liegt auf dem Tisch?" in page


def test_a_question_asks_for_every_die_that_must_have_been_thrown(table: Table):
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 4, 1)), KeepDice("Cem", (1,)))
    table.ask("q1", dice=[5], outside=[], candidates=[])
    assert re.findall(r'class="answer-die" data-value="(\d)"', page_of(table)) == ["5", "0"]
    table.ask("q1", dice=[5, 4, 3, 2], outside=[], candidates=[])
    page = page_of(table)
    assert re.findall(r'class="answer-die" data-value="(\d)"', page) == ["5", "4", "3"]


def test_a_fault_is_a_banner_until_it_is_over(table: Table):
    fault = {"what": "camera", "text_de": "Kamera weg.", "text_en": "Camera gone."}
    table.log.append("fault", fault)
    assert 'data-fault="camera"' in page_of(table)
    assert "Camera gone." in page_of(table, "/?lang=en")
    table.log.append("fault_over", {"what": "camera"})
    assert "data-fault" not in page_of(table)


SCRIPT = "<script>alert(1)</script>"
QUOTES = "\"onmouseover='x' \\"


def test_a_script_in_a_name_is_only_a_name():
    table = Table([SCRIPT, QUOTES, "{{ 7*7 }}"])
    for dice in [(6, 5, 2), (5, 4, 4), (2, 2, 1)]:
        table.do(ThrowDice(str(table.match.current_player), dice))
    table.ask(SCRIPT, player=SCRIPT, reason=SCRIPT, candidates=[[1, 1, 1]])
    table.log.append("fault", {"what": SCRIPT, "text_de": SCRIPT, "text_en": SCRIPT})
    table.log.append(SCRIPT, {})
    page = page_of(table)
    assert SCRIPT not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 5
    assert 'data-player="&#34;onmouseover=&#39;x&#39; \\"' in page
    assert "{{ 7*7 }}" in page, "a name is never a template"
    assert "<script>" not in page


def test_nothing_inline_and_nothing_from_elsewhere(table: Table):
    table.ask()
    response = client_of(table).get("/")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "media-src 'self'" in policy
    assert "unsafe" not in policy
    assert " style=" not in response.text
    assert not re.search(r"\son[a-z]+=", response.text)
    script = '<script src="/static/board.js" type="module">'
    assert re.findall(r"<script[^>]*>", response.text) == [script]
    assert "//" not in response.text.replace("<!doctype", "")


@pytest.mark.parametrize("path", ["/", "/api/state", "/nothing", "/static/board.js"])
def test_every_answer_carries_the_headers(table: Table, path: str):
    with client_of(table).get(path) as response:
        headers = response.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_a_page_that_is_not_there_says_so_in_both_languages(table: Table):
    client = client_of(table)
    german = client.get("/nothing")
    assert german.status_code == 404
    assert "Diese Seite gibt es nicht." in german.text
    assert "There is no such page." in client.get("/nothing?lang=en").text


def test_a_still_is_served_from_the_evidence_folder(table: Table, tmp_path: Path):
    (tmp_path / "throw-7.png").write_bytes(b"\x89PNG picture")
    table.ask("q1", still="/somewhere/else/throw-7.png")
    client = client_of(table, EVIDENCE_DIR=str(tmp_path))
    assert 'src="/evidence/throw-7.png"' in client.get("/").text
    response = client.get("/evidence/throw-7.png")
    assert response.status_code == 200
    assert response.data == b"\x89PNG picture"
    assert response.mimetype == "image/png"
    response.close()


@pytest.mark.parametrize(
    "name",
    [
        "missing.png",
        "log.sqlite3",
        ".hidden.png",
        "..%2fsecret.png",
        "..%5csecret.png",
        "%2e%2e/secret.png",
        "sub/secret.png",
        "secret.png%00.txt",
        "page.html",
    ],
)
def test_nothing_but_pictures_leaves_the_evidence_folder(table: Table, tmp_path: Path, name: str):
    evidence = tmp_path / "evidence"
    (evidence / "sub").mkdir(parents=True)
    for place in (tmp_path, evidence / "sub"):
        (place / "secret.png").write_bytes(b"secret")
    for other in ("log.sqlite3", ".hidden.png", "page.html"):
        (evidence / other).write_bytes(b"secret")
    response = client_of(table, EVIDENCE_DIR=str(evidence)).get(f"/evidence/{name}")
    assert response.status_code == 404
    assert b"secret" not in response.data


def test_without_an_evidence_folder_there_are_no_stills(table: Table):
    assert client_of(table).get("/evidence/throw-7.png").status_code == 404


@pytest.mark.parametrize("still", ["x.svg", "<b>.png/", "..", 7, None])
def test_a_question_with_a_strange_still_shows_none(table: Table, still: object):
    table.ask("q1", still=still)
    assert "<img" not in page_of(table)


@pytest.mark.parametrize("name", [setting.name for setting in SETTINGS])
def test_every_setting_is_explained(name: str):
    (setting,) = [s for s in SETTINGS if s.name == name]
    assert setting.help.endswith(".")


@pytest.mark.parametrize(
    ("name", "value"),
    [("DEFAULT_LANGUAGE", "fr"), ("LOG_LINES", 0), ("STREAM_HEARTBEAT_S", "soon")],
)
def test_a_setting_out_of_its_range_is_refused(name: str, value: object):
    with pytest.raises(ValueError, match=name):
        create_app(ListLog(), lambda action: {}, {name: value})


def test_the_fragment_is_made_once_for_all_and_anew_after_every_entry(table: Table):
    client = client_of(table)
    first = client.get("/board").text
    assert client.get("/board?lang=en").text != first
    assert client.get("/board").text == first
    table.play_opening()
    assert deckel_on(client.get("/board").text)["Cem"] == 1
    assert "Cem gets 1 Deckel from the stock." in client.get("/board?lang=en").text
