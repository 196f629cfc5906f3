"""The benchmark of thrown dice: dealt out evenly, truthful, and it goes on where it stopped."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from models.lab import bench_throws, stance_crops, stance_set, train_stance
from models.lab.bank import Bank
from models.lab.camera_faults import Film, develop, random_character
from models.lab.export import entry
from models.lab.light_kinds import LIGHT_KINDS
from models.lab.networks import Stance
from models.lab.physics import make_bank
from models.lab.reader_tasks import TASKS, export
from models.lab.spot_truth import Truth
from models.lab.stance_set import NOT_CLEAR, numbers, spots, tiles
from models.lab.textures import SURFACES
from models.lab.things import Box, Capsule, Disc, Finish, gap_mm
from models.lab.throw_scenes import PX_PER_MM, compose_throw, dealt
from models.lab.throw_watch import Stage, calibration, watched
from models.lab.value_crops import cut
from models.lab.workers import WorkerError, finished
from vision.calibration import rectify
from vision.detections import BURNING, TOWER, Detections
from vision.framing import SIZES
from vision.watcher import WatcherSettings

PLAIN = Finish(rgb=(0.5, 0.5, 0.5))
SEED = 5


@pytest.fixture(scope="module")
def bank_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bank") / "bank.npz"
    make_bank(file, count=100, seed=4)
    return file


@pytest.fixture(scope="module")
def bank(bank_file: Path) -> Bank:
    return make_bank(bank_file, count=100, seed=4)


class Knowing:
    """Finds what lies there, because it is told; sees nothing while nothing lies there."""

    def __init__(self, stage: Stage) -> None:
        throw, scene = stage.throw, stage.throw.composed.scene
        boxes, classes = [], []
        for die, item in zip(scene.dice, throw.composed.placed, strict=True):
            x, y = throw.to_view(*die.position_mm[:2])
            half = 0.6 * throw.composed.die_px
            number = {"tower": TOWER, "burning": BURNING}.get(item.state, item.value - 1)
            if number == TOWER and TOWER in classes:
                continue
            boxes.append((x - half, y - half, x + half, y + half))
            classes.append(number)
        self._found = Detections.of(boxes, [0.95] * len(boxes), classes)
        rng = np.random.default_rng(0)
        self._bare, self._lying = stage.bare.frame(rng), stage.lying.frame(rng)
        self.classes = classes

    def detect(
        self, image_bgr: np.ndarray, *, size_px: int = 640, min_score: float = 0.25, view: int = 0
    ) -> Detections:
        assert size_px <= 12 * WatcherSettings().die_px * max(SIZES) + 2
        # A part of the mat is shown: where it fits best in the pictures known is where it is from.
        likeness = [
            cv2.minMaxLoc(cv2.matchTemplate(one, image_bgr, cv2.TM_SQDIFF))
            for one in (self._bare, self._lying)
        ]
        if likeness[0][0] <= likeness[1][0]:
            return Detections.empty()
        left, top = likeness[1][2]
        corner = np.array([left, top, left, top], np.float32)
        return self._found.with_boxes(self._found.xyxy - corner)


def test_every_hundred_throws_hold_every_pair_of_surface_and_light() -> None:
    pairs = Counter(dealt(i)[:2] for i in range(300, 400))
    assert set(pairs.values()) == {1}
    assert len(pairs) == len(SURFACES) * len(LIGHT_KINDS) == 100
    for start in (0, 10, 250):
        ten = [dealt(i) for i in range(start, start + 10)]
        assert Counter(heap for *_, heap in ten)["plain"] == 7
        assert len({surface for surface, *_ in ten}) == len({light for _, light, _ in ten}) == 10
    for pair in pairs:
        heaps = [dealt(i)[2] for i in range(1000) if dealt(i)[:2] == pair]
        assert Counter(heaps) == {"plain": 7, "near": 1, "tower": 1, "cocked": 1}


@pytest.mark.parametrize(
    ("thing", "gap"),
    [
        (Disc(position_mm=(0, 0, 1), radius_mm=10, half_height_mm=1, finish=PLAIN), 20),
        (Box(position_mm=(0, 0, 1), half_mm=(5, 9, 1), finish=PLAIN), 25),
        (Capsule(a_mm=(0, 10, 2), b_mm=(60, 10, 2), radius_mm=2, finish=PLAIN), 8),
    ],
)
def test_the_gap_to_a_thing_is_measured_from_its_edge(
    thing: Box | Disc | Capsule, gap: float
) -> None:
    assert gap_mm(thing, (30.0, 0.0)) == pytest.approx(gap)
    assert gap_mm(thing, (0.0, 10.0 if isinstance(thing, Capsule) else 0.0)) == 0


def test_a_throw_follows_from_its_number_and_the_mat_needs_no_warping(bank: Bank) -> None:
    throw = compose_throw(bank, SEED, 3)
    again = compose_throw(bank, SEED, 3)
    assert throw.values == again.values
    assert throw.composed.camera == again.composed.camera
    rng = np.random.default_rng(0)
    picture = rng.integers(0, 256, (throw.view_px[1], throw.view_px[0], 3)).astype(np.uint8)
    np.testing.assert_array_equal(rectify(picture, calibration(throw), margin_mm=12.0), picture)


def test_dice_lie_where_the_camera_shows_them(bank: Bank) -> None:
    throw = compose_throw(bank, SEED, 7)
    for die in throw.composed.scene.dice:
        foot = np.array([[*die.position_mm[:2], 0.0]])
        seen = throw.composed.camera.project(foot, throw.full_px)[0] - throw.corner_px
        assert seen == pytest.approx(throw.to_view(*die.position_mm[:2]), abs=0.6)


@pytest.mark.parametrize("heap", ["plain", "near", "tower", "cocked"])
def test_a_reader_that_knows_all_is_judged_to_know_all(bank: Bank, heap: str) -> None:
    index = next(i for i in range(10) if dealt(i)[2] == heap)
    stage = Stage(compose_throw(bank, SEED, index), SEED)
    eye = Knowing(stage)
    result = watched(stage, eye, Sure(eye.classes), seed=SEED)
    assert result.heap == heap
    assert result.right or result.named, result


class Sure:
    """A second witness that says of each die in turn what it shows."""

    def __init__(self, classes: list[int]) -> None:
        self._classes = classes

    def probabilities(self, crops_bgr: np.ndarray) -> np.ndarray:
        said = np.zeros((len(crops_bgr), 7), np.float32)
        for row in range(len(said)):
            said[row, min(6, self._classes[row // 4 % len(self._classes)])] = 1
        return said


def test_a_camera_keeps_its_faults_and_changes_its_grain() -> None:
    linear = np.random.default_rng(1).random((60, 80, 3)).astype(np.float32)
    rng = np.random.default_rng(2)
    character = random_character(rng)
    while character.grain < 1:
        character = random_character(rng)
    film = Film(character, linear, (80, 60))
    frames = [film.frame(rng).astype(float) for _ in range(40)]
    assert (frames[0] != frames[1]).any()
    half = [np.mean(frames[:20], axis=0), np.mean(frames[20:], axis=0)]
    assert np.abs(half[0] - half[1]).mean() < np.abs(frames[0] - frames[1]).mean() / 2
    assert develop(rng, linear, (40, 30)).shape == (30, 40, 3)


def write_models(folder: Path) -> None:
    """Readers that have learned nothing, with a finder that is a stub."""
    (folder / "weights").mkdir(parents=True)
    torch.manual_seed(0)
    networks = {}
    for name in ("namer", "pips"):
        file = folder / "weights" / f"{name}.onnx"
        export(TASKS[name], TASKS[name].network(), file)
        networks[name] = entry(name, file, {}, {})
    stance = folder / "weights" / "stance.onnx"
    train_stance.export(Stance(), stance)
    networks["stance"] = entry("stance", stance, {}, {})
    finder = folder / "weights" / "finder.onnx"
    torch.onnx.export(
        NothingFound(),
        (torch.zeros(1, 3, 64, 64),),
        str(finder),
        input_names=["images"],
        output_names=["output0"],
        dynamic_axes={"images": {2: "h", 3: "w"}},
        opset_version=17,
        dynamo=False,
    )
    networks["finder"] = entry("finder", finder, {}, {})
    facts = {"networks": networks, "version": "0.0.1", "licence": "AGPL-3.0-or-later"}
    (folder / "manifest.json").write_text(json.dumps(facts))


class NothingFound(torch.nn.Module):
    """A finder that gives the right form of answer and no finding."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return images.mean() * 0 + torch.zeros(1, 300, 6)


@pytest.mark.filterwarnings("ignore")  # torch's exporter announces its own successor
def test_the_benchmark_goes_on_where_it_stopped(
    bank_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_models(tmp_path / "models")
    out = tmp_path / "out"
    words = ["--bank", str(bank_file), "--models", str(tmp_path / "models"), "--seed", str(SEED)]
    words += ["--processes", "1", "--out", str(out)]
    assert bench_throws.main([*words, "--count", "1"]) == 0
    lines = (out / "throws.jsonl").read_text()
    (out / "throws.jsonl").write_text(lines + '{"index": 1, "surf')
    assert bench_throws.main([*words, "--count", "2", "--failures", "2"]) == 0
    done = bench_throws.read_results(out / "throws.jsonl")
    assert sorted(done) == [0, 1]
    assert (out / "throws.jsonl").read_text().startswith(lines)
    assert not any(result.sure for result in done.values())
    assert cv2.imread(str(out / "failures.jpg")).shape[1] == 960
    assert json.loads((out / "groups.jsonl").read_text().splitlines()[0])["throws"] == 2
    assert "| all | all | 2 |" in (out / "report.md").read_text()
    assert bench_throws.main([*words[:-1], str(out), "--seed", "6"]) == 1
    assert "another seed" in capsys.readouterr().err


def cannot_start(why: str) -> None:
    raise OSError(why)


def test_a_process_that_cannot_start_ends_the_work() -> None:
    results = finished(abs, [1, 2], processes=1, start=cannot_start, start_with=("no bank",))
    with pytest.raises(WorkerError, match="worker process died"):
        list(results)


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
