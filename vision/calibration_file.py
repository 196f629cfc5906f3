"""A calibration as a commented text (TOML), and back."""

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from vision.calibration import MatCalibration
from vision.die_size import LARGEST_DIE_MM, SMALLEST_DIE_MM
from vision.errors import CalibrationError
from vision.lens import Lens

Reader = Callable[[Any], Any]


def to_toml(mat: MatCalibration) -> str:
    """The calibration as a commented TOML text; `from_toml` reads it back exactly."""
    lines = [
        "# Where the camera sees the mat; written by `schockauge calibrate`, safe to edit.",
        "[mat]",
        "# Width and height in millimetres.",
        f"size_mm = {_row(mat.mat_size_mm)}",
        "# Resolution of the view from above, pixels per millimetre.",
        f"scale_px_per_mm = {float(mat.scale_px_per_mm)!r}",
        "# Edge of the dice in millimetres; measured on dice that were thrown, or else assumed.",
        f"die_mm = {float(mat.die_mm)!r}",
        f"die_measured = {_yes(mat.die_measured)}",
        "# Whether the corners were pointed at by hand; false: found by the markers.",
        f"by_hand = {_yes(mat.by_hand)}",
        "# Camera pixels (x, y, 1), straightened by the lens below if there is one, to",
        "# millimetres from the mat's top left corner.",
        f"homography_px_to_mm = {_matrix(mat.homography_px_to_mm)}",
    ]
    if (lens := mat.lens) is not None:
        lines += [
            "",
            "# The camera's lens, measured with the printed board; good for pictures of this size.",
            "[lens]",
            f"picture_px = [{lens.picture_px[0]}, {lens.picture_px[1]}]",
            "# Focal lengths and the middle of the picture, pixels.",
            f"camera_matrix = {_matrix(lens.camera_matrix)}",
            "# How it bends straight lines: k1, k2, p1, p2, k3 as OpenCV has them.",
            f"distortion = {_row(lens.distortion)}",
            "# How far the board's corners lay from where they should, pixels (root mean square).",
            f"rms_px = {float(lens.rms_px)!r}",
        ]
    return "\n".join([*lines, ""])


def from_toml(text: str) -> MatCalibration:
    """Read a calibration back, also one that was written before lenses and dice were measured.

    Args:
        text: TOML as `to_toml` writes it.

    Returns:
        The calibration.

    Raises:
        CalibrationError: not TOML, a key is missing or a value is of the wrong form; says which,
            in which line.
    """
    try:
        sections = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CalibrationError(
            f"The calibration is no TOML that can be read ({error}); run the calibration again."
        ) from error
    mat = _section(text, sections, "mat", MAT_KEYS)
    lens = _section(text, sections, "lens", LENS_KEYS) if "lens" in sections else None
    return MatCalibration(**mat, lens=None if lens is None else Lens(**lens))


def _section(
    text: str, sections: Mapping[str, Any], name: str, keys: Mapping[str, tuple[str, str, Reader]]
) -> dict[str, Any]:
    """The values of a section, by the names that the classes have for them."""
    section = sections.get(name)
    if not isinstance(section, dict):
        raise CalibrationError(
            f"The calibration has no section [{name}]; run the calibration again."
        )
    values: dict[str, Any] = {}
    for key, (attribute, expected, read) in keys.items():
        if key not in section:
            if key in NEEDED:
                raise CalibrationError(
                    f"The calibration lacks {key} in [{name}]; run the calibration again."
                )
            continue
        try:
            values[attribute] = read(section[key])
        except (TypeError, ValueError) as error:
            raise CalibrationError(
                f"The calibration's line {_line_of(text, name, key)}: {key} is {section[key]!r}, "
                f"expected {expected}. Mend it, or run the calibration again."
            ) from error
    return values


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise ValueError
    return float(value)


def _positive(value: Any) -> float:
    if (number := _number(value)) <= 0:
        raise ValueError
    return number


def _die(value: Any) -> float:
    if not SMALLEST_DIE_MM <= (number := _number(value)) <= LARGEST_DIE_MM:
        raise ValueError
    return number


def _pair(value: Any) -> tuple[float, float]:
    width, height = (_positive(side) for side in value)
    return width, height


def _pixels(value: Any) -> tuple[int, int]:
    width, height = _pair(value)
    if not (width.is_integer() and height.is_integer()):
        raise ValueError
    return int(width), int(height)


def _square(value: Any) -> Any:
    matrix = np.array([[_number(item) for item in row] for row in value])
    if matrix.shape != (3, 3):
        raise ValueError
    return matrix


def _five(value: Any) -> Any:
    numbers = np.array([_number(item) for item in value])
    if len(numbers) != 5:
        raise ValueError
    return numbers


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


YES_NO = "true or false"
MAT_KEYS: Mapping[str, tuple[str, str, Reader]] = {
    "size_mm": ("mat_size_mm", "two positive millimetres", _pair),
    "scale_px_per_mm": ("scale_px_per_mm", "a positive number", _positive),
    "die_mm": ("die_mm", f"{SMALLEST_DIE_MM:g} to {LARGEST_DIE_MM:g} millimetres", _die),
    "die_measured": ("die_measured", YES_NO, _truth),
    "by_hand": ("by_hand", YES_NO, _truth),
    "homography_px_to_mm": ("homography_px_to_mm", "three rows of three numbers", _square),
}
LENS_KEYS: Mapping[str, tuple[str, str, Reader]] = {
    "picture_px": ("picture_px", "two positive whole pixels", _pixels),
    "camera_matrix": ("camera_matrix", "three rows of three numbers", _square),
    "distortion": ("distortion", "five numbers", _five),
    "rms_px": ("rms_px", "a number", _number),
}
"""By key: the attribute that it becomes, what is expected, and how it is read."""
NEEDED = frozenset(
    {"size_mm", "scale_px_per_mm", "die_mm", "homography_px_to_mm"}
    | {"picture_px", "camera_matrix", "distortion"}
)


def _line_of(text: str, section: str, key: str) -> int:
    """The line of `key` in `[section]`, 1-based."""
    here = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if head := re.match(r"\s*\[\s*(\w+)\s*\]", line):
            here = head[1]
        elif here == section and re.match(rf"\s*\"?{key}\"?\s*=", line):
            return number
    return 1


def _yes(value: bool) -> str:  # noqa: FBT001 - a word for a value
    return "true" if value else "false"


def _row(numbers: Any) -> str:
    return "[" + ", ".join(repr(float(number)) for number in numbers) + "]"


def _matrix(matrix: Any) -> str:
    return "[\n" + "".join(f"  {_row(row)},\n" for row in matrix) + "]"
