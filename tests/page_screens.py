"""Takes a picture of every page in docs/, in both languages and themes: `make screens`."""

import sys
import tempfile
from itertools import product
from pathlib import Path

from desk_screens import show
from PIL import Image
from selenium import webdriver
from setup_screens import lit
from tv_screens import BEHIND, PUBLIC_URL, picture_of, write
from web_ui_page import Page, Server, start_chromium
from web_ui_pages import MOMENTS, PAGES

from device.restarting import Restart
from device.settings import load_settings
from device.settings_desk import SettingsDesk
from device.settings_file import SettingsFile
from device.settings_template import template

SCREEN = (1280, 800)
QUARTER = (720, 450)
"""Of the picture: dark above light, German beside English."""

MOST_TELLING = {
    "/": "asked",
    "/table": "running",
    "/referee": "asked",
    "/tv": "running",
    "/overlay": "running",
    "/setup": "idle",
    "/setup/<step>": "idle",
    "/health": "idle",
}
ELSE = "over"
"""At which moment a page is taken."""

SIGNED_OUT = frozenset({"/signin"})


def name_of(rule: str) -> str:
    """Of the picture of a route, such as `table.webp`."""
    word = rule.split("/")[1] or "scoreboard"
    return "setup-step.webp" if rule == "/setup/<step>" else f"{word}.webp"


def main(folder: Path) -> None:
    """Take every picture and write it as WebP."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        browser = start_chromium(scratch / "profile", "--force-prefers-reduced-motion")
        browser.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", BEHIND)
        try:
            for rule, (path, *_) in PAGES.items():
                pictures = scratch / name_of(rule)
                pictures.mkdir()
                write(four(browser, rule, path, pictures), folder / name_of(rule))
        finally:
            browser.quit()


def four(browser: webdriver.Chrome, rule: str, path: str, evidence: Path) -> Image.Image:
    """A page in both themes, and in both languages of each."""
    table = MOMENTS[MOST_TELLING.get(rule, ELSE)].table(evidence)
    if rule.startswith("/setup"):
        table.setup = lit(evidence)
    settings = {"EVIDENCE_DIR": str(evidence), "TABLE_NAME": "Zum Goldenen Würfel"}
    server = Server(table, PUBLIC_URL=PUBLIC_URL, table_settings=desk(evidence), **settings)
    try:
        show(browser, server, "", SCREEN, "dark")
        browser.delete_all_cookies()
        if rule not in SIGNED_OUT:
            Page(browser, server.url).sign_in("admin")
        return four_of(browser, server, path)
    finally:
        server.stop()


def desk(folder: Path) -> SettingsDesk:
    """Settings of a table, one of which somebody has changed."""
    path = folder / "table.toml"
    path.write_text(template(), encoding="utf-8")
    settings = load_settings(path)
    SettingsFile(path).change({"game.players": ["Anna", "Ben", "Cem"]}, by="Ute", at_s=1.8e9)
    at_the_appliance = Restart(can=True)
    return SettingsDesk(path, settings, note=lambda kind, data: None, restarting=at_the_appliance)


def four_of(browser: webdriver.Chrome, server: Server, path: str) -> Image.Image:
    """What a path shows in both themes, and in both languages of each."""
    sheet = Image.new("RGB", (2 * QUARTER[0], 2 * QUARTER[1]))
    for (row, theme), (column, lang) in product(
        enumerate(("dark", "light")), enumerate(("de", "en"))
    ):
        asked = f"{path}{'&' if '?' in path else '?'}lang={lang}"
        page = show(browser, server, asked, SCREEN, theme)
        page.wait(lambda page=page: all(page.texts(".changes")), "what is being tried")
        picture = picture_of(browser).resize(QUARTER, Image.Resampling.LANCZOS)
        sheet.paste(picture, (column * QUARTER[0], row * QUARTER[1]))
    return sheet


if __name__ == "__main__":
    main(Path(sys.argv[1]))
