"""Where the pips of the top face lie in a picture: the truth that a counting reader learns from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels import PIP_COUNT, PIP_PLACES
from .labels import Label
from .scenes import Composed
from .things import Die

FACE_AXES = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
"""Normal, u and v of the faces on x, y and z, as `surfaces.albedo_at` takes them."""
FACE_REACH = 0.44
"""Corners of a face that are told, as a share of the edge: rounded dice have no others."""


def top_face(die: Die) -> tuple[int, float]:
    """The face (0..5: +x, -x, +y, -y, +z, -z) that points up, and the die's tilt in degrees."""
    up = die.rotation.T @ np.array([0.0, 0, 1])
    axis = int(np.argmax(np.abs(up)))
    tilt = np.degrees(np.arccos(min(1.0, abs(float(up[axis])))))
    return 2 * axis + int(up[axis] < 0), float(tilt)


def pips_of(die: Die, face: int) -> NDArray[np.float64]:
    """Centres of a face's pips in world millimetres; (N, 3)."""
    look, value = die.look, die.values[face]
    spacing_mm = look.pip_spacing * look.face_spacing[value - 1] * die.size_mm
    places = PIP_PLACES[value, : PIP_COUNT[value]] * spacing_mm
    if value == 6:
        places = places * [look.six_rows, 1.0]
    if (look.flips >> (face + 6)) & 1:
        places = places[:, ::-1]
    if (look.flips >> face) & 1:
        places = places * [-1.0, 1.0]
    return _on_face(die, face, places)


def corners_of(die: Die, face: int) -> NDArray[np.float64]:
    """The face's corners in world millimetres, in order around it; (4, 3)."""
    around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * FACE_REACH * die.size_mm
    return _on_face(die, face, around)


def _on_face(die: Die, face: int, places: NDArray[np.float64]) -> NDArray[np.float64]:
    normal, u, v = FACE_AXES[face // 2]
    local = np.zeros((len(places), 3))
    local[:, normal] = die.size_mm / 2 * (-1 if face % 2 else 1)
    local[:, u], local[:, v] = places[:, 0], places[:, 1]
    return np.asarray(local @ die.rotation.T + np.asarray(die.position_mm))


def faces(
    composed: Composed, traced_px: tuple[int, int], size_px: tuple[int, int], labels: list[Label]
) -> list[dict[str, Any]]:
    """One entry a labelled die outside towers: class, box, tilt, pips and face.

    Args:
        composed: the scene.
        traced_px: size of the traced picture, pixels.
        size_px: size of the picture that is stored, pixels.
        labels: its labels, boxes in pixels of the stored picture.
    """
    factor = np.array(size_px) / traced_px

    def seen(points: NDArray[np.float64]) -> list[list[float]]:
        pixels = composed.camera.project(points, traced_px) * factor
        return [[round(float(x), 2), round(float(y), 2)] for x, y in pixels]

    out: list[dict[str, Any]] = []
    for item in labels:
        if item.row < 0:
            continue
        die = composed.scene.dice[item.row]
        face, tilt = top_face(die)
        out.append(
            {
                "class": item.class_id,
                "box": [round(v, 2) for v in item.box],
                "tilt_deg": round(tilt, 1),
                "pips": seen(pips_of(die, face)),
                "face": seen(corners_of(die, face)),
            }
        )
    return out
