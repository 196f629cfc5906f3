"""Cut-outs on a shelf, and trainings that take in what comes on it while they run."""

import json
import shutil
from argparse import Namespace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import torch

from models.lab import train_readers, training
from models.lab.reader_tasks import TASKS, Shown
from models.lab.shelf import laid, main, pieces, taken
from models.lab.train_readers import Stock
from models.lab.value_crops import NOTHING, Crops, cut, pictures_of


@pytest.fixture
def small_set(tmp_path: Path) -> Path:
    """Three pictures of one die each, and a fourth that is being written."""
    folder = tmp_path / "set"
    for kind in ("images", "labels", "faces"):
        (folder / kind / "train").mkdir(parents=True)
    for number in range(3):
        stem = f"001_{number:06d}"
        image = np.full((120, 120, 3), 60 + 40 * number, np.uint8)
        cv2.imwrite(str(folder / f"images/train/{stem}.jpg"), image)
        (folder / f"labels/train/{stem}.txt").write_text(f"{number} 0.3 0.3 0.2 0.2\n")
        box = [24.0, 24.0, 48.0, 48.0]
        told = [{"box": box, "pips": [[36.0, 36.0]]}]
        (folder / f"faces/train/{stem}.json").write_text(json.dumps(told))
    (folder / "images/train/001_000003.part.jpg").write_bytes(b"half")
    (folder / "labels/train/001_000003.txt").write_text("0 0.3 0.3 0.2 0.2\n")
    return folder


def values(crops: Crops) -> list[int]:
    return sorted(crops.classes[crops.classes != NOTHING].tolist())


def test_cut_outs_come_back_from_a_file_as_they_were(small_set: Path, tmp_path: Path) -> None:
    crops = cut(small_set, "train", stems=pictures_of(small_set, "train"))
    crops.save(tmp_path / "kept.npz")
    back = Crops.load(tmp_path / "kept.npz")
    for name in ("pictures", "classes", "pips", "counted", "toward"):
        np.testing.assert_array_equal(getattr(back, name), getattr(crops, name))
    assert values(back) == [0, 1, 2]
    assert [file.name for file in tmp_path.glob("*.npz")] == ["kept.npz"]


def test_no_cut_outs_are_cut_outs_too(small_set: Path) -> None:
    some = cut(small_set, "train")
    assert len(Crops.none()) == 0
    assert len(Crops.together([Crops.none(), some])) == len(some)


def test_a_piece_holds_what_is_new_and_written_to_its_end(small_set: Path, tmp_path: Path) -> None:
    shelf, every = tmp_path / "shelf", ["001_000000", "001_000001", "001_000002"]
    assert list(pieces(small_set, shelf, "train", crumbs=True)) == [every]
    assert list(pieces(small_set, shelf, "train", crumbs=False)) == [], "no full piece yet"
    laid(small_set, shelf, "train", every[1:2], None)
    assert list(pieces(small_set, shelf, "train", crumbs=True)) == [[every[0], every[2]]]
    assert list(pieces(small_set, shelf, "val", crumbs=True)) == []


def test_a_set_of_the_same_seed_is_another_set(small_set: Path, tmp_path: Path) -> None:
    shelf, other = tmp_path / "shelf", tmp_path / "other"
    shutil.copytree(small_set, other)
    laid(small_set, shelf, "train", pictures_of(small_set, "train"), None)
    assert list(pieces(small_set, shelf, "train", crumbs=True)) == []
    assert list(pieces(other, shelf, "train", crumbs=True)) == [pictures_of(other, "train")]


def test_the_command_lays_each_picture_once_however_often_it_runs(
    small_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = tmp_path / "shelf"
    monkeypatch.setattr("sys.argv", ["x", str(small_set), "--out", str(shelf)])
    main()
    main()
    (crops,) = taken(shelf, "train", set())
    assert values(crops) == [0, 1, 2]


def test_a_training_takes_in_what_has_come_on_the_shelf(small_set: Path, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    args = Namespace(data=[], shelf=shelf, device="cpu")
    stock = Stock(TASKS["namer"], args, "train")
    assert len(stock.crops) == 0
    first, *others = pictures_of(small_set, "train")
    count = laid(small_set, shelf, "train", [first], None)
    stock.refill()
    assert len(stock.crops) == count
    count += laid(small_set, shelf, "train", others, None)
    stock.refill()
    stock.refill()
    assert len(stock.crops) == count, "each once"
    assert {0, 1, 2} <= set(stock.crops.classes.tolist())
    assert taken(shelf, "val", set()) == []


def test_fewer_cut_outs_than_a_batch_are_told_where_nobody_brings_more(small_set: Path) -> None:
    args = Namespace(data=[small_set], shelf=None, device="cpu")
    stock = Stock(TASKS["namer"], args, "train")
    stock.wait_for(3)
    with pytest.raises(SystemExit, match="fewer than one batch of 128; name more sets"):
        stock.wait_for(128)


@pytest.mark.filterwarnings("ignore")  # torch's exporter announces its own successor
def test_a_training_takes_as_many_passes_as_it_is_told(
    small_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    command = ["x", "namer", str(small_set), "--out", str(tmp_path / "run"), "--batch", "2"]
    monkeypatch.setattr("sys.argv", [*command, "--epochs", "12", "--threads", "1"])
    train_readers.main()
    told = [line.split(" ")[0] for line in capsys.readouterr().out.splitlines() if "done" in line]
    assert told == [f"{number / 12:.0%}" for number in range(1, 13)]
    facts = json.loads((tmp_path / "run/metrics.json").read_text())
    assert facts["passes"] == 12 * (facts["crops"] // 2) * 2


def test_what_is_shown_stays_together(small_set: Path) -> None:
    shown = Shown.of(cut(small_set, "train"), "cpu")
    twice = Shown.together([shown, shown])
    assert len(twice) == 2 * len(shown)
    some = twice.only(torch.tensor([0, len(shown)]))
    assert torch.equal(some.pictures[0], some.pictures[1])
    assert torch.equal(some.classes[0], some.classes[1])


def test_the_rate_rises_for_a_tenth_of_a_run_and_falls_however_many_batches_it_takes(
    tmp_path: Path,
) -> None:
    def rates(batches: int) -> list[float]:
        model = torch.nn.Linear(2, 1)
        run, told = training.Run(model, tmp_path / "last.pt", rate=0.1), []
        for number in range(batches):
            told.append(run.optimizer.param_groups[0]["lr"])
            run.step(model(torch.ones(4, 2)).mean(), done=(number + 1) / batches, pictures=4)
        return [*told, run.optimizer.param_groups[0]["lr"]]

    few, many = rates(20), rates(200)
    assert few == pytest.approx(many[::10])
    assert few[:3] == pytest.approx([0.004, 0.052, 0.1], rel=0.005)
    assert few[2:] == sorted(few[2:], reverse=True)
    assert few[-1] == pytest.approx(0, abs=1e-6)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    def loss(model: torch.nn.Module) -> torch.Tensor:
        return model(torch.ones(4, 2)).square().mean()

    torch.manual_seed(1)
    model = torch.nn.Linear(2, 1)
    run = training.Run(model, tmp_path / "last.pt", rate=0.1)
    run.step(loss(model), done=0.5, pictures=4)
    run.save()
    other = torch.nn.Linear(2, 1)
    again = training.Run(other, tmp_path / "last.pt", rate=0.1)
    assert (again.done, again.passes) == (0.5, 4)
    torch.testing.assert_close(other.weight, model.weight)
    run.step(loss(model), done=0.6, pictures=4)
    again.step(loss(other), done=0.6, pictures=4)
    torch.testing.assert_close(other.weight, model.weight)
