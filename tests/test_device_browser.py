"""The demo in a real browser: a clip plays, people answer, the Deckel on the page change."""

import threading
from pathlib import Path

import pytest
from device_table import opening, stand_in
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from shipped_demo import free_port, open_page
from web_ui_page import deckel_shown

from device.cli import main

pytestmark = pytest.mark.slow

PATIENCE_S = 60.0


def wait_for_deckel(browser: webdriver.Chrome, expected: dict[str, int]) -> None:
    """They move one entry after the other."""
    WebDriverWait(browser, PATIENCE_S).until(lambda d: deckel_shown(d) == expected, str(expected))


def test_an_unsure_throw_is_confirmed_on_the_page_and_the_deckel_move(
    chromium: webdriver.Chrome,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The painted opening, with a second reader that takes every 6 for a 5."""
    stand_in(monkeypatch, mistakes={6: 5})
    table = opening()
    table.hold(8.0)  # time to answer before the demo ends
    clip = table.write(tmp_path / "opening.avi")
    port = free_port()
    words = ["demo", "--clip", clip, "--once", "--no-browser", "--port", port]
    status: list[int] = []
    demo = threading.Thread(target=lambda: status.append(main([str(word) for word in words])))
    demo.start()
    try:
        open_page(chromium, port)
        confirmed = 0

        def confirm_or_see(driver: webdriver.Chrome) -> bool:
            nonlocal confirmed
            for button in driver.find_elements(By.CSS_SELECTOR, "[data-question] .confirm"):
                try:
                    button.click()
                except WebDriverException:
                    continue  # redrawn under the finger
                confirmed += 1
            return sum(deckel_shown(driver).values()) > 0

        WebDriverWait(chromium, PATIENCE_S).until(confirm_or_see)
        wait_for_deckel(chromium, {"A": 0, "B": 0, "C": 1})
        assert confirmed >= 2
        assert (
            chromium.execute_script("return document.getElementById('stock').dataset.deckel")
            == "12"
        )
    finally:
        demo.join(PATIENCE_S)
    assert status == [0]
