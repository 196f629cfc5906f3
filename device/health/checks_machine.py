"""What is looked at in the machine itself; part of `device.health.checks`."""

from __future__ import annotations

from device.health import measures
from device.health.machine import EARLIER, NEVER, NOW
from device.health.state import Check, Group, Limits, Metric

MACHINE_CHECKS = (
    Check(
        "temperature",
        ("Temperatur", "Temperature"),
        Group.MACHINE,
        measures.temperature,
        (
            "Luft an den Rechner lassen, nicht in die Sonne oder über die Heizung; hilft das "
            "nicht, einen Lüfter (Active Cooler) einbauen.",
            "Give the machine air, keep it out of the sun and off the radiator; if that does not "
            "help, fit a fan (Active Cooler).",
        ),
        unit="°C",
        shown=("{value:.0f} °C", "{value:.0f} °C"),
        # A Raspberry Pi slows itself down from 80 °C on, and more so from 85 °C on (its manual).
        limits=Limits(warn=75.0, bad=80.0, back=77.0),
        metric=Metric("cpu_temperature_celsius"),
        alarm=("Der Rechner ist zu heiß.", "The machine is too hot."),
    ),
    Check(
        "power",
        ("Strom", "Power"),
        Group.MACHINE,
        measures.power,
        (
            "Das Netzteil des Herstellers (27 W für den Pi 5) und ein kurzes Kabel nehmen, keine "
            "anderen Geräte daran: Bei zu wenig Strom nimmt die Speicherkarte Schaden.",
            "Use the maker's power supply (27 W for the Pi 5) and a short cable, and nothing else "
            "on it: with too little power the card takes harm.",
        ),
        shown={
            NEVER: ("reicht", "suffices"),
            EARLIER: (
                "war seit dem Einschalten zu schwach",
                "was too weak since it was switched on",
            ),
            NOW: ("ist zu schwach", "is too weak"),
        },
        limits=Limits(warn=EARLIER, bad=NOW),
        metric=Metric("under_voltage"),
        alarm=("Der Rechner bekommt zu wenig Strom.", "The machine gets too little power."),
    ),
    Check(
        "throttling",
        ("Drosselung", "Throttling"),
        Group.MACHINE,
        measures.throttling,
        (
            "Temperatur und Strom ansehen: Der Rechner bremst sich, bis beides wieder gut ist.",
            "Look at temperature and power: the machine slows itself down until both are good "
            "again.",
        ),
        shown={
            NEVER: ("keine", "none"),
            EARLIER: ("seit dem Einschalten vorgekommen", "has occurred since it was switched on"),
            NOW: ("gedrosselt", "throttled"),
        },
        limits=Limits(warn=EARLIER, bad=NOW),
        metric=Metric("throttled"),
        alarm=("Der Rechner bremst sich selbst.", "The machine slows itself down."),
    ),
    Check(
        "memory",
        ("Speicher des Programms", "Memory of the program"),
        Group.MACHINE,
        measures.memory,
        (
            "Bei der nächsten Pause neu starten; nichts geht verloren. Wächst er wieder, bitte "
            "melden, mit dieser Seite als Bild.",
            "Restart in the next break; nothing is lost. If it grows again, please report it with "
            "a picture of this page.",
        ),
        unit="MB",
        shown=("{value:.0f} MB", "{value:.0f} MB"),
        # A table that plays has 450 to 500 MB; with more than that for long something leaks.
        limits=Limits(warn=600.0, bad=800.0),
        metric=Metric("resident_memory_bytes", 1e6),
    ),
    Check(
        "memory_free",
        ("Freier Arbeitsspeicher", "Free memory"),
        Group.MACHINE,
        measures.memory_free,
        (
            "Andere Programme beenden (Browser auf demselben Rechner?), sonst neu starten.",
            "End other programs (a browser on the same machine?), else restart.",
        ),
        unit="MB",
        shown=("{value:.0f} MB", "{value:.0f} MB"),
        limits=Limits(warn=250.0, bad=100.0, back=150.0, lower_is_worse=True),
        metric=Metric("memory_available_bytes", 1e6),
        alarm=(
            "Der Arbeitsspeicher ist fast voll; das Programm könnte beendet werden.",
            "The machine's memory is almost full; the program might be ended.",
        ),
    ),
    Check(
        "uptime",
        ("Läuft seit", "Running for"),
        Group.MACHINE,
        measures.uptime,
        ("", ""),
        unit="h",
        shown=("{value:.1f} Stunden", "{value:.1f} hours"),
        metric=Metric("uptime_seconds", 3600.0),
    ),
)
