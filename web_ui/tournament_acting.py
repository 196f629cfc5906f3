"""Acting in the hall: who may, in whose name, and what an action looks like."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from flask import current_app, make_response, redirect, request, session, url_for
from werkzeug.wrappers import Response

from rules.errors import MalformedRecord
from rules.tournament_actions import ACTION_TYPES, tournament_action_from_json
from web_ui import access
from web_ui.errors import ActionRefused, RequestError
from web_ui.i18n import text
from web_ui.parsing import LONGEST_NAME, language
from web_ui.roles import REFEREE, reaches
from web_ui.security import own_form
from web_ui.tournament_context import hall
from web_ui.tournament_ports import ASSIGN, COLLECT, HALL_ACTIONS, OPEN

LEAST = REFEREE
"""The least role that may act in the hall."""

LONGEST_TEXT = 300
LONGEST_FORMAT = 60_000
MOST_TABLES = 1000

_BY = "desk_by"
"""Where a session keeps the name of who sits at the desk."""


def may_act() -> bool:
    """Tell whether whoever asks may act in the hall."""
    return reaches(access.role(), LEAST)


def to_sign_in(after: str) -> Response:
    """Lead somebody to where he signs in, and on to a page."""
    lang = language()
    return redirect(url_for("signing_in.form", role=LEAST, next=after, lang=lang))


def check_form() -> None:
    """Let only forms of our own pages pass, of somebody who may act.

    Raises:
        RequestError: 401, 403 or 415.
    """
    own_form(request)
    access.require(LEAST, access.named_token(request))


def acting_as() -> str:
    """Return the name that the form under way gives, or the last one that was given."""
    given = " ".join(request.form.get("by", "").split())[:LONGEST_NAME]
    if given:
        session[_BY] = given
    return given or str(session.get(_BY, "")) or text(language(), "hall.by")


def checked_hall_action(action: object) -> dict[str, Any]:
    """Return an action in its proper form; whether it is allowed now is not asked here.

    Raises:
        RequestError: 400, naming the value and what was expected.
    """
    kind = action.get("type") if isinstance(action, dict) else None
    known = (*HALL_ACTIONS, *ACTION_TYPES)
    if not isinstance(action, dict) or not isinstance(kind, str) or kind not in known:
        raise RequestError(400, "unknown_action", found=kind, known=", ".join(known))
    try:
        if kind in ACTION_TYPES:
            _check_lengths(action)
            return tournament_action_from_json(action).to_json()
        return _checked_own(kind, action)
    except MalformedRecord as error:
        raise RequestError(400, "malformed_action", reason=str(error)) from error


def _check_lengths(action: Mapping[str, Any]) -> None:
    """Refuse what no card, wall or screen could show.

    Raises:
        RequestError: 400, a name or a text is too long.
    """
    names = (action.get("player"), action.get("team")) if action.get("type") == "register" else ()
    for name in names:
        if isinstance(name, str) and len(name) > LONGEST_NAME:
            raise RequestError(400, "long_name", found=name[:20], longest=LONGEST_NAME)
    for said in _texts(action):
        if len(said) > LONGEST_TEXT:
            raise RequestError(400, "long_text", found=said[:20], longest=LONGEST_TEXT)


def _texts(value: object) -> Iterator[str]:
    """Every text in a JSON value; one that is nested too deep is refused by whoever reads it."""
    todo = [value]
    while todo:
        match todo.pop():
            case str() as said:
                yield said
            case list() as items:
                todo += items
            case dict() as fields:
                todo += fields.values()


def _checked_own(kind: str, action: Mapping[str, Any]) -> dict[str, Any]:
    wanted = _OWN_FIELDS.get(kind, {})
    if unknown := sorted(set(action) - {"type", *wanted}):
        raise MalformedRecord(f"action {kind!r} has no field {unknown[0]!r}")
    made: dict[str, Any] = {"type": kind}
    for name, (is_right, expected, usual) in wanted.items():
        made[name] = action.get(name, usual)
        if not is_right(made[name]):
            raise MalformedRecord(f"action {kind!r}, field {name!r} must be {expected}")
    return made


def _is_table(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_TABLES


def _are_tables(value: object) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_TABLES:
        return False
    return all(map(_is_table, value)) and len(set(value)) == len(value)


def _is_text(longest: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and len(value) <= longest


_Field = tuple[Callable[[object], bool], str, object]
_TEXT: _Field = (_is_text(LONGEST_TEXT), f"a text of at most {LONGEST_TEXT} characters", "")
_FORMAT: _Field = (_is_text(LONGEST_FORMAT), f"a text of at most {LONGEST_FORMAT} characters", "")
_TABLE: _Field = (_is_table, "the number of a table, from 1", None)
_TABLES: _Field = (_are_tables, "a list of different numbers of tables, from 1", None)

_OWN_FIELDS: Mapping[str, Mapping[str, _Field]] = {
    OPEN: {"name": _TEXT, "format": _TEXT, "format_text": _FORMAT, "seed": _TEXT, "book": _TEXT},
    ASSIGN: {"table": _TABLE, "device": _TEXT},
    COLLECT: {"tables": _TABLES, "reason": _TEXT},
}
"""Fields of the hall's own actions: what they must be, that in words, and what is meant without."""


def carry_out(action: dict[str, Any], by: str) -> Sequence[Mapping[str, Any]]:
    """Have the hall carry out an action.

    Raises:
        ActionRefused: it is not allowed now.
        RequestError: 400, it is no action.
    """
    checked = checked_hall_action(action)
    try:
        return hall().do(checked, by)
    except MalformedRecord as error:
        raise RequestError(400, "malformed_action", reason=str(error)) from error


def refusal_text(action: dict[str, Any], lang: str) -> str:
    """Say why an action would be refused now; "" if it would not."""
    try:
        refused = hall().refusal(action)
    except MalformedRecord as error:
        return str(error)
    if refused is None:
        return ""
    return refused.text_en if lang == "en" else refused.text_de


def reason_of(error: ActionRefused | RequestError, lang: str) -> str:
    """Return why something was refused, for people; what strangers try is told."""
    if isinstance(error, RequestError):
        told = access.door().refusals
        told.refused(error.code, address=access.address(), logger=current_app.logger)
        return text(lang, f"error.{error.code}", **error.values)
    return error.text_en if lang == "en" else error.text_de


def refused_page(page: str, error: ActionRefused | RequestError) -> Response:
    """Answer with a page that says why something was refused, in the error's status."""
    if isinstance(error, ActionRefused):
        return make_response(page, 409)
    answer = make_response(page, error.status)
    answer.headers.update(error.headers)
    return answer
