"""From when on the dice of a throw lie still in the camera's sight: where a delay is counted from.

The cup is taken for an upright cylinder, hands for their capsules (`device.simulate_look`); a die
is hidden when the line from the camera to its middle passes so near to one of their axes that half
of the die is covered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from device.simulate_look import CUP_HEIGHT_MM, CUP_RIM_MM, hand_capsules
from device.simulate_table import CupShown, Floats, TableFrame

MOVED_MM = 0.5
"""A die that is nearer than this to where it ends lies still: a quarter of a camera's pixel."""

Axis = tuple[Floats, Floats, float]
"""Both ends (3,) of a capsule's axis, and its radius in mm."""


def first_in_sight(
    frames: Sequence[TableFrame], camera_mm: Floats, numbers: Sequence[int], *, for_frames: int = 1
) -> int:
    """The frame from which on some dice lie as in the last one, with nothing between for a while.

    Args:
        frames: of one throw, in order; at the end the dice lie still.
        camera_mm: (3,) where the camera hangs.
        numbers: the dice.
        for_frames: so many frames on end they must be in sight.

    Returns:
        Its index; `len(frames)` when they never are for so long.
    """
    ends = _places(frames[-1], numbers)
    seen = 0
    for index, frame in enumerate(frames):
        places = _places(frame, numbers)
        still = places.keys() == ends.keys() and all(
            np.linalg.norm(places[number] - ends[number]) < MOVED_MM for number in ends
        )
        seen = seen + 1 if still and not is_hidden(frame, camera_mm, numbers) else 0
        if seen >= for_frames:
            return index - seen + 1
    return len(frames)


def is_hidden(frame: TableFrame, camera_mm: Floats, numbers: Sequence[int]) -> bool:
    """Whether a cup or a hand is between the camera and the middle of one of these dice."""
    axes = list(_axes(frame))
    return any(
        distance_mm(camera_mm, place, begin, end) < radius
        for place in _places(frame, numbers).values()
        for begin, end, radius in axes
    )


def cup_axis(cup: CupShown) -> Axis:
    """A cup as a capsule."""
    along = cup.rotation[:, 2] * CUP_HEIGHT_MM
    return cup.position_mm, cup.position_mm + along, CUP_RIM_MM


def _places(frame: TableFrame, numbers: Sequence[int]) -> dict[int, Floats]:
    return {die.die: die.position_mm for die in frame.dice if die.die in numbers}


def _axes(frame: TableFrame) -> Iterator[Axis]:
    yield from map(cup_axis, frame.cups)
    for hand in frame.hands:
        for limb in hand_capsules(hand):
            yield np.asarray(limb.a_mm), np.asarray(limb.b_mm), limb.radius_mm


def distance_mm(a: Floats, b: Floats, c: Floats, d: Floats) -> float:
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
