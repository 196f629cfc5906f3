"""What somebody at the desk should look into: alarms of the hub itself, then the rest by time."""

import time
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

from web_ui.i18n import text
from web_ui.legible import LATEST_S
from web_ui.parsing import LONGEST_NAME
from web_ui.tournament_context import now_s

ALARMS = frozenset({"database", "broker", "receiver", "hall"})
"""Faults of the hub itself, as long as they last: `what` of an incident without a table."""

MOST_OPEN = 8
"""Incidents that are shown at once; earlier ones are unfolded."""

LONGEST_TOLD = 600
"""Characters of one; what tables say of themselves may be longer."""

TODAY_S = 16 * 3600.0
"""For so long the time of day says when something was; then the date is told, too."""


def alarms(told: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return those incidents that are faults of the hub itself."""
    return [one for one in told if one.get("what") in ALARMS and not one.get("table")]


def incidents_view(told: Sequence[Mapping[str, Any]], lang: str) -> dict[str, Any]:
    """Return what the desk shows of incidents.

    Args:
        told: in any order; see `web_ui.tournament_ports.Hall.incidents`.
        lang: language of the texts.

    Returns:
        `alarms`: sentences; `incidents` and `earlier`: rows, the latest first. What was told more
        than once is one row that says how often. `alarms_key` and `incidents_key` change with them.
    """
    loud = alarms(told)
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for one in told:
        if one in loud:
            continue
        table, said = str(one.get("table") or "")[:LONGEST_NAME], _sentence(one, lang)
        row = rows.setdefault((table, said), {"table": table, "text": said, "n": 0, "at_s": 0.0})
        row["n"] += max(1, _number(one.get("count")))
        row["at_s"] = max(row["at_s"], _time_s(one.get("at_s")))
    latest = sorted(rows.values(), key=lambda row: -row["at_s"])
    for row in latest:
        row["time"] = _shown(row["at_s"])
        row["times"] = text(lang, "hall.incident.times", n=row["n"]) if row["n"] > 1 else ""
    loudest = list(dict.fromkeys(_sentence(one, lang) for one in loud))
    return {
        "alarms": loudest,
        "alarms_key": _key(loudest),
        "incidents": latest[:MOST_OPEN],
        "earlier": latest[MOST_OPEN:],
        "incidents_key": _key(latest),
    }


def _key(shown: object) -> str:
    """Tells what is shown from something else: as long as it is the same, the page keeps it."""
    return f"{crc32(repr(shown).encode()):x}"


def _sentence(one: Mapping[str, Any], lang: str) -> str:
    """What is told in the language, or in the other one; of what says nothing, its code."""
    for name in (f"text_{lang}", "text_de", "text_en"):
        said = one.get(name)
        if isinstance(said, str) and said.strip():
            return said if len(said) <= LONGEST_TOLD else f"{said[: LONGEST_TOLD - 1]}…"
    what = str(one.get("what") or "?")[:LONGEST_TOLD]
    return text(lang, "hall.incident.unknown", what=what)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 1


def _time_s(value: object) -> float:
    return float(value) if isinstance(value, int | float) and 0 < value < LATEST_S else 0.0


def _shown(at_s: float) -> str:
    """The hub's time of day, with the date where it is not of this evening; "" without a time."""
    if not at_s:
        return ""
    form = "%H:%M" if abs(now_s() - at_s) < TODAY_S else "%d.%m. %H:%M"
    return time.strftime(form, time.localtime(at_s))
