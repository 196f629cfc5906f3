import numpy as np
import pytest
from vision_onnx import heat_model, value_model

import models
from vision.errors import ModelError, PictureError
from vision.readers import Namer, PipCounter


def crops(count):
    return np.zeros((count, 64, 64, 3), np.uint8)


def test_the_namer_sees_red_green_blue_and_answers_probabilities(model):
    weights = np.zeros((3, 9))
    weights[0, 5] = weights[1, 2] = weights[2, 0] = 9.0
    seen = crops(130)
    seen[:, :, :, 2] = 255  # BGR: red
    seen[129] = (255, 0, 0)
    answer = Namer(model(value_model(weights))).shows(seen)
    assert answer.shape == (130, 9)
    assert answer.sum(axis=1) == pytest.approx(1)
    assert answer.argmax(axis=1).tolist() == [5] * 129 + [0]


def test_the_counter_counts_the_marks_of_the_map(model):
    heat = np.full((1, 1, 32, 32), -20.0)
    for row, column in ((8, 8), (16, 16), (24, 24)):
        heat[0, 0, row, column] = 20.0
    answer = PipCounter(model(heat_model(heat))).probabilities(crops(2))
    assert answer.shape == (2, 7)
    assert answer[:, 2] == pytest.approx(1, abs=1e-3)


def test_marks_of_two_paints_are_no_value(model):
    heat = np.full((1, 1, 32, 32), -20.0)
    flecked = crops(2)
    for row, column, paint in ((8, 8, 40), (16, 16, 200), (24, 24, 40)):
        heat[0, 0, row, column] = 20.0
        flecked[1, 2 * row - 3 : 2 * row + 5, 2 * column - 3 : 2 * column + 5] = paint
    answer = PipCounter(model(heat_model(heat))).probabilities(flecked)
    assert answer[0, 2] == pytest.approx(1, abs=1e-3)
    assert answer[1, 6] == pytest.approx(1, abs=1e-3)


def test_no_crops_are_answered_too(model):
    assert Namer(model(value_model(np.zeros((3, 9))))).shows(crops(0)).shape == (0, 9)
    empty = PipCounter(model(heat_model(np.zeros((1, 1, 4, 4))))).probabilities(crops(0))
    assert empty.shape == (0, 7)


@pytest.mark.parametrize(
    "wrong", [np.zeros((2, 32, 32, 3), np.uint8), np.zeros((2, 64, 64, 3), np.float32)]
)
def test_crops_of_another_form_are_refused(model, wrong):
    with pytest.raises(PictureError, match="Crops must be"):
        Namer(model(value_model(np.zeros((3, 9))))).shows(wrong)


def test_a_namer_with_other_columns_is_refused(model):
    with pytest.raises(ModelError, match="another model"):
        Namer(model(value_model(np.zeros((3, 7))))).shows(crops(2))


def test_a_network_with_another_output_is_refused(model):
    with pytest.raises(ModelError, match="'heat' is expected"):
        PipCounter(model(value_model(np.zeros((3, 9)))))


def test_a_map_that_is_not_square_is_refused(model):
    with pytest.raises(ModelError, match="another model"):
        PipCounter(model(heat_model(np.zeros((1, 1, 4, 5))))).probabilities(crops(1))


def test_our_own_readers_answer():
    assert Namer(models.weights("namer")).shows(crops(3)).shape == (3, 9)
    assert PipCounter(models.weights("pips")).probabilities(crops(3)).shape == (3, 7)


def test_our_own_namer_tells_parts_of_dice():
    namer = Namer(models.weights("namer"))
    assert namer.knows_parts
    assert namer.parts(crops(70)).shape == (70,)
    assert namer.parts(crops(0)).shape == (0,)


def test_a_namer_that_knows_no_parts_is_told_apart(model):
    namer = Namer(model(value_model(np.zeros((3, 9)))))
    assert not namer.knows_parts
    with pytest.raises(ModelError, match="has no 'part', only logits"):
        namer.parts(crops(1))
