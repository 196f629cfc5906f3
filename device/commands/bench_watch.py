"""`schockauge bench watch DIR`: simulated clips watched, judged against their truth."""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands.common import print_json, progress, settings_from
from device.errors import UsageError
from device.settings import Settings

if TYPE_CHECKING:
    from device.appliance import Appliance
    from device.sources import Frame
    from device.watch_bench import Clip, ClipResult, Wrap

EPILOG = """\
DIR holds clips (NAME.mp4) with their truth (NAME.truth.jsonl) and their game (NAME.game.jsonl), as
`schockauge simulate --clips N --out DIR` makes them. Each is played to the whole appliance; its
questions are answered as the truth has it, and the game is compared with the true one.

Several clips at once (--processes) take the processor from each other: figures of its use are
then too high; all others stay.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="clips with their truth")
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write tables and a plot into this folder"
    )
    parser.add_argument(
        "--processes", type=int, default=1, metavar="N", help="so many clips at once (1)"
    )


def run(args: argparse.Namespace) -> int:
    """Watch, judge, print."""
    from device import watch_report
    from device.watch_bench import clips_in

    if args.processes < 1:
        raise UsageError(f"--processes must be 1 or more, but got {args.processes}.")
    results: list[ClipResult] = []
    for result in _watch_all(clips_in(args.folder), settings_from(args), args.processes):
        results.append(result)
        if args.json:
            row = watch_report.summary([result])
            print_json({"clip": result.clip.name, **row, "difference": result.difference})
    if args.report is not None:
        watch_report.write_report(args.report, results)
    if args.json:
        print_json({"clip": "all", **watch_report.summary(results)})
    else:
        print(watch_report.markdown(results), end="")
    return 0


def _watch_all(clips: Sequence[Clip], settings: Settings, processes: int) -> Iterator[ClipResult]:
    """Watch clips, in their order; a bar shows the frames of one, or how many are done."""
    if processes == 1:
        for clip in clips:
            yield _watch(clip, settings=settings, wrap=_bar)
        return
    spawn = multiprocessing.get_context("spawn")
    # A process for each clip: the networks' memory grows with every size of part they have seen.
    with ProcessPoolExecutor(min(processes, len(clips)), spawn, max_tasks_per_child=1) as pool:
        done = pool.map(partial(_watch, settings=settings), clips)
        yield from progress(done, total=len(clips), unit="clip")


def _watch(clip: Clip, *, settings: Settings, wrap: Wrap | None = None) -> ClipResult:
    from device.watch_bench import watch_clip

    changed = {
        "store.evidence_dir": "",
        "game.book": clip.book,
        "game.players": list(clip.players),
        "table.camera_fov_deg": clip.camera_fov_deg,
        "table.layout": clip.layout,
        "table.mat_width_mm": clip.mat_size_mm[0],
        "table.mat_height_mm": clip.mat_size_mm[1],
    }

    def build(path: Path) -> Appliance:
        from device import bootstrap

        return bootstrap.build(settings.with_values({**changed, "store.path": str(path)}))

    return watch_clip(clip, build, wrap=wrap)


def _bar(frames: Iterator[Frame], count: int | None) -> Iterable[Frame]:
    return progress(frames, total=count, unit="frame")
