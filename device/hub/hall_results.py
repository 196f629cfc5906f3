"""What the tables' logs say of the results, against what the tournament has of them. Pure.

A table whose round is done hands in by itself. A ruling that changes a game of a round that was
scored corrects the result, whatever was drawn since. Where a person has handed in a card the log
does not overrule him: he is told that it says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from device.hub.hall_state import HallState
from device.played_games import Place
from device.played_rounds import PlayedRounds
from rules.errors import Refused, RulesError
from rules.tournament import Tournament
from rules.tournament_actions import CorrectResult, HandIn, TournamentAction
from rules.tournament_games import until_decided
from rules.tournament_results import TableResult
from rules.tournament_state import Handed, Round

CORRECTED = "Am Tisch berichtigt; das Protokoll des Tisches sagt es so."

Incident = Mapping[str, Any]


@dataclass(frozen=True)
class Due:
    """What is to be done about a table of a round.

    Attributes:
        action: for the tournament; None: nothing.
        incident: for the desk; None: nothing.
    """

    action: TournamentAction | None = None
    incident: Incident | None = None


def due(state: HallState) -> Iterator[Due]:
    """Yield what follows from the logs for all drawn rounds; do one, then ask again."""
    tournament = state.tournament
    if tournament is None:
        return
    by_place = played_at(state)
    for one in tournament.state.rounds:
        for number, device in state.devices(one).items():
            at = state.tables.get(device)
            if at is None or number > len(one.tables):
                continue
            if number not in one.handed and by_place.get(state.place(one, number), set()) - {
                device
            }:
                yield Due(incident=_incident("two_devices", one, number, device))
                continue
            found = _of_table(state, tournament, one, number, device, at.played)
            if found is not None:
                yield found


def played_at(state: HallState) -> dict[Place, set[str]]:
    """Which devices have begun games at which table of which round: more than one, if it moved."""
    found: dict[Place, set[str]] = {}
    for name, at in state.tables.items():
        for place in at.played.places:
            if state.has_stood(name, place):
                found.setdefault(place, set()).add(name)
    return found


def from_log(
    state: HallState, one: Round, number: int, *, cut_short: str = ""
) -> TableResult | None:
    """What the log of a table says so far; None where no device stands there.

    Raises:
        IllegalEvent, MalformedRecord: the log is damaged.
    """
    tournament, device = state.tournament, state.devices(one).get(number)
    at = state.tables.get(device) if device is not None else None
    if tournament is None or device is None or at is None:
        return None
    made = tournament.format
    result = at.played.result(
        state.place(one, number),
        by=device,
        separate=made.exit_ties == "throw",
        scharf=number in one.scharf,
        cut_short=cut_short,
    )
    counted = until_decided(made, one.kind, one.tables[number - 1], result.games)
    return replace(result, games=counted)


def _of_table(
    state: HallState, tournament: Tournament, one: Round, number: int, device: str,
    played: PlayedRounds,
) -> Due | None:  # fmt: skip
    try:
        result = from_log(state, one, number)
    except RulesError:
        return None  # told by the fold
    if result is None or not result.games:
        return None
    handed = one.handed.get(number)
    if handed is not None:
        return _compared(tournament, one, number, device, result, handed)
    last = tournament.round
    if last is None or one.number != last.number or number not in one.waiting:
        return None
    if not _is_done(state, one, number, played):
        return None
    return _handed_in(tournament, one, number, device, result)


def _is_done(state: HallState, one: Round, number: int, played: PlayedRounds) -> bool:
    seating = played.seating
    if seating is None or seating.place != state.place(one, number):
        return False
    return not played.next_players(seating)


def _handed_in(
    tournament: Tournament, one: Round, number: int, device: str, result: TableResult
) -> Due:
    action = HandIn(table=number, result=result, round=one.number)
    refused = tournament.refusal(action)
    if refused is None:
        return Due(action=action)
    return Due(incident=_refused(one, number, device, refused))


def _compared(
    tournament: Tournament, one: Round, number: int, device: str, result: TableResult,
    handed: Handed,
) -> Due | None:  # fmt: skip
    if handed.result.source == "card":  # games that it does not have may have been left out
        same = result.games == handed.result.games
        return None if same else Due(incident=_incident("card_differs", one, number, device))
    counted = result.games[: len(handed.result.games)]  # what came after it does not count
    if counted == handed.result.games:
        return None
    if len(counted) < len(handed.result.games):
        return Due(incident=_incident("game_reopened", one, number, device))
    told = replace(result, games=counted, cut_short=handed.result.cut_short)
    action = CorrectResult(round=one.number, table=number, result=told, by=device, reason=CORRECTED)
    refused = tournament.refusal(action)
    if refused is None:
        return Due(action=action)
    return Due(incident=_refused(one, number, device, refused))


def _incident(kind: str, one: Round, number: int, device: str) -> Incident:
    """What the desk is told of a table of a round; `kind`: of `TEXTS`."""
    named = {"round": one.number, "number": number, "table": device}
    german, english = (text.format(**named) for text in TEXTS[kind])
    return {"kind": kind, **named, "text_de": german, "text_en": english}


def _refused(one: Round, number: int, device: str, refused: Refused) -> Incident:
    told = _incident("result_refused", one, number, device)
    return {
        **told,
        "kind": f"result_refused:{refused.code}",
        "text_de": f"{told['text_de']} {refused.text_de}",
        "text_en": f"{told['text_en']} {refused.text_en}",
    }


TEXTS: Mapping[str, tuple[str, str]] = {
    "card_differs": (
        "Runde {round}, Tisch {number}: Es gilt die Karte, aber das Protokoll von {table} sagt es "
        "anders. Bitte vergleichen und, wo nötig, berichtigen.",
        "Round {round}, table {number}: the card counts, but the log of {table} says otherwise. "
        "Please compare them, and correct the result where needed.",
    ),
    "two_devices": (
        "Runde {round}, Tisch {number}: Das Gerät wurde mitten in der Runde gewechselt; die Spiele "
        "stehen in zwei Protokollen. Bitte die Karte eintragen.",
        "Round {round}, table {number}: the device was changed in the middle of the round; its "
        "games are in two logs. Please enter the table's card.",
    ),
    "game_reopened": (
        "Runde {round}, Tisch {number}: Nach einer Entscheidung ist ein Spiel wieder offen. Das "
        "gemeldete Ergebnis gilt, bis es zu Ende gespielt ist.",
        "Round {round}, table {number}: after a ruling a game is open again. The result that was "
        "handed in counts until it is over.",
    ),
    "result_refused": (
        "Runde {round}, Tisch {number}: Das Ergebnis kann nicht gewertet werden:",
        "Round {round}, table {number}: the result cannot be scored:",
    ),
}
"""Kind -> what to tell the desk, German and English."""
