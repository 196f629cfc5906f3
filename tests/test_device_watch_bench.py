"""Clips played to the appliance: questions are answered as the truth has it, games compared.

The camera's part is a script here, everything after it is the real appliance.
"""

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from device_table import stand_in

from device import bootstrap
from device.appliance import Appliance
from device.settings import Settings
from device.simulate_game import play_script, write_game
from device.watch_bench import QUIET_S, ClipResult, read_clip, watch_clip
from rules import StopTurn, ThrowDice
from vision.calibration import calibrate_from_corners
from vision.events import TableEvent
from vision.table import SceneState
from vision.watcher import WatcherSettings

FPS, LENGTH_S = 5.0, 16.0
SCRIPT = [
    ThrowDice("A", (2, 2, 1)),
    ThrowDice("B", (6, 5, 2)),
    ThrowDice("A", (), burns="tower"),
    ThrowDice("A", (6, 5, 3)),
    StopTurn("A"),
]
THROWS = (("A", "throw_seen"), ("B", "throw_seen"), ("A", "tower"), ("A", "throw_seen"))
UP_S = (1.0, 4.0, 7.0, 10.0)


def write_clip(folder: Path) -> Path:
    """A clip of grey pictures, its truth and its game."""
    path = folder / "clip.mp4"
    size = (64, 48)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, size)
    for _ in range(round(LENGTH_S * FPS)):
        writer.write(np.full((size[1], size[0], 3), 90, np.uint8))
    writer.release()
    truth: list[dict[str, Any]] = []
    dice = [list(move.dice) for move in SCRIPT if isinstance(move, ThrowDice)]
    for (seat, kind), up_s, fallen in zip(THROWS, UP_S, dice, strict=True):
        line = {"seat": seat, "outside": [], "sure": True}
        truth.append({**line, "t_s": up_s, "type": "cup_up", "dice": []})
        truth.append({**line, "t_s": up_s + 1, "type": kind, "dice": fallen, "rest_s": up_s + 0.6})
    truth.append({**line, "t_s": 13.0, "type": "cleared", "dice": []})
    texts = (json.dumps(entry) for entry in truth)
    path.with_suffix(".truth.jsonl").write_text("\n".join(texts))
    moves = list(play_script("turnier", ("A", "B"), SCRIPT))
    write_game(path.with_suffix(".game.jsonl"), "turnier", ("A", "B"), moves)
    return path


def seen(t_s: float, kind: str, dice: Sequence[int] = (), reason: str = "") -> TableEvent:
    sure = kind != "unsure"
    return TableEvent(
        t_s, kind, None, tuple(dice), (), sure, t_s - 0.5, t_s, reason=reason,
        candidates=() if sure else (tuple(dice),),
    )  # fmt: skip


RIGHT = (
    seen(1.0, "cup_up"), seen(2.0, "throw_seen", (2, 2, 1)), seen(3.0, "cleared"),
    seen(5.0, "throw_seen", (6, 5, 2)), seen(6.0, "cleared"), seen(8.0, "tower"),
    seen(11.0, "throw_seen", (6, 5, 3)), seen(13.0, "cleared"),
)  # fmt: skip


class ScriptedWatcher:
    """Says what it is told to, at its time."""

    def __init__(self, script: Sequence[TableEvent]) -> None:
        self.left = list(script)
        self.looks = 0
        self.view = None
        self.state = SceneState(0.0)
        self.dice_in_play = 3
        self.mat = calibrate_from_corners([[4, 4], [60, 4], [60, 44], [4, 44]], (420.0, 315.0))
        self.settings = WatcherSettings()

    def receive(
        self, image_bgr: object, taken_at_s: float, small_bgr: object = None
    ) -> tuple[TableEvent, ...]:
        told = tuple(event for event in self.left if event.t_s <= taken_at_s + 1e-6)
        self.left = self.left[len(told) :]
        self.looks += bool(told)
        return told


@pytest.fixture(autouse=True)
def no_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The script sees; nobody needs to load them."""
    stand_in(monkeypatch)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_clip(tmp_path_factory.mktemp("clips"))


def watched(clip: Path, *script: TableEvent) -> ClipResult:
    def build(path: Path) -> Appliance:
        changed = {
            "store.path": str(path), "store.evidence_dir": "", "game.players": ["A", "B"],
        }  # fmt: skip
        appliance = bootstrap.build(Settings().with_values(changed))
        appliance.make_watcher = lambda frame: ScriptedWatcher(script)  # type: ignore[assignment,return-value]
        return appliance

    return watch_clip(read_clip(clip), build)


def found(result: ClipResult) -> list[str]:
    return [verdict.verdict for verdict in result.verdicts]


def test_what_is_seen_as_it_was_makes_the_true_game(clip: Path) -> None:
    result = watched(clip, *RIGHT)
    assert found(result) == ["right"] * 4
    assert (result.asked, result.invented, result.difference) == (0, (), "")
    assert result.verdicts[0].delay_s == pytest.approx(0.4)
    assert result.hits["cup_up"].recall == 0.25
    assert result.load.frames == round(LENGTH_S * FPS)
    assert result.load.looks == len(RIGHT)
    assert result.load.quiet == result.load.frames - FPS * QUIET_S


def test_questions_are_answered_as_the_truth_has_it(clip: Path) -> None:
    script = list(RIGHT)
    script[1] = seen(2.0, "unsure", (2, 2, 2), "values")
    script[5] = seen(8.0, "unsure", (4, 4), "fewer")
    script.insert(2, seen(2.5, "unsure", (2, 2, 1), "changed"))
    result = watched(clip, *script)
    assert found(result) == ["asked", "right", "asked", "right"]
    assert (result.asked, result.difference) == (3, "")


def test_a_wrong_value_is_silently_wrong_and_makes_another_game(clip: Path) -> None:
    script = [*RIGHT[:3], seen(5.0, "throw_seen", (6, 5, 1)), *RIGHT[4:]]
    result = watched(clip, *script)
    assert found(result) == ["right", "wrong", "right", "right"]
    assert result.difference.startswith("entry 2:")


def test_a_throw_that_nobody_tells_of_is_missed(clip: Path) -> None:
    script = [event for event in RIGHT if event.t_s not in (5.0, 6.0)]
    result = watched(clip, *script)
    assert found(result)[1] == "missed"
    assert result.difference


def test_a_throw_that_nobody_made_is_invented(clip: Path) -> None:
    script = [*RIGHT[:2], seen(2.6, "throw_seen", (6, 6, 6)), *RIGHT[2:]]
    result = watched(clip, *script)
    assert [entered.dice for entered in result.invented] == [(6, 6, 6)]
    assert result.difference


def test_what_several_processes_hand_to_each_other_survives_the_way(clip: Path) -> None:
    result = watched(clip, *RIGHT)
    assert pickle.loads(pickle.dumps(result)) == result
    settings = Settings().with_values({"table.layout": "seats"})
    assert pickle.loads(pickle.dumps(settings))["table.layout"] == "seats"


def test_no_clip_is_watched_by_no_process(run, clip: Path) -> None:
    status, _, err = run("bench", "watch", clip.parent, "--processes", 0)
    assert status == 2
    assert "--processes must be 1 or more, but got 0" in err
