"""`schockauge bench read`: milliseconds per stage, and the ratio to ultralytics' own predict.

Stages are timed by wrapping the real parts, so what is measured is what runs at the table and on a
photograph, at the settings that ship. The yardsticks run in a process of their own
(`models.lab.torch_speed`), because torch is no part of the appliance.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.commands import bench_table
from device.commands.common import print_json, progress, settings_from
from device.stopwatch import Eyes, Stopwatch, Times, median_ms, note, timed

if TYPE_CHECKING:
    from device.settings import Settings
    from device.sources import Frame
    from vision.calibration import MatCalibration
    from vision.watcher import Watcher

FRAMES = 60
IN_A_ROW = 30
"""The table is watched for this many times as many frames, one after another as a camera sends
them: how much of the mat has to be looked at depends on what was seen just before. With 60 it is
all of the demo's clip: the first look of each size, which an evening has once, takes its share."""
SIZE_PX = 640
YARDSTICK_TIMEOUT_S = 600

LOOK = f"look at {SIZE_PX} px"
FIRST_LOOK = "photograph: first look"
MAT_LOOK = "table: look at the whole mat"
PART_LOOK = "table: look at the part in use"
COARSE_LOOK = "table: coarse look, hands at work"
FRAME = "table: frame to events"
MEAN_FRAME = "table: a frame, mean"
COMPARED = (LOOK, FIRST_LOOK, MAT_LOOK, PART_LOOK, COARSE_LOOK, MEAN_FRAME)
YARDSTICKS = {
    "torch": f"ultralytics predict {SIZE_PX}, torch",
    "openvino": f"ultralytics predict {SIZE_PX}, OpenVINO",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--source", metavar="SOURCE", help="clip or folder; default: the demo's")
    parser.add_argument(
        "--frames", type=int, default=FRAMES, metavar="N",
        help=f"default {FRAMES}; {IN_A_ROW} times as many in a row are watched as at the table",
    )  # fmt: skip
    parser.add_argument(
        "--table", action="store_true", help="print the columns of Ultralytics' benchmark table"
    )


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from device.errors import UsageError

    if args.frames < 1:
        raise UsageError(f"--frames is {args.frames}, expected 1 or more.")
    settings = settings_from(args)
    eyes = Eyes.of_photographs(settings)
    times: Times = {}
    frames = _frames(args, times)
    mat = _first_mat(settings, frames)
    for frame in progress(frames, total=len(frames), unit="frame"):
        timed(times, LOOK, lambda f=frame: eyes.finder.find(f.image_bgr, size_px=SIZE_PX))  # type: ignore[misc]
    _measure_photographs(frames, eyes, times, settings)
    mat_look_px = mat and _measure_table(_in_a_row(args), mat, eyes.at_table(settings), times)
    rows = {stage: median_ms(values) for stage, values in times.items()}
    if FRAME in times:  # most frames need no look, some need several networks: the mean is the load
        rows[MEAN_FRAME] = round(statistics.mean(times[FRAME]), 2)
    yardsticks, remark = _yardsticks(frames, settings)
    finder_mb = round(_finder_file(settings).stat().st_size / 1e6, 1)
    report = {
        "frames": len(frames),
        "threads": settings["model.threads"],
        "median_ms": rows,
        "mat_look_px": mat_look_px,
        "predict_ms": yardsticks,
        "ours_per_predict": {
            name: {s: round(rows[s] / ms, 3) for s in COMPARED if s in rows}
            for name, ms in yardsticks.items()
        },
        "remark": remark,
        "table": bench_table.rows(rows[LOOK], yardsticks, finder_mb),
    }
    if args.json:
        print_json(report)
    elif args.table:
        print(bench_table.text(report["table"], _manifest(settings)["networks"]["finder"]))
    else:
        _print(report)
    return 0


def _frames(args: argparse.Namespace, times: Times) -> list[Frame]:
    """Frames spread over the whole clip."""
    from device import demo_material
    from device.errors import SourceError
    from device.sources import open_source, shown

    spec = args.source or str(demo_material.clip())
    with open_source(spec) as source:
        every = max(1, (source.frame_count or 0) // args.frames)
        frames = list(islice(_timed_frames(iter(source), times), 0, args.frames * every, every))
    if not frames:
        raise SourceError(f"{shown(spec)} has no pictures.")
    return frames


def _in_a_row(args: argparse.Namespace) -> Iterator[Frame]:
    """Frames that follow one another, from the clip's beginning, as they are asked for."""
    from device import demo_material
    from device.sources import open_source

    with open_source(args.source or str(demo_material.clip())) as source:
        count = min(source.frame_count or args.frames * IN_A_ROW, args.frames * IN_A_ROW)
        yield from progress(islice(iter(source), count), total=count, unit="frame")


def _measure_photographs(frames: list[Frame], eyes: Eyes, times: Times, settings: Settings) -> None:
    """Every picture as `schockauge read` reads it."""
    from device import bootstrap_readers as readers
    from vision.reader import PhotoReader

    glimpse = readers.glimpse_of(readers.finder(settings), readers.namer(settings))
    parts = Stopwatch(glimpse.parts) if glimpse else None
    told: dict[str, Any] = {"confidence": readers.confidence(settings), "glimpse": parts}
    reader = PhotoReader(eyes.finder, eyes.namer, eyes.counter, clock=time.perf_counter, **told)
    for frame in progress(frames, total=len(frames), unit="photograph"):
        eyes.take()
        whole_ms = reader.read(frame.image_bgr).ms
        (first, *further), names, counts, *_ = eyes.take()
        stages = {"first look": [first], "further looks": further, "namer, twelve views": names}
        stages |= {"counter, twelve views": counts, "parts of dice": parts.take() if parts else []}
        for stage, taken in stages.items():
            if taken:
                note(times, f"photograph: {stage}", sum(taken))
        networks_ms = sum(map(sum, stages.values()))
        note(times, "photograph: all else", whole_ms - networks_ms)
        note(times, "photograph: in all", whole_ms)


def _measure_table(frames: Iterable[Frame], mat: MatCalibration, eyes: Eyes, times: Times) -> int:
    """The whole way of a frame, as at the table: with the motion gate, and with the rules.

    Returns:
        The long side of a look at the whole mat, pixels, in the middle; 0 if there was none.
    """
    from vision.eye import Eye
    from vision.mat_view import rectify
    from vision.watcher import Watcher

    seen = Eye(eyes.finder, eyes.namer)
    watcher = Watcher(seen, eyes.value_reader, mat, stance_reader=eyes.stance)
    margin_mm = watcher.settings.margin_mm
    stages = ("table: namer", "table: counter, four views", "table: stance", "table: outline")
    whole_px: list[int] = []
    for frame in frames:
        image, now_s = frame.image_bgr, frame.taken_at_s
        timed(times, "table: rectify", lambda i=image: rectify(i, mat, margin_mm=margin_mm))  # type: ignore[misc]
        eyes.take()
        timed(times, FRAME, lambda i=image, t=now_s: watcher.receive(i, t))  # type: ignore[misc]
        sizes_px = list(eyes.finder.sizes_px)
        looks, *others = eyes.take()
        for size_px, ms in zip(sizes_px, looks, strict=True):
            stage = _kind_of_look(watcher, size_px)
            whole_px += [size_px] * (stage == MAT_LOOK)
            note(times, stage, ms)
        for name, taken in zip(stages, others, strict=True):
            for ms in taken:
                note(times, name, ms)
    _measure_rules(times)
    return statistics.median_low(whole_px) if whole_px else 0


def _kind_of_look(watcher: Watcher, size_px: int) -> str:
    """Which stage the look was that the watcher has just taken."""
    left, top, right, bottom = watcher.part
    mat, settings = watcher.mat, watcher.settings
    die_px = size_px * mat.die_mm * mat.scale_px_per_mm / max(right - left, bottom - top)
    if die_px < (settings.coarse_die_px + settings.die_px) / 2:
        return COARSE_LOOK
    assert watcher.view is not None, "it has looked"
    height, width = watcher.view.shape[:2]
    return MAT_LOOK if (left, top, right, bottom) == (0, 0, width, height) else PART_LOOK


def _measure_rules(times: Times) -> None:
    from rules import Match, ThrowDice, find_book

    match = Match.new(find_book("turnier"), ["A", "B", "C"])
    for player, dice in (("A", (6, 5, 2)), ("B", (4, 1, 1)), ("C", (3, 2, 2))):
        action = ThrowDice(player, dice)
        match, _ = timed(times, "rules, one action", lambda a=action, m=match: m.do(a))  # type: ignore[misc]


def _timed_frames(frames: Iterator[Frame], times: Times) -> Iterator[Frame]:
    while True:
        began_s = time.perf_counter()
        frame = next(frames, None)
        if frame is None:
            return
        note(times, "decode", (time.perf_counter() - began_s) * 1000)
        yield frame


def _first_mat(settings: Any, frames: list[Frame]) -> MatCalibration | None:
    """The calibration from the first frame that shows the mat; None when none does."""
    from device import places
    from vision.errors import CalibrationError

    for frame in frames:
        try:
            return places.find_mat(settings, frame)
        except CalibrationError:
            continue
    return None


def _yardsticks(frames: list[Frame], settings: Any) -> tuple[dict[str, float], str]:
    """Medians of ultralytics' own predict on the same pictures; none where it is not installed."""
    import cv2

    with tempfile.TemporaryDirectory(prefix="schockauge-bench-") as folder:
        for number, frame in enumerate(frames):
            cv2.imwrite(str(Path(folder) / f"{number:04d}.png"), frame.image_bgr)
        words = [folder, str(settings["model.threads"]), str(_finder_file(settings).resolve())]
        # ultralytics writes its settings into the home folder unless told otherwise.
        quiet = {"YOLO_CONFIG_DIR": folder, "YOLO_OFFLINE": "true", "YOLO_AUTOINSTALL": "false"}
        try:
            answer = subprocess.run(
                [sys.executable, "-m", "models.lab.torch_speed", *words],
                capture_output=True,
                text=True,
                timeout=YARDSTICK_TIMEOUT_S,
                check=False,
                env={**os.environ, **quiet},
            )
        except subprocess.TimeoutExpired:
            return {}, f"it took longer than {YARDSTICK_TIMEOUT_S} s"
    if answer.returncode != 0:
        return {}, "the extra `train` is not installed: `make lab`, then .venv-lab/bin/schockauge"
    medians: dict[str, float] = json.loads(answer.stdout.splitlines()[-1])["median_ms"]
    return medians, "torch: the same network with fresh weights; OpenVINO: our very file"


def _folder(settings: Any) -> Path:
    import models

    return Path(settings["model.folder"] or models.FOLDER)


def _finder_file(settings: Any) -> Path:
    import models

    return models.weights("finder", _folder(settings))


def _manifest(settings: Any) -> Any:
    return json.loads((_folder(settings) / "manifest.json").read_text(encoding="utf-8"))


def _print(report: dict[str, Any]) -> None:
    print(f"{report['frames']} pictures, {report['threads']} threads, median milliseconds")
    for stage, value in report["median_ms"].items():
        print(f"  {stage:<34} {value:8.2f}")
    if report["mat_look_px"]:
        print(f"The mat is looked at with about {report['mat_look_px']} px on its long side.")
    if not report["predict_ms"]:
        print(f"ultralytics predict: not measured ({report['remark']})")
    for name, ms in report["predict_ms"].items():
        print(f"  {YARDSTICKS[name]:<34} {ms:8.2f}")
        for stage, ratio in report["ours_per_predict"][name].items():
            print(f"    {stage + ', ours / theirs':<32} {ratio:8.3f}")
