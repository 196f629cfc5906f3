"""The appliance's plug is pulled in the middle of a round; the pages come back by themselves."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from device_process import Process
from selenium import webdriver
from shipped_demo import open_page
from web_ui_page import Page, more_tabs, press

pytestmark = pytest.mark.slow

START_S = 60.0
NO_CAMERA = "camera:99"
"""The evening goes on by hand, and says that the camera is missing."""

OPENING = ("652", "651", "221")
ENTER = "\ue007"


@pytest.fixture
def appliance(tmp_path: Path) -> Iterator[Process]:
    players = ("Anna", "Ben", "Cem")
    words = ("run", "--source", NO_CAMERA, "--log", "evening.sqlite3", "--players", *players)
    running = Process(tmp_path, *words)
    running.start()
    yield running
    running.end()


def places(page: Page) -> list[str]:
    return page.attributes("#hand .slot", "data-value")


def dice_on(page: Page, where: str) -> list[str]:
    return page.attributes(f"{where} .die", "aria-label")


def enter(page: Page, dice: str) -> None:
    """By keys, as soon as so many dice can be entered."""
    before = page.seq()
    page.wait(lambda: places(page) == ["0"] * len(dice), f"places for {dice}")
    for value in dice:
        press(page, value)
    press(page, ENTER)
    page.wait(lambda: page.seq() > before and "0" in places(page), f"{dice} is entered")


def test_a_killed_appliance_takes_the_round_up_again_and_nobody_signs_in_anew(
    chromium: webdriver.Chrome, appliance: Process
) -> None:
    open_page(chromium, appliance.port)
    wall = Page(chromium, appliance.url + "tv")
    with more_tabs(chromium) as on_the_wall:
        chromium.switch_to.new_window("tab")
        page = Page(chromium, appliance.url)
        page.sign_in("admin", appliance.first_pin)
        page = Page(chromium, appliance.url + "table")
        page.wait(lambda: page.is_shown("[data-fault=camera]"), "that the camera is missing")
        for dice in OPENING:
            enter(page, dice)
        page.wait(lambda: page.attributes(".board", "data-turn") == ["Cem"], "Cem leads")
        enter(page, "641")
        press(page, "5")
        press(page, "4")
        assert places(page) == ["5", "4", "0"]

        appliance.end(signal.SIGKILL)
        page.wait(lambda: page.is_shown("#connection"), "the banner", START_S)
        appliance.start()
        page.wait(lambda: not page.is_shown("#connection"), "the banner is gone", START_S)
        assert places(page) == ["5", "4", "0"], "what was typed stays"
        assert page.deckel() == {"Anna": 0, "Ben": 0, "Cem": 1}
        page.wait(lambda: dice_on(page, ".turn") == ["6", "4", "1"], "the throw that was entered")
        press(page, "2")
        press(page, ENTER)
        thrown = ["5", "4", "2"]
        page.wait(lambda: dice_on(page, ".turn") == thrown, "the next throw, without another PIN")
        assert page.browser.execute_script("return window.notReloaded") is True

        chromium.switch_to.window(on_the_wall)
        wall.wait(lambda: not wall.is_shown("#connection"), "the wall is back", START_S)
        wall.wait(lambda: dice_on(wall, ".table-dice") == thrown, "the throw on the wall")
        assert wall.deckel() == {"Anna": 0, "Ben": 0, "Cem": 1}
        assert wall.browser.execute_script("return window.notReloaded") is True
