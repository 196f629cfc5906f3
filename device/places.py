"""Where the mat is and who sits around it, as the settings and the game say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from device.calibrations import load_calibration
from device.settings import Settings
from device.sources import Frame
from vision.calibration import MatCalibration, calibrate_from_markers, refine_by_markers
from vision.seats import Seat, seats_around
from vision.watcher import Watcher


def find_mat(settings: Settings, frame: Frame) -> MatCalibration:
    """The calibration from its file, made exact by the markers in a frame, or from them alone.

    Raises:
        SettingsError: the file named cannot be read.
        CalibrationError: it is no calibration, or a marker is not visible.
    """
    mat = _mat_of_file(settings)
    if mat is not None:
        return refine_by_markers(mat, frame.image_bgr)
    return calibrate_from_markers(frame.image_bgr, mat_size_mm=_mat_size(settings))


def _mat_size(settings: Settings) -> tuple[float, float]:
    return (settings["table.mat_width_mm"], settings["table.mat_height_mm"])


def _mat_of_file(settings: Settings) -> MatCalibration | None:
    """The calibration that the settings name; None when they name none; errors as above."""
    named = settings["table.mat_file"]
    if not named:
        return None
    return load_calibration(Path(named))


def seats(
    settings: Settings,
    mat_size_mm: tuple[float, float] | None = None,
    *,
    players: Sequence[str] | None = None,
) -> tuple[Seat, ...]:
    """Who sits where around the mat; nobody on a mat with one throwing zone for all.

    Args:
        settings: layout, names, angles.
        mat_size_mm: width and height of the mat; None: as the settings know it.
        players: of the game under way, clockwise; None: those of the settings. Where
            `table.seats` names all of them the seats are as named there.

    Raises:
        SeatsError: the mat has no room for them.
        SettingsError, CalibrationError: see `find_mat`.
    """
    if settings["table.layout"] == "shared":
        return ()
    if mat_size_mm is None:
        mat = _mat_of_file(settings)
        mat_size_mm = mat.mat_size_mm if mat else _mat_size(settings)
    return seats_around(
        _sitting(settings, players),
        mat_size_mm,
        angles_deg=settings["table.seat_angles_deg"] or None,
        aside_mm=settings["table.seat_aside_mm"],
    )


def _sitting(settings: Settings, players: Sequence[str] | None) -> Sequence[str]:
    """Whose seats there are, clockwise; arguments as of `seats`."""
    named: Sequence[str] = settings["table.seats"]
    if players is None:
        return named or tuple(settings["game.players"])
    return named if set(players) <= set(named) else players


def reseated(settings: Settings, watcher: Watcher, players: Sequence[str]) -> Watcher:
    """The same watcher, or one for those who sit around its mat now; errors as of `seats`."""
    if settings["table.layout"] == "shared":
        return watcher
    if [seat.name for seat in watcher.seats] == list(_sitting(settings, players)):
        return watcher
    return watcher.reseated(seats(settings, watcher.mat.mat_size_mm, players=players))
