"""The shipped demo, played once for all tests that look at it: its log, and what the page shows."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from web_ui_page import deckel_shown

Entry = dict[str, Any]

START_S, END_S = 60.0, 900.0
LOOKS_EVERY_S = 0.1


@dataclass(frozen=True)
class ShippedDemo:
    """What came of `schockauge demo --fast --once`, with the shipped clip and weights.

    Attributes:
        log: its entries.
        shown: the Deckel on the page, whenever others were shown than before; empty where no
            browser is installed.
    """

    log: list[Entry]
    shown: list[dict[str, int]]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def open_page(browser: webdriver.Chrome, port: int) -> None:
    """Load the dashboard as soon as somebody answers."""

    def loaded(driver: webdriver.Chrome) -> bool:
        try:
            driver.get(f"http://127.0.0.1:{port}/")
        except WebDriverException:
            return False
        return bool(driver.find_elements(By.ID, "stock"))

    WebDriverWait(browser, START_S).until(loaded)


def play(folder: Path, browser: Callable[[], webdriver.Chrome]) -> ShippedDemo:
    """Play it to its end and look on.

    Args:
        folder: for what it writes.
        browser: gives one where one is installed.
    """
    port = free_port()
    words = ["demo", "--fast", "--once", "--json", "--no-browser", "--port", str(port)]
    looks_on = shutil.which("chromium") is not None or "CI" in os.environ
    driver = browser() if looks_on else None
    out, err = folder / "out.jsonl", folder / "err.txt"
    with out.open("w") as stdout, err.open("w") as stderr:
        demo = subprocess.Popen(
            [sys.executable, "-m", "device", *words],
            stdout=stdout,
            stderr=stderr,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        )
        try:
            shown = [] if driver is None else _looked_on(demo, driver, port)
            status = demo.wait(END_S if driver is None else START_S)
        finally:
            demo.kill()
            demo.wait()
    assert status == 0, err.read_text()
    return ShippedDemo([json.loads(line) for line in out.read_text().splitlines()], shown)


def _looked_on(
    demo: subprocess.Popen[bytes], driver: webdriver.Chrome, port: int
) -> list[dict[str, int]]:
    open_page(driver, port)
    shown: list[dict[str, int]] = []
    give_up_at = time.monotonic() + END_S
    while demo.poll() is None and time.monotonic() < give_up_at:
        deckel = deckel_shown(driver)
        if not shown or deckel != shown[-1]:
            shown.append(deckel)
        time.sleep(LOOKS_EVERY_S)
    return shown
