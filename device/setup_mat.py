"""The mat while a table is set up: found by its markers or the corners pointed at, and stored."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from device.calibrations import load_calibration, save_calibration
from device.errors import SettingsError
from device.image_pixels import Picture
from device.settings import Settings
from vision.calibration import (
    MatCalibration,
    calibrate_from_corners,
    calibrate_from_markers,
    refine_by_markers,
)
from vision.errors import CalibrationError
from vision.lens import Lens
from vision.markers import find_markers
from vision.quality import Finding, findings, measure
from web_ui.setup_ports import SHOWN_PX, MatFacts, Measured

FILE_NAME = "mat.toml"
"""Of the calibration, beside the log."""

NUMBERS = ("die_px", "reprojection_mm", "tilt_deg", "sharpness_mm")
"""What the step of the mat shows of `vision.quality`; the light has a step of its own."""

Taps = tuple[tuple[float, float], ...]


def measured(finding: Finding, advice: Mapping[str, str] | None = None) -> Measured:
    """A number of `vision.quality` as the pages show it."""
    rule = finding.rule
    value = "–" if finding.value is None else f"{finding.value:.{rule.digits}f} {rule.unit}".strip()
    if advice is None:
        known = finding.value is not None
        advice = {
            lang: rule.advice(finding.value, lang) if known and finding.value is not None else ""
            for lang in ("de", "en")
        }
    return Measured(rule.name, rule.title, value, finding.verdict, advice)


def size_of(settings: Settings) -> tuple[float, float]:
    """Width and height of the mat in mm, as the settings know it."""
    return (settings["table.mat_width_mm"], settings["table.mat_height_mm"])


def stored(settings: Settings) -> MatCalibration | None:
    """The calibration that the settings name; None: none, or none that can be read."""
    if not settings["table.mat_file"]:
        return None
    try:
        return load_calibration(Path(settings["table.mat_file"]))
    except (SettingsError, CalibrationError):
        return None


def seen_now(settings: Settings, picture: Picture) -> MatCalibration:
    """Where a picture shows the mat: as stored, by its markers where they are to be seen.

    Raises:
        CalibrationError: nothing is stored and the markers are not to be seen, or the mat is not
            in this picture.
    """
    known = stored(settings)
    if known is None:
        return calibrate_from_markers(picture, mat_size_mm=size_of(settings))
    try:
        return refine_by_markers(known, picture)
    except CalibrationError:
        return known  # something stands on a marker, or it is too dark for them


def found(settings: Settings, picture: Picture, taps: Taps) -> MatCalibration:
    """The mat by the four corners that were pointed at, or else by its markers.

    Args:
        settings: size of the mat; a lens measured before is kept.
        picture: the camera's.
        taps: pixels of the picture `SHOWN_PX` wide, clockwise from the mat's top left.

    Raises:
        CalibrationError: it cannot be found so.
    """
    size_mm, lens = size_of(settings), _lens(settings, picture)
    if len(taps) < 4:
        return calibrate_from_markers(picture, mat_size_mm=size_mm, lens=lens)
    height, width = picture.shape[:2]
    corners = np.array(taps) * (width / SHOWN_PX)
    return calibrate_from_corners(corners, size_mm, lens=lens, picture_px=(width, height))


def save(settings: Settings, mat: MatCalibration, folder: Path) -> dict[str, str | float]:
    """Store a calibration; what the settings must say of it.

    Raises:
        SchockaugeError: the disk does not take it.
    """
    path = (folder / FILE_NAME).resolve()
    save_calibration(path, mat)
    width_mm, height_mm = mat.mat_size_mm
    return {
        "table.mat_file": str(path),
        "table.mat_width_mm": width_mm,
        "table.mat_height_mm": height_mm,
    }


def facts(settings: Settings, picture: Picture | None, taps: Taps) -> MatFacts:
    """All about the mat in a picture."""
    size_mm, is_saved = size_of(settings), stored(settings) is not None
    seen: tuple[int, ...] = ()
    numbers: tuple[Measured, ...] = ()
    problem, upside_down = "", False
    if picture is not None:
        try:
            seen = tuple(sorted(find_markers(picture)))
            mat = found(settings, picture, taps)
            fov_deg = settings["table.camera_fov_deg"]
            quality = measure(picture, mat, fov_deg=fov_deg)
            numbers = tuple(measured(f) for f in findings(quality) if f.rule.name in NUMBERS)
            upside_down = _is_upside_down(mat)
        except CalibrationError as error:
            problem = str(error) if seen == (0, 1, 2, 3) or len(taps) == 4 or not seen else ""
    return MatFacts(seen, problem, size_mm, taps, numbers, upside_down, is_saved)


def _is_upside_down(mat: MatCalibration) -> bool:
    heights = mat.corners_px()[:, 1]
    return bool(heights[:2].mean() > heights[2:].mean())


def _lens(settings: Settings, picture: Picture) -> Lens | None:
    """A lens measured before, if it belongs to pictures of this size."""
    known = stored(settings)
    if known is None or known.lens is None:
        return None
    try:
        known.lens.check_size((picture.shape[1], picture.shape[0]))
    except CalibrationError:
        return None
    return known.lens
