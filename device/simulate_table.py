"""The simulated table's geometry: the mat, the seats around it, and what one frame shows.

Two coordinate systems meet here. The mat's: millimetres, origin in its top left corner, x right,
y down, as `vision` has it. The table's: millimetres, origin in the mat's middle, x right, y away
from the camera's lower edge, z up, as physics and renderer have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.lying import Zones
from vision.markers import MARKER_INSET_MM, MAT_SIZE_MM

Floats = NDArray[np.float64]

DIE_MM = 16.0
CAMERA_FOV_DEG = 34.5
"""Horizontal field of view of the camera above the table."""
ZONE_INSET_MM = (20.0, 20.0, 10.0, 20.0)
"""Dice end at least so far inside the throwing zone: left, top, right, bottom."""
STRIP_SLOTS_MM = ((375.0, 100.0), (375.0, 157.0), (375.0, 214.0))
"""Where players lay dice put aside, in mat coordinates."""
OUT_OF_VIEW_MM = 460.0
"""A hand so far from the mat's middle is not in the picture."""

__all__ = [
    "DIE_MM",
    "MARKER_INSET_MM",
    "MAT_SIZE_MM",
    "OUT_OF_VIEW_MM",
    "STRIP_SLOTS_MM",
    "CupShown",
    "DieShown",
    "Floats",
    "HandShown",
    "TableFrame",
    "seat_directions",
    "throwing_zone",
    "to_table",
]


@dataclass(frozen=True, eq=False)
class DieShown:
    """A die in a frame: which one, where (3,), and its rotation (3, 3)."""

    die: int
    position_mm: Floats
    rotation: Floats


@dataclass(frozen=True, eq=False)
class CupShown:
    """An upturned cup: centre of the rim (3,), rotation (3, 3)."""

    position_mm: Floats
    rotation: Floats


@dataclass(frozen=True, eq=False)
class HandShown:
    """A hand: where its fingertips are (3,), the horizontal direction (2,) of its arm, whose."""

    tips_mm: Floats
    towards: Floats
    seat: int
    holds_cup: bool = False


@dataclass(frozen=True, eq=False)
class TableFrame:
    """Everything on the table at one moment."""

    dice: tuple[DieShown, ...] = ()
    cup: CupShown | None = None
    hand: HandShown | None = None


def to_table(mat_mm: Sequence[float], height_mm: float = 0.0) -> Floats:
    """A point on the mat (x, y) as (3,) table coordinates."""
    width, height = MAT_SIZE_MM
    return np.array([mat_mm[0] - width / 2, height / 2 - mat_mm[1], height_mm])


def throwing_zone() -> tuple[float, float, float, float]:
    """Where dice may end: x0, y0, x1, y1 in table coordinates, y upwards."""
    left, top, right, bottom = Zones().throwing
    inset = ZONE_INSET_MM
    x0, y1, _ = to_table((left + inset[0], top + inset[1]))
    x1, y0, _ = to_table((right - inset[2], bottom - inset[3]))
    return float(x0), float(y0), float(x1), float(y1)


def seat_directions(count: int) -> tuple[Floats, ...]:
    """Horizontal unit vectors from the mat to the players, clockwise as seen from above.

    The first sits below; nobody sits at the right, where the put-aside strip is.
    """
    spread = np.pi if count > 2 else np.pi / 2 * count
    angles = -np.pi / 2 - np.arange(count) * spread / max(1, count - 1)
    return tuple(np.array([np.cos(angle), np.sin(angle)]) for angle in angles)
