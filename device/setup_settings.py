"""The settings of a table while it is set up: what every step writes, and what it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from device import setup_mat
from device.books import book_named
from device.errors import SettingsError, SourceError
from device.places import seats as seats_of
from device.setting import Value
from device.settings import Settings
from rules.errors import UnknownBook
from vision.errors import CalibrationError, SeatsError
from web_ui.errors import ActionRefused
from web_ui.setup_ports import RuleFacts, SeatFacts

Change = Callable[[Mapping[str, Value | None]], Settings]
"""Writes settings into their file, None: back to the default; returns all as they are then. Where
none are given it only reads them."""


class SetupSettings:
    """Settings that are being made. All refusals are `ActionRefused`, and nothing has changed then.

    Args:
        settings: as they are now.
        change: writes some of them.

    Attributes:
        now: all of them as they are by now.
    """

    def __init__(self, settings: Settings, change: Change) -> None:
        self.now = settings
        self._change = change

    def set(self, values: Mapping[str, Value | None]) -> None:
        """Write settings into their file; none: read what it says by now.

        Raises:
            ActionRefused: they are not taken, or the file cannot be written.
        """
        try:
            self.now = self._change(values)
        except SettingsError as error:
            raise ActionRefused(
                f"Die Einstellungen nehmen das nicht an: {error}",
                f"The settings do not take this: {error}",
                "bad_setting",
            ) from error

    def set_size(self, width_mm: float, height_mm: float) -> None:
        """Say how large the mat is; what was stored of another one is not used any more."""
        if (width_mm, height_mm) != setup_mat.size_of(self.now):
            size = {"table.mat_width_mm": width_mm, "table.mat_height_mm": height_mm}
            self.set({**size, "table.mat_file": None})

    def seats(self) -> SeatFacts:
        """Who sits around the mat."""
        layout, problem = self.now["table.layout"], ""
        names = self.now["table.seats"] if layout == "seats" else ()
        try:
            seats_of(self.now)
        except (SeatsError, SettingsError, CalibrationError) as error:
            problem = str(error)
        return SeatFacts(layout, tuple(names or self.now["game.players"]), problem)

    def save_seats(self, layout: str, names: Sequence[str]) -> None:
        """Say who sits around the mat."""
        own = list(names) if layout == "seats" else []
        seated: dict[str, Value | None] = {
            "table.layout": layout,
            "table.seats": own,
            "game.players": list(names),
        }
        try:
            seats_of(self.now.with_values(seated), setup_mat.size_of(self.now))
        except (SeatsError, SettingsError) as error:
            raise ActionRefused(
                f"Auf dieser Matte haben nicht alle einen Platz: {error}",
                f"This mat has no seats for all of them: {error}",
                "no_seat",
            ) from error
        self.set({**seated, "table.seats": own or None})

    def rules(self) -> RuleFacts:
        """What is played."""
        named = ("game.weekday", "web.language", "web.table_name")
        return RuleFacts(self._book(), *(self.now[name] for name in named))

    def save_rules(self, rules: RuleFacts) -> None:
        """Say what is played, and how the table is called."""
        # A pub's own book is a file in the settings; on the page it has a key like the others.
        kept = self.now["game.book"] if rules.book == self._book() else rules.book
        self.set(
            {
                "game.book": kept,
                "game.weekday": rules.weekday or None,
                "web.language": rules.language,
                "web.table_name": rules.table_name or None,
            }
        )

    def _book(self) -> str:
        """Key of the rule book; "" where it cannot be had, and another one must be chosen."""
        try:
            return book_named(self.now["game.book"]).key
        except (SourceError, UnknownBook):
            return ""
