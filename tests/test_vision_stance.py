"""How dice stand: cut out at the mat's scale, told where the camera is."""

import numpy as np
import pytest
from vision_onnx import stance_model, value_model

from vision.errors import ModelError
from vision.stance import (
    STANCE_DICE,
    STANCE_PX,
    STANCES,
    StanceReader,
    cut_stances,
    lean_of,
    mean_stances,
)

COLOURS = 20 * np.eye(3)
ONE_LOOK = np.zeros(3, np.int64)
TOLD = np.array([[0.0, 90.0, 0.0], [0.0, 0.0, 0.0]])


@pytest.fixture
def open_reader(tmp_path):
    def write(content: bytes) -> StanceReader:
        path = tmp_path / "stance.onnx"
        path.write_bytes(content)
        return StanceReader(path, threads=1)

    return write


def test_a_camera_right_above_leans_nowhere_one_aside_leans_there():
    leans = lean_of(np.array([[100.0, 50.0], [100.0, 350.0], [-200.0, 50.0]]), (100, 50, 600))
    assert leans == pytest.approx(np.array([[0, 0], [0, -0.5], [0.5, 0]]))


@pytest.mark.parametrize("edge_px", [12.0, 26.0, 36.0, 140.0])
def test_a_die_has_one_size_in_every_cut_out(edge_px):
    view = np.full((700, 700, 3), 20, np.uint8)
    low, high = round(350 - edge_px / 2), round(350 + edge_px / 2)
    view[low:high, low:high] = 220
    (crop,) = cut_stances(view, np.array([[350.0, 350.0]]), np.zeros((1, 2)), edge_px=edge_px)
    assert crop.shape == (STANCE_PX, STANCE_PX, 3)
    side = np.sqrt((crop[..., 0] > 120).sum())
    assert side == pytest.approx(STANCE_PX / STANCE_DICE, rel=0.08)
    rows, columns = np.nonzero(crop[..., 0] > 120)
    assert rows.mean() == pytest.approx(STANCE_PX / 2, abs=1.5)
    assert columns.mean() == pytest.approx(STANCE_PX / 2, abs=1.5)


def test_a_die_at_the_edge_of_the_picture_is_cut_out_too():
    view = np.full((60, 60, 3), 90, np.uint8)
    places = np.array([[0.0, 0.0], [60.0, 60.0], [-500.0, 30.0]])
    crops = cut_stances(view, places, np.ones((3, 2)), edge_px=20.0)
    assert crops.shape == (3, STANCE_PX, STANCE_PX, 3)
    assert (crops == 90).all()
    none = np.zeros((0, 2))
    assert cut_stances(view, none, none, edge_px=20.0).shape == (0, STANCE_PX, STANCE_PX, 3)


def test_the_camera_lies_right_of_every_cut_out():
    view = np.full((200, 200, 3), 20, np.uint8)
    view[95:105, 60:140] = 120  # a bar towards a camera in the west, which lies bright
    view[95:105, 60:80] = 240
    for lean, turned in (((-0.3, 0.0), view), ((0.0, 0.3), np.rot90(view, 1).copy())):
        (crop,) = cut_stances(turned, np.array([[100.0, 100.0]]), np.array([lean]), edge_px=32.0)
        middle, edge = slice(45, 51), slice(78, 90)
        assert crop[middle, edge].mean() > 200 > 150 > crop[middle, 6:18].mean()


def test_picture_and_lean_both_have_a_say(open_reader):
    reader = open_reader(stance_model(COLOURS, TOLD))
    red = np.full((3, STANCE_PX, STANCE_PX, 3), (0, 0, 255), np.uint8)
    shares = reader.stances(red, np.array([[0.0, 0.0], [0.0, -0.3], [0.3, 0.3]]), ONE_LOOK)
    assert [STANCES[i] for i in shares.argmax(1)] == ["die", "tower", "tower"]
    assert shares.sum(1) == pytest.approx(1)
    steep = reader.stances(red[:2], np.array([[0.0, 0.99], [0.0, 1.01]]), ONE_LOOK[:2])
    assert [STANCES[i] for i in steep.argmax(1)] == ["tower", "die"]
    assert reader.stances(red[:0], np.zeros((0, 2)), ONE_LOOK[:0]).shape == (0, 3)


def test_another_network_is_refused(open_reader):
    with pytest.raises(ModelError, match="and 'told' is expected"):
        open_reader(value_model(COLOURS))
    four = open_reader(stance_model(np.ones((3, 4)), np.ones((2, 4))))
    with pytest.raises(ModelError, match=r"answered \(2, 4\)"):
        four.stances(
            np.zeros((1, STANCE_PX, STANCE_PX, 3), np.uint8), np.zeros((1, 2)), ONE_LOOK[:1]
        )


def test_a_die_is_asked_about_at_several_places_around_its_middle():
    class Counting:
        def stances(self, crops, leans, looks):
            assert len(crops) == len(leans)
            assert looks.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
            bright = (crops[:, STANCE_PX // 2, STANCE_PX // 2, 0] > 100).astype(np.float32)
            return np.stack([bright, 1 - bright, 0 * bright], 1)

    view = np.zeros((100, 200, 3), np.uint8)
    view[:, 101:] = 255
    centres = np.array([[60.0, 50.0], [100.0, 50.0], [140.0, 50.0]])
    words = mean_stances(
        Counting(), view, centres, np.zeros((3, 2)), np.zeros(3, int), edge_px=30.0
    )
    assert words[:, 0] == pytest.approx([0, 0.2, 1], abs=0.01)
    assert words.sum(1) == pytest.approx(1)


def test_dice_of_other_throws_are_not_seen_beside_one():
    class Grouping:
        def stances(self, crops, leans, looks):
            assert looks.tolist() == [0, 1, 0, 2, 3, 2, 4, 5, 4, 6, 7, 6, 8, 9, 8]
            return np.zeros((len(crops), 3), np.float32)

    centres = np.array([[60.0, 50.0], [100.0, 50.0], [140.0, 50.0]])
    view, leans = np.zeros((100, 200, 3), np.uint8), np.zeros((3, 2))
    mean_stances(Grouping(), view, centres, leans, np.array([0, 1, 0]), edge_px=30.0)
