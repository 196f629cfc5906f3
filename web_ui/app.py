"""Puts the application together: settings, seams, blueprints, errors."""

from collections.abc import Mapping
from typing import Any

from flask import Flask

from web_ui import access as access_control
from web_ui import (
    api,
    dashboard,
    error_pages,
    evidence,
    health,
    joining,
    referee,
    security,
    signing_in,
    start,
    statistics,
    stream,
    table,
    tv,
)
from web_ui.access import Access
from web_ui.context import Context, Seats
from web_ui.errors import ActionRefused
from web_ui.ports import EventLog, Preview, Submit
from web_ui.projection import Projection
from web_ui.settings import with_defaults


def create_app(
    log: EventLog,
    submit: Submit,
    settings: Mapping[str, Any] | None = None,
    *,
    access: Access | None = None,
    preview: Preview | None = None,
) -> Flask:
    """Make the dashboard of one table.

    Args:
        log: where everything the page shows comes from.
        submit: carries out an action, raises `ActionRefused` when it is not allowed.
        settings: values for `web_ui.settings.SETTINGS`; further ones pass into the
            application's configuration untouched.
        access: the PINs of those who may act; None: there are none, so nobody may.
        preview: tries an action and changes nothing; None: nothing can be tried here.

    Returns:
        The WSGI application. Each live viewer occupies a thread of the server.

    Raises:
        ValueError: a setting has a value it cannot have.
    """
    app = Flask(__name__)
    app.config.update(with_defaults(settings or {}))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    projection = Projection(log, log_lines=app.config["LOG_LINES"])
    access = access or Access()
    Context(log, submit, preview or _no_preview, projection, Seats(), access.note).install(
        app.extensions
    )
    access_control.install(app, access)
    security.install(app)
    error_pages.install(app)
    for module in (
        dashboard,
        table,
        start,
        statistics,
        referee,
        tv,
        joining,
        api,
        stream,
        evidence,
        health,
        signing_in,
    ):
        app.register_blueprint(module.blueprint)
    return app


def _no_preview(action: dict[str, Any]) -> Mapping[str, Any]:
    raise ActionRefused(
        "An diesem Tisch lässt sich nichts ausprobieren.",
        "Nothing can be tried at this table.",
        "no_preview",
    )
