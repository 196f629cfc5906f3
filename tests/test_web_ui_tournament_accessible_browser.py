"""axe-core on every page of a tournament, at its moments, in both themes and languages."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import test_web_ui_accessible_browser as accessible
from hall_client import organiser
from hall_scenes import asked, between, coded, drawn, opened, over, people, playing, stechen
from selenium import webdriver
from tournament_hall import MemoryHall
from web_ui_page import Page

look = accessible.look

DESK = tuple(f"tournament/desk?at={at}" for at in ("players", "round", "cards", "end"))
PAGES: Mapping[str, tuple[str, ...]] = {
    "/tournament": ("tournament", "tournament?name=a"),
    "/tournament/wall": ("tournament/wall?turn=600",),
    "/tournament/sheet": ("tournament/sheet",),
    "/tournament/desk": DESK,
    "/tournament/card/<int:number>/<int:table>": ("tournament/card/1/1", "tournament/card/1/2"),
    "/tournament/referee": ("tournament/referee",),
    "/tournament/pairing": ("tournament/pairing",),
    "/tournament/results.html": ("tournament/results.html",),
    "/signin": ("signin?role=referee&next=/tournament/desk",),
    "/pins": ("pins",),
}
"""The addresses under which each route of the hub that is a page is looked at."""

FILES = frozenset({"/static/<path:filename>", "/tournament/evidence/<table>/<sha256>"})
LIVE = ("tournament", "tournament/wall?turn=600")
ALL = tuple(path for paths in PAGES.values() for path in paths)

MOMENTS: Mapping[str, tuple[Callable[[Path], MemoryHall], tuple[str, ...]]] = {
    "none": (lambda _: MemoryHall(), (*LIVE, "tournament/desk", "no-such-page")),
    "registration": (lambda _: opened(people(7)), (*LIVE, *DESK)),
    "drawn": (lambda _: drawn(), (*LIVE, "tournament/desk?at=round")),
    "playing": (lambda _: playing(), ALL),
    "asked": (asked, ("tournament/referee", "tournament/desk")),
    "coded": (lambda _: coded(), ("tournament/pairing",)),
    "between": (lambda _: between(), (*LIVE, "tournament/desk?at=round")),
    "stechen": (lambda _: stechen(), (*LIVE, "tournament/desk?at=end")),
    "over": (lambda _: over(), (*LIVE, *DESK, "tournament/results.html")),
}


def test_every_page_of_the_hub_is_looked_at():
    """A new route that sends a page is missing in `PAGES` until somebody enters it."""
    client = organiser(playing(), "admin")
    app = client.application
    routes = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    found = {rule for rule in routes if "<" in rule} - FILES
    for rule in routes - found - FILES - {"/api/stream"}:
        answer = client.get(rule)
        if answer.mimetype == "text/html" and "<!doctype html>" in answer.text:
            found.add(rule)
        answer.close()
    assert found - {"/"} == set(PAGES)


LANGS = tuple(accessible.SIZES)
LOOKED_AT = (
    *(("playing", lang) for lang in LANGS),
    *((moment, LANGS[n % 2]) for n, moment in enumerate(MOMENTS) if moment != "playing"),
)
"""All pages in both languages while a round is played, at other moments in turns: it takes long."""


@pytest.mark.slow
@pytest.mark.parametrize(("moment", "lang"), LOOKED_AT)
def test_axe_finds_nothing(
    chromium: webdriver.Chrome,
    hub: Callable[..., Any],
    look: accessible.Look,
    tmp_path: Path,
    moment: str,
    lang: str,
):
    make, paths = MOMENTS[moment]
    server = hub(make(tmp_path))
    page = Page(chromium, server.url)
    page.sign_in("admin")
    for path in paths:
        look(lang, accessible.THEMES[0])
        chromium.get(f"{server.url}{path}{'&' if '?' in path else '?'}lang={lang}")
        chromium.execute_script("document.querySelectorAll('details').forEach((it) => it.open = 1)")
        accessible.check(page, look, lang, path)


@pytest.mark.slow
def test_axe_finds_nothing_in_a_refusal_and_in_what_a_correction_would_change(
    chromium: webdriver.Chrome, hub: Callable[..., Any], look: accessible.Look
):
    server = hub(playing())
    look("de", accessible.THEMES[0])
    page = Page(chromium, server.url)
    page.sign_in("referee")
    chromium.get(server.url + "tournament/desk?at=players")
    page.type_in("[name=names]", people(1)[0])
    page.tap("#do-register")
    page.wait(lambda: bool(page.all("#piece-refusals")), "the refusal")
    accessible.check(page, look, "de", "a refusal")
    chromium.get(server.url + "tournament/card/1/1")
    page.tap('.game[data-game="1"] .taps[data-half="1"] .again')
    for at in (0, 1):
        page.tap('.game[data-game="1"] .taps[data-half="1"] button[data-at]', at)
    page.type_in("[name=reason]", "falsch")
    page.tap("#do-try")
    page.wait(lambda: bool(page.all("#tried") or page.all("#reason")), "what would change")
    accessible.check(page, look, "de", "a correction")
