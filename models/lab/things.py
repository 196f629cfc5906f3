"""What a scene holds: dice, cups, clutter, lamps and the camera, as plain values.

Millimetres, table plane z = 0, z up; colours are linear RGB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from . import surfaces

Vec = NDArray[np.float64]
Rgb = tuple[float, float, float]
UP = np.eye(3)


@dataclass(frozen=True, kw_only=True)
class Finish:
    """How a surface looks: two colours, how they mix, and its gloss."""

    rgb: Rgb
    rgb2: Rgb = (0.5, 0.5, 0.5)
    pattern: int = surfaces.PLAIN
    pattern_scale: float = 0.2
    pattern_amount: float = 0.0
    gloss: float = 0.5
    roughness: float = 0.3
    translucent: float = 0.0


@dataclass(frozen=True, kw_only=True)
class DieLook:
    """A die's make; lengths are fractions of the edge."""

    finish: Finish
    pip_rgb: Rgb = (0.02, 0.02, 0.02)
    pip_inner_rgb: Rgb = (0.02, 0.02, 0.02)
    ace_rgb: Rgb = (0.02, 0.02, 0.02)
    corner: float = 0.12
    ball: float = 0.87
    """Radius of the sphere the cube is cut with; 0.87 is the cube's own corner (no cut)."""
    pip_radius: float = 0.09
    pip_spacing: float = 0.25
    face_spacing: tuple[float, ...] = (1.0,) * 6
    """For the values 1 to 6, times `pip_spacing`."""
    six_rows: float = 1.0
    ace_scale: float = 1.0
    pip_depth: float = 0.5
    pip_inner: float = 0.0
    dome: float = 0.0
    """Faces bulge: tangent of their tilt at the edge, which bends what they mirror into arcs."""
    flips: int = 0
    """Bit f mirrors face f, bit f+6 swaps its two directions (orientation of 2, 3 and 6)."""


@dataclass(frozen=True, kw_only=True)
class Die:
    """One die."""

    position_mm: Sequence[float]
    rotation: NDArray[np.float64]
    look: DieLook
    size_mm: float = 16.0
    values: tuple[int, int, int, int, int, int] = (3, 4, 2, 5, 1, 6)
    """Face values on +x, -x, +y, -y, +z, -z; opposite faces sum to 7."""


@dataclass(frozen=True, kw_only=True)
class Cup:
    """A dice cup; `position_mm` is the centre of the rim, the base lies along its own +z."""

    position_mm: Sequence[float]
    finish: Finish
    rotation: NDArray[np.float64] = field(default_factory=lambda: UP)
    radius_rim_mm: float = 42.0
    radius_base_mm: float = 34.0
    height_mm: float = 95.0
    wall_mm: float = 3.0


@dataclass(frozen=True, kw_only=True)
class Box:
    """A block or a card."""

    position_mm: Sequence[float]
    half_mm: Sequence[float]
    finish: Finish
    rotation: NDArray[np.float64] = field(default_factory=lambda: UP)


@dataclass(frozen=True, kw_only=True)
class Disc:
    """A coin, coaster or glass: a cylinder along its own z."""

    position_mm: Sequence[float]
    radius_mm: float
    half_height_mm: float
    finish: Finish
    rotation: NDArray[np.float64] = field(default_factory=lambda: UP)


@dataclass(frozen=True, kw_only=True)
class Capsule:
    """A ball of `radius_mm` swept from `a_mm` to `b_mm`: fingers, sleeves, pens."""

    a_mm: Sequence[float]
    b_mm: Sequence[float]
    radius_mm: float
    finish: Finish


@dataclass(frozen=True, kw_only=True)
class Light:
    """An area lamp; `rgb` is what a facing white surface at `reference_mm` receives."""

    position_mm: Sequence[float]
    rgb: Rgb
    radius_mm: float = 60.0
    reference_mm: float = 800.0


@dataclass(frozen=True, kw_only=True)
class SkyLamp:
    """A bright spot of the room that only ambient light and reflections see."""

    direction: Sequence[float]
    rgb: Rgb
    cosine: float = 0.95


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Everything in view; the floor's texture is centred at the origin."""

    floor_rgb: NDArray[np.float32]
    floor_size_mm: tuple[float, float]
    dice: Sequence[Die] = ()
    cups: Sequence[Cup] = ()
    boxes: Sequence[Box] = ()
    discs: Sequence[Disc] = ()
    capsules: Sequence[Capsule] = ()
    lights: Sequence[Light] = ()
    horizon_rgb: Rgb = (0.15, 0.15, 0.15)
    ceiling_rgb: Rgb = (0.35, 0.35, 0.35)
    lamps: Sequence[SkyLamp] = ()
    floor_gloss: float = 0.0
    floor_roughness: float = 0.4


@dataclass(frozen=True, kw_only=True)
class Camera:
    """A pinhole camera."""

    position_mm: Sequence[float]
    look_at_mm: Sequence[float] = (0.0, 0.0, 0.0)
    up: Sequence[float] = (0.0, 1.0, 0.0)
    fov_deg: float = 40.0
    """Horizontal field of view."""
    lens: float = 0.0
    """Barrel (above 0) or pincushion (below): how much more aside a ray points at 45 degrees."""

    def axes(self) -> Vec:
        """(3, 3) rows: right, down, forward."""
        forward = np.subtract(self.look_at_mm, self.position_mm).astype(float)
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, np.asarray(self.up, float))
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(forward, right), forward])

    def focal_px(self, width_px: int) -> float:
        """Focal length in pixels of a picture that is `width_px` wide."""
        return float(width_px / 2 / np.tan(np.radians(self.fov_deg) / 2))

    def project(self, points_mm: NDArray[np.float64], size_px: tuple[int, int]) -> Vec:
        """(N, 3) points to (N, 2) pixels; x right, y down."""
        local = (np.asarray(points_mm, float) - np.asarray(self.position_mm)) @ self.axes().T
        seen = bent = local[:, :2] / local[:, 2:]
        for _ in range(8 if self.lens else 0):  # the ray at `bent` points to bent * (1 + lens r2)
            bent = seen / (1 + self.lens * (bent**2).sum(axis=1, keepdims=True))
        return np.asarray(bent * self.focal_px(size_px[0]) + np.array(size_px) / 2)


def gap_mm(thing: Box | Disc | Capsule, spot: Sequence[float]) -> float:
    """Distance on the table from a point to a thing's footprint; 0 inside."""
    at = np.asarray(spot, float)
    if isinstance(thing, Capsule):
        a, b = np.asarray(thing.a_mm, float)[:2], np.asarray(thing.b_mm, float)[:2]
        along = float(np.clip((at - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-9), 0, 1))
        return max(0.0, float(np.linalg.norm(at - a - along * (b - a))) - thing.radius_mm)
    away = at - np.asarray(thing.position_mm, float)[:2]
    if isinstance(thing, Disc):
        return max(0.0, float(np.linalg.norm(away)) - thing.radius_mm)
    local = np.abs(away @ np.asarray(thing.rotation)[:2, :2])
    return float(np.linalg.norm(np.maximum(0.0, local - np.asarray(thing.half_mm, float)[:2])))
