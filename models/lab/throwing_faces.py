"""Which value is on which face of a die, and how to rename faces."""

from __future__ import annotations

import numpy as np

from models.lab.physics_starts import CUBE_ROTATIONS
from models.lab.physics_world import Floats

Layout = tuple[int, int, int, int, int, int]
RIGHT_HANDED: Layout = (3, 4, 2, 5, 1, 6)
"""Values on +x, -x, +y, -y, +z, -z."""


def renaming(rng: np.random.Generator, *, layout: Layout, up_axis: int, value: int) -> Floats:
    """The cube rotation (3, 3) by which to turn a die's faces so that `value` lies on `up_axis`.

    Multiply the die's rotations by it from the right; one of the four that fit is drawn.
    """
    wanted = _direction(layout.index(value))
    fits = [turn for turn in CUBE_ROTATIONS if np.allclose(turn @ wanted, _direction(up_axis))]
    return fits[rng.integers(len(fits))]


def _direction(axis: int) -> Floats:
    result = np.zeros(3)
    result[axis // 2] = 1.0 - 2.0 * (axis % 2)
    return result
