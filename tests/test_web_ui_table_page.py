"""The table's own page: all the camera would send by hand, one tap for a doubt, claims."""

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from web_ui_access import known_pins, signed_in
from web_ui_desk import DeskTable, opened
from web_ui_page import Page, Server

from web_ui import create_app
from web_ui.access import Access
from web_ui.projection import Projection
from web_ui.tabling import present_table


@pytest.fixture
def table(tmp_path: Path) -> DeskTable:
    """Cem leads the first round."""
    return opened(DeskTable("Anna", "Ben", "Cem", folder=tmp_path))


def view_of(table: DeskTable, lang: str = "de") -> dict[str, Any]:
    return present_table(Projection(table.log, log_lines=40).board(), lang)


class Actions(HTMLParser):
    """The actions behind the buttons of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[dict[str, Any]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        action = dict(attrs).get("data-action")
        if action is not None:
            self.found.append(json.loads(action))


def test_a_throw_is_shown_with_its_picture_until_it_is_disputed(table: DeskTable):
    table.see("throw_seen", (6, 6, 1))
    newest = view_of(table)["throws"][0]
    assert (newest["player"], newest["dice"], newest["where"]) == (
        "Cem",
        (6, 6, 1),
        "1. Hälfte, Runde 1",
    )
    assert newest["still"].endswith(".jpg")
    assert not newest["disputed"]
    table.act({"type": "claim", "throw_id": newest["id"], "by": "Ben", "text": "Fünf"})
    assert [throw["disputed"] for throw in view_of(table)["throws"]][:2] == [True, False]


def test_what_was_typed_belongs_to_one_throw_alone(table: DeskTable):
    before = view_of(table)["hand_version"]
    table.game.note("note", {})
    assert view_of(table)["hand_version"] == before
    table.see("throw_seen", (6, 6, 1))
    assert view_of(table)["hand_version"] != before


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_page_sends_what_the_interface_takes(table: DeskTable, lang: str):
    table.see("throw_seen", (6, 6, 1))
    access = Access(known_pins())
    app = create_app(table.log, table.act, access=access, preview=table.preview)
    client = signed_in(app, "table")
    page = client.get(f"/table?lang={lang}")
    assert page.status_code == 200
    assert "style=" not in page.text
    actions = Actions(page.text).found
    assert {"stop", "keep", "turn", "cover", "take_back", "pause"} <= {a["type"] for a in actions}
    stop = next(action for action in actions if action["type"] == "stop")
    assert client.post("/api/actions", json=stop).status_code == 200
    assert table.game.player == "Anna"


def test_a_name_with_quotes_and_angles_stays_a_name(tmp_path: Path):
    name = "\"'><b>O'Neill</b>"
    table = opened(DeskTable("Anna", name))
    app = create_app(table.log, table.act, access=Access(known_pins()))
    page = app.test_client().get("/table").text
    assert "<b>O'Neill" not in page
    assert {action.get("player") for action in Actions(page).found} >= {name}


def test_before_a_game_the_page_says_that_the_table_is_ready():
    from test_web_ui_table import ListLog

    client = create_app(ListLog(), lambda action: {}).test_client()
    assert "Der Tisch ist bereit" in client.get("/table").text


# In a real browser


@pytest.mark.slow
def test_a_round_is_played_by_the_keyboard_alone(
    chromium: webdriver.Chrome, start: Callable[..., Server], table: DeskTable, tmp_path: Path
):
    page = Page(chromium, start(table.served, EVIDENCE_DIR=str(tmp_path)).url + "table")
    page.keys("6", "6", Keys.BACKSPACE, "4", "1", Keys.ENTER)
    page.wait(lambda: table.state["turn"]["last"] == [6, 4, 1], "Cem's throw")
    page.wait(lambda: page.seq() == table.entries()[-1].seq, "the page has it")
    page.tab_to("#deed-keep-1")
    page.keys(Keys.ENTER)
    page.wait(lambda: table.state["turn"]["outside"] == [1], "the one is put out")
    page.wait(lambda: page.seq() == table.entries()[-1].seq, "the page has it")
    page.tab_to("#deed-turn-0")
    page.keys(Keys.ENTER)
    page.wait(lambda: page.is_shown("#hand-refusal"), "why no six may be turned")
    assert "Sechsen drehen" in page.one("#hand-refusal").text
    page.tab_to("#deed-stop-0")
    page.keys(Keys.ENTER)
    page.wait(lambda: table.game.player == "Anna", "Anna's turn")
    page.wait(lambda: page.attributes(".board", "data-turn") == ["Anna"], "on the page")
    page.tab_to("#deed-take_back-1")
    page.keys(Keys.ENTER)
    page.wait(lambda: table.game.player == "Cem", "the stop is taken back")
    assert page.browser.execute_script("return window.notReloaded") is True
    assert page.complaints() == []


@pytest.mark.slow
def test_one_tap_answers_and_a_claim_goes_to_the_referee(
    chromium: webdriver.Chrome, start: Callable[..., Server], table: DeskTable, tmp_path: Path
):
    page = Page(chromium, start(table.served, EVIDENCE_DIR=str(tmp_path)).url + "table")
    likely = ((6, 5, 4), (6, 6, 4))
    table.see("unsure", (6, 5, 4), sure=False, reason="values", candidates=likely)
    page.wait(lambda: page.is_shown(".likely-throw"), "the likely throws")
    page.wait(lambda: page.is_shown(".question .still"), "their picture")
    page.all(".likely-throw")[1].click()
    page.wait(lambda: table.state["throws"][-1]["dice"] == [6, 6, 4], "the second one counts")
    page.wait(lambda: not page.all("[data-question]"), "the question is gone")
    page.all(".claim summary")[0].click()
    page.type_in(".claim[open] [name=by]", "Ben")
    table.game.note("note", {})
    page.wait(lambda: page.seq() == table.entries()[-1].seq, "another event meanwhile")
    page.type_in(".claim[open] [name=text]", "Das war eine Fünf" + Keys.ENTER)
    page.wait(lambda: table.cases() == ["claim"], "the case")
    case = table.pipeline.desk.cases[0].opened
    assert (case["by"], case["claim"]) == ("Ben", "Das war eine Fünf")
    page.wait(lambda: page.is_shown(".case-told"), "told on the page")
    assert page.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [(360, 740), (1180, 820)])
def test_on_a_phone_and_a_tablet_nothing_sticks_out(
    chromium: webdriver.Chrome,
    start: Callable[..., Server],
    table: DeskTable,
    size: tuple[int, int],
):
    table.see("unsure", (6, 5, 4), sure=False, reason="values", candidates=((6, 5, 4), (6, 6, 4)))
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": True}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        Page(chromium, start(table.served).url + "table?lang=en")
        wide = chromium.execute_script("return document.documentElement.scrollWidth")
        assert wide <= size[0]
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
