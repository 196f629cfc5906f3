"""The shipped clip plays on the wall while the referee, at another browser, corrects a throw."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from device_process import Process
from selenium import webdriver
from shipped_demo import open_page
from web_ui_page import Page, start_chromium

from device import demo_material

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (demo_material.FOLDER / "clip.mp4").exists(),
        reason="no clip is shipped with the demo yet",
    ),
]

CLIP_S = 240.0
"""Patience with the clip: a slow machine reads every frame of it all the same."""

COUNT_TOLD = """
window.told = 0;
const ruling = document.getElementById("ruling");
new MutationObserver((changes) => {
  window.told += changes.filter((change) => change.oldValue !== null && !ruling.hidden).length;
}).observe(ruling, { attributes: true, attributeFilter: ["hidden"], attributeOldValue: true });
"""
"""Counts how often the page announces a ruling."""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Process]:
    """As `make demo` starts it, without opening a browser by itself."""
    running = Process(tmp_path, "demo", "--no-browser")
    running.start()
    yield running
    running.end()


@pytest.fixture
def referees_browser(tmp_path: Path) -> Iterator[webdriver.Chrome]:
    """A browser of its own: signed in there is not signed in on the wall."""
    browser = start_chromium(tmp_path / "referee")
    yield browser
    browser.quit()


def throws(page: Page) -> list[str]:
    """Whose throws the desk lists, latest first."""
    return page.texts(".desk-throws .throw b")


def seq(wall: Page) -> int:
    return int(wall.attributes(".wall", "data-seq")[0])


def test_a_correction_during_the_clip_moves_deckel_on_the_wall_and_is_told_once(
    chromium: webdriver.Chrome, referees_browser: webdriver.Chrome, demo: Process
) -> None:
    """C's straight 3-2-1 costs A two Deckel in the opening; as 6-6-5 it costs A one."""
    open_page(chromium, demo.port)
    wall = Page(chromium, demo.url + "tv")
    wall.browser.execute_script(COUNT_TOLD)
    desk = Page(referees_browser, demo.url)
    desk.sign_in("admin", demo.first_pin)
    desk = Page(referees_browser, demo.url + "referee")
    # A wins the first round, so that these stay A's until the second is over, 90 s on.
    wall.wait(lambda: wall.deckel()["A"] == 2, "the opening of the clip", CLIP_S)
    desk.wait(lambda: throws(desk)[-3:] == ["C", "B", "A"], "all throws of the opening")
    desk.tap(".desk-throws .throw", len(throws(desk)) - 3)
    desk.wait(lambda: desk.is_shown("[value=correct]"), "the throw on the desk")
    desk.tap("[value=correct]")
    for place in (3, 2, 1):
        desk.tap(f"#desk-slot-{place}")
    for value in (6, 6, 5):
        desk.tap(f"#desk-key-{value}")
    desk.type_in("[name=reason]", "Es sind zwei Sechsen und eine Fünf")
    desk.wait(lambda: "A: 1 Deckel statt 2." in desk.text(".changes"), "what it would change")
    seen = len(throws(desk))
    desk.tap("#decide-send")

    wall.wait(lambda: wall.deckel()["A"] == 1, "the Deckel on the wall")
    wall.wait(lambda: wall.is_shown("#ruling"), "the ruling on the wall")
    assert "A: 1 Deckel statt 2." in wall.text("#ruling")
    desk.wait(lambda: len(throws(desk)) > seen, "the clip goes on", CLIP_S)
    wall.wait(lambda: seq(wall) >= desk.seq(), "on the wall, too")
    assert wall.browser.execute_script("return window.told") == 1, "announced once"
    assert wall.deckel()["A"] == 1
    assert wall.browser.execute_script("return window.notReloaded") is True
    board = Page(referees_browser, demo.url)
    assert board.deckel()["A"] == 1
    assert not board.is_shown("#ruling"), "it was before this page was opened"
    assert wall.complaints() == desk.complaints() == []
