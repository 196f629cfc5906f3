"""Two answers more, for parts of dice: taught on a thimble of data, added, and read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from test_lab_smoke import lab

import models
from models.lab import pasted, train_part, train_shown
from vision.detector import Detector
from vision.readers import Namer

LOOK = np.full((96, 160, 3), 90, np.uint8)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("glimpse")
    bank = folder / "bank.npz"
    lab("models.lab.physics", "--bank", bank, "--count", 50, "--seed", 3, cwd=folder)
    size = ("--count", 62, "--size", 160, "--processes", 2, "--die-px", 18, 30)
    lab("models.lab.dataset", folder / "set", "--bank", bank, "--crowded", 0.9, *size, cwd=folder)
    shutil.copytree(models.FOLDER / "weights", folder / "models" / "weights")
    shutil.copy(models.FOLDER / "manifest.json", folder / "models")
    return folder


def test_a_set_tells_where_each_picture_shows_dice(work: Path) -> None:
    every = train_shown.pictures_of([work / "set"])
    assert len(every) == 60
    assert len(train_shown.pictures_of([work / "set"], "val")) == 2
    labels = train_shown.labels_of([work / "set"])
    within = []
    for (image, shown), label in zip(every, labels, strict=True):
        assert shown.shape == image.shape[:2]
        boxes, classes = train_part.boxes_of(label, image.shape[0])
        for x1, y1, x2, y2 in boxes[classes < 6].round().astype(int):
            within.append(shown[max(0, y1) : y2, max(0, x1) : x2].mean() / 255)
    assert len(within) > 30
    assert np.median(within) > 0.5, "a die fills most of its box"


def test_a_set_older_than_that_is_told(work: Path, tmp_path: Path) -> None:
    shutil.copytree(work / "set" / "images", tmp_path / "old" / "images")
    with pytest.raises(ValueError, match="old: no picture with its dice in shown/train"):
        train_shown.pictures_of([tmp_path / "old"])


def test_what_is_laid_over_dice_hides_them_and_shows_no_others() -> None:
    rng = np.random.default_rng(2)
    image = np.full((200, 200, 3), 60, np.uint8)
    shown = np.zeros((200, 200), np.uint8)
    shown[80:120, 80:120] = 255
    left = []
    for _ in range(60):
        laid, after = pasted.covered(rng, image, shown, [image])
        assert laid.dtype == after.dtype == np.uint8
        assert (after <= shown).all()
        left.append(after.sum() / shown.sum())
    assert (image == 60).all(), "the picture itself is left alone"
    assert min(left) < 0.3
    assert 0.1 < np.mean(np.array(left) == 1) < 0.6


def test_both_heads_are_taught_and_added_and_change_no_other_answer(work: Path) -> None:
    own = work / "models"
    before = Detector(models.weights("finder")).find(LOOK, size_px=160, min_score=0.0)
    lab("models.lab.train_shown", work / "set", "--out", work / "shown", "--minutes", 0.2, cwd=work)
    told = json.loads((work / "shown" / "metrics.json").read_text())
    assert told["passes"] > 0
    assert 0 <= told["else_shown"] < told["dice_shown"] <= 1
    for _ in range(2):  # a second time in place of the first
        lab(
            "models.lab.export", "--shown", work / "shown", "--version", "9", "--models", own,
            cwd=work,
        )  # fmt: skip
    finder = Detector(own / "weights" / "finder.onnx")
    assert finder.sees_parts
    shown = finder.shown(LOOK[:90, :130])
    assert shown.shape == (23, 33)
    assert 0 <= shown.min() <= shown.max() <= 1
    after = finder.find(LOOK, size_px=160, min_score=0.0)
    assert np.array_equal(before.xyxy, after.xyxy)
    assert np.array_equal(before.score, after.score)

    lab(
        "models.lab.train_part", work / "set", "--out", work / "part", "--minutes", 0.05,
        "--models", own, "--keep", work / "part.npz", cwd=work,
    )  # fmt: skip
    lab("models.lab.export", "--part", work / "part", "--version", "9", "--models", own, cwd=work)
    old, new = Namer(models.weights("namer")), Namer(own / "weights" / "namer.onnx")
    assert new.knows_parts
    crops = np.random.default_rng(1).integers(0, 255, (5, 64, 64, 3), np.uint8)
    assert np.array_equal(old.shows(crops), new.shows(crops))
    kept = np.load(work / "part.npz")
    assert new.parts(crops).shape == (5,)
    assert len(kept["features"]) == len(kept["parts"]) > 10
    manifest = json.loads((own / "manifest.json").read_text())["networks"]
    assert manifest["finder"]["metrics"]["shown"] == told
    assert manifest["namer"]["metrics"]["part"]["places"] == len(kept["parts"])


def test_a_head_added_twice_is_there_once(work: Path) -> None:
    names = [
        one.name for one in onnx.load(work / "models" / "weights" / "finder.onnx").graph.output
    ]
    assert names == ["output0", "shown"]


def test_shares_are_of_what_was_told_to_show() -> None:
    truth, told = np.zeros((20, 20), np.float32), np.zeros((20, 20), np.float32)
    told[4:8, 4:8] = 0.8
    truth[4:8, 4:6] = 1
    square = np.array([[12, 12, 36, 36]], np.float32)
    assert train_part.shares_of(square, truth, told).tolist() == [0.5]


def test_a_die_that_shows_less_than_it_did_is_not_read_any_more() -> None:
    before = np.zeros((64, 64), np.uint8)
    cv2.rectangle(before, (8, 8), (27, 27), 255, cv2.FILLED)
    cv2.rectangle(before, (40, 40), (59, 59), 255, cv2.FILLED)
    after = before.copy()
    after[8:28, 8:16] = 0
    boxes = np.array([[8, 8, 28, 28], [40, 40, 60, 60]], np.float32)
    assert train_part.still_read(boxes, before, after).tolist() == [False, True]
