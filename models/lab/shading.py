"""The light that reaches a point: lamps with soft shadows, the room, one mirror ray."""
# ruff: noqa: FBT003  numba calls compiled functions by position

from __future__ import annotations

import math

import numpy as np
from numba import njit

from .kernels import (
    BOUND,
    COLOR,
    CX,
    CY,
    CZ,
    DIE,
    FAR,
    KIND,
    ROUGH,
    TRANSLUCENT,
    closest,
    rand,
    to_local,
    to_world,
)
from .surfaces import albedo_at, floor_at, sky_at
from .tiles import AMBIENT_MM, TILE_PX, ray, sort_by_tile

# A floor point farther than this many heights from an object lies outside its shadow.
SHADOW_REACH = 2.2


@njit(cache=True, fastmath=True)
def _near(objects, index, count, x, y, chosen):
    """Of the rows index[:count] those whose shadow could reach the floor point, in `chosen`."""
    n = 0
    for m in range(count):
        i = index[m]
        o = objects[i]
        reach = o[BOUND] * 1.2 + (o[CZ] + o[BOUND] * 0.6) * SHADOW_REACH
        if (x - o[CX]) ** 2 + (y - o[CY]) ** 2 < reach * reach:
            chosen[n] = i
            n += 1
    return n


@njit(cache=True, fastmath=True)
def _light(  # noqa: PLR0915  one ray each, in reading order
    objects, index, count, lights, sky, p, n, gloss, rough, d, albedo, out, tmp, state
):
    """Direct light, highlights, ambient with one occlusion ray, one mirror ray."""
    for k in range(3):
        out[k] = 0.0
    px, py, pz = p[0] + n[0] * 0.05, p[1] + n[1] * 0.05, p[2] + n[2] * 0.05
    power = 2.0 / (rough * rough * rough * rough + 1e-4)
    for i in range(lights.shape[0]):
        r = lights[i, 6]
        lx = lights[i, 0] + r * (2 * rand(state) - 1) - px
        ly = lights[i, 1] + r * (2 * rand(state) - 1) - py
        lz = lights[i, 2] + r * 0.3 * (2 * rand(state) - 1) - pz
        dist = math.sqrt(lx * lx + ly * ly + lz * lz)
        lx, ly, lz = lx / dist, ly / dist, lz / dist
        cos = lx * n[0] + ly * n[1] + lz * n[2]
        if cos <= 0:
            continue
        if count > 0:
            _, hit, _, _, _ = closest(objects, index, count, px, py, pz, lx, ly, lz, dist, True, -1)
            if hit >= 0:
                continue
        fall = (lights[i, 7] / dist) ** 2
        hx, hy, hz = lx - d[0], ly - d[1], lz - d[2]
        hn = math.sqrt(hx * hx + hy * hy + hz * hz) + 1e-9
        spec = max(0.0, (hx * n[0] + hy * n[1] + hz * n[2]) / hn)
        spec = gloss * 0.04 * (power + 2) * 0.125 * spec**power
        for k in range(3):
            out[k] += lights[i, 3 + k] * fall * cos * (albedo[k] + spec)
    # Ambient: one cosine-distributed ray; what it hits is taken as half dark.
    a, b = 6.2831853 * rand(state), math.sqrt(rand(state))
    sx, sy, sz = b * math.cos(a), b * math.sin(a), math.sqrt(max(0.0, 1 - b * b))
    tx, ty, tz = (0.0, -n[2], n[1]) if abs(n[0]) < 0.7 else (n[2], 0.0, -n[0])
    tn = math.sqrt(tx * tx + ty * ty + tz * tz)
    tx, ty, tz = tx / tn, ty / tn, tz / tn
    bx, by, bz = n[1] * tz - n[2] * ty, n[2] * tx - n[0] * tz, n[0] * ty - n[1] * tx
    ex = sx * tx + sy * bx + sz * n[0]
    ey = sx * ty + sy * by + sz * n[1]
    ez = sx * tz + sy * bz + sz * n[2]
    sky_at(sky, ex, ey, ez, tmp)
    for k in range(3):  # one ray that happens to meet a small bright lamp would leave a spark
        tmp[k] = min(tmp[k], 1.5)
    if count > 0:
        _, hit, _, _, _ = closest(
            objects, index, count, px, py, pz, ex, ey, ez, AMBIENT_MM, True, -1
        )
        if hit >= 0:
            for k in range(3):
                tmp[k] *= 0.45 * objects[hit, COLOR + k]
    if ez < 0:
        for k in range(3):
            tmp[k] *= 0.5
    for k in range(3):
        out[k] += tmp[k] * albedo[k]
    if gloss > 0.02:
        cos = -(d[0] * n[0] + d[1] * n[1] + d[2] * n[2])
        fresnel = gloss * (0.04 + 0.96 * (1 - max(cos, 0.0)) ** 5)
        j = rough * rough
        rx = d[0] + 2 * cos * n[0] + j * (2 * rand(state) - 1)
        ry = d[1] + 2 * cos * n[1] + j * (2 * rand(state) - 1)
        rz = d[2] + 2 * cos * n[2] + j * (2 * rand(state) - 1)
        rn = math.sqrt(rx * rx + ry * ry + rz * rz) + 1e-9
        rx, ry, rz = rx / rn, ry / rn, rz / rn
        sky_at(sky, rx, ry, rz, tmp)
        if count > 0:
            _, hit, _, _, _ = closest(objects, index, count, px, py, pz, rx, ry, rz, FAR, False, -1)
            if hit >= 0:
                for k in range(3):
                    tmp[k] = objects[hit, COLOR + k] * 0.5 * (sky[1, k] + sky[0, k] + 0.2)
        for k in range(3):
            out[k] += tmp[k] * fresnel


@njit(cache=True, fastmath=True)
def _sample(
    objects, every, seen, seen_count, cast, cast_count, lights, sky, floor, floor_size, floor_gloss,
    o, d, out, near, scratch, state,
):  # fmt: skip
    """One primary ray; returns the row hit, -1 for bare floor, -2 for floor near a thing.

    It can meet the rows seen[:seen_count]; those in cast[:cast_count] can shade the floor there.
    """
    rgb, p, n, bend, tmp = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    t, row, nx, ny, nz = closest(
        objects, seen, seen_count, o[0], o[1], o[2], d[0], d[1], d[2], FAR, False, -1
    )
    t_floor = -o[2] / d[2] if d[2] < -1e-6 else FAR
    if t_floor < t:
        for k in range(3):
            p[k] = o[k] + t_floor * d[k]
            n[k] = 0.0
        n[2] = 1.0
        floor_at(floor, floor_size, p[0], p[1], rgb)
        count = _near(objects, cast, cast_count, p[0], p[1], near)
        _light(
            objects,
            near,
            count,
            lights,
            sky,
            p,
            n,
            floor_gloss[0],
            floor_gloss[1],
            d,
            rgb,
            out,
            tmp,
            state,
        )
        return -1 if count == 0 else -2
    if row < 0:
        sky_at(sky, d[0], d[1], d[2], out)
        return -1
    obj = objects[row]
    for k in range(3):
        p[k] = o[k] + t * d[k]
    n[0], n[1], n[2] = nx, ny, nz
    x, y, z = to_local(obj, p[0] - obj[CX], p[1] - obj[CY], p[2] - obj[CZ])
    gloss = albedo_at(obj, x, y, z, rgb, bend)
    if bend[0] != 0.0 or bend[1] != 0.0 or bend[2] != 0.0:
        bx, by, bz = to_world(obj, bend[0], bend[1], bend[2])
        nx, ny, nz = nx + bx, ny + by, nz + bz
        s = math.sqrt(nx * nx + ny * ny + nz * nz)
        n[0], n[1], n[2] = nx / s, ny / s, nz / s
    _light(
        objects,
        every,
        objects.shape[0],
        lights,
        sky,
        p,
        n,
        gloss,
        obj[ROUGH],
        d,
        rgb,
        out,
        tmp,
        state,
    )
    glow = obj[TRANSLUCENT]
    if glow > 0:
        # Light that came through the body: brighter low down and away from the lamp.
        depth = 0.6 + 0.4 * (x * x + y * y + z * z) / (obj[BOUND] * obj[BOUND])
        for k in range(3):
            through = rgb[k] * depth * (sky[1, k] + lights[0, 3 + k] * 0.35)
            out[k] = out[k] * (1 - 0.6 * glow) + glow * 0.8 * through
    return row


@njit(cache=True, fastmath=True)
def render_rows(
    objects,
    lights,
    sky,
    floor,
    floor_size,
    floor_gloss,
    eye,
    axes,
    focal,
    lens,
    center,
    x0,
    y0,
    image,
    albedo,
    ids,
    samples,
    seed,
    leave_bare,
):
    """Fill `image`, `albedo` (h, w, 3) and `ids` (h, w); (0, 0) is (x0, y0) of the picture.

    `leave_bare`: tiles in which nothing is to be seen or casts a shadow stay as they are.
    """
    h, w = image.shape[0], image.shape[1]
    out, d, near = np.empty(3), np.empty(3), np.empty(max(1, objects.shape[0]), np.int64)
    every = np.arange(objects.shape[0])
    tiles = (w + TILE_PX - 1) // TILE_PX
    seen = np.empty((tiles, max(1, objects.shape[0])), np.int64)
    cast, counts = np.empty_like(seen), np.zeros((tiles, 2), np.int64)
    scratch = np.zeros((5, 3))
    state = np.empty(1, np.uint64)
    for i in range(h):
        state[0] = np.uint64(seed * 2654435761 + (i + y0) * 40503 + 88172645463325252)
        for _ in range(4):
            rand(state)
        if i % TILE_PX == 0:
            sort_by_tile(
                objects, lights, floor_gloss, eye, axes, focal, lens,
                x0 - center[0], y0 + i - center[1], w, seen, cast, counts,
            )  # fmt: skip
        for j in range(w):
            tile = j // TILE_PX
            if leave_bare and counts[tile, 0] == 0 and counts[tile, 1] == 0:
                continue
            done = 0
            total0, total1, total2 = 0.0, 0.0, 0.0
            base0, base1, base2 = 0.0, 0.0, 0.0
            first, wanted = 0, samples
            while done < wanted:
                jx, jy = (0.5, 0.5) if done == 0 else (rand(state), rand(state))
                ray(axes, focal, lens, j + x0 + jx - center[0], i + y0 + jy - center[1], d)
                hit = _sample(
                    objects,
                    every,
                    seen[tile],
                    counts[tile, 0],
                    cast[tile],
                    counts[tile, 1],
                    lights,
                    sky,
                    floor,
                    floor_size,
                    floor_gloss,
                    eye,
                    d,
                    out,
                    near,
                    scratch,
                    state,
                )
                if done == 0:
                    first = hit
                    if hit < 0:  # the table's light is smoothed afterwards
                        wanted = min((samples + 1) // 2, 2)
                    elif hit >= 0 and int(objects[hit, KIND]) == DIE:
                        wanted = 2 * samples
                total0 += out[0]
                total1 += out[1]
                total2 += out[2]
                base0 += scratch[0, 0]
                base1 += scratch[0, 1]
                base2 += scratch[0, 2]
                done += 1
            ids[i, j] = first
            image[i, j, 0], image[i, j, 1], image[i, j, 2] = (
                total0 / done,
                total1 / done,
                total2 / done,
            )
            albedo[i, j, 0], albedo[i, j, 1], albedo[i, j, 2] = (
                base0 / done,
                base1 / done,
                base2 / done,
            )
