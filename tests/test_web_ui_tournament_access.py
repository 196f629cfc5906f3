"""Who may act in a tournament, from where, and the same as JSON."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from hall_client import organiser, send, visitor
from hall_scenes import drawn, opened, people, playing
from test_web_ui_tournament_desk import now
from web_ui_access import code

from web_ui.tournament_forms import _FORMS

# --- who may ---------------------------------------------------------------------------------


def test_a_stranger_is_led_to_where_he_signs_in_and_back():
    client = visitor(playing())
    for path in ("/tournament/desk", "/tournament/referee", "/tournament/card/1/2"):
        answer = client.get(path)
        assert answer.status_code == 302
        assert f"next={path.replace('/', '%2F')}" in answer.headers["Location"] or (
            f"next={path}" in answer.headers["Location"]
        )
    for path in ("/tournament/desk/board", "/tournament/referee/board"):
        assert client.get(path).status_code == 401


def test_who_signs_in_is_led_back_to_a_page_of_ours_alone():
    client = visitor(opened())
    token = client.get("/api/session").get_json()["csrf"]
    sign_in = {"csrf": token, "role": "referee", "pin": "314159"}
    for after, found in (
        ("/tournament/card/1/2", "/tournament/card/1/2"), ("//evil.example", "/"),
        ("/tournament//x", "/"), ("https://evil.example/", "/"), ("/tournament/", "/"),
    ):  # fmt: skip
        answer = client.post("/signin", data={**sign_in, "next": after})
        assert answer.headers["Location"] == f"{found}?lang=de"
        sign_in["csrf"] = client.get("/api/session").get_json()["csrf"]


@pytest.mark.parametrize("do", _FORMS)
def test_nobody_acts_without_the_role_or_the_token(do: str):
    hall = drawn()
    before = hall.seq
    stranger = visitor(hall)
    token = stranger.get("/api/session").get_json()["csrf"]
    assert send(stranger, do, csrf=token).status_code == 401
    assert send(organiser(hall, "table"), do).status_code == 403
    client = organiser(hall)
    client.environ_base.pop("HTTP_X_CSRF_TOKEN")
    assert send(client, do).status_code == 403
    assert send(client, do, csrf="wrong").status_code == 403
    elsewhere = {"Origin": "http://evil.example"}
    answer = client.post("/tournament/desk", data={"do": do}, headers=elsewhere)
    assert answer.status_code == 403
    assert hall.seq == before


def test_an_admin_may_act_too():
    hall = opened(people(5))
    assert send(organiser(hall, "admin"), "draw").status_code == 303


# --- the interface ---------------------------------------------------------------------------


def post(client: FlaskClient, action: Any, by: Any = "Ute") -> Any:
    return client.post("/api/tournament/actions?lang=en", json={"action": action, "by": by})


def test_an_action_is_carried_out_by_json():
    hall = opened()
    client = organiser(hall)
    answer = post(client, {"type": "register", "player": "Anna"})
    assert answer.status_code == 200
    assert answer.get_json()["events"][0]["type"] == "registered"
    again = post(client, {"type": "register", "player": "anna"})
    assert code(again) == (409, "name_taken")
    assert again.get_json()["error"]["text"].startswith("anna has the name of Anna")


@pytest.mark.parametrize(
    "action",
    [
        {}, {"type": "nothing"}, {"type": "register"}, {"type": "register", "player": 7},
        {"type": "register", "player": " Anna"}, {"type": "register", "player": "A", "x": 1},
        {"type": "start_clock", "x": 1}, {"type": "open_tournament", "name": 7}, [], "draw_round",
    ],
)  # fmt: skip
def test_what_is_no_action_is_refused_by_json(action: Any):
    hall = opened()
    before = hall.seq
    answer = post(organiser(hall), action)
    assert answer.status_code == 400
    assert hall.seq == before


def test_json_needs_a_name_the_role_and_the_token():
    hall = opened()
    draw = {"type": "finish", "by": "R", "reason": "x"}
    assert code(post(organiser(hall), draw, by=" ")) == (400, "bad_by")
    assert code(post(visitor(hall), draw)) == (401, "sign_in")
    assert code(post(organiser(hall, "table"), draw)) == (403, "wrong_role")
    client = organiser(hall)
    client.environ_base.pop("HTTP_X_CSRF_TOKEN")
    assert code(post(client, draw)) == (403, "bad_token")
    assert not now(hall).is_over
