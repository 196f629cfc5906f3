"""The page of the settings: for the landlord alone, mistakes beside the field, nothing lost."""

import re
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from test_web_ui_table import Table
from web_ui_access import code, known_pins, refusals, signed_in
from web_ui_settings import KnownSettings, both
from werkzeug.test import TestResponse

from web_ui import create_app
from web_ui.access import Access
from web_ui.i18n import text
from web_ui.settings_port import Mistake


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def known() -> KnownSettings:
    return KnownSettings()


@pytest.fixture
def app(table: Table, known: KnownSettings) -> Flask:
    access = Access(known_pins(), note=table.log.append)
    return create_app(table.log, table.submit, {}, access=access, table_settings=known)


@pytest.fixture
def landlord(app: Flask) -> FlaskClient:
    return signed_in(app, "admin")


def form(known: KnownSettings, **changed: str) -> dict[str, str]:
    """What a browser sends: every field that is not locked, and what was changed."""
    fields = {f.name: f.value for f in known.fields.values() if not f.locked}
    sent = {name.replace("__", "."): said for name, said in changed.items()}
    return {"stamp": known.sheet().stamp, "by": "", **fields, **sent}


def send(client: FlaskClient, known: KnownSettings, **changed: str) -> TestResponse:
    return client.post("/settings", data=form(known, **changed))


def said(answer: TestResponse) -> str:
    """The page as text: no markup, no double spaces."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def test_every_setting_is_shown_with_unit_default_help_and_when_it_counts(landlord: FlaskClient):
    page = landlord.get("/settings")
    told = said(page)
    for words in (
        "table.mat_width_mm mm Breite (deutsch). Standard: 420 · wirkt nach dem nächsten Start",
        "web.port 8080 Port (deutsch). Sperrt alle aus (deutsch).",
        "Standard: ja · wirkt sofort",
        "Läuft gerade mit: Linde",
        "Wartet auf den nächsten Start: web.table_name.",
        "Fassung 2, 15.01.2027",
        "von Ute: web.table_name gilt jetzt",
        "in der Datei selbst: ganze Datei",
    ):
        assert words in told, words
    assert 'name="web.port"' not in page.text
    assert "Name (English)." in landlord.get("/settings?lang=en").text


def test_only_what_differs_is_written_and_the_page_says_when_it_counts(
    landlord: FlaskClient, known: KnownSettings
):
    changed = {"web__language": "en", "table__mat_width_mm": " 430,5 "}
    answer = send(landlord, known, **changed, game__players="Anna\r\nBen\r\n")
    assert answer.status_code == 200
    assert known.written == [("Wirt", {"table.mat_width_mm": "430,5", "web.language": "en"})]
    told = said(answer)
    assert "Gespeichert: table.mat_width_mm, web.language." in told
    assert "Gilt erst nach dem nächsten Start: table.mat_width_mm." in told


def test_who_changes_it_may_say_so(landlord: FlaskClient, known: KnownSettings):
    send(landlord, known, by=" Ute ", web__language="en")
    assert known.written[0][0] == "Ute"
    assert send(landlord, known, by="x" * 61).status_code == 400
    assert send(landlord, known, by="a\x07b").status_code == 400
    assert len(known.written) == 1


def test_mistakes_stand_beside_the_field_and_what_was_typed_stays(
    landlord: FlaskClient, known: KnownSettings
):
    answer = send(landlord, known, web__table_name="falsch", game__players='Cem\n"<b>')
    assert answer.status_code == 400
    assert known.written == []
    assert "Nichts wurde geändert. Bitte nachsehen:" in answer.text
    field = answer.text.partition('id="field-web-table_name"')[2].partition("</div>")[0]
    assert 'value="falsch"' in field
    assert "aria-invalid=true" in field
    assert "web.table_name geht nicht (deutsch)." in field
    assert "\nCem\n&#34;&lt;b&gt;</textarea>" in answer.text


def test_back_to_default_changes_that_one_and_keeps_what_else_was_typed(
    landlord: FlaskClient, known: KnownSettings
):
    answer = send(landlord, known, default="web.table_name", table__mat_width_mm="500")
    assert known.written == [("Wirt", {"web.table_name": None})]
    assert 'value="500"' in answer.text
    assert "Zurück auf Standard" in answer.text  # of the players, which still are set


def test_a_form_from_before_another_change_is_refused_and_kept(
    landlord: FlaskClient, known: KnownSettings
):
    old = form(known, web__table_name="Neu")
    send(landlord, known, web__language="en")
    answer = landlord.post("/settings", data=old)
    assert answer.status_code == 400
    assert "Inzwischen geändert" in answer.text
    assert 'value="Neu"' in answer.text
    assert len(known.written) == 1


def test_an_earlier_version_is_taken_back(landlord: FlaskClient, known: KnownSettings):
    sent = {"version": "1", "stamp": known.sheet().stamp}
    answer = landlord.post("/settings/restore", data=sent)
    assert (answer.status_code, known.restored) == (200, [1])
    assert "Gespeichert: web.table_name." in answer.text
    for bad in ("77", "", "x", "-1", "1e3", "9" * 400):
        assert landlord.post("/settings/restore", data=sent | {"version": bad}).status_code == 400
    assert known.restored == [1]


def test_a_file_that_was_broken_meanwhile_is_told(landlord: FlaskClient, known: KnownSettings):
    known.mistakes = (Mistake(both("Kein TOML"), "", 7),)
    told = said(landlord.get("/settings"))
    assert "Der Tisch läuft weiter mit dem, was beim Start galt" in told
    assert "Zeile 7: Kein TOML (deutsch)." in told


def test_a_table_without_a_file_says_why_nothing_can_be_changed(table: Table):
    app = create_app(table.log, table.submit, {}, access=Access(known_pins()))
    client = signed_in(app, "admin")
    assert text("de", "settings.none") in client.get("/settings").text
    for path in ("/settings", "/settings/restore"):
        answer = client.post(path, data={"stamp": "", "version": "1"})
        assert (answer.status_code, text("de", "error.no_settings") in answer.text) == (409, True)


def test_the_log_tells_who_has_changed_what(table: Table, landlord: FlaskClient):
    change = {"name": "web.table_name", "from": "", "to": "Ecke"}
    table.log.append("settings.changed", {"by": "Ute", "changes": [change]})
    assert "Ute hat Einstellungen geändert: web.table_name." in landlord.get("/").text


# What somebody tries who should not

PATHS = ("/settings", "/settings/restore")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("role", ["table", "referee"])
def test_another_role_neither_sees_nor_changes_them(
    app: Flask, table: Table, known: KnownSettings, path: str, role: str
):
    client = signed_in(app, role)
    shown = client.get("/settings")
    assert shown.status_code == 302
    assert "/signin?role=admin" in shown.headers["Location"]
    sent = form(known, web__language="en", version="1")
    assert client.post(path, data=sent).status_code == 403
    assert (known.written, known.restored) == ([], [])
    assert refusals(table.log) == {"wrong_role": 1}


@pytest.mark.parametrize("path", PATHS)
def test_nobody_signed_in_neither_sees_nor_changes_them(
    app: Flask, known: KnownSettings, path: str
):
    stranger = app.test_client()
    assert stranger.get("/settings").status_code == 302
    assert stranger.post(path, data=form(known, version="1")).status_code == 401
    assert (known.written, known.restored) == ([], [])


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"X-CSRF-Token": "x" * 43}, {}, 403),
        ({"X-CSRF-Token": ""}, {}, 403),
        ({"Origin": "https://evil.example"}, {}, 403),
        ({"Content-Type": "text/plain"}, {}, 415),
        ({"Content-Type": "application/json"}, {}, 415),
        ({}, {"game.players": "A" * 20_000}, 413),
    ],
)
def test_a_request_that_is_no_form_of_our_page(
    landlord: FlaskClient,
    known: KnownSettings,
    path: str,
    headers: dict[str, str],
    body: dict[str, str],
    status: int,
):
    sent: dict[str, Any] = form(known, web__language="en", version="1") | body
    assert landlord.post(path, data=sent, headers=headers).status_code == status
    assert (known.written, known.restored) == ([], [])


@pytest.mark.parametrize("name", ["web.port", "web.prot", "store.path", "a.b", "..", "web.port.x"])
def test_what_is_not_offered_is_not_changed(landlord: FlaskClient, known: KnownSettings, name: str):
    answer = landlord.post("/settings", data=form(known) | {name: "9000"})
    assert answer.status_code == 400
    assert f"{name} geht nicht" in answer.text
    assert landlord.post("/settings", data=form(known) | {"default": name}).status_code == 400
    assert known.written == []


def test_markup_of_a_name_stays_text(landlord: FlaskClient, known: KnownSettings):
    nasty = '"><script>alert(1)</script>'
    known.fields["web.table_name"] = replace(known.fields["web.table_name"], value=nasty)
    page = landlord.get("/settings")
    assert nasty not in page.text
    assert "&lt;script&gt;" in page.text


def test_the_answer_to_an_unknown_way_is_as_everywhere(landlord: FlaskClient):
    assert landlord.get("/settings/restore").status_code == 405
    assert code(landlord.get("/api/settings")) == (404, "not_found")


def test_what_waits_can_be_had_by_starting_anew_where_somebody_starts_it_again(
    app: Flask, landlord: FlaskClient, known: KnownSettings
):
    told = said(landlord.get("/settings"))
    assert "nicht als Dienst" in told
    assert "schockauge run --settings table.toml" in told
    refused = landlord.post("/settings/restart", data={"by": ""})
    assert refused.status_code == 409
    assert "wurde nicht neu gestartet" in said(refused)
    known.can_restart = True
    assert "Jetzt neu starten" in said(landlord.get("/settings"))
    answer = landlord.post("/settings/restart", data={"by": ""})
    assert (answer.status_code, known.restarted_by) == (200, "Wirt")
    assert "Der Tisch startet neu" in said(answer)
    for role in ("table", "referee"):
        known.restarted_by = ""
        assert signed_in(app, role).post("/settings/restart", data={"by": ""}).status_code == 403
        assert known.restarted_by == ""


def test_nothing_waits_and_nothing_is_started_anew(landlord: FlaskClient, known: KnownSettings):
    known.can_restart = True
    known.fields = {name: replace(one, running=None) for name, one in known.fields.items()}
    assert "neu starten" not in landlord.get("/settings").text
