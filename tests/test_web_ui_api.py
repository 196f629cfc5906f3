"""The JSON interface: state, log, actions; and the description that is compared with it."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from test_web_ui_table import ListLog, Table
from web_ui_access import acting_client, guarded, signed_in

from rules.actions import ThrowDice
from rules.view import snapshot
from web_ui import create_app


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def app(table: Table) -> Flask:
    return guarded(table)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return signed_in(app)


def test_the_state_is_the_snapshot_of_the_rules(table: Table, client: FlaskClient):
    table.play_opening()
    table.ask("q1")
    state = client.get("/api/state").get_json()
    assert state["match"] == json.loads(json.dumps(snapshot(table.match)))
    assert state["seq"] == len(table.log.read(0, 10_000))
    assert [question["question_id"] for question in state["questions"]] == ["q1"]
    assert state["faults"] == []
    assert state["broken"] is None
    assert state["entries"][0]["type"] == "question.asked"


def test_the_state_before_a_game_has_no_match():
    client = create_app(ListLog(), lambda action: {}).test_client()
    state = client.get("/api/state").get_json()
    assert (state["seq"], state["match"]) == (0, None)


def test_the_log_comes_in_pages_with_sentences(table: Table, client: FlaskClient):
    table.play_opening()
    first = client.get("/api/log?limit=3").get_json()["entries"]
    assert [entry["seq"] for entry in first] == [1, 2, 3]
    assert first[0]["text"] == "Das Spiel beginnt: Anna, Ben und Cem."
    rest = client.get("/api/log?after=3&lang=en").get_json()["entries"]
    assert rest[0]["seq"] == 4
    total = len(table.log.read(0, 10_000))
    assert rest[-1]["seq"] == total
    assert client.get(f"/api/log?after={total}").get_json() == {"entries": []}


@pytest.mark.parametrize("value", ["-1", "1.5", "x", "٣", "9" * 5000, "1e3", "%00"])
def test_a_number_that_is_none_is_refused_with_a_sentence(client: FlaskClient, value: str):
    response = client.get(f"/api/log?after={value}")
    assert response.status_code == 400
    error = response.get_json()["error"]
    assert error["code"] == "bad_number"
    assert "erwartet wird eine ganze Zahl ab 0" in error["text_de"]


def test_an_action_is_carried_out(table: Table, client: FlaskClient):
    response = client.post(
        "/api/actions", json={"type": "throw", "player": "Anna", "dice": [6, 5, 2]}
    )
    assert response.status_code == 200
    assert response.get_json()["result"]["seq"] == 2
    assert client.get("/api/state").get_json()["match"]["turn"]["player"] == "Ben"


def test_a_question_is_answered(table: Table, client: FlaskClient):
    table.ask("q1")
    answer = {"type": "answer_question", "question_id": "q1", "dice": [6, 5, 2], "by": " Ben "}
    assert client.post("/api/actions", json=answer).status_code == 200
    assert table.submitted[-1]["by"] == "Ben"
    assert client.get("/api/state").get_json()["questions"] == []
    again = client.post("/api/actions", json=answer)
    assert again.status_code == 409
    assert again.get_json()["error"] == {
        "code": "question_closed",
        "text": "Diese Frage ist nicht mehr offen.",
        "text_de": "Diese Frage ist nicht mehr offen.",
        "text_en": "This question is no longer open.",
    }


def test_a_refused_action_says_why_and_changes_nothing(table: Table, client: FlaskClient):
    table.play_opening()
    before = client.get("/api/state").get_json()
    action = {"type": "throw", "player": "Anna", "dice": [6, 5, 2]}
    response = client.post("/api/actions?lang=en", json=action)
    assert response.status_code == 409
    error = response.get_json()["error"]
    refused = table.match.refusal(ThrowDice("Anna", (6, 5, 2)))
    assert refused is not None
    assert error["code"] == refused.code
    assert error["text"] == error["text_en"] == refused.text_en
    assert error["text_de"] == refused.text_de
    assert client.get("/api/state").get_json() == before


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        ("{", "malformed_json", "Zeile 1, Spalte 2"),
        ("", "malformed_json", "JSON-Objekt senden"),
        ("\udcff", "malformed_json", "JSON"),
        ('{"type": NaN}', "malformed_json", "JSON"),
        ("[" * 3000, "malformed_json", "JSON"),
        ("[1]", "not_an_object", "erwartet wird ein JSON-Objekt"),
        ("null", "not_an_object", "null"),
        ('"throw"', "not_an_object", "erwartet"),
        ("true", "not_an_object", "true/false"),
        ("{}", "unknown_action", "None"),
        ('{"type": "fly"}', "unknown_action", "es gibt answer_question, claim"),
        ('{"type": ["throw"]}', "unknown_action", "throw"),
        ('{"type": {}}', "unknown_action", "throw"),
        ('{"type": "throw"}', "malformed_action", "player"),
        ('{"type": "throw", "player": "A", "dice": [7]}', "malformed_action", "7"),
        ('{"type": "throw", "player": "A", "dice": [1], "x": 1}', "malformed_action", "x"),
        ('{"type": "answer_question"}', "bad_question_id", "question_id"),
        ('{"type": "answer_question", "question_id": true}', "bad_question_id", "True"),
    ],
)
def test_malformed_input_gets_a_clear_sentence(
    table: Table, client: FlaskClient, body: str, code: str, says: str
):
    response = client.post(
        "/api/actions",
        data=body.encode("utf-8", "surrogateescape"),
        content_type="application/json",
    )
    assert response.status_code == 400
    error = response.get_json()["error"]
    assert error["code"] == code
    assert says in error["text"]
    assert table.submitted == []


@pytest.mark.parametrize("dice", [None, [], [1, 2, 3, 4], [0], [7], [1.0], [True], ["1"], "123"])
def test_an_answer_needs_one_to_three_dice(client: FlaskClient, dice: Any):
    answer = {"type": "answer_question", "question_id": "q", "dice": dice, "by": "Ben"}
    response = client.post("/api/actions", json=answer)
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, "bad_dice")


@pytest.mark.parametrize("more", [{"verdict": "won"}, {"verdict": None}, {"verdict": ["burning"]},
                                  {"verdict": "burning", "dice": [1]}])  # fmt: skip
def test_a_verdict_is_one_of_two_and_takes_no_dice(client: FlaskClient, more: dict[str, Any]):
    answer = {"type": "answer_question", "question_id": "q", "by": "Ben"}
    response = client.post("/api/actions", json=answer | more)
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, "bad_verdict")


@pytest.mark.parametrize("by", [None, "", "   ", 3, "x" * 61])
def test_an_answer_needs_somebody_who_decided(client: FlaskClient, by: Any):
    answer = {"type": "answer_question", "question_id": "q", "dice": [1], "by": by}
    response = client.post("/api/actions", json=answer)
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, "bad_by")


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data", ""]
)
def test_a_form_of_another_page_cannot_act(table: Table, client: FlaskClient, kind: str):
    body = '{"type": "throw", "player": "Anna", "dice": [6, 5, 2]}'
    response = client.post("/api/actions", data=body, content_type=kind)
    assert response.status_code == 415
    assert table.submitted == []


def test_an_origin_of_another_site_cannot_act(table: Table, client: FlaskClient):
    action = {"type": "throw", "player": "Anna", "dice": [6, 5, 2]}
    stranger = {"Origin": "http://elsewhere.example"}
    assert client.post("/api/actions", json=action, headers=stranger).status_code == 403
    assert client.post("/api/actions", json=action, headers={"Origin": "null"}).status_code == 403
    assert table.submitted == []
    ours = {"Origin": "http://localhost"}
    assert client.post("/api/actions", json=action, headers=ours).status_code == 200


def test_no_answer_ever_invites_other_sites(client: FlaskClient):
    response = client.options("/api/actions", headers={"Origin": "http://elsewhere.example"})
    assert not [name for name in dict(response.headers) if name.startswith("Access-Control")]


def test_a_body_that_is_too_large_is_refused(table: Table, client: FlaskClient):
    action = {"type": "throw", "player": "A" * 20_000, "dice": [1]}
    response = client.post("/api/actions", json=action)
    assert response.status_code == 413
    assert "16384" in response.get_json()["error"]["text"]
    assert table.submitted == []


def test_an_error_in_the_table_is_told_without_its_inside(
    table: Table, caplog: pytest.LogCaptureFixture
):
    def submit(action: dict[str, Any]) -> Mapping[str, Any]:
        raise RuntimeError("disk on fire at /secret/place")

    client = acting_client(table.log, submit)
    response = client.post("/api/actions", json={"type": "stop", "player": "Anna"})
    assert response.status_code == 500
    assert response.get_json()["error"]["code"] == "internal"
    assert "secret" not in response.text
    assert "disk on fire" in caplog.text


def test_errors_of_the_interface_are_json(client: FlaskClient):
    missing = client.get("/api/nothing")
    assert (missing.status_code, missing.get_json()["error"]["code"]) == (404, "not_found")
    wrong = client.delete("/api/actions")
    assert (wrong.status_code, wrong.get_json()["error"]["code"]) == (405, "method_not_allowed")
    assert "POST" in wrong.headers["Allow"]


def test_health_tells_ok_degraded_and_failed(table: Table, client: FlaskClient):
    assert client.get("/healthz").get_json() == {"status": "ok", "seq": 1, "faults": []}
    fault = {"what": "camera", "text_de": "Kamera weg.", "text_en": "Camera gone."}
    table.log.append("fault", fault)
    assert client.get("/healthz").get_json()["faults"] == ["camera"]


def test_health_fails_when_the_log_cannot_be_read(caplog: pytest.LogCaptureFixture):
    class Broken(ListLog):
        def read(self, after_seq: int = 0, limit: int = 1000) -> list[Any]:
            raise OSError("no disk")

    response = create_app(Broken(), lambda action: {}).test_client().get("/healthz")
    assert response.status_code == 503
    assert response.get_json()["status"] == "failed"
    assert "no disk" in caplog.text
