"""How the second witness is shown a die: held so that the camera lies below it."""

from typing import cast

import numpy as np
import pytest
from vision_table import alone, look

from vision.calibration import MatCalibration
from vision.crops import STEEP, cut_evened, four_views, held_views
from vision.images import Image
from vision.outline import OUTLINE_PX
from vision.outline_judge import OutlineJudge
from vision.scene import TableScene
from vision.seats import seats_around
from vision.stance import PLACES, cut_stances, lean_of
from vision.table import SceneState
from vision.witnesses import Witnesses

MARGIN_MM, PX_PER_MM, HEIGHT_MM = 12.0, 2.0, 100.0
BOX_PX = (100.0, 80.0, 140.0, 120.0)
DIE_MM = (120 / PX_PER_MM - MARGIN_MM, 100 / PX_PER_MM - MARGIN_MM)


class OneDie:
    """A scene in which one die waits for the second witness."""

    def wants_second(self) -> dict[int, tuple[float, float, float, float]]:
        return {7: BOX_PX}

    def wants_stance(self) -> dict[int, np.ndarray]:
        return {}

    def hear_second(self, opinions: dict[int, np.ndarray]) -> None:
        assert list(opinions) == [7]

    def state(self) -> SceneState:
        return SceneState(0.0)


class Looking:
    """A counter that keeps what it was shown."""

    def probabilities(self, crops_bgr: Image) -> np.ndarray:
        self.shown = crops_bgr
        return np.full((len(crops_bgr), 7), 1 / 7, np.float32)


def shown(camera_mm: tuple[float, float, float] | None) -> Image:
    """What the counter sees of a die whose right side is light."""
    view = np.zeros((300, 400, 3), np.uint8)
    view[:, 132:] = 200
    counter = Looking()
    mat = MatCalibration(np.eye(3), (180.0, 130.0), PX_PER_MM)
    scene = cast(TableScene, OneDie())
    Witnesses(counter, None, MARGIN_MM).speak(scene, lambda: view, mat, camera_mm)
    if camera_mm is None:
        assert (counter.shown == four_views(cut_evened(view, [BOX_PX]))).all()
    return counter.shown


@pytest.mark.parametrize(("tangent", "held"), [(1.02 * STEEP, True), (0.98 * STEEP, False)])
def test_a_die_is_turned_from_where_the_camera_hangs_when_it_is_seen_steeply(
    tangent: float, held: bool
) -> None:
    views = shown((DIE_MM[0] + tangent * HEIGHT_MM, DIE_MM[1], HEIGHT_MM))
    light_below = [view[-4:, 16:-16].mean() > view[:4, 16:-16].mean() + 50 for view in views]
    assert all(light_below) is held


def test_nobody_knows_the_camera_so_a_die_is_shown_in_all_turns() -> None:
    assert len(shown(None)) == 4


def test_who_counts_pips_for_the_outlines_is_not_asked_twice() -> None:
    class Heard(OneDie):
        def hear_outline(self, words: dict[int, np.ndarray]) -> None:
            self.words = words

    class Marking(Looking):
        def maps(self, crops_bgr: Image) -> np.ndarray:
            assert len(crops_bgr) == 4
            heat = np.zeros((4, 32, 32), np.float32)
            heat[:, 16, 16] = 0.98
            return heat

    class Judge:
        def stances(self, crops_bgr: Image, told: np.ndarray) -> np.ndarray:
            self.told, self.shown = told, crops_bgr
            return np.full((len(crops_bgr) // 4, 3), 1 / 3, np.float32)

    scene, counter, judge = Heard(), Marking(), Judge()
    mat = MatCalibration(np.eye(3), (180.0, 130.0), PX_PER_MM)
    outlines = OutlineJudge(counter, judge)
    witnesses = Witnesses(
        outlines, None, MARGIN_MM, lambda view, where: np.full_like(view[where], 90)
    )
    view, above = np.zeros((300, 400, 3), np.uint8), (*DIE_MM, HEIGHT_MM)
    witnesses.speak(cast(TableScene, scene), lambda: view, mat, above)
    assert list(scene.words) == [7]
    assert scene.words[7] == pytest.approx([1 / 3] * 3)
    assert not hasattr(counter, "shown")
    assert judge.told[:, :2] == pytest.approx(0), "the camera is right above"
    assert (judge.shown[:, :OUTLINE_PX] == 0).all()
    assert (judge.shown[:, OUTLINE_PX:] == 90).all(), "the mat without the die"


def test_dice_before_other_seats_are_of_another_throw() -> None:
    """Everybody has dice of an own, which may be of another make."""

    class Grouping:
        def stances(self, crops_bgr: Image, leans: np.ndarray, looks: np.ndarray) -> np.ndarray:
            self.looks = looks
            return np.full((len(crops_bgr), 3), 1 / 3, np.float32)

    reader, mat_mm = Grouping(), (600.0, 450.0)
    scene = alone(stance_reader=True, mat_size_mm=mat_mm, seats=seats_around("AB", mat_mm))
    for frame in range(12):
        scene.update(look((5, 100, 400), (5, 150, 400), (5, 100, 50)), frame / 10)
    mat = MatCalibration(np.eye(3), mat_mm, PX_PER_MM, 16.0)
    view = np.zeros((948, 1248, 3), np.uint8)
    Witnesses(None, reader, MARGIN_MM).speak(scene, lambda: view, mat, (300.0, 225.0, 700.0))
    below, beside, above = reader.looks[:3]
    assert below == beside != above


@pytest.mark.parametrize("middle_px", [(200.0, 150.0), (9.0, 11.0), (396.0, 290.0), (30.0, 280.0)])
def test_witnesses_see_what_they_would_in_all_of_the_picture(
    middle_px: tuple[float, float],
) -> None:
    """Wherever a die lies, and though no more than its surroundings is looked at."""
    box = (*(side - 17.0 for side in middle_px), *(side + 17.0 for side in middle_px))
    place_mm = np.array(middle_px) / PX_PER_MM - MARGIN_MM

    class Asking(OneDie):
        settings = alone().settings

        def wants_second(self) -> dict[int, tuple[float, ...]]:
            return {7: box}

        def wants_stance(self) -> dict[int, np.ndarray]:
            return {7: place_mm}

        def hear_stance(self, words: dict[int, np.ndarray]) -> None:
            assert list(words) == [7]

    class Stance:
        def stances(self, crops_bgr: Image, leans: np.ndarray, looks: np.ndarray) -> np.ndarray:
            self.shown = crops_bgr
            return np.full((len(crops_bgr), 3), 1 / 3, np.float32)

    class Seen(np.ndarray):
        most_px = 0

        def __getitem__(self, where: object) -> np.ndarray:
            part = np.asarray(self)[where]
            self.most_px = max(self.most_px, part.size // 3)
            return part

    noise = np.random.default_rng(8).integers(0, 256, (300, 400, 3)).astype(np.uint8)
    view, counter, stance = noise.view(Seen), Looking(), Stance()
    mat, above = MatCalibration(np.eye(3), (180.0, 130.0), PX_PER_MM), (90.0, 65.0, 500.0)
    Witnesses(counter, stance, MARGIN_MM).speak(
        cast(TableScene, Asking()), lambda: view, mat, above
    )
    leans, edge_px = lean_of(place_mm[None], above), mat.die_mm * PX_PER_MM
    assert (counter.shown == held_views(cut_evened(noise, [box]), leans)).all()
    places = np.array([middle_px]) + np.array(PLACES) * edge_px
    whole = cut_stances(noise, places, np.repeat(leans, len(PLACES), axis=0), edge_px=edge_px)
    assert np.abs(stance.shown.astype(int) - whole).mean() < 1.0, "up to parts of a pixel"
    assert view.most_px < noise.size // 3 / 2
