"""What keeps strangers and mistakes out: headers of every answer, the form of every request."""

import ipaddress
import json
import re
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, request

from web_ui.errors import RequestError

HEADERS = {
    # Everything comes from this server; no inline script or style, no frame around the page.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    # What the table shows changes with each throw; pictures and assets set their own.
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": browsers then send our own forms with `Origin: null`.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


LOCAL_DOMAINS = (".local", ".localhost", ".home.arpa", ".internal")
"""Names that only the network at hand can give away."""

_HOST_NAME = re.compile(r"[a-z0-9._-]+")


def install(app: Flask) -> None:
    """Look at every request of an application, and put the headers on every answer."""

    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    app.before_request(_check_request)
    app.after_request(add_headers)


def _check_request() -> None:
    """Refuse what no page of ours sends.

    Raises:
        RequestError: 400 another host is meant, 413 the body is too large.
    """
    if not is_our_host(request.headers.get("Host", ""), current_app.config["HOST_NAMES"]):
        raise RequestError(400, "bad_host", found=request.headers.get("Host", "")[:60])
    limit = current_app.config["MAX_CONTENT_LENGTH"]
    if (request.content_length or 0) > limit:
        raise RequestError(413, "too_large", limit=limit)


def is_our_host(host: str, names: Collection[str]) -> bool:
    """Tell whether a Host header can mean this server.

    A stranger's site whose name suddenly leads to the address of the table (DNS rebinding) would
    be the table's own origin. It cannot do that with an address, a name without a point or one
    that only the local network gives away; other names have to be listed.
    """
    if not host.isascii():
        return False
    try:
        split = urlsplit(f"//{host}")
        name, _ = (split.hostname or "").rstrip("."), split.port
    except ValueError:
        return False
    if not name or split.netloc != host or "@" in host:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        if not _HOST_NAME.fullmatch(name):
            return False
        known = "." not in name or name.endswith(LOCAL_DOMAINS)
        return known or name in {listed.lower() for listed in names}
    return True


def json_object(request: Request) -> dict[str, Any]:
    """Return the body of a request that acts: a JSON object, sent by our own page.

    A form of a foreign page cannot send `application/json` without asking first, and this
    server never consents; the Origin header is compared besides.

    Raises:
        RequestError: 403 from another site, 415 not JSON, 400 malformed JSON or no object.
    """
    _check_origin(request)
    if request.mimetype != "application/json":
        raise RequestError(415, "not_json", found=request.mimetype)
    try:
        body = json.loads(request.get_data().decode("utf-8"), parse_constant=_refuse_constant)
        json.dumps(body, ensure_ascii=False).encode()  # "\ud800", half a character, fits no log
    except json.JSONDecodeError as error:
        raise RequestError(400, "malformed_json", line=error.lineno, column=error.colno) from error
    except (ValueError, RecursionError) as error:
        # Not UTF-8 (once unescaped, too), NaN, a number of thousands of digits, or nested too deep.
        raise RequestError(400, "malformed_json", line=1, column=1) from error
    if not isinstance(body, dict):
        raise RequestError(400, "not_an_object", found=_JSON_KINDS[type(body)])
    return body


def own_form(request: Request) -> None:
    """Let only forms of our own pages pass; none of them sends a file.

    Raises:
        RequestError: 403 from another site, 415 another kind of content.
    """
    _check_origin(request)
    if request.mimetype != "application/x-www-form-urlencoded":
        raise RequestError(415, "not_form", found=request.mimetype)


def _check_origin(request: Request) -> None:
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise RequestError(403, "other_site")


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
