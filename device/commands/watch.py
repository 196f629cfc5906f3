"""`schockauge watch`: the table events of a clip, folder or camera, no game attached."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from device.commands.common import (
    add_json,
    add_models,
    new_parser,
    print_json,
    progress,
    settings_from,
)


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "watch",
        "Tell what happens on the mat: cups, throws, dice put aside or turned.",
        example="schockauge watch clip.mp4 --json",
    )
    parser.add_argument("source", metavar="SOURCE", help="clip, folder of pictures, or camera:0")
    parser.add_argument("--mat", metavar="FILE", help="calibration; default: the mat's markers")
    add_json(parser)
    add_models(parser)


def run(args: argparse.Namespace) -> int:
    """Watch to the end of the source."""
    from device import bootstrap
    from device.sources import open_source
    from device.watching import watch

    settings = settings_from(args, table__mat_file=args.mat)
    with open_source(args.source) as source:
        frames = progress(source, total=source.frame_count, unit="frame")
        for _, events in watch(frames, lambda frame: bootstrap.watcher(settings, frame)):
            for event in events:
                if args.json:
                    print_json(event.to_json())
                else:
                    _say(event.to_json())
    return 0


def _say(line: dict[str, Any]) -> None:
    dice = " ".join(str(die) for die in line["dice"])
    outside = f"  (draußen: {' '.join(str(die) for die in line['outside'])})"
    print(f"{line['t_s']:9.2f} s  {line['type']:<10} {dice}{outside if line['outside'] else ''}")
    sys.stdout.flush()
