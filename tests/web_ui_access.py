"""Signed-in clients and a clock by hand, for the tests of who may act."""

from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from test_web_ui_table import ListLog, Table
from werkzeug.test import TestResponse

from web_ui import create_app
from web_ui.access import Access
from web_ui.pins import MemoryPins, Pins, PinStore

CHEAP_KDF = "scrypt:256:1:1"
"""The real function at a small cost, so that thousands of guesses are quick."""

PINS = {"table": "2580", "referee": "314159", "admin": "271828"}
ANOTHER = "997711"

THROW = {"type": "throw", "player": "Anna", "dice": [6, 5, 2]}
CORRECTION = {
    "type": "correct_throw",
    "player": "Anna",
    "throw_id": 1,
    "dice": [6, 5, 1],
    "by": "Ute",
}


class Clock:
    """Time as the test says."""

    def __init__(self) -> None:
        self.now_s = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now_s


def known_pins(store: PinStore | None = None, **changed: str) -> Pins:
    """PINs of all roles, kept in memory or where the test says."""
    pins = Pins(store or MemoryPins(), kdf=CHEAP_KDF)
    for role, pin in (PINS | changed).items():
        pins.set(role, pin)
    return pins


def guarded(
    table: Table, *, clock: Clock | None = None, pins: Pins | None = None, **settings: Any
) -> Flask:
    """The page of a table with PINs, whose refusals go into its log."""
    clock = clock or Clock()
    access = Access(pins or known_pins(), note=table.log.append, clock=clock, steady=clock)
    return create_app(table.log, table.submit, settings, access=access)


def begin(client: FlaskClient, **more: Any) -> str:
    """Begin a session that may do nothing yet, and have its requests name its token."""
    token = str(client.get("/api/session", **more).get_json()["csrf"])
    client.environ_base["HTTP_X_CSRF_TOKEN"] = token
    return token


def sign_in(client: FlaskClient, role: str, pin: str | None = None, **more: Any) -> TestResponse:
    """Try to sign in; where that works the client's requests name the new token."""
    if "HTTP_X_CSRF_TOKEN" not in client.environ_base:
        begin(client, **more)
    body = {"role": role, "pin": PINS[role] if pin is None else pin}
    answer = client.post("/api/session", json=body, **more)
    if answer.status_code == 200:
        client.environ_base["HTTP_X_CSRF_TOKEN"] = answer.get_json()["csrf"]
    return answer


def signed_in(app: Flask, role: str = "referee") -> FlaskClient:
    """A client that may do what a role may."""
    client = app.test_client()
    assert sign_in(client, role).status_code == 200
    return client


def acting_client(log: Any, submit: Any, **settings: Any) -> FlaskClient:
    """A referee's client of any log and any way to act."""
    return signed_in(create_app(log, submit, settings, access=Access(known_pins())))


def code(answer: TestResponse) -> tuple[int, str]:
    """Status and code of an error."""
    return answer.status_code, answer.get_json()["error"]["code"]


def refusals(log: ListLog) -> dict[str, int]:
    """What the log tells of refusals: how often by what."""
    told: dict[str, int] = {}
    for entry in log.read(0, 100_000):
        if entry.type == "access.refused":
            what, times = entry.data["what"], entry.data["times"]
            told[what] = told.get(what, 0) + times
    return told
