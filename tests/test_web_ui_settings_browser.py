"""The page of the settings in a real browser, over a real file, with and without scripts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from test_web_ui_table import Table
from web_ui_access import PINS
from web_ui_page import Page, Server

from device.page_settings import at_once, page_settings
from device.settings import load_settings
from device.settings_desk import SettingsDesk

pytestmark = pytest.mark.slow

TEXT = "# Unser Tisch\n[web]\nport = 8081 # 8080 hat der Drucker\n"


class Appliance(Server):
    """A table's page whose settings are those of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(Table())

    def make_app(self):  # type: ignore[no-untyped-def]
        settings = load_settings(self.path)
        desk = SettingsDesk(self.path, settings, note=self.table.log.append)
        self.settings |= page_settings(settings, None, ())
        self.table_settings = desk
        app = super().make_app()
        desk.take_over = lambda now: app.config.update(at_once(now))
        return app


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def server(path: Path) -> Iterator[Appliance]:
    running = Appliance(path)
    yield running
    running.stop()


def clear(page: Page, name: str) -> None:
    page.browser.execute_script("document.getElementsByName(arguments[0])[0].value = ''", name)


def field(page: Page, name: str) -> str:
    script = "return document.getElementsByName(arguments[0])[0].value"
    return str(page.browser.execute_script(script, name))


def open_all(page: Page) -> None:
    page.browser.execute_script("document.querySelectorAll('details').forEach((it) => it.open = 1)")


def test_the_landlord_changes_settings_and_takes_them_back(
    chromium: webdriver.Chrome, server: Appliance, path: Path
):
    page = Page(chromium, server.url + "signin?role=admin&next=/settings")
    page.type_in("[name=pin]", PINS["admin"] + "\n")
    page.wait(lambda: page.texts("h1") == ["Einstellungen"], "the settings")
    open_all(page)
    page.type_in("[name='web.table_name']", "Ecke am Ofen")
    clear(page, "table.mat_width_mm")
    page.type_in("[name='table.mat_width_mm']", "breit")
    page.tap(".send")
    page.wait(lambda: page.is_shown("#reason"), "that it does not fit")
    assert page.texts(".field.wrong label code") == ["table.mat_width_mm"]
    assert page.texts(".field.wrong .mistake") == [
        "table.mat_width_mm ist 'breit', erwartet wird: eine Zahl."
    ]
    assert page.is_shown(".field.wrong"), "its section is open"
    assert field(page, "web.table_name") == "Ecke am Ofen"
    assert path.read_text(encoding="utf-8") == TEXT

    clear(page, "table.mat_width_mm")
    page.type_in("[name='table.mat_width_mm']", "600,5\n")
    page.wait(lambda: bool(page.all("[role=status]")), "that it is saved")
    assert page.texts("p.said")[0] == "Gespeichert: table.mat_width_mm, web.table_name."
    assert "table.mat_width_mm" in page.texts("p.said")[1]
    assert page.texts(".table-name") == ["Ecke am Ofen"], "the head has it at once"
    settings = load_settings(path)
    assert (settings["table.mat_width_mm"], settings["web.table_name"]) == (600.5, "Ecke am Ofen")
    assert path.read_text(encoding="utf-8").startswith(TEXT)

    open_all(page)
    page.tap("button[name=default][value='table.mat_width_mm']")
    page.wait(lambda: "table.mat_width_mm." in page.texts("p.said")[0], "the default")
    assert load_settings(path)["table.mat_width_mm"] == 420.0
    page.tap("button[name=version][value='1']")
    page.wait(lambda: len(page.all(".versions li")) == 4, "the first version again")
    assert path.read_text(encoding="utf-8") == TEXT
    assert page.texts(".table-name") == []
    page = Page(chromium, server.url)
    assert any("hat Einstellungen geändert" in line for line in page.texts("#log-lines .what"))
    assert [line for line in page.complaints() if "Security Policy" in line["message"]] == []


def test_all_of_it_works_without_javascript(
    chromium: webdriver.Chrome, server: Appliance, path: Path
):
    Page(chromium, server.url)
    chromium.delete_all_cookies()
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        chromium.get(server.url + "signin?role=admin&next=/settings")
        chromium.find_element("name", "pin").send_keys(PINS["admin"] + "\n")
        shown = Page.__new__(Page)
        shown.browser = chromium
        shown.wait(lambda: shown.is_shown("[name='game.players']"), "the settings")
        shown.wait(lambda: bool(shown.one("[name='game.players']").clear()) or True, "empty")
        shown.type_in("[name='game.players']", "Anna\nBert")
        shown.tap(".send")
        shown.wait(lambda: "Gespeichert: game.players." in chromium.page_source, "saved")
        assert load_settings(path)["game.players"] == ["Anna", "Bert"]
        shown.tap("button[name=version][value='1']")
        shown.wait(lambda: path.read_text(encoding="utf-8") == TEXT, "the first version again")
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize("width", [320, 1280])
def test_the_page_fits_on_a_phone(chromium: webdriver.Chrome, server: Appliance, width: int):
    page = Page(chromium, server.url + "signin?role=admin&next=/settings")
    page.type_in("[name=pin]", PINS["admin"] + "\n")
    page.wait(lambda: page.is_shown("[name='game.players']"), "the settings")
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        open_all(page)
        wide = "return document.documentElement.scrollWidth"
        assert chromium.execute_script(wide) <= width
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
