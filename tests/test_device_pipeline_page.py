"""From what the camera saw to the page and back: cases, questions and what waits, over HTTP."""

import json
import re
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask.testing import FlaskClient
from pipeline_table import Table
from selenium import webdriver
from web_ui_access import acting_client
from web_ui_page import Page, Server

from device.pipeline import BURNS, THROWS
from device.store import MemoryLog
from rules.library import find_book
from web_ui.projection import Projection


@pytest.fixture
def table() -> Table:
    table = Table(book="blog2019")
    table.lead()
    return table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return acting_client(table.log, table.pipeline.submit)


def packed_up(table: Table) -> str:
    """A turns a six and takes all dice away instead of throwing on."""
    table.throw(6, 6, 2)
    table.say("turned", (1,), (1,))
    table.say("cleared")
    return table.pipeline.desk.cases[0].case_id


def test_a_case_is_on_the_page_in_both_languages_and_in_the_state(
    table: Table, client: FlaskClient
) -> None:
    case_id = packed_up(table)
    page = client.get("/").text
    assert "Für den Schiedsrichter: A, Runde 1" in page
    section = find_book("blog2019").cite("further_throw")
    assert f"A hat die Würfel weggenommen, bevor es an der Zeit war. ({section})" in page
    assert re.search(r"Folge: Die Runde ist verloren\.\s*\(002 L116\)", page)
    assert "A has taken the dice away before it was time." in client.get("/?lang=en").text
    (case,) = client.get("/api/state").get_json()["cases"]
    with client.get("/api/openapi.json") as response:
        described = json.loads(response.data)["components"]["schemas"]["Case"]
    of_facts = {"seq", "t_s", "evidence_s"}
    assert set(described["required"]) | of_facts == set(case)
    assert case["kind"] in described["properties"]["kind"]["enum"]
    assert (case["case_id"], case["fault"]) == (case_id, "pack_early")


def test_the_referee_rules_with_one_tap(table: Table, client: FlaskClient) -> None:
    ruling = {"type": "rule_case", "case_id": packed_up(table), "verdict": "fault", "by": " Ute "}
    assert client.post("/api/actions", json=ruling).status_code == 200
    state = client.get("/api/state").get_json()
    assert state["cases"] == []
    assert state["match"]["turn"]["player"] == "B"
    assert state["entries"][0]["text"] == "Ute entscheidet gegen A: So war es."
    again = client.post("/api/actions", json=ruling)
    assert (again.status_code, again.get_json()["error"]["code"]) == (409, "no_such_case")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"case_id": 5}, "bad_case_id"),
        ({"verdict": "won"}, "bad_verdict"),
        ({"verdict": None}, "bad_verdict"),
        ({"by": " "}, "bad_by"),
    ],
)
def test_a_ruling_that_is_none_is_explained(
    client: FlaskClient, change: dict[str, object], code: str
) -> None:
    ruling = {"type": "rule_case", "case_id": "x", "verdict": "fault", "by": "Ute"}
    response = client.post("/api/actions", json=ruling | change)
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, code)


def test_the_page_tells_how_much_waits(table: Table, client: FlaskClient) -> None:
    table.say("unsure", (6, 5, 4), reason="kind")
    assert "data-waiting" not in client.get("/").text
    table.throw(6, 5, 3, clear=True)
    table.throw(6, 5, 2)
    assert "Inzwischen 2 weitere Würfe gesehen" in client.get("/").text
    assert len(client.get("/api/state").get_json()["waiting"]) == 2
    table.answer(verdict="no_throw")
    assert "data-waiting" not in client.get("/").text


def waiting(table: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The throws that wait by the pipeline, and by the page."""
    desk = table.pipeline.desk.waiting
    throws = tuple(seen.seq for seen in desk if seen.event.type in THROWS | BURNS)
    return throws, Projection(table.log, log_lines=5).board().waiting


def unread(table: Table) -> None:
    """A round of three whose dice nobody could read; two throws of the next wait for it."""
    table.lead()
    for _ in table.players:
        table.say("unsure", (6, 5, 4), reason="values")
        table.say("cleared")
    for _ in range(2):
        table.throw(6, 5, 2, clear=True)


def test_what_waits_for_a_showdown_is_told_as_well() -> None:
    table = Table()
    unread(table)
    throws, told = waiting(table)
    assert len(throws) == 2
    assert told == throws
    for _ in table.pipeline.desk.questions:
        table.answer(dice=[6, 5, 4])
    assert waiting(table)[0] == waiting(table)[1]


def test_what_is_not_counted_any_more_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    table.opening()
    table.say("unsure", (6, 5, 4), reason="kind")
    monkeypatch.setattr("device.pipeline.MOST_WAITING", 2)
    for _ in range(4):
        table.say("throw_seen", (6, 5, 2))
    throws, told = waiting(table)
    assert (len(throws), told) == (2, throws)


def test_a_log_of_before_tells_what_waits_once_it_is_taken_up_again() -> None:
    table = Table()
    table.opening()
    table.say("unsure", (6, 5, 4), reason="kind")
    table.throw(6, 5, 2)
    older = MemoryLog()
    for entry in table.entries():
        if entry.type != "waits":
            older.append(entry.type, entry.data, at_s=entry.at_s)
    table.log = older
    table.switch_on()
    throws, told = waiting(table)
    assert (len(throws), told) == (1, throws)
    length = len(table.entries())
    table.switch_on()
    assert len(table.entries()) == length, "said once"


def test_a_question_offers_only_what_it_can_be_answered_with(client: FlaskClient) -> None:
    table = Table(book="turnier")
    table.lead()
    client = acting_client(table.log, table.pipeline.submit)
    table.say("unsure", (6, 5, 4), reason="values")
    page = client.get("/").text
    assert re.findall(r'data-verdict="(\w+)"', page) == ["burning", "no_throw"]
    table.say("cleared")
    table.throw(6, 5, 3, clear=True)
    page = client.get("/").text
    assert re.findall(r'data-verdict="(\w+)"', page) == ["burning"]
    assert "Das Spiel geht inzwischen weiter" in page


def test_the_table_is_asked_for_a_repeat_with_the_section(
    table: Table, client: FlaskClient
) -> None:
    table.say("tower", (6,))
    assert "Türmchen: bitte noch einmal werfen (002 L402" in client.get("/").text
    table.throw(6, 5, 4)
    assert "bitte noch einmal werfen" not in client.get("/").text


@pytest.mark.slow
def test_a_case_is_ruled_on_with_a_tap_and_a_refusal_stays_to_be_read(
    chromium: webdriver.Chrome,
) -> None:
    table = Table(book="statuten")
    table.lead()
    for dice in ((6, 5, 4), (6, 5, 3)):
        table.throw(*dice, clear=True)
    table.throw(6, 6, 5)
    table.throw(6, 6, 4)
    shown = SimpleNamespace(log=table.log, submit=table.pipeline.submit)
    server = Server(cast(Any, shown))
    try:
        page = Page(chromium, server.url)
        page.tap("[data-verdict='too_many_throws']")
        page.wait(lambda: page.is_shown("[data-case]"), "the case")
        page.tap("[data-ruling='fault']")
        page.wait(lambda: page.is_shown("[data-case] .refusal"), "that it needs a referee")
        assert "muss man angemeldet sein" in page.text("[data-case] .refusal")
        page.sign_in("referee")
        page.tap("[data-ruling='fault']")
        page.wait(lambda: page.is_shown("[data-case] .refusal"), "why it is too late")
        assert "ist vorbei" in page.text("[data-case] .refusal")
        page.tap("[data-ruling='dismissed']")
        page.wait(lambda: not page.all("[data-case]"), "the case is gone")
    finally:
        server.stop()
    assert table.last("case.closed")["by"] == "am Bildschirm"
