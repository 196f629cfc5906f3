"""The button that starts the table anew, in a real browser, which comes back by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from first_pin import first_pin
from real_table import RealTable
from selenium import webdriver
from test_device_restarting import AS_SYSTEMD
from web_ui_page import Page

from device.restarting import STATUS
from device.settings_file import SettingsFile

pytestmark = pytest.mark.slow

START_S = 60.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    running = RealTable(tmp_path)
    running.start(prefix=AS_SYSTEMD)
    running.serves()
    yield running
    running.end()


def test_the_landlord_presses_it_and_sees_the_settings_again(
    chromium: webdriver.Chrome, table: RealTable
) -> None:
    SettingsFile(table.settings).change({"store.clip_fps": 5.0}, by="console", at_s=5.0)
    page = Page(chromium, f"http://127.0.0.1:{table.port}/")
    page.sign_in("admin", first_pin(table.console))
    page = Page(chromium, f"http://127.0.0.1:{table.port}/settings")
    page.tap(".restart button")
    page.wait(lambda: bool(page.all("[data-restarting]")), "that it starts anew")
    assert table.ended() == STATUS
    table.start(prefix=AS_SYSTEMD)
    page.wait(lambda: bool(page.all("form.settings")), "the settings", START_S)
    assert not page.all(".restart")
    complaints = [line for line in page.complaints() if "Security Policy" in line["message"]]
    assert complaints == []
