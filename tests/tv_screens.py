"""Takes the pictures of the wall screen and the overlay in docs/: `make screens`."""

import io
import sys
import tempfile
import time
from base64 import b64decode
from pathlib import Path

from PIL import Image
from selenium import webdriver
from test_web_ui_table import Table
from web_ui_page import Page, Server, start_chromium
from web_ui_scenes import evening, mid_round, names

from rules.actions import ThrowDice

SIZES = {"tv": (1920, 1080), "pi": (800, 480)}
WIDEST_PX = 1280
BEHIND = {"color": {"r": 122, "g": 92, "b": 60, "a": 1}}
"""Wood, where a page is clear."""

PUBLIC_URL = "http://192.168.1.20:8080/"


def playing(count: int, *, long: bool = False) -> Table:
    table = Table(names(count, long=long), start_s=time.time() - 600)
    mid_round(table)
    return table


def asked() -> Table:
    table = playing(4)
    table.ask("q1", reason="Ein Würfel liegt halb verdeckt.")
    return table


def over() -> Table:
    table = Table(names(6), start_s=time.time() - 600)
    evening(table)
    return table


def final() -> Table:
    table = Table(names(5, long=True), start_s=time.time() - 600)
    mid_round(table, part="final", round=2)
    return table


def started() -> Table:
    return Table(names(4))


PICTURES = (
    ("tv-dark", "tv", playing(5), "tv?theme=dark"),
    ("tv-light-en", "tv", playing(10), "tv?theme=light&lang=en"),
    ("tv-final", "tv", final(), "tv?theme=dark"),
    ("tv-asked", "tv", asked(), "tv?theme=light"),
    ("tv-over", "tv", over(), "tv?theme=dark"),
    ("tv-start-en", "tv", started(), "tv?theme=dark&lang=en"),
    ("tv-pi-dark", "pi", playing(6), "tv?theme=dark"),
    ("tv-pi-long-names", "pi", playing(10, long=True), "tv?theme=light"),
    ("tv-pi-over-en", "pi", over(), "tv?theme=light&lang=en"),
    ("overlay", "tv", playing(4), "overlay?corner=bottom-left"),
)


def main(folder: Path) -> None:
    """Take every picture and write it as WebP."""
    with tempfile.TemporaryDirectory() as profile:
        browser = start_chromium(Path(profile), "--force-prefers-reduced-motion")
        try:
            for name, size, table, path in PICTURES:
                take(browser, table, path, SIZES[size], folder / f"{name}.webp")
            celebration(browser, folder / "tv-schock-aus.webp")
        finally:
            browser.quit()


def show(browser: webdriver.Chrome, server: Server, path: str, size: tuple[int, int]) -> Page:
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page = Page(browser, server.url + path)
    page.wait(lambda: browser.execute_script("return document.fonts.status") == "loaded", "fonts")
    return page


def take(
    browser: webdriver.Chrome, table: Table, path: str, size: tuple[int, int], file: Path
) -> None:
    server = Server(table, PUBLIC_URL=PUBLIC_URL, TABLE_NAME="Zum Goldenen Würfel")
    try:
        browser.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", BEHIND)
        show(browser, server, path, size)
        save(browser, file)
    finally:
        server.stop()


def celebration(browser: webdriver.Chrome, file: Path) -> None:
    table = Table()
    table.play_opening()
    server = Server(table, PUBLIC_URL=PUBLIC_URL)
    try:
        page = show(browser, server, "tv?theme=dark", SIZES["tv"])
        table.do(ThrowDice("Cem", (1, 1, 1)))
        page.wait(lambda: page.is_shown("#celebration"), "the celebration")
        save(browser, file)
    finally:
        server.stop()


def save(browser: webdriver.Chrome, file: Path) -> None:
    picture = picture_of(browser)
    if picture.width > WIDEST_PX:
        picture.thumbnail((WIDEST_PX, WIDEST_PX), Image.Resampling.LANCZOS)
    write(picture, file)


def picture_of(browser: webdriver.Chrome) -> Image.Image:
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    return Image.open(io.BytesIO(b64decode(shot["data"]))).convert("RGB")


def write(picture: Image.Image, file: Path) -> None:
    picture.save(file, quality=78, method=6)
    print(f"{file.name}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
