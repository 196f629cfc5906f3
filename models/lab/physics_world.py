"""A small MuJoCo world: rounded dice, a table, a cup's wall, things that lie about.

Theory of operation
-------------------
Inside, the world is in centimetres, grams and seconds and every die has the same edge
(`EDGE_CM`). A settled heap scales: the same heap of dice that are 12 % larger is an equally
possible heap, so callers simulate once and scale the result to the size they want. What does
not scale is randomised instead: corner radius, friction, the obstacles.

A world is compiled once for a corner radius and a set of obstacles (a few milliseconds) and then
used for many drops. The wall of the cup is a mocap body of sixteen boxes which `run` lifts away
while the dice still roll.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
State = Literal["flat", "tower", "burning"]

EDGE_CM = 1.6
MM_PER_CM = 10.0
DIE_MASS_G = 4.5
GRAVITY_CM_S2 = 981.0
TIMESTEP_S = 0.001
STEPS_PER_LOOK = 20

FLAT_MAX_TILT_DEG = 3.0
"""Up to here a die counts as lying flat: cloth, wear and solver noise stay below it."""
BURNING_MIN_TILT_DEG = 12.0
"""From here a die burns for everybody at the table; between the two no referee would agree."""

REST_SPEED_CM_S = 0.3
REST_SPIN_RAD_S = 0.2
REST_LOOKS = 5
"""A die rests after this many looks (0.1 s) below both speeds."""

CUP_WALL_BOXES = 16


@dataclass(frozen=True)
class Pose:
    """Where a body lies: body frame -> table frame (millimetres, z up, table plane z = 0).

    Attributes:
        position_mm: (3,) float64, the body's centre.
        rotation: (3, 3) float64, columns are the body's axes in table coordinates.
    """

    position_mm: Floats
    rotation: Floats


@dataclass(frozen=True)
class RestingDie:
    """A die at rest.

    Attributes:
        pose: centre and rotation of the die.
        size_mm: edge length.
        state: "flat", "tower" (stands on a die or carries one) or "burning" (leans).
        up_axis: 0..5 = +x, -x, +y, -y, +z, -z face of the die that points up most.
    """

    pose: Pose
    size_mm: float
    state: State
    up_axis: int


@dataclass(frozen=True)
class Obstacle:
    """A thing on the table that dice lean on.

    Attributes:
        kind: "box" or "disc" (upright cylinder).
        pose: centre and rotation.
        size_mm: half sizes (3,) for a box; (radius, radius, half height) for a disc.
    """

    kind: Literal["box", "disc"]
    pose: Pose
    size_mm: Floats


@dataclass(frozen=True)
class Settled:
    """A heap of dice at rest together with what they lean on."""

    dice: tuple[RestingDie, ...]
    obstacles: tuple[Obstacle, ...] = ()


@dataclass(frozen=True)
class Start:
    """Where the dice begin: centimetres, quaternions (w, x, y, z), cm/s, rad/s; one row a die."""

    position_cm: Floats
    quaternion: Floats
    velocity_cm_s: Floats
    spin_rad_s: Floats


def tilt_and_up_axis(rotation: Floats) -> tuple[float, int]:
    """Angle in degrees between the upmost face's normal and the vertical, and that face's axis.

    Args:
        rotation: (3, 3), die frame -> table frame.
    """
    heights = np.stack([rotation[2], -rotation[2]], axis=1).ravel()  # +x -x +y -y +z -z
    up_axis = int(np.argmax(heights))
    return float(np.degrees(np.arccos(min(1.0, heights[up_axis])))), up_axis


def quaternion_of(rotation: Floats) -> Floats:
    """(3, 3) rotation -> (4,) quaternion w, x, y, z."""
    result = np.zeros(4)
    mujoco.mju_mat2Quat(result, np.ascontiguousarray(rotation, dtype=np.float64).ravel())
    return result


def random_quaternion(rng: np.random.Generator) -> Floats:
    """A rotation drawn evenly from all rotations."""
    raw = rng.normal(size=4)
    return np.asarray(raw / np.linalg.norm(raw), dtype=np.float64)


def rounded_cube_vertices(corner: float) -> Floats:
    """Hull of a die with the given corner radius as a share of the edge, (56, 3) in cm."""
    half, radius = EDGE_CM / 2, corner * EDGE_CM
    third, diagonal = 3**-0.5, 2**-0.5
    directions = np.array(
        [
            (1, 0, 0), (0, 1, 0), (0, 0, 1), (third, third, third),
            (diagonal, diagonal, 0), (diagonal, 0, diagonal), (0, diagonal, diagonal),
        ]
    )  # fmt: skip
    octant = half - radius + radius * directions
    return np.concatenate([octant * signs for signs in product((-1, 1), repeat=3)])


def add_die(spec: Any, name: str, *, mesh: str) -> None:
    """Put a free die into a MuJoCo specification that has the die's mesh."""
    body = spec.worldbody.add_body(name=name)
    body.add_freejoint()
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=mesh, mass=DIE_MASS_G)


def add_cup_wall(spec: Any, *, radius_cm: float, height_cm: float, lid: bool = False) -> None:
    """Put the kinematic wall of an upturned cup (mocap body "cup", rim at its z = 0) in."""
    body = spec.worldbody.add_body(name="cup", mocap=True)
    thickness = 0.25
    half_width = (radius_cm + thickness) * np.tan(np.pi / CUP_WALL_BOXES) + 0.05
    for index in range(CUP_WALL_BOXES):
        angle = 2 * np.pi * index / CUP_WALL_BOXES
        distance = radius_cm + thickness
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            pos=[distance * np.cos(angle), distance * np.sin(angle), height_cm / 2],
            size=[thickness, half_width, height_cm / 2],
            quat=[np.cos(angle / 2), 0, 0, np.sin(angle / 2)],
        )
    if lid:
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            pos=[0, 0, height_cm + thickness],
            size=[radius_cm + 2 * thickness, radius_cm + 2 * thickness, thickness],
        )


def new_spec(corner: float) -> Any:
    """An empty table and the mesh "die"; friction is set later, per drop."""
    spec = mujoco.MjSpec()
    spec.option.timestep = TIMESTEP_S
    spec.option.gravity = [0, 0, -GRAVITY_CM_S2]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10
    spec.default.geom.solref = [0.004, 0.6]
    spec.default.geom.condim = 4
    mesh = spec.add_mesh(name="die")
    mesh.uservert = rounded_cube_vertices(corner).ravel().tolist()
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[100, 100, 1])
    return spec


class World:
    """Some dice of one corner radius on a table with fixed obstacles, dropped again and again.

    Args:
        count: number of dice.
        corner: corner radius as a share of the edge.
        cup_radius_cm: radius of the cup's wall that holds the dice first; None for no cup.
        obstacles: what lies on the table, for dice of `EDGE_CM`.
    """

    def __init__(
        self,
        count: int,
        *,
        corner: float,
        cup_radius_cm: float | None = None,
        obstacles: Sequence[Obstacle] = (),
    ) -> None:
        spec = new_spec(corner)
        for index in range(count):
            add_die(spec, f"die{index}", mesh="die")
        for obstacle in obstacles:
            box = obstacle.kind == "box"
            size = obstacle.size_mm / MM_PER_CM
            spec.worldbody.add_geom(
                type=mujoco.mjtGeom.mjGEOM_BOX if box else mujoco.mjtGeom.mjGEOM_CYLINDER,
                size=size.tolist() if box else [size[0], size[2], 0],
                pos=(obstacle.pose.position_mm / MM_PER_CM).tolist(),
                quat=quaternion_of(obstacle.pose.rotation).tolist(),
            )
        if cup_radius_cm is not None:
            add_cup_wall(spec, radius_cm=cup_radius_cm, height_cm=10.0)
        self.count = count
        self.obstacles = tuple(obstacles)
        self._has_cup = cup_radius_cm is not None
        self._model = spec.compile()
        self._data = mujoco.MjData(self._model)
        self._bodies = [self._model.body(f"die{index}").id for index in range(count)]
        self._geom_of = {int(self._model.body(b).geomadr[0]): i for i, b in enumerate(self._bodies)}

    def run(
        self,
        start: Start,
        *,
        friction: float,
        longest_s: float = 2.0,
        lift_cup_after_s: float = 0.2,
    ) -> bool:
        """Let the dice fall until they rest; False when they do not within `longest_s`."""
        model, data, count = self._model, self._data, self.count
        mujoco.mj_resetData(model, data)
        model.geom_friction[:] = (friction, 0.002, 0.0005)
        pose, speed = data.qpos.reshape(count, 7), data.qvel.reshape(count, 6)
        pose[:, :3], pose[:, 3:] = start.position_cm, start.quaternion
        speed[:, :3], speed[:, 3:] = start.velocity_cm_s, start.spin_rad_s
        quiet = 0
        look_s = STEPS_PER_LOOK * TIMESTEP_S
        for look in range(int(longest_s / look_s)):
            if self._has_cup and look * look_s >= lift_cup_after_s:
                data.mocap_pos[0, 2] = min(40.0, data.mocap_pos[0, 2] + 70.0 * look_s)
            mujoco.mj_step(model, data, STEPS_PER_LOOK)
            slow = np.abs(speed[:, :3]).max() < REST_SPEED_CM_S
            quiet = quiet + 1 if slow and np.abs(speed[:, 3:]).max() < REST_SPIN_RAD_S else 0
            if quiet >= REST_LOOKS and (not self._has_cup or data.mocap_pos[0, 2] > 2 * EDGE_CM):
                return True
        return False

    def settled(self, size_mm: float) -> Settled | None:
        """The dice where they lie now, scaled to `size_mm`; None when one is tilted ambiguously."""
        scale = size_mm / EDGE_CM
        rotations = [self._data.xmat[body].reshape(3, 3).copy() for body in self._bodies]
        looks = [tilt_and_up_axis(rotation) for rotation in rotations]
        if any(FLAT_MAX_TILT_DEG <= tilt <= BURNING_MIN_TILT_DEG for tilt, _ in looks):
            return None
        burning = [tilt > BURNING_MIN_TILT_DEG for tilt, _ in looks]
        towers = self._towers(burning)
        dice = []
        for index, (rotation, (_, up_axis)) in enumerate(zip(rotations, looks, strict=True)):
            state: State = "tower" if index in towers else "flat"
            pose = Pose(self._data.xpos[self._bodies[index]] * scale, rotation)
            dice.append(RestingDie(pose, size_mm, "burning" if burning[index] else state, up_axis))
        factor = scale / MM_PER_CM
        obstacles = tuple(
            Obstacle(o.kind, Pose(o.pose.position_mm * factor, o.pose.rotation), o.size_mm * factor)
            for o in self.obstacles
        )
        return Settled(tuple(dice), obstacles)

    def _towers(self, burning: Sequence[bool]) -> set[int]:
        """Dice that lie level on a die, or carry one that does."""
        contacts = self._data.contact
        found: set[int] = set()
        for (geom_a, geom_b), frame in zip(contacts.geom, contacts.frame, strict=True):
            a, b = self._geom_of.get(int(geom_a)), self._geom_of.get(int(geom_b))
            if a is None or b is None or abs(frame[2]) < 0.7:
                continue
            heights = self._data.xpos[self._bodies[a]][2], self._data.xpos[self._bodies[b]][2]
            upper = a if heights[0] > heights[1] else b
            if not burning[upper]:
                found |= {a, b}
        return {index for index in found if not burning[index]}
