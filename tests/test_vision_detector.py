import hashlib

import numpy as np
import pytest
from vision_onnx import detector_model, value_model

import models
from vision.detections import CUP
from vision.detector import Detector, ModelError, ValueReader
from vision.errors import PictureError


@pytest.fixture
def model(tmp_path):
    def write(content: bytes):
        path = tmp_path / "model.onnx"
        path.write_bytes(content)
        return path

    return write


def test_boxes_come_back_in_pixels_of_the_picture_given(model):
    detector = Detector(model(detector_model([[320, 160, 360, 200, 0.9, 5]])))
    found = detector.detect(np.zeros((640, 1280, 3), np.uint8), size_px=640)
    assert found.xyxy.tolist() == [[640, 320, 720, 400]]
    assert found.class_id.tolist() == [5]


def test_weak_findings_and_doubles_at_one_place_go_whatever_their_class(model):
    rows = [
        [10, 10, 50, 50, 0.9, 5],
        [11, 11, 51, 51, 0.8, 4],
        [200, 10, 240, 50, 0.2, 1],
        [100, 100, 180, 180, 0.7, CUP],
    ]
    found = Detector(model(detector_model(rows))).detect(np.zeros((640, 640, 3), np.uint8))
    assert found.class_id.tolist() == [5, CUP]


def test_boxes_are_cut_at_the_picture_and_those_in_the_padding_go(model):
    rows = [[-20, -20, 40, 40, 0.9, 0], [10, 500, 50, 540, 0.9, 1]]
    found = Detector(model(detector_model(rows))).detect(np.zeros((320, 640, 3), np.uint8))
    assert found.xyxy.tolist() == [[0, 0, 40, 40]]


@pytest.mark.parametrize(
    "shape", [(1, 1, 3), (3000, 20, 3), (20, 3000, 3), (333, 517), (40, 50, 4)]
)
def test_pictures_of_any_size_and_kind_are_looked_at(model, shape):
    detector = Detector(model(detector_model([[0, 0, 10, 10, 0.9, 0]])))
    assert len(detector.detect(np.zeros(shape, np.uint8), size_px=320)) == 1


@pytest.mark.parametrize("shape", [(1, 1, 3), (20, 640, 3), (640, 20, 3), (90, 90, 3)])
def test_our_own_network_looks_at_tiny_and_thin_pictures(shape):
    detector = Detector(models.weights("detector"))
    for size_px in (32, max(shape)):
        if size_px >= 32:
            detector.detect(np.full(shape, 90, np.uint8), size_px=size_px)


@pytest.mark.parametrize("size_px", [0, 31, 4000])
def test_a_size_out_of_range_is_refused(model, size_px):
    detector = Detector(model(detector_model([])))
    with pytest.raises(ValueError, match="size_px must be"):
        detector.detect(np.zeros((9, 9, 3), np.uint8), size_px=size_px)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"nowhere\.onnx cannot be read"):
        Detector(tmp_path / "nowhere.onnx")


@pytest.mark.parametrize("content", [b"", b"no model at all", detector_model([])[:40]])
def test_a_damaged_file_is_no_model(model, content):
    with pytest.raises(ModelError):
        Detector(model(content))


def test_a_changed_file_shows_by_its_digest(model):
    content = detector_model([])
    digest = hashlib.sha256(content).hexdigest()
    Detector(model(content), sha256=digest.upper())
    with pytest.raises(ModelError, match="sha256"):
        Detector(model(content + b" "), sha256=digest)


def test_a_model_with_another_input_is_refused(model):
    with pytest.raises(ModelError, match="another model"):
        Detector(model(detector_model([], channels=1)))


def test_a_model_with_another_answer_is_refused(model):
    detector = Detector(model(detector_model([[1, 2, 3, 4, 0.5]])))
    with pytest.raises(ModelError, match="nms=False"):
        detector.detect(np.zeros((64, 64, 3), np.uint8))


def test_a_model_with_other_classes_is_refused(model):
    detector = Detector(model(detector_model([[1, 2, 3, 4, 0.5, 79]])))
    with pytest.raises(ModelError, match="trained for something else"):
        detector.detect(np.zeros((64, 64, 3), np.uint8))


def test_the_value_reader_sees_red_green_blue_and_answers_probabilities(model):
    weights = np.zeros((3, 7))
    weights[0, 5] = weights[1, 2] = weights[2, 0] = 9.0
    reader = ValueReader(model(value_model(weights)))
    crops = np.zeros((130, 64, 64, 3), np.uint8)
    crops[:, :, :, 2] = 255  # BGR: red
    crops[129] = (255, 0, 0)
    answer = reader.probabilities(crops)
    assert answer.shape == (130, 7)
    assert answer.sum(axis=1) == pytest.approx(1)
    assert answer.argmax(axis=1).tolist() == [5] * 129 + [0]


def test_the_value_reader_takes_no_crops_too(model):
    reader = ValueReader(model(value_model(np.zeros((3, 7)))))
    assert reader.probabilities(np.zeros((0, 64, 64, 3), np.uint8)).shape == (0, 7)


@pytest.mark.parametrize(
    "crops", [np.zeros((2, 32, 32, 3), np.uint8), np.zeros((2, 64, 64, 3), np.float32)]
)
def test_crops_of_another_form_are_refused(model, crops):
    reader = ValueReader(model(value_model(np.zeros((3, 7)))))
    with pytest.raises(PictureError, match="Crops must be"):
        reader.probabilities(crops)


def test_a_value_model_with_other_columns_is_refused(model):
    reader = ValueReader(model(value_model(np.zeros((3, 10)))))
    with pytest.raises(ModelError, match="another model"):
        reader.probabilities(np.zeros((2, 64, 64, 3), np.uint8))
