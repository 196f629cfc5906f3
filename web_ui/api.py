"""The JSON interface: state, log, actions, and its own description."""

from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, request, send_file

from rules.events import DeckelRuled, FaultReported
from rules.match import Match
from web_ui import access
from web_ui.consequences import consequence
from web_ui.context import context
from web_ui.errors import ActionRefused
from web_ui.i18n import LANGUAGES
from web_ui.parsing import checked_action, language, least_of, whole_number
from web_ui.ports import LogEntry
from web_ui.projection import Board
from web_ui.roles import REFEREE
from web_ui.security import json_object
from web_ui.sentences import describe

blueprint = Blueprint("api", __name__, url_prefix="/api")

LOG_PAGE_ENTRIES = 500
"""Most entries in one answer of /api/log; a reader goes on from the last one's number."""


def entry_json(entry: LogEntry, lang: str) -> dict[str, Any]:
    """Return an entry as the interface shows it, with its sentence."""
    return {
        "seq": entry.seq,
        "at_s": entry.at_s,
        "type": entry.type,
        "data": dict(entry.data),
        "text": describe(lang, entry.type, entry.data).text,
    }


def state_json(board: Board, lang: str) -> dict[str, Any]:
    """Return the state after the last entry: the game, what is open, faults, latest entries."""
    return {
        "seq": board.seq,
        "match": board.match,
        "questions": [dict(question) for question in board.questions],
        "cases": [dict(case) for case in board.cases],
        "waiting": list(board.waiting),
        "faults": [dict(fault) for fault in board.faults],
        "broken": board.broken,
        "entries": [entry_json(entry, lang) for entry in board.entries],
    }


@blueprint.get("/state")
def state() -> Response:
    """Return the state of the table."""
    return jsonify(state_json(context().projection.board(), language()))


@blueprint.get("/log")
def log() -> Response:
    """Return entries after ?after=, oldest first."""
    after = whole_number("after", request.args.get("after"), default=0)
    limit = whole_number("limit", request.args.get("limit"), default=LOG_PAGE_ENTRIES)
    entries = context().log.read(after, max(1, min(limit, LOG_PAGE_ENTRIES)))
    return jsonify(entries=[entry_json(entry, language()) for entry in entries])


@blueprint.post("/actions")
def actions() -> tuple[Response, int]:
    """Carry out an action: 200 with what came of it, 409 with the reason when refused."""
    body = json_object(request)
    takes_back = body.get("type") == "take_back"
    ruled = takes_back and ends_with_ruling(context().projection.board().game)
    access.require(REFEREE if ruled else least_of(body), access.named_token(request))
    action = checked_action(body)
    try:
        result = context().submit(action)
    except ActionRefused as refusal:
        return jsonify(error=_why(refusal)), 409
    return jsonify(result=dict(result)), 200


@blueprint.post("/try")
def try_action() -> Response:
    """Say what an action would change, or why it would be refused; nothing changes."""
    body = json_object(request)
    access.require(REFEREE, access.named_token(request))
    action = checked_action(body)
    try:
        tried = context().preview(action)
    except ActionRefused as refusal:
        return jsonify(refused=_why(refusal), texts=[], players=[], stock=None)
    return jsonify(refused=None, **consequence(tried, language()))


def ends_with_ruling(match: Match | None) -> bool:
    """Tell whether the latest move is a referee's, which only a referee takes back."""
    return match is not None and any(
        isinstance(event, FaultReported | DeckelRuled) for event in match.state.record[-1:]
    )


def _why(refusal: ActionRefused) -> dict[str, str]:
    texts = {"de": refusal.text_de, "en": refusal.text_en}
    said = {f"text_{lang}": texts[lang] for lang in LANGUAGES}
    return {"code": refusal.code, "text": texts[language()], **said}


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """Return the description of this interface."""
    return send_file(Path(__file__).with_name("openapi.json"), mimetype="application/json")
