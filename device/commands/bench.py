"""`schockauge bench`: how fast the table is read; `bench photos DIR`: how well photographs are."""

from __future__ import annotations

import argparse
from typing import Any

from device.commands import bench_photos, bench_speed
from device.commands.common import add_json, add_models, new_parser


def add_parser(subparsers: Any) -> None:
    """Add the command and its two benchmarks."""
    parser = new_parser(
        subparsers,
        "bench",
        "Measure milliseconds per stage, or how well labelled photographs are read.",
        example="schockauge bench --frames 50\n  schockauge bench photos pictures/ --json",
        epilog="`schockauge bench photos --help` tells of the second.\n",
    )
    bench_speed.add_options(parser)
    kinds = parser.add_subparsers(dest="kind", metavar="photos")
    photos = new_parser(
        kinds,
        "photos",
        "Read labelled photographs and count what is right, per source.",
        example="schockauge bench photos pictures/ --json",
    )
    bench_photos.add_options(photos)
    for one in (parser, photos):
        add_json(one)
        add_models(one)


def run(args: argparse.Namespace) -> int:
    """Run the benchmark that was asked for."""
    return bench_photos.run(args) if args.kind == "photos" else bench_speed.run(args)
