import hashlib

import numpy as np
import pytest
from vision_onnx import detector_model

import models
from vision.detector import Detector, ModelError
from vision.runtime import Network


def test_boxes_come_back_in_pixels_of_the_picture_given(model):
    detector = Detector(model(detector_model([[320, 160, 360, 200, 0.9, 3]])))
    found = detector.find(np.zeros((640, 1280, 3), np.uint8), size_px=640)
    assert found.xyxy.tolist() == [[640, 320, 720, 400]]
    assert found.kind.tolist() == [3]


def test_looks_in_few_sizes_find_the_same_places(model, monkeypatch):
    detector = Detector(model(detector_model([[320, 160, 360, 200, 0.9, 3]])))
    seen = []
    run = Network.run
    monkeypatch.setattr(
        Network, "run", lambda self, pictures: seen.append(pictures.shape) or run(self, pictures)
    )
    few = detector.in_few_sizes()
    for width in (590, 600, 608):
        found = few.find(np.zeros((2 * 440, 2 * width, 3), np.uint8), size_px=width)
        assert found.xyxy.tolist() == [[640, 320, 720, 400]]
        detector.find(np.zeros((440, width, 3), np.uint8), size_px=width)
    assert seen[::2] == [(1, 480, 608, 3)] * 3
    assert seen[1::2] == [(1, 448, 608, 3)] * 3
    few.find(np.zeros((150, 900, 3), np.uint8), size_px=900)
    assert seen[-1] == (1, 160, 928, 3), "long and narrow: as large as it needs"


def test_an_upright_look_in_few_sizes_is_turned_and_what_it_finds_turned_back(model):
    """600 x 400 px at half their size; the finding is one of the picture that lies."""
    few = Detector(model(detector_model([[100, 40, 150, 60, 0.9, 0]]))).in_few_sizes()
    lying = few.find(np.zeros((400, 600, 3), np.uint8), size_px=300)
    assert lying.xyxy.tolist() == [[200, 80, 300, 120]]
    upright = few.find(np.zeros((600, 400, 3), np.uint8), size_px=300)
    assert upright.xyxy.tolist() == [[400 - 120, 200, 400 - 80, 300]]


def test_our_own_network_finds_the_same_upright_and_lying_and_on_canvases_of_its_own():
    """A die drawn on grey, far from the middle; single precision, for other processors' sake."""
    picture = np.full((240, 300, 3), 90, np.uint8)
    picture[40:64, 200:224] = 235
    for y, x in ((46, 206), (58, 218), (52, 212)):
        picture[y - 2 : y + 3, x - 2 : x + 3] = 20
    detector = Detector(models.weights("finder"))
    few = detector.in_few_sizes()
    places = []
    for eye, upright in ((detector, False), (few, False), (few, True)):
        shown = np.ascontiguousarray(picture.transpose(1, 0, 2)) if upright else picture
        best = eye.find(shown, size_px=300, min_score=0.05)
        assert best.score[0] > 0.2
        box = best.xyxy[0].tolist()
        places.append(box[1::-1] + box[3:1:-1] if upright else box)
    assert places[1] == pytest.approx(places[0], abs=1.5)
    assert places[2] == pytest.approx(places[0], abs=1.5)


def test_weak_findings_go_and_the_best_comes_first(model):
    # Scores that half floats hold exactly: some processors reckon in them.
    rows = [[10, 10, 50, 50, 0.5, 0], [200, 10, 240, 50, 0.2, 1], [100, 100, 180, 180, 0.75, 3]]
    found = Detector(model(detector_model(rows))).find(np.zeros((640, 640, 3), np.uint8))
    assert found.kind.tolist() == [3, 0]
    assert found.score.tolist() == [0.75, 0.5]


def test_boxes_are_cut_at_the_picture_and_those_in_the_padding_go(model):
    rows = [[-20, -20, 40, 40, 0.9, 0], [10, 500, 50, 540, 0.9, 1]]
    found = Detector(model(detector_model(rows))).find(np.zeros((320, 640, 3), np.uint8))
    assert found.xyxy.tolist() == [[0, 0, 40, 40]]


@pytest.mark.parametrize(
    "shape", [(1, 1, 3), (3000, 20, 3), (20, 3000, 3), (333, 517), (40, 50, 4)]
)
def test_pictures_of_any_size_and_kind_are_looked_at(model, shape):
    detector = Detector(model(detector_model([[0, 0, 10, 10, 0.9, 0]])))
    assert len(detector.find(np.zeros(shape, np.uint8), size_px=320).score) == 1


@pytest.mark.parametrize("shape", [(1, 1, 3), (20, 640, 3), (640, 20, 3), (90, 90, 3)])
def test_our_own_network_looks_at_tiny_and_thin_pictures(shape):
    detector = Detector(models.weights("finder"))
    for size_px in (32, max(shape)):
        if size_px >= 32:
            detector.find(np.full(shape, 90, np.uint8), size_px=size_px)


@pytest.mark.parametrize("size_px", [0, 31, 4000])
def test_a_size_out_of_range_is_refused(model, size_px):
    detector = Detector(model(detector_model([])))
    with pytest.raises(ValueError, match="size_px must be"):
        detector.find(np.zeros((9, 9, 3), np.uint8), size_px=size_px)


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
        detector.find(np.zeros((64, 64, 3), np.uint8))


def test_a_model_with_other_classes_is_refused(model):
    detector = Detector(model(detector_model([[1, 2, 3, 4, 0.5, 79]])))
    with pytest.raises(ModelError, match="trained for something else"):
        detector.find(np.zeros((64, 64, 3), np.uint8))


@pytest.mark.parametrize("shape", [(240, 320, 3), (90, 131, 3), (1, 1, 3)])
def test_our_own_network_says_where_a_die_shows(shape):
    shown = Detector(models.weights("finder")).shown(np.full(shape, 90, np.uint8))
    assert shown.shape == (-(-shape[0] // 4), -(-shape[1] // 4))
    assert 0 <= shown.min() <= shown.max() < 0.5, "nothing does here"


@pytest.mark.parametrize(("left_out", "stays"), [("shown", "output0"), ("output0", "shown")])
def test_what_nobody_wants_of_a_network_is_not_answered(left_out, stays):
    network = Network(models.weights("finder"), without=(left_out,))
    assert set(network.all_outputs) == {"output0", "shown"}
    assert network.output_names == (stays,)
    assert len(network.run(np.zeros((1, 128, 128, 3), np.uint8))) == 1


def test_a_network_that_does_not_say_where_a_die_shows_is_told_apart(model):
    detector = Detector(model(detector_model([])))
    assert not detector.sees_parts
    with pytest.raises(ModelError, match=r"has no 'shown', only .*models\.lab\.export --shown"):
        detector.shown(np.zeros((32, 32, 3), np.uint8))


def test_what_shows_must_be_told_of_the_whole_look(model):
    """A network that answers for another size than it was shown would mark the wrong places."""
    detector = Detector(model(detector_model([], shown=np.zeros((1, 1, 32, 40)))))
    assert detector.shown(np.zeros((128, 160, 3), np.uint8)).shape == (32, 40)
    with pytest.raises(ModelError, match=r"'shown' is \(1, 1, 32, 40\) for a look of \(160, 160\)"):
        detector.shown(np.zeros((160, 160, 3), np.uint8))
