"""The screens that only show: /tv for the wall, /overlay for a broadcast, both live."""

import time

from flask import Blueprint

from web_ui.context import context
from web_ui.joining import join_of_request
from web_ui.parsing import language, one_of
from web_ui.rendering import render
from web_ui.wall import present_wall

blueprint = Blueprint("tv", __name__)

THEMES = ("dark", "light")
CORNERS = ("bottom-left", "bottom-right", "top-left", "top-right")


def _render(template: str) -> str:
    return render(
        template,
        view=present_wall(context().projection.board(), language(), time.time()),
        join=join_of_request(),
        theme=one_of("theme", THEMES, default=""),
        corner=one_of("corner", CORNERS, default=CORNERS[0]),
    )


@blueprint.get("/tv")
def tv() -> str:
    """Show the wall screen."""
    return _render("tv.html")


@blueprint.get("/tv/board")
def tv_board() -> str:
    """Return what changes on the wall screen, as a fragment of HTML."""
    return _render("tv_board.html")


@blueprint.get("/overlay")
def overlay() -> str:
    """Show the overlay: nothing but a corner is drawn on."""
    return _render("overlay.html")


@blueprint.get("/overlay/board")
def overlay_board() -> str:
    """Return what changes on the overlay, as a fragment of HTML."""
    return _render("overlay_board.html")
