"""Light, cups, hands and the things that lie about on a pub's table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .looks import Rng, finish
from .physics_world import Obstacle
from .things import Box, Capsule, Cup, Disc, Light, Rgb, SkyLamp

SKINS: tuple[Rgb, ...] = (
    (0.55, 0.32, 0.22),
    (0.42, 0.22, 0.14),
    (0.2, 0.1, 0.06),
    (0.65, 0.42, 0.32),
)


def turn_z(angle: float) -> NDArray[np.float64]:
    """Rotation about z; (3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def random_lights(rng: Rng) -> tuple[list[Light], list[SkyLamp], Rgb, Rgb]:
    """Lamps, bright spots of the room, and the light from horizon and ceiling."""
    lights = []
    for _ in range(int(rng.choice([1, 1, 2, 2, 3]))):
        azimuth, height = rng.uniform(0, 6.283), np.radians(rng.uniform(28, 88))
        warm = rng.uniform(-0.4, 1.0)
        tint = np.array([1, 1 - 0.22 * max(warm, 0), 1 - 0.5 * max(warm, 0)])
        if warm < 0:
            tint = np.array([1 + 0.4 * warm, 1 + 0.15 * warm, 1])
        at = 800 * np.array(
            [np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height)]
        )
        power = tint * np.exp(rng.uniform(np.log(0.15), np.log(1.3)))
        lights.append(
            Light(
                position_mm=at.tolist(),
                rgb=(power[0], power[1], power[2]),
                radius_mm=float(np.exp(rng.uniform(np.log(10), np.log(260)))),
            )
        )
    lamps = []
    for _ in range(int(rng.integers(0, 4))):
        d = rng.normal(size=3)
        d[2] = abs(d[2]) + 0.3
        # Ceiling lamps and windows mirror in glossy dice, right across their pips.
        level = float(np.exp(rng.uniform(np.log(0.5), np.log(14))))
        lamps.append(
            SkyLamp(
                direction=d.tolist(),
                rgb=(level, level, level * 0.9),
                cosine=float(rng.uniform(0.85, 0.99)),
            )
        )
    level = float(np.exp(rng.uniform(np.log(0.05), np.log(0.6))))
    tint = np.exp(rng.normal(0, 0.1, 3))
    ceiling = (level * tint[0], level * tint[1], level * tint[2])
    return lights, lamps, (ceiling[0] * 0.5, ceiling[1] * 0.5, ceiling[2] * 0.5), ceiling


def random_cup(rng: Rng, x: float, y: float) -> Cup:
    """A dice cup standing on its rim or base, lying, or lifted, at (x, y)."""
    height = float(rng.uniform(70, 115))
    rim = float(rng.uniform(34, 50))
    pose = rng.choice(["down", "up", "lying", "lifted"], p=[0.62, 0.18, 0.08, 0.12])
    rotation, z = np.eye(3), 0.0
    if pose == "up":
        rotation, z = np.diag([1.0, -1, -1]), height
    elif pose == "lying":
        rotation, z = (
            turn_z(rng.uniform(0, 6.28)) @ np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0.0]]),
            rim,
        )
    elif pose == "lifted":
        a = rng.uniform(0.05, 0.6)
        lean = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
        rotation, z = turn_z(rng.uniform(0, 6.28)) @ lean, float(rng.uniform(15, 110))
    leathers: tuple[Rgb | None, ...] = (
        (0.10, 0.035, 0.012),
        (0.02, 0.02, 0.02),
        (0.22, 0.08, 0.03),
        None,
    )
    rgb = leathers[int(rng.integers(4))]
    return Cup(
        position_mm=(x, y, z),
        rotation=rotation,
        radius_rim_mm=rim,
        radius_base_mm=rim * float(rng.uniform(0.72, 1.0)),
        height_mm=height,
        wall_mm=float(rng.uniform(1.5, 5)),
        finish=finish(rng, rgb),
    )


def random_hand(rng: Rng, x: float, y: float) -> list[Capsule]:
    """Fingers, palm and a sleeve that reach in from one side."""
    skin = finish(rng, SKINS[int(rng.integers(len(SKINS)))])
    angle = rng.uniform(0, 6.28)
    along, across = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    height = rng.uniform(14, 60)
    parts = []
    for i in range(4):
        tip = np.array([x, y]) + across * (i - 1.5) * 19 + along * rng.uniform(-8, 8)
        knuckle = np.array([x, y]) + across * (i - 1.5) * 21 + along * 75
        parts.append(
            Capsule(
                a_mm=(*tip, height * rng.uniform(0.5, 1)),
                b_mm=(*knuckle, height + 20),
                radius_mm=float(rng.uniform(7.5, 10)),
                finish=skin,
            )
        )
    wrist = np.array([x, y]) + along * 150
    parts.append(
        Capsule(
            a_mm=(*(np.array([x, y]) + along * 95), height + 18),
            b_mm=(*wrist, height + 25),
            radius_mm=33,
            finish=skin,
        )
    )
    parts.append(
        Capsule(
            a_mm=(*wrist, height + 25),
            b_mm=(*(wrist + along * 320), height + 60),
            radius_mm=48,
            finish=finish(rng),
        )
    )
    return parts


def random_thing(rng: Rng, spot: NDArray[np.float64], die_mm: float) -> Box | Disc | Capsule:
    """A coin, a coaster, a box, a glass, a pen: whole or partly in view."""
    x, y = float(spot[0]), float(spot[1])
    kind = rng.integers(0, 6)
    look = finish(rng)
    if kind == 0:
        return Disc(
            position_mm=(x, y, 1.0),
            radius_mm=float(rng.uniform(7, 14)),
            half_height_mm=1.0,
            finish=look,
        )
    if kind == 1:
        return Disc(
            position_mm=(x, y, 1.0),
            radius_mm=float(rng.uniform(40, 52)),
            half_height_mm=1.0,
            finish=look,
        )
    if kind == 2:
        half = rng.uniform(0.3, 1.1, 3) * die_mm
        return Box(
            position_mm=(x, y, float(half[2])),
            half_mm=half.tolist(),
            rotation=turn_z(rng.uniform(0, 6.28)),
            finish=look,
        )
    if kind == 3:
        half = np.array([rng.uniform(20, 90), rng.uniform(20, 90), rng.uniform(2, 30)])
        return Box(
            position_mm=(x, y, float(half[2])),
            half_mm=half.tolist(),
            rotation=turn_z(rng.uniform(0, 6.28)),
            finish=look,
        )
    if kind == 4:
        tall = float(rng.uniform(15, 70))
        return Disc(
            position_mm=(x, y, tall),
            radius_mm=float(rng.uniform(20, 40)),
            half_height_mm=tall,
            finish=look,
        )
    angle, length = rng.uniform(0, 6.28), rng.uniform(50, 180)
    r = float(rng.uniform(2.5, 7))
    return Capsule(
        a_mm=(x, y, r),
        b_mm=(x + length * np.cos(angle), y + length * np.sin(angle), r),
        radius_mm=r,
        finish=look,
    )


def obstacle_thing(
    rng: Rng, thing: Obstacle, where: list[float], rotation: NDArray[np.float64], scale: float
) -> Box | Disc:
    """What dice lean on, at `where` (mm) and `scale` times as large, with a random finish."""
    half = [float(v) * scale for v in thing.size_mm]
    if thing.kind == "disc":
        return Disc(
            position_mm=where,
            radius_mm=half[0],
            half_height_mm=half[2],
            rotation=rotation,
            finish=finish(rng),
        )
    return Box(position_mm=where, half_mm=half, rotation=rotation, finish=finish(rng))
