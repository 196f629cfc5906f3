"""Whether settings that are sound each make sense together with what lies on the appliance.

A rule book that is not there, weights that are damaged, seats for which the mat has no room: with
those the table could not begin. So it is looked at before a change is written, and told with the
setting that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from device.errors import SchockaugeError
from device.settings import Settings
from device.settings_problem import BadSettingsError, Problem
from device.settings_versions import Versions
from models import ModelFileError
from rules.errors import RulesError
from vision.errors import VisionError

UNFIT = (SchockaugeError, VisionError, RulesError, ModelFileError, OSError)
"""What is raised where settings name something that cannot be used; each tells it in a sentence."""


@dataclass(frozen=True)
class Sense:
    """One thing that has to be usable.

    Attributes:
        try_out: uses it; raises one of `UNFIT` where that cannot be done.
        german: what it means that it cannot.
    """

    try_out: Callable[[Settings], object]
    german: str


def _book(settings: Settings) -> None:
    from device.books import book_named

    book_named(settings["game.book"])


def _players(settings: Settings) -> None:
    from device.books import book_named
    from rules.errors import UnknownBook
    from rules.match import Match

    try:
        book = book_named(settings["game.book"])
    except (SchockaugeError, UnknownBook):
        return  # that is told of the book
    Match.new(book, settings["game.players"], weekday=settings["game.weekday"] or None)


def _mat(settings: Settings) -> None:
    from device.calibrations import load_calibration

    if named := settings["table.mat_file"]:
        load_calibration(Path(named))


def _seats(settings: Settings) -> None:
    from device.places import seats
    from vision.errors import CalibrationError

    try:
        seats(settings)
    except CalibrationError:
        return  # that is told of the mat


def _weights(settings: Settings) -> None:
    import models

    if named := settings["model.folder"]:  # with those that ship, the game goes on by hand
        for network in models.manifest(Path(named)).networks:
            models.weights(network, Path(named))


def _source(settings: Settings) -> None:
    from device.sources import verify_source

    verify_source(settings["table.source"])


def _camera(settings: Settings) -> None:
    from device.camera_settings import camera_settings

    camera_settings(settings)


def _own_dice(settings: Settings) -> None:
    from vision.last_stage import load_last_stage

    if named := settings["model.own_dice_file"]:
        load_last_stage(Path(named))


def _pairing(settings: Settings) -> None:
    from device.pairing_file import load_pairing

    if named := settings["hub.pairing_file"]:
        load_pairing(Path(named))


SENSES: Mapping[str, Sense] = {
    "game.book": Sense(_book, "Das Regelwerk ist nicht zu gebrauchen."),
    "game.players": Sense(_players, "So kann kein Spiel beginnen."),
    "table.source": Sense(_source, "So heißt keine Kamera, und eine solche Datei gibt es nicht."),
    "table.mat_file": Sense(_mat, "Die Kalibrierung der Matte ist nicht zu gebrauchen."),
    "table.layout": Sense(_seats, "Auf der Matte haben nicht alle einen Platz."),
    "camera.width_px": Sense(_camera, "So kann keine Kamera Bilder machen."),
    "model.folder": Sense(_weights, "Die Modelle, die die Würfel lesen, fehlen oder sind kaputt."),
    "model.own_dice_file": Sense(_own_dice, "Die Abstimmung auf die eigenen Würfel fehlt."),
    "hub.pairing_file": Sense(_pairing, "Die Kopplung mit der Zentrale ist nicht zu gebrauchen."),
}
"""By the setting that is to be mended."""


def problems_of(settings: Settings) -> tuple[Problem, ...]:
    """What keeps a table with these settings from beginning."""
    found = []
    for name, sense in SENSES.items():
        try:
            sense.try_out(settings)
        except UNFIT as error:
            found.append(Problem(f"{name}: {error}", f"{name}: {sense.german} ({error})", name))
    return tuple(found)


def no_worse(before: Settings, after: Settings) -> None:
    """Check that a change breaks nothing that was whole.

    Raises:
        BadSettingsError: it does.
    """
    if after_all := problems_of(after):
        known = set(problems_of(before))
        if worse := [problem for problem in after_all if problem not in known]:
            raise BadSettingsError(worse)


def check_emptied(path: Path) -> None:
    """Check that a file with earlier versions has not lost all of its content.

    An empty file is sound TOML, and a table that starts by it plays with nothing that was set.

    Raises:
        BadSettingsError: it has.
    """
    with suppress(OSError):
        if not path.read_bytes().strip() and Versions(path.resolve()).all():
            raise BadSettingsError([EMPTIED], path)


EMPTIED = Problem(
    "The file is empty, but was not before. Take an earlier version back.",
    "Die Datei ist leer, war es aber nicht immer. Eine frühere Fassung zurückholen.",
)
