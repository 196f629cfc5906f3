"""Safe mode at its page: everybody is told, only the landlord mends, nothing else is served."""

import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_ui_access import code, known_pins, signed_in
from web_ui_settings import both

from web_ui.access import Access
from web_ui.i18n import text
from web_ui.safe_mode import Broken, create_safe_app
from web_ui.settings_port import BadValues, Mistake, Version

TEXT = '[web]\nport = = 1\ntable_name = "</textarea><script>"\n'
MISTAKES = (Mistake(both("Kein TOML"), "", 2), Mistake(both("Kein Regelwerk"), "game.book"))


class Mending:
    """A broken file that takes whatever holds no `bad`."""

    def __init__(self) -> None:
        versions = (Version(2, 1.8e9, "Ute", ("web.port",)), Version(1, 1.7e9, "", ()))
        self.broken = Broken("table.toml", TEXT, "s1", MISTAKES, versions)
        self.done: list[str] = []

    def state(self) -> Broken:
        return self.broken

    def write(self, text: str, *, stamp: str, by: str) -> None:
        if "bad" in text or stamp != "s1":
            raise BadValues((Mistake(both("Noch immer nicht"), "", 1),))
        self.done.append(text)
        self.broken = replace(self.broken, is_starting=True)

    def restore(self, number: int, *, stamp: str, by: str) -> None:
        if number != 1 or stamp != "s1":
            raise BadValues((Mistake(both("Gibt es nicht")),))
        self.done.append(f"restored {number}")

    def try_again(self) -> None:
        self.done.append("again")


@pytest.fixture
def mending() -> Mending:
    return Mending()


@pytest.fixture
def noted() -> list[str]:
    return []


@pytest.fixture
def app(mending: Mending, noted: list[str]) -> Flask:
    access = Access(known_pins(), note=lambda kind, data: noted.append(kind))
    return create_safe_app(mending, {}, access)


@pytest.fixture
def landlord(app: Flask) -> FlaskClient:
    return signed_in(app, "admin")


def said(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_everybody_is_told_what_is_wrong_and_sees_nothing_of_the_file(app: Flask):
    page = app.test_client().get("/")
    assert page.status_code == 200
    told = said(page.text)
    assert "Zeile 2: Kein TOML (deutsch)." in told
    assert "Kein Regelwerk (deutsch)." in told
    assert "port = = 1" not in page.text
    assert "<textarea" not in page.text
    assert "/signin?role=admin" in page.text
    assert "Line 2: Kein TOML (English)." in said(app.test_client().get("/?lang=en").text)


def test_the_landlord_sees_each_line_and_the_file_as_text(landlord: FlaskClient):
    page = landlord.get("/").text
    assert "<code>port = = 1</code>" in page
    assert "</textarea><script>" not in page
    assert "table_name = &#34;&lt;/textarea&gt;&lt;script&gt;&#34;\n</textarea>" in page


def test_a_mended_text_is_written_with_plain_line_ends_and_the_page_says_so(
    landlord: FlaskClient, mending: Mending
):
    sent = {"stamp": "s1", "text": "[web]\r\nport = 1\r\n"}
    assert landlord.post("/safe", data=sent).status_code == 303
    assert mending.done == ["[web]\nport = 1\n"]
    page = landlord.get("/").text
    assert text("de", "safe.starting") in page
    assert 'data-safe="starting"' in page


def test_what_still_is_wrong_is_told_and_what_was_typed_stays(
    landlord: FlaskClient, mending: Mending
):
    answer = landlord.post("/safe", data={"stamp": "s1", "text": "bad = 1\n"})
    assert answer.status_code == 400
    assert "Zeile 1: Noch immer nicht (deutsch)." in said(answer.text)
    assert "\nbad = 1\n</textarea>" in answer.text
    assert text("de", "safe.refused") in answer.text
    assert mending.done == []


def test_a_version_comes_back_or_the_start_is_tried_again(landlord: FlaskClient, mending: Mending):
    assert landlord.post("/safe/restore", data={"stamp": "s1", "version": "1"}).status_code == 303
    assert landlord.post("/safe/again", data={"csrf": ""}).status_code == 303
    assert mending.done == ["restored 1", "again"]
    for bad in ("9", "", "x", "9" * 300):
        sent = {"stamp": "s1", "version": bad}
        assert landlord.post("/safe/restore", data=sent).status_code == 400


def test_every_other_page_leads_here_and_the_interface_says_why(app: Flask):
    client = app.test_client()
    for path in ("/table", "/tv", "/settings", "/rules/turnier", "/evidence/a.jpg"):
        answer = client.get(path)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/?lang=de"), path
    for path in ("/api/", "/api/state", "/api/stream", "/api/events"):
        answer = client.get(path)
        assert code(answer) == (503, "safe_mode"), path
        assert answer.headers["Retry-After"] == "5"
    assert code(client.post("/api/actions", json={"type": "stop"})) == (503, "safe_mode")
    healthz = client.get("/healthz")
    assert healthz.status_code == 503
    assert healthz.get_json() == {"status": "failed", "seq": None, "faults": ["settings"]}


PATHS = ("/safe", "/safe/restore", "/safe/again")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("role", ["table", "referee", None])
def test_nobody_else_mends_it(
    app: Flask, mending: Mending, noted: list[str], path: str, role: str | None
):
    client = app.test_client() if role is None else signed_in(app, role)
    sent = {"stamp": "s1", "text": "x", "version": "1"}
    assert client.post(path, data=sent).status_code == (401 if role is None else 403)
    assert mending.done == []
    assert noted == ["access.refused"]
    assert "port = = 1" not in client.get("/").text


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("headers", "more", "status"),
    [
        ({"X-CSRF-Token": "x" * 43}, "", 403),
        ({"X-CSRF-Token": ""}, "", 403),
        ({"Origin": "https://evil.example"}, "", 403),
        ({"Content-Type": "text/plain"}, "", 415),
        ({}, "x" * 70_000, 413),
    ],
)
def test_a_request_that_is_no_form_of_our_page(
    landlord: FlaskClient,
    mending: Mending,
    path: str,
    headers: dict[str, str],
    more: str,
    status: int,
):
    sent = {"stamp": "s1", "version": "1", "text": "a = 1" + more}
    assert landlord.post(path, data=sent, headers=headers).status_code == status
    assert mending.done == []


@pytest.mark.parametrize(("lang", "title"), [("de", "Es wird nichts"), ("en", "Nothing is being")])
def test_a_log_that_cannot_be_used_is_told_and_the_file_is_left_alone(
    app: Flask, mending: Mending, lang: str, title: str
) -> None:
    mending.broken = replace(mending.broken, store={"de": "Karte voll", "en": "Disk full"})
    page = signed_in(app, "admin").get(f"/?lang={lang}").text
    assert title in page
    assert {"de": "Karte voll", "en": "Disk full"}[lang] in page
    assert 'data-safe="store"' in page
    assert "<textarea" not in page
    assert "Kein TOML" not in page
    client = app.test_client()
    assert client.get("/healthz").get_json()["faults"] == ["log"]
    assert code(client.get("/api/state")) == (503, "log_unusable")
