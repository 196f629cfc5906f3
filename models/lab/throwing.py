"""Throws as they happen: a cup comes down on the mat, is shaken, lifted and carried away.

    throw = throw_dice(rng, values=(6, 5, 2), zone_mm=(-190, -138, 100, 138), fps=15)
    throw.cup_position_mm[i], throw.dice_rotation[i]      # frame i, at i / fps seconds

The cup follows a path that is drawn beforehand; the dice in it obey physics. The values wanted are
not waited for: a cube's 24 rotations leave its motion as it is, so the faces are renamed until the
right ones lie on top. While the cup covers the dice nobody sees that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from models.lab.physics_world import (
    EDGE_CM,
    MM_PER_CM,
    REST_SPEED_CM_S,
    REST_SPIN_RAD_S,
    TIMESTEP_S,
    Floats,
    Pose,
    State,
    World,
    quaternion_of,
    random_quaternion,
)
from models.lab.throwing_ends import (
    CUP_INNER_RADIUS_MM,
    Outcome,
    Zone,
    fell_off,
    heap,
    in_reach,
    wanted,
)
from models.lab.throwing_faces import RIGHT_HANDED, Layout, renaming
from models.lab.throwing_path import CupPath, cup_path

REST_LOOKS, LONGEST_S, MOST_TRIES = 8, 6.0, 400


@dataclass(frozen=True)
class Throw:
    """A throw, sampled evenly; frame 0 is the first with the cup, the last one has dice at rest.

    Attributes:
        fps: frames per second.
        cup_position_mm: (F, 3), centre of the rim.
        cup_rotation: (F, 3, 3), the cup's base lies along its +z.
        dice_position_mm: (F, n, 3).
        dice_rotation: (F, n, 3, 3).
        dice_in_cup: (F,) bool, the dice are still held inside the cup, not to be drawn.
        states: one per die at the end.
        down_s: when the cup stands on the mat.
        still_s: when it is no longer shaken.
        up_s: when it leaves the mat.
        rest_s: when the dice have come to rest and the cup is gone.
    """

    fps: float
    cup_position_mm: Floats
    cup_rotation: Floats
    dice_position_mm: Floats
    dice_rotation: Floats
    dice_in_cup: np.ndarray[Any, np.dtype[np.bool_]]
    states: tuple[State, ...]
    down_s: float
    still_s: float
    up_s: float
    rest_s: float

    def __len__(self) -> int:
        return len(self.cup_position_mm)


class _CupWorld(World):
    """Dice under a cup that is moved along a path."""

    def __init__(self, count: int, corner: float) -> None:
        super().__init__(count, corner=corner, cup_radius_cm=CUP_INNER_RADIUS_MM / MM_PER_CM)

    def place(self, poses: Sequence[Pose], size_mm: float) -> None:
        """Put the dice somewhere, at rest."""
        rows = self._data.qpos.reshape(self.count, 7)
        for row, pose in zip(rows, poses, strict=True):
            row[:3] = pose.position_mm * EDGE_CM / size_mm
            row[3:] = quaternion_of(pose.rotation)
        self._data.qvel[:] = 0

    def place_in_cup(self, rng: np.random.Generator, cup_cm: Floats) -> None:
        """Dice fall out of the cup's bottom, one above the other."""
        rows = self._data.qpos.reshape(self.count, 7)
        speeds = self._data.qvel.reshape(self.count, 6)
        for index, row in enumerate(rows):
            row[:2] = cup_cm[:2] + rng.uniform(-1.2, 1.2, 2)
            row[2] = cup_cm[2] + 1.3 + 2.4 * index
            row[3:] = random_quaternion(rng)
        speeds[:, :3] = rng.normal(0, 15, (self.count, 3)) - np.array([0, 0, 40.0])
        speeds[:, 3:] = rng.normal(0, 15, (self.count, 3))

    def begin(self, friction: float) -> None:
        """Forget the drop before."""
        mujoco.mj_resetData(self._model, self._data)
        self._model.geom_friction[:] = (friction, 0.002, 0.0005)

    def kick(self, rng: np.random.Generator) -> None:
        """The first knock of the cup throws lying dice up."""
        speeds = self._data.qvel.reshape(self.count, 6)
        speeds[:, :3] = rng.normal(0, 20, (self.count, 3)) + np.array([0, 0, 60.0])
        speeds[:, 3:] = rng.normal(0, 20, (self.count, 3))

    def step(self, cup_cm: Floats, cup_rotation: Floats) -> None:
        """Advance by one time step with the cup where it is to be."""
        self._data.mocap_pos[0] = cup_cm
        self._data.mocap_quat[0] = quaternion_of(cup_rotation)
        mujoco.mj_step(self._model, self._data)

    def poses(self, size_mm: float) -> tuple[Floats, Floats]:
        """Positions (n, 3) in mm and rotations (n, 3, 3) now."""
        positions = self._data.xpos[self._bodies] * size_mm / EDGE_CM
        return positions, self._data.xmat[self._bodies].reshape(-1, 3, 3).copy()

    @property
    def quiet(self) -> bool:
        """Nothing moves."""
        speed = np.abs(self._data.qvel.reshape(self.count, 6))
        slow = bool(speed[:, :3].max() < REST_SPEED_CM_S)
        return slow and bool(speed[:, 3:].max() < REST_SPIN_RAD_S)


def throw_dice(
    rng: np.random.Generator,
    *,
    values: Sequence[int],
    zone_mm: Zone,
    fps: float = 15.0,
    size_mm: float = 16.0,
    corner: float = 0.15,
    layouts: Sequence[Layout] | None = None,
    outcome: Outcome = "flat",
    side: tuple[float, float] = (0.0, -1.0),
    lying: Sequence[Pose] = (),
    least_gap_mm: float = 0.0,
    most_spread_mm: float = np.inf,
    mat_mm: Zone | None = None,
) -> Throw:
    """Throw one to three dice out of a cup.

    Args:
        rng: all chance.
        values: what shall lie on top, one per die.
        zone_mm: x0, y0, x1, y1 in table coordinates; the dice end wholly inside.
        fps: frames per second of the result.
        size_mm: edge of the dice.
        corner: corner radius as a share of the edge.
        layouts: face values of each die; right-handed ones when None.
        outcome: "flat": all lie flat; "tower": one ends on another; "burning": one leans;
            "off_mat": one ends beside the mat, the others on it.
        side: horizontal direction from which the player reaches in.
        lying: where the dice lie now, when the cup is put over them; () when they are in the cup.
        least_gap_mm: flat dice end at least so far apart, measured beyond one edge.
        most_spread_mm: no die ends farther from the middle of all.
        mat_mm: the mat, as `zone_mm`; needed for "off_mat".

    Returns:
        The throw.

    Raises:
        ValueError: values that no die shows, or a tower of a single die.
        RuntimeError: no try ended as wanted.
    """
    count = len(values)
    if not 1 <= count <= 3 or any(value not in range(1, 7) for value in values):
        raise ValueError(f"one to three dice with values 1 to 6 are thrown, not {tuple(values)}")
    if outcome != "flat" and count < 2:
        raise ValueError(f"a single die cannot end as {outcome!r}; throw at least two")
    if outcome == "off_mat" and (mat_mm is None or lying):
        raise ValueError("dice fall off a mat that is named, out of a cup that they are in")
    if lying and len(lying) != count:
        raise ValueError(f"{len(lying)} dice lie there, but {count} are to be thrown")
    layouts = layouts or [RIGHT_HANDED] * count
    world = _CupWorld(count, corner)
    heading = np.asarray(side, float) / np.linalg.norm(side)
    for _ in range(MOST_TRIES):
        if outcome == "off_mat" and mat_mm is not None:
            target = _at_edge(rng, zone_mm, mat_mm)
        else:
            target = _target(rng, zone_mm, lying)
        path = cup_path(rng, target, heading, size_mm)
        friction = rng.uniform(0.35, 0.8) if outcome == "flat" else rng.uniform(0.6, 1.0)
        frames = _run(rng, world, path, friction, size_mm, fps, outcome, lying)
        if frames is None:
            continue
        settled = world.settled(size_mm)
        if settled is None or not (
            wanted(settled.dice, outcome, zone_mm, least_gap_mm)
            and in_reach(settled.dice, lying, most_spread_mm)
            and (outcome != "off_mat" or (mat_mm and fell_off(settled.dice, mat_mm)))
        ):
            continue
        positions, rotations = frames
        for i, die in enumerate(settled.dice):
            turn = renaming(rng, layout=layouts[i], up_axis=die.up_axis, value=values[i])
            covered = round(path.down_step * TIMESTEP_S * fps) if lying else 0
            rotations[covered:, i] = rotations[covered:, i] @ turn
        states = tuple(die.state for die in settled.dice)
        return _sampled(path, positions, rotations, states, fps, size_mm, in_cup=not lying)
    raise RuntimeError(f"{MOST_TRIES} throws did not end {outcome!r} in the zone {zone_mm}")


def _target(rng: np.random.Generator, zone: Zone, lying: Sequence[Pose]) -> Floats:
    """Where the cup goes down: over the dice that lie there, or somewhere inside the zone."""
    if lying:
        return np.asarray(np.mean([pose.position_mm[:2] for pose in lying], axis=0))
    margin = CUP_INNER_RADIUS_MM + 14.0
    return np.array([rng.uniform(zone[i] + margin, zone[i + 2] - margin) for i in range(2)])


def _at_edge(rng: np.random.Generator, zone: Zone, mat: Zone) -> Floats:
    """Near the edge of the mat that is nearest to the zone: a part of the cup stands beside it."""
    target = _target(rng, zone, ())
    gaps = [zone[0] - mat[0], zone[1] - mat[1], mat[2] - zone[2], mat[3] - zone[3]]
    edge = int(
        rng.choice([i for i, gap in enumerate(gaps) if gap <= min(gaps) + CUP_INNER_RADIUS_MM])
    )
    inwards = rng.uniform(2.0, 14.0) * (1 if edge < 2 else -1)
    target[edge % 2] = mat[edge] + inwards
    return target


def _run(
    rng: np.random.Generator, world: _CupWorld, path: CupPath, friction: float, size_mm: float,
    fps: float, outcome: Outcome, lying: Sequence[Pose],
) -> tuple[Floats, Floats] | None:  # fmt: skip
    """Simulate; the dice's poses per frame, or None when they do not come to rest."""
    first = path.down_step if lying else path.drop_step
    world.begin(friction)
    if lying:
        world.place(lying, size_mm)
        world.kick(rng)
    else:
        world.place_in_cup(rng, path.position_cm[first])
    shown = (np.array([p.position_mm for p in lying]), np.array([p.rotation for p in lying]))
    every = 1 / (fps * TIMESTEP_S)
    positions: list[Floats] = []
    rotations: list[Floats] = []
    last, quiet = len(path.position_cm) - 1, 0
    for step in range(first, round(LONGEST_S / TIMESTEP_S)):
        at = min(step, last)
        world.step(path.position_cm[at], path.tilt(at))
        if step == path.still_step and outcome in ("tower", "burning"):
            middle_mm = path.position_cm[at] * size_mm / EDGE_CM
            world.place(heap(rng, world.count, outcome, middle_mm, size_mm), size_mm)
        while len(positions) * every <= step:
            seen_before = bool(lying) and len(positions) * every < first
            now = shown if seen_before else world.poses(size_mm)
            positions.append(now[0])
            rotations.append(now[1])
        if step % 20 == 0:
            quiet = quiet + 1 if step > last and world.quiet else 0
            if quiet >= REST_LOOKS:
                return np.array(positions), np.array(rotations)
    return None


def _sampled(
    path: CupPath, positions: Floats, rotations: Floats, states: tuple[State, ...], fps: float,
    size_mm: float, *, in_cup: bool,
) -> Throw:  # fmt: skip
    """Frames out of time steps."""
    steps = np.round(np.arange(len(positions)) / (fps * TIMESTEP_S)).astype(int)
    at = np.minimum(steps, len(path.position_cm) - 1)
    return Throw(
        fps=fps,
        cup_position_mm=path.position_cm[at] * size_mm / EDGE_CM,
        cup_rotation=np.array([path.tilt(int(i)) for i in at]),
        dice_position_mm=positions,
        dice_rotation=rotations,
        dice_in_cup=(steps < path.drop_step) & in_cup,
        states=states,
        down_s=path.down_step * TIMESTEP_S,
        still_s=path.still_step * TIMESTEP_S,
        up_s=path.lift_step * TIMESTEP_S,
        rest_s=(len(positions) - 1) / fps,
    )
