"""Things as rows of one float table, as the compiled renderer wants them (`models.lab.kernels`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from . import kernels as k
from .things import Capsule, Cup, Die, Finish, Scene, Vec


def _row(
    kind: int,
    center: Sequence[float],
    bound: float,
    rotation: NDArray[np.float64],
    shape: Sequence[float],
    finish: Finish,
) -> Vec:
    row = np.zeros(k.COLUMNS)
    row[k.KIND], row[k.BOUND] = kind, bound
    row[k.CX : k.CZ + 1] = center
    row[k.ROT : k.ROT + 9] = np.asarray(rotation, float).ravel()
    row[k.SHAPE : k.SHAPE + len(shape)] = shape
    row[k.COLOR : k.COLOR + 3] = finish.rgb
    row[k.COLOR2 : k.COLOR2 + 3] = finish.rgb2
    row[k.PATTERN : k.PATTERN + 3] = finish.pattern, finish.pattern_scale, finish.pattern_amount
    row[k.GLOSS : k.GLOSS + 3] = finish.gloss, finish.roughness, finish.translucent
    return row


def _die_row(die: Die) -> Vec:
    look, edge = die.look, die.size_mm
    ball = look.ball * edge
    row = _row(
        k.DIE,
        die.position_mm,
        min(ball, 0.867 * edge) + 0.01,
        die.rotation,
        (edge / 2, look.corner * edge, ball),
        look.finish,
    )
    row[k.PIP : k.PIP + 9] = (*look.pip_rgb, *look.pip_inner_rgb, *look.ace_rgb)
    row[k.PIP_RADIUS : k.PIP_INNER + 1] = (
        look.pip_radius,
        look.pip_spacing,
        look.six_rows,
        look.ace_scale,
        look.pip_depth,
        look.pip_inner,
    )
    row[k.VALUES : k.VALUES + 6] = die.values
    row[k.FLIP] = look.flips
    row[k.DOME] = look.dome
    row[k.FACE_SPACING : k.FACE_SPACING + 6] = look.face_spacing
    return row


def _cup_row(cup: Cup) -> Vec:
    # The bounding ball sits around the rim's centre: simple, and cups are few.
    bound = float(np.hypot(max(cup.radius_rim_mm, cup.radius_base_mm), cup.height_mm)) + 1
    return _row(
        k.CUP,
        cup.position_mm,
        bound,
        cup.rotation,
        (cup.radius_rim_mm, cup.radius_base_mm, cup.height_mm, cup.wall_mm),
        cup.finish,
    )


def _capsule_row(capsule: Capsule) -> Vec:
    a, b = np.asarray(capsule.a_mm, float), np.asarray(capsule.b_mm, float)
    axis = b - a
    half = float(np.linalg.norm(axis)) / 2
    z = axis / (2 * half) if half > 1e-6 else np.array([0.0, 0, 1])
    x = np.cross(z, [1.0, 0, 0] if abs(z[0]) < 0.7 else [0, 1.0, 0])
    x /= np.linalg.norm(x)
    rotation = np.stack([x, np.cross(z, x), z], axis=1)
    return _row(
        k.CAPSULE,
        ((a + b) / 2).tolist(),
        half + capsule.radius_mm,
        rotation,
        (capsule.radius_mm, half),
        capsule.finish,
    )


def object_table(scene: Scene) -> Vec:
    """All objects as one float table: dice first, in their order, then cups."""
    rows = [_die_row(d) for d in scene.dice] + [_cup_row(c) for c in scene.cups]
    rows += [
        _row(
            k.BOX, b.position_mm, float(np.linalg.norm(b.half_mm)), b.rotation, b.half_mm, b.finish
        )
        for b in scene.boxes
    ]
    rows += [
        _row(
            k.DISC,
            d.position_mm,
            float(np.hypot(d.radius_mm, d.half_height_mm)),
            d.rotation,
            (d.radius_mm, d.radius_mm, d.half_height_mm),
            d.finish,
        )
        for d in scene.discs
    ]
    rows += [_capsule_row(c) for c in scene.capsules]
    return np.stack(rows) if rows else np.zeros((0, k.COLUMNS))
