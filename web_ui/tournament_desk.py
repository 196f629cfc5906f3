"""The desk of a tournament: registration, draws, results, the end. Needs no JavaScript."""

from collections.abc import Sequence

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from web_ui import access
from web_ui.errors import ActionRefused, HallAway, RequestError
from web_ui.i18n import text
from web_ui.parsing import LONGEST_NAME, LONGEST_TEXT, language, one_of
from web_ui.rendering import render
from web_ui.tournament_acting import (
    LEAST,
    acting_as,
    carry_out,
    check_form,
    may_act,
    reason_of,
    refused_page,
    to_sign_in,
)
from web_ui.tournament_context import hall, hall_context
from web_ui.tournament_desk_view import PLACES, present_desk
from web_ui.tournament_forms import Action, actions_of
from web_ui.tournament_ports import COLLECT

blueprint = Blueprint("tournament_desk", __name__)

Answer = Response | str


@blueprint.get("/tournament/desk")
def page() -> Answer:
    """Show the desk to those who may act; others are led to where they sign in."""
    if not may_act():
        return to_sign_in("/tournament/desk")
    return _page("tournament_desk.html")


@blueprint.get("/tournament/desk/board")
def board() -> str:
    """Return what changes on the desk, as a fragment of HTML."""
    if not may_act():
        signed_in = access.signed_in_as() is not None
        code = "wrong_role" if signed_in else "sign_in"
        raise RequestError(403 if signed_in else 401, code, least=LEAST)
    return _page("tournament_desk_board.html")


@blueprint.post("/tournament/desk")
def act() -> Answer:
    """Carry out what a form asks for; where that is refused, show it again with the reason."""
    check_form()
    with hall_context().acting:
        return _act()


def _act() -> Answer:
    lang, do, by = language(), request.form.get("do", ""), acting_as()
    refused: list[str] = []
    left: list[Action] = []
    failed: ActionRefused | RequestError | None = None
    try:
        actions = actions_of(do, request.form, by, hall().tournament())
    except RequestError as error:
        return refused_page(_page("tournament_desk.html", (reason_of(error, lang),)), error)
    for at, action in enumerate(actions):
        try:
            carry_out(action, by)
        except HallAway as error:  # so it is for all that are left
            refused.append(reason_of(error, lang))
            left += actions[at:]
            failed = error
            break
        except (ActionRefused, RequestError) as error:
            refused.append(_about(action, lang) + reason_of(error, lang))
            left.append(action)
            failed = error
    if failed is not None:
        return refused_page(_page("tournament_desk.html", tuple(refused), _names(left)), failed)
    place = one_of("at", PLACES, default="") or None
    return redirect(url_for("tournament_desk.page", lang=lang, at=place), 303)


def _names(actions: Sequence[Action]) -> str:
    """Names that are yet to be registered, as they were pasted."""
    return "\n".join("; ".join(filter(None, (a.get("player"), a.get("team")))) for a in actions)


def _about(action: Action, lang: str) -> str:
    """What a reason is about, where several tables were asked for at once."""
    tables = action["tables"] if action["type"] == COLLECT else ()
    return "".join(f"{text(lang, 'hall.table', n=number)}: " for number in tables)


def _page(template: str, reasons: tuple[str, ...] = (), left: str = "") -> str:
    """The desk.

    Args:
        template: all of it, or what changes.
        reasons: why something was refused.
        left: names of a paste that were not registered.
    """
    at = one_of("at", PLACES, default="")
    do = request.form.get("do", "")
    return render(
        template,
        view=present_desk(hall(), language(), at),
        reasons=reasons,
        done=do,
        filled=request.form if reasons else {},
        left=left if do == "register" else "",
        by=acting_as(),
        token=access.token(),
        longest_name=LONGEST_NAME,
        longest_text=LONGEST_TEXT,
    )
