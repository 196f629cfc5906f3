"""Who is at the other end: signing in and out, and whether somebody may act.

Signed in is who holds a cookie that this table signed (Flask's session; the browser sends it to
nobody else, shows it to no script and leaves it out of whatever another site asks for). It carries
the role, the id of the PIN it was begun with and when it ends. Every request that acts names the
session's token besides, in the header `X-CSRF-Token` or the field `csrf`; a token of another or an
earlier session is refused.
"""

import hmac
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from flask import Flask, Request, Response, current_app, request, session
from itsdangerous import BadData, URLSafeTimedSerializer

from web_ui.errors import RequestError
from web_ui.guessing import Guesses, TooManyTries
from web_ui.pins import MemoryPins, Pins
from web_ui.refusals import Note, Refusals
from web_ui.roles import ADMIN, ADMIN_S, PIN_ROLES, TABLE, VIEWER, least_role, reaches

TOKEN_HEADER = "X-CSRF-Token"
TOKEN_FIELD = "csrf"
SESSION_COOKIE = "schockauge"
DEVICE_COOKIE = "schockauge_device"
DEVICE_S = 365 * 86_400
"""A device that has signed in once is known for a year; it gets no rights by that."""

MOST_AT_ONCE = 2
"""PINs looked at or waiting for it: each takes a while, and a thread of the server."""

_KEY = "schockauge.access"


def _no_log(kind: str, data: dict[str, object]) -> None:
    """For an application whose log nobody can write."""


@dataclass(frozen=True)
class Access:
    """What the page needs to know who may act.

    Attributes:
        pins: the PINs of the table; the default has none, so that nobody can sign in.
        note: writes a refusal into the log.
        clock: Unix time in seconds, for the end of sessions.
        steady: seconds from any fixed moment on, for waits.
    """

    pins: Pins = field(default_factory=lambda: Pins(MemoryPins()))
    note: Note = _no_log
    clock: Callable[[], float] = time.time
    steady: Callable[[], float] = time.monotonic


class Door:
    """Lets people in; one for each application."""

    def __init__(self, access: Access) -> None:
        self.pins = access.pins
        self.clock = access.clock
        self.steady = access.steady
        self.guesses = Guesses(access.steady)
        self.note = access.note
        self.refusals = Refusals(access.note, access.steady)
        self.turns = threading.BoundedSemaphore(MOST_AT_ONCE)


def install(app: Flask, access: Access) -> None:
    """Give an application its door, and its cookies their form."""
    app.extensions[_KEY] = Door(access)
    app.config.update(
        SECRET_KEY=access.pins.secret_key,
        SESSION_COOKIE_NAME=SESSION_COOKIE,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=app.config["SIGNED_IN_S"],
    )


def door() -> Door:
    """Return the door of the application that serves this request."""
    return cast(Door, current_app.extensions[_KEY])


def signed_in_as() -> str | None:
    """Return the role somebody is signed in as, or None."""
    role, pins = session.get("role"), door().pins
    if role not in PIN_ROLES or session["until_s"] <= door().clock():
        return None
    if session["pin"] != pins.id_of(role) or pins.is_signed_out(session["id"]):
        return None
    return str(role)


def role() -> str:
    """Return what whoever asks may do."""
    anybody = VIEWER if current_app.config["TABLE_NEEDS_PIN"] else TABLE
    return signed_in_as() or anybody


def token() -> str:
    """Return the token that requests of this session must name; begins a session if need be."""
    if "csrf" not in session:
        _begin_session()
    return str(session["csrf"])


def may(action_type: str) -> bool:
    """Tell whether whoever asks may do that."""
    return reaches(role(), least_role(action_type))


def require(least: str, named: str | None) -> None:
    """Let only those pass who have the role, and have asked from our own page.

    Args:
        least: role that the request needs.
        named: the token that the request names.

    Raises:
        RequestError: 401 not signed in, 403 the role is too low or the token another one.
    """
    if not reaches(role(), least):
        if signed_in_as() is not None:
            raise RequestError(403, "wrong_role", least=least)
        if SESSION_COOKIE in request.cookies and not session:
            door().refusals.refused("bad_cookie", address=address(), logger=current_app.logger)
        raise RequestError(401, "sign_in", least=least)
    require_token(named)


def require_token(named: str | None) -> None:
    """Let only requests of our own page pass.

    Raises:
        RequestError: 403, the token is missing or another session's.
    """
    own = session.get("csrf")
    if not own or not named or not hmac.compare_digest(own.encode(), named.encode()):
        raise RequestError(403, "bad_token")


def sign_in(wanted: str, pin: str) -> None:
    """Begin a new session with a role.

    Raises:
        RequestError: 400 there is no such role, 401 the wrong PIN, 409 the role has none yet,
            429 too many tries, 503 the PINs cannot be read.
    """
    if wanted not in PIN_ROLES:
        raise RequestError(400, "bad_role", found=wanted[:40], known=", ".join(PIN_ROLES))
    with pins_at_hand():
        _sign_in(wanted, pin)


@contextmanager
def pins_at_hand() -> Iterator[Pins]:
    """The PINs, to be looked at or changed.

    Raises:
        RequestError: 503, they cannot be read or written.
    """
    pins = door().pins
    try:
        pins.check()
        yield pins
    except OSError as error:
        current_app.logger.error("%s", error)
        raise RequestError(503, "pins_lost", file=pins.store_name) from error


def _sign_in(wanted: str, pin: str) -> None:
    at = door()
    if not at.pins.has(wanted):
        raise RequestError(409, "no_pin_set", role=wanted)
    pin_id = at.pins.id_of(wanted)
    if not at.turns.acquire(blocking=False):
        raise RequestError(429, "busy", wait_s=1)
    try:
        _look_at(wanted, pin)
    finally:
        at.turns.release()
    lasts_s = current_app.config["SIGNED_IN_S"]
    if wanted == ADMIN:
        lasts_s = min(lasts_s, ADMIN_S)
    _begin_session()  # never the one from before: its token may be known
    session.permanent = True
    session.update(role=wanted, pin=pin_id, until_s=at.clock() + lasts_s)


def _look_at(wanted: str, pin: str) -> None:
    """Count a try and compare the PIN; errors as of `sign_in`."""
    at, known = door(), _known_device()
    device = known.get("id") if wanted in known.get("roles", ()) else None
    try:
        at.guesses.begin(wanted, address=address(), device=device)
    except TooManyTries as error:
        raise RequestError(429, "too_many_tries", wait_s=max(1, round(error.wait_s))) from error
    if not at.pins.matches(wanted, pin):
        raise RequestError(401, "wrong_pin")
    at.guesses.succeeded(wanted, address=address(), device=device)


def sign_out() -> None:
    """End the session, also for copies of its cookie."""
    if signed_in_as() is not None:
        at = door()
        try:
            at.pins.sign_out(session["id"], until_s=session["until_s"], now_s=at.clock())
        except OSError as error:  # until the next start it is ended all the same
            current_app.logger.error("%s", error)
    session.clear()


def remember_device(response: Response) -> Response:
    """Have the browser keep that it has signed in here; for the answer to `sign_in`."""
    known = _known_device()
    roles = sorted({*known.get("roles", ()), session["role"]})
    kept = {"id": known.get("id") or secrets.token_hex(8), "roles": roles}
    response.set_cookie(
        DEVICE_COOKIE, _devices().dumps(kept), max_age=DEVICE_S, httponly=True, samesite="Strict"
    )
    return response


def address() -> str:
    """Return where the request comes from; headers of proxies are not believed."""
    return request.remote_addr or "?"


def named_token(asked: Request) -> str | None:
    """Return the token that a request names, in its header or its form."""
    return asked.headers.get(TOKEN_HEADER) or asked.form.get(TOKEN_FIELD)


def _begin_session() -> None:
    session.clear()
    session.update(id=secrets.token_hex(16), csrf=secrets.token_urlsafe(32))


def _devices() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(door().pins.secret_key, salt="schockauge device")


def _known_device() -> dict[str, Any]:
    try:
        known = _devices().loads(request.cookies.get(DEVICE_COOKIE, ""), max_age=DEVICE_S)
    except BadData:
        return {}
    return known if isinstance(known, dict) else {}
