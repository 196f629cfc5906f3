"""A table whose settings are broken, started as a service is: mended in a browser, it plays on."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from device_process import Process
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.support.ui import WebDriverWait
from test_device_restart_browser import NO_CAMERA, START_S, enter, places
from web_ui_page import Page

from device.settings import load_settings
from device.settings_file import SettingsFile
from device.store import SqliteLog

pytestmark = pytest.mark.slow

GOOD = f"""\
# Unser Tisch
[game]
players = ["Anna", "Ben", "Cem"]  # im Uhrzeigersinn
[table]
source = "{NO_CAMERA}"
[store]
path = "evening.sqlite3"
"""
BAD = GOOD.replace('players = ["Anna"', 'plaiers = ["Anna"').replace('"evening', "= 'evening")


SAFE = "[data-safe=broken]"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(GOOD, encoding="utf-8")
    SettingsFile(path).change({"web.table_name": "Ecke"}, by="Wirt", at_s=5.0)
    return path


@pytest.fixture
def appliance(tmp_path: Path, path: Path) -> Iterator[Process]:
    running = Process(tmp_path, "run", "--settings", path.name)
    yield running
    running.end()


def entries(tmp_path: Path) -> list[tuple[int, str]]:
    with SqliteLog(tmp_path / "evening.sqlite3") as log:
        return [(entry.seq, entry.type) for entry in log.read(0, 100_000)]


def open_page(chromium: webdriver.Chrome, url: str, selector: str) -> Page:
    """As soon as the appliance answers with what is looked for."""

    def loaded(browser: webdriver.Chrome) -> bool:
        browser.get(url)
        return bool(browser.find_elements("css selector", selector))

    waiting = WebDriverWait(chromium, START_S, ignored_exceptions=[WebDriverException])
    waiting.until(loaded, message=selector)
    return Page(chromium, url)


def start_with(appliance: Process, path: Path, text: str) -> None:
    """Pull the plug, break the file, and switch it on again."""
    appliance.end(signal.SIGKILL)
    path.write_text(text, encoding="utf-8")
    appliance.start()


def test_an_evening_goes_on_after_its_settings_were_broken_and_mended(
    chromium: webdriver.Chrome, appliance: Process, path: Path, tmp_path: Path
) -> None:
    appliance.start()
    page = open_page(chromium, appliance.url, "#board")
    page.sign_in("admin", appliance.first_pin)
    page = Page(chromium, appliance.url + "table")
    enter(page, "652")
    good = path.read_text(encoding="utf-8")
    start_with(appliance, path, BAD)
    before = entries(tmp_path)

    page = open_page(chromium, appliance.url + "table", SAFE)
    assert page.texts("h1") == ["Abgesicherter Betrieb"]
    told = page.texts(".mistakes li")
    assert [line.split(":")[0] for line in told] == ["Zeile 3", "Zeile 7"]
    assert "Gemeint ist vielleicht game.players." in told[0]
    page.wait(lambda: page.is_shown("textarea"), "the landlord is still signed in, by his cookie")
    page.browser.execute_script("document.querySelector('textarea').value = arguments[0]", "[web")
    page.tap(".send")
    page.wait(lambda: "nichts wurde geschrieben" in page.text("#reason"), "that it is still wrong")
    typed = page.browser.execute_script("return document.querySelector('textarea').value")
    assert typed == "[web"
    assert path.read_text(encoding="utf-8") == BAD
    assert entries(tmp_path) == before, "the evening was not touched"

    page.browser.execute_script("document.querySelector('textarea').value = arguments[0]", good)
    page.tap(".send")
    page.wait(lambda: bool(page.all("#board")), "the table has started by itself", START_S)
    page = Page(chromium, appliance.url + "table")
    page.wait(lambda: places(page) == ["0"] * 3, "the round goes on")
    enter(page, "651")
    assert load_settings(path)["web.table_name"] == "Ecke"
    now = entries(tmp_path)
    assert now[: len(before)] == before
    assert "settings.changed" in [kind for _, kind in now[len(before) :]]
    complaints = [line for line in page.complaints() if "Security Policy" in line["message"]]
    assert complaints == []


def test_without_javascript_an_earlier_version_is_taken_back(
    chromium: webdriver.Chrome, appliance: Process, path: Path
) -> None:
    path.write_text(BAD.replace("[store]", "\0"), encoding="utf-8")
    appliance.start()
    open_page(chromium, appliance.url, SAFE)
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        chromium.get(appliance.url)
        chromium.find_element("css selector", "a[href*='role=admin']").click()
        chromium.find_element("name", "pin").send_keys(appliance.first_pin + "\n")
        shown = Page.__new__(Page)
        shown.browser = chromium
        shown.wait(lambda: shown.is_shown("button[name=version][value='2']"), "the versions")
        shown.tap("button[name=version][value='2']")
        shown.wait(lambda: "Der Tisch wird gestartet" in chromium.page_source, "the start")
        shown.wait(lambda: load_settings(path)["web.table_name"] == "Ecke", "the file")
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    open_page(chromium, appliance.url, "#board")
