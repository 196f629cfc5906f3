"""Puts the application together: settings, seams, blueprints, errors."""

from collections.abc import Mapping
from typing import Any

from flask import Flask

from web_ui import (
    api,
    dashboard,
    evidence,
    health,
    joining,
    referee,
    settings_page,
    settings_port,
    start,
    statistics,
    stream,
    table,
    tv,
)
from web_ui import setup as setting_up
from web_ui.access import Access
from web_ui.assembling import bare_app
from web_ui.context import Context, Seats
from web_ui.errors import ActionRefused
from web_ui.legible import LegibleLog
from web_ui.ports import Alarms, EventLog, Health, NoHealth, Preview, Submit
from web_ui.projection import Projection
from web_ui.settings_port import TableSettings
from web_ui.setup_ports import SetUp


def create_app(
    log: EventLog,
    submit: Submit,
    settings: Mapping[str, Any] | None = None,
    *,
    access: Access | None = None,
    preview: Preview | None = None,
    setup: SetUp | None = None,
    table_settings: TableSettings | None = None,
    monitor: Health | None = None,
    alarms: Alarms = tuple,
) -> Flask:
    """Make the dashboard of one table.

    Args:
        log: where everything the page shows comes from.
        submit: carries out an action, raises `ActionRefused` when it is not allowed.
        settings: values for `web_ui.settings.SETTINGS`; further ones pass into the
            application's configuration untouched.
        access: the PINs of those who may act; None: there are none, so nobody may.
        preview: tries an action and changes nothing; None: nothing can be tried here.
        setup: sets the table up; None: it cannot be from here.
        table_settings: what the landlord changes at `/settings`; None: nothing there.
        monitor: how the appliance is; None: nothing is measured here.
        alarms: what lasts and cannot stand in the log.

    Returns:
        The WSGI application. Each live viewer occupies a thread of the server.

    Raises:
        ValueError: a setting has a value it cannot have.
    """
    app = bare_app(settings or {}, access or Access(), home="dashboard.index")
    log = LegibleLog(log)
    projection = Projection(log, log_lines=app.config["LOG_LINES"], alarms=alarms)
    looks = preview or _no_preview
    seams = Context(log, submit, looks, projection, Seats(), monitor or NoHealth(), alarms)
    seams.install(app.extensions)
    settings_port.install(app, table_settings)
    setting_up.install(app.extensions, setup)
    for module in (
        dashboard,
        setting_up,
        table,
        start,
        settings_page,
        statistics,
        referee,
        tv,
        joining,
        api,
        stream,
        evidence,
        health,
    ):
        app.register_blueprint(module.blueprint)
    return app


def _no_preview(action: dict[str, Any]) -> Mapping[str, Any]:
    raise ActionRefused(
        "An diesem Tisch lässt sich nichts ausprobieren.",
        "Nothing can be tried at this table.",
        "no_preview",
    )
