"""The statistics of the log's games: a page with tables and charts, and the same as JSON.

Nothing is replayed for them: the fold of the log keeps what past games come to, and the game under
way is summed up once after each entry, when somebody looks (`web_ui.projection.Board`).
"""

from flask import Blueprint, Response, jsonify

from rules.statistics import Tally
from web_ui.context import context
from web_ui.evening import NO_GAMES, games_of_evening
from web_ui.parsing import language, one_of
from web_ui.projection import Board
from web_ui.rendering import render
from web_ui.statistics_numbers import statistics_json
from web_ui.statistics_view import present_statistics

blueprint = Blueprint("statistics", __name__)

ALL, EVENING = "all", "evening"
SPANS = (ALL, EVENING)


def tally_of(board: Board, span: str) -> Tally:
    """Return what the games of the log come to, all of them or those of the latest evening."""
    if span == ALL:
        return board.past + board.under_way
    games = games_of_evening(board.games, board.at_s)
    now = board.games[-1:] if board.game is not None else ()
    together = sum((game.tally for game in games if game not in now), NO_GAMES)
    return together + board.under_way if now and now[0] in games else together


@blueprint.get("/statistics")
def page() -> str:
    """Show the statistics."""
    return _render("statistics.html")


@blueprint.get("/statistics/board")
def fragment() -> str:
    """Return what changes on the page, as a fragment of HTML."""
    return _render("statistics_board.html")


def _render(template: str) -> str:
    board, span = context().projection.board(), one_of("span", SPANS, default=ALL)
    view = present_statistics(tally_of(board, span), language())
    return render(template, view=view, span=span, spans=SPANS, broken=board.broken, seq=board.seq)


@blueprint.get("/api/statistics")
def numbers() -> Response:
    """Return the statistics as JSON."""
    board, span = context().projection.board(), one_of("span", SPANS, default=ALL)
    told = statistics_json(tally_of(board, span), language())
    return jsonify(seq=board.seq, span=span, broken=board.broken, **told)
