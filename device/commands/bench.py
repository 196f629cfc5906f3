"""`schockauge bench`: how fast a table is read; `photos DIR`: how well; `rules`: the game alone."""

from __future__ import annotations

import argparse
from typing import Any

from device.commands import bench_photos, bench_rules, bench_speed
from device.commands.common import add_json, add_models, new_parser


def add_parser(subparsers: Any) -> None:
    """Add the command and its three benchmarks."""
    parser = new_parser(
        subparsers,
        "bench",
        "Measure milliseconds per stage, how well labelled photographs are read, or the rules.",
        example="schockauge bench --frames 50\n  schockauge bench photos pictures/ --json\n"
        "  schockauge bench rules --json",
        epilog="`schockauge bench photos --help` and `bench rules --help` tell of the others.\n",
    )
    bench_speed.add_options(parser)
    kinds = parser.add_subparsers(dest="kind", metavar="photos|rules")
    photos = new_parser(
        kinds,
        "photos",
        "Read labelled photographs and count what is right, per source.",
        example="schockauge bench photos pictures/ --json\n"
        "  schockauge bench photos pictures/ --min-die-px 24 --report report",
    )
    bench_photos.add_options(photos)
    for one in (parser, photos):
        add_json(one)
        add_models(one)
    rules = new_parser(
        kinds,
        "rules",
        "Play random games, judge rounds and work out odds, without camera and model.",
        example="schockauge bench rules --book allgemein --json",
    )
    bench_rules.add_options(rules)


KINDS = {None: bench_speed.run, "photos": bench_photos.run, "rules": bench_rules.run}


def run(args: argparse.Namespace) -> int:
    """Run the benchmark that was asked for."""
    return KINDS[args.kind](args)
