"""The statistics in a real browser: charts by the page's own rules, both themes, a phone."""

import io
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from selenium import webdriver
from test_web_ui_table import Table
from web_ui_page import Page, Server
from web_ui_scenes import evening, mid_round, names

from rules.actions import ThrowDice

pytestmark = pytest.mark.slow

MEASURE = (Path(__file__).parent / "web_ui_measure.js").read_text(encoding="utf-8")
PHONE, DESK = (360, 740), (1280, 800)
LEAST_CONTRAST = 4.5
LEAST_CHART_TYPE_PX = 11.0
"""On the narrowest phone; every number of a chart stands in the table beside it, too."""

Open = Callable[..., None]

CUT_OFF = """
return [...document.querySelectorAll("svg.chart")].flatMap((chart) => {
  const all = chart.getBoundingClientRect();
  return [...chart.querySelectorAll("text, .rect, .ci path")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.left < all.left - 1 || box.right > all.right + 1 || box.bottom > all.bottom + 1;
  }).map((part) => part.textContent || part.getAttribute("class"));
})
"""

SIZES = """
return [...document.querySelectorAll("svg.chart")].map((chart) =>
  parseFloat(getComputedStyle(chart).fontSize) * chart.getScreenCTM().a)
"""

BAR = """
const bar = [...document.querySelectorAll("svg.chart .color-0 .rect")]
  .reduce((a, b) => a.getBBox().width > b.getBBox().width ? a : b);
bar.scrollIntoView({block: "center"});
const {left, top, width, height} = bar.getBoundingClientRect();
return {x: left + scrollX, y: top + scrollY, width, height, fill: getComputedStyle(bar).fill}
"""


@pytest.fixture
def opened(chromium: webdriver.Chrome, start: Callable[..., Server]) -> Iterator[Open]:
    """Open the page of an evening of six with long names, on a screen and in a theme."""
    table = Table(names(6, long=True))
    evening(table, games=2)
    server = start(table)

    def open_page(size: tuple[int, int], theme: str, path: str = "statistics") -> None:
        chromium.get("about:blank")
        chromium.get_log("browser")
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        feature = {"name": "prefers-color-scheme", "value": theme}
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        chromium.get(server.url + path)
        chromium.execute_async_script("document.fonts.ready.then(arguments[0])")

    yield open_page
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def measured(browser: webdriver.Chrome, what: str, *values: Any) -> list[str]:
    asked = ", ".join(map(str, values))
    return list(browser.execute_script(f"return ({MEASURE}).{what}({asked})"))


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_charts_are_whole_and_legible_and_nothing_is_refused(
    chromium: webdriver.Chrome, opened: Open, size: tuple[int, int], theme: str
):
    opened(size, theme)
    assert chromium.get_log("browser") == [], "the page's own rules forbid nothing in it"
    assert chromium.execute_script("return document.querySelectorAll('svg.chart').length") == 3
    assert chromium.execute_script("return document.documentElement.scrollWidth") <= size[0]
    assert chromium.execute_script(CUT_OFF) == []
    assert min(chromium.execute_script(SIZES)) >= LEAST_CHART_TYPE_PX
    assert measured(chromium, "faint", LEAST_CONTRAST) == []
    ink = "return [...document.querySelectorAll('main, .chart text')].map(it => it.matches('main')"
    colours = set(
        chromium.execute_script(f"{ink} ? getComputedStyle(it).color : getComputedStyle(it).fill)")
    )
    assert len(colours) == 1, "words in charts have the colour of words on the page"


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_bars_are_drawn_in_the_colours_of_the_theme(
    chromium: webdriver.Chrome, opened: Open, theme: str
):
    opened(DESK, theme)
    bar = chromium.execute_script(BAR)
    fill = tuple(int(part) for part in bar.pop("fill")[4:-1].split(","))
    assert fill == {"dark": (238, 176, 76), "light": (138, 82, 4)}[theme]
    assert bar["width"] > 100
    shot = chromium.execute_cdp_cmd(
        "Page.captureScreenshot", {"format": "png", "clip": {**bar, "scale": 1}}
    )
    picture = Image.open(io.BytesIO(b64decode(shot["data"]))).convert("RGB")
    same = sum(count for count, colour in picture.getcolors(1 << 20) or () if colour == fill)
    assert same > 0.9 * picture.width * picture.height


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_who_sees_no_colours_tells_the_bars_apart(
    chromium: webdriver.Chrome, opened: Open, theme: str
):
    opened(DESK, theme)
    fills = chromium.execute_script(
        "return [0, 1].map(at => [...document.querySelectorAll("
        "`.chart .color-${at} .rect, .chart rect.color-${at}`)]"
        ".map(it => getComputedStyle(it).fill === 'none'))"
    )
    full, hollow = map(set, fills)
    assert (full, hollow) == ({False}, {True}), "one row of bars is full, the other hollow"


def test_nothing_is_fetched_from_elsewhere_and_the_other_span_and_language_are_a_tap_away(
    chromium: webdriver.Chrome, opened: Open
):
    opened(DESK, "dark")
    fetched = chromium.execute_script(
        "return performance.getEntriesByType('resource').map(it => new URL(it.name).origin)"
    )
    assert set(fetched) == {chromium.execute_script("return location.origin")}
    chromium.find_element("css selector", ".spans a:last-child").click()
    chromium.find_element("css selector", ".languages a[lang=en]").click()
    assert chromium.current_url.endswith("/statistics?lang=en&span=evening")
    assert chromium.find_element("css selector", "h1").text == "Statistics"


LISTEN = """
window.planned = [];
const later = window.setTimeout;
window.setTimeout = (act, afterMs) => { planned.push(afterMs); return later(act, 20); };
new EventSource(document.body.dataset.streamUrl).onmessage = (it) => {
  window.told = Number(it.lastEventId);
};
"""
"""Notes what the page plans for later, which then comes soon, and what the stream has told."""

STAND = "return document.querySelector('#board .why').textContent"
HELD = """
const wide = document.getElementById("players-table");
return [document.activeElement.id, scrollY, wide.scrollLeft, window.notReloaded]
"""


@pytest.fixture
def phone(chromium: webdriver.Chrome) -> Iterator[None]:
    """As narrow as a phone, so that tables are pushed sideways."""
    metrics = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": False}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    yield
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.usefixtures("phone")
def test_it_renews_itself_after_a_round_and_takes_nothing_out_of_anybodys_hands(
    chromium: webdriver.Chrome, start: Callable[..., Server]
):
    table = Table(names(3, long=True))
    table.play_opening()
    table.play_round()
    page = Page(chromium, start(table).url + "statistics")
    assert "2 abgerechnete Runden" in chromium.execute_script(STAND)
    chromium.execute_script(
        "const wide = document.getElementById('players-table');"
        "wide.focus(); wide.scrollLeft = 90; scrollTo(0, 300);" + LISTEN
    )
    held = chromium.execute_script(HELD)
    assert held == ["players-table", 300, 90, True]

    def told() -> bool:
        return bool(chromium.execute_script("return window.told") == table.last_seq())

    table.do(ThrowDice(str(table.match.current_player), (6, 5, 2)))
    page.wait(told, "the stream has told of the throw")
    assert chromium.execute_script("return planned") == [], "a throw alone changes nothing here"
    mid_round(table, part="half1", round=4)
    stand = f"{len(table.match.state.history)} abgerechnete Runden"
    page.wait(lambda: stand in chromium.execute_script(STAND), "settled rounds are counted")
    assert chromium.execute_script(HELD) == held
    assert set(chromium.execute_script("return planned")) == {3000}, "rarely is often enough"
    assert page.complaints() == []
