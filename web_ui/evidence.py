"""Stills and clips of throws, as the camera saw them.

A browser that scrubs in a clip asks for parts of it (HTTP ranges); a file never changes, so that
its parts always fit together.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath

from flask import Blueprint, Response, abort, current_app, send_from_directory

blueprint = Blueprint("evidence", __name__)

PICTURE_TYPES: Mapping[str, str] = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
}
CLIP_TYPES: Mapping[str, str] = {".webm": "video/webm"}
TYPES: Mapping[str, str] = {**PICTURE_TYPES, **CLIP_TYPES}
"""What may leave the folder, and how it is called; a machine's own list may lack some."""

PICTURE_SUFFIXES = frozenset(PICTURE_TYPES)

ALONE = "default-src 'none'; img-src 'self'; media-src 'self'"
"""A file opened by itself: the browser's own player and nothing else."""


def is_picture_name(name: str) -> bool:
    """Tell whether a name is a plain picture file's: no folder, not hidden, a known suffix."""
    return _is_plain(name) and PurePosixPath(name).suffix.lower() in PICTURE_TYPES


def is_clip_name(name: str) -> bool:
    """Tell whether a name is a plain clip file's, by the same rules."""
    return _is_plain(name) and PurePosixPath(name).suffix.lower() in CLIP_TYPES


def _is_plain(name: str) -> bool:
    return PurePosixPath(name).name == name and "\\" not in name and not name.startswith(".")


@blueprint.get("/evidence/<name>")
def still(name: str) -> Response:
    """Send one picture or clip from EVIDENCE_DIR, or a part; 404 for everything that is not one."""
    folder = current_app.config["EVIDENCE_DIR"]
    if folder is None or not (is_picture_name(name) or is_clip_name(name)):
        abort(404)
    kind = TYPES[PurePosixPath(name).suffix.lower()]
    # send_from_directory refuses every path that leaves the folder, and answers ranges.
    response = send_from_directory(folder, name, mimetype=kind, max_age=86_400)
    response.headers["Content-Security-Policy"] = ALONE
    return response
