"""What somebody tries who should not: refused, told in the log, and the table goes on."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from itsdangerous import URLSafeTimedSerializer
from test_web_ui_table import Table
from web_ui_access import (
    CORRECTION,
    PINS,
    THROW,
    Clock,
    begin,
    code,
    guarded,
    refusals,
    sign_in,
    signed_in,
)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def app(table: Table) -> Flask:
    return guarded(table)


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    return app.test_client()


def goes_on(app: Flask, table: Table) -> bool:
    """Whether somebody of the table can still enter the next throw."""
    before = len(table.submitted)
    player = str(table.match.current_player)
    throw = {"type": "throw", "player": player, "dice": [6, 5, 2]}
    answer = signed_in(app, "table").post("/api/actions", json=throw)
    return answer.status_code == 200 and len(table.submitted) == before + 1


# Acting without a right to


def test_acting_without_a_pin(app: Flask, table: Table, stranger: FlaskClient):
    assert code(stranger.post("/api/actions", json=THROW)) == (401, "sign_in")
    begin(stranger)  # a session and a token, but no PIN
    assert code(stranger.post("/api/actions", json=THROW)) == (401, "sign_in")
    assert table.submitted == []
    assert refusals(table.log) == {"sign_in": 2}
    assert goes_on(app, table)


RULINGS = ["correct_throw", "repeat_throw", "rule_case", "rule_round", "report_fault"]


@pytest.mark.parametrize("kind", RULINGS)
def test_acting_as_the_wrong_role(app: Flask, table: Table, kind: str):
    client = signed_in(app, "table")
    assert code(client.post("/api/actions", json=CORRECTION | {"type": kind})) == (
        403,
        "wrong_role",
    )
    assert table.submitted == []
    assert refusals(table.log) == {"wrong_role": 1}
    assert goes_on(app, table)


def test_a_referee_may_what_the_table_may_and_more(app: Flask, table: Table):
    client = signed_in(app, "referee")
    assert client.post("/api/actions", json=THROW).status_code == 200
    assert client.post("/api/actions", json=CORRECTION).status_code == 200


@pytest.mark.parametrize("role", ["table", "referee"])
def test_only_the_admin_changes_pins(app: Flask, table: Table, role: str):
    client = signed_in(app, role)
    assert client.get("/pins").status_code == 302
    answer = client.post("/pins", data={"role": "admin", "pin": "997711"})
    assert answer.status_code == 403
    assert sign_in(app.test_client(), "admin", "997711").status_code == 401
    assert refusals(table.log) == {"wrong_role": 1, "wrong_pin": 1}


def test_an_admin_is_forgotten_after_an_hour_and_the_table_stays_for_the_evening(table: Table):
    clock = Clock()
    app = guarded(table, clock=clock)
    admin, device = signed_in(app, "admin"), signed_in(app, "table")
    clock.now_s += 3 * 3600
    assert admin.get("/api/session").get_json()["role"] == "viewer"
    assert device.post("/api/actions", json=THROW).status_code == 200
    clock.now_s += 14 * 3600
    assert code(device.post("/api/actions", json=THROW)) == (401, "sign_in")


def test_a_table_without_a_pin_still_asks_for_the_referees(table: Table):
    app = guarded(table, TABLE_NEEDS_PIN=False)
    anybody = app.test_client()
    assert code(anybody.post("/api/actions", json=THROW)) == (403, "bad_token")
    begin(anybody)
    assert anybody.post("/api/actions", json=THROW).status_code == 200
    assert code(anybody.post("/api/actions", json=CORRECTION)) == (401, "sign_in")


def test_without_any_pin_nobody_acts_and_everybody_looks():
    from web_ui import create_app

    table = Table()
    client = create_app(table.log, table.submit).test_client()
    begin(client)
    assert client.get("/").status_code == 200
    assert code(client.post("/api/session", json={"role": "admin", "pin": ""})) == (
        409,
        "no_pin_set",
    )
    assert code(client.post("/api/actions", json=THROW)) == (401, "sign_in")


# Tokens, cookies, other sites


@pytest.mark.parametrize("token", [None, "", "x", "ä" * 43, "0" * 100_0])
def test_a_made_up_token(app: Flask, table: Table, token: str | None):
    client = signed_in(app, "table")
    del client.environ_base["HTTP_X_CSRF_TOKEN"]
    headers = {} if token is None else {"X-CSRF-Token": token}
    assert code(client.post("/api/actions", json=THROW, headers=headers)) == (403, "bad_token")
    assert table.submitted == []
    assert refusals(table.log) == {"bad_token": 1}
    assert goes_on(app, table)


def test_a_token_of_another_session(app: Flask, table: Table):
    client, other = signed_in(app, "table"), signed_in(app, "admin")
    stolen = {"X-CSRF-Token": other.environ_base["HTTP_X_CSRF_TOKEN"]}
    assert code(client.post("/api/actions", json=THROW, headers=stolen)) == (403, "bad_token")
    assert refusals(table.log) == {"bad_token": 1}


def test_a_token_from_before_signing_in_or_of_an_earlier_session(app: Flask, table: Table):
    client = app.test_client()
    early = begin(client)
    sign_in(client, "table")
    first = client.environ_base["HTTP_X_CSRF_TOKEN"]
    sign_in(client, "table")
    for old in (early, first):
        answer = client.post("/api/actions", json=THROW, headers={"X-CSRF-Token": old})
        assert code(answer) == (403, "bad_token")
    assert client.post("/api/actions", json=THROW).status_code == 200


def test_a_copy_of_the_cookie_ends_with_the_session(app: Flask, table: Table):
    client = signed_in(app, "table")
    thief = app.test_client()
    thief.environ_base.update(client.environ_base)
    cookie = client.get_cookie("schockauge")
    assert cookie is not None
    thief.set_cookie("schockauge", cookie.value)
    assert client.delete("/api/session").get_json()["role"] == "viewer"
    assert code(thief.post("/api/actions", json=THROW)) == (401, "sign_in")
    assert table.submitted == []


def test_a_changed_pin_signs_everybody_out_who_used_the_old_one(app: Flask, table: Table):
    here, there, referee = signed_in(app, "table"), signed_in(app, "table"), signed_in(app)
    admin = signed_in(app, "admin")
    token = admin.environ_base["HTTP_X_CSRF_TOKEN"]
    done = admin.post("/pins", data={"role": "table", "pin": "8642", "csrf": token})
    assert "Die PIN ist gesetzt: Tisch." in done.text
    for client in (here, there):
        assert code(client.post("/api/actions", json=THROW)) == (401, "sign_in")
    assert referee.post("/api/actions", json=THROW).status_code == 200
    assert sign_in(here, "table").status_code == 401
    assert sign_in(here, "table", "8642").status_code == 200
    told = [e for e in table.log.read(0, 1000) if e.type == "access.pin_changed"]
    assert [entry.data for entry in told] == [{"role": "table"}]


@pytest.mark.parametrize(
    "forge",
    [
        lambda value: value[:-1] + ("A" if value[-1] != "A" else "E"),
        lambda value: "eyJyb2xlIjoiYWRtaW4ifQ." + value.split(".", 1)[1],
        lambda value: "." * 4000,
        lambda value: "",
        lambda value: URLSafeTimedSerializer("guessed", salt="cookie-session").dumps(
            {"role": "admin", "pin": "0", "id": "0", "csrf": "t", "until_s": 9e9}
        ),
    ],
)
def test_a_cookie_that_was_tampered_with(app: Flask, table: Table, forge: Any):
    client = signed_in(app, "table")
    cookie = client.get_cookie("schockauge")
    assert cookie is not None
    client.set_cookie("schockauge", forge(cookie.value))
    client.set_cookie("schockauge_device", forge(cookie.value))
    headers = {"X-CSRF-Token": "t"}
    assert code(client.post("/api/actions", json=THROW, headers=headers)) == (401, "sign_in")
    assert client.get("/").status_code == 200
    assert table.submitted == []
    assert refusals(table.log)["bad_cookie"] == 1
    assert goes_on(app, table)


def test_cookies_are_for_this_site_alone_and_no_script_reads_them(app: Flask):
    client = app.test_client()
    assert "Set-Cookie" not in client.get("/").headers, "who looks gets no cookie"
    begin(client)
    answer = sign_in(client, "table")
    cookies = answer.headers.getlist("Set-Cookie")
    assert {cookie.split("=")[0] for cookie in cookies} == {"schockauge", "schockauge_device"}
    for cookie in cookies:
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert PINS["table"] not in cookie


@pytest.mark.parametrize("path", ["/api/actions", "/api/session", "/signin", "/signout", "/pins"])
def test_another_site_sends_a_form(app: Flask, table: Table, path: str):
    client = signed_in(app, "admin")
    for origin in ("http://elsewhere.example", "null"):
        answer = client.post(path, data={"role": "table"}, headers={"Origin": origin})
        assert answer.status_code == 403
    assert refusals(table.log) == {"other_site": 2}
    assert goes_on(app, table)


@pytest.mark.parametrize(
    "after", ["//elsewhere.example", "http://elsewhere.example", "/\\elsewhere", "javascript:1"]
)
def test_signing_in_leads_to_no_other_site(app: Flask, after: str):
    client = app.test_client()
    form = {"csrf": begin(client), "role": "table", "pin": PINS["table"], "next": after}
    answer = client.post("/signin", data=form)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/?lang=de")


def test_a_page_inside_another_or_with_a_script_of_its_own(app: Flask):
    client = signed_in(app, "admin")
    for path in ("/", "/signin", "/pins"):
        page = client.get(path)
        policy = page.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "form-action 'self'" in policy
        assert "unsafe" not in policy
        assert not re.search(r" style=|\son[a-z]+=|<style|<script(?! src)", page.text), path


def test_no_pin_and_no_token_is_in_the_log_or_an_address(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    app = guarded(table)
    client = app.test_client()
    sign_in(client, "table", "13579246")
    sign_in(client, "table")
    written = repr([entry.data for entry in table.log.read(0, 1000)]) + caplog.text
    secrets = ["13579246", PINS["table"], client.environ_base["HTTP_X_CSRF_TOKEN"]]
    assert not [secret for secret in secrets if secret in written]
    with app.test_request_context():
        assert client.get(f"/signin?pin={PINS['table']}").status_code == 200
    assert client.get("/api/session").get_json()["role"] == "table"
