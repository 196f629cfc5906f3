"""Which things the rays of a part of the picture can meet, and which can take light from it.

Sorted out once for a square of pixels: most squares have few, and asking every thing with every ray
is what rendering takes its time for.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from .kernels import BOUND, CX, CY, CZ

TILE_PX = 16
"""Side of the squares."""
AMBIENT_MM = 80.0
"""Things farther away take no ambient light."""


@njit(cache=True, fastmath=True)
def ray(axes, focal, lens, fx, fy, d):
    """Unit direction through a point of the picture, pixels from its middle, into `d`."""
    fx, fy = fx / focal, fy / focal
    bend = 1 + lens * (fx * fx + fy * fy)
    for k in range(3):
        d[k] = axes[0, k] * fx * bend + axes[1, k] * fy * bend + axes[2, k]
    s = math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    for k in range(3):
        d[k] /= s


@njit(cache=True, fastmath=True)
def _shades(o, lights, px, py, spread):
    """Whether a row can take light from a floor point or from its neighbours within `spread`."""
    x, y, z = o[CX] - px, o[CY] - py, o[CZ]
    bound = o[BOUND] + spread
    if x * x + y * y + z * z < (bound + AMBIENT_MM) ** 2:
        return True
    for i in range(lights.shape[0]):
        lx, ly, lz = lights[i, 0] - px, lights[i, 1] - py, lights[i, 2]
        length = math.sqrt(lx * lx + ly * ly + lz * lz)
        along = (x * lx + y * ly + z * lz) / length
        # The lamp is a box of 2 r by 2 r by 0.6 r: rays to its corners part by 1.45 r up there.
        wide = bound + 1.45 * lights[i, 6] * max(0.0, along + bound) / length
        if along > -bound and x * x + y * y + z * z - along * along < wide * wide:
            return True
    return False


@njit(cache=True, fastmath=True)
def sort_by_tile(
    objects, lights, floor_gloss, eye, axes, focal, lens, left, top, width, seen, cast, counts
):
    """For every tile of a band: the rows that its rays can meet, and those that can shade it.

    Most tiles have a few of them; without this every ray asks every row.
    """
    middle, corner = np.empty(3), np.empty(3)
    for tile in range(counts.shape[0]):
        x0, x1 = left + tile * TILE_PX, left + min(width, (tile + 1) * TILE_PX)
        y0, y1 = top, top + TILE_PX
        ray(axes, focal, lens, (x0 + x1) / 2, (y0 + y1) / 2, middle)
        widest, spread, level = 0.0, 0.0, middle[2] > -1e-3
        t = 0.0 if level else -eye[2] / middle[2]
        px, py = eye[0] + t * middle[0], eye[1] + t * middle[1]
        for number in range(4):
            x, y = x0 if number % 2 else x1, y0 if number // 2 else y1
            ray(axes, focal, lens, x, y, corner)
            off = 0.0
            for k in range(3):
                off += (corner[k] - middle[k]) ** 2
            widest = max(widest, math.sqrt(off))
            level = level or corner[2] > -1e-3
            t = 0.0 if level else -eye[2] / corner[2]
            qx, qy = eye[0] + t * corner[0], eye[1] + t * corner[1]
            spread = max(spread, math.sqrt((qx - px) ** 2 + (qy - py) ** 2))
        counts[tile, 0] = counts[tile, 1] = 0
        for i in range(objects.shape[0]):
            o = objects[i]
            x, y, z = o[CX] - eye[0], o[CY] - eye[1], o[CZ] - eye[2]
            away = x * x + y * y + z * z
            along = x * middle[0] + y * middle[1] + z * middle[2]
            wide = o[BOUND] + 1.1 * widest * (math.sqrt(away) + o[BOUND])
            if away - along * along < wide * wide:
                seen[tile, counts[tile, 0]] = i
                counts[tile, 0] += 1
            # A shining floor mirrors things that are far from it.
            if level or floor_gloss[0] > 0.02 or _shades(o, lights, px, py, 1.1 * spread):
                cast[tile, counts[tile, 1]] = i
                counts[tile, 1] += 1
