"""Kinds of light over a table, named: what `clutter.random_lights` mixes, one at a time.

A kind also says what the camera makes of it: in dim light pictures are dark and grainy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .camera_faults import Character
from .clutter import random_lights
from .looks import Rng
from .things import Light, Rgb, Scene, SkyLamp

WARM: Rgb = (1.0, 0.80, 0.52)
COLD: Rgb = (0.66, 0.86, 1.0)
WHITE: Rgb = (1.0, 1.0, 1.0)
LAMP_MM = 800.0
"""Distance of the lamps from the middle of the table."""


@dataclass(frozen=True)
class Lighting:
    """The light of one table and its traces in the camera.

    Attributes:
        lights: lamps.
        lamps: bright spots that only reflections and ambient light see.
        horizon: light from the sides, linear RGB.
        ceiling: light from above, linear RGB.
        mirror: the table top shines: gloss and roughness; None: as the table has it.
        exposure: range of the camera's exposure; None: any.
        grain: range of the camera's grain; None: any.
    """

    lights: list[Light]
    lamps: list[SkyLamp]
    horizon: Rgb
    ceiling: Rgb
    mirror: tuple[float, float] | None = None
    exposure: tuple[float, float] | None = None
    grain: tuple[float, float] | None = None

    def on(self, scene: Scene) -> Scene:
        """The scene in this light."""
        lit = replace(
            scene,
            lights=self.lights,
            lamps=self.lamps,
            horizon_rgb=self.horizon,
            ceiling_rgb=self.ceiling,
        )
        if self.mirror is None:
            return lit
        return replace(lit, floor_gloss=self.mirror[0], floor_roughness=self.mirror[1])

    def seen_by(self, rng: Rng, character: Character) -> Character:
        """The camera in this light."""
        if self.exposure is not None:
            low, high = np.log(self.exposure)
            character = replace(character, exposure=float(np.exp(rng.uniform(low, high))))
        if self.grain is not None:
            character = replace(character, grain=float(rng.uniform(*self.grain)))
        return character


def _lamp(
    rng: Rng,
    *,
    height_deg: tuple[float, float] = (35, 85),
    radius_mm: tuple[float, float] = (30, 160),
    power: tuple[float, float] = (0.5, 1.2),
    tint: Rgb = WHITE,
) -> Light:
    turn, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(*height_deg))
    flat = np.cos(height)
    at = LAMP_MM * np.array([np.cos(turn) * flat, np.sin(turn) * flat, np.sin(height)])
    level = float(np.exp(rng.uniform(*np.log(power))))
    return Light(
        position_mm=at.tolist(), rgb=_times(tint, level), radius_mm=float(rng.uniform(*radius_mm))
    )


def _times(rgb: Rgb, factor: float) -> Rgb:
    return rgb[0] * factor, rgb[1] * factor, rgb[2] * factor


def _room(rng: Rng, lights: list[Light], level: tuple[float, float], tint: Rgb = WHITE) -> Lighting:
    ceiling = _times(tint, float(rng.uniform(*level)))
    return Lighting(lights, [], _times(ceiling, 0.5), ceiling)


def _mixed(rng: Rng) -> Lighting:
    return Lighting(*random_lights(rng))


def _dim(rng: Rng) -> Lighting:
    lights = [_lamp(rng, power=(0.1, 0.3), tint=WARM) for _ in range(int(rng.integers(1, 3)))]
    room = _room(rng, lights, (0.03, 0.10), WARM)
    return replace(room, exposure=(0.04, 0.12), grain=(4.0, 11.0))


def _bright(rng: Rng) -> Lighting:
    lights = [_lamp(rng, power=(1.0, 1.6)) for _ in range(int(rng.integers(1, 3)))]
    return replace(_room(rng, lights, (0.5, 0.9)), exposure=(0.40, 0.65), grain=(0.7, 2.5))


def _hard(rng: Rng) -> Lighting:
    return _room(rng, [_lamp(rng, radius_mm=(6, 20))], (0.03, 0.12))


def _soft(rng: Rng) -> Lighting:
    lights = [_lamp(rng, radius_mm=(220, 320), power=(0.2, 0.6))]
    return _room(rng, lights, (0.4, 0.9))


def _several(rng: Rng) -> Lighting:
    count = int(rng.integers(3, 5))
    lights = [_lamp(rng, radius_mm=(10, 90), power=(0.2, 0.7)) for _ in range(count)]
    return _room(rng, lights, (0.05, 0.3))


def _warm(rng: Rng) -> Lighting:
    return _room(rng, [_lamp(rng, tint=WARM)], (0.08, 0.3), WARM)


def _cold(rng: Rng) -> Lighting:
    return _room(rng, [_lamp(rng, tint=COLD)], (0.08, 0.3), COLD)


def _low(rng: Rng) -> Lighting:
    return _room(rng, [_lamp(rng, height_deg=(14, 30), radius_mm=(10, 80))], (0.06, 0.25))


def _glare(rng: Rng) -> Lighting:
    """Lamps overhead that a shining table and shining dice throw back into the camera."""
    lights = [_lamp(rng, height_deg=(68, 88), radius_mm=(30, 120))]
    room = _room(rng, lights, (0.1, 0.4))
    spots = []
    for _ in range(2):
        lean = rng.normal(0, 0.25, 2)
        level = float(rng.uniform(1.5, 4))
        spots.append(
            SkyLamp(
                direction=(float(lean[0]), float(lean[1]), 1.0),
                rgb=(level, level, 0.95 * level),
                cosine=float(rng.uniform(0.95, 0.99)),
            )
        )
    return replace(room, lamps=spots, mirror=(1.2, float(rng.uniform(0.1, 0.2))))


def ring_lamp(rng: Rng, axis: Sequence[float]) -> list[SkyLamp]:
    """A ring of light around the camera, or hung above the table: an arc across every glossy die.

    Args:
        rng: where all chance comes from.
        axis: (3,) from the table to the camera; the ring's middle lies within 12 degrees of it.
    """
    middle = np.array(axis, float) / np.linalg.norm(axis)
    middle = middle + rng.normal(0, 0.1, 3)
    middle /= np.linalg.norm(middle)
    across = np.cross(middle, [0.0, 0.0, 1.0] if abs(middle[2]) < 0.9 else [1.0, 0.0, 0.0])
    across /= np.linalg.norm(across)
    along = np.cross(middle, across)
    wide, thick = np.radians(rng.uniform(7, 34)), np.radians(rng.uniform(1.3, 4.5))
    count = int(np.ceil(2 * np.pi * np.sin(wide) / (1.2 * thick)))
    level = float(np.exp(rng.uniform(np.log(2.0), np.log(16.0))))
    gap = rng.uniform(0.0, 0.35) if rng.random() < 0.4 else 0.0
    lamps = []
    for turn in 2 * np.pi * (rng.random() + (1 - gap) * np.arange(count) / count):
        towards = np.cos(wide) * middle + np.sin(wide) * (
            np.cos(turn) * across + np.sin(turn) * along
        )
        lamps.append(
            SkyLamp(
                direction=towards.tolist(), rgb=(level, level, level), cosine=float(np.cos(thick))
            )
        )
    return lamps


LIGHT_KINDS: dict[str, Callable[[Rng], Lighting]] = {
    "mixed": _mixed,
    "dim": _dim,
    "bright": _bright,
    "hard": _hard,
    "soft": _soft,
    "several": _several,
    "warm": _warm,
    "cold": _cold,
    "low": _low,
    "glare": _glare,
}

LIT_BY = (*LIGHT_KINDS, "low", "low")
"""What lights a training picture: a low lamp draws shadows as long as dice, and needs practice."""
