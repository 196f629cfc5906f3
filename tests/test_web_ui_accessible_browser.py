"""axe-core on every page, at every moment, in both themes and languages: it finds nothing."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium import webdriver
from test_web_ui_safe_mode import Mending
from test_web_ui_table import Table
from web_ui_access import PINS, guarded, known_pins, signed_in
from web_ui_desk import DeskTable, first_round
from web_ui_page import Page, Server, press
from web_ui_pages import FILES, MISSING, MOMENTS, PAGES, correct

from web_ui.access import Access
from web_ui.safe_mode import create_safe_app

TESTS = Path(__file__).parent
AXE = (TESTS / "axe_core" / "axe.min.js").read_text(encoding="utf-8")
MEASURE = (TESTS / "web_ui_measure.js").read_text(encoding="utf-8")

LEAST_CONTRAST = 4.5
THEMES = ("dark", "light")
SIZES = {"de": (1280, 800), "en": (390, 844)}
"""German on a screen and English on a phone, so that both layouts are looked at as well."""

RUN = """
const [options, done] = arguments;
axe.run(document, options).then(done, (error) => done({ error: String(error) }));
"""
VIOLATIONS = {"resultTypes": ["violations"]}
"""What passes is looked at all the same, and not described, which takes time."""

ALL_RULES = {**VIOLATIONS, "rules": {"target-size": {"enabled": True}}}
"""Also the size of what is tapped, which axe leaves out unless asked."""

OF_COLOURS = {**VIOLATIONS, "runOnly": ["color-contrast", "link-in-text-block"]}
"""A theme changes colours alone (css/light.css)."""

Look = Callable[[str, str], None]


@pytest.fixture
def look(chromium: webdriver.Chrome) -> Iterator[Look]:
    """Show the browser's pages in a language's size, and in a theme, without motion."""

    def set_up(lang: str, theme: str) -> None:
        width, height = SIZES[lang]
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        wanted = {"prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wanted.items()]
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    yield set_up
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def findings(page: Page, options: dict[str, Any]) -> list[str]:
    """What axe objects to, of whatever weight, and texts on gradients, which it leaves open."""
    settled = "return document.fonts.status === 'loaded' && document.getAnimations().length === 0"
    page.wait(lambda: bool(page.browser.execute_script(settled)), "fonts and colours")
    if not page.browser.execute_script("return 'axe' in window"):
        page.browser.execute_script(AXE)
    said = page.browser.execute_async_script(RUN, options)
    assert "violations" in said, said
    faint = page.browser.execute_script(f"return ({MEASURE}).faint({LEAST_CONTRAST})")
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:120]} {node['failureSummary']}"
        for one in said["violations"]
        for node in one["nodes"]
    ] + [f"faint: {text}" for text in faint]


def check(page: Page, look: Look, lang: str, where: str) -> None:
    """In both themes, the second of which can only bring in other colours."""
    for theme, options in zip(THEMES, (ALL_RULES, OF_COLOURS), strict=True):
        look(lang, theme)
        assert findings(page, options) == [], f"{where}, {lang}, {theme}"


def test_every_page_of_the_application_is_looked_at():
    """A new route that sends a page is missing in `PAGES` until somebody enters it."""
    app = guarded(Table(), PUBLIC_URL="http://192.168.1.20:8080/")
    client = signed_in(app, "admin")
    routes = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    found = {rule for rule in routes if "<" in rule} - FILES
    for rule in routes - found - FILES:
        answer = client.get(rule)
        assert answer.status_code == 200, rule
        if answer.mimetype == "text/html" and "<!doctype html>" in answer.text:
            found.add(rule)
        answer.close()
    assert found == set(PAGES)


def test_axe_is_the_one_that_is_pinned():
    (package,) = json.loads((TESTS / "assets.lock.json").read_text(encoding="utf-8"))["packages"]
    assert f"axe v{package['version']}" in AXE[:40]


LOOKED_AT = (
    *(("idle", lang) for lang in SIZES),
    *((moment, tuple(SIZES)[n % 2]) for n, moment in enumerate(MOMENTS) if moment != "idle"),
)
"""Every page in both languages before a game, at the moments of one in turns: it takes long."""


@pytest.mark.slow
@pytest.mark.parametrize(("moment", "lang"), LOOKED_AT)
def test_axe_finds_nothing(
    chromium: webdriver.Chrome,
    start: Callable[..., Server],
    look: Look,
    tmp_path: Path,
    moment: str,
    lang: str,
):
    shown = MOMENTS[moment]
    server = start(shown.table(tmp_path), EVIDENCE_DIR=str(tmp_path), TABLE_NAME="Würfel")
    page = Page(chromium, server.url)
    page.sign_in("admin")
    for path in shown.paths:
        look(lang, THEMES[0])
        chromium.get(f"{server.url}{path}{'&' if '?' in path else '?'}lang={lang}")
        chromium.execute_script("document.querySelectorAll('details').forEach((it) => it.open = 1)")
        check(page, look, lang, path)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "table", "tv"])
def test_axe_finds_nothing_in_what_comes_and_goes(
    chromium: webdriver.Chrome,
    start: Callable[..., Server],
    look: Look,
    tmp_path: Path,
    path: str,
):
    """A ruling told, the code for phones, the banner of a lost connection."""
    table = first_round(DeskTable("Anna", "Ben", "Cem", folder=tmp_path))
    server = start(table.served, EVIDENCE_DIR=str(tmp_path))
    look("de", THEMES[0])
    page = Page(chromium, server.url + path)
    correct(table)
    page.wait(lambda: page.is_shown("#ruling"), "the ruling")
    if path == "tv":
        press(page, "q")
        page.wait(lambda: page.is_shown("#code"), "the code")
    server.stop()
    page.wait(lambda: page.is_shown("#connection"), "the banner")
    check(page, look, "de", path)
    assert page.is_shown("#ruling")


class SafeServer(Server):
    """The page of a table whose settings cannot be used."""

    def make_app(self) -> Flask:
        return create_safe_app(Mending(), {}, Access(known_pins()))


@pytest.mark.slow
def test_axe_finds_nothing_in_safe_mode(chromium: webdriver.Chrome, look: Look):
    server = SafeServer(Table())
    try:
        Page(chromium, server.url)
        chromium.delete_all_cookies()
        for lang in SIZES:
            look(lang, THEMES[0])
            page = Page(chromium, f"{server.url}?lang={lang}")
            check(page, look, lang, "safe mode for everybody")
        look("de", THEMES[0])
        chromium.get(server.url + "signin?role=admin&next=/")
        page.type_in("[name=pin]", PINS["admin"] + "\n")
        page.wait(lambda: page.is_shown("textarea"), "the file")
        for lang in SIZES:
            look(lang, THEMES[0])
            chromium.get(f"{server.url}?lang={lang}")
            check(page, look, lang, "safe mode for the landlord")
    finally:
        server.stop()


@pytest.mark.slow
def test_axe_finds_nothing_where_a_setting_does_not_fit(
    chromium: webdriver.Chrome, start: Callable[..., Server], look: Look
):
    server = start(Table())
    look("de", THEMES[0])
    page = Page(chromium, server.url)
    page.sign_in("admin")
    chromium.get(server.url + "settings")
    chromium.execute_script("document.querySelectorAll('details').forEach((it) => it.open = 1)")
    page.wait(lambda: bool(page.one("[name='web.table_name']").clear()) or True, "empty")
    page.type_in("[name='web.table_name']", "falsch\n")
    page.wait(lambda: page.is_shown("#reason"), "the reason")
    check(page, look, "de", "a setting that does not fit")


@pytest.mark.slow
def test_axe_finds_nothing_where_somebody_is_refused(
    chromium: webdriver.Chrome, start: Callable[..., Server], look: Look
):
    server = start(Table(), TABLE_NEEDS_PIN=True)
    look("de", THEMES[0])
    page = Page(chromium, server.url)
    chromium.delete_all_cookies()
    for path in ("signin", "start", MISSING):
        chromium.get(server.url + path)
        check(page, look, "de", path)
    chromium.get(server.url + "signin?role=admin&next=/pins")
    page.type_in("[name=pin]", "9" + PINS["admin"] + "\n")
    page.wait(lambda: page.is_shown("#reason"), "the reason")
    check(page, look, "de", "a wrong PIN")
