"""The organiser of a hall of processes: the hub's HTTP interface from outside, and waiting."""

import json
import time
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from typing import Any

from web_ui.roles import ADMIN

Json = dict[str, Any]
PATIENCE_S = 120.0
"""With a machine that has much else to do."""


def until(said: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait until something holds; processes are looked at from outside, so not too often."""
    end_s = time.monotonic() + patience_s
    while not said():
        assert time.monotonic() < end_s, f"it did not come to that: {what}"
        time.sleep(0.1)


class Desk:
    """The organiser at the hub's HTTP interface, signed in with the PIN."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/api/"
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)
        self._token = ""

    def get(self, what: str) -> Json | None:
        """What the hub says; None: it is away, or its database is."""
        try:
            return self._ask(urllib.request.Request(self._url + what))
        except (OSError, json.JSONDecodeError):
            return None

    def sign_in(self, pin: str) -> None:
        said = self.get("session")
        assert said is not None
        self._token = said["csrf"]
        self._token = self._post("session", {"role": ADMIN, "pin": pin})["csrf"]

    def do(self, kind: str, **more: Any) -> Json:
        """Carry out an action of the organiser."""
        action = {"type": kind, **more}
        return self._post("tournament/actions", {"by": "R", "action": action})

    def tournament(self) -> Json:
        """What `GET /api/tournament` says, once the hub and its database answer."""
        found: list[Json] = []

        def told() -> bool:
            if (said := self.get("tournament")) is not None:
                found.append(said)
            return bool(found)

        until(told, "the hub answers")
        return found[-1]

    def round(self) -> Json:
        """The round that was drawn last."""
        return dict(self.tournament()["tournament"]["rounds"][-1])

    def _post(self, what: str, body: Json) -> Json:
        headers = {"Content-Type": "application/json", "X-CSRF-Token": self._token}
        content = json.dumps(body).encode()
        return self._ask(urllib.request.Request(self._url + what, content, headers))

    def _ask(self, request: urllib.request.Request) -> Json:
        with self._opener.open(request, timeout=30.0) as answer:
            told: Json = json.load(answer)
            return told
