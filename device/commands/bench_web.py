"""`schockauge bench web`: many viewers of the live stream, one of whom does not read."""

from __future__ import annotations

import argparse
from typing import Any

from device.commands.common import add_json, print_json

EPILOG = """\
Starts the real server over a log in a temporary file, and the viewers in a process of their own.
The time of an event counts from before it is written until its line has arrived. Whoever stalls
connects, reads nothing until the end, and must then get everything, too. With --boards viewers
fetch the board after events, as pages do. Exit status 1: somebody missed something.
"""

LABELS = {
    "viewers": "viewers",
    "stalled": "  of them stalled until the end",
    "viewers_complete": "  who got every event in order",
    "events": "events",
    "reconnects": "connections that broke",
    "ms_p50": "from writing to arrival, median, ms",
    "ms_p99": "  99 of 100, ms",
    "ms_max": "  at most, ms",
    "boards": "boards fetched",
    "board_ms_p50": "  from the event to the board, median, ms",
    "board_ms_p99": "  99 of 100, ms",
    "board_ms_max": "  at most, ms",
    "threads": "threads of the server",
    "cpu_idle_percent": "processor while nothing happens, % of one core",
    "cpu_percent": "processor while events come, % of one core",
    "rss_before_mb": "memory before the server started, MB",
    "rss_mb": "memory at the end, MB",
}
"""Figures and how they are called, in the order of printing."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--viewers", type=int, default=50, metavar="N", help="at once (50)")
    parser.add_argument("--stalled", type=int, default=1, metavar="N", help="of them (1)")
    parser.add_argument(
        "--boards", type=int, default=0, metavar="N", help="of them fetch the board, too (0)"
    )
    parser.add_argument("--seconds", type=float, default=120.0, metavar="S", help="(120)")
    parser.add_argument("--rate", type=float, default=5.0, metavar="N", help="events a second (5)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the dice (1)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from device.web_bench import Load, serve

    _check(args)
    figures: dict[str, Any] = serve(
        Load(args.viewers, args.stalled, args.boards, args.seconds, args.rate), seed=args.seed
    )
    if args.json:
        print_json(figures)
    else:
        for name, label in LABELS.items():
            if name in figures:
                print(f"  {label:<48} {figures[name]:>10}")
    return 0 if figures["viewers_complete"] == figures["viewers"] else 1


def _check(args: argparse.Namespace) -> None:
    from device.errors import UsageError

    if args.viewers < 1:
        raise UsageError(f"--viewers is {args.viewers}, expected 1 or more.")
    for name in ("stalled", "boards"):
        if not 0 <= getattr(args, name) <= args.viewers:
            raise UsageError(f"--{name} is {getattr(args, name)}, expected 0 to {args.viewers}.")
    for name in ("seconds", "rate"):
        if getattr(args, name) <= 0:
            raise UsageError(f"--{name} is {getattr(args, name):g}, expected more than 0.")
