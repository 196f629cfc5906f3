"""The scoreboard: the page and the part of it that is fetched again after each event."""

from flask import Blueprint, current_app

from web_ui.context import context
from web_ui.parsing import language
from web_ui.projection import Board
from web_ui.rendering import render
from web_ui.scoreboard import present

blueprint = Blueprint("dashboard", __name__)

_FRAGMENTS = "schockauge.fragments"


def _render(template: str) -> str:
    return render(template, view=present(context().projection.board(), language()))


@blueprint.get("/")
def index() -> str:
    """Show the scoreboard."""
    return _render("dashboard.html")


@blueprint.get("/board")
def board() -> str:
    """Return what changes on the scoreboard, as a fragment of HTML.

    Every page asks for it after every event; it is the same for all, so it is made once.
    """
    lang, board = language(), context().projection.board()
    made = current_app.extensions.setdefault(_FRAGMENTS, {})
    known: tuple[Board, str] | None = made.get(lang)
    if known is None or known[0] is not board:
        known = made[lang] = (board, _render("board.html"))
    return known[1]
