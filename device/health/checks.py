"""The one table of what is looked at; everything else is made from it.

Limits are those at which a person at the table begins to notice, or at which the maker says that a
part suffers; where a limit is ours, the reason stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping

from device.health import measures
from device.health.checks_machine import MACHINE_CHECKS
from device.health.checks_store import STORE_CHECKS
from device.health.state import Check, Group, Limits, Metric, Words

HUNG_S = 30.0
"""A watch without a sign of life for so long hangs: a camera that is lost is looked for every eight
seconds and may take ten to open, and says so each time."""

TABLE_CHECKS = (
    Check(
        "watch",
        ("Beobachtung", "Watching"),
        Group.TABLE,
        measures.watch,
        (
            "Von Hand weiterspielen. Der Wachhund startet Schockauge neu; ohne ihn: aus- und "
            "wieder einschalten. Kommt es wieder, das Protokoll des Dienstes aufheben (journalctl "
            "-u schockauge).",
            "Go on by hand. The watchdog starts Schockauge anew; without one: switch it off and "
            "on. If it comes back, keep the service's log (journalctl -u schockauge).",
        ),
        unit="s",
        shown=("letztes Lebenszeichen vor {value:.0f} s", "last sign of life {value:.0f} s ago"),
        limits=Limits(bad=HUNG_S),
        metric=Metric("watch_silent_seconds"),
        alarm=(
            "Die Beobachtung des Tisches hängt. Bitte von Hand weiterspielen.",
            "The watching of the table hangs. Please go on by hand.",
        ),
    ),
    Check(
        "camera",
        ("Kamera", "Camera"),
        Group.TABLE,
        measures.camera,
        (
            "Kabel und Licht prüfen, die Marken der Matte frei machen; bis dahin von Hand "
            "weiterspielen.",
            "Check cable and light, uncover the mat's markers; until then go on by hand.",
        ),
        unit="s",
        shown=("letztes Bild vor {value:.1f} s", "last picture {value:.1f} s ago"),
        limits=Limits(warn=measures.GONE_S, bad=5.0),
        metric=Metric("camera_picture_age_seconds"),
    ),
    Check(
        "frame_rate",
        ("Bildrate", "Frame rate"),
        Group.TABLE,
        measures.frame_rate,
        (
            "Mehr Licht macht die Kamera schneller. Sonst Temperatur und Lesezeit ansehen und "
            "andere Programme beenden.",
            "More light makes the camera faster. Else look at temperature and reading time, and "
            "end other programs.",
        ),
        unit="1/s",
        shown=("{value:.1f} Bilder/s", "{value:.1f} pictures/s"),
        # A cup is lifted in a third of a second: below five pictures nobody sees it.
        limits=Limits(warn=10.0, bad=5.0, back=6.0, lower_is_worse=True),
        metric=Metric("camera_frames_per_second"),
        alarm=(
            "Die Kamera liefert zu wenige Bilder: Würfe können übersehen werden.",
            "The camera sends too few pictures: throws may be missed.",
        ),
    ),
    Check(
        "read",
        ("Lesezeit", "Reading time"),
        Group.TABLE,
        measures.read_ms,
        (
            "Temperatur und Strom ansehen: Ein gedrosselter Rechner liest langsamer. "
            "model.threads auf die Zahl der Kerne stellen; `schockauge bench read` misst nach.",
            "Look at temperature and power: a throttled machine reads slower. Set model.threads to "
            "the number of cores; `schockauge bench read` measures it.",
        ),
        unit="ms",
        shown=("{value:.0f} ms je Bild", "{value:.0f} ms a picture"),
        # Dice must be read alike several times before they count.
        limits=Limits(warn=400.0, bad=1000.0, back=800.0),
        metric=Metric("read_median_seconds", 1e-3),
        alarm=(
            "Das Lesen der Würfel dauert sehr lange; Würfe werden erst spät erkannt.",
            "Reading the dice takes very long; throws are recognised late.",
        ),
    ),
    Check(
        "told",
        ("Vom Wurf zur Anzeige", "From throw to display"),
        Group.TABLE,
        measures.told_ms,
        ("Wie bei der Lesezeit.", "As for the reading time."),
        unit="ms",
        shown=("{value:.0f} ms", "{value:.0f} ms"),
        limits=Limits(warn=1500.0, bad=4000.0),
        metric=Metric("throw_told_median_seconds", 1e-3),
    ),
    Check(
        "weights",
        ("Netze", "Networks"),
        Group.TABLE,
        measures.weights,
        (
            "Schockauge neu installieren: Die Dateien der Netze sind nicht die des Manifests, "
            "vielleicht wird die Speicherkarte schlecht. Was schon geladen ist, liest weiter.",
            "Install Schockauge again: the files of the networks are not those of the manifest; "
            "the card may be failing. What is loaded already goes on reading.",
        ),
        limits=Limits(bad=0.0, lower_is_worse=True),
        metric=Metric("weights_intact"),
        alarm=(
            "Die Dateien der Netze sind beschädigt; nach dem nächsten Start kann nicht gelesen "
            "werden.",
            "The files of the networks are damaged; after the next start nothing can be read.",
        ),
    ),
    Check(
        "version",
        ("Version", "Version"),
        Group.TABLE,
        measures.version,
        ("", ""),
    ),
)

NET_CHECKS = (
    Check(
        "hub_link",
        ("Turnierleitung", "Tournament's hub"),
        Group.NET,
        measures.hub,
        (
            "Netz und Kabel prüfen, und ob die Turnierleitung läuft. Das Spiel geht weiter; was "
            "fehlt, wird nachgereicht.",
            "Check network and cable, and whether the hub runs. The game goes on; what is missing "
            "is sent later.",
        ),
        shown={1: ("verbunden", "connected"), 0: ("nicht zu erreichen", "cannot be reached")},
        limits=Limits(bad=0.0, lower_is_worse=True),
        metric=Metric("hub_connected"),
    ),
    Check(
        "outbox",
        ("Noch nicht bei der Turnierleitung", "Not at the hub yet"),
        Group.NET,
        measures.outbox,
        ("Wie bei der Turnierleitung.", "As for the hub."),
        shown=("{value:.0f} Einträge", "{value:.0f} entries"),
        # A throw makes some five entries: ten throws are a moment's delay, a hundred are none.
        limits=Limits(warn=50.0, bad=500.0),
        metric=Metric("outbox_entries"),
    ),
)

CHECKS: tuple[Check, ...] = (*TABLE_CHECKS, *MACHINE_CHECKS, *STORE_CHECKS, *NET_CHECKS)
"""All that is looked at while an evening runs."""

BY_KEY: Mapping[str, Check] = {check.key: check for check in CHECKS}

ALARMS: Mapping[str, Words] = {
    check.fault: (f"{check.alarm[0]} {check.todo[0]}", f"{check.alarm[1]} {check.todo[1]}")
    for check in CHECKS
    if check.alarm is not None
}
"""Faults that a check becomes: code -> what to tell the table, German and English."""
