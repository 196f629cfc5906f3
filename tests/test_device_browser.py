"""The demo in a real browser: the clip plays, people answer, the Deckel on the page change."""

import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from device_table import opening, stand_in
from selenium import webdriver
from selenium.common.exceptions import (
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from device import demo_material
from device.cli import main

pytestmark = pytest.mark.slow

PATIENCE_S = 60.0
CLIP_PATIENCE_S = 300.0
"""The shipped clip plays at real speed, and a busy machine reads it more slowly."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def open_page(browser: webdriver.Chrome, port: int, *, patience_s: float = PATIENCE_S) -> None:
    """Load the dashboard as soon as somebody answers."""

    def loaded(driver: webdriver.Chrome) -> bool:
        try:
            driver.get(f"http://127.0.0.1:{port}/")
        except WebDriverException:
            return False
        return bool(driver.find_elements(By.ID, "stock"))

    WebDriverWait(browser, patience_s).until(loaded)


def deckel(browser: webdriver.Chrome) -> dict[str, int]:
    """Deckel by player as the page shows them; {} while it is just being redrawn."""
    try:
        shown = browser.find_elements(By.CSS_SELECTOR, "[data-player][data-deckel]")
        return {
            str(e.get_attribute("data-player")): int(e.get_attribute("data-deckel") or 0)
            for e in shown
        }
    except StaleElementReferenceException:
        return {}


def wait_for_deckel(browser: webdriver.Chrome, expected: dict[str, int]) -> None:
    """The page may be redrawn while it is read, so it gets a second chance to be right."""
    WebDriverWait(browser, 5.0).until(lambda d: deckel(d) == expected, str(expected))


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
            return sum(deckel(driver).values()) > 0

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


@pytest.mark.skipif(
    not (demo_material.FOLDER / "clip.mp4").exists(), reason="no clip is shipped with the demo yet"
)
def test_the_shipped_demo_moves_deckel_on_the_page(
    chromium: webdriver.Chrome,
    tmp_path: Path,
) -> None:
    port = free_port()
    command = [sys.executable, "-m", "device", "demo", "--no-browser", "--port", str(port)]
    with (tmp_path / "output").open("w") as output:
        demo = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        open_page(chromium, port)
        before = deckel(chromium)
        assert sum(before.values()) == 0, f"loaded too late to see anything change: {before}"
        WebDriverWait(chromium, CLIP_PATIENCE_S).until(lambda d: sum(deckel(d).values()) > 0)
        first = next(line for line in demo_material.truth() if line["type"] == "round")
        wait_for_deckel(chromium, first["deckel"]["holdings"])
    finally:
        demo.terminate()
        demo.wait(PATIENCE_S)
