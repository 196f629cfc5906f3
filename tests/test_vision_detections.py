from dataclasses import replace

import numpy as np
import pytest

from vision.detections import CLASS_NAMES, CUP, Detections, iou, suppress


def test_the_classes_are_the_ones_of_training():
    assert CLASS_NAMES == ("1", "2", "3", "4", "5", "6", "tower", "burning", "cup")


def test_shapes_that_do_not_fit_are_told():
    with pytest.raises(ValueError, match=r"xyxy must have the shape \(N, 4\), but got \(3,\)"):
        Detections(np.zeros(3, np.float32), np.zeros(3, np.float32), np.zeros(3, np.int64))
    with pytest.raises(ValueError, match=r"score must have the shape \(2,\)"):
        Detections(np.zeros((2, 4), np.float32), np.zeros(1, np.float32), np.zeros(2, np.int64))
    with pytest.raises(ValueError, match=r"class_id must be 0\.\.8"):
        Detections.of([[0, 0, 1, 1]], [0.5], [9])
    one = Detections.of([[0, 0, 1, 1]], [0.5], [1])
    with pytest.raises(ValueError, match=r"if_flat must have the shape \(1, 6\)"):
        replace(one, if_flat=np.zeros(6, np.float32))


def test_what_is_said_of_the_values_goes_along():
    told = np.eye(6, dtype=np.float32)[[2, 5]]
    found = replace(Detections.of([[0, 0, 4, 9], [9, 9, 20, 20]], [0.5, 0.9], [2, 7]), if_flat=told)
    assert found.select(np.array([1])).if_flat.tolist() == told[1:].tolist()
    assert found.with_boxes(found.xyxy + 1).if_flat is told
    assert Detections.merged([found, found]).if_flat.shape == (4, 6)
    assert Detections.merged([found, Detections.empty()]).if_flat is None


def test_empty_select_and_merge():
    assert len(Detections.empty()) == 0
    assert Detections.empty().sides.shape == (0,)
    found = Detections.of([[0, 0, 4, 9], [10, 10, 20, 20]], [0.5, 0.9], [0, CUP])
    assert found.sides.tolist() == [6, 10]
    assert found.centres.tolist() == [[2, 4.5], [15, 15]]
    assert found.select(found.score > 0.6).class_id.tolist() == [CUP]
    assert len(Detections.merged([found, Detections.empty(), found])) == 4
    assert len(Detections.merged([])) == 0


def test_a_top_face_inside_its_die_goes():
    found = Detections.of([[0, 0, 40, 40], [2, 2, 26, 26]], [0.9, 0.8], [4, 4])
    assert len(suppress(found)) == 1


def test_a_die_inside_a_cups_box_stays():
    found = Detections.of([[0, 0, 100, 100], [2, 2, 26, 26]], [0.9, 0.8], [CUP, 4])
    assert len(suppress(found)) == 2


def test_neighbours_stay():
    found = Detections.of([[0, 0, 40, 40], [30, 0, 70, 40]], [0.9, 0.8], [4, 4])
    assert len(suppress(found)) == 2


def test_intersection_over_union():
    box = np.array([0, 0, 10, 10], np.float32)
    assert iou(box, box) == pytest.approx(1)
    assert iou(box, box + np.float32(5)) == pytest.approx(25 / 175)
    assert iou(box, box + np.float32(50)) == 0
