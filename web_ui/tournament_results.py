"""The final ranking as rows: for the page, the CSV file and the printed sheet."""

import csv
import io
from typing import Any

from rules.tournament import Tournament
from rules.tournament_honours import Prize, prizes, schock_aus_kings
from rules.tournament_points import RoundScore, points_of
from web_ui.i18n import text
from web_ui.tournament_context import standings_of

CENTS = 100
NOT_YET = "…"

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet takes a cell that begins so for a formula; some also the wide = + - and @."""


def prize_text(one: Prize, lang: str) -> str:
    """Say what somebody gets; "" for what is announced in the hall."""
    said = [f"{euros(one.cents, lang)} €"] if one.cents else []
    said += [text(lang, "hall.prize.cup")] if one.cup else []
    return ", ".join(said) or text(lang, "hall.prize.kind")


def euros(cents: int, lang: str) -> str:
    """Return an amount as people of this language write it."""
    if cents % CENTS == 0:
        return str(cents // CENTS)
    written = f"{cents / CENTS:.2f}"
    return written if lang == "en" else written.replace(".", ",")


def results_of(tournament: Tournament, lang: str) -> dict[str, Any]:
    """Return the ranking with what each player has of every round, and the honours.

    Args:
        tournament: may still be under way.
        lang: language of the texts.
    """
    state = tournament.state
    points = points_of(state)
    won = {(one.player, one.place): prize_text(one, lang) for one in prizes(state)}
    rows: list[dict[str, Any]] = [
        {
            "place": one.place,
            "player": one.player,
            "team": one.team,
            "points": one.score.points,
            "rounds": [round_cell(score, lang) for score in points[one.player].rounds],
            "lost_games": one.score.lost_games,
            "lost_halves": one.score.lost_halves,
            "why": one.reason_en if lang == "en" else one.reason_de,
            "prize": won.get((one.player, one.place), "") if tournament.is_over else "",
        }
        for one in standings_of(tournament)
    ]
    kings = [
        {
            "place": row.place,
            "player": row.player,
            "count": row.schock_aus,
            "open": row.open_eur,
            "prize": won.get((row.player, 0), "") if tournament.is_over else "",
        }
        for row in schock_aus_kings(state)
    ]
    return {
        "rows": rows,
        "rounds": [one.number for one in state.point_rounds],
        "kings": kings,
        "has_teams": tournament.format.has_teams,
        "struck": any("*" in cell for row in rows for cell in row["rounds"]),
    }


def round_cell(one: RoundScore, lang: str) -> str:
    """Return what a player has from a round, with a star where it is struck out."""
    star = "*" if one.struck else ""
    if one.how in ("sat_out", "missed"):
        return text(lang, f"hall.round.how.{one.how}", n=one.score.points) + star
    return NOT_YET if one.how == "waiting" else f"{one.score.points}{star}"


def results_csv(tournament: Tournament, lang: str) -> str:
    """Return the ranking as CSV (RFC 4180, with the byte order mark that Excel asks for)."""
    found = results_of(tournament, lang)
    head = ["place", "player", "team", "points"]
    columns = [text(lang, f"hall.column.{name}") for name in head]
    columns += [text(lang, "hall.column.round", n=number) for number in found["rounds"]]
    tail = ["lost_games", "lost_halves", "aus", "why", "prize"]
    columns += [text(lang, f"hall.column.{name}") for name in tail]
    aus = {row["player"]: row["count"] for row in found["kings"]}
    kept = io.StringIO()
    writer = csv.writer(kept, delimiter=";" if lang == "de" else ",", lineterminator="\r\n")
    writer.writerow(columns)
    for row in found["rows"]:
        cells = [row["place"], row["player"], row["team"], row["points"], *row["rounds"]]
        cells += [row["lost_games"], row["lost_halves"], aus.get(row["player"], 0)]
        writer.writerow([safe(cell) for cell in (*cells, row["why"], row["prize"])])
    return "\ufeff" + kept.getvalue()


def safe(cell: object) -> object:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    is_formula = isinstance(cell, str) and cell.startswith(FORMULA_STARTS)
    return f"'{cell}" if is_formula and not _is_number(str(cell)) else cell


def _is_number(cell: str) -> bool:
    return cell.removeprefix("-").isdecimal()
