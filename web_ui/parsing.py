"""Parsing of what comes in: language, numbers, actions. Nothing here acts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from flask import current_app, request

from rules.actions import ACTION_TYPES, action_from_json
from rules.book import Weekday
from rules.errors import MalformedRecord
from web_ui.context import context
from web_ui.errors import RequestError
from web_ui.i18n import LANGUAGES
from web_ui.players import checked_players
from web_ui.ports import ANSWER, CLAIM, OWN_ACTIONS, REPEAT, RULE, RULINGS, START, VERDICTS
from web_ui.roles import LEAST_ROLE, REFEREE, TABLE, least_role

LONGEST_NAME = 60
"""Characters of a name in `by`; enough for first and family name."""

LONGEST_TEXT = 300
"""Characters of what somebody says for a claim or a ruling; a sentence or two."""

LONGEST_NUMBER = 15
"""Digits of a sequence number; more cannot be one, and int() takes its time on thousands."""


def language() -> str:
    """Return the language asked for by ?lang=, or the default where it is none of ours."""
    return one_of("lang", LANGUAGES, default=str(current_app.config["DEFAULT_LANGUAGE"]))


def one_of(name: str, allowed: Sequence[str], *, default: str) -> str:
    """Return what is asked for by ?name=, or the default where it is none of what is allowed."""
    asked = request.args.get(name, "")
    return asked if asked in allowed else default


def whole_number(name: str, raw: str | None, *, default: int) -> int:
    """Return a whole number from 0 out of a query or header.

    Raises:
        RequestError: 400, it is something else.
    """
    if raw is None or raw == "":
        return default
    if not (raw.isascii() and raw.isdigit() and len(raw) <= LONGEST_NUMBER):
        raise RequestError(400, "bad_number", name=name, found=raw[:40])
    return int(raw)


def least_of(body: dict[str, Any]) -> str:
    """Return the least role that may send this; of what is no action, whoever may send any."""
    kind = body.get("type")
    if kind == START and body.get("reason") is not None:
        return least_role("abandon")  # it ends the game under way
    known = isinstance(kind, str) and (kind in ACTION_TYPES or kind in OWN_ACTIONS)
    return least_role(str(kind)) if known else TABLE


def checked_action(body: dict[str, Any]) -> dict[str, Any]:
    """Return an action in its proper form; whether it is allowed now is not asked here.

    Raises:
        RequestError: 400, naming the value and what was expected.
    """
    kind = body.get("type")
    if isinstance(kind, str) and kind in _OWN:
        return _OWN[kind](body)
    if not isinstance(kind, str) or kind not in ACTION_TYPES:
        known = ", ".join([*OWN_ACTIONS, *ACTION_TYPES])
        raise RequestError(400, "unknown_action", found=kind, known=known)
    try:
        return action_from_json(body).to_json()
    except MalformedRecord as error:
        raise RequestError(400, "malformed_action", reason=str(error)) from error


def _checked_answer(body: dict[str, Any]) -> dict[str, Any]:
    question_id = body.get("question_id")
    if not isinstance(question_id, str | int) or isinstance(question_id, bool):
        raise RequestError(400, "bad_question_id", found=question_id)
    found = _verdict(body) if "verdict" in body else _dice(body)
    return {"type": ANSWER, "question_id": question_id, **found, "by": _by(body)}


def _checked_claim(body: dict[str, Any]) -> dict[str, Any]:
    said = _text(body, "text", needed=False)
    return {"type": CLAIM, "throw_id": _throw_id(body), "by": _by(body), "text": said}


def _checked_repeat(body: dict[str, Any]) -> dict[str, Any]:
    player = body.get("player")
    if not isinstance(player, str):
        raise RequestError(400, "bad_player", found=player)
    named = {"type": REPEAT, "player": player, "throw_id": _throw_id(body)}
    return {**named, "by": _by(body), "reason": _text(body, "reason", needed=True)}


def _checked_ruling(body: dict[str, Any]) -> dict[str, Any]:
    case_id, verdict = body.get("case_id"), body.get("verdict")
    if not isinstance(case_id, str):
        raise RequestError(400, "bad_case_id", found=case_id)
    if verdict not in RULINGS:
        raise RequestError(400, "bad_verdict", found=verdict, known=", ".join(RULINGS))
    said = _text(body, "reason", needed=verdict == "ruled")
    ruling = {"type": RULE, "case_id": case_id, "verdict": verdict, "by": _by(body)}
    ruling |= {"reason": said} if said else {}
    if verdict != "ruled":
        return ruling
    action = body.get("action")
    return {**ruling, "action": None if action is None else _checked_ruled(action)}


def _checked_ruled(action: object) -> dict[str, Any]:
    """The referee's own action in a ruling; nothing that somebody at the table does."""
    kind = action.get("type") if isinstance(action, dict) else action
    ruled = isinstance(kind, str) and kind != RULE and least_role(kind) == REFEREE
    if not (isinstance(action, dict) and ruled):
        known = ", ".join(k for k, least in LEAST_ROLE.items() if least == REFEREE and k != RULE)
        raise RequestError(400, "unknown_action", found=kind, known=known)
    return checked_action(action)


def _checked_start(body: dict[str, Any]) -> dict[str, Any]:
    book, day, game = body.get("book"), body.get("weekday"), context().projection.board().game
    if not (isinstance(book, str) and 1 <= len(book) <= LONGEST_NAME):
        raise RequestError(400, "bad_book", found=str(book)[:LONGEST_NAME])
    if day is not None and day not in get_args(Weekday):
        known = ", ".join(get_args(Weekday))
        raise RequestError(400, "bad_weekday", found=str(day)[:LONGEST_NAME], known=known)
    playing = () if game is None else game.players
    players = checked_players(body.get("players"), known=playing)
    started = {"type": START, "players": list(players), "book": book, "weekday": day}
    if body.get("reason") is not None:
        started["reason"] = _text(body, "reason", needed=True)
    return started | {"by": _by(body)}


def _throw_id(body: dict[str, Any]) -> int:
    throw_id = body.get("throw_id")
    if isinstance(throw_id, bool) or not isinstance(throw_id, int):
        raise RequestError(400, "bad_throw_id", found=throw_id)
    return throw_id


def _text(body: dict[str, Any], name: str, *, needed: bool) -> str:
    said = body.get(name, "")
    if not (isinstance(said, str) and needed <= len(said.strip()) <= LONGEST_TEXT):
        raise RequestError(
            400, "bad_text", name=name, found=said, least=int(needed), longest=LONGEST_TEXT
        )
    return said.strip()


def _by(body: dict[str, Any]) -> str:
    by = body.get("by")
    if not (isinstance(by, str) and 1 <= len(by.strip()) <= LONGEST_NAME):
        raise RequestError(400, "bad_by", found=by, longest=LONGEST_NAME)
    return by.strip()


def _verdict(body: dict[str, Any]) -> dict[str, Any]:
    if body["verdict"] not in VERDICTS or "dice" in body:
        known = ", ".join(VERDICTS)
        raise RequestError(400, "bad_verdict", found=body["verdict"], known=known)
    return {"verdict": body["verdict"]}


def _dice(body: dict[str, Any]) -> dict[str, Any]:
    dice = body.get("dice")
    if not (isinstance(dice, list) and 1 <= len(dice) <= 3 and all(map(_is_die, dice))):
        raise RequestError(400, "bad_dice", found=dice)
    return {"dice": dice}


def _is_die(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 6


_OWN: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    ANSWER: _checked_answer,
    CLAIM: _checked_claim,
    REPEAT: _checked_repeat,
    RULE: _checked_ruling,
    START: _checked_start,
}
