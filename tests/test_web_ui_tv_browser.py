"""The wall screen and the overlay in headless Chromium: layout, contrast, live view, calls."""

import io
import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By
from test_web_ui_table import Table
from web_ui_page import Page, StartServer, press
from web_ui_scenes import evening, mid_round, names

from rules import all_books
from rules.actions import StopTurn, ThrowDice
from rules.dice import as_dice
from rules.ranking import Result
from rules.valuation import describe
from web_ui.wall import said_fit

pytestmark = pytest.mark.slow

TELEVISION, PI = (1920, 1080), (800, 480)
MEASURE = (Path(__file__).parent / "web_ui_measure.js").read_text(encoding="utf-8")
LEAST_CONTRAST = 4.5
LEAST_TYPE_PX = {TELEVISION: 34, PI: 15}
"""On a 43-inch television 34 px are capitals of 12 mm, 1/400 of five metres."""


@pytest.fixture
def screen(chromium: webdriver.Chrome) -> Iterator[Callable[[tuple[int, int]], None]]:
    def size(wanted: tuple[int, int]) -> None:
        width, height = wanted
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    yield size
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def measured(page: Page, what: str, *values: Any) -> list[str]:
    page.wait(lambda: ready(page), "the fonts")
    asked = ", ".join(map(str, values))
    return list(page.browser.execute_script(f"return ({MEASURE}).{what}({asked})"))


def ready(page: Page) -> bool:
    return bool(page.browser.execute_script("return document.fonts.status === 'loaded'"))


@pytest.mark.parametrize("size", [TELEVISION, PI], ids=["television", "pi"])
@pytest.mark.parametrize("count", [2, 6, 10])
def test_nothing_overlaps_or_is_cut_off(
    chromium: webdriver.Chrome, start: StartServer, screen: Any, size: tuple[int, int], count: int
):
    screen(size)
    table = Table(names(count, long=True))
    mid_round(table)
    page = Page(chromium, start(table).url + "tv")
    assert measured(page, "collisions") == []
    assert measured(page, "cut") == []
    assert measured(page, "tiny", LEAST_TYPE_PX[size]) == []
    table.ask("q1")
    table.log.append("fault", {"what": "camera", "text_de": "Keine Bilder. " * 9, "text_en": ""})
    page.wait(lambda: len(page.all(".notice")) == 2, "both notices")
    assert measured(page, "collisions") == []
    assert measured(page, "cut") == []


@pytest.mark.parametrize("size", [TELEVISION, PI], ids=["television", "pi"])
def test_whatever_is_said_of_a_throw_fits(
    chromium: webdriver.Chrome, start: StartServer, screen: Any, size: tuple[int, int]
):
    screen(size)
    table = Table(names(10, long=True))
    mid_round(table)
    page = Page(chromium, start(table).url + "tv")
    assert page.text(".said") == "sechs einundvierzig im Ersten"
    said = sorted({(words, said_fit(words)) for words in whatever_is_said()})
    assert {fit for _, fit in said} == {"short", "middle", "long", "longest"}
    assert measured(page, "tooWide", '".said"', json.dumps(said)) == []
    assert measured(page, "tiny", LEAST_TYPE_PX[size]) == []
    longest = json.dumps([max(said, key=lambda pair: len(pair[0]))])
    assert measured(page, "tooWide", '".said"', longest) == []
    assert measured(page, "collisions") == []


def whatever_is_said() -> Iterator[str]:
    """Of all dice by all books, in German and English."""
    for book, dice in product(all_books(), combinations_with_replacement(range(1, 7), 3)):
        for throws, from_hand in product((1, 2, 3), (True, False)):
            said = describe(book, Result("A", as_dice(dice), throws, from_hand or throws == 1))
            yield from (said.spoken, said.spoken_en)


@pytest.mark.parametrize("size", [TELEVISION, PI], ids=["television", "pi"])
def test_opening_final_and_end_fit_as_well(
    chromium: webdriver.Chrome, start: StartServer, screen: Any, size: tuple[int, int]
):
    screen(size)
    opening, final, over = (Table(names(count, long=True)) for count in (10, 5, 10))
    mid_round(final, part="final", round=2)
    evening(over, games=2)
    for table, lang in ((opening, "de"), (final, "en"), (over, "de")):
        page = Page(chromium, start(table).url + f"tv?lang={lang}")
        assert measured(page, "collisions") == []
        assert measured(page, "cut") == []


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_text_stands_out_in_both_themes(
    chromium: webdriver.Chrome, start: StartServer, screen: Any, theme: str
):
    screen(TELEVISION)
    table, over = Table(names(5)), Table(names(5))
    mid_round(table, part="final", round=2)
    table.ask("q1")
    evening(over, games=1)
    for shown in (table, over):
        page = Page(chromium, start(shown).url + f"tv?theme={theme}")
        assert measured(page, "faint", LEAST_CONTRAST) == []


def test_without_a_theme_the_screen_follows_the_device(
    chromium: webdriver.Chrome, start: StartServer
):
    server = start(Table())
    seen = {}
    for scheme in ("dark", "light"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        page = Page(chromium, server.url + "tv")
        seen[scheme] = page.one("body").value_of_css_property("color")
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert seen["dark"] != seen["light"]


def test_the_screen_follows_the_table_and_outlives_a_restart(
    chromium: webdriver.Chrome, start: StartServer
):
    table = Table()
    server = start(table)
    page = Page(chromium, server.url + "tv")
    table.play_opening()
    page.wait(lambda: page.stock() == 12, "the opening's Deckel")
    assert page.deckel() == {"Anna": 0, "Ben": 0, "Cem": 1}
    assert page.attributes(".seat.on", "data-player") == ["Cem"]
    server.stop()
    page.wait(lambda: page.is_shown("#connection"), "the banner")
    table.play_round()
    server.start()
    page.wait(lambda: not page.is_shown("#connection"), "the banner is gone")
    page.wait(lambda: page.deckel() == dict(table.match.holdings), "what happened meanwhile")
    assert page.browser.execute_script("return window.notReloaded") is True


def test_a_schock_aus_is_celebrated_once(chromium: webdriver.Chrome, start: StartServer):
    table = Table()
    table.play_opening()
    server = start(table)
    page = Page(chromium, server.url + "tv")
    assert not page.is_shown("#celebration")
    table.do(ThrowDice("Cem", (1, 1, 1)))
    page.wait(lambda: page.is_shown("#celebration"), "the celebration")
    assert page.text(".celebration-name") == "Cem"
    page.wait(lambda: not page.is_shown("#celebration"), "its end")
    server.stop()
    page.wait(lambda: page.is_shown("#connection"), "the banner")
    server.start()
    table.do(StopTurn("Cem"))
    page.wait(lambda: page.attributes(".wall", "data-seq") == [str(table.last_seq())], "the stop")
    assert not page.is_shown("#celebration")


def test_who_wants_no_motion_gets_none(chromium: webdriver.Chrome, start: StartServer):
    table = Table()
    table.play_opening()
    feature = {"name": "prefers-reduced-motion", "value": "reduce"}
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    page = Page(chromium, start(table).url + "tv")
    table.do(ThrowDice("Cem", (1, 1, 1)))
    page.wait(lambda: page.is_shown("#celebration"), "the celebration")
    running = page.browser.execute_script("return document.getAnimations().length")
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert running == 0


def test_a_key_shows_the_code(chromium: webdriver.Chrome, start: StartServer):
    page = Page(chromium, start(Table()).url + "tv")
    assert not page.is_shown("#code")
    press(page, "q")
    assert page.is_shown("#code")
    wide = "return document.querySelector('#code .qr').naturalWidth"
    page.wait(lambda: page.browser.execute_script(wide) > 0, "the drawing")
    press(page, "q")
    assert not page.is_shown("#code")


def test_the_first_view_is_small_and_stays_on_the_machine(
    chromium: webdriver.Chrome, start: StartServer
):
    chromium.execute_cdp_cmd("Network.enable", {})
    chromium.execute_cdp_cmd("Network.clearBrowserCache", {})
    table = Table(names(10, long=True))
    mid_round(table)
    server = start(table)
    page = Page(chromium, server.url + "tv")
    page.wait(lambda: ready(page), "the fonts")
    entries = page.browser.execute_script(
        "return ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
        ".map((entry) => [entry.name, entry.transferSize])"
    )
    assert all(name.startswith(server.url) for name, _ in entries), entries
    assert 100_000 < sum(size for _, size in entries) < 150_000, entries
    assert page.complaints() == []


@pytest.mark.parametrize("corner", ["bottom-left", "top-right"])
def test_the_overlay_draws_one_corner_and_lets_the_rest_through(
    chromium: webdriver.Chrome, start: StartServer, screen: Any, corner: str
):
    screen(TELEVISION)
    table = Table(names(10, long=True))
    mid_round(table)
    clear = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
    chromium.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", clear)
    page = Page(chromium, start(table).url + f"overlay?corner={corner}")
    page.wait(lambda: ready(page), "the fonts")
    shot = chromium.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    chromium.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {})
    alpha = Image.open(io.BytesIO(b64decode(shot["data"]))).getchannel("A")
    box = alpha.getbbox()
    assert box is not None
    left, top, right, bottom = box
    near = (right, top) if corner == "top-right" else (left, bottom)
    assert near == ((1870, 50) if corner == "top-right" else (50, 1030))
    assert (right - left) * (bottom - top) < 1920 * 1080 / 4
    assert measured(page, "cut") == []
    table.do(StopTurn(str(table.match.current_player)))
    seq = str(table.last_seq())
    page.wait(lambda: page.attributes(".bug", "data-seq") == [seq], "the stop")
    assert page.browser.find_elements(By.CSS_SELECTOR, ".holdings [data-player]")
