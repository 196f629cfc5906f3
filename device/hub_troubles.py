"""What can be wrong between a table and the hub, in words for the people at the table."""

from __future__ import annotations

from collections.abc import Mapping

_GOES_ON = (
    "Das Spiel geht weiter; was fehlt, wird nachgereicht.",
    "The game goes on; what is missing is sent later.",
)

HUB_TROUBLES: Mapping[str, tuple[str, str]] = {
    "hub": (
        f"Die Turnierleitung ist nicht zu erreichen: Netz und Kabel prüfen. {_GOES_ON[0]}",
        f"The tournament's hub cannot be reached: check network and cable. {_GOES_ON[1]}",
    ),
    "hub_refused": (
        f"Die Turnierleitung kennt diesen Tisch nicht (mehr): ihn dort neu koppeln. {_GOES_ON[0]}",
        "The tournament's hub does not know this table (any more): pair it there anew. "
        f"{_GOES_ON[1]}",
    ),
    "hub_untrusted": (
        "Was sich als Turnierleitung meldet, hat nicht deren Zertifikat: Adresse prüfen, sonst neu "
        f"koppeln. {_GOES_ON[0]}",
        "What answers as the tournament's hub has not its certificate: check the address, or pair "
        f"the table anew. {_GOES_ON[1]}",
    ),
    "hub_silent": (
        f"Die Turnierleitung nimmt zurzeit nichts an. {_GOES_ON[0]}",
        f"The tournament's hub takes nothing at present. {_GOES_ON[1]}",
    ),
    "hub_ahead": (
        "Die Turnierleitung hat mehr von diesem Protokoll als der Tisch selbst: die Datei stammt "
        "aus einer älteren Kopie. Es wird nichts mehr gesendet; den Tisch mit einem neuen "
        "Protokoll (store.path) starten.",
        "The tournament's hub has more of this log than the table itself: the file comes from an "
        "older copy. Nothing is sent any more; start the table with a new log (store.path).",
    ),
    "hub_forged": (
        "Etwas gibt sich als Turnierleitung aus und wurde nicht angenommen. Bitte dort melden.",
        "Something speaks in the name of the tournament's hub and was refused. Please tell them.",
    ),
}
"""Code -> what to tell the table, German and English."""
