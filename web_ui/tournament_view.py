"""What the overview shows: where the tournament is, who sits where, how it stands and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.errors import Refused
from rules.sheet import Chapter
from rules.tournament import Tournament
from rules.tournament_drawing import due_round
from rules.tournament_honours import schock_aus_kings, team_standings
from rules.tournament_sheet import format_chapters
from rules.tournament_state import Round
from web_ui.errors import ActionRefused
from web_ui.i18n import counted, text
from web_ui.tournament_clock import clock_view, shown
from web_ui.tournament_context import standings_of
from web_ui.tournament_ports import Hall, TableStatus
from web_ui.tournament_rounds import cards_of

PHASES = ("none", "registration", "playing", "between", "stechen", "over")


def phase_of(tournament: Tournament | None) -> str:
    """Tell where a tournament is, one of `PHASES`."""
    if tournament is None:
        return "none"
    if tournament.is_over:
        return "over"
    last = tournament.round
    if last is None:
        return "registration"
    if last.waiting:
        return "playing"
    return "stechen" if tournament.stechen_needed else "between"


def said(one: Refused | ActionRefused, lang: str) -> str:
    """Return a refusal's sentence in a language."""
    return one.text_en if lang == "en" else one.text_de


def draw_refusal(tournament: Tournament, lang: str, *, redraw: bool) -> str:
    """Say why no round can be drawn now, or ""; nothing is drawn for that."""
    try:
        due_round(tournament.state, redraw=redraw)
    except Refused as refused:
        return said(refused, lang)
    return ""


@dataclass(frozen=True)
class Seen:
    """A tournament at one moment, which all of a page is about.

    Attributes:
        seq: number of the newest entry of the hall's log then, or of one shortly before.
        tournament: None before the first.
    """

    seq: int
    tournament: Tournament | None


def seen(hall: Hall) -> Seen:
    """Look at the tournament; the number first: a page may be newer than it says, never older."""
    seq = hall.seq
    return Seen(seq, hall.tournament())


def head_view(hall: Hall, at: Seen, lang: str) -> dict[str, Any]:
    """Return what every page of a tournament says: its name, where it is, how long still."""
    seq, tournament = at.seq, at.tournament
    phase = phase_of(tournament)
    view: dict[str, Any] = {"seq": seq, "phase": phase, "name": "", "round": None, "clock": None}
    view["phase_text"] = text(lang, f"hall.phase.{phase}")
    if tournament is None:
        return view
    made, last = tournament.format, tournament.round
    view["name"] = tournament.state.name
    view["format"] = made.title_en if lang == "en" else made.title_de
    view["count"] = counted(lang, "hall.players", len(tournament.state.here))
    if last is not None:
        view["round"] = last
        view["round_text"] = round_text(last, lang)
        if phase == "playing":
            view["clock"] = clock_view(hall.clock(), last, made, lang)
            waiting = counted(lang, "hall.waiting", len(last.waiting))
            view["phase_text"] = f"{view['round_text']} · {waiting}"
    if phase == "stechen":
        view["stechen"] = [
            text(lang, "hall.stechen", names=", ".join(one.players))
            for one in tournament.stechen_needed
        ]
    return view


def round_text(one: Round, lang: str) -> str:
    """Return what a round is called."""
    return text(lang, f"hall.round.{one.kind}", n=one.number)


def present_overview(hall: Hall, lang: str, asked: str) -> dict[str, Any]:
    """Return the overview as its templates need it.

    Args:
        hall: what is shown.
        lang: language of the texts.
        asked: a part of the name of whom somebody looks for; "" for nobody.
    """
    at = seen(hall)
    view, tournament = head_view(hall, at, lang) | {"asked": asked}, at.tournament
    if tournament is None:
        return view
    tables = hall.tables()
    last = tournament.round
    return view | {
        "found": _found(tournament, asked, lang) if asked else [],
        "draw": [] if last is None else draw_view(last, tables, lang),
        "sitting_out": () if last is None or not last.waiting else last.sitting_out,
        "entrants": list(tournament.state.entrants.values()),
        "standings": standings_view(tournament, lang),
        "rounds": [
            {"number": one.number, "text": round_text(one, lang)}
            for one in tournament.state.rounds
            if one.handed
        ],
        "teams": team_view(tournament, lang),
        "kings": schock_aus_kings(tournament.state),
    }


def standings_view(tournament: Tournament, lang: str) -> list[dict[str, Any]]:
    """Return the standings, a row for each player with the reason of his place."""
    return [
        {
            "place": one.place,
            "player": one.player,
            "team": one.team,
            "here": one.here,
            "points": one.score.points,
            "why": one.reason_en if lang == "en" else one.reason_de,
        }
        for one in standings_of(tournament)
    ]


def team_view(tournament: Tournament, lang: str) -> list[dict[str, Any]]:
    """Return the places of the teams; none where there are no teams."""
    return [
        {
            "place": one.place,
            "team": one.team,
            "players": ", ".join(one.players),
            "points": one.points,
            "why": one.reason_en if lang == "en" else one.reason_de,
        }
        for one in team_standings(tournament.state)
    ]


def draw_view(one: Round, tables: Sequence[TableStatus], lang: str) -> list[dict[str, Any]]:
    """Return the tables of a round: who sits there, and what is known of it now."""
    live = {status.number: status for status in tables if status.number}
    return [
        {
            "number": number,
            "players": seats,
            "done": number in one.handed,
            "scharf": number in one.scharf,
            "live": live_view(live.get(number), lang),
        }
        for number, seats in enumerate(one.tables, start=1)
        if seats
    ]


def live_view(status: TableStatus | None, lang: str) -> dict[str, Any] | None:
    """Return what a table's device tells; None where no device stands."""
    if status is None or not status.name:
        return None
    thrown = status.last_throw
    return {
        "name": status.name,
        "away": "" if status.online else _away(status, lang),
        "turn": status.turn,
        "player": "" if thrown is None else thrown.player,
        "dice": () if thrown is None else thrown.dice,
        "throw": "" if thrown is None else thrown.text_en if lang == "en" else thrown.text_de,
        "games": counted(lang, "hall.games", status.games_done),
        "behind": counted(lang, "hall.behind", status.behind) if status.behind else "",
        "faults": [pair[lang == "en"] for pair in status.faults],
        "url": status.url,
        "source": status.source,
    }


def _away(status: TableStatus, lang: str) -> str:
    if status.last_seen_s is None:
        return text(lang, "hall.away")
    return text(lang, "hall.away.since", time=shown(status.last_seen_s))


def round_view(one: Round, lang: str) -> dict[str, Any]:
    """Return the results of a round."""
    return {"number": one.number, "text": round_text(one, lang), "tables": cards_of(one, lang)}


def _found(tournament: Tournament, asked: str, lang: str) -> list[dict[str, Any]]:
    """Everybody whose name has what is asked for, with his table and his place."""
    places = {one.player: one.place for one in standings_of(tournament)}
    last = tournament.round
    found = []
    for name in tournament.state.entrants:
        if asked.casefold() not in name.casefold():
            continue
        table = 0 if last is None else last.table_of(name)
        with_him = () if not table or last is None else last.tables[table - 1]
        found.append(
            {
                "player": name,
                "table": table if last is not None and table in last.waiting else 0,
                "with": [other for other in with_him if other != name],
                "out": last is not None and bool(last.waiting) and name in last.sitting_out,
                "place": places.get(name, 0),
            }
        )
    return found


def sheet_view(tournament: Tournament, lang: str) -> list[Chapter]:
    """Return the sheet of the format, chapter by chapter."""
    chapters = format_chapters(tournament.format, "en" if lang == "en" else "de")
    return [one for one in chapters if one.rows]
