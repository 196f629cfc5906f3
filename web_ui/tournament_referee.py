"""The referee of all tables: what they ask for in one row, with evidence, and the ruling."""

from typing import Any

from flask import Blueprint, Response, abort, redirect, request, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from web_ui import access
from web_ui.errors import ActionRefused, RequestError
from web_ui.evidence import ALONE, TYPES
from web_ui.i18n import counted, text
from web_ui.parsing import LONGEST_NAME, LONGEST_TEXT, language
from web_ui.ports import ANSWER, RULE, VERDICTS
from web_ui.rendering import render
from web_ui.tournament_acting import (
    LEAST,
    acting_as,
    check_form,
    may_act,
    reason_of,
    refused_page,
    to_sign_in,
)
from web_ui.tournament_clock import shown
from web_ui.tournament_context import hall, now_s
from web_ui.tournament_ports import Pending
from web_ui.tournament_view import head_view, seen

blueprint = Blueprint("tournament_referee", __name__)

FAULT, DISMISSED = "fault", "dismissed"
MOST_DICE = 3
Answer = AnyResponse | str


@blueprint.get("/tournament/referee")
def page() -> Answer:
    """Show the queue to a referee; others are led to where they sign in."""
    if not may_act():
        return to_sign_in("/tournament/referee")
    return _page("tournament_referee.html")


@blueprint.get("/tournament/referee/board")
def board() -> str:
    """Return what changes on the page, as a fragment of HTML."""
    _check_may()
    return _page("tournament_referee_board.html")


@blueprint.post("/tournament/referee")
def rule() -> Answer:
    """Send a ruling to its table; the page again with the reason where that is refused."""
    check_form()
    lang, by = language(), acting_as()
    table, item = request.form.get("table", ""), request.form.get("id", "")
    try:
        found = next((one for one in hall().queue() if (one.table, one.id) == (table, item)), None)
        if found is None:
            raise RequestError(409, "no_longer_open")
        hall().rule(table, _action(found, by), by)
    except (ActionRefused, RequestError) as error:
        return refused_page(_page("tournament_referee.html", reason_of(error, lang)), error)
    return redirect(url_for("tournament_referee.page", lang=lang), 303)


@blueprint.get("/tournament/evidence/<table>/<sha256>")
def evidence(table: str, sha256: str) -> Response:
    """Send a picture or clip of something that is open; 404 while it is not here."""
    _check_may()
    if not any(one.table == table and sha256 in (one.still, one.clip) for one in hall().queue()):
        abort(404)
    file = hall().evidence(table, sha256)
    kind = None if file is None else TYPES.get(file.suffix.lower())
    if file is None or kind is None:
        abort(404)
    try:
        response = send_file(file.resolve(), mimetype=kind, conditional=True, max_age=86_400)
    except OSError:  # it went a moment ago
        abort(404)
    response.headers["Content-Security-Policy"] = ALONE
    return response


def _check_may() -> None:
    if not may_act():
        signed_in = access.signed_in_as() is not None
        code = "wrong_role" if signed_in else "sign_in"
        raise RequestError(403 if signed_in else 401, code, least=LEAST)


def _action(one: Pending, by: str) -> dict[str, Any]:
    """The ruling that the form says.

    Raises:
        RequestError: 400, it says none that is possible here.
    """
    way = request.form.get("way", "")
    reason = " ".join(request.form.get("reason", "").split())[:LONGEST_TEXT]
    if one.kind == "question":
        said = {"type": ANSWER, "question_id": one.id, "by": by}
        if way == "dice":
            return said | {"dice": _dice()}
        if way in one.verdicts:
            return said | {"verdict": way}
    elif way in _ways(one):
        ruling = {"type": RULE, "case_id": one.id, "verdict": way, "by": by}
        return ruling | ({"reason": reason} if reason else {})
    raise RequestError(400, "bad_verdict", found=way[:40], known=", ".join(_ways(one)))


def _dice() -> list[int]:
    raw = [digit for digit in request.form.get("dice", "") if not digit.isspace() and digit != "-"]
    if not 1 <= len(raw) <= MOST_DICE or any(digit not in "123456" for digit in raw):
        raise RequestError(400, "bad_dice", found="".join(raw)[:40])
    return [int(digit) for digit in raw]


def _ways(one: Pending) -> tuple[str, ...]:
    if one.kind == "question":
        return ("dice", *(verdict for verdict in VERDICTS if verdict in one.verdicts))
    return (FAULT, DISMISSED) if one.kind == "case" else (DISMISSED,)


def _page(template: str, reason: str = "") -> str:
    lang = language()
    queue = hall().queue()
    urls = {one.name: one.url for one in hall().tables() if one.name}
    return render(
        template,
        view=head_view(hall(), seen(hall()), lang),
        queue=[_item(one, urls.get(one.table, ""), lang) for one in queue],
        queue_text=counted(lang, "desk.open", len(queue)),
        reason=reason,
        by=acting_as(),
        token=access.token(),
        longest_name=LONGEST_NAME,
        longest_text=LONGEST_TEXT,
    )


def _item(one: Pending, url: str, lang: str) -> dict[str, Any]:
    return {
        "id": one.id,
        "key": f"{one.table}-{one.id}",
        "table": one.table,
        "kind": one.kind,
        "kind_text": text(lang, f"desk.kind.{one.kind}"),
        "player": one.player,
        "dice": one.dice,
        "candidates": one.candidates,
        "text": one.text_en if lang == "en" else one.text_de,
        "waits": shown(now_s() - one.at_s),
        "ways": [{"name": way, "text": _way_text(way, one, lang)} for way in _ways(one)],
        "still": _evidence(one, one.still),
        "clip": _evidence(one, one.clip),
        "url": url,
    }


def _evidence(one: Pending, sha256: str) -> dict[str, Any] | None:
    """Where a file is to be had, or that the table was asked for it; None where there is none."""
    if not sha256:
        return None
    here = hall().evidence(one.table, sha256) is not None
    return {"sha256": sha256, "here": here}


def _way_text(way: str, one: Pending, lang: str) -> str:
    if one.kind == "question":
        return text(lang, "hall.way.dice" if way == "dice" else f"question.{way}")
    if way == DISMISSED:
        return text(lang, "way.stands" if one.kind == "claim" else "way.dismissed")
    return text(lang, "case.fault")
