"""The path tracer draws the same scenes as the fast tracer, and light goes through clear dice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.lab.dataset import picture, scene_of
from models.lab.meshes import mesh_of
from models.lab.path_tracer import path_traced, quieted
from models.lab.physics import make_bank
from models.lab.tracer import (
    Box,
    Camera,
    Capsule,
    Cup,
    Die,
    DieLook,
    Disc,
    Finish,
    Light,
    Scene,
    SkyLamp,
    object_table,
    trace,
)

CAMERA = Camera(position_mm=(20, -10, 300), fov_deg=22, up=(0.2, 1, 0))
SIZE = (96, 72)
PLAIN = Finish(rgb=(0.7, 0.6, 0.1), gloss=0.0)
LOOK = DieLook(finish=PLAIN, pip_depth=0.6)
DIE = Die(position_mm=(0, 0, 8), rotation=np.eye(3), look=LOOK)
THINGS = {
    "dice": [DIE],
    "cups": [Cup(position_mm=(-42, 26, 0), radius_rim_mm=20, radius_base_mm=15, finish=PLAIN)],
    "boxes": [Box(position_mm=(34, 22, 4), half_mm=(9, 6, 4), finish=PLAIN)],
    "discs": [Disc(position_mm=(30, -24, 2), radius_mm=12, half_height_mm=2, finish=PLAIN)],
    "capsules": [Capsule(a_mm=(-40, -30, 5), b_mm=(-10, -26, 5), radius_mm=4, finish=PLAIN)],
}


def table(**things: object) -> Scene:
    floor = np.full((16, 16, 3), 0.15, np.float32)
    floor[:8, :8] = (0.05, 0.3, 0.6)  # one corner differs: a mirrored table would be noticed
    return Scene(
        floor_rgb=floor,
        floor_size_mm=(200, 160),
        lights=[Light(position_mm=(120, 60, 500), rgb=(0.8, 0.8, 0.8), reference_mm=520)],
        **things,
    )  # type: ignore[arg-type]


def test_both_tracers_draw_the_same_scene() -> None:
    fast, _ = trace(table(**THINGS), CAMERA, size_px=SIZE, samples=8, seed=1)
    true = quieted(path_traced(table(**THINGS), CAMERA, size_px=SIZE, samples=32, seed=1))
    for channel in range(3):
        alike = np.corrcoef(fast[..., channel].ravel(), true[..., channel].ravel())[0, 1]
        assert alike > 0.9
    assert 0.7 < true.mean() / fast.mean() < 1.4


@pytest.mark.parametrize("name", list(THINGS))
def test_a_mesh_fills_what_its_thing_fills(name: str) -> None:
    scene, size = table(**{name: THINGS[name]}), (144, 108)
    _, ids = trace(scene, CAMERA, size_px=size, samples=1)
    mesh = mesh_of(object_table(scene)[0])
    corners = mesh.corners[mesh.triangles].mean(axis=1)
    x, y = np.floor(CAMERA.project(corners, size)).astype(int).T
    inside = (x >= 0) & (x < size[0]) & (y >= 0) & (y < size[1])
    drawn = np.zeros(ids.shape, bool)
    drawn[y[inside], x[inside]] = True
    both = (drawn & (ids >= 0)).sum() / (drawn | (ids >= 0)).sum()
    assert both > 0.8  # pixels at the edge belong to whom a ray's place in them says


@pytest.mark.parametrize("toward", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_the_room_shines_from_where_its_lamps_are(toward: tuple[float, float]) -> None:
    """The side of a block that faces a window is the brighter one."""
    window = SkyLamp(direction=(*toward, 0.3), rgb=(9.0, 9.0, 9.0), cosine=0.9)
    block = Box(position_mm=(0, 0, 30), half_mm=(20, 20, 30), finish=PLAIN)
    scene = replace(table(boxes=[block]), lights=(), lamps=[window])

    def side_seen(sign: float) -> float:
        where = (250 * sign * toward[0], 250 * sign * toward[1], 60)
        camera = Camera(position_mm=where, look_at_mm=(0, 0, 30), up=(0, 0, 1), fov_deg=12)
        picture = path_traced(scene, camera, size_px=(24, 24), samples=32)
        return float(picture[10:14, 10:14].mean())

    assert side_seen(1) > 3 * side_seen(-1)


def test_a_clear_die_shows_what_lies_behind_it() -> None:
    clear = replace(LOOK, finish=replace(PLAIN, rgb=(0.8, 0.8, 0.8), translucent=1.0))
    on_blue = replace(DIE, position_mm=(-30, 20, 8))
    seen = [
        path_traced(table(dice=[die]), CAMERA, size_px=SIZE, samples=32)
        for die in (on_blue, replace(on_blue, look=clear))
    ]
    at = CAMERA.project(np.array([[-30.0, 20.0, 16.0]]), SIZE)[0].astype(int)
    opaque, glass = (
        picture[at[1] - 3 : at[1] + 4, at[0] - 3 : at[0] + 4].mean(axis=(0, 1)) for picture in seen
    )
    assert glass[2] / glass[0] > 2 * opaque[2] / opaque[0]


def test_pips_are_sunk_and_painted() -> None:
    mesh = mesh_of(object_table(table(dice=[DIE]))[0])
    top = (np.abs(mesh.corners[:, :2]) < 5.5).all(axis=1) & (mesh.corners[:, 2] > 13)
    pip = top & (mesh.pip > 0)
    assert pip.any()
    assert mesh.corners[pip, 2].min() < 15.8 < mesh.corners[top & (mesh.pip == 0), 2].min()
    assert mesh.rgb[pip].max() < 0.1 < mesh.rgb[top & (mesh.pip == 0)].max()


def test_a_seed_gives_a_picture() -> None:
    first, again, other = (
        path_traced(table(dice=[DIE]), CAMERA, size_px=SIZE, samples=8, seed=seed)
        for seed in (5, 5, 6)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_training_picture_is_the_same_scene_by_either_tracer(tmp_path: Path) -> None:
    bank = make_bank(tmp_path / "bank.npz", count=24, seed=4)
    table = {"crowded": 1.0, "strange": 1.0, "die_px": (20, 30)}
    lens = [scene_of(bank, 3, i, 96, physical=True, **table)[1].camera.lens for i in range(6)]
    assert lens == [0.0] * 6
    image, labels, truth, _ = picture(bank, 3, 1, 96, physical=True, **table)
    assert image.shape == (96, 96, 3)
    assert image.std() > 5
    assert labels
    assert truth["faces"]


def test_a_lens_that_bends_is_refused() -> None:
    with pytest.raises(ValueError, match="no lens that bends"):
        path_traced(table(), replace(CAMERA, lens=0.1), size_px=SIZE)
