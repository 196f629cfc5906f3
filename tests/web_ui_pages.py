"""Every page there is, at moments of an evening that together show all that can be on them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from health_fakes import on_a_pi
from test_web_ui_table import ListLog, Table
from web_ui_desk import DeskTable, dispute, first_round, thrown_by
from web_ui_scenes import evening, mid_round, names
from web_ui_setup import ScriptedSetup

from rules.actions import Pause
from web_ui.ports import HealthRow
from web_ui.setup_ports import STEPS

PAGES: Mapping[str, tuple[str, ...]] = {
    "/": ("",),
    "/table": ("table",),
    "/referee": ("referee",),
    "/start": ("start",),
    "/statistics": ("statistics",),
    "/tv": ("tv",),
    "/overlay": ("overlay",),
    "/signin": ("signin?role=referee",),
    "/pins": ("pins",),
    "/settings": ("settings",),
    "/health": ("health",),
    "/rules/<book>": ("rules/statuten",),
    "/setup": ("setup",),
    "/setup/<step>": tuple(f"setup/{step}" for step in sorted(STEPS, key="light".__ne__)),
}
"""The addresses under which each route of the application that is a page is looked at."""

FILES = frozenset(
    {
        "/static/<path:filename>",
        "/evidence/<name>",
        "/setup/look/<view>",
        "/setup/print/<name>",
    }
)
"""Routes that send files as they are."""

ALIKE = (
    "/signin",
    "/pins",
    "/settings",
    "/health",
    "/rules/<book>",
    "/setup",
    "/setup/<step>",
)
"""Pages that look the same at every moment."""

MISSING = "no-such-page"
"""Where nothing is: the page of an error."""


@dataclass(frozen=True)
class Moment:
    """A table at some moment, and what is looked at then.

    Attributes:
        table: made with a folder for its pictures.
        paths: addresses, without the first slash.
    """

    table: Callable[[Path], Any]
    paths: tuple[str, ...]


class SomeHealth:
    """A machine with something of everything, each state and group among it."""

    def rows(self) -> list[HealthRow]:
        said = {
            "camera": ("table", "bad", 7.2, "s", "Kamera", "Camera"),
            "frame_rate": ("table", "good", 24.8, "1/s", "Bildrate", "Frame rate"),
            "temperature": ("machine", "warn", 77.0, "°C", "Temperatur", "Temperature"),
            "uptime": ("machine", "noted", 5.5, "h", "Läuft seit", "Running for"),
            "clock": ("store", "unknown", None, "", "Uhr", "Clock"),
            "hub_link": ("net", "good", 1, "", "Turnierleitung", "Tournament's hub"),
        }
        words = "hier nicht zu messen", "unknown here"
        return [
            HealthRow(
                key=key,
                group=group,
                state=state,
                value=value,
                unit=unit,
                title=(de, en),
                said=words if value is None else (f"{value} {unit}", f"{value} {unit}"),
                todo=("Kabel und Luft prüfen.", "Check cable and air."),
            )
            for key, (group, state, value, unit, de, en) in said.items()
        ]

    def failing(self) -> list[str]:
        return []

    def metrics(self) -> tuple[bytes, str]:
        return b"# nothing\n", "text/plain"


class Nothing:
    """A table at which nobody has played, and that is being set up."""

    def __init__(self, folder: Path) -> None:
        self.log = ListLog()
        self.setup = ScriptedSetup()
        self.health = on_a_pi(folder)

    def submit(self, action: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError(f"nobody plays, yet somebody sent {action}")


def running(folder: Path) -> Table:
    """The second half: results, a covered one, a one put out, markers of the first."""
    table = Table(names(5))
    mid_round(table)
    return table


def final(folder: Path) -> Table:
    """The final, in which others no longer play, paused, and a fault."""
    table = Table(names(5, long=True))
    mid_round(table, part="final", round=2)
    table.do(Pause("Ute"))
    told = {"text_de": "Die Kamera liefert keine Bilder.", "text_en": "The camera sends nothing."}
    table.log.append("fault", {"what": "camera", **told})
    return table


def asked(folder: Path) -> Any:
    """A throw that was not read for sure and one that is disputed, both with still and clip."""
    table = first_round(DeskTable("Anna", "Ben", "Cem", folder=folder), clips=True)
    likely = ((6, 5, 3), (6, 5, 2))
    doubt = {"sure": False, "doubt": 2, "reason": "values", "candidates": likely}
    table.see("unsure", (6, 5, 3), clip=True, **doubt)
    dispute(table, "Ben", by="Cem")
    return table.served


def ruled(folder: Path) -> Any:
    """The referee has corrected a throw."""
    table = first_round(DeskTable("Anna", "Ben", "Cem", folder=folder), clips=True)
    correct(table)
    return table.served


def correct(table: DeskTable) -> None:
    """Correct Ben's throw, by which another loses the round."""
    about = {"player": "Ben", "throw_id": thrown_by(table, "Ben")["throw_id"]}
    corrected = {"type": "correct_throw", **about, "dice": [5, 3, 2], "by": "Ute", "reason": "Film"}
    table.act(corrected)


def over(folder: Path) -> Table:
    """After two games."""
    table = Table(names(6))
    evening(table, games=2)
    return table


def _live(*more: str) -> tuple[str, ...]:
    return (*(path for rule in PAGES if rule not in ALIKE for path in PAGES[rule]), *more)


MOMENTS: Mapping[str, Moment] = {
    "idle": Moment(Nothing, _live(*(path for rule in ALIKE for path in PAGES[rule]), MISSING)),
    "running": Moment(running, _live()),
    "final": Moment(final, _live()),
    "asked": Moment(asked, _live("referee?item=case-claim-1", "referee?item=throw-4")),
    "ruled": Moment(ruled, _live()),
    "over": Moment(over, _live()),
}
