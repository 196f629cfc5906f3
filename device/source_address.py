"""Addresses of cameras without what lets others in, for pages, logs and messages."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

HIDDEN = "•••"
"""Stands where a password would be."""

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_NAMED = re.compile(r"[^/]*=.*", re.DOTALL)
"""Some cameras want user and password as words of the path: `/user=admin&password=x&channel=1`."""


def shown(text: str, *, hidden: str = "") -> str:
    """A text without what its addresses must not tell: user, password, query, named words.

    Args:
        text: whatever a person names as a source.
        hidden: stands in the place of what was there.
    """
    return _ADDRESS.sub(lambda found: _shown_address(found[0], hidden), text)


def masked(text: str) -> str:
    """The same, with `HIDDEN` where something was: for whoever may change it."""
    return shown(text, hidden=HIDDEN)


def _shown_address(url: str, hidden: str) -> str:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return f"{url.partition('://')[0]}://{hidden or '...'}"
    path = _NAMED.sub(hidden, parts.path)
    if "@" not in parts.netloc and path == parts.path and not (parts.query or parts.fragment):
        return url
    host = f"[{host}]" if ":" in host else host
    who = f"{hidden}@" if hidden and "@" in parts.netloc else ""
    query = f"?{hidden}" if hidden and (parts.query or parts.fragment) else ""
    return f"{parts.scheme}://{who}{host}{f':{port}' if port else ''}{path}{query}"
