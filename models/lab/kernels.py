"""Ray tracing kernels of the laboratory's renderer, compiled by numba.

Every object is a row of one float table, so that the compiled code has one
signature whatever a scene holds. Distances are millimetres, the table is the
plane z = 0 and z points up. Primary rays, soft shadows from area lamps, one
ambient ray and one mirror ray per sample: enough for contact shadows, gloss
and highlights, and fast enough to render a training set on two cores.

Sources: rounded box distance field after I. Quilez, "Distance functions";
Schlick 1994 for the Fresnel term; cosine sampling after Shirley & Chiu 1997.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

FAR = 1e9
EPS_MM = 1e-2
# Kinds of rows in the object table.
DIE, CUP, BOX, DISC, CAPSULE = 0, 1, 2, 3, 4
# Columns: kind, centre, bounding radius, rotation (row-major), then what the kind needs.
KIND, CX, CY, CZ, BOUND, ROT = 0, 1, 2, 3, 4, 5
SHAPE = 14  # six shape numbers
COLOR = 20  # rgb
COLOR2 = 23  # rgb of the pattern
PATTERN, PATTERN_SCALE, PATTERN_AMOUNT = 26, 27, 28
GLOSS, ROUGH, TRANSLUCENT = 29, 30, 31
PIP = 32  # rgb pip, rgb inner, rgb ace
PIP_RADIUS, PIP_SPACING, SIX_ROWS, ACE_SCALE, PIP_DEPTH, PIP_INNER = 41, 42, 43, 44, 45, 46
VALUES, FLIP, DOME = 47, 53, 54
FACE_SPACING = 55  # for the values 1 to 6, times PIP_SPACING
COLUMNS = 61
# One row per face value: number of pips and their places in units of the spacing.
PIP_COUNT = np.array([0, 1, 2, 3, 4, 5, 6])
PIP_PLACES = np.zeros((7, 6, 2))
for _value, _places in {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}.items():
    PIP_PLACES[_value, : len(_places)] = _places


@njit(cache=True, fastmath=True)
def rand(state):
    """Uniform number in [0, 1) by xorshift; `state` is a (1,) uint64 array."""
    s = state[0]
    s ^= s << np.uint64(13)
    s ^= s >> np.uint64(7)
    s ^= s << np.uint64(17)
    state[0] = s
    return (s >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, fastmath=True)
def _hash(ix, iy, iz):
    h = (ix * 374761393 + iy * 668265263 + iz * 2147483647) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFF) / 65535.0


@njit(cache=True, fastmath=True)
def noise3(x, y, z):
    """Smooth value noise in [0, 1]."""
    ix, iy, iz = math.floor(x), math.floor(y), math.floor(z)
    fx, fy, fz = x - ix, y - iy, z - iz
    fx, fy, fz = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy), fz * fz * (3 - 2 * fz)
    i, j, k = int(ix), int(iy), int(iz)
    total = 0.0
    for a in range(2):
        for b in range(2):
            for c in range(2):
                weight = (fx if a else 1 - fx) * (fy if b else 1 - fy) * (fz if c else 1 - fz)
                total += weight * _hash(i + a, j + b, k + c)
    return total


@njit(cache=True, fastmath=True)
def to_local(o, x, y, z):
    """Turn a table direction into the frame of object row `o`."""
    return (
        o[ROT] * x + o[ROT + 3] * y + o[ROT + 6] * z,
        o[ROT + 1] * x + o[ROT + 4] * y + o[ROT + 7] * z,
        o[ROT + 2] * x + o[ROT + 5] * y + o[ROT + 8] * z,
    )


@njit(cache=True, fastmath=True)
def to_world(o, x, y, z):
    """Turn a direction of object row `o` into the table frame."""
    return (
        o[ROT] * x + o[ROT + 1] * y + o[ROT + 2] * z,
        o[ROT + 3] * x + o[ROT + 4] * y + o[ROT + 5] * z,
        o[ROT + 6] * x + o[ROT + 7] * y + o[ROT + 8] * z,
    )


@njit(cache=True, fastmath=True)
def _die(o, px, py, pz, dx, dy, dz, near, far):
    """March the distance field of a rounded box cut by a sphere; returns t and the normal."""
    half, radius, ball = o[SHAPE], o[SHAPE + 1], o[SHAPE + 2]
    inner = half - radius
    t = near
    for _ in range(28):
        x, y, z = px + t * dx, py + t * dy, pz + t * dz
        qx, qy, qz = abs(x) - inner, abs(y) - inner, abs(z) - inner
        ox, oy, oz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
        d = math.sqrt(ox * ox + oy * oy + oz * oz) + min(max(qx, qy, qz), 0.0) - radius
        length = math.sqrt(x * x + y * y + z * z)
        if length - ball > d:
            d = length - ball
            if d < 0.004:
                return t, x / length, y / length, z / length
        if d < 0.004:
            n = math.sqrt(ox * ox + oy * oy + oz * oz)
            if n > 1e-9:
                return (
                    t,
                    math.copysign(ox / n, x),
                    math.copysign(oy / n, y),
                    math.copysign(oz / n, z),
                )
            return t, 0.0, 0.0, 1.0
        t += d
        if t > far:
            break
    return FAR, 0.0, 0.0, 1.0


@njit(cache=True, fastmath=True)
def _cup(o, px, py, pz, dx, dy, dz):
    """Hollow frustum: rim at z = 0, base at z = height; wall of constant thickness."""
    r0, r1, height, wall = o[SHAPE], o[SHAPE + 1], o[SHAPE + 2], o[SHAPE + 3]
    best, bx, by, bz = FAR, 0.0, 0.0, 1.0
    slope = (r1 - r0) / height
    for shell in range(2):
        rim, top = r0 - shell * wall, height - shell * wall
        radius = rim + slope * pz
        a = dx * dx + dy * dy - slope * slope * dz * dz
        b = px * dx + py * dy - slope * dz * radius
        c = px * px + py * py - radius * radius
        disc = b * b - a * c
        if disc > 0 and abs(a) > 1e-12:
            root = math.sqrt(disc)
            for sign in (-1.0, 1.0):
                t = (-b + sign * root) / a
                z = pz + t * dz
                if EPS_MM < t < best and 0 <= z <= top:
                    x, y = px + t * dx, py + t * dy
                    n = math.sqrt(x * x + y * y) + 1e-9
                    k = 1.0 / math.sqrt(1 + slope * slope)
                    best, bx, by, bz = t, x / n * k, y / n * k, -slope * k
        if abs(dz) > 1e-9:
            t = (top - pz) / dz
            x, y = px + t * dx, py + t * dy
            edge = rim + slope * top
            if EPS_MM < t < best and x * x + y * y <= edge * edge:
                best, bx, by, bz = t, 0.0, 0.0, 1.0
    if abs(dz) > 1e-9:
        t = -pz / dz
        x, y = px + t * dx, py + t * dy
        r = x * x + y * y
        if EPS_MM < t < best and (r0 - wall) ** 2 <= r <= r0 * r0:
            best, bx, by, bz = t, 0.0, 0.0, -1.0
    if bx * dx + by * dy + bz * dz > 0:
        bx, by, bz = -bx, -by, -bz
    return best, bx, by, bz


@njit(cache=True, fastmath=True)
def _box(o, px, py, pz, dx, dy, dz):
    near, far, axis = -FAR, FAR, 0
    for k in range(3):
        p = px if k == 0 else (py if k == 1 else pz)
        d = dx if k == 0 else (dy if k == 1 else dz)
        if abs(d) < 1e-12:
            d = 1e-12
        t0, t1 = (-o[SHAPE + k] - p) / d, (o[SHAPE + k] - p) / d
        if t0 > t1:
            t0, t1 = t1, t0
        if t0 > near:
            near, axis = t0, k
        far = min(far, t1)
    if near > far or near < EPS_MM:
        return FAR, 0.0, 0.0, 1.0
    return (
        near,
        -math.copysign(1.0, dx) if axis == 0 else 0.0,
        -math.copysign(1.0, dy) if axis == 1 else 0.0,
        -math.copysign(1.0, dz) if axis == 2 else 0.0,
    )


@njit(cache=True, fastmath=True)
def _disc(o, px, py, pz, dx, dy, dz):
    radius, half = o[SHAPE], o[SHAPE + 2]
    best, bx, by, bz = FAR, 0.0, 0.0, 1.0
    if abs(dz) > 1e-9:
        t = (math.copysign(half, -dz) - pz) / dz
        x, y = px + t * dx, py + t * dy
        if t > EPS_MM and x * x + y * y <= radius * radius:
            best, bz = t, math.copysign(1.0, -dz)
    a = dx * dx + dy * dy
    b = px * dx + py * dy
    disc = b * b - a * (px * px + py * py - radius * radius)
    if disc > 0 and a > 1e-12:
        t = (-b - math.sqrt(disc)) / a
        if EPS_MM < t < best and abs(pz + t * dz) <= half:
            best, bx, by, bz = t, (px + t * dx) / radius, (py + t * dy) / radius, 0.0
    return best, bx, by, bz


@njit(cache=True, fastmath=True)
def _capsule(o, px, py, pz, dx, dy, dz):
    """Segment along z of half length SHAPE+1, swept by a ball of radius SHAPE."""
    radius, half = o[SHAPE], o[SHAPE + 1]
    best, bx, by, bz = FAR, 0.0, 0.0, 1.0
    a = dx * dx + dy * dy
    b = px * dx + py * dy
    disc = b * b - a * (px * px + py * py - radius * radius)
    if disc > 0 and a > 1e-12:
        t = (-b - math.sqrt(disc)) / a
        if t > EPS_MM and abs(pz + t * dz) <= half:
            return t, (px + t * dx) / radius, (py + t * dy) / radius, 0.0
    for sign in (-1.0, 1.0):
        qz = pz - sign * half
        b = px * dx + py * dy + qz * dz
        disc = b * b - (px * px + py * py + qz * qz - radius * radius)
        if disc > 0:
            t = -b - math.sqrt(disc)
            if EPS_MM < t < best:
                best = t
                bx, by, bz = (px + t * dx) / radius, (py + t * dy) / radius, (qz + t * dz) / radius
    return best, bx, by, bz


@njit(cache=True, fastmath=True)
def closest(objects, index, count, x, y, z, dx, dy, dz, limit, any_hit, skip):
    """First of the objects index[:count] that a ray hits: (t, row or -1, world normal)."""
    best, row = limit, -1
    nx, ny, nz = 0.0, 0.0, 1.0
    for n in range(count):
        i = index[n]
        o = objects[i]
        if i == skip:
            continue
        ox, oy, oz = x - o[CX], y - o[CY], z - o[CZ]
        b = ox * dx + oy * dy + oz * dz
        c = ox * ox + oy * oy + oz * oz - o[BOUND] * o[BOUND]
        disc = b * b - c
        if disc <= 0:
            continue
        root = math.sqrt(disc)
        if -b + root < 0 or -b - root > best:
            continue
        px, py, pz = to_local(o, ox, oy, oz)
        ex, ey, ez = to_local(o, dx, dy, dz)
        kind = int(o[KIND])
        if kind == DIE:
            t, ax, ay, az = _die(o, px, py, pz, ex, ey, ez, max(-b - root, 0.0), -b + root)
        elif kind == CUP:
            t, ax, ay, az = _cup(o, px, py, pz, ex, ey, ez)
        elif kind == BOX:
            t, ax, ay, az = _box(o, px, py, pz, ex, ey, ez)
        elif kind == DISC:
            t, ax, ay, az = _disc(o, px, py, pz, ex, ey, ez)
        else:
            t, ax, ay, az = _capsule(o, px, py, pz, ex, ey, ez)
        if t < best:
            best, row = t, i
            if any_hit:
                return best, row, nx, ny, nz
            nx, ny, nz = to_world(o, ax, ay, az)
    return best, row, nx, ny, nz
