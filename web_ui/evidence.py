"""Stills of throws, as the camera saw them."""

from pathlib import PurePosixPath

from flask import Blueprint, Response, abort, current_app, send_from_directory

blueprint = Blueprint("evidence", __name__)

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})


def is_picture_name(name: str) -> bool:
    """Tell whether a name is a plain picture file's: no folder, not hidden, a known suffix."""
    path = PurePosixPath(name)
    return (
        path.name == name
        and "\\" not in name
        and not name.startswith(".")
        and path.suffix.lower() in PICTURE_SUFFIXES
    )


@blueprint.get("/evidence/<name>")
def still(name: str) -> Response:
    """Send one picture from EVIDENCE_DIR; 404 for everything that is not one."""
    folder = current_app.config["EVIDENCE_DIR"]
    if folder is None or not is_picture_name(name):
        abort(404)
    # send_from_directory refuses every path that leaves the folder. A still never changes.
    return send_from_directory(folder, name, max_age=86_400)
