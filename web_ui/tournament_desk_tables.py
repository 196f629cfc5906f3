"""What the desk can do about the tables of a round: their devices, and the end of their time."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.tournament_state import Round
from web_ui.i18n import text
from web_ui.tournament_acting import refusal_text
from web_ui.tournament_ports import ASSIGN, COLLECT, Hall, TableStatus

ANY_REASON = "?"
"""Stands for what somebody will enter, to ask whether a button works."""


def devices_view(hall: Hall, one: Round | None, lang: str) -> list[dict[str, Any]]:
    """Return which device stands at which table that still plays, and which could.

    Args:
        hall: in which is acted.
        one: the last round that was drawn.
        lang: language of the texts.

    Returns:
        A row a table; none without a round that is played, or where no device was ever paired.
    """
    statuses = hall.tables()
    paired = sorted((one for one in statuses if one.name), key=lambda one: one.name)
    if one is None or not paired:
        return []
    at = {status.number: status.name for status in statuses}
    return [
        {
            "number": number,
            "players": one.tables[number - 1],
            "device": at.get(number, ""),
            "devices": [(status.name, _label(status, number, lang)) for status in paired],
            "refused": refusal_text({"type": ASSIGN, "table": number, "device": ""}, lang),
        }
        for number in one.waiting
    ]


def _label(status: TableStatus, number: int, lang: str) -> str:
    """A device as a choice for a table: where it stands else, and whether it is there."""
    notes = []
    if status.number and status.number != number:
        notes.append(text(lang, "hall.table", n=status.number))
    if not status.online:
        notes.append(text(lang, "hall.away"))
    return f"{status.name} ({', '.join(notes)})" if notes else status.name


def time_up_view(one: Round | None, statuses: Sequence[TableStatus], lang: str) -> dict[str, Any]:
    """Return what can be done when the time is up: which tables count as they are, or play scharf.

    Args:
        one: the last round that was drawn.
        statuses: of the tables.
        lang: language of the texts.
    """
    waiting = () if one is None else one.waiting
    at = {status.number: status for status in statuses}
    rows = [_time_up(number, at.get(number), lang) for number in waiting]
    none = text(lang, "hall.no_round")
    reasons = [row["refused"] for row in rows]
    no_collect = "" if not all(reasons) else " ".join(dict.fromkeys(reasons)) or none
    scharf = {"type": "call_scharf", "tables": list(waiting), "by": ANY_REASON}
    no_scharf = refusal_text(scharf, lang) or ("" if waiting else none)
    return {"rows": rows, "no_collect": no_collect, "no_scharf": no_scharf}


def _time_up(number: int, status: TableStatus | None, lang: str) -> Mapping[str, Any]:
    device = "" if status is None else status.name
    collect = {"type": COLLECT, "tables": [number], "reason": ANY_REASON}
    return {"number": number, "device": device, "refused": refusal_text(collect, lang)}
