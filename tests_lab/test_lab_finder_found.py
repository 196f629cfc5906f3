"""What counts as found in a held-out render."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.lab.finder_found import found_of, things_of
from vision.detector import Finds


def finds(*rows: tuple[float, float, float, float, int]) -> Finds:
    table = np.array(rows, np.float32).reshape(-1, 5)
    return Finds(table[:, :4], np.ones(len(table), np.float32), table[:, 4].astype(np.int64))


def test_a_label_becomes_a_box_in_pixels(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("3 0.5 0.25 0.2 0.1\n")
    ((kind, box),) = things_of(tmp_path / "a.txt", 200, 100)
    assert kind == 3
    assert box.tolist() == pytest.approx([80, 20, 120, 30])


def test_a_finding_counts_once_and_for_its_class_only() -> None:
    box = np.array([10, 10, 30, 30], np.float32)
    die, tower = (0, box), (1, box)
    assert found_of([die], finds((11, 10, 31, 30, 0))) == [True]
    assert found_of([die], finds((40, 10, 60, 30, 0))) == [False]
    assert found_of([die, die], finds((11, 10, 31, 30, 0))) == [True, False]
    assert found_of([tower], finds((11, 10, 31, 30, 0))) == [False]
    assert found_of([tower], finds((11, 10, 31, 30, 0)), any_class=True) == [True]
