"""What a table's messages can be refused for, in words; and how often that is written down. Pure.

Whoever floods the hub must not fill its disk: of each kind and table the first incident is written
at once, then a count, at most one a minute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

EVERY_S = 60.0
"""How often the same is written down again, in seconds."""

INCIDENT = "incident"
"""Type of the entries in the hub's log."""

FORGED, STRANGER, FOREIGN = "forged", "stranger", "foreign"
CONFLICT, BROKEN = "conflict", "broken"
MALFORMED, TOO_LARGE, REFUSED = "malformed", "too_large", "refused"

TEXTS: Mapping[str, tuple[str, str]] = {
    FORGED: (
        "Im Namen von {table} kam eine Nachricht ohne gültiges Siegel; sie wurde verworfen. Ist "
        "der Tisch neu aufgesetzt, neu koppeln; sonst gibt sich jemand für ihn aus.",
        "A message in the name of {table} has no valid seal; it was dropped. If the table was set "
        "up anew, pair it again; else somebody poses as it.",
    ),
    STRANGER: (
        "{table} ist nicht gekoppelt und sendet trotzdem; nichts davon wurde übernommen. Gehört "
        "der Tisch dazu, koppeln.",
        "{table} is not paired and sends all the same; nothing of it was taken. If it belongs "
        "here, pair it.",
    ),
    FOREIGN: (
        "{table} führt ein Log fort, das ein anderer Tisch begonnen hat; nichts davon wurde "
        "übernommen. Dort ein neues Log beginnen.",
        "{table} goes on with a log that another table began; nothing of it was taken. Begin a new "
        "log there.",
    ),
    CONFLICT: (
        "{table} sagt ab Eintrag {seq} etwas anderes als zuvor: sein Log wurde verändert oder "
        "zurückgesetzt. Es gilt, was zuerst kam. Den Tisch prüfen und dort ein neues Log beginnen.",
        "{table} says something else than before from entry {seq} on: its log was changed or "
        "rolled back. What came first holds. Look at the table and begin a new log there.",
    ),
    BROKEN: (
        "Eintrag {seq} von {table} passt nicht in die Kette seines Logs; ab da wurde nichts "
        "übernommen. Das Log am Tisch prüfen und ein neues beginnen.",
        "Entry {seq} of {table} does not fit into the chain of its log; nothing was taken from "
        "there on. Check the log at the table and begin a new one.",
    ),
    MALFORMED: (
        "Eintrag {seq} von {table} ist kein Eintrag eines Logs; ab da wurde nichts übernommen. "
        "Ist an dem Tisch eine andere Version?",
        "Entry {seq} of {table} is no entry of a log; nothing was taken from there on. Does "
        "another version run at the table?",
    ),
    TOO_LARGE: (
        "Eine Nachricht von {table} ist zu groß und wurde verworfen. Ist an dem Tisch eine andere "
        "Version?",
        "A message of {table} is too large and was dropped. Does another version run at the table?",
    ),
    REFUSED: (
        "Die Datenbank nimmt nicht an, was {table} sendet; es wurde verworfen. Bitte melden.",
        "The database does not take what {table} sends; it was dropped. Please report this.",
    ),
}
"""Kind -> what to tell the desk, German and English."""


@dataclass(frozen=True)
class Incident:
    """Something that was refused.

    Attributes:
        kind: of `TEXTS`.
        table: who sent it, or in whose name it came.
        log: of which log it is; "" where that cannot be said.
        seq: from which of its entries on; 0 where that cannot be said.
        detail: more for whoever looks into it.
    """

    kind: str
    table: str
    log: str = ""
    seq: int = 0
    detail: str = ""

    def texts(self) -> tuple[str, str]:
        """What to tell the desk, German and English."""
        german, english = TEXTS[self.kind]
        named = {"table": self.table, "seq": self.seq or "?"}
        return german.format(**named), english.format(**named)

    def to_data(self, count: int) -> dict[str, Any]:
        """As the content of an entry; `count`: how many there were since the last one."""
        german, english = self.texts()
        return {
            "kind": self.kind,
            "table": self.table,
            "log": self.log,
            "seq": self.seq,
            "detail": self.detail,
            "count": count,
            "text_de": german,
            "text_en": english,
        }


@dataclass
class _Line:
    latest: Incident
    count: int = 0
    written_s: float = float("-inf")


class IncidentBook:
    """Which incidents are to be written down now. Times are of one clock that never goes back."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], _Line] = {}

    def note(self, incident: Incident) -> None:
        """Count one. Strangers share a line: they may call themselves anything."""
        key = (incident.kind, "" if incident.kind == STRANGER else incident.table)
        line = self._lines.setdefault(key, _Line(incident))
        line.latest, line.count = incident, line.count + 1

    def waiting(self) -> bool:
        """Whether anything is not yet written down."""
        return any(line.count for line in self._lines.values())

    def due(self, now_s: float) -> list[dict[str, Any]]:
        """The content of the entries that are due; `written` says that they are written."""
        return [line.latest.to_data(line.count) for line in self._due(now_s)]

    def written(self, now_s: float) -> None:
        """What was due at `now_s` is written."""
        for line in self._due(now_s):
            line.count, line.written_s = 0, now_s

    def _due(self, now_s: float) -> list[_Line]:
        return [
            line
            for line in self._lines.values()
            if line.count and now_s - line.written_s >= EVERY_S
        ]
