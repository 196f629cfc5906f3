"""`schockauge run`: the table appliance: camera, game and dashboard until Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from typing import Any

from device.commands.common import add_models, new_parser, settings_from

RETRY_S = 5.0
"""How long to wait before a lost camera is looked for again: it needs 1 to 3 s to come up."""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "run",
        "Watch the table, play by the rules, show the dashboard; Ctrl-C ends.",
        example="schockauge run --settings table.toml",
    )
    parser.add_argument("--source", metavar="SOURCE", help="camera:0, clip or folder")
    parser.add_argument("--book", metavar="NAME", help="rule book")
    parser.add_argument("--players", nargs="+", metavar="NAME", help="clockwise")
    parser.add_argument("--log", metavar="FILE", help="file of the log; an open match goes on")
    parser.add_argument("--host", metavar="ADDRESS", help="of the dashboard")
    parser.add_argument("--port", type=int, metavar="NUMBER", help="of the dashboard; 0: any")
    parser.add_argument("--once", action="store_true", help="end when the source ends")
    add_models(parser)


def run(args: argparse.Namespace) -> int:
    """Run the evening. A lost camera is a fault on the page; the game goes on by hand."""
    from device import bootstrap
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
            with contextlib.suppress(KeyboardInterrupt):  # the usual end of an evening
                while not _play(appliance, settings["table.source"], once=args.once):
                    time.sleep(RETRY_S)
                while not args.once:  # a clip is over: the page stays
                    time.sleep(RETRY_S)
        print(standing(snapshot(appliance.game.match)))
    finally:
        appliance.close()
    return 0


def _play(appliance: Any, spec: str, *, once: bool) -> bool:
    """Play what a source shows; False when it failed and may come back."""
    from device.errors import SourceError
    from device.sources import open_source
    from vision.errors import CalibrationError

    try:
        with open_source(spec) as source:
            appliance.play(source)
    except (SourceError, CalibrationError) as error:
        if once:
            raise
        appliance.report("camera" if isinstance(error, SourceError) else "mat")
        print(f"schockauge: {error}", file=sys.stderr)
        return False
    return True
