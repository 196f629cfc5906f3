"""What keeps strangers and mistakes out: headers of every answer, the form of every request."""

import json
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response

from web_ui.errors import RequestError

HEADERS = {
    # Everything comes from this server; no inline script or style, no frame around the page.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    # What the table shows changes with each throw; pictures and assets set their own.
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def install(app: Flask) -> None:
    """Put the headers on every answer of an application."""

    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    app.after_request(add_headers)


def json_object(request: Request) -> dict[str, Any]:
    """Return the body of a request that acts: a JSON object, sent by our own page.

    A form of a foreign page cannot send `application/json` without asking first, and this
    server never consents; the Origin header is compared besides.

    Raises:
        RequestError: 403 from another site, 415 not JSON, 400 malformed JSON or no object.
    """
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise RequestError(403, "other_site")
    if request.mimetype != "application/json":
        raise RequestError(415, "not_json", found=request.mimetype)
    try:
        body = json.loads(request.get_data().decode("utf-8"), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RequestError(400, "malformed_json", line=error.lineno, column=error.colno) from error
    except (ValueError, RecursionError) as error:
        # Not UTF-8, NaN, a number of thousands of digits, or nested beyond any use.
        raise RequestError(400, "malformed_json", line=1, column=1) from error
    if not isinstance(body, dict):
        raise RequestError(400, "not_an_object", found=_JSON_KINDS[type(body)])
    return body


_JSON_KINDS = {
    list: "[…]",
    str: '"…"',
    int: "123",
    float: "1.5",
    bool: "true/false",
    type(None): "null",
}


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
