"""The simulated table's geometry: the mat, the seats around it, and what one frame shows.

Two coordinate systems meet here. The mat's: millimetres, origin in its top left corner, x right,
y down, as `vision` has it. The table's: millimetres, origin in the mat's middle, x right, y away
from the camera's lower edge, z up, as physics and renderer have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.lying import Zones
from vision.markers import MARKER_INSET_MM, MAT_SIZE_MM
from vision.seats import Seat, seats_around

Floats = NDArray[np.float64]
Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 in table coordinates, y upwards."""

DIE_MM = 16.0
CAMERA_FOV_DEG = 34.5
"""Horizontal field of view of the camera above the table."""
ZONE_INSET_MM = (20.0, 20.0, 10.0, 20.0)
"""Dice end at least so far inside the throwing zone: left, top, right, bottom."""
STRIP_SLOTS_MM = ((375.0, 100.0), (375.0, 157.0), (375.0, 214.0))
"""Where players lay dice put aside, in mat coordinates."""
OUT_OF_VIEW_MM = 460.0
"""A hand so far from the middle of the standard mat is not in the picture."""
SEATS_MAT_MM = (600.0, 450.0)
"""A mat on which every player has a place."""
SEAT_ZONE_MM = 116.0
"""A seat's cup and its dice need a square of at least this side."""
SLOT_GAP_MM = 24.0
"""Dice put aside at a seat lie so far apart."""
SLOT_DEPTH_MM = 62.0
"""And so far from the middle of the mat."""

__all__ = [
    "CAMERA_FOV_DEG",
    "DIE_MM",
    "MARKER_INSET_MM",
    "MAT_SIZE_MM",
    "STRIP_SLOTS_MM",
    "CupShown",
    "DieShown",
    "Floats",
    "HandShown",
    "Place",
    "Rectangle",
    "TableFrame",
    "TablePlan",
    "ThingShown",
    "mat_size_of",
    "plan_of",
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
class ThingShown:
    """Something that has no part in the game: its kind, where it stands (3,), how it is turned."""

    kind: str
    position_mm: Floats
    angle_rad: float = 0.0


@dataclass(frozen=True, eq=False)
class TableFrame:
    """Everything on the table at one moment."""

    dice: tuple[DieShown, ...] = ()
    cups: tuple[CupShown, ...] = ()
    hands: tuple[HandShown, ...] = ()
    things: tuple[ThingShown, ...] = ()


@dataclass(frozen=True, eq=False)
class Place:
    """Where a player plays.

    Attributes:
        zone_mm: where dice may end.
        slots_mm: where dice put aside are laid, three of (x, y) in table coordinates.
        side: horizontal unit vector (2,) from the mat's middle to the player.
        outside_mm: a hand so far from the mat's middle is not in the picture.
    """

    zone_mm: Rectangle
    slots_mm: Floats
    side: Floats
    outside_mm: float


@dataclass(frozen=True, eq=False)
class TablePlan:
    """A table with its players.

    Attributes:
        mat_size_mm: width and height.
        places: by player, clockwise.
        seats: as `vision.seats` has them; none where all throw in one zone.
    """

    mat_size_mm: tuple[float, float]
    places: Mapping[str, Place]
    seats: tuple[Seat, ...] = ()

    @property
    def shared(self) -> bool:
        """Whether all throw in one zone."""
        return not self.seats

    @property
    def scale(self) -> float:
        """How much larger the table is than the standard mat's: camera and lamps hang higher."""
        return self.mat_size_mm[0] / MAT_SIZE_MM[0]

    def number(self, player: str) -> int:
        """Which seat a player has, 0, 1, 2 ..."""
        return list(self.places).index(player)


def plan_of(players: Sequence[str], layout: str = "shared") -> TablePlan:
    """The table for some players.

    Args:
        players: names, clockwise.
        layout: one of `device.simulate_names.LAYOUT_NAMES`.

    Returns:
        The standard mat with one throwing zone and a strip, or a large one with seats.
    """
    if layout == "seats":
        seats = seats_around(players, SEATS_MAT_MM)
        outside = OUT_OF_VIEW_MM * SEATS_MAT_MM[0] / MAT_SIZE_MM[0]
        places = {seat.name: _seat_place(seat, outside) for seat in seats}
        return TablePlan(SEATS_MAT_MM, places, seats)
    slots = np.array([to_table(slot)[:2] for slot in STRIP_SLOTS_MM])
    sides = seat_directions(len(players))
    return TablePlan(
        MAT_SIZE_MM,
        {
            player: Place(throwing_zone(), slots, side, OUT_OF_VIEW_MM)
            for player, side in zip(players, sides, strict=True)
        },
    )


def mat_size_of(layout: str) -> tuple[float, float]:
    """Width and height of the mat that a layout is played on, mm."""
    return SEATS_MAT_MM if layout == "seats" else MAT_SIZE_MM


def to_table(
    mat_mm: Sequence[float],
    height_mm: float = 0.0,
    *,
    mat_size_mm: tuple[float, float] = MAT_SIZE_MM,
) -> Floats:
    """A point on the mat (x, y) as (3,) table coordinates."""
    width, height = mat_size_mm
    return np.array([mat_mm[0] - width / 2, height / 2 - mat_mm[1], height_mm])


def throwing_zone() -> Rectangle:
    """Where dice may end on the standard mat."""
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


def _seat_place(seat: Seat, outside_mm: float) -> Place:
    """Where dice end at a seat; those put aside lie side by side towards the mat's middle."""
    area = np.array([to_table(corner, mat_size_mm=SEATS_MAT_MM)[:2] for corner in seat.throwing])
    side = np.array([seat.towards[0], -seat.towards[1]])
    across = np.array([-side[1], side[0]])
    row = np.arange(-1, 2)[:, None] * SLOT_GAP_MM * across
    return Place(_largest_square(area), side * SLOT_DEPTH_MM + row, side, outside_mm)


def _largest_square(polygon: Floats) -> Rectangle:
    """The largest upright square in a convex polygon (N, 2), found on a grid of 4 mm."""
    (x0, y0), (x1, y1) = polygon.min(axis=0), polygon.max(axis=0)
    xs, ys = np.meshgrid(np.arange(x0, x1, 4.0), np.arange(y0, y1, 4.0))
    middles = np.stack([xs.ravel(), ys.ravel()], axis=1)
    edges = np.roll(polygon, -1, axis=0) - polygon
    normals = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    inwards = np.sign(((polygon.mean(axis=0) - polygon) * normals).sum(axis=1, keepdims=True))
    normals *= inwards
    distances = ((middles[:, None] - polygon) * normals).sum(axis=2)
    # A square's corner is so much nearer to an edge than its middle, per half of its side.
    halves = (distances / np.abs(normals).sum(axis=1)).min(axis=1)
    best = int(halves.argmax())
    (x, y), half = middles[best], float(halves[best])
    if 2 * half < SEAT_ZONE_MM:
        raise ValueError(f"a seat has room for {2 * half:.0f} mm, but needs {SEAT_ZONE_MM:.0f}")
    return float(x) - half, float(y) - half, float(x) + half, float(y) + half
