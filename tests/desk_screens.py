"""Takes the pictures of the table's page and the referee's desk in docs/: `make screens`."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from tv_screens import save
from web_ui_desk import DeskTable, dispute, first_round, thrown_by
from web_ui_page import Page, Server, start_chromium

PHONE, TABLET, DESK = (390, 844), (1180, 820), (1440, 1000)


def main(folder: Path) -> None:
    """Take every picture and write it as WebP."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        table = first_round(DeskTable("Anna", "Ben", "Cem", folder=scratch), clips=True)
        browser = start_chromium(scratch / "profile", "--force-prefers-reduced-motion")
        settings = {"EVIDENCE_DIR": str(scratch), "TABLE_NAME": "Zum Goldenen Würfel"}
        server = Server(table.served, **settings)
        try:
            table.see("throw_seen", (6, 4, 1))
            show(browser, server, "table", PHONE, "dark")
            save(browser, folder / "table-phone.webp")
            show(browser, server, "table?lang=en", TABLET, "light")
            save(browser, folder / "table-tablet-en.webp")
            table.say("cleared")
            likely = ((6, 5, 3), (6, 5, 2))
            doubt = {"sure": False, "doubt": 2, "reason": "values", "candidates": likely}
            table.see("unsure", (6, 5, 3), clip=True, **doubt)
            show(browser, server, "table", PHONE, "dark").wait(loaded(browser), "the picture")
            save(browser, folder / "table-asked.webp")
            dispute(table, "Ben", by="Cem")
            desk(browser, server, table, folder)
        finally:
            server.stop()
            browser.quit()


def desk(browser: webdriver.Chrome, server: Server, table: DeskTable, folder: Path) -> None:
    """The desk with a question, and with a correction that is being tried."""
    show(browser, server, "", DESK, "dark").sign_in("referee")
    page = show(browser, server, "referee?lang=en", DESK, "light")
    page.wait(lambda: page.one(".changes").text != "", "what would change")
    save(browser, folder / "referee-question-en.webp")
    page = show(browser, server, "referee?item=case-claim-1", DESK, "dark")
    page.tap("[value=correct]")
    for place in (3, 2, 1):
        page.tap(f"#desk-slot-{place}")
    for value in (5, 3, 2):
        page.tap(f"#desk-key-{value}")
    page.tap("#tool-in")
    page.wait(lambda: "Platz" in page.one(".changes").text, "what would change")
    browser.execute_script("scrollTo(0, 0)")
    save(browser, folder / "referee-claim.webp")
    about = {"player": "Ben", "throw_id": thrown_by(table, "Ben")["throw_id"]}
    page = show(browser, server, "tv?theme=dark", (1920, 1080), "dark")
    corrected = {"type": "correct_throw", **about, "dice": [5, 3, 2], "by": "Ute", "reason": "Film"}
    table.act(corrected)
    page.wait(lambda: page.is_shown("#ruling"), "the ruling")
    save(browser, folder / "tv-ruling.webp")


def loaded(browser: webdriver.Chrome) -> Callable[[], bool]:
    """Whether the picture of a question is there."""
    script = "return document.querySelector('.question .still').naturalWidth > 0"
    return lambda: bool(browser.execute_script(script))


def show(
    browser: webdriver.Chrome, server: Server, path: str, size: tuple[int, int], theme: str
) -> Page:
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
    page = Page(browser, server.url + path)
    page.wait(lambda: browser.execute_script("return document.fonts.status") == "loaded", "fonts")
    return page


if __name__ == "__main__":
    main(Path(sys.argv[1]))
