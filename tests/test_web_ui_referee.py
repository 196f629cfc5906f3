"""The referee's desk: what is open, what the camera saw, what a ruling would change."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from web_ui_access import known_pins, signed_in
from web_ui_desk import DeskTable, opened
from web_ui_page import Page, Server

from web_ui import create_app
from web_ui.access import Access
from web_ui.announcing import rulings_of
from web_ui.projection import Board, Projection
from web_ui.refereeing import present_referee


@pytest.fixture
def table(tmp_path: Path) -> DeskTable:
    """Round 1: Cem 6-6-1, Anna 5-4-2, Ben 6-4-3. Anna has lost it and leads round 2."""
    table = opened(DeskTable("Anna", "Ben", "Cem", folder=tmp_path))
    for dice in ((6, 6, 1), (5, 4, 2), (6, 4, 3)):
        table.see("throw_seen", dice)
        table.say("cleared")
    assert table.game.player == "Anna"
    return table


def board_of(table: DeskTable) -> Board:
    return Projection(table.log, log_lines=40).board()


def desk_of(table: DeskTable, item: str = "", lang: str = "de") -> dict[str, Any]:
    return present_referee(board_of(table), lang, item)


def thrown_by(table: DeskTable, player: str) -> dict[str, Any]:
    return [throw for throw in table.state["throws"] if throw["player"] == player][-1]


def dispute(table: DeskTable, player: str = "Anna") -> None:
    throw_id = thrown_by(table, player)["throw_id"]
    table.act({"type": "claim", "throw_id": throw_id, "by": "Ben", "text": "Das war eine Drei"})


def correction(table: DeskTable, player: str, *dice: int) -> dict[str, Any]:
    about = {"player": player, "throw_id": thrown_by(table, player)["throw_id"]}
    return {"type": "correct_throw", **about, "dice": list(dice), "by": "Ute", "reason": "Film"}


@pytest.fixture
def client(table: DeskTable, tmp_path: Path) -> FlaskClient:
    access, settings = Access(known_pins()), {"EVIDENCE_DIR": str(tmp_path)}
    app = create_app(table.log, table.act, settings, access=access, preview=table.preview)
    return signed_in(app, "referee")


# What is open


def test_questions_come_first_then_cases_and_claims(table: DeskTable):
    dispute(table)
    table.see("unsure", (6, 5, 4), sure=False, reason="kind", candidates=((6, 5, 4), (6, 5, 3)))
    desk = desk_of(table)
    assert [item["kind"] for item in desk["queue"]] == ["question", "claim"]
    assert desk["queue_text"] == "2 offene Sachen"
    assert desk["item"]["kind"] == "question", "the first one is looked at"
    assert desk["item"]["ways"][:2] == ("answer", "verdict:burning")


def test_a_claim_shows_the_throw_its_evidence_and_the_round(table: DeskTable):
    dispute(table)
    item = desk_of(table)["item"]
    assert item["title"] == "Wurf von Anna, 1. Hälfte, Runde 1"
    assert item["text"] == "Ben zweifelt den Wurf von Anna an: Das war eine Drei"
    assert item["throw"].dice == (5, 4, 2)
    assert item["evidence"]["still"].endswith(".jpg")
    assert [box["value"] for box in item["evidence"]["boxes"]] == [5, 4, 2]
    assert item["ways"] == ("dismissed", "correct", "repeat", "round", "deckel", "word")
    ended = item["round"]
    assert (ended["loser"], ended["winner"], ended["deckel"]) == ("Anna", "Cem", 1)


def test_a_case_shows_what_the_book_says_of_it(table: DeskTable):
    table.see("throw_seen", (6, 4, 2))
    table.say("turned", (1,), (1,))
    item = desk_of(table)["item"]
    assert item["kind"] == "case"
    assert item["ways"][:2] == ("fault", "dismissed")
    assert item["rules"][-1]["text"] == "Die Entscheidung des Schiedsrichters gilt."
    assert any("Sechs" in rule["text"] for rule in item["rules"])
    assert desk_of(table, lang="en")["item"]["rules"][-1]["text"].startswith("The referee")


def test_any_throw_can_be_looked_at_and_corrected(table: DeskTable):
    number = thrown_by(table, "Ben")["throw_id"]
    item = desk_of(table, f"throw-{number}")["item"]
    assert (item["title"], item["ways"]) == (
        "Wurf von Ben",
        ("correct", "repeat", "round", "deckel"),
    )
    assert desk_of(table, "throw-999")["item"] is None
    assert desk_of(table, "throw-٣")["item"] is None
    assert desk_of(table, "case-nothing")["item"] is None


def test_a_throw_entered_by_hand_says_that_nobody_saw_it(table: DeskTable):
    table.by_hand("throw", player="Anna", dice=[6, 5, 1])
    number = thrown_by(table, "Anna")["throw_id"]
    evidence = desk_of(table, f"throw-{number}")["item"]["evidence"]
    assert (evidence["seq"], evidence["still"]) == (0, "")
    assert evidence["note"].startswith("Davon hat die Kamera nichts gesehen")


def test_a_claim_of_an_earlier_game_can_only_be_put_on_record(table: DeskTable):
    dispute(table)
    table.submit("abandon", reason="late")
    table.submit("begin_game", players=["Anna", "Ben", "Cem"])
    item = desk_of(table)["item"]
    assert item["ways"] == ("dismissed", "word")
    assert item["throw"] is None


# What the camera saw


def test_what_was_read_is_shown_with_how_sure_it_was(table: DeskTable):
    seq = table.see("unsure", (6, 5, 4), sure=False, doubt=3, reason="values")
    evidence = desk_of(table)["item"]["evidence"]
    assert evidence["seq"] == seq
    assert evidence["size"] == (960, 750)
    assert [reading["percent"] for reading in evidence["readings"]] == [98, 98, 56]
    assert [reading["sure"] for reading in evidence["readings"]] == [True, True, False]
    assert evidence["readings"][2]["rows"][0]["bars"] == [1, 1, 40, 56, 1, 1]


def test_both_witnesses_are_told_apart_where_the_log_has_their_words(table: DeskTable):
    witness = {"position_mm": [10, 10], "value": 4, "probability": 0.61, "sure": False}
    table.t_s += 1.0
    data = {
        "t_s": table.t_s,
        "type": "unsure",
        "dice": [4],
        "outside": [],
        "sure": False,
        "readings": [
            {**witness, "detector": [0, 0, 0, 1.0, 0, 0], "second": [0, 0, 0.9, 0.1, 0, 0, 0]},
            {"value": 9, "probability": "much"},
            "nonsense",
        ],
        "lying": {"mat": [0, "x"], "dice": [{"box": [1, 2], "probabilities": None}, 7]},
    }
    entry = table.game.record("table.unsure", data)
    asked = {"question_id": "q", "seq": entry.seq, "player": "Anna", "dice": [4], "outside": []}
    table.game.note("question.asked", asked)
    (reading,) = desk_of(table)["item"]["evidence"]["readings"]
    assert [row["name"] for row in reading["rows"]] == ["Erkenner", "Augenzähler"]
    assert [row["bars"].index(max(row["bars"])) + 1 for row in reading["rows"]] == [4, 3]
    assert reading["percent"] == 61


def test_a_clip_that_is_still_being_written_says_so_and_then_plays(table: DeskTable):
    dispute(table)
    evidence = desk_of(table)["item"]["evidence"]
    assert (evidence["clip"], evidence["note"]) == ("", "Der Film wird gerade geschrieben.")
    kept = {"seq": evidence["seq"], "kind": "clip", "file": "clip-1.webm"}
    table.game.note("evidence.kept", kept)
    after = desk_of(table)["item"]
    assert (after["evidence"]["clip"], after["evidence"]["note"]) == ("clip-1.webm", "")
    table.game.note("evidence.dropped", {"files": ["clip-1.webm"], "rule": "days"})
    assert desk_of(table)["item"]["evidence"]["note"].startswith("Der Film ist nach Ablauf")


def test_a_file_of_another_name_is_never_asked_for(table: DeskTable):
    dispute(table)
    seq = desk_of(table)["item"]["evidence"]["seq"]
    for name in ("../../etc/passwd", "a/b.webm", ".x.webm", "x.html"):
        table.game.note("evidence.kept", {"seq": seq, "kind": "clip", "file": name})
        assert desk_of(table)["item"]["evidence"]["clip"] == ""


# What is told of rulings


def test_a_ruling_is_told_with_what_has_changed(table: DeskTable):
    table.act(correction(table, "Anna", 6, 5, 3))
    (told,) = rulings_of(board_of(table), "de")
    assert told["text"] == "Ute berichtigt den Wurf von Anna: statt 5-4-2 liegt da"
    assert told["dice"] == (6, 5, 3)
    assert told["changes"] == [
        "Anna: 0 Deckel statt 1.",
        "Ben: 1 Deckel statt 0.",
        "1. Hälfte: bleibt offen.",
        "Am Zug ist Ben statt Anna.",
    ]


def test_a_claim_that_is_dismissed_and_a_throw_to_be_repeated_are_told_too(table: DeskTable):
    dispute(table)
    table.rule("dismissed")
    about = {"player": "Ben", "throw_id": thrown_by(table, "Ben")["throw_id"], "by": "Ute"}
    table.act({"type": "repeat_throw", **about, "reason": "stand schief"})
    told = rulings_of(board_of(table), "de")
    assert [ruling["text"].split(":")[0] for ruling in told] == [
        "Ute entscheidet für Anna",
        "Ben",
    ]
    assert told[0]["seq"] < told[1]["seq"]


# The page


def test_only_a_referee_sees_the_desk(table: DeskTable):
    app = create_app(table.log, table.act, access=Access(known_pins()))
    stranger = app.test_client()
    led = stranger.get("/referee")
    assert (led.status_code, "/signin?role=referee" in led.headers["Location"]) == (302, True)
    assert stranger.get("/referee/board").status_code == 401
    assert signed_in(app, "table").get("/referee/board").status_code == 403
    assert signed_in(app, "admin").get("/referee").status_code == 200


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_page_is_whole_in_both_languages(table: DeskTable, client: FlaskClient, lang: str):
    dispute(table)
    table.see("unsure", (6, 5, 4), sure=False, reason="kind", candidates=((6, 5, 4), (6, 5, 3)))
    for item in [one["id"] for one in desk_of(table)["queue"]] + ["throw-2", "nothing"]:
        page = client.get("/referee", query_string={"lang": lang, "item": item})
        assert page.status_code == 200
        assert " style=" not in page.text


def test_trying_tells_before_and_after_and_changes_nothing(table: DeskTable, client: FlaskClient):
    before = table.entries()
    tried = client.post("/api/try?lang=de", json=correction(table, "Anna", 6, 5, 3)).get_json()
    assert tried["texts"][0] == "1. Hälfte, Runde 1: Ben bekommt 1 Deckel."
    assert tried["players"][0] == {"name": "Anna", "before": 1, "after": 0}
    refused = client.post("/api/try", json=correction(table, "Anna", 5, 4, 2)).get_json()
    assert (refused["refused"]["code"], refused["texts"]) == ("unchanged", [])
    assert table.entries() == before


# In a real browser


@pytest.mark.slow
def test_a_correction_at_the_desk_by_keyboard_changes_the_deckel_on_another_page(
    chromium: webdriver.Chrome, start: Callable[..., Server], table: DeskTable, tmp_path: Path
):
    dispute(table)
    server = start(table.served, EVIDENCE_DIR=str(tmp_path))
    wall = chromium.current_window_handle
    page = Page(chromium, server.url + "tv")
    assert page.deckel() == {"Anna": 1, "Ben": 0, "Cem": 1}
    chromium.switch_to.new_window("tab")
    try:
        desk = Page(chromium, server.url)
        desk.sign_in("referee")
        desk = Page(chromium, server.url + "referee")
        by_keyboard(desk, table)
        desk.wait(lambda: table.cases() == [], "the case is closed")
        desk.wait(lambda: desk.is_shown(".referee-desk .idle"), "nothing is open any more")
        assert desk.complaints() == []
        chromium.switch_to.window(wall)
        after = {"Anna": 0, "Ben": 1, "Cem": 1}
        page.wait(lambda: page.deckel() == after, "the Deckel on the wall")
        page.wait(lambda: page.is_shown("#ruling"), "the ruling is told")
        assert "Ben: 1 Deckel statt 0." in page.one("#ruling").text
        page.one("#ruling").click()
        table.game.note("note", {})
        last = [str(table.entries()[-1].seq)]
        page.wait(lambda: page.attributes(".wall", "data-seq") == last, "another event")
        assert not page.is_shown("#ruling"), "told once"
        assert page.browser.execute_script("return window.notReloaded") is True
    finally:
        for handle in chromium.window_handles:
            if handle != wall:
                chromium.switch_to.window(handle)
                chromium.close()
        chromium.switch_to.window(wall)
    assert table.last("throw_corrected")["reason"] == "Im Film ist es eine Drei"
    assert table.last("case.closed")["verdict"] == "ruled"


def by_keyboard(desk: Page, table: DeskTable) -> None:
    """Correct the disputed 5-4-2 to 6-5-3 with Tab, arrows, digits and Enter alone."""

    def active() -> Any:
        return desk.browser.switch_to.active_element

    def focus(wanted: Callable[[Any], bool], what: str) -> None:
        for _ in range(80):
            if wanted(active()):
                return
            active().send_keys(Keys.TAB)
        raise AssertionError(f"{what} cannot be reached by Tab")

    focus(lambda e: e.get_attribute("name") == "way", "the ways to decide")
    active().send_keys(Keys.ARROW_DOWN)
    assert active().get_attribute("value") == "correct"
    desk.wait(lambda: desk.is_shown("#desk-slot-1"), "the dice")
    focus(lambda e: e.get_attribute("id") == "desk-slot-1", "the first die")
    active().send_keys(Keys.BACKSPACE, Keys.BACKSPACE, Keys.BACKSPACE)
    desk.wait(lambda: not desk.one("#decide-send").is_enabled(), "a die is missing")
    active().send_keys("6", "5", "3")
    lost = "1. Hälfte, Runde 1: Ben bekommt 1 Deckel."
    desk.wait(lambda: lost in desk.one(".changes").text, "what it would change")
    rows = [row.text for row in desk.all(".standing tbody tr")]
    assert rows == ["Anna 1 0", "Ben 0 1", "Cem 1 1", "Stock 11 11"]
    focus(lambda e: e.get_attribute("name") == "reason", "the reason")
    active().send_keys(Keys.ENTER)
    desk.wait(lambda: desk.is_shown(".decide .refusal"), "a reason is asked for")
    table.game.note("note", {})
    desk.wait(lambda: desk.seq() == table.entries()[-1].seq, "an event meanwhile")
    active().send_keys("Im Film ist es eine Drei", Keys.ENTER)


@pytest.mark.slow
def test_still_and_clip_are_looked_into(
    chromium: webdriver.Chrome, start: Callable[..., Server], table: DeskTable, tmp_path: Path
):
    table.see("throw_seen", (6, 5, 4), clip=True)
    server = start(table.served, EVIDENCE_DIR=str(tmp_path))
    desk = Page(chromium, server.url)
    desk.sign_in("referee")
    number = thrown_by(table, "Anna")["throw_id"]
    desk = Page(chromium, f"{server.url}referee?item=throw-{number}")
    assert len(desk.all(".boxes rect")) == 3
    desk.one("#tool-boxes").click()
    assert not desk.is_shown(".boxes")
    desk.one("#tool-in").click()
    desk.one("#tool-in").click()
    assert desk.one(".zoom-shown").text == "2×"
    desk.one("#tool-film").click()
    film = "return document.querySelector('video')"
    desk.wait(lambda: desk.browser.execute_script(f"{film}.readyState >= 2"), "the clip")
    desk.one("#film-at").send_keys(Keys.HOME)
    desk.wait(lambda: desk.browser.execute_script(f"{film}.currentTime") == 0, "its beginning")
    desk.one("#film-on").click()
    desk.wait(lambda: 0.05 < desk.browser.execute_script(f"{film}.currentTime") < 0.12, "one on")
    desk.one("#film-speed-1").click()
    desk.one("#film-play").click()
    desk.wait(lambda: not desk.browser.execute_script(f"{film}.paused"), "it plays")
    assert desk.browser.execute_script(f"{film}.playbackRate") == 0.25
    assert desk.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1280, 800)])
def test_nothing_sticks_out(
    chromium: webdriver.Chrome,
    start: Callable[..., Server],
    table: DeskTable,
    tmp_path: Path,
    size: tuple[int, int],
):
    dispute(table)
    server = start(table.served, EVIDENCE_DIR=str(tmp_path))
    page = Page(chromium, server.url)
    page.sign_in("referee")
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": True}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        Page(chromium, server.url + "referee?lang=en")
        wide = chromium.execute_script("return document.documentElement.scrollWidth")
        assert wide <= size[0]
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
