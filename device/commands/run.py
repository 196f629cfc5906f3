"""`schockauge run`: the table appliance: camera, game and dashboard until Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from typing import Any

from device.commands.common import add_models, new_parser, settings_from, tell_first_pin

PAGE_S = 5.0
"""How long the main thread sleeps at a time while the page stays after a clip."""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "run",
        "Watch the table, play by the rules, show the dashboard; Ctrl-C ends.",
        example="schockauge run --settings table.toml",
    )
    parser.add_argument(
        "--source", metavar="SOURCE", help="camera:0, clip, folder, hostile:PLAN:SOURCE"
    )
    parser.add_argument("--book", metavar="NAME", help="rule book")
    parser.add_argument("--players", nargs="+", metavar="NAME", help="clockwise")
    parser.add_argument("--log", metavar="FILE", help="file of the log; an open match goes on")
    parser.add_argument("--host", metavar="ADDRESS", help="of the dashboard")
    parser.add_argument("--port", type=int, metavar="NUMBER", help="of the dashboard; 0: any")
    parser.add_argument("--once", action="store_true", help="end when the source ends")
    add_models(parser)


def run(args: argparse.Namespace) -> int:
    """Run the evening. A lost camera is a fault on the page; it is opened anew by itself."""
    from device import bootstrap
    from device.sources import Reopening, is_live, open_source
    from device.standing import standing
    from rules.view import snapshot

    settings = settings_from(
        args,
        table__source=args.source,
        game__book=args.book,
        game__players=args.players,
        store__path=args.log,
        web__host=args.host,
        web__port=args.port,
    )
    appliance = bootstrap.build(settings)
    try:
        with bootstrap.serve(settings, appliance) as server:
            print(f"Schockauge läuft: {server.url} (Strg-C beendet)", file=sys.stderr)
            tell_first_pin(appliance.first_pin)
            with contextlib.suppress(KeyboardInterrupt):  # the usual end of an evening
                spec = settings["table.source"]
                live = is_live(spec)
                source = Reopening(lambda: open_source(spec), patient=live and not args.once)
                with source:
                    appliance.play(source, live=live)
                while not args.once:  # a clip is over: the page stays
                    time.sleep(PAGE_S)
        print(standing(snapshot(appliance.game.match)))
    finally:
        appliance.close()
    return 0
