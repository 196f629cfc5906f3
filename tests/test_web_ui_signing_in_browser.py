"""Signing in with the keyboard alone in a real browser, under the real policies of the page."""

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from test_web_ui_table import Table
from web_ui_access import PINS
from web_ui_page import PATIENCE_S, Page, Server

pytestmark = pytest.mark.slow


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server(Table(), TABLE_NEEDS_PIN=True)
    running.table.ask("q1")
    yield running
    running.stop()


def press(page: Page, *keys: str) -> None:
    ActionChains(page.browser).send_keys(*keys).perform()


def test_a_device_signs_in_by_keyboard_and_then_answers(
    chromium: webdriver.Chrome,
    server: Server,
):
    page = Page(chromium, server.url + "?lang=en")
    page.tap(".confirm")
    page.wait(lambda: page.is_shown(".refusal a"), "the way to sign in")
    assert page.text(".refusal") == "You have to be signed in for that. Sign in"
    assert server.table.submitted == []
    page.browser.execute_script("document.querySelector('.refusal a').focus()")
    press(page, Keys.ENTER)
    page.wait(lambda: page.is_shown("[name=pin]"), "the form")
    assert page.is_focused("[name=pin]")
    press(page, "1111", Keys.ENTER)
    page.wait(lambda: page.is_shown("#reason"), "that it is wrong")
    assert page.text("#reason") == "The PIN is wrong."
    press(page, PINS["table"], Keys.ENTER)
    page.wait(lambda: page.is_shown("#board"), "the dashboard")
    assert page.text("a.account") == "Table"
    page.tap(".confirm")
    page.wait(lambda: not page.all("[data-question]"), "the question is gone")
    assert [action["type"] for action in server.table.submitted] == ["answer_question"]
    policy = [line for line in page.complaints() if "Security Policy" in line["message"]]
    assert policy == []


def test_the_forms_work_without_javascript(
    chromium: webdriver.Chrome,
    server: Server,
):
    chromium.get("about:blank")
    chromium.delete_all_cookies()
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        chromium.get(server.url + "signin?role=admin&next=/pins")
        send_pin(chromium, PINS["admin"], "h1", "PINs ändern")
        send_pin(chromium, "8642", "main", "Die PIN ist gesetzt: Tisch.")
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def send_pin(chromium: webdriver.Chrome, pin: str, tag: str, says: str) -> None:
    """Without a script: the browser loads the answer as a new page, in its own time."""
    chromium.find_element("name", "pin").send_keys(pin + "\n")
    waiting = WebDriverWait(chromium, PATIENCE_S, ignored_exceptions=[WebDriverException])
    waiting.until(lambda page: says in page.find_element("tag name", tag).text, message=says)


@pytest.mark.parametrize("width", [320, 1280])
def test_the_form_fits_on_a_phone(
    chromium: webdriver.Chrome,
    server: Server,
    width: int,
):
    size = {"width": width, "height": 640, "deviceScaleFactor": 1, "mobile": width < 800}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        chromium.get(server.url + "signin")
        assert chromium.execute_script("return document.documentElement.scrollWidth") <= width
        box = chromium.find_element("css selector", ".send").rect
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 640, "without scrolling"
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
