"""The laboratory end to end on a thimble of data: settle, render, train, export, read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import manifest, weights
from models.lab.bank import load_bank
from models.lab.dataset import scene_of
from vision.detections import CLASS_NAMES
from vision.detector import Detector
from vision.readers import Namer, PipCounter
from vision.stance import STANCE_PX, StanceReader

PICTURES = 24
REPOSITORY = Path(__file__).resolve().parents[1]


def lab(*words: object, cwd: Path) -> str:
    """Run a laboratory command as a person would; its output."""
    done = subprocess.run(
        [sys.executable, "-m", *map(str, words)],
        check=False,
        cwd=cwd,
        text=True,
        capture_output=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    lab("models.lab.physics", "--bank", folder / "bank.npz", "--count", 50, "--seed", 3, cwd=folder)
    lab(
        "models.lab.dataset",
        folder / "set",
        "--count",
        PICTURES,
        "--size",
        160,
        "--processes",
        2,
        "--bank",
        folder / "bank.npz",
        cwd=folder,
    )
    return folder


def test_dataset_writes_labelled_pictures_and_goes_on_where_it_stopped(work: Path) -> None:
    pictures = sorted((work / "set" / "images").rglob("*.jpg"))
    assert len(pictures) == PICTURES
    labels = [
        line.split()
        for f in (work / "set" / "labels").rglob("*.txt")
        for line in f.read_text().splitlines()
    ]
    assert len(labels) > PICTURES / 2
    assert all(0 <= int(row[0]) < len(CLASS_NAMES) for row in labels)
    assert all(0 <= float(v) <= 1 for row in labels for v in row[1:])
    before = pictures[5].read_bytes()
    pictures[5].unlink()
    lab(
        "models.lab.dataset",
        work / "set",
        "--count",
        PICTURES,
        "--size",
        160,
        "--processes",
        1,
        "--bank",
        work / "bank.npz",
        cwd=work,
    )
    assert pictures[5].read_bytes() == before


def test_a_named_light_changes_lamps_and_room_and_nothing_else(work: Path) -> None:
    bank = load_bank(work / "bank.npz")
    for index in range(6):
        plain = scene_of(bank, 5, index, 160)[1].scene
        lit = scene_of(bank, 5, index, 160, lit=1.0)[1].scene
        assert [str(lamp) for lamp in lit.lights] != [str(lamp) for lamp in plain.lights]
        assert (str(lit.dice), str(lit.cups)) == (str(plain.dice), str(plain.cups))


def test_trained_networks_export_and_read(work: Path) -> None:
    lab("models.lab.finder_set", work / "find", work / "set", cwd=work)
    lab(
        "models.lab.train",
        work / "find" / "set",
        "--name",
        "smoke",
        "--epochs",
        1,
        "--size",
        160,
        "--batch",
        4,
        "--runs",
        work / "runs",
        cwd=work,
    )
    for name, (task, *held) in {
        "namer": ("namer",),
        "pips": ("pips",),
        "upright": ("pips", "--upright"),
    }.items():
        lab(
            "models.lab.train_readers",
            task,
            *held,
            work / "set",
            "--out",
            work / "runs" / name,
            "--epochs",
            1,
            "--batch",
            8,
            cwd=work,
        )
    lab(
        "models.lab.train_stance",
        work / "set",
        "--out",
        work / "runs" / "stance",
        "--passes",
        16,
        "--batch",
        8,
        cwd=work,
    )
    lab("models.lab.mined", work / "set", cwd=work)
    lab(
        "models.lab.export",
        "--finder",
        work / "runs" / "smoke" / "weights" / "last.pt",
        "--namer",
        work / "runs" / "namer",
        "--pips",
        work / "runs" / "upright",
        "--stance",
        work / "runs" / "stance",
        "--version",
        "0.0.1",
        "--models",
        work / "models",
        cwd=work,
    )
    made = set(manifest(work / "models").networks)
    assert made == {"finder", "namer", "pips", "stance"}
    image = cv2.imread(str(next((work / "set" / "images" / "train").glob("*.jpg"))))
    assert image is not None
    found = Detector(weights("finder", work / "models")).find(image, size_px=160, min_score=0.0)
    assert found.xyxy.shape[1] == 4
    assert len(found.score) > 0
    crops = np.stack([cv2.resize(image, (64, 64))] * 3)
    assert Namer(weights("namer", work / "models")).shows(crops).shape == (3, 9)
    shares = PipCounter(weights("pips", work / "models")).probabilities(crops)
    assert shares.shape == (3, 7)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-4)
    larger = np.stack([cv2.resize(image, (STANCE_PX, STANCE_PX))] * 3)
    reader = StanceReader(weights("stance", work / "models"))
    stands = reader.stances(larger, np.zeros((3, 2)), np.array([0, 0, 1]))
    np.testing.assert_allclose(stands.sum(axis=1), 1, atol=1e-4)
    assert len(list((work / "set" / "mined").rglob("*.json"))) == PICTURES
