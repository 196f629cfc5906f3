"""The settings of the game: by which book, who, on which day."""

from __future__ import annotations

from typing import get_args

from device.setting import Setting
from rules.book import Weekday

GAME_SETTINGS: tuple[Setting, ...] = (
    Setting(
        "game.book",
        "turnier",
        "",
        "Rule book of the evening: a name, or FILE.toml of your own. A game under way keeps its "
        "own.",
        help_de="Regelwerk des Abends: ein Name, oder DATEI.toml mit eigenen Hausregeln. "
        "Ein laufendes Spiel behält seines.",
    ),
    Setting(
        "game.players",
        ["A", "B", "C"],
        "",
        "Names, clockwise in throwing order; at least 2. A game under way keeps its players.",
        help_de="Namen im Uhrzeigersinn, wie geworfen wird; mindestens 2. Ein laufendes Spiel "
        "behält seine.",
        least_items=2,
        distinct=True,
    ),
    Setting(
        "game.weekday",
        "",
        "",
        "Day of the evening, such as wednesday, for books with a Champions League; empty: today, "
        "until six in the morning the day before.",
        choices=("", *get_args(Weekday)),
        help_de="Wochentag des Abends, für Regelwerke mit einer Champions League; leer: heute, bis "
        "sechs Uhr früh noch gestern.",
    ),
)
