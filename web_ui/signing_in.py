"""Signing in and out and changing PINs: pages that need no JavaScript, and the same as JSON."""

import re
from functools import partial
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    make_response,
    redirect,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from web_ui import access
from web_ui.errors import RequestError
from web_ui.i18n import text
from web_ui.parsing import language
from web_ui.pins import BadPin
from web_ui.rendering import render
from web_ui.roles import ADMIN, LEAST_DIGITS, MOST_DIGITS, PIN_ROLES, VIEWER
from web_ui.security import json_object, own_form

blueprint = Blueprint("signing_in", __name__)

_OWN_PAGE = re.compile(r"/|(/[a-z0-9]+)+", re.ASCII)
"""Where somebody is led after signing in: a page of ours, never an address of another site."""

_LOOPBACK = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})


@blueprint.app_template_global()
def first_pin() -> str | None:
    """Return the admin's generated PIN for the appliance's own screen while nobody has used it."""
    return access.door().pins.first_pin if access.address() in _LOOPBACK else None


@blueprint.app_template_global()
def signed_in_as() -> str | None:
    """Return the role somebody is signed in as, or None."""
    return access.signed_in_as()


@blueprint.app_template_filter()
def is_route(endpoint: str) -> bool:
    """Tell whether this application has that page: the hub has other ones than a table."""
    return endpoint in current_app.view_functions


@blueprint.get("/signin")
def form() -> str:
    """Show the form; who is signed in sees how to sign out."""
    return _page(request.args.get("role", ""), request.args.get("next", "/"))


@blueprint.post("/signin")
def sign_in() -> AnyResponse | tuple[str, int, dict[str, str]]:
    """Sign in and go on; the form again with the reason where that is refused."""
    own_form(request)
    wanted, after = request.form.get("role", ""), request.form.get("next", "/")
    try:
        access.require_token(access.named_token(request))
        access.sign_in(wanted, request.form.get("pin", ""))
    except RequestError as error:
        return _refused(error, partial(_page, wanted, after))
    return access.remember_device(_led_to(after))


@blueprint.post("/signout")
def sign_out() -> AnyResponse:
    """Sign out."""
    own_form(request)
    access.require_token(access.named_token(request))
    access.sign_out()
    return _led_to("/")


@blueprint.get("/pins")
def pins() -> AnyResponse | str:
    """Show the form in which the admin changes PINs."""
    if access.signed_in_as() != ADMIN:
        return redirect(url_for("signing_in.form", role=ADMIN, next="/pins", lang=language()))
    return _pins_page()


@blueprint.post("/pins")
def change_pin() -> AnyResponse | str | tuple[str, int, dict[str, str]]:
    """Set the PIN of a role; everybody who was signed in with the old one is signed out."""
    own_form(request)
    access.require(ADMIN, access.named_token(request))
    wanted, pin = request.form.get("role", ""), request.form.get("pin", "")
    try:
        if wanted not in PIN_ROLES:
            raise RequestError(400, "bad_role", found=wanted[:40], known=", ".join(PIN_ROLES))
        with access.pins_at_hand() as pins:
            pins.set(wanted, pin)
    except BadPin as error:
        bad = RequestError(400, "bad_pin", least=error.least, most=error.most)
        return _refused(bad, _pins_page)
    except RequestError as error:
        return _refused(error, _pins_page)
    access.door().note("access.pin_changed", {"role": wanted})
    if wanted == ADMIN:
        return redirect(url_for("signing_in.form", role=ADMIN, next="/pins", lang=language()))
    return _pins_page(done=wanted)


@blueprint.get("/api/session")
def session_state() -> Response:
    """Return what this browser may do, and the token its requests must name."""
    return jsonify(_state())


@blueprint.post("/api/session")
def sign_in_json() -> Response:
    """Sign in."""
    body = json_object(request)
    access.require_token(access.named_token(request))
    wanted, pin = body.get("role"), body.get("pin")
    if not (isinstance(wanted, str) and isinstance(pin, str)):
        raise RequestError(400, "bad_sign_in")
    access.sign_in(wanted, pin)
    return access.remember_device(jsonify(_state()))


@blueprint.delete("/api/session")
def sign_out_json() -> Response:
    """Sign out."""
    access.require_token(access.named_token(request))
    access.sign_out()
    return jsonify(_state())


def _state() -> dict[str, Any]:
    return {
        "role": access.role(),
        "signed_in": access.signed_in_as() is not None,
        "csrf": access.token(),
        "pins": [role for role in PIN_ROLES if access.door().pins.has(role)],
    }


def _page(wanted: str, after: str, *, reason: str = "") -> str:
    at = access.door().pins
    with_pin = [role for role in PIN_ROLES if at.has(role)]
    return _render(
        "signin.html",
        roles=with_pin,
        wanted=wanted if wanted in with_pin else next(iter(with_pin), VIEWER),
        after=_own(after),
        reason=reason,
    )


def _pins_page(*, reason: str = "", done: str = "") -> str:
    return _render(
        "pins.html", roles=PIN_ROLES, least=LEAST_DIGITS, most=MOST_DIGITS, reason=reason, done=done
    )


def _render(template: str, **values: object) -> str:
    return render(template, token=access.token(), **values)


def _refused(error: RequestError, page: Any) -> tuple[str, int, dict[str, str]]:
    """The form once more with the reason, told like every refusal."""
    access.door().refusals.refused(error.code, address=access.address(), logger=current_app.logger)
    reason = text(language(), f"error.{error.code}", **error.values)
    return page(reason=reason), error.status, error.headers


def _own(after: str) -> str:
    return after if _OWN_PAGE.fullmatch(after) else "/"


def _led_to(after: str) -> Response:
    return make_response(redirect(f"{_own(after)}?lang={language()}", 303))
