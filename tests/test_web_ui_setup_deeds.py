"""What the buttons of the set-up's steps do, and what they refuse."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from test_web_ui_setup import client, send, setup
from web_ui_access import sign_in
from web_ui_setup import ScriptedSetup

from web_ui.errors import ActionRefused
from web_ui.setup_ports import RuleFacts

__all__ = ["client", "setup"]


class TestDeeds:
    def test_pins(self, setup: ScriptedSetup, client: FlaskClient):
        answer = send(client, "pin", "set", pin="902134", table_pin="1357", free="on")
        assert answer.headers["Location"].startswith("/setup/camera")
        assert client.get("/setup").status_code == 200, "still signed in, by the new PIN"
        assert setup.done == [("need_table_pin", False), ("mark", "pin", "done")]
        assert sign_in(client.application.test_client(), "admin").status_code == 401
        assert sign_in(client.application.test_client(), "admin", "902134").status_code == 200
        assert sign_in(client.application.test_client(), "table", "1357").status_code == 200

    def test_pins_stay_where_the_step_is_refused(self, setup: ScriptedSetup, client: FlaskClient):
        setup.refusal = ActionRefused("Die Karte ist voll.", "The disk is full.", "not_stored")
        assert send(client, "pin", "set", pin="902134", free="on").status_code == 409
        setup.refusal = None
        assert client.get("/setup/pin").status_code == 200, "still signed in, by the old PIN"
        assert sign_in(client.application.test_client(), "admin").status_code == 200

    def test_a_mat_that_no_paper_takes_is_told_with_the_reason(
        self, setup: ScriptedSetup, client: FlaskClient
    ):
        setup.refusal = ActionRefused("Die Matte ist zu groß.", "Too large.", "no_sheet")
        answer = client.get("/setup/print/mat.pdf")
        assert answer.status_code == 409
        assert "Die Matte ist zu groß." in answer.text
        assert 'name="width"' in answer.text, "where another size is typed"

    @pytest.mark.parametrize(("own", "table"), [("123456", ""), ("", "1357"), ("902134", "11")])
    def test_bad_pins_change_nothing(
        self, setup: ScriptedSetup, client: FlaskClient, own: str, table: str
    ):
        answer = send(client, "pin", "set", pin=own, table_pin=table)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert setup.done == []
        assert client.get("/setup").status_code == 200
        assert sign_in(client.application.test_client(), "table").status_code == 200, "as before"

    def test_camera(self, setup: ScriptedSetup, client: FlaskClient):
        send(client, "camera", "choose", source="camera:2", fov="34,5")
        assert setup.done == [("choose_camera", "camera:2", 34.5)]
        send(client, "camera", "next")
        assert setup.done[-1] == ("mark", "camera", "done")
        setup.size_px = None
        assert "Kein Bild." in client.get("/setup/camera").text
        send(client, "camera", "next")
        assert setup.done[-1] == ("mark", "camera", "skipped")

    @pytest.mark.parametrize("fov", ["", "wide", "nan", "1e9", "-3", "19"])
    def test_no_field_of_view(self, setup: ScriptedSetup, client: FlaskClient, fov: str):
        assert send(client, "camera", "choose", source="camera:0", fov=fov).status_code == 400
        assert setup.done == []

    def test_mat(self, setup: ScriptedSetup, client: FlaskClient):
        send(client, "mat", "size", width="600", height="450")
        send(client, "mat", "", **{"tap.x": "12.5", "tap.y": "30"})
        send(client, "mat", "", **{"tap.x": "0", "tap.y": "0"})  # by a key
        send(client, "mat", "clear")
        send(client, "mat", "corners", x=["1", "2", "3", "4"], y=["5", "6", "7", "8"])
        assert setup.done == [
            ("size_mat", 600.0, 450.0),
            ("tap", (12.5, 30.0)),
            ("tap",),
            ("tap",),
            ("tap", (1.0, 5.0), (2.0, 6.0), (3.0, 7.0), (4.0, 8.0)),
        ]
        assert send(client, "mat", "save").headers["Location"].startswith("/setup/seats")
        assert setup.done[-2:] == [("save_mat",), ("mark", "mat", "done")]

    @pytest.mark.parametrize(
        "sent",
        [
            {"do": "size", "width": "10", "height": "450"},
            {"do": "size", "width": "600"},
            {"do": "corners", "x": ["1", "2"], "y": ["1", "2"]},
            {"do": "", "tap.x": "12"},
            {"do": "", "tap.x": "1e9", "tap.y": "1"},
        ],
    )
    def test_no_mat(self, setup: ScriptedSetup, client: FlaskClient, sent: dict[str, Any]):
        assert send(client, "mat", **sent).status_code == 400
        assert setup.done == []

    def test_what_the_table_refuses_is_said_and_what_was_typed_is_kept(
        self, setup: ScriptedSetup, client: FlaskClient
    ):
        setup.refusal = ActionRefused("Kein Platz.", "No room.", "no_seat")
        answer = send(client, "seats", "save", layout="seats", player=["Dora", "Emil"])
        assert answer.status_code == 409
        assert "Kein Platz." in answer.text
        assert 'value="Dora"' in answer.text

    def test_seats(self, setup: ScriptedSetup, client: FlaskClient):
        send(client, "seats", "show", layout="seats", player=["Anna", " ", "Ben"])
        assert setup.done[0] == ("save_seats", "seats", "Anna", "Ben")
        for names in (["Anna"], ["Anna", "anna"], ["<b>", "Ben"]):
            answer = send(client, "seats", "save", layout="shared", player=names)
            assert answer.status_code == 400, names
            assert "<b>" not in answer.text
        assert send(client, "seats", "save", layout="round", player=["A", "B"]).status_code == 400

    def test_bad_light_is_passed_over_by_skipping_only(
        self, setup: ScriptedSetup, client: FlaskClient
    ):
        text = client.get("/setup/light?lang=en").text
        assert "Go on all the same" in text
        assert 'data-finding="dark" data-verdict="bad"' in text
        assert 'data-finding="uneven"' not in text, "it is good"
        send(client, "light", "next")
        assert setup.done[-1] == ("mark", "light", "skipped")
        assert 'value="look"' not in text, "this camera regulates itself"
        setup.can_look = True
        assert "Kamera neu einstellen" in client.get("/setup/light").text
        send(client, "light", "look")
        assert setup.done[-1] == ("look_again",)

    def test_test_throws(self, setup: ScriptedSetup, client: FlaskClient):
        text = client.get("/setup/throw").text
        assert "Nicht sicher" in text
        assert "Zu wenige." in text
        assert "learn" in text, "what to do about a wrong one"
        for do in ("watch", "stop", "right:1", "wrong:2"):
            send(client, "throw", do)
        send(client, "throw", "next")
        assert setup.done == [
            ("watch_throws", True),
            ("watch_throws", False),
            ("judge_throw", 1, "right"),
            ("judge_throw", 2, "wrong"),
            ("watch_throws", False),
            ("mark", "throw", "skipped"),  # two throws, and one of them wrong
        ]

    def test_rules(self, setup: ScriptedSetup, client: FlaskClient):
        wanted = {"book": "jule", "weekday": "friday", "language": "en", "table_name": " Tisch  1 "}
        answer = send(client, "rules", "save", **wanted)
        assert answer.headers["Location"].startswith("/setup?")
        assert setup.done[0] == ("save_rules", RuleFacts("jule", "friday", "en", "Tisch 1"))

    @pytest.mark.parametrize(
        "changed",
        [
            {"book": "../../etc/passwd"},
            {"weekday": "someday"},
            {"language": "fr"},
            {"table_name": "x" * 61},
            {"table_name": "a\u202eb"},
        ],
    )
    def test_no_rules(self, setup: ScriptedSetup, client: FlaskClient, changed: dict[str, str]):
        sent = {"book": "jule", "weekday": "", "language": "de", "table_name": "", **changed}
        assert send(client, "rules", "save", **sent).status_code == 400
        assert setup.done == []

    def test_the_mat_to_print(self, client: FlaskClient):
        answer = client.get("/setup/print/mat.pdf")
        assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
        assert client.get("/setup/print/passwords.pdf").status_code == 404
