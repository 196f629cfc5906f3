"""What the desk shows: everything that can be done now, and why what cannot be done cannot."""

from typing import Any

from rules.book import RuleBook
from rules.errors import Refused
from rules.library import all_books
from rules.tournament import Tournament
from rules.tournament_drawing import due_round
from rules.tournament_honours import schock_aus_kings
from rules.tournament_library import all_formats
from rules.tournament_state import Entrant
from web_ui.tournament_acting import refusal_text
from web_ui.tournament_desk_tables import devices_view, time_up_view
from web_ui.tournament_forms import draw_id
from web_ui.tournament_incidents import incidents_view
from web_ui.tournament_ports import CLOCK, Hall
from web_ui.tournament_sentences import latest_view
from web_ui.tournament_view import (
    draw_refusal,
    draw_view,
    head_view,
    live_view,
    seen,
    standings_view,
)

PLACES = ("players", "round", "cards", "end")
"""The parts of the desk."""

_USUAL = {
    "none": "players",
    "registration": "players",
    "playing": "cards",
    "between": "round",
    "stechen": "end",
    "over": "end",
}

LATEST = 8
"""Entries that the desk shows of what happened."""


def present_desk(hall: Hall, lang: str, at: str) -> dict[str, Any]:
    """Return the desk as its templates need it.

    Args:
        hall: in which is acted.
        lang: language of the texts.
        at: one of `PLACES`; "" for the one that is due.
    """
    now = seen(hall)
    view, tournament = head_view(hall, now, lang), now.tournament
    at = at or _USUAL[view["phase"]]
    view |= {"at": at, "places": PLACES} | incidents_view(hall.incidents(), lang)
    view["latest"] = latest_view(hall.history(LATEST), lang)
    if tournament is None or tournament.is_over:
        view["opening"] = _opening(lang)
    if tournament is None:
        return view | {"shape": "none"}
    shown = _PARTS[at](hall, tournament, lang)
    last = tournament.round
    attempt = 0 if last is None else last.attempt
    counted: tuple[int, ...] = (len(tournament.state.entrants), len(tournament.state.rounds))
    counted = (*counted, attempt, len(tournament.state.playoffs), len(shown.get("others", ())))
    shape = "-".join(map(str, (at, view["phase"], *counted)))
    return view | {"shape": shape} | shown


def _opening(lang: str) -> dict[str, Any]:
    formats = [
        {"key": one.key, "title": one.title_en if lang == "en" else one.title_de}
        for one in all_formats()
    ]
    return {"formats": formats, "books": [_book(one, lang) for one in all_books()]}


def _book(one: RuleBook, lang: str) -> dict[str, str]:
    return {"key": one.key, "title": one.title_en if lang == "en" else one.title_de}


def _players(hall: Hall, tournament: Tournament, lang: str) -> dict[str, Any]:
    made = tournament.format
    aus = {row.player: row for row in schock_aus_kings(tournament.state)}
    rows = []
    for at, one in enumerate(tournament.state.entrants.values()):
        row = aus.get(one.name)
        rows.append(
            {
                "id": at,
                "player": one.name,
                "team": one.team,
                "here": one.here,
                "owes": max(0, made.entry_fee_eur - one.paid_eur),
                "paid": one.paid_eur,
                "charity": one.charity_eur,
                "aus": 0 if row is None else row.schock_aus,
                "aus_open": 0 if row is None else row.open_eur,
                "version": f"{one.paid_eur}-{one.charity_eur}-{one.gone_in_round}-{row}",
                "back": "" if one.here else _come_back(one, lang),
            }
        )
    trial = {"type": "register", "player": _unused(tournament), "team": ""}
    return {
        "players": rows,
        "fee": made.entry_fee_eur,
        "king_eur": made.king_eur,
        "has_teams": made.has_teams,
        "no_registration": refusal_text(trial, lang),
        "paid_sum": sum(one.paid_eur for one in tournament.state.entrants.values()),
        "charity_sum": sum(one.charity_eur for one in tournament.state.entrants.values()),
    }


def _come_back(one: Entrant, lang: str) -> str:
    return refusal_text({"type": "come_back", "player": one.name}, lang)


def _unused(tournament: Tournament) -> str:
    """A name that nobody has, to ask whether anybody can register."""
    name = "?"
    while name in tournament.state.entrants:
        name += "?"
    return name


def _round(hall: Hall, tournament: Tournament, lang: str) -> dict[str, Any]:
    last = tournament.round
    waiting = last is not None and bool(last.waiting)
    redraw = draw_refusal(tournament, lang, redraw=True) if waiting else ""
    can_redraw = waiting and not redraw
    entrants = tournament.state.entrants
    return {
        "draw": [] if last is None else draw_view(last, hall.tables(), lang),
        "sitting_out": last.sitting_out if last is not None and waiting else (),
        "draw_id": draw_id(last),
        "waiting": last.waiting if last is not None else (),
        "at_tables": devices_view(hall, last, lang),
        "no_draw": draw_refusal(tournament, lang, redraw=False),
        "can_redraw": can_redraw,
        "no_redraw": redraw,
        "no_clock": refusal_text({"type": CLOCK}, lang),
        "pot": [
            (list(entrants).index(name), name) for name in _field(tournament, redraw=can_redraw)
        ],
        "seatable": _seatable(tournament),
    }


def _field(tournament: Tournament, *, redraw: bool) -> tuple[str, ...]:
    """Who plays the round that can be drawn now; nobody where none can."""
    try:
        return due_round(tournament.state, redraw=redraw).players
    except Refused:
        return ()


def _seatable(tournament: Tournament) -> list[str]:
    """Who may be seated at a table that plays: everybody here, those without a table first."""
    last = tournament.round
    if last is None or not last.waiting:
        return []
    return sorted(tournament.state.here, key=lambda name: last.table_of(name) > 0)


def _cards(hall: Hall, tournament: Tournament, lang: str) -> dict[str, Any]:
    last = tournament.round
    earlier = [
        {
            "number": one.number,
            "tables": [number for number, seats in enumerate(one.tables, start=1) if seats],
        }
        for one in reversed(tournament.state.rounds[:-1])
    ]
    statuses = hall.tables()
    tables = [] if last is None else draw_view(last, statuses, lang)
    others = [live_view(status, lang) for status in statuses if not status.number]
    shown = {"draw": tables, "earlier": earlier, "others": others}
    return shown | {"draw_id": draw_id(last), "time_up": time_up_view(last, statuses, lang)}


def _end(hall: Hall, tournament: Tournament, lang: str) -> dict[str, Any]:
    number = 0 if tournament.round is None else tournament.round.number
    played = {
        (one.table, one.players): one
        for one in tournament.state.playoffs
        if one.round == number and not tournament.is_over
    }
    return {
        "needed": tournament.stechen_needed,
        "played": list(played.values()),
        "no_finish": refusal_text({"type": "finish", "by": "?", "reason": ""}, lang),
        "over": tournament.is_over,
        "standings": standings_view(tournament, lang),
    }


_PARTS = {"players": _players, "round": _round, "cards": _cards, "end": _end}
