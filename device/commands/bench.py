"""`schockauge bench`: how fast and how well tables are read; game; draws; page; hub; evening."""

from __future__ import annotations

import argparse
from typing import Any

from device.commands import (
    bench_draw,
    bench_hub,
    bench_photos,
    bench_read,
    bench_rules,
    bench_slides,
    bench_soak,
    bench_start,
    bench_watch,
    bench_web,
)
from device.commands.common import add_json, add_models, new_parser


def add_parser(subparsers: Any) -> None:
    """Add the command and its benchmarks."""
    parser = new_parser(
        subparsers,
        "bench",
        "Measure milliseconds per stage, how well photographs are read or a table is followed, "
        "the rules, the draws of a tournament, the dashboard's server, the tournament's hub, or "
        "how the appliance fares for an evening.",
        example="schockauge bench read --frames 50\n  schockauge bench photos pictures/ --json\n"
        "  schockauge bench watch clips/\n  schockauge bench slides pictures/\n"
        "  schockauge bench rules --json\n  schockauge bench draw\n"
        "  schockauge bench web --seconds 30\n"
        "  schockauge bench hub --tables 20 --seconds 10\n"
        "  schockauge bench soak --minutes 30\n  schockauge bench start",
        epilog="Without a kind: read. `schockauge bench photos --help` tells of another.\n",
    )
    bench_read.add_options(parser)
    kinds = parser.add_subparsers(
        dest="kind", metavar="read|photos|watch|slides|rules|draw|web|hub|soak|start"
    )
    read = new_parser(
        kinds,
        "read",
        "Measure milliseconds per stage of reading, and the ratio to ultralytics' own predict.",
        example="schockauge bench read --source clip.mp4 --frames 50 --json\n"
        "  schockauge bench read --table",
    )
    bench_read.add_options(read)
    photos = new_parser(
        kinds,
        "photos",
        "Read labelled photographs and count what is right, per source.",
        example="schockauge bench photos pictures/ --json\n"
        "  schockauge bench photos pictures/ --min-die-px 24 --report report",
    )
    bench_photos.add_options(photos)
    watch = new_parser(
        kinds,
        "watch",
        "Play simulated clips to the whole appliance and judge what it makes of them.",
        example="schockauge simulate --clips 40 --out clips --seed 5000\n"
        "  schockauge bench watch clips --report report",
        epilog=bench_watch.EPILOG,
    )
    bench_watch.add_options(watch)
    slides = new_parser(
        kinds,
        "slides",
        "Show labelled photographs to the table's camera and compare what it commits.",
        example="schockauge bench slides pictures/ --count 100",
        epilog=bench_slides.EPILOG,
    )
    bench_slides.add_options(slides)
    for one in (parser, read, photos, watch, slides):
        add_json(one)
        add_models(one)
    rules = new_parser(
        kinds,
        "rules",
        "Play random games, judge rounds and work out odds, without camera and model.",
        example="schockauge bench rules --book allgemein --json",
    )
    bench_rules.add_options(rules)
    drawing = new_parser(
        kinds,
        "draw",
        "Draw the tables of tournaments, count who meets again, and compare with mere chance.",
        example="schockauge bench draw --players 24 48 96 --rounds 5 --json",
    )
    bench_draw.add_options(drawing)
    web = new_parser(
        kinds,
        "web",
        "Let many viewers look on live, and measure what reaches them and when.",
        example="schockauge bench web --viewers 50 --seconds 120 --rate 5 --json",
        epilog=bench_web.EPILOG,
    )
    bench_web.add_options(web)
    hub = new_parser(
        kinds,
        "hub",
        "Let many tables play at one hub, and measure what reaches the wall, and when.",
        example="schockauge bench hub --tables 200 --rate 1 --seconds 300\n"
        "  schockauge bench hub --steps 50,100,200,400 --seconds 30 --json\n"
        "  schockauge bench hub --tables 20 --backlog 10000",
        epilog=bench_hub.EPILOG,
    )
    bench_hub.add_options(hub)
    soak = new_parser(
        kinds,
        "soak",
        "Let the whole appliance play for long, and see whether memory, files and threads stay.",
        example="nice schockauge bench soak --minutes 30",
        epilog=bench_soak.EPILOG,
    )
    bench_soak.add_options(soak)
    start = new_parser(
        kinds,
        "start",
        "Start a table, and measure how soon it reads and how much memory it takes.",
        example="schockauge bench start --seconds 60",
        epilog=bench_start.EPILOG,
    )
    bench_start.add_options(start)


KINDS = {
    None: bench_read.run,
    "read": bench_read.run,
    "photos": bench_photos.run,
    "watch": bench_watch.run,
    "slides": bench_slides.run,
    "rules": bench_rules.run,
    "draw": bench_draw.run,
    "web": bench_web.run,
    "hub": bench_hub.run,
    "soak": bench_soak.run,
    "start": bench_start.run,
}


def run(args: argparse.Namespace) -> int:
    """Run the benchmark that was asked for."""
    return KINDS[args.kind](args)
