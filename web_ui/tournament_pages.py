"""The pages of a tournament for everybody: the overview for a phone, the wall for a beamer."""

from collections.abc import Callable

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from web_ui.access import door
from web_ui.parsing import language, one_of
from web_ui.rendering import render
from web_ui.tournament_context import hall, hall_context
from web_ui.tournament_view import head_view, present_overview, seen, sheet_view
from web_ui.tournament_wall import SHOWN, present_tournament_wall

blueprint = Blueprint("tournament", __name__)

THEMES = ("dark", "light")
LONGEST_SEARCH = 60


@blueprint.get("/")
def home() -> Response:
    """Lead to the overview."""
    return redirect(url_for("tournament.page", lang=language()))


def _asked() -> str:
    return request.args.get("name", "").strip()[:LONGEST_SEARCH]


def _overview(template: str) -> str:
    view = present_overview(hall(), language(), _asked())
    return render(template, view=view)


@blueprint.get("/tournament")
def page() -> str:
    """Show the overview."""
    return _overview("tournament.html")


@blueprint.get("/tournament/board")
def board() -> str:
    """Return what changes on the overview, as a fragment of HTML."""
    if _asked():
        return _overview("tournament_board.html")
    return _once_for_all((), lambda: _overview("tournament_board.html"))


@blueprint.get("/tournament/sheet")
def sheet() -> str:
    """Show how the tournament is played: every decision and where it comes from."""
    at, lang = seen(hall()), language()
    chapters = () if at.tournament is None else sheet_view(at.tournament, lang)
    return render("tournament_sheet.html", view=head_view(hall(), at, lang), chapters=chapters)


def _wall(template: str) -> str:
    show = one_of("show", SHOWN, default="")
    view = present_tournament_wall(hall(), language(), show)
    return render(template, view=view, show=show, theme=one_of("theme", THEMES, default=""))


@blueprint.get("/tournament/wall")
def wall() -> str:
    """Show the wall."""
    return _wall("tournament_wall.html")


@blueprint.get("/tournament/wall/board")
def wall_board() -> str:
    """Return what changes on the wall, as a fragment of HTML."""
    show = one_of("show", SHOWN, default="")
    return _once_for_all((show,), lambda: _wall("tournament_wall_board.html"))


def _once_for_all(more: tuple[str, ...], draw: Callable[[], str]) -> str:
    key = (request.endpoint, language(), *more)
    return hall_context().boards.get(key, door().steady(), draw)
