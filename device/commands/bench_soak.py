"""`schockauge bench soak`: an evening's worth of play, and whether memory stays flat."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands.common import add_json, print_json

if TYPE_CHECKING:
    from device.soak import Sample

EPILOG = """\
The shipped clip is the camera, again and again at its own speed, through everything the appliance
does; viewers look on from another process. The first third does not count for the growth.
Exit status 1: memory grows by more than --most-mb an hour.
"""
HEAD = "   min   RSS MB  files  threads  entries   log MB  evidence MB  written MB"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--minutes", type=float, default=30.0, metavar="N", help="(30)")
    parser.add_argument("--every", type=float, default=60.0, metavar="S", help="a look (60 s)")
    parser.add_argument("--viewers", type=int, default=5, metavar="N", help="who look on (5)")
    parser.add_argument("--clip", type=Path, metavar="FILE", help="another clip; default: ours")
    parser.add_argument(
        "--most-mb", type=float, default=20.0, metavar="MB", help="growth an hour (20)"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play, print by the minute, judge."""
    from device.errors import UsageError
    from device.memory import keep_small
    from device.soak import as_json, soak

    if args.minutes <= 0 or args.every <= 0 or args.viewers < 0:
        raise UsageError("--minutes and --every want more than 0, --viewers 0 or more.")

    keep_small()  # as `schockauge run` does

    def tell(sample: Sample) -> None:
        if args.json:
            print_json(as_json(sample))
            return
        written = "-" if sample.written_mb is None else f"{sample.written_mb:.2f}"
        print(
            f"{sample.t_s / 60:6.1f} {sample.rss_mb:8.1f} {sample.files:6d} {sample.threads:8d} "
            f"{sample.entries:8d} {sample.log_mb:8.2f} {sample.evidence_mb:12.2f} {written:>11}",
            flush=True,
        )

    if not args.json:
        print(HEAD)
    done = soak(args.minutes, viewers=args.viewers, every_s=args.every, told=tell, clip=args.clip)
    growth = None if done.mb_per_hour is None else round(done.mb_per_hour, 1)
    if args.json:
        told = {"mb_per_hour": growth, "throws": done.throws, "faults": list(done.faults)}
        print_json(told)
    else:
        said = "too few looks to tell" if growth is None else f"{growth:+.1f} MB an hour"
        print(f"{done.throws} throws seen, faults: {', '.join(done.faults) or 'none'}")
        print(f"memory after the first third: {said}")
    return 1 if growth is not None and growth > args.most_mb else 0
