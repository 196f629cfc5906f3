"""PINs: hashed, changed, generated once; and the pages on which people type them."""

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from test_web_ui_table import Table
from web_ui_access import CHEAP_KDF, PINS, THROW, begin, guarded, known_pins, sign_in, signed_in

from web_ui.pins import KDF, BadPin, MemoryPins, Pins, is_fit
from web_ui.roles import LEAST_DIGITS


def test_a_pin_is_kept_as_an_expensive_hash_with_a_salt_of_its_own():
    store = MemoryPins()
    pins = Pins(store)
    pins.set("table", "2580")
    first = store.load()["pins"]["table"]["hash"]
    assert first.startswith(f"{KDF}$")
    assert "2580" not in repr(store.load())
    assert pins.matches("table", "2580")
    assert not pins.matches("table", "2581")
    pins.set("table", "2580")
    assert store.load()["pins"]["table"]["hash"] != first


@pytest.mark.parametrize(
    ("role", "pin"),
    [
        ("table", "123"),
        ("table", "1234"),
        ("table", "4321"),
        ("table", "7777"),
        ("table", "12a4"),
        ("table", "٢٥٨٠"),
        ("table", "2" * 13),
        ("table", ""),
        ("referee", "2580"),
        ("admin", "987654"),
    ],
)
def test_a_pin_that_is_too_short_or_too_easy(role: str, pin: str):
    pins = Pins(MemoryPins(), kdf=CHEAP_KDF)
    with pytest.raises(BadPin, match=rf"{LEAST_DIGITS[role]} to 12 digits"):
        pins.set(role, pin)
    assert not pins.has(role)


@given(st.text(max_size=20))
def test_whatever_fits_is_digits(pin: str):
    if is_fit("table", pin):
        assert pin.isascii()
        assert pin.isdigit()
        assert 4 <= len(pin) <= 12


@given(st.text(max_size=30))
def test_no_other_text_is_the_pin(pin: str):
    assert _SHARED.matches("table", pin) == (pin == PINS["table"])


_SHARED = known_pins()


def test_a_role_without_a_pin_matches_nothing():
    pins = Pins(MemoryPins(), kdf=CHEAP_KDF)
    assert not pins.matches("admin", "")
    with pytest.raises(ValueError, match="'viewer'"):
        pins.set("viewer", "2580")


def test_the_first_pin_is_generated_anew_until_somebody_has_used_it():
    store = MemoryPins()
    forgotten = Pins(store, kdf=CHEAP_KDF).begin()
    pins = Pins(store, kdf=CHEAP_KDF)
    first = pins.begin()
    assert first is not None
    assert first == pins.first_pin
    assert is_fit("admin", first)
    assert first == forgotten or not pins.matches("admin", str(forgotten))
    assert pins.matches("admin", first)
    assert pins.first_pin is None
    assert Pins(store, kdf=CHEAP_KDF).begin() is None, "a used one stays"


def test_the_first_pin_is_on_the_appliances_own_screen_alone_until_it_was_used():
    pins = Pins(MemoryPins(), kdf=CHEAP_KDF)
    first = str(pins.begin())
    app = guarded(Table(), pins=pins)
    screen = app.test_client()
    elsewhere = {"environ_overrides": {"REMOTE_ADDR": "192.168.1.20"}}
    for path in ("/", "/signin"):
        assert first in screen.get(path).text
        assert first not in screen.get(path, **elsewhere).text
    assert first not in screen.get("/api/state").text
    begin(screen)
    assert sign_in(screen, "admin", first).status_code == 200
    assert first not in screen.get("/").text


@pytest.fixture
def client() -> FlaskClient:
    return guarded(Table()).test_client()


def field(page: str, name: str) -> str:
    return page.split(f'name="{name}" value="')[1].split('"')[0]


def test_signing_in_by_the_form_without_a_script(client: FlaskClient):
    page = client.get("/signin?role=referee&next=/").text
    assert "<script" not in page
    assert 'value="referee" required\n                      checked' in page
    form = {"csrf": field(page, "csrf"), "next": field(page, "next"), "role": "referee"}
    wrong = client.post("/signin", data=form | {"pin": "111112"})
    assert wrong.status_code == 401
    assert "Die PIN ist falsch." in wrong.text
    assert "111112" not in wrong.text
    right = client.post("/signin", data=form | {"pin": PINS["referee"]}, follow_redirects=True)
    assert right.request.path == "/"
    assert "Schiedsrichter</a>" in right.text
    page = client.get("/signin?lang=en").text
    assert "Signed in: Referee." in page
    out = client.post("/signout", data={"csrf": field(page, "csrf")}, follow_redirects=True)
    assert "Anmelden</a>" in out.text
    assert client.get("/api/session").get_json()["signed_in"] is False


def test_a_form_without_its_token_says_what_to_do(client: FlaskClient):
    answer = client.post("/signin", data={"role": "table", "pin": PINS["table"]})
    assert answer.status_code == 403
    assert "Bitte neu laden" in answer.text


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ({"role": "table", "pin": "1234"}, "4 bis 12 Ziffern"),
        ({"role": "viewer", "pin": "2580"}, "erwartet wird eines von table, referee, admin"),
        ({"pin": "2580"}, "role ist &#39;&#39;"),
    ],
)
def test_a_pin_that_cannot_be_set_is_told_on_the_page(form: dict[str, str], reason: str):
    admin = signed_in(guarded(Table()), "admin")
    answer = admin.post("/pins", data=form)
    assert answer.status_code == 400
    assert reason in answer.text


def test_the_admins_own_pin_sends_him_to_sign_in_again():
    app = guarded(Table())
    admin = signed_in(app, "admin")
    answer = admin.post("/pins", data={"role": "admin", "pin": "997711"})
    assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (302, "/signin")
    assert admin.post("/api/actions", json=THROW).status_code == 401
    assert sign_in(admin, "admin", "997711").status_code == 200


@pytest.mark.parametrize("body", [{}, {"role": "table"}, {"role": 1, "pin": "2580"}, {"pin": []}])
def test_a_sign_in_needs_a_role_and_a_pin(client: FlaskClient, body: dict[str, object]):
    begin(client)
    answer = client.post("/api/session", json=body)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (400, "bad_sign_in")


def test_there_is_no_other_role(client: FlaskClient):
    begin(client)
    answer = client.post("/api/session", json={"role": "god", "pin": "2580"})
    assert answer.status_code == 400
    assert "table, referee, admin" in answer.get_json()["error"]["text_en"]
