"""The page of health in a browser: it follows the appliance, and says when it cannot."""

from dataclasses import replace
from typing import Any

import pytest
from selenium import webdriver
from test_web_ui_table import Table
from web_ui_page import Page, StartServer
from web_ui_pages import SomeHealth

from web_ui.ports import HealthRow

STATE = "tr[data-check=temperature] .state"


class Health(SomeHealth):
    """The temperature is as the test says."""

    state = "good"

    def rows(self) -> list[HealthRow]:
        quiet = [replace(row, state="good") for row in super().rows()]
        return [replace(r, state=self.state) if r.key == "temperature" else r for r in quiet]


@pytest.mark.slow
def test_the_page_renews_itself_and_says_when_it_is_old(
    chromium: webdriver.Chrome, start: StartServer
) -> None:
    table: Any = Table()
    table.health = Health()
    server = start(table)
    page = Page(chromium, f"{server.url}health?lang=en")
    assert page.texts(STATE) == ["✓ good"]
    assert page.text(".whole") == "✓ Everything that is measured is good."
    table.health.state = "bad"
    page.wait(lambda: page.texts(STATE) == ["✕ bad"], "the new state")
    assert page.text(".whole") == "✕ One thing has to be put right."
    assert page.texts("tr[data-check=temperature] td:last-child") == ["Check cable and air."]
    server.stop()
    page.wait(lambda: page.is_shown("#connection"), "that the page is old")
    table.health.state = "unknown"
    server.start()
    page.wait(lambda: page.texts(STATE) == ["? unknown"], "the state after the restart")
    assert not page.is_shown("#connection")
    assert chromium.execute_script("return window.notReloaded"), "without loading the page anew"


@pytest.mark.slow
def test_the_way_there_and_the_other_language(
    chromium: webdriver.Chrome, start: StartServer
) -> None:
    table: Any = Table()
    table.health = Health()
    page = Page(chromium, start(table).url)
    page.tap(".pages a[href*='/health']")
    page.wait(lambda: page.text("h1") == "Wie es dem Gerät geht", "the page")
    page.tap(".languages a[lang=en]")
    page.wait(lambda: page.text("h1") == "How the appliance is", "English")
    assert page.texts("nav.pages [aria-current]") == ["Health"]
