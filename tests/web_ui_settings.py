"""Settings of a table that only the page knows: one of each kind, kept in memory."""

from collections.abc import Mapping
from dataclasses import replace

from web_ui.settings_port import BadValues, Field, Mistake, SettingsSheet, Version

AT_S = 1_800_000_000.0


def both(text: str) -> Mapping[str, str]:
    return {"de": f"{text} (deutsch).", "en": f"{text} (English)."}


FIELDS = (
    Field("game.players", "texts", "Anna\nBen", "A\nB", "", both("Wer spielt"), is_set=True),
    Field("table.mat_width_mm", "number", "420", "420", "mm", both("Breite")),
    Field("table.seat_angles_deg", "numbers", "", "", "deg", both("Winkel")),
    Field("web.port", "whole", "8080", "8080", "", both("Port"), locked=both("Sperrt alle aus")),
    Field("web.language", "choice", "de", "de", "", both("Sprache"), ("de", "en"), at_once=True),
    Field("web.table_needs_pin", "switch", "true", "true", "", both("Ob"), at_once=True),
    Field("web.table_name", "text", "Ecke", "", "", both("Name"), is_set=True, running="Linde"),
)


class KnownSettings:
    """Settings as `web_ui.settings_port.TableSettings` has them."""

    def __init__(self) -> None:
        self.fields = {field.name: field for field in FIELDS}
        self.written: list[tuple[str, dict[str, str | None]]] = []
        self.restored: list[int] = []
        self.mistakes: tuple[Mistake, ...] = ()
        self.can_restart, self.restarted_by = False, ""
        self.before: dict[str, Mapping[str, str]] = {}

    def sheet(self) -> SettingsSheet:
        versions = (
            Version(2, AT_S + 60, "Ute", ("web.table_name",), is_current=True),
            Version(1, AT_S, "", ()),
        )
        stamp = f"stamp {len(self.written)}"
        return SettingsSheet(
            tuple(self.fields.values()), versions, stamp, "table.toml", self.mistakes,
            self.can_restart, "schockauge run --settings table.toml",
        )  # fmt: skip

    def restart(self, *, by: str) -> None:
        if not self.can_restart:
            raise BadValues((Mistake(both("Kein Dienst")),))
        self.restarted_by = by

    def shown(self, stamp: str) -> Mapping[str, str]:
        return self.before.get(stamp, {name: field.value for name, field in self.fields.items()})

    def change(self, typed: Mapping[str, str | None], *, stamp: str, by: str) -> tuple[str, ...]:
        if stamp != self.sheet().stamp:
            raise BadValues((Mistake(both("Inzwischen geändert")),))
        wrong = [name for name in typed if name not in self.fields or self.fields[name].locked]
        wrong += [name for name, said in typed.items() if said == "falsch"]
        if wrong:
            raise BadValues(tuple(Mistake(both(f"{name} geht nicht"), name) for name in wrong))
        self.written.append((by, dict(typed)))
        for name, said in typed.items():
            field = self.fields[name]
            value = field.default if said is None else said
            self.fields[name] = replace(field, value=value, is_set=said is not None)
        return tuple(typed)

    def restore(self, number: int, *, stamp: str, by: str) -> tuple[str, ...]:
        if number not in (1, 2):
            raise BadValues((Mistake(both("Diese Fassung gibt es nicht")),))
        self.restored.append(number)
        return ("web.table_name",)
