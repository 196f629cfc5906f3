"""From when on the dice of a throw lie still in the camera's sight: where a delay is counted from.

The cup is taken for an upright cylinder, hands for their capsules (`device.simulate_look`); a die
is hidden when the line from the camera to its middle passes so near to one of their axes that half
of the die is covered.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from device.simulate_look import CAMERA, CUP_HEIGHT_MM, CUP_RIM_MM, hand_capsules
from device.simulate_table import Floats, TableFrame

MOVED_MM = 0.5
"""A die that is nearer than this to where it ends lies still: a quarter of a camera's pixel."""

Axis = tuple[Floats, Floats, float]
"""Both ends (3,) of a capsule's axis, and its radius in mm."""


def first_in_sight(frames: Sequence[TableFrame]) -> int:
    """The frame from which on all dice lie as in the last one and nothing hides them.

    Args:
        frames: of one throw, in order; at the end the dice lie still.

    Returns:
        Its index; `len(frames)` when they are hidden to the last.
    """
    ends = {die.die: die.position_mm for die in frames[-1].dice}
    for index in range(len(frames) - 1, -1, -1):
        frame = frames[index]
        places = {die.die: die.position_mm for die in frame.dice}
        still = places.keys() == ends.keys() and all(
            np.linalg.norm(places[number] - ends[number]) < MOVED_MM for number in ends
        )
        if not still or is_hidden(frame):
            return index + 1
    return 0


def is_hidden(frame: TableFrame) -> bool:
    """Whether the cup or a hand is between the camera and a die's middle."""
    camera = np.asarray(CAMERA.position_mm, dtype=np.float64)
    axes = _axes(frame)
    return any(
        _distance_mm(camera, die.position_mm, begin, end) < radius
        for die in frame.dice
        for begin, end, radius in axes
    )


def _axes(frame: TableFrame) -> list[Axis]:
    found: list[Axis] = []
    if frame.cup is not None:
        along = frame.cup.rotation[:, 2] * CUP_HEIGHT_MM
        found.append((frame.cup.position_mm, frame.cup.position_mm + along, CUP_RIM_MM))
    if frame.hand is not None:
        for limb in hand_capsules(frame.hand):
            found.append((np.asarray(limb.a_mm), np.asarray(limb.b_mm), limb.radius_mm))
    return found


def _distance_mm(a: Floats, b: Floats, c: Floats, d: Floats) -> float:
    """Between the segments from a to b and from c to d.

    Source: Ericson, Real-Time Collision Detection (2005), sec. 5.1.9.
    """
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = u @ u, u @ v, v @ v, u @ w, v @ w
    flat = uu * vv - uv * uv
    s = np.clip((uv * vw - vv * uw) / flat, 0.0, 1.0) if flat > 0 else 0.0
    t = np.clip((uv * s + vw) / vv, 0.0, 1.0)
    s = np.clip((uv * t - uw) / uu, 0.0, 1.0)
    return float(np.linalg.norm(a + u * s - c - v * t))
