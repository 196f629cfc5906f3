"""Pictures of scenes.

    scene = Scene(dice=[Die(...)], lights=[Light(...)], floor_rgb=texture, ...)
    picture, ids = trace(scene, camera, size_px=(640, 480), samples=4, seed=1)

Pictures are linear light, RGB; `to_srgb` makes them 8-bit BGR.
"""

# ruff: noqa: FBT003  numba calls compiled functions by position

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from . import kernels as k
from . import shading
from .things import (
    Box,
    Camera,
    Capsule,
    Cup,
    Die,
    DieLook,
    Disc,
    Finish,
    Light,
    Rgb,
    Scene,
    SkyLamp,
    Vec,
)

__all__ = [
    "Bare",
    "Box",
    "Camera",
    "Capsule",
    "Cup",
    "Die",
    "DieLook",
    "Disc",
    "Finish",
    "Light",
    "Rgb",
    "Scene",
    "SkyLamp",
    "object_table",
    "render",
    "to_srgb",
    "trace",
    "visible_share",
]


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


def _quiet_floor(
    image: NDArray[np.float32], albedo: NDArray[np.float32], ids: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Smooth the light on the table, not its colours: few rays leave grain in soft shadows."""
    floor = (ids < 0).astype(np.float32)[..., None]
    light = image / np.maximum(albedo, 0.004) * floor
    weight = cv2.GaussianBlur(floor, (0, 0), 1.6)[..., None]
    quiet = cv2.GaussianBlur(light, (0, 0), 1.6) / np.maximum(weight, 1e-3) * albedo
    return np.where(floor > 0, quiet, image).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Bare:
    """A table without things, (H, W, 3) each, linear RGB: its light as traced, and its colours."""

    image: NDArray[np.float32]
    albedo: NDArray[np.float32]


def bare_table(scene: Scene, camera: Camera, *, size_px: tuple[int, int], samples: int = 4) -> Bare:
    """Trace a scene's table and lamps without its things, for `trace`."""
    image = np.zeros((size_px[1], size_px[0], 3), np.float32)
    albedo, ids = np.zeros_like(image), np.full(image.shape[:2], -1, np.int32)
    table = replace(scene, dice=(), cups=(), boxes=(), discs=(), capsules=())
    _fill(table, camera, size_px, (0, 0), image, albedo, ids, samples, 0, leave_bare=False)
    return Bare(image, albedo)


def _fill(
    scene: Scene, camera: Camera, size_px: tuple[int, int], corner: tuple[int, int],
    image: NDArray[np.float32], albedo: NDArray[np.float32], ids: NDArray[np.int32],
    samples: int, seed: int, *, leave_bare: bool,
) -> None:  # fmt: skip
    """Trace into pictures whose first pixel is `corner` of the whole."""
    x0, y0 = corner
    lights = np.array(
        [
            (*light.position_mm, *light.rgb, light.radius_mm, light.reference_mm)
            for light in scene.lights
        ]
    ).reshape(-1, 8)
    sky = np.zeros((2 + len(scene.lamps), 7))
    sky[0, :3], sky[1, :3] = scene.horizon_rgb, scene.ceiling_rgb
    for i, lamp in enumerate(scene.lamps):
        direction = np.asarray(lamp.direction, float)
        sky[2 + i] = (*lamp.rgb, *(direction / np.linalg.norm(direction)), lamp.cosine)
    shading.render_rows(
        object_table(scene),
        lights,
        sky,
        np.ascontiguousarray(scene.floor_rgb, np.float32),
        np.array(scene.floor_size_mm, float),
        np.array([scene.floor_gloss, scene.floor_roughness]),
        np.asarray(camera.position_mm, float),
        camera.axes(),
        camera.focal_px(size_px[0]),
        camera.lens,
        np.array([size_px[0] / 2, size_px[1] / 2]),
        x0,
        y0,
        image,
        albedo,
        ids,
        samples,
        seed + 1,
        leave_bare,
    )


def trace(
    scene: Scene,
    camera: Camera,
    *,
    size_px: tuple[int, int],
    samples: int = 4,
    seed: int = 0,
    region: tuple[int, int, int, int] | None = None,
    bare: Bare | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Render a scene.

    Args:
        scene: what there is.
        camera: from where it is seen.
        size_px: (width, height) of the full picture.
        samples: rays per pixel; bare table takes half of them, two at the most; dice take double.
        seed: of the rays' jitter.
        region: (x0, y0, x1, y1) of the full picture to render; all of it when None.
        bare: the same table without things: where nothing is near, it is taken from there.

    Returns:
        (h, w, 3) linear RGB, and (h, w) ids: the row of `object_table` seen, negative for table.
    """
    x0, y0, x1, y1 = region or (0, 0, size_px[0], size_px[1])
    if bare is None:
        image = np.zeros((y1 - y0, x1 - x0, 3), np.float32)
        albedo = np.zeros_like(image)
    else:
        image, albedo = bare.image[y0:y1, x0:x1].copy(), bare.albedo[y0:y1, x0:x1].copy()
    ids = np.full(image.shape[:2], -1, np.int32)
    _fill(
        scene,
        camera,
        size_px,
        (x0, y0),
        image,
        albedo,
        ids,
        samples,
        seed,
        leave_bare=bare is not None,
    )
    return _quiet_floor(image, albedo, ids), ids


def render(
    scene: Scene,
    camera: Camera,
    *,
    size_px: tuple[int, int],
    samples: int = 4,
    seed: int = 0,
    region: tuple[int, int, int, int] | None = None,
    bare: Bare | None = None,
) -> NDArray[np.float32]:
    """`trace` without the ids."""
    return trace(
        scene, camera, size_px=size_px, samples=samples, seed=seed, region=region, bare=bare
    )[0]


def visible_share(scene: Scene, camera: Camera, points_mm: NDArray[np.float64], row: int) -> float:
    """Share of surface points of object `row` that the camera sees unobstructed."""
    table, eye = object_table(scene), np.asarray(camera.position_mm, float)
    every = np.arange(len(table))
    seen = 0
    for point in points_mm:
        ray = point - eye
        distance = float(np.linalg.norm(ray))
        ray = ray / distance
        _, hit, *_ = k.closest(table, every, len(table), *eye, *ray, distance - 0.5, True, row)
        seen += hit < 0
    return seen / len(points_mm)


def to_srgb(linear: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Linear RGB to 8-bit BGR as OpenCV expects it (IEC 61966-2-1)."""
    x = np.clip(linear, 0, 1)
    srgb = np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.power(x, 1 / 2.4) - 0.055)
    return np.ascontiguousarray((srgb[..., ::-1] * 255 + 0.5).astype(np.uint8))
