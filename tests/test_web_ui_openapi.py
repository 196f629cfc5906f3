"""The description of the interface: compared with the routes, and with what they really answer."""

import dataclasses
import json
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pipeline_table import Table as PlayedTable
from schemathesis import Case
from test_web_ui_table import Table
from web_ui_access import guarded, known_pins, signed_in
from web_ui_described import Described, quick

from rules.actions import ACTION_TYPES
from web_ui import create_app
from web_ui.access import Access
from web_ui.ports import OWN_ACTIONS
from web_ui.roles import LEAST_ROLE


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def app(table: Table) -> Flask:
    return guarded(table)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return signed_in(app)


def described(client: FlaskClient) -> dict[str, Any]:
    with client.get("/api/openapi.json") as response:
        assert response.status_code == 200
        document: dict[str, Any] = json.loads(response.data)
    return document


def test_the_description_names_exactly_the_routes_there_are(app: Flask, client: FlaskClient):
    real = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.endpoint != "static"
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    paths = described(client)["paths"]
    assert {(path, method) for path, methods in paths.items() for method in methods} == real


def test_the_description_names_exactly_the_actions_there_are(client: FlaskClient):
    kinds = described(client)["components"]["schemas"]["Action"]["oneOf"]
    by_type = {kind["properties"]["type"]["const"]: kind for kind in kinds}
    assert set(by_type) == {*OWN_ACTIONS, *ACTION_TYPES}
    for name, action in ACTION_TYPES.items():
        fields = {field.name for field in dataclasses.fields(action)}
        assert set(by_type[name]["properties"]) - {"type"} == fields, name


def test_the_description_tells_who_may_do_what(client: FlaskClient):
    kinds = described(client)["components"]["schemas"]["Action"]["oneOf"]
    told = {kind["properties"]["type"]["const"]: kind["x-least-role"] for kind in kinds}
    assert told == LEAST_ROLE
    assert set(LEAST_ROLE) == {*OWN_ACTIONS, *ACTION_TYPES}


def test_every_reference_of_the_description_leads_somewhere(client: FlaskClient):
    document = described(client)
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document)):
        place: Any = document
        for step in reference.split("/"):
            place = place[step]


def test_answers_have_the_fields_the_description_requires(table: Table, client: FlaskClient):
    table.play_opening()
    schemas = described(client)["components"]["schemas"]
    state = client.get("/api/state").get_json()
    assert set(schemas["State"]["required"]) == set(state)
    assert set(schemas["Entry"]["required"]) == set(state["entries"][0])
    session = client.get("/api/session").get_json()
    assert set(schemas["Session"]["required"]) == set(session)
    assert session["role"] in schemas["Session"]["properties"]["role"]["enum"]
    assert set(schemas["Health"]["required"]) == set(client.get("/healthz").get_json())
    statistics = client.get("/api/statistics").get_json()
    assert set(schemas["Statistics"]["required"]) == set(statistics)
    assert set(schemas["PlayerStatistics"]["required"]) == set(statistics["players"][0])
    assert set(schemas["DiceStatistics"]["required"]) == set(statistics["dice"][0])
    error = client.get("/api/nothing").get_json()
    assert set(schemas["Error"]["properties"]["error"]["required"]) == set(error["error"])


def with_a_question() -> Flask:
    """The whole way from the page to the rules, with a question open."""
    table = PlayedTable(book="turnier")
    table.lead()
    table.throw(6, 6, 2)
    table.say("unsure", (6, 5, 4), reason="values")
    access = Access(known_pins(), note=table.game.note)
    settings = {"STREAM_HEARTBEAT_S": 0.01}
    act, look = table.pipeline.submit, table.pipeline.preview
    return create_app(table.log, act, settings, access=access, preview=look)


PLAYED = Described(with_a_question())
QUICK = quick(12)


@PLAYED.schema.parametrize()
@QUICK
def test_whatever_a_stranger_sends_is_answered_as_described(case: Case):
    PLAYED.try_out(case, None)


@PLAYED.schema.exclude(path="/pins").parametrize()
@QUICK
def test_whatever_a_referee_sends_is_answered_as_described(case: Case):
    PLAYED.try_out(case, "referee")
