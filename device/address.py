"""Addresses in texts, without what lets others in: user, password, query, whatever a path says."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"\b([a-z][a-z0-9+.-]*)://(.*)", re.IGNORECASE | re.DOTALL)
_HOST = re.compile(r"(\[[0-9a-f:.%]+\]|[^:\[\]\s]*)(:\d*)?", re.IGNORECASE)
_TELLS = re.compile(r"[=;&]")
"""Some cameras have user and password in the path: /user=admin&password=...&channel=1."""
UNKNOWN = "..."
HIDDEN = "•••"
"""Stands where a password would be."""


def shown(text: str, mark: str = "") -> str:
    """A text that is or ends with an address, without the secrets of that.

    A password with a `/`, `?` or `#` in it makes it uncertain where the host begins; then nothing
    of it is left.

    Args:
        text: such as a source, `hostile:PLAN:rtsp://user:password@host/path?query`.
        mark: stands where something is left out.
    """
    return _ADDRESS.sub(lambda found: f"{found[1]}://{_rest(found[2], mark)}", text)


def masked(text: str) -> str:
    """The same with `HIDDEN` where something was, for whoever may change it."""
    return shown(text, HIDDEN)


def _rest(rest: str, mark: str) -> str:
    login, at, place = rest.rpartition("@")
    place, query = re.fullmatch(r"([^?#]*)(.*)", place, re.DOTALL).groups()  # type: ignore[union-attr]
    host, *parts = place.split("/")
    if re.search(r"[/?#]", login) or not _HOST.fullmatch(host):
        return mark or UNKNOWN
    open_parts = next((n for n, part in enumerate(parts) if _TELLS.search(part)), len(parts))
    path = "".join(f"/{part}" for part in parts[:open_parts])
    hidden = f"/{mark or UNKNOWN}" if open_parts < len(parts) else ""
    before = f"{mark}@" if at and mark else ""
    after = f"?{mark}" if query and mark else ""
    return f"{before}{host}{path}{hidden}{after}"
