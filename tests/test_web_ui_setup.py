"""The pages of the set-up: who may see them, what their buttons do, what is refused."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from test_web_ui_table import Table
from web_ui_access import known_pins, signed_in
from web_ui_setup import ScriptedSetup

from web_ui import create_app
from web_ui.access import Access
from web_ui.i18n import messages
from web_ui.setup_deeds import DEEDS
from web_ui.setup_ports import STEPS

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

    def test_so_does_the_phone_of_the_landlord_who_has_signed_in(self):
        setup = ScriptedSetup(due=True)
        app = app_of(setup)
        landlord, guest = signed_in(app, "admin"), signed_in(app, "referee")
        assert "/setup" in landlord.get("/", environ_base=PHONE).headers["Location"]
        assert guest.get("/", environ_base=PHONE).status_code == 200
        setup.due = False
        assert landlord.get("/", environ_base=PHONE).status_code == 200

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
