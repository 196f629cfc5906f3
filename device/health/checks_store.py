"""What is looked at in disk, backup and clock; part of `device.health.checks`."""

from __future__ import annotations

from device.health import measures
from device.health.state import Check, Group, Limits, Metric

LEAST_FREE_MB = 1000.0
"""An evening of 500 throws takes half of it: a still has some 0.1 MB, a clip 1 MB at most."""

STORE_CHECKS = (
    Check(
        "log",
        ("Protokoll schreibbar", "Log can be written"),
        Group.STORE,
        measures.log,
        (
            "Platz schaffen. Ist die Speicherkarte nur noch lesbar, ist sie am Ende: den Abend "
            "sichern (`schockauge backup`), Karte tauschen, Sicherung einspielen.",
            "Make room. If the card can only be read, it is at its end: back the evening up "
            "(`schockauge backup`), change the card, restore.",
        ),
        limits=Limits(bad=0.0, lower_is_worse=True),
        metric=Metric("log_writable"),
    ),
    Check(
        "file_system",
        ("Dateisystem", "File system"),
        Group.STORE,
        measures.file_system,
        (
            "Die Speicherkarte wird schlecht: den Abend bald sichern (`schockauge backup`) und die "
            "Karte tauschen.",
            "The card is failing: back the evening up soon (`schockauge backup`) and change the "
            "card.",
        ),
        # The count stays after a repair; what is already unreadable the log itself tells.
        limits=Limits(warn=1.0),
        metric=Metric("file_system_errors"),
    ),
    Check(
        "disk",
        ("Freier Platz", "Free space"),
        Group.STORE,
        measures.disk,
        (
            "Unter /settings store.evidence_most_mb oder store.evidence_days kleiner stellen; "
            "sonst löscht, wer den Rechner betreut, andere Dateien darauf.",
            "Lower store.evidence_most_mb or store.evidence_days at /settings; else whoever looks "
            "after the machine deletes other files on it.",
        ),
        unit="MB",
        shown=("{value:,.0f} MB", "{value:,.0f} MB"),
        limits=Limits(
            warn=2 * LEAST_FREE_MB, bad=LEAST_FREE_MB, back=1.2 * LEAST_FREE_MB, lower_is_worse=True
        ),
        metric=Metric("disk_free_bytes", 1e6),
        alarm=(
            "Die Speicherkarte ist fast voll; bald fehlt der Platz für Bilder und Protokoll.",
            "The disk is almost full; soon there is no room for pictures and log.",
        ),
    ),
    Check(
        "disk_days",
        ("Platz reicht noch", "Space lasts for"),
        Group.STORE,
        measures.disk_days,
        ("Wie beim freien Platz.", "As for the free space."),
        unit="days",
        shown=("{value:.1f} Tage", "{value:.1f} days"),
        limits=Limits(warn=7.0, bad=1.0, lower_is_worse=True),
        metric=Metric("disk_full_in_seconds", 86_400.0),
    ),
    Check(
        "backup",
        ("Letzte Sicherung", "Last backup"),
        Group.STORE,
        measures.backup,
        (
            "Auf einen USB-Stick sichern: `schockauge backup`.",
            "Back up to a USB stick: `schockauge backup`.",
        ),
        unit="days",
        shown=("vor {value:.0f} Tagen", "{value:.0f} days ago"),
        limits=Limits(warn=7.0),
        metric=Metric("backup_age_seconds", 86_400.0),
    ),
    Check(
        "clock",
        ("Uhr", "Clock"),
        Group.STORE,
        measures.clock_set,
        (
            "Den Rechner ans Netz lassen oder die Uhr stellen; ein Pi ohne Batterie weiß nach dem "
            "Einschalten nicht, wie spät es ist. Das Spiel braucht sie nicht, das Protokoll schon.",
            "Let the machine reach the network, or set the clock; a Pi without a battery does not "
            "know the time after it was switched on. The game does not need it, the log does.",
        ),
        shown={
            1: ("wird vom Netz gestellt", "set by the network"),
            0: ("von niemandem gestellt", "set by nobody"),
        },
        limits=Limits(warn=0.0, lower_is_worse=True),
        metric=Metric("clock_synchronised"),
    ),
    Check(
        "clock_jump",
        ("Sprung der Uhr", "Jump of the clock"),
        Group.STORE,
        measures.clock_jump,
        (
            "Nichts ist verloren, die Reihenfolge im Protokoll stimmt; nur die Uhrzeiten davor "
            "sind um so viel falsch.",
            "Nothing is lost and the order in the log is right; only the times before are wrong "
            "by so much.",
        ),
        unit="s",
        shown=("{value:.0f} s in der letzten halben Stunde", "{value:.0f} s in the last half hour"),
        limits=Limits(warn=1.0, bad=60.0),
        metric=Metric("clock_jump_seconds"),
        alarm=("Die Uhr des Rechners ist gesprungen.", "The machine's clock has jumped."),
    ),
)
