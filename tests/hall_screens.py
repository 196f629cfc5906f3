"""Takes the pictures of a tournament's pages in docs/: `make screens`."""

import logging
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pypdfium2
from hall_client import visitor
from hall_scenes import HubServer, drawn, opened, over, people, playing
from PIL import Image
from selenium import webdriver
from tournament_hall import MemoryHall
from tv_screens import PUBLIC_URL, picture_of, write
from web_ui_page import Page, start_chromium

WALL, PHONE, DESK = (1920, 1080), (390, 800), (900, 800)
Shot = tuple[Callable[[], MemoryHall], str, str, tuple[int, int]]

WALLS: Sequence[Shot] = (
    (lambda: opened(people(40)), "tournament/wall", "dark", WALL),
    (lambda: drawn(people(44)), "tournament/wall", "light", WALL),
    (lambda: playing(people(44)), "tournament/wall", "dark", WALL),
    (lambda: over(people(12)), "tournament/wall?lang=en", "light", WALL),
)
DESKS: Sequence[Shot] = (
    (lambda: playing(people(12)), "tournament?name=Anna", "dark", PHONE),
    (lambda: playing(people(12)), "tournament/desk?at=players", "light", DESK),
    (lambda: playing(people(12)), "tournament/card/1/2", "dark", PHONE),
)


def main(folder: Path) -> None:
    """Take every picture and write it as WebP."""
    folder.mkdir(exist_ok=True)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as profile:
        browser = start_chromium(Path(profile), "--force-prefers-reduced-motion")
        try:
            walls = [taken(browser, shot).resize((640, 360), SMOOTH) for shot in WALLS]
            write(beside([beside(walls[:2]), beside(walls[2:])], down=True), folder / "wall.webp")
            desks = [taken(browser, shot) for shot in DESKS]
            write(beside([smaller(one, 0.75) for one in desks]), folder / "desk.webp")
        finally:
            browser.quit()
    write(beside(printed()), folder / "printed.webp")


SMOOTH = Image.Resampling.LANCZOS


def taken(browser: webdriver.Chrome, shot: Shot) -> Image.Image:
    """A page as it looks to who is signed in."""
    make, path, theme, (width, height) = shot
    server = HubServer(make(), PUBLIC_URL=PUBLIC_URL)
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    feature = {"name": "prefers-color-scheme", "value": theme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    try:
        browser.get(server.url)
        browser.delete_all_cookies()
        Page(browser, server.url + "tournament").sign_in("referee")
        page = Page(browser, server.url + path)
        said = "return document.fonts.status"
        page.wait(lambda: browser.execute_script(said) == "loaded", "fonts")
        return picture_of(browser)
    finally:
        server.stop()


def printed() -> list[Image.Image]:
    """A card and the draw to hang up, as they leave the printer."""
    client = visitor(drawn(people(44)))
    pages = []
    for path, tall in (("cards.pdf?round=1", 520), ("poster.pdf", 520)):
        file = client.get(f"/tournament/{path}").data
        page = pypdfium2.PdfDocument(file)[0].render(scale=3).to_pil().convert("RGB")
        pages.append(smaller(page, tall / page.height))
    return pages


def smaller(picture: Image.Image, part: float) -> Image.Image:
    return picture.resize((round(part * picture.width), round(part * picture.height)), SMOOTH)


def beside(pictures: Sequence[Image.Image], *, down: bool = False) -> Image.Image:
    """One picture of several, beside or below each other."""
    gap = 8
    wide = [one.width for one in pictures]
    tall = [one.height for one in pictures]
    size = (max(wide), sum(tall) + gap * (len(tall) - 1))
    size = size if down else (sum(wide) + gap * (len(wide) - 1), max(tall))
    sheet, at = Image.new("RGB", size, (122, 92, 60)), 0
    for one in pictures:
        sheet.paste(one, (0, at) if down else (at, 0))
        at += gap + (one.height if down else one.width)
    return sheet


if __name__ == "__main__":
    main(Path(sys.argv[1]))
