"""Safe mode: the one page of a table whose settings or log cannot be used; needs no JavaScript.

Everybody sees that the table has not started, and why. The landlord mends the file in the browser
or takes an earlier version of it back; the table then starts by itself. Where the log cannot be
used, the file is not shown: the page says that nothing is recorded, why, and what to do.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, cast

from flask import Blueprint, Flask, Response, current_app, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from web_ui import access
from web_ui.access import Access
from web_ui.assembling import bare_app
from web_ui.errors import RequestError
from web_ui.i18n import text
from web_ui.parsing import language, whole_number
from web_ui.rendering import render
from web_ui.roles import ADMIN
from web_ui.security import own_form
from web_ui.settings_page import is_said, moment
from web_ui.settings_port import BadValues, Mistake, Texts, Version

blueprint = Blueprint("safe_mode", __name__)

LARGEST_BODY = 65_000
"""Bytes of a request: a settings file as a form sends it, umlauts and line ends threefold."""

AGAIN_S = 5
"""After so long it makes sense to ask again whether the table has started, in seconds."""

_KEY = "schockauge.safe_mode"
Answer = str | tuple[str, int]


@dataclass(frozen=True)
class Broken:
    """How it stands with the settings.

    Attributes:
        file: name of the settings file.
        text: what it says now.
        stamp: names that content.
        mistakes: what is wrong with it, or with what it names.
        versions: of the file, newest first.
        is_starting: it was mended, and the table is being started.
        given: names of settings that the command line gives, whatever the file says.
        store: why the log cannot be used, and what to do; None: the settings are what is wrong.
    """

    file: str
    text: str
    stamp: str
    mistakes: tuple[Mistake, ...]
    versions: tuple[Version, ...]
    is_starting: bool = False
    given: tuple[str, ...] = ()
    store: Texts | None = None


class Mending(Protocol):
    """The settings file of a table that has not started."""

    def state(self) -> Broken:
        """Return how it stands."""

    def write(self, text: str, *, stamp: str, by: str) -> None:
        """Put another text into the file and start the table.

        Raises:
            BadValues: it still cannot be used, or the file is another one by now; nothing was
                written.
        """

    def restore(self, number: int, *, stamp: str, by: str) -> None:
        """Take an earlier version back and start the table; errors as of `write`."""

    def try_again(self) -> None:
        """Start the table with the file as it is: what was missing may be there now."""


def create_safe_app(mending: Mending, settings: Mapping[str, Any], access: Access) -> Flask:
    """Make the application of safe mode.

    Args:
        mending: the settings file.
        settings: as for `web_ui.create_app`.
        access: the PINs of those who may act.
    """
    wanted = {"MAX_CONTENT_LENGTH": LARGEST_BODY} | dict(settings)
    app = bare_app(wanted, access, home="safe_mode.page")
    app.jinja_env.filters["is_said"] = is_said
    app.extensions[_KEY] = mending
    app.register_blueprint(blueprint)
    return app


@blueprint.get("/")
def page() -> str:
    """Say what is wrong; the landlord can mend it."""
    return _page()


@blueprint.post("/safe")
def write() -> Answer | AnyResponse:
    """Put another text into the file."""
    _check()
    typed = request.form.get("text", "").replace("\r\n", "\n")
    try:
        _mending().write(typed, stamp=request.form.get("stamp", ""), by=_by())
    except BadValues as error:
        return _page(typed=typed, mistakes=error.mistakes), 400
    return _home()


@blueprint.post("/safe/restore")
def restore() -> Answer | AnyResponse:
    """Take an earlier version back."""
    _check()
    number = whole_number("version", request.form.get("version"), default=0)
    try:
        _mending().restore(number, stamp=request.form.get("stamp", ""), by=_by())
    except BadValues as error:
        return _page(mistakes=error.mistakes), 400
    return _home()


@blueprint.post("/safe/again")
def again() -> AnyResponse:
    """Start the table with the file as it is."""
    _check()
    _mending().try_again()
    return _home()


@blueprint.get("/healthz")
def healthz() -> tuple[Response, int]:
    """Say that the table has not started."""
    fault = "settings" if _mending().state().store is None else "log"
    return jsonify(status="failed", seq=None, faults=[fault]), 503


@blueprint.route("/api/", defaults={"asked": ""}, methods=["GET", "POST", "DELETE"])
@blueprint.route("/api/<path:asked>", methods=["GET", "POST", "DELETE"])
def interface(asked: str) -> Response:
    """There is no table to ask yet; what asks again finds it when it has started."""
    code = "safe_mode" if _mending().state().store is None else "log_unusable"
    raise RequestError(503, code, wait_s=AGAIN_S)


@blueprint.get("/<path:asked>")
def elsewhere(asked: str) -> AnyResponse:
    """All pages of the table lead here."""
    return _home()


def _check() -> None:
    """Let only the landlord pass, from our own page."""
    own_form(request)
    access.require(ADMIN, access.named_token(request))


def _mending() -> Mending:
    return cast(Mending, current_app.extensions[_KEY])


def _home() -> AnyResponse:
    return redirect(url_for("safe_mode.page", lang=language()), 303)


def _by() -> str:
    return text(current_app.config["DEFAULT_LANGUAGE"], f"role.{ADMIN}")


def _page(*, typed: str | None = None, mistakes: tuple[Mistake, ...] = ()) -> str:
    broken = _mending().state()
    shown = broken.text if typed is None else typed
    told = mistakes or broken.mistakes
    lines = shown.split("\n")
    return render(
        "safe_mode.html",
        token=access.token(),
        broken=broken,
        shown=shown,
        mistakes=[(one, _line(lines, one.line)) for one in told],
        refused=bool(mistakes),
        may_mend=access.signed_in_as() == ADMIN,
        moment=partial(moment, language()),
    )


def _line(lines: list[str], number: int | None) -> str:
    return lines[number - 1].strip() if number and number <= len(lines) else ""
