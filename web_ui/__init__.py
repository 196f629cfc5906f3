"""The dashboard: a Flask application, rendered on the server, without anything from elsewhere.

It is given an event log, a `submit(action)` callable and settings; it never sees a camera, a
database or `vision`. Everything on the page is folded from the log (`projection.py`).
"""

from web_ui.app import create_app
from web_ui.errors import ActionRefused

__all__ = ["ActionRefused", "create_app"]
