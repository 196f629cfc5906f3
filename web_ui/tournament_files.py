"""What is printed or taken away: cards, the draw to hang up, the ranking as page, CSV and PDF."""

from flask import Blueprint, Response, current_app, request, url_for

from rules.tournament import Tournament
from rules.tournament_state import Round
from web_ui.errors import RequestError
from web_ui.i18n import text
from web_ui.joining import is_reachable
from web_ui.parsing import language, whole_number
from web_ui.rendering import render
from web_ui.tournament_card_sheet import Card, cards_pdf
from web_ui.tournament_context import hall
from web_ui.tournament_poster import poster_pdf
from web_ui.tournament_results import results_csv, results_of
from web_ui.tournament_results_sheet import king_text, results_pdf
from web_ui.tournament_view import head_view, round_text, round_view, seen, team_view

blueprint = Blueprint("tournament_files", __name__)

KNOCKOUT_GAMES = 9
"""Rows of a card where nobody knows how many games it takes."""

BLANK_GAMES = 6


@blueprint.get("/tournament/cards.pdf")
def cards() -> Response:
    """Send the cards of ?round=, or a blank one."""
    lang = language()
    if "round" not in request.args:
        return _pdf(cards_pdf((Card(games=BLANK_GAMES),), lang), text(lang, "hall.file.cards"))
    tournament, one = _round()
    made = tournament.format
    known = one.kind == "points" or made.ko == "points"
    base = _base()
    printed = tuple(
        Card(
            tournament=tournament.state.name,
            where=round_text(one, lang),
            table=number,
            players=seats,
            games=made.games_per_round if known else KNOCKOUT_GAMES,
            url=base and base + _entry(one.number, number),
        )
        for number, seats in enumerate(one.tables, start=1)
        if seats
    )
    return _pdf(cards_pdf(printed, lang), f"{text(lang, 'hall.file.cards')}-{one.number}")


@blueprint.get("/tournament/poster.pdf")
def poster() -> Response:
    """Send the draw of ?round=, or of the last one."""
    lang = language()
    tournament, one = _round()
    drawn = poster_pdf(tournament.state.name, round_text(one, lang), one, lang)
    return _pdf(drawn, f"{text(lang, 'hall.file.poster')}-{one.number}")


@blueprint.get("/tournament/results.pdf")
def results_sheet() -> Response:
    """Send the ranking as a PDF."""
    lang, tournament = language(), _tournament()
    found = results_of(tournament, lang)
    teams = team_view(tournament, lang)
    sheet = results_pdf(tournament.state.name, _when(tournament, lang), found, teams, lang)
    return _pdf(sheet, text(lang, "hall.file.results"))


@blueprint.get("/tournament/results.csv")
def results_table() -> Response:
    """Send the ranking as CSV."""
    lang = language()
    name = text(lang, "hall.file.results")
    response = Response(results_csv(_tournament(), lang), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


@blueprint.get("/tournament/results.html")
def results_page() -> str:
    """Show the ranking as a page to print."""
    lang, tournament = language(), _tournament()
    found = results_of(tournament, lang)
    return render(
        "tournament_results.html",
        view=head_view(hall(), seen(hall()), lang),
        when=_when(tournament, lang),
        found=found,
        kings=[king_text(king, lang) for king in found["kings"]],
        teams=team_view(tournament, lang),
        rounds=[round_view(one, lang) for one in tournament.state.rounds if one.handed],
    )


def _tournament() -> Tournament:
    tournament = hall().tournament()
    if tournament is None:
        raise RequestError(404, "no_tournament")
    return tournament


def _round() -> tuple[Tournament, Round]:
    tournament = _tournament()
    rounds = tournament.state.rounds
    number = whole_number("round", request.args.get("round"), default=len(rounds))
    if not 1 <= number <= len(rounds):
        raise RequestError(404, "no_such_round", found=number)
    return tournament, rounds[number - 1]


def _base() -> str:
    """Under which address phones reach this hub; "" if only this machine does."""
    url = str(current_app.config["PUBLIC_URL"]) or request.host_url
    return url.rstrip("/") if is_reachable(url) else ""


def _entry(number: int, table: int) -> str:
    return url_for("tournament_cards.page", number=number, table=table)


def _when(tournament: Tournament, lang: str) -> str:
    early = tournament.state.ended_early
    if early:
        return text(lang, "hall.results.early", why=early)
    if tournament.is_over:
        return text(lang, "hall.results.final")
    return text(lang, "hall.results.so_far", rounds=len(tournament.state.rounds))


def _pdf(file: bytes, name: str) -> Response:
    response = Response(file, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response
