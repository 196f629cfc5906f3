"""What the desk asks of the hall, decided: entries for the hub's log, or a refusal. Pure.

Besides the actions of `rules.tournament_actions` there are four of the hall itself:

* `open_tournament`: `name`, `format` (a key) or `format_text` (a file of one's own), `seed`, `book`
* `assign_table`: `table` of the round, and the `device` that plays there; "" for a card by hand
* `start_clock`: the minutes of the round count from now on
* `collect`: the time is up for these `tables`: what their logs say counts, with the `reason`
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from device.hub.hall_results import from_log, played_at
from device.hub.hall_state import ASSIGNED, CLOCKED, OPENED, TOURNAMENT, HallState
from rules.errors import MalformedRecord, Refused, RulesError
from rules.library import find_book
from rules.tournament import Tournament
from rules.tournament_actions import (
    ACTION_TYPES,
    CorrectResult,
    HandIn,
    TournamentAction,
    tournament_action_from_json,
)
from rules.tournament_events import RoundDrawn, TournamentEvent
from rules.tournament_library import find_format, own_format
from rules.tournament_results import TableResult
from rules.tournament_state import Round
from web_ui.errors import ActionRefused
from web_ui.tournament_ports import ASSIGN, CLOCK, COLLECT, OPEN

Entries = Sequence[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Decided:
    """What an action leads to.

    Attributes:
        entries: for the hub's log.
        events: those of the tournament among them.
    """

    entries: Entries
    events: tuple[TournamentEvent, ...] = ()


def decide(
    state: HallState, action: Mapping[str, Any], *, by: str, devices: Sequence[str]
) -> Decided:
    """Work out what an action leads to; nothing is changed.

    Args:
        state: the hall as it is.
        action: as JSON.
        by: who asks, where the action does not say so.
        devices: names of the paired tables.

    Raises:
        ActionRefused: it is not allowed now, or is none.
    """
    own = _OWN.get(str(action.get("type")))
    try:
        if own is not None:
            return own(state, action, devices)
        return _of_tournament(state, _action(action, by), devices)
    except Refused as refused:
        raise ActionRefused(refused.text_de, refused.text_en, refused.code) from refused
    except RulesError as error:
        raise ActionRefused(f"Das geht nicht: {error}.", f"{error}.", "malformed") from error


def _action(action: Mapping[str, Any], by: str) -> TournamentAction:
    """Read an action; what a person hands in at the desk is a card, whatever it says."""
    data = dict(action)
    made = ACTION_TYPES.get(str(data.get("type")))
    if made is not None and by and "by" in {field.name for field in fields(made)}:
        data.setdefault("by", by)
    found = tournament_action_from_json(data)
    if isinstance(found, HandIn | CorrectResult):
        return replace(found, result=replace(found.result, source="card"))
    return found


def _open(state: HallState, action: Mapping[str, Any], devices: Sequence[str]) -> Decided:
    if state.tournament is not None and not state.tournament.is_over:
        raise ActionRefused(
            f"Das Turnier {state.tournament.state.name} läuft noch. Erst beenden, dann eröffnen.",
            f"The tournament {state.tournament.state.name} is under way. End it, then open one.",
            "tournament_under_way",
        )
    text = str(action.get("format_text") or "")
    try:
        made = own_format(text) if text else find_format(str(action.get("format")))
        book = find_book(str(action.get("book")))
    except RulesError as error:
        raise ActionRefused(f"So nicht: {error}.", f"{error}.", "unknown") from error
    name, seed = (str(action.get(what) or "").strip() for what in ("name", "seed"))
    started = Tournament.new(made, name, seed=seed).started
    entries = [(OPENED, {"book": book.key}), tournament_entry(started)]
    return Decided(entries, (started,))


def _assign(state: HallState, action: Mapping[str, Any], devices: Sequence[str]) -> Decided:
    one = _round(state)
    number, device = action.get("table"), str(action.get("device") or "")
    if not isinstance(number, int) or number not in range(1, len(one.tables) + 1):
        raise MalformedRecord(f"the round has no table {number!r}")
    if device and device not in devices:
        raise MalformedRecord(f"no table {device!r} is paired")
    named = {n: name for n, name in state.devices(one).items() if name != device}
    off = named.pop(number, "")
    if device:
        named[number] = device
    kind, data = _assigned(one.number, one.attempt, named)
    return Decided([(kind, {**data, "off": off})])


def _collect(state: HallState, action: Mapping[str, Any], devices: Sequence[str]) -> Decided:
    one, tournament = _round(state), state.tournament
    numbers = action.get("tables")
    if not isinstance(numbers, list | tuple) or not all(type(n) is int for n in numbers):
        raise MalformedRecord(f"tables must be a list of numbers, but is {numbers!r}")
    assert tournament is not None, "there is a round"
    entries: list[tuple[str, dict[str, Any]]] = []
    events: list[TournamentEvent] = []
    reason = str(action.get("reason") or "")
    for number in numbers:
        result = _collected(state, one, number, reason)
        tournament, done = tournament.do(HandIn(table=number, result=result, round=one.number))
        events += done
        entries += [tournament_entry(event) for event in done]
    return Decided(entries, tuple(events))


def _collected(state: HallState, one: Round, number: int, reason: str) -> TableResult:
    """What a table's log says so far, if a result can be made of it without anybody's word."""
    if len(played_at(state).get(state.place(one, number), ())) > 1:
        raise ActionRefused(
            f"An Tisch {number} haben zwei Geräte gezählt; bitte die Karte eintragen.",
            f"Two devices have counted at table {number}; please enter its card.",
            "two_devices",
        )
    result = from_log(state, one, number, cut_short=reason)
    if result is None:
        raise ActionRefused(
            f"An Tisch {number} steht kein Gerät; bitte die Karte eintragen.",
            f"No device stands at table {number}; please enter its card.",
            "no_device",
        )
    if not result.games:
        raise ActionRefused(
            f"Tisch {number} hat noch kein Spiel beendet. Warten, oder die Karte eintragen.",
            f"Table {number} has not ended a game yet. Wait, or enter its card.",
            "no_game",
        )
    return result


def _of_tournament(state: HallState, action: TournamentAction, devices: Sequence[str]) -> Decided:
    tournament = state.tournament
    if tournament is None:
        raise ActionRefused(
            "Es ist noch kein Turnier eröffnet.", "No tournament was opened yet.", "no_tournament"
        )
    events = tournament.decide(action)
    entries = [tournament_entry(event) for event in events]
    for event in events:
        if isinstance(event, RoundDrawn):
            named = placed(len(event.tables), devices, state)
            entries.append(_assigned(event.number, event.attempt, named))
    return Decided(entries, events)


def placed(count: int, devices: Sequence[str], state: HallState) -> dict[int, str]:
    """Say which device stands at which of `count` tables.

    Those that are there come first, a table numbered as the draw's where it can be. One that was
    taken off a table by hand is left out until it has come back.
    """
    devices = [name for name in devices if name not in state.off]

    def rank(name: str) -> tuple[bool, int, str]:
        known = state.tables.get(name)
        return (known is None or not known.online, number_of(name) or count + 1, name)

    chosen = sorted(devices, key=rank)[:count]
    named = {n: name for name in chosen if 0 < (n := number_of(name)) <= count}
    rest = [name for name in chosen if name not in named.values()]
    for number in range(1, count + 1):
        if number not in named and rest:
            named[number] = rest.pop(0)
    return dict(sorted(named.items()))


def number_of(device: str) -> int:
    """The number at the end of a device's name, such as 7 of `table-7`; 0 without one."""
    found = re.search(r"(\d{1,4})$", device)
    return int(found[1]) if found else 0


def _round(state: HallState) -> Round:
    one = state.tournament.round if state.tournament is not None else None
    if one is None:
        raise ActionRefused("Es ist nichts ausgelost.", "No round was drawn yet.", "no_round")
    return one


def _start_clock(state: HallState, action: Mapping[str, Any], devices: Sequence[str]) -> Decided:
    one = _round(state)
    if not one.waiting:
        raise ActionRefused("Die Runde ist gespielt.", "The round is played.", "no_round")
    return Decided([(CLOCKED, {"round": one.number})])


def _assigned(number: int, attempt: int, named: Mapping[int, str]) -> tuple[str, dict[str, Any]]:
    tables = {str(n): name for n, name in sorted(named.items())}
    return ASSIGNED, {"round": number, "attempt": attempt, "tables": tables}


def tournament_entry(event: TournamentEvent) -> tuple[str, dict[str, Any]]:
    """An event of the tournament as type and data of an entry of the hub's log."""
    data = event.to_json()
    return f"{TOURNAMENT}{data.pop('type')}", data


_OWN: Mapping[str, Callable[[HallState, Mapping[str, Any], Sequence[str]], Decided]] = {
    OPEN: _open,
    ASSIGN: _assign,
    CLOCK: _start_clock,
    COLLECT: _collect,
}
