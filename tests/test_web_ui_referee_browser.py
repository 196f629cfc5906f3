"""The referee's desk in a real browser: by keyboard, with a clip, beside the screen on the wall."""

from collections.abc import Callable
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from web_ui_desk import DeskTable, dispute, first_round, thrown_by
from web_ui_page import Page, Server, more_tabs

pytestmark = pytest.mark.slow


@pytest.fixture
def table(tmp_path: Path) -> DeskTable:
    """After the first round, which Anna has lost with 5-4-2."""
    return first_round(DeskTable("Anna", "Ben", "Cem", folder=tmp_path))


def test_a_correction_at_the_desk_by_keyboard_changes_the_deckel_on_another_page(
    chromium: webdriver.Chrome, start: Callable[..., Server], table: DeskTable, tmp_path: Path
):
    dispute(table)
    server = start(table.served, EVIDENCE_DIR=str(tmp_path))
    page = Page(chromium, server.url + "tv")
    assert page.deckel() == {"Anna": 1, "Ben": 0, "Cem": 1}
    with more_tabs(chromium) as wall:
        chromium.switch_to.new_window("tab")
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
        page.tap("#ruling")
        table.game.note("note", {})
        last = [str(table.entries()[-1].seq)]
        page.wait(lambda: page.attributes(".wall", "data-seq") == last, "another event")
        assert not page.is_shown("#ruling"), "told once"
        assert page.browser.execute_script("return window.notReloaded") is True
    assert table.last("throw_corrected")["reason"] == "Im Film ist es eine Drei"
    assert table.last("case.closed")["verdict"] == "ruled"


def by_keyboard(desk: Page, table: DeskTable) -> None:
    """Correct the disputed 5-4-2 to 6-5-3 with Tab, arrows, digits and Enter alone."""

    desk.tab_to("[name=way]")
    desk.keys(Keys.ARROW_DOWN)
    assert desk.is_focused("[value=correct]")
    desk.wait(lambda: desk.is_shown("#desk-slot-1"), "the dice")
    desk.tab_to("#desk-slot-1")
    desk.keys(Keys.BACKSPACE, Keys.BACKSPACE, Keys.BACKSPACE)
    desk.wait(lambda: not desk.one("#decide-send").is_enabled(), "a die is missing")
    desk.keys("6", "5", "3")
    lost = "1. Hälfte, Runde 1: Ben bekommt 1 Deckel."
    desk.wait(lambda: lost in desk.one(".changes").text, "what it would change")
    rows = [row.text for row in desk.all(".standing tbody tr")]
    assert rows == ["Anna 1 0", "Ben 0 1", "Cem 1 1", "Stock 11 11"]
    desk.tab_to("[name=reason]")
    desk.keys(Keys.ENTER)
    desk.wait(lambda: desk.is_shown(".decide .refusal"), "a reason is asked for")
    table.game.note("note", {})
    desk.wait(lambda: desk.seq() == table.entries()[-1].seq, "an event meanwhile")
    desk.keys("Im Film ist es eine Drei", Keys.ENTER)


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
    desk.tap("#tool-boxes")
    assert not desk.is_shown(".boxes")
    desk.tap("#tool-in")
    desk.tap("#tool-in")
    assert desk.one(".zoom-shown").text == "2×"
    desk.tap("#tool-film")
    film = "return document.querySelector('video')"
    desk.wait(lambda: desk.browser.execute_script(f"{film}.readyState >= 2"), "the clip")
    desk.type_in("#film-at", Keys.HOME)
    desk.wait(lambda: desk.browser.execute_script(f"{film}.currentTime") == 0, "its beginning")
    desk.tap("#film-on")
    desk.wait(lambda: 0.05 < desk.browser.execute_script(f"{film}.currentTime") < 0.12, "one on")
    desk.tap("#film-speed-1")
    desk.tap("#film-play")
    desk.wait(lambda: not desk.browser.execute_script(f"{film}.paused"), "it plays")
    assert desk.browser.execute_script(f"{film}.playbackRate") == 0.25
    assert desk.complaints() == []


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
