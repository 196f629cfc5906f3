"""The desk's forms as actions; each button of the desk sends one form, `do` says which."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from werkzeug.datastructures import MultiDict

from rules.tournament import Tournament
from rules.tournament_state import Round
from web_ui.errors import RequestError
from web_ui.parsing import LONGEST_NAME
from web_ui.tournament_ports import ASSIGN, CLOCK, COLLECT, OPEN

Form = MultiDict[str, str]
Action = dict[str, Any]

MOST_AT_ONCE = 300
"""Names in one paste."""


def actions_of(do: str, form: Form, by: str, tournament: Tournament | None) -> tuple[Action, ...]:
    """Return the actions that a form asks for.

    Args:
        do: the name of its button.
        form: its fields.
        by: who sits at the desk.
        tournament: as it is now, None before the first.

    Raises:
        RequestError: 400, a field is none; the message says which.
    """
    make = _FORMS.get(do)
    if make is None:
        known = ", ".join(_FORMS)
        raise RequestError(400, "unknown_action", found=do[:LONGEST_NAME], known=known)
    return tuple(make(form, by, tournament))


def pasted(names: str) -> list[tuple[str, str]]:
    """Return names with their teams out of lines such as `Anna` or `Anna; Die Würfler`."""
    found = []
    for line in names.splitlines()[: 2 * MOST_AT_ONCE]:
        name, _, team = line.replace("\t", ";").partition(";")
        if name := composed(name):
            found.append((name, composed(team)))
    return found[:MOST_AT_ONCE]


def composed(words: str) -> str:
    """Return a name with single spaces, and ü as one letter, not as u with two points.

    What is pasted from a Mac has two; it looks the same and would be found by nobody.
    """
    return unicodedata.normalize("NFC", " ".join(words.split()))


def _open(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    own = form.get("format_text", "").strip()
    wish = {name: _text(form, name) for name in ("name", "seed", "book")}
    made = "" if own else _text(form, "format")
    return [{"type": OPEN, **wish, "format": made, "format_text": own}]


def _register(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    team = composed(form.get("team", ""))
    found = pasted(form.get("names", ""))
    if not found:
        raise RequestError(400, "no_names")
    return [{"type": "register", "player": name, "team": own or team} for name, own in found]


def _pay(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    return [{"type": "pay_fee", "player": _text(form, "player"), "eur": _number(form, "eur")}]


def _charity(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    player = _text(form, "player")
    entrant = None if tournament is None else tournament.state.entrants.get(player)
    if "had" in form and entrant is not None and _number(form, "had") != entrant.charity_eur:
        raise RequestError(409, "paid_meanwhile", player=player, eur=entrant.charity_eur)
    return [{"type": "pay_charity", "player": player, "eur": _number(form, "eur")}]


def _leave(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    return [{"type": "leave", "player": _text(form, "player"), "reason": _text(form, "reason")}]


def _come_back(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    return [{"type": "come_back", "player": _text(form, "player")}]


def _draw(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    _draw_if_told(form, tournament)
    return [{"type": "draw_round", "by": by}]


def _redraw(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    _draw_if_told(form, tournament)
    if not (reason := _text(form, "reason")):
        raise RequestError(400, "reason_needed")
    return [{"type": "draw_round", "by": by, "reason": reason}]


def _draw_by_hand(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    """Fields `seat-<n>`: the table that the n-th entrant has drawn, empty for none."""
    _draw_if_told(form, tournament)
    names = [] if tournament is None else list(tournament.state.entrants)
    tables: dict[int, list[str]] = {}
    for at, name in enumerate(names):
        if number := _number(form, f"seat-{at}"):
            tables.setdefault(number, []).append(name)
    if sorted(tables) != list(range(1, len(tables) + 1)) or not tables:
        raise RequestError(400, "tables_in_row", found=", ".join(map(str, sorted(tables))) or "–")
    rows = [tables[number] for number in sorted(tables)]
    return [{"type": "draw_round", "by": by, "reason": _text(form, "reason"), "tables": rows}]


def _seat(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    _draw_if_told(form, tournament)
    seat = {"player": _text(form, "player"), "table": _number(form, "table")}
    return [{"type": "seat", **seat, "by": by}]


def _assign(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    _draw_meant(form, tournament)
    return [{"type": ASSIGN, "table": _number(form, "table"), "device": _text(form, "device")}]


def _scharf(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    _draw_meant(form, tournament)
    return [{"type": "call_scharf", "tables": _ticked(form), "by": by}]


def _collect(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    _draw_meant(form, tournament)
    return _collected(form, _ticked(form))


def _collect_all(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    one = _draw_meant(form, tournament)
    return _collected(form, () if one is None else one.waiting)


def _collected(form: Form, tables: Sequence[int]) -> Sequence[Action]:
    """One action a table: what is wrong at one holds up no other."""
    if not (reason := _text(form, "reason")):
        raise RequestError(400, "reason_needed")
    return [{"type": COLLECT, "tables": [number], "reason": reason} for number in tables]


def _ticked(form: Form) -> list[int]:
    if not (tables := sorted({_whole(raw, "table") for raw in form.getlist("table")})):
        raise RequestError(400, "no_table_ticked")
    return tables


def draw_id(one: Round | None) -> str:
    """Name a draw, so that a form says which one it was made for."""
    return "" if one is None else f"{one.number}-{one.attempt}"


def _draw_meant(form: Form, tournament: Tournament | None) -> Round | None:
    """Return the round under way, if it is the one that the form was made for.

    Raises:
        RequestError: 409, another one was drawn meanwhile: its tables have the same numbers.
    """
    one = None if tournament is None else tournament.round
    if _text(form, "draw") != draw_id(one):
        raise RequestError(409, "other_draw")
    return one


def _draw_if_told(form: Form, tournament: Tournament | None) -> None:
    """Refuse a form that was made for another draw: sent twice, or of a page left open.

    Raises:
        RequestError: 409, as of `_draw_meant`.
    """
    if "draw" in form:
        _draw_meant(form, tournament)


def _stechen(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    """Fields `player` and `rank`, as many of one as of the other."""
    ranks: dict[int, list[str]] = {}
    for name, raw in zip(form.getlist("player"), form.getlist("rank"), strict=False):
        if not raw.strip():
            raise RequestError(400, "stechen_rank", player=name[:LONGEST_NAME])
        ranks.setdefault(_whole(raw, "rank"), []).append(name)
    order = [ranks[rank] for rank in sorted(ranks)]
    action = {"type": "record_stechen", "order": order, "by": by, "table": _number(form, "table")}
    return [action | {"reason": _text(form, "reason")}]


def _finish(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    return [{"type": "finish", "by": by, "reason": _text(form, "reason")}]


def _clock(form: Form, by: str, tournament: Tournament | None) -> Sequence[Action]:
    _draw_if_told(form, tournament)
    return [{"type": CLOCK}]


def _text(form: Form, name: str) -> str:
    return " ".join(form.get(name, "").split())


def _number(form: Form, name: str) -> int:
    return _whole(form.get(name, ""), name)


def _whole(raw: str, name: str) -> int:
    """A whole number out of a field, 0 where it is empty.

    Raises:
        RequestError: 400, it is something else.
    """
    digits = raw.strip().removeprefix("-")
    if not raw.strip():
        return 0
    if not (digits.isascii() and digits.isdigit() and len(digits) < 7):
        raise RequestError(400, "bad_number", name=name, found=raw[:40])
    return int(raw)


_FORMS: Mapping[str, Callable[[Form, str, Tournament | None], Sequence[Action]]] = {
    "open": _open,
    "register": _register,
    "pay": _pay,
    "charity": _charity,
    "leave": _leave,
    "come_back": _come_back,
    "draw": _draw,
    "redraw": _redraw,
    "draw_by_hand": _draw_by_hand,
    "seat": _seat,
    "assign": _assign,
    "collect": _collect,
    "collect_all": _collect_all,
    "scharf": _scharf,
    "stechen": _stechen,
    "finish": _finish,
    "clock": _clock,
}
