"""The tournament as JSON: its state, its actions, the live stream, and how the hub does."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request, send_file

from rules.tournament import Tournament
from rules.tournament_honours import schock_aus_kings
from rules.wire import plain
from web_ui import access
from web_ui.errors import ActionRefused, RequestError
from web_ui.parsing import LONGEST_NAME, language
from web_ui.ports import LogEntry
from web_ui.security import json_object
from web_ui.stream import live
from web_ui.tournament_acting import LEAST, carry_out
from web_ui.tournament_context import hall, hall_context, now_s, standings_of
from web_ui.tournament_incidents import alarms
from web_ui.tournament_ports import Hall
from web_ui.tournament_view import phase_of

blueprint = Blueprint("tournament_api", __name__)

TOLD_EVERY_S = 0.1
"""Shortest time between two entries that one viewer is told of; the first one after a silence is
told at once."""


def entry_told(entry: LogEntry, lang: str) -> dict[str, Any]:
    """Return what the live stream tells of an entry: enough to know that something is new."""
    return {"seq": entry.seq, "at_s": entry.at_s, "type": entry.type}


class Newest:
    """A hall's log of which only the newest entry is told, and not too often.

    A hall of tables writes hundreds of entries a second; a page only has to know that it is old.
    """

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._told_s = float("-inf")

    def read(self, after_seq: int = 0, limit: int = 1000) -> Sequence[LogEntry]:
        """Return the newest entry, if it is above `after_seq`."""
        newest = self._hall.seq
        return self._hall.log.read(newest - 1, 1) if newest > after_seq else ()

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Block until there is a newer one, and the last one was told `TOLD_EVERY_S` ago."""
        come = self._hall.log.wait(after_seq, timeout_s)
        if come:
            time.sleep(max(0.0, self._told_s + TOLD_EVERY_S - time.monotonic()))
            self._told_s = time.monotonic()
        return come


@blueprint.get("/api/stream")
def stream() -> Response:
    """Send the newest entry after Last-Event-ID (or ?after=), again and again."""
    at = hall_context()
    return live(Newest(at.hall), at.hall.seq, at.seats, entry_told)


@blueprint.get("/api/tournament")
def state() -> Response:
    """Return the tournament, its standings and the tables."""
    at = hall()
    seq, tournament = at.seq, at.tournament()
    tables = [plain(status) for status in at.tables()]
    return jsonify(
        seq=seq,
        now_s=now_s(),
        phase=phase_of(tournament),
        clock=plain(clock) if (clock := at.clock()) is not None else None,
        tournament=None if tournament is None else tournament_json(tournament),
        tables=tables,
        open=len(at.queue()),
    )


def tournament_json(tournament: Tournament) -> dict[str, Any]:
    """Return a tournament: who plays, every round with its cards, how it stands and why."""
    state = tournament.state
    return {
        "name": state.name,
        "format": state.format.key,
        "format_version": state.format.version,
        "entrants": [plain(one) for one in state.entrants.values()],
        "rounds": [_round(one) for one in state.rounds],
        "standings": [plain(one) for one in standings_of(tournament)],
        "kings": [plain(one) for one in schock_aus_kings(state)],
        "stechen": [plain(one) for one in tournament.stechen_needed],
        "over": state.over,
        "ended_early": state.ended_early,
    }


def _round(one: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "number": one.number,
        "kind": one.kind,
        "attempt": one.attempt,
        "tables": [list(table) for table in one.tables],
        "sitting_out": list(one.sitting_out),
        "waiting": list(one.waiting),
        "scharf": sorted(one.scharf),
    }
    cards = {str(number): plain(handed.result) for number, handed in one.handed.items()}
    return told | {"results": cards}


@blueprint.post("/api/tournament/actions")
def actions() -> tuple[Response, int]:
    """Carry out an action: 200 with its events, 409 with the reason when refused."""
    body = json_object(request)
    access.require(LEAST, access.named_token(request))
    by, action = body.get("by"), body.get("action")
    if not (isinstance(by, str) and 1 <= len(by.strip()) <= LONGEST_NAME):
        raise RequestError(400, "bad_by", found=by, longest=LONGEST_NAME)
    if not isinstance(action, dict):
        raise RequestError(400, "malformed_action", reason="'action' must be an object")
    try:
        events = carry_out(action, by.strip())
    except ActionRefused as refusal:
        texts = {"text_de": refusal.text_de, "text_en": refusal.text_en}
        said = texts[f"text_{language()}"]
        return jsonify(error={"code": refusal.code, "text": said, **texts}), 409
    return jsonify(events=[dict(event) for event in events]), 200


@blueprint.get("/api/openapi.json")
def openapi() -> Response:
    """Return the description of this interface."""
    return send_file(Path(__file__).with_name("openapi_hub.json"), mimetype="application/json")


@blueprint.get("/healthz")
def healthz() -> tuple[Response, int]:
    """Say `ok` (200), `degraded` with what is wrong (200), or `failed` (503)."""
    try:
        at = hall()
        seq, tables = at.seq, at.tables()
        at.tournament()
        own = [str(one["what"]) for one in alarms(at.incidents())]
    except Exception:
        # Whatever the hall ran into, the answer to "are you well?" has to arrive.
        current_app.logger.exception("The hall cannot be read.")
        return jsonify(status="failed", seq=None, faults=["hall"]), 503
    wrong = own + [one.name for one in tables if one.name and (one.faults or not one.online)]
    return jsonify(status="degraded" if wrong else "ok", seq=seq, faults=wrong), 200
