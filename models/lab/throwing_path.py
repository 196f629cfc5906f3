"""The way a player's cup goes: in, down onto the mat, shaken sideways, up and away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.lab.physics_starts import about
from models.lab.physics_world import EDGE_CM, TIMESTEP_S, Floats

UPRIGHT = np.eye(3)
CARRY_HEIGHT_MM = 120.0
DROP_HEIGHT_MM = 28.0
"""Dice leave the hand that holds them in the cup at this height of the rim."""
STAND_RANGE_S = (0.9, 1.1)
"""The cup stands covered for so long after it was shaken: long enough to let go of it."""
CARRY_DISTANCE_MM = 460.0
"""From here the cup comes and there it goes: out of the camera's view."""


@dataclass(frozen=True)
class CupPath:
    """The cup's path, one row a time step, in the units of `World`; the tilt in radians."""

    position_cm: Floats
    tilt_rad: Floats
    tilt_axis: Floats
    drop_step: int
    down_step: int
    still_step: int
    lift_step: int

    def tilt(self, step: int) -> Floats:
        """The cup's rotation (3, 3)."""
        angle = float(self.tilt_rad[step])
        return about(self.tilt_axis, angle) if angle else UPRIGHT


def _eased(begin: Floats, end: Floats, seconds: float) -> Floats:
    """From one point to another, starting and stopping gently; one row a time step."""
    share = np.linspace(0, 1, max(2, round(seconds / TIMESTEP_S)))[:, None]
    return np.asarray(begin + (end - begin) * (share * share * (3 - 2 * share)))


def cup_path(rng: np.random.Generator, target_mm: Floats, side: Floats, size_mm: float) -> CupPath:
    """In from `side` (a horizontal unit vector), down, shaken, up, and away to that side."""
    cm = EDGE_CM / size_mm
    target = np.append(target_mm * cm, 0.05)
    up = np.array([0.0, 0.0, 1.0])
    outside = target + np.append(side, 0) * CARRY_DISTANCE_MM * cm + up * CARRY_HEIGHT_MM * cm
    above = target + up * DROP_HEIGHT_MM * cm
    shake_s, rate_hz = rng.uniform(0.5, 0.9), rng.uniform(4.0, 6.0)
    time = np.arange(0, shake_s, TIMESTEP_S)
    heading = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(heading), np.sin(heading), 0])
    across = np.array([-along[1], along[0], 0])
    swing = np.sin(np.pi * time / shake_s) ** 0.7 * rng.uniform(1.2, 2.2)
    phase = 2 * np.pi * rate_hz * time
    shake = target + (swing * np.sin(phase))[:, None] * along
    shake = shake + (0.35 * swing * np.sin(2 * phase + rng.uniform(0, 6)))[:, None] * across
    lifted = target + up * 9.0 + np.append(side, 0) * 1.5
    parts = [
        _eased(outside, above, rng.uniform(0.65, 0.85)),
        _eased(above, target, 0.14),
        shake,
        np.repeat(target[None], round(rng.uniform(*STAND_RANGE_S) / TIMESTEP_S), axis=0),
        _eased(target, lifted, rng.uniform(0.28, 0.4)),
        _eased(lifted, outside, rng.uniform(0.5, 0.7)),
    ]
    ends = np.cumsum([len(part) for part in parts])
    position = np.concatenate(parts)
    tilt = np.zeros(len(position))
    leaving = np.arange(len(position)) - ends[3] - 150
    tilt[leaving > 0] = np.radians(28) * np.clip(leaving[leaving > 0] / 500, 0, 1)
    axis = np.cross(up, np.append(side, 0))
    return CupPath(position, tilt, axis, ends[0], ends[1], ends[2], ends[3])
