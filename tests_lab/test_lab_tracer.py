"""The tracer draws what the scene says, and labels say what the tracer drew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.lab.camera_faults import flickering
from models.lab.labels import BURNING, Label, label, outline
from models.lab.light_kinds import ring_lamp
from models.lab.lookalikes import MAKERS, lookalikes
from models.lab.scenes import Composed, Placed
from models.lab.things import SkyLamp
from models.lab.tracer import Camera, Die, DieLook, Disc, Finish, Light, Scene, to_srgb, trace

WHITE = DieLook(
    finish=Finish(rgb=(0.8, 0.8, 0.8), gloss=0.0),
    pip_rgb=(0.01, 0.01, 0.01),
    pip_radius=0.1,
    pip_depth=0.0,
)
CAMERA = Camera(position_mm=(0, 0, 300), fov_deg=20)
SIZE = (160, 160)


def table(**things: object) -> Scene:
    return Scene(
        floor_rgb=np.full((8, 8, 3), 0.2, np.float32),
        floor_size_mm=(400, 400),
        lights=[Light(position_mm=(100, 100, 700), rgb=(0.9, 0.9, 0.9))],
        **things,
    )  # type: ignore[arg-type]


def die(value_up: int, x_mm: float = 0.0) -> Die:
    rest = [v for v in (1, 2, 3, 4, 5, 6) if v not in (value_up, 7 - value_up)]
    a, b = rest[0], next(v for v in rest[1:] if v != 7 - rest[0])
    return Die(
        position_mm=(x_mm, 0, 8),
        rotation=np.eye(3),
        look=WHITE,
        values=(a, 7 - a, b, 7 - b, value_up, 7 - value_up),
    )


def dark_spots(scene: Scene) -> int:
    """Pips seen on the top face, counted as dark connected spots."""
    import cv2

    picture = to_srgb(trace(scene, CAMERA, size_px=SIZE, samples=4)[0])
    half = round(5.5 / 300 * CAMERA.focal_px(SIZE[0]) * 300 / 284)
    face = picture[80 - half : 80 + half, 80 - half : 80 + half].mean(axis=2)
    count, _ = cv2.connectedComponents((face < 90).astype(np.uint8), connectivity=8)
    return count - 1


def test_every_value_shows_as_many_pips() -> None:
    assert [dark_spots(table(dice=[die(v)])) for v in range(1, 7)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("lens", [0.0, 0.25, -0.15])
def test_box_encloses_exactly_the_pixels_of_the_die(lens: float) -> None:
    camera = replace(CAMERA, lens=lens, fov_deg=60, position_mm=(0, 0, 90))
    scene = table(dice=[die(3, 30.0)])
    _, ids = trace(scene, camera, size_px=SIZE, samples=1)
    rows, columns = np.nonzero(ids == 0)
    composed = Composed(scene, camera, (Placed(0, "flat", 3, 0),), "plain", 20.0, 0.0)
    (found,) = label(composed, SIZE)
    assert found.class_id == 2
    drawn = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    np.testing.assert_allclose(found.box, drawn, atol=1.5)


def test_hidden_die_carries_no_label_and_a_cocked_one_is_burning() -> None:
    cover = Disc(
        position_mm=(0, 0, 40), radius_mm=20, half_height_mm=1, finish=Finish(rgb=(0.1, 0.1, 0.1))
    )
    hidden = Composed(
        table(dice=[die(5)], discs=[cover]), CAMERA, (Placed(0, "flat", 5, 0),), "plain", 20, 0
    )
    assert label(hidden, SIZE) == []
    cocked = Composed(table(dice=[die(5)]), CAMERA, (Placed(0, "burning", 5, 0),), "plain", 20, 0)
    assert [item.class_id for item in label(cocked, SIZE)] == [BURNING]
    assert isinstance(label(cocked, SIZE)[0], Label)


def test_outline_lies_inside_the_cube() -> None:
    points = outline(die(1)) - [0, 0, 8]
    assert np.abs(points).max() <= 8.0 + 1e-9


def test_same_seed_same_picture() -> None:
    scene = table(dice=[die(6)])
    a, _ = trace(scene, CAMERA, size_px=(40, 40), samples=3, seed=7)
    b, _ = trace(scene, CAMERA, size_px=(40, 40), samples=3, seed=7)
    np.testing.assert_array_equal(a, b)


def test_a_lens_bends_straight_lines_outside_the_middle() -> None:
    camera = replace(CAMERA, lens=0.25, fov_deg=60)
    points = np.array([[0.0, 0, 0], [100, 0, 0], [100, 100, 0]])
    straight, bent = (c.project(points, SIZE) for c in (replace(camera, lens=0.0), camera))
    np.testing.assert_allclose(bent[0], straight[0])
    assert (np.abs(bent[1:] - 80).max(axis=1) < np.abs(straight[1:] - 80).max(axis=1)).all()


def test_lookalikes_lie_around_their_place_and_on_the_table() -> None:
    rng, place = np.random.default_rng(3), np.array([200.0, -50.0])
    kinds = set()
    for _ in range(60):
        bodies = lookalikes(rng, place, 16.0)
        kinds.add(len(bodies))
        for body in bodies:
            half = body.half_height_mm if isinstance(body, Disc) else body.half_mm[2]
            assert body.position_mm[2] >= half - 1e-6
            assert np.linalg.norm(np.subtract(body.position_mm[:2], place)) < 90
    assert len(kinds) >= len(MAKERS)


def test_a_flickering_lamp_darkens_whole_rows() -> None:
    picture = flickering(np.random.default_rng(1), np.full((120, 50, 3), 0.5, np.float32))
    assert (picture == picture[:, :1]).all()
    assert picture.min() < 0.49 < 0.51 < picture.max()


def test_a_domed_face_mirrors_a_lamp_that_a_flat_one_does_not() -> None:
    shine = replace(WHITE.finish, rgb=(0.02, 0.02, 0.02), gloss=1.5, roughness=0.1)
    blank = replace(die(1), values=(0, 0, 0, 0, 0, 0))
    aside = SkyLamp(direction=(0.34, 0.0, 0.94), rgb=(9.0, 9.0, 9.0), cosine=0.998)

    def brightest(dome: float) -> float:
        look = replace(WHITE, finish=shine, dome=dome)
        scene = replace(table(dice=[replace(blank, look=look)]), lamps=[aside])
        middle = slice(SIZE[0] // 2 - 7, SIZE[0] // 2 + 7)
        return float(trace(scene, CAMERA, size_px=SIZE, samples=8)[0][middle, middle].max())

    assert brightest(0.0) < 0.3 < brightest(0.3)


def test_a_ring_lamp_surrounds_its_axis() -> None:
    for seed in range(20):
        towards = np.array(
            [lamp.direction for lamp in ring_lamp(np.random.default_rng(seed), (1, 2, 3))]
        )
        middle = np.array([1.0, 2.0, 3.0]) / np.linalg.norm([1.0, 2.0, 3.0])
        away_deg = np.degrees(np.arccos(towards @ middle))
        assert len(towards) > 4
        assert away_deg.max() < 60
