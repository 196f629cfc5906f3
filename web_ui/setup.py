"""Setting a table up in the browser: `/setup` and its steps; needs no JavaScript, only the admin.

Every step is a page with the camera's picture, what is found in it and what to do; it can be left
and taken up again, and skipped with its consequence said. Pictures are sent to nobody but the
admin, and only while the set-up is on.
"""

from typing import Any

from flask import Blueprint, Response, abort, current_app, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from web_ui import access
from web_ui.errors import ActionRefused, RequestError
from web_ui.i18n import text
from web_ui.joining import join_of_request
from web_ui.parsing import language
from web_ui.rendering import render
from web_ui.roles import ADMIN
from web_ui.security import own_form
from web_ui.setup_deeds import DEEDS, carry_out
from web_ui.setup_ports import MAT, RULES, STEPS, SetUp
from web_ui.setup_view import present_overview, present_step

blueprint = Blueprint("setup", __name__)

_KEY = "schockauge.setup"
_LOOPBACK = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})
PDF_NAME = "mat.pdf"

Answer = AnyResponse | str | tuple[str, int, dict[str, str]]


def install(extensions: dict[str, Any], setup: SetUp | None) -> None:
    """Keep the way to set the table up with the application; None: it cannot be."""
    extensions[_KEY] = setup


def setup_port() -> SetUp | None:
    """Return the set-up of the application that serves this request."""
    found: SetUp | None = current_app.extensions[_KEY]
    return found


@blueprint.before_app_request
def lead_to_setup() -> AnyResponse | None:
    """The first page of a table that nobody has set up yet is that, for own screen and landlord."""
    setup = setup_port()
    if request.endpoint != "dashboard.index" or setup is None or not setup.state().is_due:
        return None
    if access.address() in _LOOPBACK or access.signed_in_as() == ADMIN:
        return redirect(url_for("setup.page", lang=language()))
    return None


@blueprint.get("/setup")
def page() -> Answer:
    """Show how far the set-up is."""
    return _to_sign_in() or _overview()


@blueprint.post("/setup")
def change() -> Answer:
    """Begin the set-up, or end it and let the table play."""
    setup = _required()
    own_form(request)
    access.require(ADMIN, access.named_token(request))
    try:
        if request.form.get("do") == "begin":
            setup.begin(text(language(), "question.by"))
            return _led_to(STEPS[0])
        setup.finish(text(language(), "question.by"))
    except ActionRefused as refusal:
        return _overview(_said(refusal)), 409, {}
    if setup.state().is_on:  # it could not begin; the overview says why
        return redirect(url_for("setup.page", lang=language()), 303)
    return redirect(url_for("start.page", lang=language()), 303)


@blueprint.get("/setup/<step>")
def step(step: str) -> Answer:
    """Show a step."""
    setup = setup_port()
    if step not in STEPS:
        raise RequestError(404, "not_found")
    if (asked := _to_sign_in()) is not None:
        return asked
    if setup is None or not setup.state().is_on:
        return _overview()
    return _step(setup, step)


@blueprint.post("/setup/<step>")
def act(step: str) -> Answer:
    """Do something in a step; then that step, or the next one."""
    if step not in STEPS:
        raise RequestError(404, "not_found")
    own_form(request)
    access.require(ADMIN, access.named_token(request))
    setup = _required()
    if not setup.state().is_on:
        return redirect(url_for("setup.page", lang=language()), 303)
    try:
        goes_on = carry_out(setup, step, request.form)
    except RequestError as error:
        access.door().refusals.refused(
            error.code, address=access.address(), logger=current_app.logger
        )
        reason = text(language(), f"error.{error.code}", **error.values)
        return _step(setup, step, reason), error.status, error.headers
    except ActionRefused as refusal:
        return _step(setup, step, _said(refusal)), 409, {}
    return _led_to(_after(step) if goes_on else step)


@blueprint.get("/setup/look/<view>")
def look(view: str) -> Response:
    """Send what the camera sees, as a JPEG, to the admin alone and only while the set-up is on."""
    if access.signed_in_as() != ADMIN:
        raise RequestError(401, "sign_in", least=ADMIN)
    setup = setup_port()
    picture = None if setup is None or len(view) > 40 else setup.look(view)
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/jpeg")


@blueprint.get("/setup/print/<name>")
def printed(name: str) -> Response:
    """Send the mat to print."""
    if access.signed_in_as() != ADMIN:
        raise RequestError(401, "sign_in", least=ADMIN)
    setup = setup_port()
    if setup is None or name != PDF_NAME:
        abort(404)
    try:
        return Response(setup.mat_pdf(), mimetype="application/pdf")
    except ActionRefused as refusal:
        return Response(_step(setup, MAT, _said(refusal)), 409)


def _required() -> SetUp:
    setup = setup_port()
    if setup is None:
        raise RequestError(404, "not_found")
    return setup


def _to_sign_in() -> AnyResponse | None:
    if access.signed_in_as() == ADMIN:
        return None
    after = url_for("setup.page")
    return redirect(url_for("signing_in.form", role=ADMIN, next=after, lang=language()))


def _overview(reason: str = "") -> str:
    setup = setup_port()
    return render(
        "setup.html",
        view=None if setup is None else present_overview(setup.state(), language()),
        join=join_of_request(),
        token=access.token(),
        reason=reason,
    )


def _step(setup: SetUp, step: str, reason: str = "") -> str:
    return render(
        f"setup_{step}.html",
        view=present_step(setup, step, language(), request.form),
        step=step,
        deeds=DEEDS[step],
        token=access.token(),
        reason=reason,
    )


def _after(step: str) -> str:
    """The step after one; the overview after the last."""
    return "" if step == RULES else STEPS[STEPS.index(step) + 1]


def _led_to(step: str) -> AnyResponse:
    lang = language()
    if not step:
        return redirect(url_for("setup.page", lang=lang), 303)
    return redirect(url_for("setup.step", step=step, lang=lang), 303)


def _said(refusal: ActionRefused) -> str:
    return refusal.text_en if language() == "en" else refusal.text_de
