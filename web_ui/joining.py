"""The way in for phones: the address of the table, as text and as a QR code.

A code with an address that only this machine knows would lead every phone to itself; then there is
none, and the screen says which setting is missing.
"""

import io
import re
from ipaddress import ip_address
from typing import Any

import segno
from flask import Blueprint, Response, abort, current_app, request

from web_ui.i18n import text
from web_ui.parsing import language

blueprint = Blueprint("joining", __name__)

SETTING = "web.public_url"
"""The appliance's setting behind PUBLIC_URL, as the screen names it."""

_ADDRESS = re.compile(
    r"https?://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?(/[a-z0-9/_.~%-]*)?", re.IGNORECASE
)
_LONGEST_URL = 200
"""Characters; more would make a code too fine to be read across a room."""


def is_reachable(url: str) -> bool:
    """Tell whether phones may reach an address: http or https, a host, not this machine."""
    found = _ADDRESS.fullmatch(url)
    return found is not None and len(url) <= _LONGEST_URL and _is_far(found["host"])


def _is_far(host: str) -> bool:
    host = host.strip("[]").lower()
    try:
        address = ip_address(host)
    except ValueError:
        return host != "localhost" and not host.endswith(".localhost")
    return not (address.is_loopback or address.is_unspecified)


def join_view(public_url: str, own_url: str, lang: str) -> dict[str, Any]:
    """Return what the screen says about joining.

    Args:
        public_url: as set; "" when nobody has.
        own_url: under which this page was asked for.
        lang: language of the texts.

    Returns:
        `url` to be reached and `shown`, its readable part; or `url` "" and `problem`: what to set.
    """
    url = public_url or own_url
    if is_reachable(url):
        return {"url": url, "shown": url.partition("://")[2].rstrip("/"), "problem": ""}
    if public_url:
        problem = text(lang, "join.bad_setting", setting=SETTING, found=public_url)
    else:
        problem = text(lang, "join.only_here", setting=SETTING)
    return {"url": "", "shown": "", "problem": problem}


def join_of_request() -> dict[str, Any]:
    """Return `join_view` for the request under way."""
    return join_view(str(current_app.config["PUBLIC_URL"]), request.host_url, language())


def qr_svg(url: str) -> bytes:
    """Draw a QR code, dark on white with its quiet zone, as an SVG without size."""
    drawn = io.BytesIO()
    segno.make(url, error="m", micro=False).save(
        drawn, kind="svg", light="#ffffff", dark="#1d1a14", omitsize=True, xmldecl=False
    )
    return drawn.getvalue()


@blueprint.get("/join.svg")
def code() -> Response:
    """Send the QR code of the table's address; 404 where phones cannot reach it."""
    url = join_of_request()["url"]
    if not url:
        abort(404)
    return Response(qr_svg(url), mimetype="image/svg+xml")
