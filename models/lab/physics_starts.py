"""The ways to let dice fall, and the things on the table they fall on.

Friction, corner radius, the cup and the obstacles are drawn per world, and a world serves some
drops before the next one is built.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Literal, get_args

import numpy as np

from models.lab.physics_world import (
    EDGE_CM,
    MM_PER_CM,
    Floats,
    Obstacle,
    Pose,
    Start,
    World,
    quaternion_of,
    random_quaternion,
)

Kind = Literal["thrown", "tower", "cocked", "near"]
KINDS: tuple[Kind, ...] = get_args(Kind)

FRICTION_RANGE = (0.25, 1.2)
CORNER_RANGE = (0.12, 0.20)
DROPS_PER_WORLD = 25
"""A world is replaced after this many drops, so that corners, cup and obstacles vary."""
CUBE_ROTATIONS: tuple[Floats, ...] = tuple(
    matrix
    for order in permutations(range(3))
    for signs in product((1.0, -1.0), repeat=3)
    for matrix in [np.eye(3)[list(order)] * np.array(signs)[:, None]]
    if np.linalg.det(matrix) > 0
)
"""The 24 rotations that map a cube onto itself."""


def about(axis: Floats, angle_rad: float) -> Floats:
    """The (3, 3) rotation by `angle_rad` about a unit axis (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(
        np.eye(3) + np.sin(angle_rad) * cross + (1 - np.cos(angle_rad)) * cross @ cross
    )


def yaw(angle_rad: float) -> Floats:
    """The (3, 3) rotation about the vertical."""
    return about(np.array([0.0, 0.0, 1.0]), angle_rad)


def _flat(rng: np.random.Generator) -> Floats:
    """A die on one of its faces, turned at random."""
    return yaw(rng.uniform(0, 2 * np.pi)) @ CUBE_ROTATIONS[rng.integers(24)]


def _leaning(rng: np.random.Generator, axis: Floats) -> Floats:
    """A die tilted 15 to 50 degrees about a horizontal axis that one of its edges follows."""
    heading = yaw(float(np.arctan2(axis[1], axis[0])))
    tilt = about(axis, np.radians(rng.uniform(15, 50)))
    return np.asarray(tilt @ heading @ CUBE_ROTATIONS[rng.integers(24)])


def _around(rng: np.random.Generator, nearest_cm: float, farthest_cm: float) -> Floats:
    angle = rng.uniform(0, 2 * np.pi)
    return rng.uniform(nearest_cm, farthest_cm) * np.array([np.cos(angle), np.sin(angle)])


def _at_rest(positions: list[Floats], rotations: list[Floats]) -> Start:
    """Dice let go without any speed."""
    count = len(positions)
    quaternions = np.array([quaternion_of(rotation) for rotation in rotations])
    return Start(np.array(positions), quaternions, np.zeros((count, 3)), np.zeros((count, 3)))


def _thrown(rng: np.random.Generator, world: World) -> Start:
    """Dice that rattle inside the cup, one above the other."""
    count = world.count
    positions = np.array(
        [(*_around(rng, 0, 2.0), rng.uniform(1.5, 3) + 2.4 * i) for i in range(count)]
    )
    quaternions = np.array([random_quaternion(rng) for _ in range(count)])
    return Start(
        positions, quaternions, rng.normal(0, 25, (count, 3)), rng.normal(0, 15, (count, 3))
    )


def _scattered(rng: np.random.Generator, world: World) -> Start:
    """Dice thrown over the table in one direction, without a cup around them."""
    count = world.count
    positions = np.array(
        [(*_around(rng, 0, 3.0), rng.uniform(2, 4) + 2.4 * i) for i in range(count)]
    )
    quaternions = np.array([random_quaternion(rng) for _ in range(count)])
    push = np.append(_around(rng, 10, 60), -20.0)
    return Start(
        positions, quaternions, push + rng.normal(0, 12, (count, 3)), rng.normal(0, 20, (count, 3))
    )


def _tower(rng: np.random.Generator, world: World) -> Start:
    """A die let go just above another, the rest beside them, now and then a third on top."""
    positions = [np.array([0.0, 0.0, EDGE_CM / 2])]
    rotations = [_flat(rng)]
    level = 1
    for index in range(1, world.count):
        on_top = index == 1 or (level == index and rng.random() < 0.2)
        if on_top:
            offset = _around(rng, 0, 0.55 * EDGE_CM if level == 1 else 0.3 * EDGE_CM)
            height = EDGE_CM * (level + 0.5) + 0.02
            positions.append(np.array([*(positions[-1][:2] + offset), height]))
            level += 1
        else:
            positions.append(np.array([*_around(rng, 1.7, 4.0), EDGE_CM / 2 + 0.3 * index]))
        rotations.append(_flat(rng))
    return _at_rest(positions, rotations)


def _beside_die(rng: np.random.Generator, world: World) -> Start:
    """A flat die, and one let go with an edge on it; the rest around."""
    positions = [np.array([0.0, 0.0, EDGE_CM / 2])]
    rotations = [_flat(rng)]
    for index in range(1, world.count):
        if index == 1 or rng.random() < 0.3:
            side = _around(rng, 1.25, 2.1)
            axis = np.array([-side[1], side[0], 0.0]) / np.linalg.norm(side)
            lean = _leaning(rng, axis if rng.random() < 0.5 else -axis)
            positions.append(np.array([*side, rng.uniform(0.95, 1.7) + 0.4 * (index - 1)]))
            rotations.append(lean)
        else:
            positions.append(np.array([*_around(rng, 1.8, 4.5), 1.2 + 0.5 * index]))
            rotations.append(_flat(rng) if rng.random() < 0.6 else _leaning(rng, np.eye(3)[0]))
    return _at_rest(positions, rotations)


def _beside_obstacle(rng: np.random.Generator, world: World) -> Start:
    """A die let go at an obstacle's edge, with an edge down; the rest around it.

    `_obstacles` puts the edges that dice shall lean on along the y axis through the origin.
    """
    positions, rotations = [], []
    tallest = max(float(obstacle.size_mm[2]) for obstacle in world.obstacles) * 2 / MM_PER_CM
    for index in range(world.count):
        if index == 0:
            axis = np.array([0.0, 1.0 if rng.random() < 0.7 else -1.0, 0.0])
            if rng.random() < 0.3:
                axis = about(np.array([0, 0, 1.0]), rng.normal(0, 0.4)) @ axis
            spot = np.array([rng.uniform(-0.5, 1.0), rng.normal(0, 0.6)])
            lift = min(tallest, EDGE_CM * 0.8) * rng.uniform(0.0, 0.8)
            positions.append(np.array([*spot, EDGE_CM * rng.uniform(0.6, 0.8) + lift]))
            rotations.append(_leaning(rng, axis))
        else:
            spot = np.array([rng.uniform(1.0, 4.0), rng.uniform(2.0, 4.0) * rng.choice([-1, 1])])
            positions.append(np.array([*spot, 1.4 + 1.8 * (index - 1)]))
            rotations.append(_flat(rng))
    return _at_rest(positions, rotations)


def _near(rng: np.random.Generator, world: World) -> Start:
    """Flat dice in a row or a loose heap which slide towards each other until they touch."""
    count = world.count
    row = rng.random() < 0.5
    heading = rng.uniform(0, 2 * np.pi)
    positions, rotations = [], []
    spots: list[Floats] = []
    for index in range(count):
        spot = np.array([index * EDGE_CM * rng.uniform(1.02, 1.25), rng.normal(0, 0.1)])
        while not row:
            spot = _around(rng, 0, 1.3 * EDGE_CM * count**0.5)
            if all(np.linalg.norm(spot - other) > 1.45 * EDGE_CM for other in spots):
                break
        spots.append(spot)
        twist = rng.normal(0, 0.06) if row else rng.uniform(0, 2 * np.pi)
        positions.append(np.append(spot, EDGE_CM / 2 + 0.005))
        rotations.append(yaw(twist) @ CUBE_ROTATIONS[rng.integers(24)])
    turn = yaw(heading)
    start = _at_rest([turn @ p for p in positions], [turn @ r for r in rotations])
    middle = start.position_cm.mean(axis=0)
    pull = (middle - start.position_cm) * np.array([1, 1, 0]) * rng.uniform(0, 12)
    return replace(start, velocity_cm_s=pull)


def _obstacles(rng: np.random.Generator) -> tuple[Obstacle, ...]:
    """A coaster, the wall or foot of a cup, a block or a crack; the edge to lean on is at x = 0."""

    def flat_on_table(kind: Literal["box", "disc"], x: float, size: Floats) -> Obstacle:
        return Obstacle(kind, Pose(np.array([x, 0.0, size[2]]), np.eye(3)), size)

    what = rng.choice(["coaster", "square", "cup", "block", "crack"], p=[0.25, 0.2, 0.3, 0.1, 0.15])
    if what == "coaster":
        radius, half = rng.uniform(40, 53), rng.uniform(1.2, 4.0)
        return (flat_on_table("disc", -radius, np.array([radius, radius, half])),)
    if what == "square":
        side, half = rng.uniform(40, 50), rng.uniform(1.2, 4.0)
        return (flat_on_table("box", -side, np.array([side, side, half])),)
    if what == "cup":
        radius, half = rng.uniform(30, 45), rng.uniform(40, 55)
        return (flat_on_table("disc", -radius, np.array([radius, radius, half])),)
    if what == "block":
        sides = rng.uniform(8, 30, 2)
        return (flat_on_table("box", -sides[0], np.array([*sides, rng.uniform(3, 12)])),)
    half, gap, side = rng.uniform(1.5, 5.0), rng.uniform(3.0, 13.0), rng.uniform(30, 60)
    size = np.array([side, side, half])
    return flat_on_table("box", -side, size), flat_on_table("box", side + gap, size)


@dataclass
class Stage:
    """A world, the way its dice start, and how many drops it has left."""

    world: World
    start: Callable[[np.random.Generator, World], Start]
    friction: tuple[float, float]
    drops_left: int = DROPS_PER_WORLD


def new_stage(rng: np.random.Generator, kind: Kind, count: int) -> Stage:
    """Build a world for a kind of heap and choose the way its dice start."""
    corner = rng.uniform(*CORNER_RANGE)
    if kind == "thrown":
        if rng.random() < 0.3:
            return Stage(World(count, corner=corner), _scattered, FRICTION_RANGE)
        cup_cm = rng.uniform(3.6, 4.6)
        return Stage(World(count, corner=corner, cup_radius_cm=cup_cm), _thrown, FRICTION_RANGE)
    if kind == "tower":
        return Stage(World(count, corner=corner), _tower, FRICTION_RANGE)
    if kind == "near":
        return Stage(World(count, corner=corner), _near, (0.25, 0.6))
    rough = (0.5, FRICTION_RANGE[1])
    if count > 1 and rng.random() < 0.45:
        return Stage(World(count, corner=corner), _beside_die, rough)
    world = World(count, corner=corner, obstacles=_obstacles(rng))
    return Stage(world, _beside_obstacle, rough)
