"""`schockauge learn`: packs of corrected throws, and a last stage tuned to the table's own dice."""

from __future__ import annotations

import argparse
from typing import Any

from device.commands import learn_bench, learn_collect, learn_show, learn_tune
from device.commands.common import add_json, add_models, add_settings, new_parser


def add_parser(subparsers: Any) -> None:
    """Add the command and its four parts."""
    parser = new_parser(
        subparsers,
        "learn",
        "Learn from the evening: collect what people confirmed, tune the reader to your own dice.",
        example="schockauge learn collect --store evening.sqlite3 --out pack.zip "
        "--consent Wirtin,2026-01-31\n"
        "  schockauge learn show pack.zip --sheet sheet.jpg\n"
        "  schockauge learn tune pack.zip --out own-dice.npz\n"
        "  schockauge learn bench pictures/ --confirmed 12",
        epilog="each of collect, show, tune and bench has its own --help\n",
    )
    kinds = parser.add_subparsers(
        dest="kind", required=True, metavar="collect|show|tune|bench", parser_class=type(parser)
    )
    collect = new_parser(
        kinds,
        "collect",
        "Pack the throws whose true dice a person told: pictures of the mat, with labels.",
        example="schockauge learn collect --store evening.sqlite3 --out pack.zip "
        '--consent "Wirtin, 2026-01-31"',
    )
    learn_collect.add_options(collect)
    add_settings(collect)
    show = new_parser(
        kinds,
        "show",
        "Tell what is in a pack, and draw its dice on a contact sheet.",
        example="schockauge learn show pack.zip --sheet sheet.jpg",
    )
    learn_show.add_options(show)
    tune = new_parser(
        kinds,
        "tune",
        "Tune the namer's last stage to the dice of packs; kept only if it helps.",
        example="schockauge learn tune pack.zip --out own-dice.npz",
        epilog="To use it, set model.own_dice_file; without that setting all is as shipped.\n",
    )
    learn_tune.add_options(tune)
    bench = new_parser(
        kinds,
        "bench",
        "Measure on labelled photographs what a dozen confirmed ones are worth for the others.",
        example="schockauge learn bench pictures/ --confirmed 12 --json",
    )
    learn_bench.add_options(bench)
    for one in (tune, bench):
        add_models(one)
    for one in (collect, show, tune, bench):
        add_json(one)


KINDS = {
    "collect": learn_collect.run,
    "show": learn_show.run,
    "tune": learn_tune.run,
    "bench": learn_bench.run,
}


def run(args: argparse.Namespace) -> int:
    """Run the part that was asked for."""
    return KINDS[args.kind](args)
