"""One look at the pips of dice tells their values and how they stand."""

import numpy as np
import pytest

from vision.crops import CROP_PX
from vision.outline_judge import OutlineJudge

EDGE_PX = 36.0
VIEW = np.full((200, 200, 3), 60, np.uint8)


class Counter:
    """Sees the pips of a five in the middle of each die's first view, nothing in one at all."""

    def maps(self, crops_bgr: np.ndarray) -> np.ndarray:
        heat = np.zeros((len(crops_bgr), 32, 32), np.float32)
        for row, column in ((10, 10), (10, 22), (16, 16), (22, 10), (22, 22)):
            heat[:-4, row, column] = 0.97
        return heat

    def probabilities(self, crops_bgr: np.ndarray) -> np.ndarray:
        raise AssertionError("the maps say it already")


class Reader:
    """Calls everything flat and keeps what it was told."""

    def stances(self, crops_bgr: np.ndarray, told: np.ndarray) -> np.ndarray:
        self.told = told
        return np.tile(np.array([0.8, 0.1, 0.1], np.float32), (len(crops_bgr) // 4, 1))


def test_one_look_at_the_pips_tells_value_and_outline() -> None:
    boxes = np.array([[20.0, 20, 60, 60], [80, 20, 120, 60], [140, 20, 180, 60]])
    leans, view = np.array([[0.1, 0.0], [1.2, 0.0], [0.1, 0.0]]), VIEW
    outlines = OutlineJudge(Counter(), reader := Reader())
    held = np.zeros((12, CROP_PX, CROP_PX, 3), np.uint8)
    values, words = outlines.judge(view, held, boxes, leans, edge_px=EDGE_PX)
    assert values.shape == (3, 7)
    assert values[:2].argmax(axis=1).tolist() == [4, 4]
    assert list(words) == [0], "neither who is seen too steeply nor who shows no pips"
    assert words[0] == pytest.approx([0.8, 0.1, 0.1])
    assert len(reader.told) == 4


def test_dice_without_clear_pips_are_counted_and_not_judged() -> None:
    class Blind(Counter):
        def maps(self, crops_bgr: np.ndarray) -> np.ndarray:
            return np.zeros((len(crops_bgr), 32, 32), np.float32)

    boxes, leans = np.array([[20.0, 20, 60, 60]]), np.zeros((1, 2))
    held = np.zeros((4, CROP_PX, CROP_PX, 3), np.uint8)
    outlines = OutlineJudge(Blind(), Reader())
    values, words = outlines.judge(VIEW, held, boxes, leans, edge_px=EDGE_PX)
    assert values.tolist() == [[0, 0, 0, 0, 0, 0, 1]]
    assert words == {}


def test_marks_of_two_paints_tell_no_value_but_where_the_face_is() -> None:
    boxes, leans = np.tile([[20.0, 20, 60, 60]], (2, 1)), np.tile([[0.1, 0.0]], (2, 1))
    held = np.zeros((8, CROP_PX, CROP_PX, 3), np.uint8)
    for row, column in ((10, 10), (16, 16), (22, 22)):
        held[:4, 2 * row - 3 : 2 * row + 5, 2 * column - 3 : 2 * column + 5] = 200
    outlines = OutlineJudge(Counter(), Reader())
    values, words = outlines.judge(VIEW, held, boxes, leans, edge_px=EDGE_PX)
    assert values.argmax(axis=1).tolist() == [6, 6]
    assert list(words) == [0]
