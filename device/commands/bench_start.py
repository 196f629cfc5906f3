"""`schockauge bench start`: how soon a table is there, and how much memory it takes."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.commands.common import add_json, print_json

EPILOG = """\
`schockauge run` as a process of its own, with the shipped clip before a stand-in for a Raspberry
Pi's camera, at its own speed. Times count from the start of the process; memory is what Linux says
of it (VmRSS, VmHWM), with all libraries.
"""

LABELS = {
    "page_s": "until the page answers, s",
    "picture_s": "until the camera's first picture, s",
    "read_s": "until the first picture is read, s",
    "played_s": "then played for, s",
    "throws": "throws that it told of",
    "rss_mb": "memory at the end, MB",
    "most_mb": "memory at most, MB",
}
"""Figures and how they are called, in the order of printing."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="to play (60)")
    parser.add_argument("--clip", type=Path, metavar="FILE", help="another clip; default: ours")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from device.errors import UsageError
    from device.start_bench import measure

    if args.seconds < 0:
        raise UsageError(f"--seconds is {args.seconds:g}, expected 0 or more.")
    figures = vars(measure(args.seconds, clip=args.clip))
    if args.json:
        print_json(figures)
        return 0
    for name, said in LABELS.items():
        print(f"{said:40} {figures[name]:8g}")
    return 0
