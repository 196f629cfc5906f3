"""How every die of a picture stands, and from where it is seen: truth for the stance network.

Whether a die lies flat can only be told by whoever knows from where it is looked at: a flat die
seen from the side shows its sides as a tilted one does from above. The truth therefore holds, per
die or tower, the direction of view beside the kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .labels import MIN_TOP_VISIBLE, outline, top_grid
from .pips import top_face
from .scenes import Composed, Placed
from .tracer import visible_share


def standing(
    composed: Composed, traced_px: tuple[int, int], size_px: tuple[int, int]
) -> list[dict[str, Any]]:
    """One entry per die outside towers and per tower, whether it carries a label or not.

    Args:
        composed: the scene.
        traced_px: size of the traced picture, pixels.
        size_px: size of the picture that is stored, pixels.

    Returns:
        `kind` (flat, burning, tower, blank), `box` in stored pixels (may reach beyond the picture),
        `ground`: 2 x 2, stored pixels per millimetre of the table's x and y (columns) at its
        place, `lean`: way on the table, in millimetres per millimetre of height, by which the
        camera lies aside of what stands there, `edge_mm`: of its dice, `tilt_deg`, and `shown`:
        whether the top can be seen.
    """
    factor = np.array(size_px) / traced_px
    groups: dict[tuple[int, int], list[Placed]] = {}
    for thing in composed.placed:
        if thing.state == "cup":
            continue
        key = (thing.cluster, -1) if thing.state == "tower" else (thing.cluster, thing.row)
        groups.setdefault(key, []).append(thing)
    return [_entry(composed, things, traced_px, factor) for things in groups.values()]


def _entry(
    composed: Composed,
    things: list[Placed],
    traced_px: tuple[int, int],
    factor: NDArray[np.float64],
) -> dict[str, Any]:
    scene, camera = composed.scene, composed.camera
    dice = [scene.dice[thing.row] for thing in things]
    points = np.concatenate([outline(die) for die in dice])
    pixels = camera.project(points, traced_px) * factor
    highest = int(np.argmax([die.position_mm[2] for die in dice]))
    top = dice[highest]
    middle = points.mean(axis=0)
    sight = np.asarray(camera.position_mm, float) - middle
    share = visible_share(scene, camera, top_grid(top), things[highest].row)
    return {
        "kind": things[0].state,
        "box": [round(float(v), 2) for v in (*pixels.min(axis=0), *pixels.max(axis=0))],
        "ground": np.round(_ground(composed, middle, traced_px) * factor[:, None], 4).tolist(),
        "lean": [round(float(v), 3) for v in sight[:2] / sight[2]],
        "edge_mm": round(float(top.size_mm), 2),
        "tilt_deg": round(max(top_face(die)[1] for die in dice), 1),
        "shown": bool(share >= MIN_TOP_VISIBLE),
    }


def _ground(
    composed: Composed, at_mm: NDArray[np.float64], traced_px: tuple[int, int]
) -> NDArray[np.float64]:
    """Pixels per millimetre along the table's x and y (columns) at a place; (2, 2)."""
    steps = np.array([[-0.5, 0, 0], [0.5, 0, 0], [0, -0.5, 0], [0, 0.5, 0]])
    seen = composed.camera.project(at_mm + steps, traced_px)
    return np.asarray(np.stack([seen[1] - seen[0], seen[3] - seen[2]], axis=1))
