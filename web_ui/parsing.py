"""Parsing of what comes in: language, numbers, actions. Nothing here acts."""

from collections.abc import Sequence
from typing import Any

from flask import current_app, request

from rules.actions import ACTION_TYPES, action_from_json
from rules.errors import MalformedRecord
from web_ui.errors import RequestError
from web_ui.i18n import LANGUAGES
from web_ui.ports import RULINGS, VERDICTS
from web_ui.roles import TABLE, least_role

ANSWER = "answer_question"
RULE = "rule_case"
LONGEST_NAME = 60
"""Characters of a name in `by`; enough for first and family name."""

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
    known = isinstance(kind, str) and (kind in ACTION_TYPES or kind in (ANSWER, RULE))
    return least_role(str(kind)) if known else TABLE


def checked_action(body: dict[str, Any]) -> dict[str, Any]:
    """Return an action in its proper form; whether it is allowed now is not asked here.

    Raises:
        RequestError: 400, naming the value and what was expected.
    """
    kind = body.get("type")
    if kind == ANSWER:
        return _checked_answer(body)
    if kind == RULE:
        return _checked_ruling(body)
    if not isinstance(kind, str) or kind not in ACTION_TYPES:
        known = ", ".join([ANSWER, *ACTION_TYPES, RULE])
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


def _checked_ruling(body: dict[str, Any]) -> dict[str, Any]:
    case_id, verdict = body.get("case_id"), body.get("verdict")
    if not isinstance(case_id, str):
        raise RequestError(400, "bad_case_id", found=case_id)
    if verdict not in RULINGS:
        raise RequestError(400, "bad_verdict", found=verdict, known=", ".join(RULINGS))
    return {"type": RULE, "case_id": case_id, "verdict": verdict, "by": _by(body)}


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
