"""What has happened in a tournament, as sentences for the desk."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from web_ui.i18n import has, text
from web_ui.ports import LogEntry

Json = Mapping[str, Any]


def latest_view(entries: Sequence[LogEntry], lang: str) -> list[dict[str, Any]]:
    """Return entries of a tournament's log with their sentences."""
    return [{"seq": one.seq, "at_s": one.at_s, "text": sentence(one, lang)} for one in entries]


def sentence(entry: LogEntry, lang: str) -> str:
    """Say what an entry tells; of one that this version does not know, its type."""
    if not has(lang, f"hall.log.{entry.type}"):
        return entry.type
    try:
        words = _WORDS.get(entry.type, dict)(entry.data)
    except (TypeError, ValueError):
        return entry.type  # it has other fields than this version knows
    said = text(lang, f"hall.log.{entry.type}", **words)
    reason = str(entry.data.get("reason", ""))
    return f"{said} ({reason})" if reason else said


def _own(*names: str) -> Callable[[Json], dict[str, Any]]:
    def words(data: Json) -> dict[str, Any]:
        return {name: data.get(name, "?") for name in names}

    return words


def _drawn(data: Json) -> dict[str, Any]:
    return {"number": data.get("number", "?"), "count": len(data.get("tables", ()))}


def _handed(data: Json) -> dict[str, Any]:
    by = dict(data.get("result", {})).get("by", "?")
    return {"round": data.get("round", "?"), "table": data.get("table", "?"), "by": by}


def _scharf(data: Json) -> dict[str, Any]:
    return {"tables": ", ".join(map(str, data.get("tables", ())))}


def _stechen(data: Json) -> dict[str, Any]:
    groups = (" = ".join(group) for group in data.get("order", ()))
    return {"order": ", ".join(groups)}


_WORDS: Mapping[str, Callable[[Json], dict[str, Any]]] = {
    "tournament_started": _own("name"),
    "registered": _own("player"),
    "fee_paid": _own("player", "eur"),
    "charity_paid": _own("player", "eur"),
    "player_left": _own("player"),
    "player_back": _own("player"),
    "round_drawn": _drawn,
    "player_seated": _own("player", "table"),
    "table_handed_in": _handed,
    "result_corrected": _own("round", "table", "by"),
    "scharf_called": _scharf,
    "stechen_recorded": _stechen,
    "tournament_finished": _own("by"),
}
