"""Single dice of throws, rendered alone: what a set of them holds, taken by one camera."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from models.lab import stance_crops, stance_set
from models.lab.bank import Bank
from models.lab.spot_truth import Truth
from models.lab.stance_set import NOT_CLEAR, numbers, spots, tiles
from models.lab.throw_scenes import PX_PER_MM, compose_throw, dealt
from models.lab.value_crops import cut

SEED = 5


def test_single_dice_of_throws_are_seen_as_their_table_sees_them(bank: Bank):
    index = next(numbers(NOT_CLEAR))
    assert dealt(index)[2] != "plain"
    throw = compose_throw(bank, SEED, index)
    seen = list(spots(throw, Truth.of(throw)))
    assert {row["kind"] for row, _ in seen} <= {"flat", "tower", "burning"}
    assert len(seen) >= 1
    pictures = tiles(throw, [part for _, part in seen], np.random.default_rng(SEED))
    for (row, part), picture in zip(seen, pictures, strict=True):
        box = np.array(row["box"]) - np.tile(part[:2], 2)
        middle = (box[:2] + box[2:]) / 2
        assert np.abs(middle - np.array(picture.shape[1::-1]) / 2).max() < 0.2 * max(picture.shape)
        assert box[2] - box[0] >= 0.9 * throw.die_mm * PX_PER_MM


def test_dice_of_one_throw_are_taken_by_one_camera(bank: Bank):
    throw = compose_throw(bank, SEED, 0)
    part = next(part for _, part in spots(throw, Truth.of(throw)))

    def tints(*parts: list[np.ndarray]) -> np.ndarray:
        """(pictures, 3): the mean colours of the part, each list of pictures by a camera."""
        cameras = [np.random.default_rng([SEED, number]) for number in range(len(parts))]
        taken = [tiles(throw, some, rng) for some, rng in zip(parts, cameras, strict=True)]
        return np.array([one.mean(axis=(0, 1)) for some in taken for one in some])

    one, again = tints([part, part])
    others = tints(*[[part]] * 6)
    assert np.abs(one - again).max() < 0.1 * np.ptp(others, axis=0).max()


def test_throws_that_lie_clear_and_the_others_are_all_throws() -> None:
    clear = list(islice(numbers(["plain"]), 70))
    other = list(islice(numbers(NOT_CLEAR), 30))
    assert sorted(clear + other) == list(range(100))
    assert {dealt(index)[2] for index in clear} == {"plain"}
    assert {dealt(index)[2] for index in islice(numbers(["cocked"]), 9)} == {"cocked"}


def test_the_set_of_single_dice_holds_what_training_reads_and_goes_on(
    bank_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    words = ["stance_set", str(tmp_path), "--count", "3", "--seed", "5", "--bank", str(bank_file)]
    monkeypatch.setattr("sys.argv", [*words, "--processes", "1"])
    stance_set.main()
    folder = tmp_path / "standing"
    told = sorted(folder.rglob("*.json"))
    done = sorted(folder.rglob("*.done"))
    crops = [stance_crops.stance_crops([tmp_path], split) for split in ("train", "val")]
    assert len(done) == 3
    assert sum(len(part.classes) for part in crops) <= len(told)
    assert sum(len(part.classes) for part in crops) >= 3
    kept = tmp_path / "kept"
    monkeypatch.setattr("sys.argv", ["stance_crops", str(tmp_path), "--out", str(kept)])
    stance_crops.main()
    for split, part in zip(("train", "val"), crops, strict=True):
        again = stance_crops.stance_crops([kept], split)
        assert (again.classes == part.classes).all()
        assert again.leans == pytest.approx(part.leans)
    monkeypatch.setattr("sys.argv", [*words, "--processes", "1"])
    read = [cut(tmp_path, split) for split in ("train", "val")]
    assert sum((part.classes < 6).sum() for part in read) >= 3
    assert sum(part.counted[part.classes < 6].sum() for part in read) >= 3
    done[0].unlink()
    before = {file: file.read_text() for file in told}
    labels = sorted((tmp_path / "labels").rglob("*.txt"))
    for file in labels:  # as of a set that was rendered before readers learned from it
        file.unlink()
        (file.parent / f"{file.stem.rpartition('_')[0]}.done").unlink(missing_ok=True)
    stance_set.main()
    assert {file: file.read_text() for file in sorted(folder.rglob("*.json"))} == before
    assert sorted((tmp_path / "labels").rglob("*.txt")) == labels
