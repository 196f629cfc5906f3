"""Triangles of the things that `models.lab.things` describes, with their colours at every corner.

The path tracer renders meshes. All that the laboratory knows of patterns and pips is a function of
a place on a thing (`models.lab.surfaces`), so meshes are as fine as what is painted on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import NDArray

from . import kernels as k
from .surfaces import albedo_at

Floats = NDArray[np.float64]
DIE_CELLS = 52
"""Cells along the edge of a die's face: 0.3 mm on a die of 16 mm, about a pixel."""
ROUND_CELLS = 96
FLAT_CELLS = 40
PIP_BOTTOM = 0.45
"""Depth of a pip of `pip_depth` 1, in its radii: the bowl whose sides stand as `albedo_at` says."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """Corners (N, 3) in mm on the table, triangles (M, 3), linear RGB and "is a pip" (N,) 0..1."""

    corners: Floats
    triangles: NDArray[np.int64]
    rgb: Floats
    pip: Floats


@njit(cache=True)
def _painted(row: Floats, places: Floats) -> tuple[Floats, Floats, Floats]:
    """Colours, sinking of a recessed pip (its radii) and "is a pip" at local places."""
    n = places.shape[0]
    rgb, sunk, pip = np.zeros((n, 3)), np.zeros(n), np.zeros(n)
    color, bend = np.zeros(3), np.zeros(3)
    plain = row.copy()
    plain[k.COLOR : k.COLOR + 3] = 0.0
    plain[k.COLOR2 : k.COLOR2 + 3] = 0.0
    plain[k.PIP : k.PIP + 9] = 1.0
    for i in range(n):
        x, y, z = places[i]
        albedo_at(row, x, y, z, color, bend)
        rgb[i] = color
        if int(row[k.KIND]) == k.DIE:
            albedo_at(plain, x, y, z, color, bend)
            pip[i] = 1.0 if color[0] > 0 else 0.0
            # `bend` is as long as the bowl is steep there: 0.9 depth d, d from 0 to 1.
            steep = np.sqrt((bend**2).sum())
            deep = row[k.PIP_DEPTH]
            if pip[i] > 0 and deep > 0:
                d = steep / (0.9 * deep)
                sunk[i] = PIP_BOTTOM * deep * max(0.0, 1 - d * d)
    return rgb, sunk, pip


def _grid(place: Callable[[Floats, Floats], Floats], us: Floats, vs: Floats) -> tuple[Floats, ...]:
    """Corners and triangles of a patch: `place` maps (N,), (N,) to (N, 3)."""
    u, v = (x.ravel() for x in np.meshgrid(us, vs, indexing="ij"))
    rows, columns = len(us), len(vs)
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = first, first + columns, first + columns + 1, first + 1
    return place(u, v), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def _joined(patches: list[tuple[Floats, ...]]) -> tuple[Floats, NDArray[np.int64]]:
    starts = np.cumsum([0] + [len(corners) for corners, _ in patches])
    return np.concatenate([corners for corners, _ in patches]), np.concatenate(
        [triangles + start for (_, triangles), start in zip(patches, starts, strict=False)]
    ).astype(np.int64)


def _cube(half: Floats, cells: int) -> tuple[Floats, NDArray[np.int64]]:
    """Six grids on the faces of a block of half sides (3,), wound to the outside."""
    patches = []
    for axis in range(3):
        for sign in (1.0, -1.0):

            def place(u: Floats, v: Floats, axis: int = axis, sign: float = sign) -> Floats:
                out = np.empty((len(u), 3))
                out[:, axis] = sign
                out[:, (axis + 1) % 3], out[:, (axis + 2) % 3] = u, v
                return out * half

            us = np.linspace(-1, 1, cells + 1)
            patches.append(_grid(place, us, us * sign))
    return _joined(patches)


def _die(row: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """A rounded block, cut with a ball, its pips sunk in."""
    half, radius, ball = row[k.SHAPE : k.SHAPE + 3]
    block, triangles = _cube(np.full(3, half), DIE_CELLS)
    core = np.clip(block, radius - half, half - radius)
    out = block - core
    corners = core + radius * out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    length = np.linalg.norm(corners, axis=1, keepdims=True)
    return corners * np.minimum(1.0, ball / length), triangles


def _sunk(row: Floats, corners: Floats, sunk: Floats) -> Floats:
    """Corners moved into the die where a pip is."""
    radius = row[k.PIP_RADIUS] * 2 * row[k.SHAPE]
    axis = np.abs(corners).argmax(axis=1)
    rows = np.arange(len(corners))
    out = corners.copy()
    out[rows, axis] -= np.sign(corners[rows, axis]) * sunk * radius
    return out


def _turned(profile: list[tuple[float, float]], fine: int) -> tuple[Floats, NDArray[np.int64]]:
    """A body of revolution about z: straight lines between (radius, z), wound to the left of it."""
    around = np.linspace(0, 2 * np.pi, ROUND_CELLS + 1)
    patches = []
    for (r0, z0), (r1, z1) in pairwise(profile):

        def place(t: Floats, a: Floats, ends: tuple[float, ...] = (r0, z0, r1, z1)) -> Floats:
            r = ends[0] + t * (ends[2] - ends[0])
            return np.stack([r * np.cos(a), r * np.sin(a), ends[1] + t * (ends[3] - ends[1])], 1)

        cells = max(1, round(fine * float(np.hypot(r1 - r0, z1 - z0)) / 40))
        patches.append(_grid(place, np.linspace(0, 1, cells + 1), around[::-1]))
    return _joined(patches)


def _cup(row: Floats) -> tuple[Floats, NDArray[np.int64]]:
    rim, base, height, wall = row[k.SHAPE : k.SHAPE + 4]
    inner = [(0.0, height - wall), (base - wall, height - wall), (rim - wall, 0.0)]
    return _turned([*inner, (rim, 0.0), (base, height), (0.0, height)], FLAT_CELLS)


def _disc(row: Floats) -> tuple[Floats, NDArray[np.int64]]:
    radius, _, half = row[k.SHAPE : k.SHAPE + 3]
    return _turned([(0, -half), (radius, -half), (radius, half), (0, half)], 2 * FLAT_CELLS)


def _capsule(row: Floats) -> tuple[Floats, NDArray[np.int64]]:
    radius, half = row[k.SHAPE : k.SHAPE + 2]
    bow = np.linspace(0, np.pi / 2, 12)
    low = [(radius * np.sin(a), -half - radius * np.cos(a)) for a in bow]
    high = [(radius * np.cos(a), half + radius * np.sin(a)) for a in bow]
    return _turned([*low, *high], FLAT_CELLS)


SHAPES: dict[int, Callable[[Floats], tuple[Floats, NDArray[np.int64]]]] = {
    k.DIE: _die,
    k.CUP: _cup,
    k.BOX: lambda row: _cube(row[k.SHAPE : k.SHAPE + 3], FLAT_CELLS),
    k.DISC: _disc,
    k.CAPSULE: _capsule,
}


def mesh_of(row: Floats) -> Mesh:
    """The mesh of one row of `models.lab.tracer.object_table`."""
    kind = int(row[k.KIND])
    local, triangles = SHAPES[kind](row)
    rgb, sunk, pip = _painted(row, local)
    if kind == k.DIE:
        local = _sunk(row, local, sunk)
    rotation = row[k.ROT : k.ROT + 9].reshape(3, 3)
    corners = local @ rotation.T + row[k.CX : k.CZ + 1]
    return Mesh(corners, triangles, rgb, pip)
