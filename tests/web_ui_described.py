"""An application that is asked what its own OpenAPI description allows, and what it does not."""

import itertools
from collections.abc import Iterable
from typing import Any

from flask import Flask
from hypothesis import HealthCheck, settings
from schemathesis import Case, openapi
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from web_ui_access import signed_in

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

STREAM = "/api/stream"


class Described:
    """Sends requests to an application itself; its live streams end at once."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.schema = openapi.from_wsgi("/api/openapi.json", self.wsgi)

    def wsgi(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        """As a server would, but nobody has the time to wait for the end of a stream."""
        body = self.app.wsgi_app(environ, start_response)
        try:
            return list(itertools.islice(body, 3 if environ["PATH_INFO"] == STREAM else None))
        finally:
            getattr(body, "close", lambda: None)()

    def try_out(self, case: Case, role: str | None) -> None:
        """Send a request, signed in anew, and compare the answer with the description."""
        headers, cookies = {}, {}
        if role is not None:
            client = signed_in(self.app, role)
            headers["X-CSRF-Token"] = client.environ_base["HTTP_X_CSRF_TOKEN"]
            cookies = {
                name: cookie.value
                for name in ("schockauge", "schockauge_device")
                if (cookie := client.get_cookie(name)) is not None
            }
        case.call_and_validate(headers=headers, cookies=cookies, checks=CHECKS)


def quick(examples: int) -> settings:
    """So many requests for each operation and role; some keep to the description, some do not."""
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
