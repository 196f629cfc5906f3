"""What the wall screen shows: the scoreboard's view, arranged for people five metres away."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from web_ui.calls import calls_of
from web_ui.evening import (
    CALENDAR_FROM_S,
    Standing,
    evening_of,
    games_of_evening,
    standings,
)
from web_ui.i18n import counted, text
from web_ui.projection import Board
from web_ui.scoreboard import clock, present
from web_ui.wording import dice_of, figure

Json = Mapping[str, Any]

RESTS_AFTER_S = 20 * 60.0
"""A game in which nothing has happened for so long is nobody's any more: the screen rests."""

HISTORY_ROUNDS = 6
LOSERS_NAMED = 3
NOTICES_SHOWN = 3

FITS = ((9, "short"), (14, "middle"), (22, "long"))
"""Widest name, in characters, of each size of type; wider ones are `longest`."""

SAID_FITS = ((22, "short"), (29, "middle"), (35, "long"))
"""The same for what is said of a throw, from "Schock Fünf im Ersten" to a Straße with all words."""


def present_wall(board: Board, lang: str, now_s: float) -> dict[str, Any]:
    """Return the wall screen as its templates need it.

    Args:
        board: the state.
        lang: language of the texts.
        now_s: the time, seconds since 1970.

    Returns:
        `scoreboard.present`, with `mode` (`play`; `over` after a game; `idle` before one, or when
        the table has been left alone), and what only this screen has.
    """
    match = board.match or {}
    view = present(board, lang)
    mode = _mode(match, board.at_s, now_s)
    if view["turn"]:
        turn = view["turn"]
        turn["fit"] = name_fit(turn["player"])
        turn["said_fit"] = said_fit(turn["spoken"])
        used, most = match["turn"]["throws"], len(turn["pips"])
        turn["throws_short"] = text(lang, "wall.throws", n=used, most=most)
    view["verdict"]["fit"] = name_fit(view["verdict"]["name"])
    for player in view["players"]:
        player["fit"] = name_fit(player["name"])
        player["cup"] = _cup(match, player["name"])
        player["dice"] = _dice(match, player["name"])
    return view | {
        "mode": mode,
        "resting": _resting(match, board.at_s, lang) if match and mode == "idle" else "",
        "ends": _ends(view["ranking"]["rows"]),
        "notices": _notices(view, lang),
        "rounds": _rounds(match, lang),
        "evening": _evening(board, lang, now_s),
        "calls": calls_of(board, lang),
    }


def name_fit(name: str) -> str:
    """Return which size of type a name takes; wide characters count twice."""
    return _fit(name, FITS)


def said_fit(words: str) -> str:
    """Return which size of type the words for a throw take."""
    return _fit(words, SAID_FITS)


def _fit(words: str, fits: tuple[tuple[int, str], ...]) -> str:
    width = sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in words)
    return next((fit for widest, fit in fits if width <= widest), "longest")


def _mode(match: Json, at_s: float, now_s: float) -> str:
    if not match:
        return "idle"
    if match["part"] == "over":
        return "over"
    return "idle" if at_s >= CALENDAR_FROM_S and now_s - at_s > RESTS_AFTER_S else "play"


def _resting(match: Json, at_s: float, lang: str) -> str:
    turn = match["turn"]
    if turn is None:
        return text(lang, "wall.resting", time=clock(at_s))
    return text(lang, "wall.resting.turn", time=clock(at_s), player=turn["player"])


def _cup(match: Json, name: str) -> str:
    """How a player's cup stands: `covered`, `open`, `turn` (his hand is on it), `out`, `waits`."""
    turn = match.get("turn") or {}
    if name in match["covered"] or (turn.get("covered") and turn["player"] == name):
        return "covered"
    if turn.get("player") == name:
        return "turn"
    if any(result["player"] == name for result in match["ranking"]):
        return "open"
    plays = name in match["members"] and name not in match["out"]
    return "waits" if plays else "out"


def _dice(match: Json, name: str) -> tuple[int, ...]:
    results = (r for r in match["ranking"] if r["player"] == name)
    return next((dice_of(result["dice"]) for result in results), ())


def _ends(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The highest and the lowest result of the round."""
    return [row | {"fit": name_fit(row["player"])} for row in rows if row["role"]]


def _notices(view: Json, lang: str) -> list[dict[str, str]]:
    """What is not settled, in one line each; the most urgent first, the rest as a number."""
    said = [("fault", f"{text(lang, 'fault.title')} {fault['text']}") for fault in view["faults"]]
    said += [("pause", text(lang, "paused"))] if view["paused"] else []
    said += [("ask", text(lang, "wall.asked", what=q["title"])) for q in view["questions"]]
    said += [("ask", text(lang, "wall.case", what=case["text"])) for case in view["cases"]]
    said += [("ask", view["waiting_text"])] if view["waiting_text"] else []
    shown = [{"kind": kind, "text": words} for kind, words in said[:NOTICES_SHOWN]]
    if more := len(said) - len(shown):
        shown[-1]["more"] = counted(lang, "wall.more", more)
    return shown


def _rounds(match: Json, lang: str) -> list[dict[str, Any]]:
    """The settled rounds of this part, newest first; the opening belongs to the first half."""
    part = match.get("part")
    parts = ("opening", "half1") if part == "half1" else (part,)
    settled = [entry for entry in match.get("history", ()) if entry["part"] in parts]
    return [_round(entry, lang) for entry in reversed(settled[-HISTORY_ROUNDS:])]


def _round(entry: Json, lang: str) -> dict[str, Any]:
    opening = entry["part"] == "opening"
    best = next((r for r in entry["order"] if r["player"] == entry["winner"]), None)
    worth = entry["deckel"]
    if isinstance(worth, str):
        moved = text(lang, "worth.all")
    else:
        moved = f"+{worth}" if entry["loser"] and worth else ""
    return {
        "label": text(lang, "part.opening") if opening else text(lang, "round", n=entry["round"]),
        "loser": entry["loser"] or "",
        "moved": moved,
        "by": f"{best['player']}, {figure(lang, best)}" if best else "",
    }


def _evening(board: Board, lang: str, now_s: float) -> dict[str, Any]:
    games = games_of_evening(board.games, board.at_s)
    rows = standings(games)
    ended = sum(game.over for game in games)
    tonight = evening_of(board.at_s) in (None, evening_of(now_s))
    return {
        "title": text(lang, "evening.tonight" if tonight else "evening.last"),
        "games": ended,
        "games_text": counted(lang, "evening.games", ended),
        "rows": [vars(row) | {"fit": name_fit(row.player)} for row in rows] if ended else [],
        "losers": _losers(rows, lang),
    }


def _losers(rows: tuple[Standing, ...], lang: str) -> str:
    losers = sorted((row for row in rows if row.lost), key=lambda row: -row.lost)
    if not losers:
        return ""
    named = " · ".join(f"{row.player} {row.lost}" for row in losers[:LOSERS_NAMED])
    return text(lang, "evening.losers", losers=named)
