"""Photographs as slides: laid on the mat at the right scale, and what the table makes of them."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.commands.bench_slides import counts
from device.frames import Frame
from device.photo_labels import LabelledDie, Photograph
from device.slides import (
    AROUND_PX,
    BARE_S,
    DIE_MM,
    FPS,
    HELD_S,
    PX_PER_MM,
    Slide,
    bare_mat,
    on_mat,
    show,
)
from vision.calibration import calibrate_from_markers
from vision.table import DieReading, SceneState, TableDie


def test_the_mat_is_found_by_its_markers_with_a_photograph_on_it():
    picture = np.full((600, 800, 3), 200, np.uint8)
    for image in (bare_mat(), on_mat(picture, (), bare_mat())):
        mat = calibrate_from_markers(image)
        np.testing.assert_allclose(mat.to_px([[0, 0]]), [[AROUND_PX] * 2], atol=1.5)
        scale = np.linalg.norm(np.diff(mat.to_px([[0, 0], [100, 0]]), axis=0)) / 100
        assert scale == pytest.approx(PX_PER_MM, rel=0.01)


def test_dice_of_known_size_are_shown_as_large_as_at_a_table():
    picture = np.zeros((400, 400, 3), np.uint8)
    picture[150:250, 150:250] = 255
    die = LabelledDie(6, (0.5, 0.5), (0.25, 0.25))
    shown = on_mat(picture, [die], bare_mat())
    white = np.count_nonzero((shown == 255).all(axis=2))
    assert white**0.5 == pytest.approx(DIE_MM * PX_PER_MM, rel=0.05)


def test_a_photograph_of_unknown_scale_is_as_large_as_it_fits():
    shown = on_mat(np.full((300, 300, 3), 255, np.uint8), (), bare_mat())
    rows = np.flatnonzero((shown == 255).all(axis=2).any(axis=1))
    assert len(rows) == pytest.approx((315 - 60) * PX_PER_MM, abs=2)


BARE = bare_mat()


class Table:
    """Sees a six, sure of its value, flat in every second photograph."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.state = SceneState(0.0)
        self.shown = 0

    def receive(self, image: np.ndarray, at_s: float) -> None:
        bare = bool((image == BARE).all())
        self.shown += not bare and self.state.dice == ()
        flat = bool(self.shown % 2)
        die = TableDie(
            1, "die" if flat else "burning", (200.0, 150.0), (192.0, 142.0, 208.0, 158.0),
            True, 0.0, True, True, True, True,
            DieReading((200.0, 150.0), 6, 0.99, True, (), ()), (0.0,) * 5 + (1.0,),
        )  # fmt: skip
        self.state = SceneState(at_s, () if bare else (die,))
        self.frames.append(Frame(image, at_s, len(self.frames)))


@pytest.fixture
def slides(tmp_path: Path) -> tuple[Table, list[Slide]]:
    table = Table()
    photographs = []
    for number in range(2):
        path = tmp_path / f"{number}.png"
        cv2.imwrite(str(path), np.full((300, 300, 3), 90 + number, np.uint8))
        photographs.append(Photograph(path, (LabelledDie(6),)))
    photographs.append(Photograph(tmp_path / "none.png", (LabelledDie(1),)))
    return table, list(show(photographs, lambda frame: table))  # type: ignore[arg-type]


def test_each_photograph_is_held_and_cut_to_the_bare_mat(slides: tuple[Table, list[Slide]]):
    table, _ = slides
    assert len(table.frames) == 2 * (round(BARE_S * FPS) + round(HELD_S * FPS))
    times = [frame.taken_at_s for frame in table.frames]
    np.testing.assert_allclose(np.diff(times), 1 / FPS)


def test_what_leans_is_not_committed_though_its_value_is_sure(slides: tuple[Table, list[Slide]]):
    _, (flat, leaning, gone) = slides
    assert (flat.committed, flat.read) == ((6,), (6,))
    assert (leaning.committed, leaning.read) == (None, (6,))
    assert "none.png" in gone.problem
    assert counts([flat, leaning, gone]) == {
        "photographs": 2,
        "committed": 1,
        "committed_as_labelled": 1,
        "values_sure": 2,
        "values_as_labelled": 2,
        "dice": 2,
        "dice_sure": 2,
        "dice_as_labelled": 2,
    }
