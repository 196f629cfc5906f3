"""The referee's desk: a page for whoever is signed in as one, and the part of it that changes."""

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from web_ui import access
from web_ui.context import context
from web_ui.errors import RequestError
from web_ui.parsing import LONGEST_NAME, LONGEST_TEXT, language
from web_ui.refereeing import present_referee
from web_ui.rendering import render
from web_ui.roles import REFEREE, reaches

blueprint = Blueprint("referee", __name__)


def _render(template: str) -> str:
    lang, item = language(), request.args.get("item", "")
    return render(
        template,
        view=present_referee(context().projection.board(), lang, item),
        item_asked=item,
        longest_name=LONGEST_NAME,
        longest_text=LONGEST_TEXT,
    )


@blueprint.get("/referee")
def page() -> Response | str:
    """Show the desk to a referee; others are led to where they sign in."""
    if not reaches(access.role(), REFEREE):
        return redirect(url_for("signing_in.form", role=REFEREE, next="/referee", lang=language()))
    return _render("referee.html")


@blueprint.get("/referee/board")
def board() -> str:
    """Return what changes on the desk, as a fragment of HTML."""
    if not reaches(access.role(), REFEREE):
        signed_in = access.signed_in_as() is not None
        raise RequestError(403 if signed_in else 401, "wrong_role" if signed_in else "sign_in")
    return _render("referee_board.html")
