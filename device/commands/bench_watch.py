"""`schockauge bench watch DIR`: simulated clips watched, judged against their truth."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands.common import print_json, progress, settings_from

if TYPE_CHECKING:
    from device.appliance import Appliance
    from device.sources import Frame
    from device.watch_bench import ClipResult

EPILOG = """\
DIR holds clips (NAME.mp4) with their truth (NAME.truth.jsonl) and their game (NAME.game.jsonl), as
`schockauge simulate --clips N --out DIR` makes them. Each is played to the whole appliance; its
questions are answered as the truth has it, and the game is compared with the true one.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="clips with their truth")
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write tables and a plot into this folder"
    )


def run(args: argparse.Namespace) -> int:
    """Watch, judge, print."""
    from device import watch_report
    from device.watch_bench import Clip, clips_in, watch_clip

    settings = settings_from(args)
    results: list[ClipResult] = []
    for clip in clips_in(args.folder):

        def build(path: Path, clip: Clip = clip) -> Appliance:
            from device import bootstrap

            changed = {
                "store.path": str(path),
                "store.evidence_dir": "",
                "game.book": clip.book,
                "game.players": list(clip.players),
                "table.camera_fov_deg": clip.camera_fov_deg,
                "table.layout": clip.layout,
                "table.mat_width_mm": clip.mat_size_mm[0],
                "table.mat_height_mm": clip.mat_size_mm[1],
            }
            return bootstrap.build(settings.with_values(changed))

        result = watch_clip(clip, build, wrap=_bar)
        results.append(result)
        if args.json:
            row = watch_report.summary([result])
            print_json({"clip": clip.name, **row, "difference": result.difference})
    if args.report is not None:
        watch_report.write_report(args.report, results)
    if args.json:
        print_json({"clip": "all", **watch_report.summary(results)})
    else:
        print(watch_report.markdown(results), end="")
    return 0


def _bar(frames: Iterator[Frame], count: int | None) -> Iterable[Frame]:
    return progress(frames, total=count, unit="frame")
