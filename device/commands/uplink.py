"""`schockauge uplink`: sends the hub what it lacks of a log that the table plays on no more."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from device.commands.common import add_json, add_settings, new_parser, print_json, settings_from

POLL_S = 0.1


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "uplink",
        "Send the hub what it lacks of an older log.",
        example="schockauge uplink yesterday.sqlite3 --settings table.toml",
        epilog="A table sends the log it plays on by itself (hub.pairing_file). This is for one\n"
        "whose evening ended before the hub had all of it.\n",
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="the older log")
    parser.add_argument(
        "--pairing", metavar="FILE", help="pairing of the table; default: hub.pairing_file"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=60.0,
        metavar="S",
        help="patience with the hub; default: 60",
    )
    add_settings(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Send it; exit 1 when the hub has not got all of it in time."""
    from device.errors import HubError, StoreError, UsageError
    from device.hub_orders import rest_of_a_log
    from device.hub_troubles import HUB_TROUBLES
    from device.pairing_file import load_pairing
    from device.store import SqliteLog
    from device.uplink import Uplink

    named = settings_from(args, hub__pairing_file=args.pairing)["hub.pairing_file"]
    if not named:
        raise UsageError("name the table's pairing: --pairing FILE, or hub.pairing_file.")
    if not args.log.is_file():
        raise StoreError(f"There is no log {args.log}.")
    faults: set[str] = set()

    def show_fault(what: str, *, there: bool) -> None:
        (faults.add if there else faults.discard)(what)

    with SqliteLog(args.log) as log:
        pairing, end_s = load_pairing(Path(named)), time.monotonic() + args.seconds
        with Uplink(log, pairing, rest_of_a_log(show_fault), rest=True) as uplink:
            while not uplink.is_done():
                if time.monotonic() > end_s or "hub_ahead" in faults:
                    why = " ".join(HUB_TROUBLES[what][1] for what in sorted(faults))
                    raise HubError(f"The hub has {uplink.cursor} entries of {args.log}. {why}")
                time.sleep(POLL_S)
            if args.json:
                print_json({"table": pairing.table, "log": str(args.log), "entries": uplink.cursor})
            else:
                print(f"Die Turnierleitung hat alle {uplink.cursor} Einträge.", file=sys.stderr)
    return 0
