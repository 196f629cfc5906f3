"""The description of the hub's interface: compared with its routes and with what they answer."""

import dataclasses
import json
import random
import re
from typing import Any

import pytest
from flask import Flask
from hall_scenes import people, playing, step
from schemathesis import Case
from tournament_hall import MemoryHall
from web_ui_access import known_pins
from web_ui_described import Described, quick

from rules.tournament_actions import ACTION_TYPES
from web_ui.access import Access
from web_ui.tournament_app import create_hub_app
from web_ui.tournament_ports import HALL_ACTIONS


def app_of(hall: MemoryHall) -> Flask:
    return create_hub_app(hall, {"STREAM_HEARTBEAT_S": 0.01}, access=Access(known_pins()))


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    with app_of(MemoryHall()).test_client().get("/api/openapi.json") as response:
        document: dict[str, Any] = json.loads(response.data)
    return document


def test_the_description_names_exactly_the_routes_there_are(described: dict[str, Any]):
    real = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app_of(MemoryHall()).url_map.iter_rules()
        if rule.endpoint != "static"
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    paths = described["paths"]
    assert {(path, method) for path, methods in paths.items() for method in methods} == real


def test_the_description_names_exactly_the_actions_there_are(described: dict[str, Any]):
    kinds = described["components"]["schemas"]["Action"]["oneOf"]
    by_type = {kind["properties"]["type"]["const"]: kind for kind in kinds}
    assert set(by_type) == {*HALL_ACTIONS, *ACTION_TYPES}
    for name, action in ACTION_TYPES.items():
        fields = {field.name for field in dataclasses.fields(action)}
        assert set(by_type[name]["properties"]) - {"type"} == fields, name


def test_every_reference_of_the_description_leads_somewhere(described: dict[str, Any]):
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(described)):
        place: Any = described
        for step_ in reference.split("/"):
            place = place[step_]


def test_answers_have_the_fields_the_description_requires(described: dict[str, Any]):
    hall = playing()
    step(hall, random.Random(3))
    schemas = described["components"]["schemas"]
    told = app_of(hall).test_client().get("/api/tournament").get_json()
    assert set(schemas["Tournament"]["required"]) == set(told)
    assert set(schemas["State"]["required"]) == set(told["tournament"])
    assert set(schemas["Standing"]["required"]) == set(told["tournament"]["standings"][0])
    assert set(schemas["Table"]["required"]) == set(told["tables"][0])


PLAYED = Described(app_of(playing(people(7))))
QUICK = quick(8)


@PLAYED.schema.parametrize()
@QUICK
def test_whatever_a_stranger_sends_is_answered_as_described(case: Case):
    PLAYED.try_out(case, None)


@PLAYED.schema.exclude(path="/pins").parametrize()
@QUICK
def test_whatever_a_referee_sends_is_answered_as_described(case: Case):
    PLAYED.try_out(case, "referee")
