"""Calibration files: reading and writing them, with errors that name the file."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from device.errors import SchockaugeError, SettingsError
from vision.calibration import MatCalibration
from vision.calibration_file import from_toml, to_toml
from vision.errors import CalibrationError


def load_calibration(path: Path) -> MatCalibration:
    """Read a calibration.

    Raises:
        SettingsError: the file cannot be read.
        CalibrationError: it is no calibration; names file and line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The calibration {path} cannot be read: {error}. Make it with `schockauge calibrate`."
        ) from error
    try:
        return from_toml(text)
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error


def save_calibration(path: Path, mat: MatCalibration) -> None:
    """Write a calibration; a power cut leaves the file before or the new one, never half of it.

    Raises:
        SchockaugeError: the disk does not take it.
    """
    beside = path.with_name(f"{path.name}.new")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(to_toml(mat))
            file.flush()
            os.fsync(file.fileno())  # before the name points there
        beside.replace(path)
        _keep_names(path.parent)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise SchockaugeError(f"{path} cannot be written: {error.strerror}.") from error


def keep_die_mm(named: str, die_mm: float) -> None:
    """Write the measured edge of the dice into a calibration file, if one is named.

    Raises:
        SettingsError, CalibrationError, SchockaugeError: as of `load_calibration` and above.
    """
    if named:
        mat = load_calibration(Path(named))
        save_calibration(Path(named), replace(mat, die_mm=die_mm, die_measured=True))


def _keep_names(folder: Path) -> None:
    """Have the disk take down which file a name stands for now."""
    at = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(at)
    finally:
        os.close(at)
