"""Requests no page of ours sends: too large, misdirected, forged; names with scripts in them."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from test_web_ui_attacks import goes_on
from test_web_ui_table import ListLog, Table
from web_ui_access import THROW, Clock, code, guarded, refusals, signed_in

from rules.actions import ThrowDice
from web_ui.refusals import BURST_ENTRIES, REFILL_S
from web_ui.security import is_our_host


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def app(table: Table, tmp_path: Path) -> Flask:
    (tmp_path / "secret.png").write_bytes(b"secret")
    (tmp_path / "evidence").mkdir()
    return guarded(table, EVIDENCE_DIR=str(tmp_path / "evidence"), STREAM_HEARTBEAT_S=0.05)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return signed_in(app, "referee")


@pytest.mark.parametrize("path", ["/api/actions", "/api/session", "/signin", "/pins", "/", "/nope"])
def test_an_oversized_body(app: Flask, table: Table, client: FlaskClient, path: str):
    answer = client.post(path, data=b"x" * 20_000, content_type="application/json")
    assert answer.status_code == 413
    assert refusals(table.log) == {"too_large": 1}
    assert goes_on(app, table)


def test_an_oversized_body_that_does_not_say_how_large(app: Flask, table: Table):
    client = signed_in(app, "table")
    answer = client.post(
        "/api/actions",
        input_stream=io.BytesIO(b"[" * 20_000),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    )
    assert answer.status_code in (400, 413)
    assert table.submitted == []
    assert goes_on(app, table)


@pytest.mark.parametrize("path", ["/api/actions", "/api/try", "/api/session"])
def test_half_a_character_that_no_log_can_hold(
    app: Flask, table: Table, client: FlaskClient, path: str
):
    for body in ({"type": "pause", "by": "a\ud800"}, {"type": "pause", "\udfff": "U"}):
        assert code(client.post(path, json=body)) == (400, "malformed_json")
    assert table.submitted == []
    assert goes_on(app, table)


@pytest.mark.parametrize("path", ["/api/actions", "/api/session", "/signin", "/signout", "/pins"])
def test_an_upload(app: Flask, table: Table, client: FlaskClient, path: str):
    upload = {"file": (io.BytesIO(b"GIF89a"), "x.php"), "role": "table"}
    assert client.post(path, data=upload).status_code == 415
    for method in (client.put, client.patch):
        assert method(path, data=b"x").status_code == 405
    assert sum(refusals(table.log).values()) == 1
    assert goes_on(app, table)


@pytest.mark.parametrize(
    "name",
    ["../secret.png", "..%2fsecret.png", "%2e%2e/secret.png", "..%5csecret.png", "x/../../y.png"],
)
def test_a_path_that_climbs_out_of_the_evidence(app: Flask, table: Table, name: str):
    answer = app.test_client().get(f"/evidence/{name}")
    assert answer.status_code == 404
    assert b"secret" not in answer.data
    assert refusals(table.log) == {"bad_path": 1}
    assert goes_on(app, table)


@pytest.mark.parametrize("number", ["-1", "9" * 400, "abc", "1 OR 1=1", "1.0", "٣", "0x1"])
def test_a_forged_last_event_id(app: Flask, table: Table, number: str):
    sent = number.encode().decode("latin-1")
    answer = app.test_client().get("/api/stream", headers={"Last-Event-ID": sent})
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] == "bad_number"
    assert refusals(table.log) == {"bad_number": 1}
    assert goes_on(app, table)


@pytest.mark.parametrize("ahead", [1, 10**12])
def test_a_last_event_id_that_is_not_reached_yet_or_of_another_evening(
    app: Flask, table: Table, ahead: int
):
    """It may be honest: a screen left on since last week. It is told to start afresh."""
    table.play_opening()
    newest = len(table.log.read(0, 10_000))
    headers = {"Last-Event-ID": str(newest + ahead)}
    with app.test_client().get("/api/stream", headers=headers) as stream:
        frames = iter(stream.response)
        assert next(frames) == f"id: {newest}\nevent: reset\ndata: {newest}\n\n".encode()
        assert goes_on(app, table)
        following = [next(frames) for _ in range(2)]
    assert f"id: {newest + 1}\n".encode() in b"".join(following)


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "a b", "x:y", ""]
)
def test_a_strange_host(app: Flask, table: Table, host: str):
    client = signed_in(app, "table")
    headers = {"Host": host, "Origin": f"http://{host}"}
    for answer in (
        client.get("/api/state", headers=headers),
        client.post("/api/actions", json=THROW, headers=headers),
    ):
        assert answer.status_code == 400
        assert "match" not in answer.text
    assert table.submitted == []
    assert refusals(table.log) == {"bad_host": 2}
    assert goes_on(app, table)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1:8080",
        "[::1]:8080",
        "schockauge",
        "schockauge.local",
        "Tisch.Pub.de.",
    ],
)
def test_names_that_are_the_tables(host: str):
    assert is_our_host(host, ["tisch.pub.de"])


def test_a_method_in_disguise(app: Flask, table: Table):
    client = signed_in(app, "table")
    disguise = {"X-HTTP-Method-Override": "POST", "X-Method-Override": "POST"}
    before = len(table.submitted)
    assert client.get("/api/actions?_method=POST", headers=disguise).status_code == 405
    assert client.post("/api/state?_method=DELETE", headers=disguise).status_code == 405
    overridden = client.get("/api/session?_method=DELETE", headers={"X-HTTP-Method": "DELETE"})
    assert overridden.get_json()["role"] == "table"
    assert len(table.submitted) == before
    assert goes_on(app, table)


SCRIPT = "<script>alert(1)</script>"


def test_a_script_in_a_players_name_is_a_name_everywhere(tmp_path: Path):
    table = Table([SCRIPT, "=cmd()", "Cem"])
    app = guarded(table)
    client = signed_in(app, "admin")
    for dice in [(6, 5, 2), (5, 4, 4), (2, 2, 1)]:
        player = str(table.match.current_player)
        action = {"type": "throw", "player": player, "dice": list(dice)}
        assert client.post("/api/actions", json=action).status_code == 200
    table.ask("q1", player=SCRIPT, reason=SCRIPT)
    pages = [rule.rule for rule in app.url_map.iter_rules() if _is_page(rule)]
    assert {"/", "/board", "/signin", "/pins"} <= set(pages)
    for path in pages:
        text = client.get(path).text
        assert SCRIPT not in text, path
    assert "&lt;script&gt;" in client.get("/board").text
    with client.get("/api/stream") as stream:
        frames = iter(stream.response)
        next(frames)
        frame = next(frames).decode()
    assert stream.mimetype == "text/event-stream", "no browser runs what is in it"
    assert json.loads(frame.split("data: ")[1])["data"]["players"][0] == SCRIPT
    state = client.get("/api/state")
    assert state.mimetype == "application/json"
    assert state.headers["X-Content-Type-Options"] == "nosniff"


def _is_page(rule: Any) -> bool:
    return (
        "GET" in (rule.methods or ())
        and not rule.arguments
        and not rule.rule.startswith(("/api/", "/static"))
    )


def test_a_formula_in_a_players_name_is_a_name_in_the_spreadsheet(tmp_path: Path, run: Any):
    from device.store import SqliteLog

    table = Table(["=cmd()", SCRIPT])
    table.do(ThrowDice("=cmd()", (6, 5, 2)))
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as log:
        for entry in table.log.read(0, 100):
            log.append(entry.type, entry.data, at_s=entry.at_s)
    status, out, _ = run("export", path, "--format", "csv")
    assert status == 0
    assert ",'=cmd()," in out
    assert ",=cmd()," not in out
    status, out, _ = run("export", path, "--json")
    assert json.loads(out.splitlines()[0])["data"]["players"] == ["=cmd()", SCRIPT]


def test_a_storm_of_refusals_does_not_fill_the_log():
    clock, table = Clock(), Table()
    app = guarded(table, clock=clock)
    stranger = app.test_client()
    for _ in range(2_000):
        stranger.post("/api/actions", json=THROW)
        clock.now_s += 1.0
    told = [e for e in table.log.read(0, 100_000) if e.type == "access.refused"]
    assert len(told) <= BURST_ENTRIES + 2_000 / REFILL_S
    assert refusals(table.log)["sign_in"] > 1_700, "what was not told is counted in the next one"
    page = app.test_client().get("/").text
    assert "Am Bildschirm abgewiesen, 300-mal: eine Eingabe ohne Anmeldung." in page
    assert goes_on(app, table)


def test_a_log_that_cannot_be_written_harms_no_refusal(caplog: pytest.LogCaptureFixture):
    class Full(ListLog):
        def append(self, entry_type: str, data: Any) -> Any:
            if entry_type == "access.refused":
                raise OSError("disk full")
            return super().append(entry_type, data)

    table = Table()
    full = Full()
    for entry in table.log.read(0, 10):
        full.append(entry.type, entry.data)
    table.log = full
    app = guarded(table)
    assert app.test_client().post("/api/actions", json=THROW).status_code == 401
    assert "disk full" in caplog.text
    assert goes_on(app, table)
