"""What a surface looks like at a point: die faces with pips, patterns, the table, the room."""

from __future__ import annotations

import math

from numba import njit

from .kernels import (
    ACE_SCALE,
    COLOR,
    COLOR2,
    DIE,
    DOME,
    FACE_SPACING,
    FLIP,
    GLOSS,
    KIND,
    PATTERN,
    PATTERN_AMOUNT,
    PATTERN_SCALE,
    PIP,
    PIP_COUNT,
    PIP_DEPTH,
    PIP_INNER,
    PIP_PLACES,
    PIP_RADIUS,
    PIP_SPACING,
    SHAPE,
    SIX_ROWS,
    VALUES,
    noise3,
)

PLAIN, MARBLE, SPECKLE, WOOD, RINGS, TWO_TONE = 0, 1, 2, 3, 4, 5


@njit(cache=True, fastmath=True)
def _pattern(o, x, y, z):
    """Weight of the second colour at a local point."""
    kind, s = int(o[PATTERN]), o[PATTERN_SCALE]
    if kind == PLAIN:
        return 0.0
    if kind == MARBLE:
        w = noise3(x * s + 7, y * s, z * s) + 0.5 * noise3(2 * x * s, 2 * y * s + 3, 2 * z * s)
        return o[PATTERN_AMOUNT] * (0.5 + 0.5 * math.sin(9 * w))
    if kind == SPECKLE:
        return o[PATTERN_AMOUNT] if noise3(x * s * 4, y * s * 4, z * s * 4) > 0.72 else 0.0
    if kind == WOOD:
        w = math.sqrt(x * x + (y - 9) ** 2) * s * 2 + 2 * noise3(x * s, y * s, z * s * 0.2)
        return o[PATTERN_AMOUNT] * (0.5 + 0.5 * math.sin(6.28 * w))
    if kind == RINGS:
        return o[PATTERN_AMOUNT] if math.sin(math.sqrt(x * x + y * y) * s) > 0.3 else 0.0
    return o[PATTERN_AMOUNT] if x + 0.6 * y > 0.15 * o[SHAPE] * noise3(x, y, z) else 0.0


@njit(cache=True, fastmath=True)
def albedo_at(o, x, y, z, rgb, bend):
    """Colour at a local point into `rgb`; the tilt of a recessed pip or a domed face into `bend`.

    Returns:
        The gloss there.
    """
    w = _pattern(o, x, y, z)
    for k in range(3):
        rgb[k] = o[COLOR + k] * (1 - w) + o[COLOR2 + k] * w
        bend[k] = 0.0
    if int(o[KIND]) != DIE:
        return o[GLOSS]
    ax, ay, az = abs(x), abs(y), abs(z)
    if ax >= ay and ax >= az:
        face, u, v = (0 if x > 0 else 1), y, z
    elif ay >= az:
        face, u, v = (2 if y > 0 else 3), z, x
    else:
        face, u, v = (4 if z > 0 else 5), x, y
    value = int(o[VALUES + face])
    if (int(o[FLIP]) >> face) & 1:
        u = -u
    if (int(o[FLIP]) >> (face + 6)) & 1:
        u, v = v, u
    half = o[SHAPE]
    spacing = o[PIP_SPACING] * o[FACE_SPACING + value - 1] * 2 * half
    for i in range(PIP_COUNT[value]):
        su = spacing * PIP_PLACES[value, i, 0]
        sv = spacing * PIP_PLACES[value, i, 1]
        if value == 6:
            su *= o[SIX_ROWS]
        du, dv = u - su, v - sv
        radius = o[PIP_RADIUS] * 2 * half * (o[ACE_SCALE] if value == 1 else 1.0)
        d = math.sqrt(du * du + dv * dv) / radius
        if d < 1.0:
            base = PIP + (6 if value == 1 else 0)
            if d < o[PIP_INNER]:
                base = PIP + 3
            shade = 1.0 - 0.35 * o[PIP_DEPTH] * d * d
            for k in range(3):
                rgb[k] = o[base + k] * shade
            if (int(o[FLIP]) >> (face + 6)) & 1:
                du, dv = dv, du
            if (int(o[FLIP]) >> face) & 1:
                du = -du
            depth = -o[PIP_DEPTH] * 0.9 * d / (radius * d + 1e-6)
            if face < 2:
                bend[1], bend[2] = depth * du, depth * dv
            elif face < 4:
                bend[2], bend[0] = depth * du, depth * dv
            else:
                bend[0], bend[1] = depth * du, depth * dv
            return o[GLOSS] * 0.5
    if o[DOME] > 0.0:
        steep = o[DOME] / half
        bend[0], bend[1], bend[2] = steep * x, steep * y, steep * z
        bend[face // 2] = 0.0
    return o[GLOSS]


@njit(cache=True, fastmath=True)
def sky_at(sky, dx, dy, dz, rgb):
    """Radiance of the room in a direction: horizon, ceiling, soft rectangular lamps."""
    up = 0.5 + 0.5 * dz
    for k in range(3):
        rgb[k] = sky[0, k] * (1 - up) + sky[1, k] * up
    for i in range(2, sky.shape[0]):
        c = dx * sky[i, 3] + dy * sky[i, 4] + dz * sky[i, 5]
        if c > sky[i, 6]:
            w = min(1.0, (c - sky[i, 6]) / (1 - sky[i, 6]) * 4)
            for k in range(3):
                rgb[k] += sky[i, k] * w


@njit(cache=True, fastmath=True)
def floor_at(floor, size, x, y, rgb):
    """Bilinear colour of the table at (x, y) mm into `rgb`."""
    h, w = floor.shape[0], floor.shape[1]
    u = (x / size[0] + 0.5) * w - 0.5
    v = (0.5 - y / size[1]) * h - 0.5
    u, v = min(max(u, 0.0), w - 1.001), min(max(v, 0.0), h - 1.001)
    i, j = int(v), int(u)
    a, b = v - i, u - j
    for k in range(3):
        rgb[k] = (floor[i, j, k] * (1 - b) + floor[i, j + 1, k] * b) * (1 - a) + (
            floor[i + 1, j, k] * (1 - b) + floor[i + 1, j + 1, k] * b
        ) * a
