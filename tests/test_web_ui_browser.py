"""The page in a real browser: headless Chromium, a real server, a log that grows meanwhile."""

from collections.abc import Iterator

import pytest
from selenium import webdriver
from test_web_ui_table import Table
from web_ui_page import Page, Server

from rules.actions import ThrowDice

pytestmark = pytest.mark.slow


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def server(table: Table) -> Iterator[Server]:
    running = Server(table)
    yield running
    running.stop()


def last_seq(table: Table) -> int:
    return len(table.log.read(0, 100_000))


def test_deckel_on_the_page_change_without_a_reload(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    page = Page(chromium, server.url)
    assert page.deckel() == {"Anna": 0, "Ben": 0, "Cem": 0}
    assert page.stock() == 13
    table.play_opening()
    page.wait(lambda: page.deckel() == {"Anna": 0, "Ben": 0, "Cem": 1}, "the opening's Deckel")
    assert page.stock() == 12
    assert page.attributes("#board .board", "data-turn") == ["Cem"]
    table.play_round()
    page.wait(lambda: page.seq() == last_seq(table), "the last entry")
    assert page.deckel() == dict(table.match.holdings)
    assert len(page.all("[data-player='Ben'] .deckel")) == 4
    assert page.browser.execute_script("return window.notReloaded") is True
    assert page.complaints() == []


def test_a_log_that_takes_nothing_is_told_on_open_pages_at_once_and_taken_back(
    chromium: webdriver.Chrome, table: Table
):
    """No entry can tell of it."""
    alarm = {"what": "log", "text_de": "Nichts geht mehr.", "text_en": "Nothing works any more."}
    alarms: list[dict[str, str]] = []
    table.alarms = lambda: tuple(alarms)  # type: ignore[attr-defined]
    running = Server(table)
    try:
        page = Page(chromium, running.url)
        shown = "[data-fault=log]"
        assert page.texts(shown) == []
        alarms.append(alarm)
        page.wait(lambda: "Nichts geht mehr." in "".join(page.texts(shown)), "the alarm")
        alarms.clear()
        page.wait(lambda: page.texts(shown) == [], "it is over")
        assert page.browser.execute_script("return window.notReloaded") is True
    finally:
        running.stop()


def test_a_burst_of_events_ends_in_the_right_state(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    page = Page(chromium, server.url)
    table.play_opening()
    for number in range(300):
        table.log.append("note", {"n": number})
    page.wait(lambda: page.seq() == last_seq(table), "the last of 300 entries")
    fetches = "return performance.getEntriesByType('resource').filter(e => /board\\?/.test(e.name))"
    assert len(page.browser.execute_script(fetches)) < 60, "events are gathered into few fetches"


def test_an_unsure_throw_is_corrected_and_confirmed_by_taps(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    page = Page(chromium, server.url)
    table.ask("q1")
    page.wait(lambda: page.is_shown("[data-question='q1']"), "the question")
    assert page.answer() == ["6", "5", "2"]
    page.tap(".candidate", 1)
    assert page.answer() == ["6", "6", "2"]
    page.tap(".answer-die", 0)
    page.tap(".answer-die", 2)
    assert page.answer() == ["1", "6", "3"]
    assert page.text(".confirm").endswith("1-6-3")
    table.log.append("note", {})
    page.wait(lambda: page.seq() == last_seq(table), "another event meanwhile")
    assert page.answer() == ["1", "6", "3"], "what is being answered stays under the finger"
    page.tap(".confirm")
    page.wait(lambda: not page.all("[data-question]"), "the question is gone")
    assert table.submitted == [
        {
            "type": "answer_question",
            "question_id": "q1",
            "dice": [1, 6, 3],
            "by": "am Bildschirm",
        }
    ]
    page.wait(lambda: page.attributes(".board", "data-turn") == ["Ben"], "Ben's turn")
    assert page.complaints() == []


def test_a_question_about_no_throw_at_all_is_answered_with_one_tap(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    table.ask("q1")
    page = Page(chromium, server.url)
    assert page.texts(".verdict") == [
        "Brennt: noch einmal werfen",
        "Kein Wurf",
    ]
    page.tap(".verdict", 1)
    page.wait(lambda: not page.all("[data-question]"), "the question is gone")
    assert table.submitted == [
        {
            "type": "answer_question",
            "question_id": "q1",
            "verdict": "no_throw",
            "by": "am Bildschirm",
        }
    ]
    page.wait(lambda: "Das war kein Wurf" in page.text(".log"), "the line in the log")


def test_a_die_the_camera_did_not_see_must_be_said_before_confirming(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    table.ask("q1", dice=[6, 5], candidates=[])
    page = Page(chromium, server.url)
    assert page.answer() == ["6", "5", "0"]
    assert not page.is_enabled(".confirm")
    page.tap(".answer-die", 2)
    assert page.answer() == ["6", "5", "1"]
    assert page.is_enabled(".confirm")


def test_a_refused_answer_says_why_in_the_language_of_the_page(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    table.ask("q1")
    page = Page(chromium, server.url + "?lang=en")
    table.open_questions = set  # type: ignore[method-assign,assignment]  # the table has let go of it
    page.tap(".confirm")
    page.wait(lambda: page.is_shown(".refusal"), "the reason")
    assert page.text(".refusal") == "This question is no longer open."
    assert page.is_enabled(".confirm")


def test_after_a_restart_of_the_server_nothing_is_missing(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    page = Page(chromium, server.url)
    server.stop()
    page.wait(lambda: page.is_shown("#connection"), "the banner")
    table.play_opening()
    server.start()
    page.wait(lambda: not page.is_shown("#connection"), "the banner is gone")
    page.wait(lambda: page.deckel() == {"Anna": 0, "Ben": 0, "Cem": 1}, "what happened meanwhile")
    assert page.browser.execute_script("return window.notReloaded") is True


def test_a_script_in_a_name_does_not_run(
    chromium: webdriver.Chrome,
):
    name = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>"
    table = Table([name, "Ben"])
    server = Server(table)
    try:
        page = Page(chromium, server.url)
        table.do(ThrowDice(name, (6, 5, 2)))
        page.wait(lambda: page.seq() == last_seq(table), "the throw")
        assert page.browser.execute_script("return window.hacked === undefined")
        assert name in page.deckel()
        assert not page.all("#board img")
    finally:
        server.stop()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (390, 844)])
def test_nothing_sticks_out_sideways(
    chromium: webdriver.Chrome, server: Server, table: Table, width: int, height: int
):
    table.play_opening()
    table.ask("q1")
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        Page(chromium, server.url)
        wide = chromium.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
