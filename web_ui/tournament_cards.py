"""The cards that tables hand in on paper: filled in, corrected, and shown before they count."""

from dataclasses import replace
from typing import Any
from zlib import crc32

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from rules.errors import MalformedRecord, Refused
from rules.tournament import Tournament
from rules.tournament_actions import tournament_action_from_json
from rules.tournament_events import ResultCorrected
from rules.tournament_state import Round
from rules.wire import plain
from web_ui import access
from web_ui.errors import ActionRefused, RequestError
from web_ui.i18n import text
from web_ui.parsing import LONGEST_NAME, LONGEST_TEXT, language
from web_ui.rendering import render
from web_ui.tournament_acting import (
    acting_as,
    carry_out,
    check_form,
    may_act,
    reason_of,
    refused_page,
    to_sign_in,
)
from web_ui.tournament_card import (
    HOWS,
    LOSER,
    MORE_GAMES,
    MOST_GAMES,
    CardForm,
    blank_card,
    blank_game,
    card_from,
    card_of,
    corrected,
    result_of,
    sat_at,
)
from web_ui.tournament_context import hall, hall_context
from web_ui.tournament_view import head_view, round_text, said, seen

blueprint = Blueprint("tournament_cards", __name__)

CORRECT = "correct_result"
MORE, TRY, SEND = "more", "try", "send"
"""The buttons: room for more games, what a correction would change, and that it counts."""

Answer = Response | str | tuple[str, int]


@blueprint.get("/tournament/card/<int:number>/<int:table>")
def page(number: int, table: int) -> Answer:
    """Show the card of a table, blank or as it was handed in."""
    if not may_act():
        return to_sign_in(f"/tournament/card/{number}/{table}")
    tournament, one = _round_asked(number, table)
    return _page(tournament, one, table, _card(tournament, one, table))


@blueprint.post("/tournament/card/<int:number>/<int:table>")
def send(number: int, table: int) -> Answer:
    """Hand in a card, or correct what was handed in; the form again where that is refused."""
    check_form()
    with hall_context().acting:
        return _send(number, table)


def _send(number: int, table: int) -> Answer:
    lang, do, by = language(), request.form.get("do", SEND), acting_as()
    tournament, one = _round_asked(number, table)
    seats = sat_at(one, table)
    card = card_from(request.form, seats, by)
    if request.form.getlist("seat") != list(seats):  # drawn anew, or somebody was seated, meanwhile
        reason = text(lang, "error.card_other_seats")
        return _page(tournament, one, table, _card(tournament, one, table), reason=reason), 409
    if "seen" in request.form and request.form["seen"] != handed_id(one, table):
        reason = text(lang, "error.card_corrected" if table in one.handed else "error.other_draw")
        return _page(tournament, one, table, _card(tournament, one, table), reason=reason), 409
    if do == MORE:
        gone = _gone(tournament, one, table)
        room = MOST_GAMES - len(card.games)
        more = (blank_game(seats, gone),) * min(MORE_GAMES, room)
        return _page(tournament, one, table, replace(card, games=(*card.games, *more)))
    try:
        action = _action(one, table, card, corrects=request.form.get("kind") == CORRECT)
        if do == TRY:
            tried = tried_view(tournament, action, lang)
            return _page(tournament, one, table, card, tried=tried)
        carry_out(action, by)
    except (ActionRefused, RequestError) as error:
        page = _page(tournament, one, table, card, reason=reason_of(error, lang))
        return refused_page(page, error)
    return redirect(url_for("tournament_desk.page", lang=lang, at="cards"), 303)


def _round_asked(number: int, table: int) -> tuple[Tournament, Round]:
    """The round of a number, if it has such a table.

    Raises:
        RequestError: 404, there is none.
    """
    tournament = hall().tournament()
    rounds = () if tournament is None else tournament.state.rounds
    if tournament is None or not 1 <= number <= len(rounds):
        raise RequestError(404, "no_such_round", found=number)
    one = rounds[number - 1]
    if not 1 <= table <= len(one.tables) or not one.tables[table - 1]:
        raise RequestError(404, "no_such_table", found=table, round=number)
    return tournament, one


def _card(tournament: Tournament, one: Round, table: int) -> CardForm:
    handed, by = one.handed.get(table), acting_as()
    if handed is not None:
        return replace(card_of(handed.result, sat_at(one, table)), by=by)
    return blank_card(tournament.format, one, table, by, _gone(tournament, one, table))


def _gone(tournament: Tournament, one: Round, table: int) -> list[str]:
    """Who has sat at a table and plays there no more."""
    seats = one.tables[table - 1]
    return [
        name
        for name in sat_at(one, table)
        if name not in seats or not tournament.state.entrants[name].here
    ]


def handed_id(one: Round, table: int) -> str:
    """Name what counts of a table now, so that a form says on what its correction rests."""
    handed = one.handed.get(table)
    return "" if handed is None else f"{crc32(repr(plain(handed.result)).encode()):x}"


def _action(one: Round, table: int, card: CardForm, *, corrects: bool) -> dict[str, Any]:
    result = result_of(card)
    if not corrects:
        return {"type": "hand_in", "round": one.number, "table": table, "result": result}
    if table in one.handed:
        result = corrected(result, one.handed[table].result)
    about = {"round": one.number, "table": table, "result": result}
    return {"type": CORRECT, **about, "by": card.by, "reason": card.reason}


def tried_view(tournament: Tournament, action: dict[str, Any], lang: str) -> dict[str, Any]:
    """Return what a correction would change; nothing is changed.

    Raises:
        ActionRefused: it is not allowed.
        RequestError: 400, it is none.
    """
    try:
        (event,) = tournament.decide(tournament_action_from_json(action))
    except Refused as refused:
        raise ActionRefused(refused.text_de, refused.text_en, refused.code) from refused
    except MalformedRecord as error:
        raise RequestError(400, "malformed_action", reason=str(error)) from error
    if not isinstance(event, ResultCorrected):
        return {"moved": (), "otherwise": []}
    return {"moved": event.moved, "otherwise": [_otherwise(one, lang) for one in event.otherwise]}


def _otherwise(one: Any, lang: str) -> str:
    parts = [text(lang, "hall.otherwise", n=one.round)]
    for name in ("came_in", "fell_out", "stechen"):
        if names := getattr(one, name):
            parts.append(text(lang, f"hall.otherwise.{name}", names=", ".join(names)))
    return " ".join(parts)


def _page(
    tournament: Tournament,
    one: Round,
    table: int,
    card: CardForm,
    *,
    reason: str = "",
    tried: dict[str, Any] | None = None,
) -> str:
    lang, corrects = language(), table in one.handed
    kind = CORRECT if corrects else "hand_in"
    return render(
        "tournament_card.html",
        view=head_view(hall(), seen(hall()), lang),
        card=card,
        table=table,
        round=one,
        where=round_text(one, lang),
        kind=kind,
        seen=handed_id(one, table),
        corrects=corrects,
        locked="" if corrects else said_of_round(tournament, one, table, lang),
        needs_order=tournament.format.counts_exits,
        hows=HOWS,
        loser=LOSER,
        reason=reason,
        tried=tried,
        can_grow=len(card.games) < MOST_GAMES,
        by=acting_as(),
        token=access.token(),
        longest_name=LONGEST_NAME,
        longest_text=LONGEST_TEXT,
    )


def said_of_round(tournament: Tournament, one: Round, table: int, lang: str) -> str:
    """Say why a table's card cannot be handed in now, whatever is on it; "" if it can."""
    last = tournament.round
    if last is one and table in one.waiting and not tournament.is_over:
        return ""
    blank = {"games": [], "source": "card", "by": "?", "cut_short": "?"}
    action = {"type": "hand_in", "round": one.number, "table": table, "result": blank}
    refused = tournament.refusal(tournament_action_from_json(action))
    return "" if refused is None else said(refused, lang)
