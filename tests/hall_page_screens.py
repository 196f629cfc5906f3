"""Takes a picture of every page of a tournament in docs/, in both languages and themes."""

import logging
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import cv2
from desk_screens import show
from hall_scenes import STILL, HubServer, asked, coded, over, people, playing
from page_screens import SCREEN, four_of
from selenium import webdriver
from tournament_hall import MemoryHall
from tv_screens import PUBLIC_URL, write
from web_ui_desk import paint
from web_ui_page import Page, start_chromium

PAGES: Mapping[str, str] = {
    "/tournament": "tournament",
    "/tournament/wall": "tournament/wall",
    "/tournament/desk": "tournament/desk?at=cards",
    "/tournament/card/<int:number>/<int:table>": "tournament/card/1/2",
    "/tournament/referee": "tournament/referee",
    "/tournament/pairing": "tournament/pairing",
    "/tournament/results.html": "tournament/results.html",
    "/tournament/sheet": "tournament/sheet",
}
"""Route -> what is looked at."""


def name_of(rule: str) -> str:
    """Of the picture of a route, such as `tournament-card.webp`."""
    return "-".join(rule.removesuffix(".html").split("/")[1:3]) + ".webp"


def hall_of(rule: str, evidence: Path) -> MemoryHall:
    """The moment at which a page tells most."""
    if rule == "/tournament/results.html":
        return over(people(9))
    if rule == "/tournament/pairing":
        return coded()
    if rule != "/tournament/referee":
        return playing(people(15))
    hall = asked(evidence)
    picture = evidence / f"{STILL}.jpg"
    cv2.imwrite(str(picture), paint((6, 5, 3)))
    hall.files["tisch-1", STILL] = picture
    return hall


def main(folder: Path) -> None:
    """Take every picture and write it as WebP."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        browser = start_chromium(scratch / "profile", "--force-prefers-reduced-motion")
        try:
            for rule in PAGES:
                take(browser, rule, scratch, folder / name_of(rule))
        finally:
            browser.quit()


def take(browser: webdriver.Chrome, rule: str, scratch: Path, file: Path) -> None:
    """Write the picture of a page, as it looks to a referee."""
    server = HubServer(hall_of(rule, scratch), PUBLIC_URL=PUBLIC_URL)
    try:
        show(browser, server, "tournament", SCREEN, "dark")
        browser.delete_all_cookies()
        Page(browser, server.url + "tournament").sign_in("referee")
        write(four_of(browser, server, PAGES[rule]), file)
    finally:
        server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
