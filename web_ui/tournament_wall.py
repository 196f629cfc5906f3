"""What the wall shows, and when: pages of large type, turned by the screen itself."""

from collections.abc import Sequence
from typing import Any, TypeVar

from rules.tournament import Tournament
from rules.tournament_honours import prizes, schock_aus_kings
from web_ui.i18n import text
from web_ui.tournament_ports import Hall
from web_ui.tournament_results import prize_text
from web_ui.tournament_view import draw_view, head_view, seen, standings_view

SHOWN = ("registration", "draw", "tables", "standings")
"""What a screen can be held at by ?show=; without it the wall shows what is on."""

DRAW_SHOWN_S = 180.0
"""How long after a draw, or until the clock is started, everybody looks for his table."""

TABLES_A_PAGE, LARGE_TABLES_A_PAGE = 12, 8
"""Of up to four players, and of more, or where a line below the tables takes the room of some."""

USUAL_SEATS = 4
WIDE_NAME = 17
"""From so many letters on a name is set in the narrow face."""

NAMES_A_PAGE = 48
PLACES_A_PAGE = 10

_Item = TypeVar("_Item")


def present_tournament_wall(hall: Hall, lang: str, show: str) -> dict[str, Any]:
    """Return the wall as its templates need it.

    Args:
        hall: what is shown.
        lang: language of the texts.
        show: one of `SHOWN`, or "" for what is on.
    """
    at = seen(hall)
    view, tournament = head_view(hall, at, lang), at.tournament
    if tournament is None:
        return view | {"shown": "none", "pages": []}
    shown = _possible(show, tournament) or _due(view)
    return view | {"shown": shown, "wide": WIDE_NAME, **_SHOW[shown](hall, tournament, lang)}


def _possible(show: str, tournament: Tournament) -> str:
    return "" if show in ("draw", "tables") and tournament.round is None else show


def _due(view: dict[str, Any]) -> str:
    phase: str = view["phase"]
    if phase != "playing":
        return {"between": "standings", "stechen": "standings"}.get(phase, phase)
    clock, one = view["clock"], view["round"]
    fresh = clock is not None and not clock["started"] and clock["drawn_ago_s"] < DRAW_SHOWN_S
    return "draw" if fresh and not one.handed else "tables"


def _registration(hall: Hall, tournament: Tournament, lang: str) -> dict[str, Any]:
    made, entrants = tournament.format, tournament.state.entrants
    names = [
        {
            "player": one.name,
            "team": one.team,
            "owes": max(0, made.entry_fee_eur - one.paid_eur),
            "here": one.here,
        }
        for one in entrants.values()
    ]
    fee = text(lang, "hall.fee", eur=made.entry_fee_eur) if made.entry_fee_eur else ""
    return {"pages": paged(names, NAMES_A_PAGE), "fee": fee}


def _tables(hall: Hall, tournament: Tournament, lang: str) -> dict[str, Any]:
    last = tournament.round
    if last is None:
        return {"pages": [], "sitting_out": ()}
    tables = draw_view(last, hall.tables(), lang)
    is_large = bool(last.sitting_out) or any(len(t["players"]) > USUAL_SEATS for t in tables)
    pages = paged(tables, LARGE_TABLES_A_PAGE if is_large else TABLES_A_PAGE)
    return {"pages": pages, "sitting_out": last.sitting_out, "is_large": is_large}


def _standings(hall: Hall, tournament: Tournament, lang: str) -> dict[str, Any]:
    kings = [row for row in schock_aus_kings(tournament.state) if row.place == 1]
    return {
        "pages": paged(standings_view(tournament, lang), PLACES_A_PAGE),
        "kings": [{"player": row.player, "count": row.schock_aus} for row in kings],
    }


def _over(hall: Hall, tournament: Tournament, lang: str) -> dict[str, Any]:
    won = {(one.player, one.place): prize_text(one, lang) for one in prizes(tournament.state)}
    rows = standings_view(tournament, lang)
    for row in rows:
        row["prize"] = won.get((row["player"], row["place"]), "")
    view = _standings(hall, tournament, lang)
    for king in view["kings"]:
        king["prize"] = won.get((king["player"], 0), "")
    return view | {"pages": paged(rows, PLACES_A_PAGE), "ended": tournament.state.ended_early}


_SHOW = {
    "registration": _registration,
    "draw": _tables,
    "tables": _tables,
    "standings": _standings,
    "over": _over,
}


def paged(items: Sequence[_Item], most: int) -> list[Sequence[_Item]]:
    """Divide items into pages of about the same length, each of at most so many."""
    count = -(-len(items) // most)
    size = -(-len(items) // count) if count else 0
    return [items[at : at + size] for at in range(0, len(items), size)] if size else []
