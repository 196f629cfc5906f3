"""The benchmark of thrown dice: dealt out evenly, truthful, and it goes on where it stopped."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from device.throw_score import ThrowResult
from models.lab import bench_throws, train_stance
from models.lab.bank import Bank
from models.lab.camera_faults import Film, develop, random_character
from models.lab.export import entry
from models.lab.light_kinds import LIGHT_KINDS
from models.lab.networks import Stance
from models.lab.reader_tasks import TASKS, export
from models.lab.textures import SURFACES
from models.lab.things import Box, Capsule, Disc, Finish, gap_mm
from models.lab.throw_runs import read_lines
from models.lab.throw_scenes import compose_throw, dealt
from models.lab.throw_watch import Stage, calibration, watched
from models.lab.workers import WorkerError, finished
from vision.detections import BURNING, TOWER, Detections
from vision.framing import SIZES
from vision.mat_view import rectify
from vision.watcher import WatcherSettings

PLAIN = Finish(rgb=(0.5, 0.5, 0.5))
SEED = 5


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
    assert not result.early, result


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
    done = read_lines(out / "throws.jsonl", ThrowResult.from_json)
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
