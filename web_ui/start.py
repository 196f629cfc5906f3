"""The page on which an evening or the next game begins, and the rule sheets; needs no JavaScript.

Every button of the form sends all of it: the one that begins, and those that seat, move or let go
somebody, after which the form comes back. A script only spares the reload.
"""

from typing import Any

from flask import Blueprint, current_app, redirect, request, url_for
from werkzeug.wrappers import Response

from rules.sheet import rule_sheet
from web_ui import access
from web_ui.context import context
from web_ui.errors import ActionRefused, RequestError
from web_ui.i18n import text
from web_ui.parsing import LONGEST_TEXT, checked_action, language, least_of
from web_ui.players import LONGEST_PLAYER, MOST_PLAYERS, seated
from web_ui.ports import START
from web_ui.projection import Board
from web_ui.rendering import render
from web_ui.roles import REFEREE, TABLE, reaches
from web_ui.security import own_form
from web_ui.starting import (
    DAYS,
    Wish,
    books_on_offer,
    first_wish,
    is_played,
    present_start,
    pressed,
    weekday_of,
)

blueprint = Blueprint("start", __name__)

BEGIN = "start"
"""Value of the button that begins."""


@blueprint.get("/start")
def page() -> str:
    """Show the form, filled in as last time."""
    board = context().projection.board()
    return _page(board, first_wish(board, _today()))


@blueprint.post("/start")
def change() -> Response | str | tuple[str, int, dict[str, str]]:
    """Begin the game and go on to the table; by any other button show the form changed by it."""
    own_form(request)
    board, wish, button = context().projection.board(), _wish(), request.form.get("do", "")
    if button != BEGIN:
        return _page(board, pressed(wish, button, board))
    try:
        _begin(board, wish)
    except RequestError as error:
        access.door().refusals.refused(
            error.code, address=access.address(), logger=current_app.logger
        )
        reason = text(language(), f"error.{error.code}", **error.values)
        return _page(board, wish, reason), error.status, error.headers
    except ActionRefused as refusal:
        said = refusal.text_en if language() == "en" else refusal.text_de
        return _page(board, wish, said), 409, {}
    return redirect(url_for("table.page", lang=language()), 303)


@blueprint.get("/rules/<book>")
def rules(book: str) -> str:
    """Show the rule sheet of a book on offer."""
    lang, board = language(), context().projection.board()
    found = books_on_offer(current_app.config["HOUSE_BOOKS"], board.game).get(book)
    if found is None:
        raise RequestError(404, "not_found")
    sheet = rule_sheet(found, "en" if lang == "en" else "de")
    return render("rule_sheet.html", sheet=sheet)


def _begin(board: Board, wish: Wish) -> None:
    """Carry out what is filled in.

    Raises:
        RequestError: 400 it is no game, 401 or 403 whoever asks may not begin it.
        ActionRefused: the table does not allow it now.
    """
    body: dict[str, Any] = {
        "type": START,
        "players": list(wish.names),
        "book": wish.book,
        "weekday": wish.weekday,
        "by": text(language(), "question.by"),
    }
    if is_played(board.game) and wish.abandons:
        body["reason"] = wish.reason
    access.require(least_of(body), access.named_token(request))
    if not body.get("reason", "x").strip():
        raise RequestError(400, "no_reason")
    context().submit(checked_action(body))


def _wish() -> Wish:
    """What was sent; places that were left empty do not count."""
    form = request.form
    return Wish(
        names=tuple(seated(form.getlist("player"))),
        book=form.get("book", ""),
        weekday=form.get("weekday", ""),
        abandons="abandon" in form,
        reason=form.get("reason", ""),
    )


def _today() -> str:
    set_day = str(current_app.config["WEEKDAY"])
    return set_day if set_day in DAYS else weekday_of(access.door().clock())


def _page(board: Board, wish: Wish, reason: str = "") -> str:
    lang, config = language(), current_app.config
    view = present_start(
        board,
        lang,
        wish,
        books=books_on_offer(config["HOUSE_BOOKS"], board.game),
        layout=config["LAYOUT"],
        fixed_seats=config["FIXED_SEATS"],
    )
    least = REFEREE if view["ends"] else TABLE
    return render(
        "start.html",
        view=view,
        reason=reason,
        begin=BEGIN,
        least=least,
        may=reaches(access.role(), least),
        token=access.token(),
        longest_player=LONGEST_PLAYER,
        longest_text=LONGEST_TEXT,
        most_players=MOST_PLAYERS,
    )
