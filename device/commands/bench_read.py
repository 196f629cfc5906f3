"""`schockauge bench`: milliseconds per stage, and the ratio to ultralytics on the same frames.

Stages are timed by wrapping the real parts, so what is measured is what runs at the table.
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
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from device.commands.common import print_json, progress, settings_from

Result = TypeVar("Result")

FRAMES = 60
WARM_UP = 3
SIZE_PX = 640
TORCH_TIMEOUT_S = 600

Times = dict[str, list[float]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--source", metavar="SOURCE", help="clip or folder; default: the demo's")
    parser.add_argument("--frames", type=int, default=FRAMES, metavar="N", help=f"default {FRAMES}")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from device import bootstrap, demo_material
    from device.errors import SourceError, UsageError
    from device.sources import open_source

    if args.frames < 1:
        raise UsageError(f"--frames is {args.frames}, expected 1 or more.")
    settings = settings_from(args)
    first, second = bootstrap.detector(settings), bootstrap.value_reader(settings)
    spec = args.source or str(demo_material.clip())
    times: Times = {}
    with open_source(spec) as source:
        every = max(1, (source.frame_count or 0) // args.frames)  # spread over the whole clip
        frames = list(islice(_timed_frames(iter(source), times), 0, args.frames * every, every))
    if not frames:
        raise SourceError(f"{spec} has no pictures.")
    mat = _first_mat(settings, frames)
    for frame in progress(frames, total=len(frames), unit="frame"):
        _measure_frame(frame.image_bgr, mat, first, second, times)
    _measure_watching(frames, mat, first, second, times)
    rows = {stage: _median_ms(values) for stage, values in times.items()}
    torch_ms, remark = _torch_ms([frame.image_bgr for frame in frames], settings["model.threads"])
    ratio = round(torch_ms / rows["detect 640"], 2) if torch_ms else None
    if args.json:
        print_json(
            {
                "frames": len(frames),
                "threads": settings["model.threads"],
                "median_ms": rows,
                "torch_predict_ms": torch_ms,
                "torch_per_ours": ratio,
                "remark": remark,
            }
        )
        return 0
    print(f"{len(frames)} frames, {settings['model.threads']} threads, median milliseconds")
    for stage, value in rows.items():
        print(f"  {stage:<32} {value:8.2f}")
    if ratio is None:
        print(f"  ultralytics predict: not measured ({remark})")
    else:
        print(f"  {'ultralytics predict 640 (torch)':<32} {torch_ms:8.2f}")
        print(f"ultralytics takes {ratio} times as long as our detector on the same frames.")
    return 0


def _measure_frame(image: Any, mat: Any, first: Any, second: Any, times: Times) -> None:
    from vision.calibration import rectify
    from vision.crops import cut_crops, turned_four_ways

    _timed(times, "detect 640", lambda: first.detect(image, size_px=SIZE_PX))
    if mat is None:
        return
    view = _timed(times, "rectify", lambda: rectify(image, mat))
    found = _timed(times, "detect mat", lambda: first.detect(view, size_px=SIZE_PX))
    crops = turned_four_ways(cut_crops(view, list(found.xyxy)))
    if len(crops):
        name = "second reader, 4 turns of all dice"
        _timed(times, name, lambda: second.probabilities(crops))


def _measure_watching(frames: list[Any], mat: Any, first: Any, second: Any, times: Times) -> None:
    """The whole way of a frame, as at the table: with the motion gate, and with the rules."""
    from vision.watcher import Watcher

    if mat is None:
        return
    watcher = Watcher(first, second, mat)
    for frame in frames:
        _timed(times, "frame to events", lambda f=frame: watcher.receive(f.image_bgr, f.taken_at_s))  # type: ignore[misc]
    _measure_rules(times)


def _measure_rules(times: Times) -> None:
    from rules import Match, ThrowDice, find_book

    match = Match.new(find_book("turnier"), ["A", "B", "C"])
    for player, dice in (("A", (6, 5, 2)), ("B", (4, 1, 1)), ("C", (3, 2, 2))):
        action = ThrowDice(player, dice)
        match, _ = _timed(times, "rules, one action", lambda a=action, m=match: m.do(a))  # type: ignore[misc]


def _timed_frames(frames: Any, times: Times) -> Any:
    while True:
        began_s = time.perf_counter()
        frame = next(frames, None)
        if frame is None:
            return
        times.setdefault("decode", []).append((time.perf_counter() - began_s) * 1000)
        yield frame


def _timed(times: Times, stage: str, work: Callable[[], Result]) -> Result:
    began_s = time.perf_counter()
    result = work()
    times.setdefault(stage, []).append((time.perf_counter() - began_s) * 1000)
    return result


def _median_ms(values: list[float]) -> float:
    """The median without the first few, which pay for loading and caches."""
    return round(statistics.median(values[WARM_UP:] or values), 2)


def _first_mat(settings: Any, frames: list[Any]) -> Any:
    """The calibration from the first frame that shows the mat; None when none does."""
    from device import bootstrap
    from vision.errors import CalibrationError

    for frame in frames:
        try:
            return bootstrap.find_mat(settings, frame)
        except CalibrationError:
            continue
    return None


def _torch_ms(images: list[Any], threads: int) -> tuple[float | None, str]:
    """Median of ultralytics' own predict, in a process of its own; None where it is missing."""
    import cv2

    with tempfile.TemporaryDirectory(prefix="schockauge-bench-") as folder:
        for number, image in enumerate(images):
            cv2.imwrite(str(Path(folder) / f"{number:04d}.png"), image)
        command = [sys.executable, "-m", "models.lab.torch_speed", folder, str(threads)]
        # ultralytics writes its settings into the home folder unless told otherwise.
        quiet = {"YOLO_CONFIG_DIR": folder, "YOLO_OFFLINE": "true"}
        try:
            answer = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=TORCH_TIMEOUT_S,
                check=False,
                env={**os.environ, **quiet},
            )
        except subprocess.TimeoutExpired:
            return None, f"it took longer than {TORCH_TIMEOUT_S} s"
    if answer.returncode != 0:
        return None, "the extra `train` is not installed: `make lab`, then .venv-lab/bin/schockauge"
    measured = json.loads(answer.stdout.splitlines()[-1])
    return float(measured["median_ms"]), str(measured["model"])
