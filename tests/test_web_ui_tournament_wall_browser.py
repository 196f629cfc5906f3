"""The wall of a tournament in a browser: its size, its pages, its clock, its load."""

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hall_scenes import (
    between,
    drawn,
    opened,
    over,
    people,
    playing,
    stechen,
)
from selenium import webdriver
from test_web_ui_tournament_browser import StartHub, sized
from tournament_hall import MemoryHall
from web_ui_page import Page

WALL_PX = (1920, 1080)
NAME_SHARE = 30
"""A name on the wall is at least this part of the screen's height: 36 of 1080 pixels."""


@pytest.fixture(autouse=True)
def beamer(chromium: webdriver.Chrome) -> Iterator[None]:
    """The wall's own screen."""
    sized(chromium, *WALL_PX)
    yield
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.slow
def test_the_wall_fetches_once_a_second_however_much_happens(
    chromium: webdriver.Chrome, hub: StartHub
):
    hall = playing()
    page = Page(chromium, hub(hall).url + "tournament/wall")
    stop = threading.Event()

    def storm() -> None:
        while not stop.wait(0.005):  # 200 a second
            hall.log.append("thrown", {"table": "tisch-1"})

    fetched = (
        "return performance.getEntriesByType('resource')"
        ".filter((it) => it.name.includes('/wall/board')).map((it) => it.startTime)"
    )
    thread = threading.Thread(target=storm)
    thread.start()
    try:
        page.wait(lambda: len(chromium.execute_script(fetched)) >= 5, "five fetches")
    finally:
        stop.set()
        thread.join()
    at_ms = chromium.execute_script(fetched)
    assert len(hall.log.entries) > 100
    assert all(later - before >= 190 for before, later in pairwise(at_ms)), at_ms
    last = hall.seq
    page.wait(lambda: page.seq() == last, "the newest board, after the storm as well")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(
    "scene",
    [
        lambda: opened(people(96)), lambda: drawn(people(96)), lambda: playing(people(96)),
        lambda: playing(people(9)), lambda: between(people(96)), lambda: over(people(30)),
        stechen, lambda: drawn(people(5)), lambda: playing(people(36)),
        lambda: playing(people(48), "jahreswertung", by_hand=6),
    ],
    ids=["96 register", "96 drawn", "96 play", "9 play", "96 between", "30 over", "Stechen",
         "5 drawn", "9 tables", "8 tables of six"],
)  # fmt: skip
def test_the_wall_is_large_and_nothing_on_it_is_cut_or_covered(
    chromium: webdriver.Chrome, hub: StartHub, scene: Callable[[], MemoryHall], theme: str
):
    page = Page(chromium, f"{hub(scene()).url}tournament/wall?theme={theme}&turn=600")
    page.wait(
        lambda: page.browser.execute_script("return document.fonts.status") == "loaded", "type"
    )
    pages = len(page.all(".page"))
    assert pages > 0
    for at in range(pages):
        chromium.execute_script(SHOW, at)
        assert chromium.execute_script(TOO_SMALL, WALL_PX[1] / NAME_SHARE) == []
        assert chromium.execute_script(OUTSIDE) == []
        assert chromium.execute_script(COVERED) == []


SHOW = "document.querySelectorAll('.page').forEach((it, n) => (it.hidden = n !== arguments[0]))"
TOO_SMALL = """
return [...document.querySelectorAll(".page:not([hidden]) .name")]
  .filter((it) => parseFloat(getComputedStyle(it).fontSize) < arguments[0])
  .map((it) => it.textContent);
"""
OUTSIDE = """
const found = [];
for (const it of document.querySelectorAll(".page:not([hidden]) li, .masthead *, .foot, .live")) {
  const box = it.getBoundingClientRect();
  if (!box.width) continue;
  if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.top < -1) {
    found.push(`${it.textContent.trim()} leaves the screen`);
  }
  const card = it.closest(".table")?.getBoundingClientRect();
  if (card && (box.bottom > card.bottom + 1 || box.top < card.top - 1)) {
    found.push(`${it.textContent.trim()} leaves its table`);
  }
}
for (const it of document.querySelectorAll(".page:not([hidden]) .name")) {
  if (it.scrollWidth > it.clientWidth + 1) found.push(`${it.textContent} is cut`);
}
return found;
"""
COVERED = """
const things = [...document.querySelectorAll(
  ".page:not([hidden]) :is(.name, .live, h2), .place, .masthead > *, .foot, .notice")]
  .filter((it) => it.getBoundingClientRect().width > 1 && !it.closest("[hidden]"));
const boxes = things.map((it) => it.getBoundingClientRect());
const found = [];
things.forEach((one, i) => things.slice(i + 1).forEach((other, j) => {
  if (one.contains(other) || other.contains(one)) return;
  const a = boxes[i], b = boxes[i + 1 + j];
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (wide > 2 && tall > 4) found.push(`${one.textContent.trim()} on ${other.textContent.trim()}`);
}));
return found;
"""


def test_the_wall_turns_its_pages_and_counts_the_clock_down(
    chromium: webdriver.Chrome, hub: StartHub
):
    page = Page(chromium, hub(playing(people(96))).url + "tournament/wall?turn=1")
    shown = "return [...document.querySelectorAll('.page')].findIndex((it) => !it.hidden)"
    page.wait(lambda: chromium.execute_script(shown) == 1, "the second page")
    page.wait(lambda: chromium.execute_script(shown) == 0, "the first one again")
    first = page.text(".clock-time")
    page.wait(lambda: page.text(".clock-time") < first, "the clock goes on")
    assert page.complaints() == []
