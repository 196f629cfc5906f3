"""Beginning an evening in a real browser: by taps, with and without JavaScript."""

from collections.abc import Callable

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from web_ui_desk import DeskTable, first_round
from web_ui_page import PATIENCE_S, Page, Server, press

pytestmark = pytest.mark.slow

NAMES = "input[name=player]"


def open_start(page: Page, url: str) -> None:
    """The page has no live view; it is there at once."""
    page.browser.get(url + "start")
    page.wait(lambda: page.is_shown("#start"), "the form")
    page.browser.execute_script("window.notReloaded = true")


def seated(page: Page) -> list[str]:
    return [name for name in page.each(NAMES, "it.value") if name]


def tap_value(page: Page, value: str) -> None:
    page.tap(f"#start button[value='{value}']")


def test_from_nothing_to_the_first_throw_by_taps(
    chromium: webdriver.Chrome, start: Callable[..., Server]
):
    table = DeskTable("Anna", "Ben", "Cem")
    server = start(table.served)
    page = Page(chromium, server.url)
    open_start(page, server.url)
    assert seated(page) == []
    tap_value(page, "tap:Cem")
    page.wait(lambda: seated(page) == ["Cem"], "Cem sits")
    assert page.is_focused("button[value='tap:Cem']")
    page.type_in(f"{NAMES}:placeholder-shown", "Dora\n")
    page.keys("Emil")  # before the answer, or after it
    page.wait(lambda: page.is_shown("button[value='up:1']"), "Dora sits")
    page.wait(lambda: seated(page) == ["Cem", "Dora", "Emil"], "Emil is kept")
    tap_value(page, "up:1")
    page.wait(lambda: seated(page) == ["Dora", "Cem", "Emil"], "Dora leads")
    assert page.browser.execute_script("return window.notReloaded") is True
    page.tap("[name=book][value=jule]")
    tap_value(page, "start")
    page.wait(lambda: page.is_shown("#hand"), "the table")
    assert table.game.match.players == ("Dora", "Cem", "Emil")
    assert table.game.match.book.key == "jule"
    page.wait(lambda: not page.is_shown("#connection"), "the stream is open")
    press(page, "4")
    press(page, "\ue007")
    page.wait(lambda: table.state["throws"] != [], "the first throw")
    assert page.complaints() == []


def names_on(chromium: webdriver.Chrome) -> list[str]:
    """What stands in the form."""
    places = chromium.find_elements(By.CSS_SELECTOR, NAMES)
    return [str(place.get_attribute("value")) for place in places]


def test_the_next_evening_without_a_script_and_a_phone_needs_no_sideways_scrolling(
    chromium: webdriver.Chrome, start: Callable[..., Server]
):
    table = first_round(DeskTable("Anna", "Ben", "Cem"))
    table.act({"type": "abandon", "by": "R", "reason": "Feierabend"})
    server = start(table.served)
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    phone = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": False}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        chromium.get(server.url + "start?lang=en")
        chromium.find_element(By.CSS_SELECTOR, "button[value='tap:Ben']").click()
        waiting = WebDriverWait(chromium, PATIENCE_S, ignored_exceptions=[WebDriverException])
        waiting.until(lambda page: names_on(page)[:2] == ["Anna", "Cem"], "the form comes anew")
        wide = chromium.find_element(By.CSS_SELECTOR, "html").get_property("scrollWidth")
        assert wide <= 360
        chromium.find_element(By.CSS_SELECTOR, "button[value=start]").click()
        waiting.until(lambda page: page.current_url.endswith("/table?lang=en"), "the table")
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert table.game.match.players == ("Anna", "Cem")
    assert not table.game.match.is_over
