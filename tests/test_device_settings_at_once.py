"""What counts at once of the settings that are changed at the page, at the page itself."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from test_device_settings_desk import TEXT, path
from test_web_ui_table import Table
from web_ui_access import THROW, Clock, begin, known_pins, sign_in, signed_in

from device.page_settings import at_once, page_settings
from device.settings import SETTINGS, Settings, load_settings
from device.settings_desk import SettingsDesk
from web_ui import create_app
from web_ui.access import Access

__all__ = ["path"]


@pytest.fixture
def app(path: Path) -> Flask:
    table = Table()
    settings = load_settings(path)
    desk = SettingsDesk(path, settings, note=table.log.append)
    clock = Clock()
    access = Access(known_pins(), note=table.log.append, clock=clock, steady=clock)
    shown = page_settings(settings, None, ())
    app = create_app(table.log, table.submit, shown, access=access, table_settings=desk)
    desk.take_over = lambda now: app.config.update(at_once(now))
    app.extensions["clock"] = clock
    return app


@pytest.fixture
def landlord(app: Flask) -> FlaskClient:
    return signed_in(app, "admin")


def send(client: FlaskClient, **typed: str) -> str:
    stamp = client.get("/settings").text.partition('name="stamp" value="')[2].partition('"')[0]
    named = {name.replace("__", "."): said for name, said in typed.items()}
    answer = client.post("/settings", data={"stamp": stamp, **named})
    assert answer.status_code == 200, answer.text
    return answer.text


AT_ONCE = {
    "web.table_needs_pin", "web.signed_in_h", "web.language", "web.table_name", "web.public_url",
}  # fmt: skip


def test_these_count_at_once_and_are_the_ones_that_say_so() -> None:
    assert {setting.name for setting in SETTINGS if setting.at_once} == AT_ONCE
    before = at_once(Settings())
    values = {"web.table_needs_pin": False, "web.signed_in_h": 1.0, "web.language": "en"}
    values |= {"web.table_name": "X", "web.public_url": "http://x/"}
    assert set(values) == AT_ONCE
    for name, value in values.items():
        assert at_once(Settings({name: value})) != before, name


def test_name_and_language_count_at_once(app: Flask, landlord: FlaskClient) -> None:
    page = app.test_client()
    assert "Ecke am Ofen" not in page.get("/").text
    send(landlord, web__table_name="Ecke am Ofen", web__language="en")
    assert "Ecke am Ofen" in page.get("/").text
    assert '<html lang="en">' in page.get("/").text


def test_the_pin_of_the_table_counts_at_once(app: Flask, landlord: FlaskClient) -> None:
    anybody = app.test_client()
    begin(anybody)
    assert anybody.post("/api/actions", json=THROW).status_code == 401
    send(landlord, web__table_needs_pin="false")
    assert anybody.post("/api/actions", json=THROW).status_code == 200


def test_the_next_to_sign_in_stays_so_as_long_as_it_says_now(
    app: Flask, landlord: FlaskClient
) -> None:
    send(landlord, web__signed_in_h="2,5")
    device = app.test_client()
    assert sign_in(device, "table").status_code == 200
    clock: Clock = app.extensions["clock"]
    clock.now_s += 2.4 * 3600
    assert device.get("/api/session").get_json()["role"] == "table"
    clock.now_s += 0.2 * 3600
    assert device.get("/api/session").get_json()["role"] == "viewer"


def test_the_address_for_phones_counts_at_once(app: Flask, landlord: FlaskClient) -> None:
    before = app.test_client().get("/join.svg").data
    send(landlord, web__public_url="http://tisch1.local:8081/")
    assert app.test_client().get("/join.svg").data != before


def test_an_untouched_form_changes_nothing(landlord: FlaskClient, path: Path) -> None:
    assert "Es war nichts zu ändern." in send(landlord, web__language="de")
    assert path.read_text(encoding="utf-8") == TEXT


def test_whoever_sends_an_old_form_again_takes_nothing_of_others_back(
    app: Flask, landlord: FlaskClient, path: Path
) -> None:
    """His form shows what was before; what he has not touched is not what he wants."""
    other = signed_in(app, "admin")
    old = landlord.get("/settings").text.partition('name="stamp" value="')[2].partition('"')[0]
    send(other, web__table_name="Ecke am Ofen")
    form = {"web.table_name": "", "web.language": "en"}
    refused = landlord.post("/settings", data={"stamp": old, **form})
    assert refused.status_code == 400
    assert "inzwischen jemand anders" in refused.text
    assert 'value="Ecke am Ofen"' in refused.text, "as it is now"
    assert '<option value="en" selected>' in refused.text, "what he has chosen stays"
    landlord.post("/settings", data={"stamp": old, **form})
    assert load_settings(path)["web.table_name"] == "Ecke am Ofen"
