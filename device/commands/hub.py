"""`schockauge hub`: the hub of a tournament, its broker, and the tables paired with it."""

from __future__ import annotations

import argparse
from typing import Any

from device.commands import hub_broker, hub_pair, hub_run
from device.commands.common import add_json, add_settings, new_parser


def add_parser(subparsers: Any) -> None:
    """Add the command and its parts."""
    parser = new_parser(
        subparsers,
        "hub",
        "The hub of a tournament: run it, pair tables with it.",
        example="schockauge hub run\n"
        "  schockauge hub pair table-7 --code\n"
        "  schockauge hub pair table-1 table-2\n"
        "  schockauge hub unpair table-7\n"
        "  schockauge hub broker",
        epilog="each of run, pair, unpair and broker has its own --help; see docs/hub.md\n",
    )
    kinds = parser.add_subparsers(
        dest="kind", required=True, metavar="run|pair|unpair|broker", parser_class=type(parser)
    )
    hub = new_parser(
        kinds,
        "run",
        "Run the hub: broker, database and the pages of the tournament, until Ctrl-C.",
        example="schockauge hub run --host 0.0.0.0\n"
        "  schockauge hub run --database postgresql://schockauge@localhost/schockauge",
        epilog=hub_run.EPILOG,
    )
    hub_run.add_options(hub)
    pair = new_parser(
        kinds,
        "pair",
        "Pair tables: write their pairing files, or show codes that are entered there.",
        example="schockauge hub pair table-7 --code",
        epilog=hub_pair.EPILOG,
    )
    hub_pair.add_options(pair)
    unpair = new_parser(
        kinds,
        "unpair",
        "End the pairing of tables; they are put out at once.",
        example="schockauge hub unpair table-7",
    )
    hub_pair.add_names(unpair)
    broker = new_parser(
        kinds,
        "broker",
        "Run Mosquitto with the hub's lists until Ctrl-C; `schockauge hub run` does it by itself.",
        example="schockauge hub broker",
        epilog=hub_broker.EPILOG,
    )
    hub_broker.add_options(broker)
    for one in (hub, pair, unpair, broker):
        add_settings(one)
        add_json(one)


KINDS = {
    "run": hub_run.run,
    "pair": hub_pair.run,
    "unpair": hub_pair.run_unpair,
    "broker": hub_broker.run,
}


def run(args: argparse.Namespace) -> int:
    """Run the part that was asked for."""
    return KINDS[args.kind](args)
