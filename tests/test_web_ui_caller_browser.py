"""The voice caller and the sounds of the wall screen in headless Chromium."""

from collections.abc import Iterator

import pytest
from selenium import webdriver
from test_web_ui_table import Table
from web_ui_page import Page, StartServer, press

from rules.actions import StopTurn, ThrowDice

pytestmark = pytest.mark.slow

SILENT_VOICE = """
  window.said = [];
  window.voices = [{ lang: "de-DE", localService: true, name: "Test" }];
  speechSynthesis.getVoices = () => window.voices;
  speechSynthesis.speak = (words) => window.said.push(words.text);
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""
"""Stands in for the machine's voices: a headless browser has none, and nobody is to be woken."""


@pytest.fixture
def voice(chromium: webdriver.Chrome) -> Iterator[None]:
    added = chromium.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": SILENT_VOICE}
    )
    yield
    chromium.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def said(page: Page) -> list[str]:
    return list(page.browser.execute_script("return window.said"))


@pytest.mark.usefixtures("voice")
def test_the_voice_is_off_until_switched_on_and_says_each_result_once(
    chromium: webdriver.Chrome, start: StartServer
):
    table = Table()
    table.play_opening()
    server = start(table)
    page = Page(chromium, server.url + "tv")
    table.do(ThrowDice("Cem", (6, 5, 2)), StopTurn("Cem"))
    page.wait(lambda: page.attributes(".wall", "data-seq") == [str(table.last_seq())], "the stop")
    assert said(page) == []
    press(page, "a")
    assert page.attributes("[data-switch='voice']", "data-state") == ["on"]
    table.do(ThrowDice("Anna", (4, 1, 1)), StopTurn("Anna"))
    page.wait(lambda: said(page) == ["Anna: Schock Vier aus der Hand"], "the result")
    server.stop()
    page.wait(lambda: page.is_shown("#connection"), "the banner")
    table.submit({"type": "take_back", "by": "Ute"})
    server.start()
    table.do(StopTurn("Anna"))
    page.wait(lambda: page.attributes(".wall", "data-seq") == [str(table.last_seq())], "all of it")
    assert said(page) == ["Anna: Schock Vier aus der Hand"], "neither reconnecting nor recounting"
    page = Page(chromium, server.url + "tv")
    assert page.attributes("[data-switch='voice']", "aria-pressed") == ["true"], "remembered"
    assert said(page) == [], "what is past is not told to a new page"
    press(page, "a")
    assert page.attributes("[data-switch='voice']", "aria-pressed") == ["false"]


@pytest.mark.usefixtures("voice")
def test_a_machine_without_a_german_voice_says_so(chromium: webdriver.Chrome, start: StartServer):
    page = Page(chromium, start(Table()).url + "tv")
    page.browser.execute_script("window.voices = [{ lang: 'de-DE', localService: false }]")
    press(page, "a")
    assert page.attributes("[data-switch='voice']", "data-state") == ["missing"]
    assert "fehlt eine deutsche Stimme" in page.text("[data-switch='voice']")
    page.wait(lambda: page.is_shown("#controls"), "the controls, which fade in")
    press(page, "a")


def test_sounds_are_made_by_the_page_and_break_nothing(
    chromium: webdriver.Chrome, start: StartServer
):
    table = Table()
    table.play_opening()
    page = Page(chromium, start(table).url + "tv")
    press(page, "t")
    table.do(ThrowDice("Cem", (1, 1, 1)))
    page.wait(lambda: page.is_shown("#celebration"), "the celebration")
    press(page, "t")
    assert page.complaints() == []
