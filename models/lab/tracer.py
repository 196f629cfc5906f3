"""Pictures of scenes.

    scene = Scene(dice=[Die(...)], lights=[Light(...)], floor_rgb=texture, ...)
    picture, ids = trace(scene, camera, size_px=(640, 480), samples=4, seed=1)

Pictures are linear light, RGB; `to_srgb` makes them 8-bit BGR.
"""

# ruff: noqa: FBT003  numba calls compiled functions by position

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from . import kernels as k
from . import shading
from .object_rows import object_table
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
