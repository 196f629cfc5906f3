"""The pages of the set-up: who may see them, what their buttons do, what is refused."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from test_web_ui_table import Table
from web_ui_access import known_pins, sign_in, signed_in
from web_ui_setup import ScriptedSetup

from web_ui import create_app
from web_ui.access import Access
from web_ui.errors import ActionRefused
from web_ui.i18n import messages
from web_ui.setup_deeds import DEEDS
from web_ui.setup_ports import STEPS, RuleFacts

LOOPBACK, PHONE = {"REMOTE_ADDR": "127.0.0.1"}, {"REMOTE_ADDR": "192.168.1.7"}


@pytest.fixture
def setup() -> ScriptedSetup:
    return ScriptedSetup()


def app_of(setup: ScriptedSetup | None) -> Any:
    table = Table()
    access = Access(known_pins(), note=table.log.append)
    return create_app(table.log, table.submit, {}, access=access, setup=setup)


@pytest.fixture
def client(setup: ScriptedSetup) -> FlaskClient:
    return signed_in(app_of(setup), "admin")


def send(client: FlaskClient, step: str, do: str, **fields: Any) -> Any:
    """Press a button of a step."""
    token = client.environ_base["HTTP_X_CSRF_TOKEN"]
    path = f"/setup/{step}" if step else "/setup"
    return client.post(path, data={"csrf": token, "do": do, **fields})


class TestWhoMay:
    @pytest.mark.parametrize("role", [None, "table", "referee"])
    def test_pages_lead_others_to_the_form(self, setup: ScriptedSetup, role: str | None):
        app = app_of(setup)
        client = app.test_client() if role is None else signed_in(app, role)
        for path in ("/setup", *(f"/setup/{step}" for step in STEPS)):
            answer = client.get(path)
            assert answer.status_code == 302, path
            assert "/signin?role=admin" in answer.headers["Location"]

    @pytest.mark.parametrize("role", [None, "table", "referee"])
    def test_nobody_else_sees_what_the_camera_sees(self, setup: ScriptedSetup, role: str | None):
        app = app_of(setup)
        client = app.test_client() if role is None else signed_in(app, role)
        for view in ("camera", "mat", "seats", "throw", "light-glare", "throw-1"):
            answer = client.get(f"/setup/look/{view}")
            assert answer.status_code == 401, view
            assert setup.picture not in answer.data
        assert client.get("/setup/print/mat.pdf").status_code == 401
        assert ("look", "camera") not in setup.done

    def test_nobody_sees_it_once_the_set_up_is_over(
        self, setup: ScriptedSetup, client: FlaskClient
    ):
        assert client.get("/setup/look/camera").data == setup.picture
        setup.on = False
        assert client.get("/setup/look/camera").status_code == 404

    def test_no_browser_keeps_a_picture(self, client: FlaskClient):
        answer = client.get("/setup/look/mat")
        assert answer.mimetype == "image/jpeg"
        assert answer.headers["Cache-Control"] == "no-store"

    @pytest.mark.parametrize("role", ["table", "referee"])
    def test_a_lower_role_does_nothing(self, setup: ScriptedSetup, role: str):
        client = signed_in(app_of(setup), role)
        for step in ("", *STEPS):
            assert send(client, step, "skip").status_code == 403, step
        assert setup.done == []

    def test_nothing_is_done_without_the_token_or_from_another_site(
        self, setup: ScriptedSetup, client: FlaskClient
    ):
        token = client.environ_base.pop("HTTP_X_CSRF_TOKEN")
        assert client.post("/setup/mat", data={"do": "save"}).status_code == 403
        assert client.post("/setup", data={"do": "finish"}).status_code == 403
        elsewhere = {"Origin": "http://evil.example"}
        data = {"csrf": token, "do": "save"}
        assert client.post("/setup/mat", data=data, headers=elsewhere).status_code == 403
        assert client.post("/setup/mat", json=data).status_code == 415
        assert setup.done == []


class TestWhereItLeads:
    def test_the_own_screen_of_a_new_table_begins_with_the_set_up(self):
        setup = ScriptedSetup(due=True)
        client = app_of(setup).test_client()
        assert "/setup" in client.get("/", environ_base=LOOPBACK).headers["Location"]
        assert client.get("/", environ_base=PHONE).status_code == 200
        assert client.get("/table", environ_base=LOOPBACK).status_code == 200
        setup.due = False
        assert client.get("/", environ_base=LOOPBACK).status_code == 200

    def test_a_table_that_plays_offers_to_begin(self, setup: ScriptedSetup, client: FlaskClient):
        setup.on = False
        assert 'value="begin"' in client.get("/setup/mat").text
        assert send(client, "mat", "save").headers["Location"].startswith("/setup?")
        assert setup.done == []
        assert send(client, "", "begin").headers["Location"].startswith("/setup/pin")
        assert setup.done[0][0] == "begin"

    def test_the_end_leads_to_the_start_page(self, setup: ScriptedSetup, client: FlaskClient):
        assert send(client, "", "finish").headers["Location"].startswith("/start")
        assert setup.done[0][0] == "finish"

    def test_a_table_that_cannot_start_says_why(
        self, setup: ScriptedSetup, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ):
        setup.problem = "mat.toml, line 3: no number."
        monkeypatch.setattr(setup, "finish", lambda by: None)
        assert send(client, "", "finish").headers["Location"].startswith("/setup?")
        assert "mat.toml, line 3" in client.get("/setup").text

    def test_an_application_without_a_set_up_has_none(self):
        client = signed_in(app_of(None), "admin")
        assert "nicht einrichten" in client.get("/setup").text
        assert client.get("/setup/look/camera").status_code == 404
        assert client.get("/setup/print/mat.pdf").status_code == 404
        assert send(client, "", "begin").status_code == 404

    def test_there_are_no_other_steps(self, client: FlaskClient):
        assert client.get("/setup/elsewhere").status_code == 404
        assert send(client, "elsewhere", "skip").status_code == 404

    @pytest.mark.parametrize("step", STEPS)
    def test_every_step_can_be_skipped_and_says_what_follows(
        self, setup: ScriptedSetup, client: FlaskClient, step: str
    ):
        for lang in ("de", "en"):
            text = client.get(f"/setup/{step}?lang={lang}").text
            assert messages(lang)[f"setup.{step}.skipped"].split("“")[0][:40] in text
        assert send(client, step, "skip").status_code == 303
        assert setup.done[-1] == ("mark", step, "skipped")

    @pytest.mark.parametrize("step", STEPS)
    def test_every_button_on_a_page_does_something(
        self, setup: ScriptedSetup, client: FlaskClient, step: str
    ):
        text = client.get(f"/setup/{step}").text
        buttons = {
            value.partition(":")[0] for value in re.findall(r'name="do" value="([^"]+)"', text)
        }
        assert buttons <= {*DEEDS[step], "skip"}
        assert send(client, step, "no-such-button").status_code == 404


class TestDeeds:
    def test_pins(self, setup: ScriptedSetup, client: FlaskClient):
        answer = send(client, "pin", "set", pin="902134", table_pin="1357", free="on")
        assert answer.headers["Location"].startswith("/setup/camera")
        assert client.get("/setup").status_code == 200, "still signed in, by the new PIN"
        assert setup.done == [("need_table_pin", False), ("mark", "pin", "done")]
        assert sign_in(client.application.test_client(), "admin").status_code == 401
        assert sign_in(client.application.test_client(), "admin", "902134").status_code == 200
        assert sign_in(client.application.test_client(), "table", "1357").status_code == 200

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
