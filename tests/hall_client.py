"""Clients of the hub's pages, and what they read off a page."""

import html
import re
from typing import Any

from flask.testing import FlaskClient
from tournament_hall import MemoryHall
from web_ui_access import known_pins, signed_in
from werkzeug.test import TestResponse

from web_ui.access import Access
from web_ui.tournament_app import create_hub_app

PUBLIC_URL = "http://192.168.1.20:8080/"


def visitor(hall: MemoryHall, **settings: Any) -> FlaskClient:
    """Somebody who has not signed in."""
    app = create_hub_app(
        hall,
        {"PUBLIC_URL": PUBLIC_URL} | settings,
        access=Access(known_pins()),
        pairing=hall.office,
    )
    return app.test_client()


def organiser(hall: MemoryHall, role: str = "referee", **settings: Any) -> FlaskClient:
    """Somebody who sits at the desk."""
    app = create_hub_app(
        hall,
        {"PUBLIC_URL": PUBLIC_URL} | settings,
        access=Access(known_pins()),
        pairing=hall.office,
    )
    return signed_in(app, role)


def send(
    client: FlaskClient, do: str, path: str = "/tournament/desk", **fields: Any
) -> TestResponse:
    """Press a button of a form."""
    return client.post(path, data={"do": do, **fields})


def words(page: TestResponse | str) -> str:
    """What a page says, without its markup."""
    text = page if isinstance(page, str) else page.text
    text = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def forms(page: TestResponse | str) -> dict[str, dict[str, str]]:
    """The hidden and the filled-in fields of every form that has an id."""
    text = page if isinstance(page, str) else page.text
    found = {}
    for name, body in re.findall(r'<form [^>]*id="([^"]+)"[^>]*>(.*?)</form>', text, re.DOTALL):
        inputs = re.findall(r'<input [^>]*name="([^"]+)"[^>]*?value="([^"]*)"', body)
        found[name] = {key: html.unescape(value) for key, value in inputs}
    return found
