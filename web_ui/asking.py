"""What the page asks of people: the questions to the table and the cases for the referee."""

from collections.abc import Mapping
from typing import Any

from web_ui.evidence import is_picture_name
from web_ui.i18n import counted, text
from web_ui.ports import VERDICTS
from web_ui.projection import Board
from web_ui.wording import dice_of

Json = Mapping[str, Any]

USUAL_VERDICTS = ("burning", "no_throw")
"""Verdicts of a question that does not say which it takes."""


def question_view(question: Json, match: Json, lang: str) -> dict[str, Any]:
    """A question with as many dice as must have been thrown; 0 is one the camera did not see."""
    player = question.get("player")
    turn = match.get("turn") or {}
    outside = dice_of(question.get("outside")) or dice_of(turn.get("outside"))
    thrown = max(1, 3 - len(outside))
    asked_for = question.get("candidates")
    candidates = [dice_of(c) for c in asked_for] if isinstance(asked_for, list | tuple) else []
    candidates = list(dict.fromkeys(c for c in candidates if c))
    likely = dice_of(question.get("dice")) or next(iter(candidates), ())
    reason = question.get("reason_en") if lang == "en" else question.get("reason")
    offered = question.get("verdicts")
    offered = offered if isinstance(offered, list | tuple) else USUAL_VERDICTS
    unread = bool(question.get("unread"))
    return {
        "id": question["question_id"],
        "title": text(lang, "question.title", player=player)
        if player
        else text(lang, "question.title.nobody"),
        "reason": str(reason or text(lang, "question.reason")),
        "unread": text(lang, "question.unread") if unread else "",
        "dice": (*likely, 0, 0, 0)[: max(thrown, min(len(likely), 3))],
        "outside": outside,
        "candidates": candidates,
        "verdicts": [
            {"name": verdict, "text": text(lang, f"question.{verdict}")}
            for verdict in VERDICTS
            if verdict in offered and not (unread and verdict != "burning")
        ],
        "still": _still(question),
    }


def waiting_text(board: Board, lang: str) -> str:
    """How many throws wait for an answer; "" where none does."""
    count = len(board.waiting)
    return counted(lang, "question.waiting", count) if count else ""


def case_view(case: Json, lang: str) -> dict[str, Any]:
    """A case for the referee: what was seen, where the book speaks of it, and what follows."""
    said, penalty = case.get(f"text_{lang}"), case.get(f"penalty_{lang}")
    player, number = case.get("player", "?"), case.get("round", "?")
    return {
        "id": case["case_id"],
        "title": text(lang, "case.title", player=player, round=number),
        "text": str(said or case.get("kind", "")),
        "section": str(case.get("section", "")),
        "penalty": str(penalty or ""),
        "penalty_section": str(case.get("penalty_section", "")),
        "dice": dice_of(case.get("dice")),
        "outside": dice_of(case.get("outside")),
        "still": _still(case),
    }


def _still(asked: Json) -> str | None:
    name = str(asked.get("still") or "").replace("\\", "/").rpartition("/")[2]
    return name if is_picture_name(name) else None
