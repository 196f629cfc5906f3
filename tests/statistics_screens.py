"""Takes the pictures of the statistics in docs/: `make screens`."""

import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from test_web_ui_table import Table
from tv_screens import save
from web_ui_page import Server, start_chromium
from web_ui_scenes import evening, names

SIZE = (1000, 1250)


def main(folder: Path) -> None:
    """Take every picture and write it as WebP."""
    table = Table(names(5))
    evening(table, games=4)
    with tempfile.TemporaryDirectory() as profile:
        browser = start_chromium(Path(profile))
        server = Server(table, TABLE_NAME="Zum Goldenen Würfel")
        try:
            show(browser, server, "statistics", "dark", at="main")
            save(browser, folder / "players.webp")
            show(browser, server, "statistics?lang=en", "light", at="[aria-labelledby=luck-title]")
            save(browser, folder / "luck-en.webp")
        finally:
            server.stop()
            browser.quit()


def show(browser: webdriver.Chrome, server: Server, path: str, theme: str, *, at: str) -> None:
    """Open the page in a theme, with a part of it at the top."""
    metrics = {"width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    feature = {"name": "prefers-color-scheme", "value": theme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.get(server.url + path)
    browser.execute_async_script("document.fonts.ready.then(arguments[0])")
    browser.execute_script("document.querySelector(arguments[0]).scrollIntoView()", at)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
