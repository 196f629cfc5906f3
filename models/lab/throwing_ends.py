"""How a throw may end: what is built under the cup on purpose, and what counts as wanted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from models.lab.physics import Thrower
from models.lab.physics_world import Floats, Pose, RestingDie

Outcome = Literal["flat", "tower", "burning", "off_mat"]
Zone = tuple[float, float, float, float]

CUP_INNER_RADIUS_MM = 40.0
LEAST_MOVE_MM = 6.0
"""A thrown die does not end on the very spot where a die lay before."""
LEAST_OFFSET = 0.2
"""Share of the edge by which a tower's dice are offset: else nobody sees it from above."""
OFF_MM = (9.0, 22.0)
"""A die off the mat has its middle so far beyond the edge: no doubt, and still near."""


def heap(
    rng: np.random.Generator, count: int, outcome: Outcome, middle_mm: Floats, size_mm: float
) -> list[Pose]:
    """A tower or leaning dice under the cup, where nobody sees how they got there.

    Shaken dice build one in a hundred throws; waiting for that would take minutes.
    """
    thrower = Thrower()
    most = (CUP_INNER_RADIUS_MM / 16.0 - 0.9) * size_mm
    kind: Literal["tower", "cocked"] = "tower" if outcome == "tower" else "cocked"
    while True:
        found = thrower.settle(rng, kind=kind, count=count, size_mm=size_mm)
        spots = np.array([die.pose.position_mm for die in found.dice])
        stacked = [die.pose.position_mm[:2] for die in found.dice if die.state == "tower"]
        offset = max((np.linalg.norm(a - b) for a, b in combinations(stacked, 2)), default=0.0)
        if outcome == "tower" and offset < LEAST_OFFSET * size_mm:
            continue
        if not found.obstacles and np.linalg.norm(spots[:, :2], axis=1).max() < most:
            shift = middle_mm * np.array([1, 1, 0])
            return [Pose(die.pose.position_mm + shift, die.pose.rotation) for die in found.dice]


def wanted(dice: Sequence[RestingDie], outcome: Outcome, zone: Zone, least_gap_mm: float) -> bool:
    """Whether a throw ended as it should, inside the zone."""
    states = {die.state for die in dice}
    spots = np.array([die.pose.position_mm[:2] for die in dice])
    reach = dice[0].size_mm * 0.75
    inside = (spots > np.array(zone[:2]) + reach).all()
    inside &= (spots < np.array(zone[2:]) - reach).all()
    if outcome == "off_mat":
        return states == {"flat"}
    if outcome != "flat":
        return bool(inside) and outcome in states and states <= {outcome, "flat"}
    gaps = [np.linalg.norm(a - b) - dice[0].size_mm for a, b in combinations(spots, 2)]
    return bool(inside) and states == {"flat"} and bool(min(gaps, default=1e9) >= least_gap_mm)


def fell_off(dice: Sequence[RestingDie], mat: Zone) -> bool:
    """Whether exactly one die lies beside the mat, as `OFF_MM` has it, and the others on it."""
    spots = np.array([die.pose.position_mm[:2] for die in dice])
    beyond = np.maximum(np.array(mat[:2]) - spots, spots - np.array(mat[2:])).max(axis=1)
    off = beyond[beyond > -dice[0].size_mm * 0.75]
    return len(off) == 1 and OFF_MM[0] <= float(off[0]) <= OFF_MM[1]


def in_reach(dice: Sequence[RestingDie], lying: Sequence[Pose], most_spread_mm: float) -> bool:
    """Whether the dice lie close enough to each other, and not where dice lay before."""
    spots = np.array([die.pose.position_mm[:2] for die in dice])
    spread = np.linalg.norm(spots - spots.mean(axis=0), axis=1).max()
    moved = [np.linalg.norm(spot - old.position_mm[:2]) for spot in spots for old in lying]
    return bool(spread <= most_spread_mm and min(moved, default=np.inf) >= LEAST_MOVE_MM)
