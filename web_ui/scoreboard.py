"""Turns the state into what the templates draw: texts chosen, dice sorted out, nothing decided.

Input is a `Board`, output plain dictionaries, so that the templates stay free of logic.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from web_ui.announcing import rulings_of
from web_ui.asking import case_view, question_view, waiting_text
from web_ui.evening import CALENDAR_FROM_S
from web_ui.i18n import counted, text
from web_ui.ports import LogEntry
from web_ui.projection import Board
from web_ui.sentences import describe
from web_ui.wording import burns_text, deckel, dice_of, in_language, spoken

PARTS = ("opening", "half1", "half2", "final")

Json = Mapping[str, Any]


def present(board: Board, lang: str) -> dict[str, Any]:
    """Return the whole page as the templates need it."""
    match = board.match or {}
    return {
        "seq": board.seq,
        "part": match.get("part"),
        "steps": _steps(match, lang),
        "round_text": _round_text(match, lang),
        "turn": _turn(match, board, lang),
        "verdict": _verdict(match, lang),
        "players": _players(match, lang),
        "stock": match.get("stock", 0),
        "total": match.get("total", 0),
        "stock_text": counted(lang, "deckel", match.get("stock", 0)),
        "ranking": _ranking(match, lang),
        "questions": [question_view(question, match, lang) for question in board.questions],
        "waiting_text": waiting_text(board, lang),
        "cases": [case_view(case, lang) for case in board.cases],
        "faults": _faults(board, lang),
        "paused": bool(match.get("paused")),
        "lines": [_line(entry, lang) for entry in board.entries],
        "rulings": rulings_of(board, lang),
    }


def _steps(match: Json, lang: str) -> list[dict[str, str]]:
    """The parts of a game, each done, now or ahead; a final that is not played stays ahead."""
    part = match.get("part")
    if part == "over" and match["game"]["abandoned"]:
        lost = [match["game"][f"{half}_loser"] for half in ("half1", "half2")]
        done, now = 1 + sum(loser is not None for loser in lost), None
    elif part == "over":
        done, now = (3 if match["game"]["sweep"] else 4), None
    else:
        done = PARTS.index(part) if part in PARTS else 0
        now = part
    return [
        {
            "name": text(lang, f"part.{name}"),
            "state": "done" if index < done else "now" if name == now else "ahead",
        }
        for index, name in enumerate(PARTS)
    ]


def _round_text(match: Json, lang: str) -> str:
    if match.get("part") not in ("half1", "half2", "final"):
        return ""
    return text(lang, "round", n=match["round"])


def _turn(match: Json, board: Board, lang: str) -> dict[str, Any] | None:
    turn = match.get("turn")
    if turn is None:
        return None
    most = turn["limit"] or turn["max_throws"]
    throws = turn["throws"]
    said = turn["said"]
    burnt = board.burnt if board.burnt and board.burnt["player"] == turn["player"] else None
    return {
        "player": turn["player"],
        "throws_text": counted(lang, "turn.throws", throws, most=most),
        "pips": ["used"] * throws + ["free"] * max(0, most - throws),
        "inside": () if turn.get("covered") else dice_of(turn["lying"]),
        "outside": dice_of(turn["outside"]),
        "mood": _mood(turn, said),
        "hint": _burnt_hint(burnt, lang) if burnt else _turn_hint(match, most, lang),
        "spoken": spoken(lang, said) if said else "",
    }


def _burnt_hint(burnt: Json, lang: str) -> str:
    return text(lang, "turn.burnt", why=burns_text(lang, burnt), section=burnt["section"])


def _turn_hint(match: Json, most: int, lang: str) -> str:
    turn = match["turn"]
    if turn.get("covered"):
        return text(lang, "turn.covered")
    if turn["turn_pending"]:
        return text(lang, "turn.must_throw")
    if match["part"] == "opening":
        return text(lang, "turn.opening")
    if match["actions"]["turn"]["allowed"]:
        return text(lang, "turn.sixes")
    if turn["throws"] == most - 1 and most > 1:
        return text(lang, "turn.last")
    return ""


def _mood(turn: Json, said: Json | None) -> str:
    if said and said["category"] == "schock_aus":
        return "celebration"
    return "pending" if turn["turn_pending"] else "running"


def _verdict(match: Json, lang: str) -> dict[str, str]:
    """What stands in the place of the turn when it is nobody's."""
    loser = match.get("game", {}).get("game_loser")
    if match.get("game", {}).get("abandoned"):
        keys = {"title": "verdict.over", "name": "verdict.abandoned", "text": "verdict.nobody"}
        return {place: text(lang, key) for place, key in keys.items()}
    if loser is None:
        return {
            "title": text(lang, "verdict.pause"),
            "name": text(lang, "verdict.next"),
            "text": "",
        }
    sweep = match["game"].get("sweep")
    said = text(lang, "verdict.sweep", sweep=sweep) if sweep else text(lang, "verdict.lost")
    return {"title": text(lang, "verdict.over"), "name": loser, "text": said}


def _players(match: Json, lang: str) -> list[dict[str, Any]]:
    turn = match.get("turn") or {}
    rows = []
    for name in match.get("players", ()):
        count = match["holdings"].get(name, 0)
        plays = match["part"] == "over" or name in match["members"]
        rows.append(
            {
                "name": name,
                "deckel": count,
                "deckel_text": counted(lang, "deckel", count),
                "turn": turn.get("player") == name,
                "state": "in" if plays and name not in match["out"] else "out",
                "badges": _badges(match, name, lang),
            }
        )
    return rows


def _badges(match: Json, name: str, lang: str) -> list[dict[str, str]]:
    game = match.get("game", {})
    kinds = []
    if name == match.get("markers", {}).get("half1") or name == game.get("half1_loser"):
        kinds.append("half1")
    if name == game.get("half2_loser"):
        kinds.append("half2")
    if name in match.get("covered", ()):
        kinds.append("covered")
    if name == game.get("game_loser"):
        kinds.append("game")
    elif name in match["out"]:
        kinds.append("out")
    return [
        {
            "kind": kind,
            "text": text(lang, f"badge.{kind}"),
            "title": text(lang, f"badge.{kind}.title"),
        }
        for kind in kinds
    ]


def _ranking(match: Json, lang: str) -> dict[str, Any]:
    """The results of this round, or those of the last one until somebody has thrown."""
    results: Sequence[Json] = match.get("ranking") or ()
    settled = None
    if not results and match.get("history"):
        settled = match["history"][-1]
        results = settled["order"]
    rows = [_result(result, lang) for result in results]
    if len(rows) > 1:
        rows[0]["role"], rows[-1]["role"] = "top", "bottom"
    elif rows:
        rows[0]["role"] = "top"
    return {
        "title": text(lang, "ranking.last" if settled else "ranking.round"),
        "rows": rows,
        "stakes": _stakes(results, settled, lang),
    }


def _result(result: Json, lang: str) -> dict[str, Any]:
    worth = result["deckel"]
    return {
        "place": result["place"],
        "player": result["player"],
        "dice": dice_of(result["dice"]),
        "spoken": spoken(lang, result),
        "worth": text(lang, "worth.all") if isinstance(worth, str) else worth or "",
        "role": "",
    }


def _stakes(results: Sequence[Json], settled: Json | None, lang: str) -> str:
    if settled is not None:
        if settled["loser"] is None or not settled["deckel"]:
            return ""
        return text(
            lang,
            "ranking.ruled" if settled["ruled"] else "ranking.settled",
            loser=settled["loser"],
            winner=settled["winner"],
            deckel=deckel(lang, settled["deckel"]),
        )
    if not results:
        return text(lang, "ranking.none")
    best, worst = results[0], results[-1]
    price = deckel(lang, best["deckel"])
    if len(results) == 1:
        return text(lang, "ranking.leads", winner=best["player"], deckel=price)
    return text(lang, "ranking.between", winner=best["player"], loser=worst["player"], deckel=price)


def _faults(board: Board, lang: str) -> list[dict[str, str]]:
    faults = []
    for fault in board.faults:
        what = str(fault.get("what", ""))
        said = in_language(lang, fault) if f"text_{lang}" in fault else what
        faults.append({"what": what, "text": said})
    if board.broken is not None:
        said = text(lang, "fault.replay", **board.broken)
        faults.append({"what": "replay", "text": said})
    return faults


def _line(entry: LogEntry, lang: str) -> dict[str, Any]:
    sentence = describe(lang, entry.type, entry.data)
    return {
        "seq": entry.seq,
        "time": clock(entry.at_s),
        "text": sentence.text,
        "kind": sentence.kind,
        "dice": sentence.dice,
    }


def clock(at_s: float) -> str:
    """Return the time of an entry: hour and minute, or minutes and seconds of a clip."""
    if at_s >= CALENDAR_FROM_S:
        return time.strftime("%H:%M", time.localtime(at_s))
    minutes, seconds = divmod(max(0, int(at_s)), 60)
    return f"{minutes}:{seconds:02d}"
