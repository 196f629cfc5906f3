"""Bodies that a careless eye takes for dice: dominoes, building bricks, keys, buttons, sugar.

They stand or lie on the table as dice do, with edges, shadows and dots of their own, and are no
dice. What is flat and looks like dice is `models.lab.litter`'s.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .clutter import turn_z
from .kernels import PIP_COUNT, PIP_PLACES
from .litter import screen
from .looks import Rng, finish
from .textures import Image
from .things import Box, Disc, Finish

Bodies = list[Box | Disc]
ROOM_MM = 26.0
PIP_HEIGHT = 0.004
"""How far a painted dot stands out, as a share of a die's edge."""


def lookalikes(rng: Rng, spot: NDArray[np.float64], die_mm: float) -> Bodies:
    """One kind of them around a place (x, y) on the table, millimetres."""
    make = MAKERS[int(rng.integers(len(MAKERS)))]
    turn = turn_z(rng.uniform(0, 6.28))
    return [_moved(body, turn, spot) for body in make(rng, die_mm)]


def strange_things(
    rng: Rng,
    free: Callable[[float], NDArray[np.float64] | None],
    floor: Image,
    die_px: float,
    *,
    die_mm: float = 16.0,
) -> Bodies:
    """Several of them where there is room, and perhaps a screen drawn into the table's texture.

    Args:
        rng: where all chance comes from.
        free: a free place (x, y) in mm for something of this radius; None when there is none.
        floor: the texture.
        die_px: edge of a die in its pixels.
        die_mm: edge of the table's dice.
    """
    places = [free(ROOM_MM) for _ in range(int(rng.integers(1, 5)))]
    bodies = [body for at in places if at is not None for body in lookalikes(rng, at, die_mm)]
    if rng.random() < 0.3:
        screen(rng, floor, die_px)
    return bodies


def _moved(body: Box | Disc, turn: NDArray[np.float64], spot: NDArray[np.float64]) -> Box | Disc:
    x, y, z = turn @ np.asarray(body.position_mm, float)
    at = (float(x + spot[0]), float(y + spot[1]), float(z))
    if isinstance(body, Box):
        return Box(
            position_mm=at, half_mm=body.half_mm, finish=body.finish, rotation=turn @ body.rotation
        )
    return Disc(
        position_mm=at,
        radius_mm=body.radius_mm,
        half_height_mm=body.half_height_mm,
        finish=body.finish,
    )


def _block(x: float, y: float, half: tuple[float, float, float], look: Finish) -> Box:
    return Box(position_mm=(x, y, half[2]), half_mm=half, finish=look)


def _dot(x: float, y: float, top: float, radius: float, look: Finish, height: float) -> Disc:
    return Disc(
        position_mm=(x, y, top + height / 2),
        radius_mm=radius,
        half_height_mm=height / 2,
        finish=look,
    )


def _dominoes(rng: Rng, die_mm: float) -> Bodies:
    """One to three stones side by side; a half is about as large as a die's face."""
    half = die_mm * float(rng.uniform(0.4, 0.65))
    body, ink, thick = finish(rng), finish(rng), half * float(rng.uniform(0.25, 0.5))
    out: Bodies = []
    for stone in range(int(rng.integers(1, 4))):
        y = stone * half * float(rng.uniform(2.05, 2.6))
        out.append(_block(0.0, y, (2 * half, half, thick), body))
        for x in (-half, half):
            value = int(rng.integers(0, 7))
            for u, v in PIP_PLACES[value, : PIP_COUNT[value]] * (0.55 * half):
                top, flat = 2 * thick, PIP_HEIGHT * die_mm
                out.append(_dot(x + float(u), y + float(v), top, 0.17 * half, ink, flat))
    return out


def _brick(rng: Rng, die_mm: float) -> Bodies:
    """A building brick with its studs: two by two, or two by three."""
    stud = die_mm * float(rng.uniform(0.2, 0.3))
    rows, look = int(rng.choice([2, 2, 3])), finish(rng)
    half = (rows * stud, 2 * stud, float(rng.uniform(0.8, 1.3)) * stud)
    places = [(i, j) for i in range(rows) for j in range(2)]
    studs = [
        _dot(
            (2 * i - rows + 1) * stud, (2 * j - 1) * stud, 2 * half[2], 0.6 * stud, look, 0.4 * stud
        )
        for i, j in places
    ]
    return [_block(0.0, 0.0, half, look), *studs]


def _keys(rng: Rng, die_mm: float) -> Bodies:
    """A corner of a keyboard: rows of keys with a letter each, told as a dot or two."""
    pitch = die_mm * float(rng.uniform(0.9, 1.25))
    half = (0.42 * pitch, 0.42 * pitch, float(rng.uniform(0.1, 0.4)) * pitch)
    body, ink = finish(rng), finish(rng)
    out: Bodies = []
    for i in range(int(rng.integers(2, 5))):
        for j in range(int(rng.integers(2, 4))):
            x, y = (i + 0.25 * j) * pitch, j * pitch
            out.append(_block(x, y, half, body))
            for _ in range(int(rng.integers(0, 3))):
                u, v = rng.uniform(-0.6, 0.6, 2) * half[0]
                size = float(rng.uniform(0.08, 0.2)) * pitch
                out.append(_dot(x + u, y + v, 2 * half[2], size, ink, PIP_HEIGHT * die_mm))
    return out


def _button(rng: Rng, die_mm: float) -> Bodies:
    """A button with its holes, or the lid of a bottle."""
    radius, look, ink = die_mm * float(rng.uniform(0.35, 0.9)), finish(rng), finish(rng)
    thick = die_mm * float(rng.uniform(0.06, 0.4))
    holes = int(rng.choice([0, 2, 4]))
    turns = np.arange(holes) * 2 * np.pi / max(1, holes)
    dots = [
        _dot(
            0.35 * radius * float(np.cos(a)), 0.35 * radius * float(np.sin(a)),
            thick, 0.13 * radius, ink, PIP_HEIGHT * die_mm,
        )
        for a in turns
    ]  # fmt: skip
    return [_dot(0.0, 0.0, 0.0, radius, look, thick), *dots]


def _sugar(rng: Rng, die_mm: float) -> Bodies:
    """Cubes of sugar, small boxes, plugs: blocks of a die's size without a pip."""
    look, out = finish(rng), []
    for i in range(int(rng.integers(1, 4))):
        half = tuple(float(v) for v in rng.uniform(0.38, 0.6, 3) * die_mm)
        out.append(_block(i * 1.5 * die_mm, float(rng.uniform(-0.5, 0.5)) * die_mm, half, look))  # type: ignore[arg-type]
    return list(out)


MAKERS: tuple[Callable[[Rng, float], Bodies], ...] = (_dominoes, _brick, _keys, _button, _sugar)
