"""What every application of ours has, whatever it shows: settings, door, security, errors."""

from collections.abc import Mapping
from typing import Any

from flask import Flask

from web_ui import access as access_control
from web_ui import error_pages, security, signing_in
from web_ui.access import Access
from web_ui.settings import with_defaults


def bare_app(settings: Mapping[str, Any], access: Access, *, home: str) -> Flask:
    """Make an application in which people can sign in, and nothing else.

    Args:
        settings: values for `web_ui.settings.SETTINGS`; further ones pass into the configuration.
        access: the PINs of those who may act.
        home: endpoint of the page that an error, or signing in, leads to.

    Raises:
        ValueError: a setting has a value it cannot have.
    """
    app = Flask("web_ui")
    app.config.update(with_defaults(settings))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["home"] = home
    access_control.install(app, access)
    security.install(app)
    error_pages.install(app)
    app.register_blueprint(signing_in.blueprint)
    return app
