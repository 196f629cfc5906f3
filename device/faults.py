"""Everything that a table can report as wrong, in words: for its own pages and for a hub's."""

from __future__ import annotations

from collections.abc import Mapping

from device import unwritten
from device.health.checks import ALARMS
from device.hub_troubles import HUB_TROUBLES
from device.listening import FAULT as ADDRESS
from device.listening import NOT_THERE
from device.troubles import TROUBLES, UNWATCHED

SIGNALS_FAULT = "signals"

FAULTS: Mapping[str, tuple[str, str]] = {
    **TROUBLES,
    "drift": UNWATCHED,
    "disk": (
        "Es können keine Bilder der Würfe gespeichert werden; das Spiel geht ohne sie weiter.",
        "No pictures of throws can be stored; the game goes on without them.",
    ),
    "clips": (
        "Zu einem Wurf oder Fall konnte kein Film gespeichert werden: Platz und Tempo der "
        "Speicherkarte prüfen. Das Spiel geht ohne ihn weiter.",
        "No clip of a throw or case could be stored: check room and speed of the disk. The game "
        "goes on without it.",
    ),
    "evidence": (
        "Bilder und Filme brauchen mehr Platz, als sie dürfen (store.evidence_most_mb), oder sind "
        "nicht zu löschen; was übrig ist, gehört zu Fragen, Fällen, Berichtigungen oder Exporten.",
        "Stills and clips take more room than they may (store.evidence_most_mb), or cannot be "
        "deleted; what is left belongs to questions, cases, corrections or exports.",
    ),
    "model": (
        "Die Kamera kann nicht mitlesen: Das Modell auf der Speicherkarte ist beschädigt. Bitte "
        "von Hand eintragen; Schockauge neu installieren.",
        "The camera cannot read along: the model on the disk is damaged. Please enter throws by "
        "hand; install Schockauge again.",
    ),
    "mat_file": (
        "Die gemessene Würfelgröße kann nicht in der Kalibrierung gespeichert werden; sie gilt nur "
        "bis zum Ausschalten.",
        "The measured size of the dice cannot be stored in the calibration; it holds until the "
        "appliance is switched off.",
    ),
    "setup": (
        "Der Tisch wird gerade eingerichtet; solange liest die Kamera keine Würfe. Bitte von Hand "
        "weiterspielen, oder die Einrichtung beenden.",
        "The table is being set up; until that is done the camera reads no throws. Please go on by "
        "hand, or end the set-up.",
    ),
    ADDRESS: NOT_THERE,
    **HUB_TROUBLES,
    SIGNALS_FAULT: (
        "Lampe, Summer oder Taster sind nicht anzusprechen: Anschlüsse und Einstellungen "
        "(signals.…) prüfen. Das Spiel geht ohne sie weiter.",
        "Lamp, buzzer or button cannot be used: check their wires and the settings (signals.…). "
        "The game goes on without them.",
    ),
    **ALARMS,
    unwritten.WHAT: unwritten.TEXT,
}
"""Code -> what to tell the people at the table, German and English."""
