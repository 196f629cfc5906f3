"""Pictures of scenes by Mitsuba 3: light that goes through dice, and from thing to thing.

    picture = path_traced(scene, camera, size_px=(320, 320), samples=32, seed=1)

The same scenes as `models.lab.tracer`, eight times slower: a clear die bends what lies behind it
and shows the pips of its far sides, lamps are mirrored in whatever is smooth, colours bleed. Linear
RGB as there. Debian's `libllvm19`, named by `DRJIT_LIBLLVM_PATH`, makes it twice as fast as it is
without; older ones crash on processors with AVX-512.

Source: W. Jakob et al., Mitsuba 3, https://mitsuba-renderer.org (2022).
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from . import kernels as k
from .meshes import Mesh, mesh_of
from .surfaces import sky_at
from .things import Camera, Light, Scene
from .tracer import object_table

SKY_PX = (512, 256)
BRIGHTEST = 15.0
"""A path that meets a small lamp by chance would leave a spark: no group of samples counts for more
than so many times the picture's level."""
GROUP = 8
DEPTH = 6
"""Bounces: in and out of a clear die, once onto something else and back."""
REFRACTION = 1.5
"""Of cellulose acetate and acrylic, what clear dice are made of."""


@functools.cache
def _mitsuba() -> Any:
    """Mitsuba, compiled by LLVM where `DRJIT_LIBLLVM_PATH` names one: twice as fast."""
    import drjit
    import mitsuba  # the laboratory works without both where nothing asks for them

    mitsuba.set_variant("llvm_ad_rgb" if os.environ.get("DRJIT_LIBLLVM_PATH") else "scalar_rgb")
    drjit.set_thread_count(1)  # processes share the cores, not threads
    return mitsuba


def _sky(scene: Scene) -> NDArray[np.float32]:
    """The room as a picture of all directions: column 0 is +y, then +x; row 0 is up (z)."""
    table = np.zeros((2 + len(scene.lamps), 7))
    table[0, :3], table[1, :3] = scene.horizon_rgb, scene.ceiling_rgb
    for i, lamp in enumerate(scene.lamps):
        direction = np.asarray(lamp.direction, float)
        table[2 + i] = (*lamp.rgb, *(direction / np.linalg.norm(direction)), lamp.cosine)
    return _sky_rows(table, *SKY_PX)


@njit(cache=True)
def _sky_rows(table: NDArray[np.float64], width: int, height: int) -> NDArray[np.float32]:
    out, rgb = np.zeros((height, width, 3), np.float32), np.zeros(3)
    for i in range(height):
        polar = (i + 0.5) / height * np.pi
        for j in range(width):
            around = (j + 0.5) / width * 2 * np.pi
            flat = np.sin(polar)
            sky_at(table, flat * np.sin(around), flat * np.cos(around), np.cos(polar), rgb)
            out[i, j] = rgb
    return out


def _rgb(values: Sequence[float]) -> dict[str, Any]:
    return {"type": "rgb", "value": [float(v) for v in values]}


def _lamp(light: Light) -> dict[str, Any]:
    """A shining ball: as much light at the reference as `models.lab.shading` reckons with."""
    radius = max(2.0, light.radius_mm)
    radiance = np.array(light.rgb) * (light.reference_mm / radius) ** 2
    return {
        "type": "sphere",
        "center": [float(v) for v in light.position_mm],
        "radius": float(radius),
        "emitter": {"type": "area", "radiance": _rgb(radiance)},
    }


def _at_corners(name: str) -> dict[str, Any]:
    return {"type": "mesh_attribute", "name": f"vertex_{name}"}


def _coated(**more: Any) -> dict[str, Any]:
    """A coloured surface with a clear coat, as glossy as its corners say."""
    return {
        "type": "principled",
        "base_color": _at_corners("color"),
        "roughness": _at_corners("roughness"),
        **more,
    }


def _materials() -> dict[bool, dict[str, Any]]:
    """What things are made of, by whether light goes through them; the pips of a clear die do not.

    Two for a whole scene: Mitsuba compiles each for itself, and every die its own took longer to
    compile than to render.
    """
    opaque = {"type": "twosided", "bsdf": _coated(specular=0.5)}
    clear = {
        "type": "blendbsdf",
        "weight": _at_corners("pip"),
        "body": _coated(spec_trans=_at_corners("clear"), eta=REFRACTION),
        "paint": opaque,
    }
    return {False: opaque, True: clear}


def _roughness(row: NDArray[np.float64]) -> float:
    """Of a thing's coat; what has little gloss in the fast tracer is rough here."""
    gloss = float(np.clip(row[k.GLOSS], 0, 1.4) / 1.4)
    if row[k.TRANSLUCENT] > 0:  # light that goes through is scattered by every surface on its way
        return float(np.clip(0.5 * row[k.ROUGH], 0.05, 0.3))
    return float(np.clip(row[k.ROUGH] + 0.6 * (1 - gloss) ** 2, 0.08, 1))


def _shape(mi: Any, meshes: list[tuple[Mesh, NDArray[np.float64]]], material: Any) -> Any:
    """All things of one material as one mesh."""
    properties = mi.Properties()
    properties["bsdf"] = material
    counts = [len(mesh.corners) for mesh, _ in meshes]
    starts = np.cumsum([0, *counts[:-1]])
    shape = mi.Mesh(
        "things",
        sum(counts),
        sum(len(mesh.triangles) for mesh, _ in meshes),
        has_vertex_normals=True,
        props=properties,
    )
    said = {"roughness": [_roughness(row) for _, row in meshes],
            "clear": [row[k.TRANSLUCENT] for _, row in meshes]}  # fmt: skip
    for name, values in said.items():
        _attribute(shape, name, np.repeat(values, counts))
    _attribute(shape, "color", np.concatenate([mesh.rgb for mesh, _ in meshes]))
    _attribute(shape, "pip", np.concatenate([mesh.pip for mesh, _ in meshes]))
    values = mi.traverse(shape)
    corners = [mesh.corners for mesh, _ in meshes]
    values["vertex_positions"] = _flat(np.concatenate(corners))
    values["faces"] = np.concatenate(
        [mesh.triangles + start for (mesh, _), start in zip(meshes, starts, strict=True)]
    ).astype(np.uint32).ravel()  # fmt: skip
    values.update()  # which reckons the normals
    return shape


def _flat(values: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.ascontiguousarray(values, np.float32).ravel()


def _attribute(shape: Any, name: str, values: NDArray[np.float64]) -> None:
    shape.add_attribute(f"vertex_{name}", 3 if values.ndim == 2 else 1, _flat(values))


def _floor(mi: Any, scene: Scene) -> dict[str, Any]:
    """The table: the texture on a rectangle as large as `floor_size_mm`."""
    width, height = scene.floor_size_mm
    gloss = min(1.0, scene.floor_gloss / 1.4)
    texture = np.ascontiguousarray(scene.floor_rgb[::-1], np.float32)  # rows from -y on
    return {
        "type": "rectangle",
        "to_world": mi.ScalarTransform4f().scale([width / 2, height / 2, 1]),
        "bsdf": {
            "type": "principled",
            "base_color": {"type": "bitmap", "bitmap": mi.Bitmap(texture), "raw": True,
                           "wrap_mode": "clamp"},
            "roughness": float(np.clip(scene.floor_roughness if gloss else 1.0, 0.08, 1)),
            "specular": 0.5 * gloss,
        },
    }  # fmt: skip


def _camera(mi: Any, camera: Camera, size_px: tuple[int, int]) -> dict[str, Any]:
    axes = camera.axes()
    position = np.asarray(camera.position_mm, float)
    return {
        "type": "perspective",
        "fov": float(camera.fov_deg),
        "fov_axis": "x",
        "near_clip": 1.0,
        "far_clip": 1e5,
        "to_world": mi.ScalarTransform4f().look_at(
            origin=position.tolist(),
            target=(position + 100 * axes[2]).tolist(),
            up=(-axes[1]).tolist(),
        ),
        "film": {
            "type": "hdrfilm",
            "width": size_px[0],
            "height": size_px[1],
            "rfilter": {"type": "box"},
            "pixel_format": "rgb",
            "component_format": "float32",
        },
        "sampler": {"type": "independent", "sample_count": GROUP},
    }


def path_traced(
    scene: Scene, camera: Camera, *, size_px: tuple[int, int], samples: int = 32, seed: int = 0
) -> NDArray[np.float32]:
    """Render a scene.

    Args:
        scene: what there is.
        camera: from where it is seen; its lens must not bend.
        size_px: (width, height) of the picture.
        samples: paths per pixel, in whole groups of `GROUP`.
        seed: of the paths.

    Returns:
        (h, w, 3) linear RGB, float32.

    Raises:
        ValueError: the camera's lens bends.
        ImportError: Mitsuba is not installed (`make lab`).
    """
    if camera.lens:
        raise ValueError(f"path_traced knows no lens that bends, got lens={camera.lens}")
    mi = _mitsuba()
    world: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": DEPTH, "rr_depth": 4},
        "sensor": _camera(mi, camera, size_px),
        "sky": {
            "type": "envmap",
            "bitmap": mi.Bitmap(_sky(scene)),
            "to_world": _upright(mi),
        },
        "floor": _floor(mi, scene),
    }
    world |= {f"lamp{i}": _lamp(light) for i, light in enumerate(scene.lights)}
    things: dict[bool, list[tuple[Mesh, NDArray[np.float64]]]] = {False: [], True: []}
    for row in object_table(scene):
        clear = int(row[k.KIND]) == k.DIE and row[k.TRANSLUCENT] > 0
        things[bool(clear)].append((mesh_of(row), row))
    for clear, meshes in things.items():
        if meshes:
            world[f"things{clear:d}"] = _shape(mi, meshes, mi.load_dict(_materials()[clear]))
    loaded = mi.load_dict(world)
    groups = max(1, round(samples / GROUP))
    parts = np.stack(
        [
            np.nan_to_num(np.array(mi.render(loaded, spp=GROUP, seed=(seed * 131 + group) % 2**32)))
            for group in range(groups)
        ]
    ).astype(np.float32)
    return np.asarray(np.minimum(parts, BRIGHTEST * _level(parts)).mean(axis=0), np.float32)


def _upright(mi: Any) -> Any:
    """Mitsuba's rooms stand along y and begin at -z: turned so that up is z, the beginning +y."""
    return mi.ScalarTransform4f().rotate([1, 0, 0], 90)


def _level(linear: NDArray[np.float32]) -> float:
    return max(1e-6, float(np.percentile(linear, 60)))


def quieted(linear: NDArray[np.float32]) -> NDArray[np.float32]:
    """The grain of few paths taken out, edges kept: non-local means of the picture's logarithm."""
    level = _level(linear) / 8
    most = np.log1p(8 * BRIGHTEST)
    eight = (np.log1p(np.maximum(linear, 0) / level) / most * 255 + 0.5).clip(0, 255)
    quiet = cv2.fastNlMeansDenoisingColored(eight.astype(np.uint8), None, 5, 7, 5, 11)
    return np.asarray(np.expm1(quiet.astype(np.float32) / 255 * most) * level, np.float32)
