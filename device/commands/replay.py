"""`schockauge replay`: a recorded log or a written game, up to its final state."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from device.commands.common import add_json, new_parser, print_json


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "replay",
        "Replay a log, exported events or a written game record, event by event.",
        example="schockauge replay evening.sqlite3 --last",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="log or record")
    parser.add_argument("--last", action="store_true", help="only the final state")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print each event with the state after it, or only the last state."""
    from device.records import replay
    from device.standing import standing
    from rules.view import snapshot
    from web_ui.sentences import describe

    last = None
    missing = []
    for step in replay(args.file):
        last = step
        if step.missing:
            missing.append(step.event.type)
        if args.last:
            continue
        event = step.event.to_json()
        if args.json:
            told = {"line": step.number, "event": event, "state": snapshot(step.match)}
            print_json({**told, "missing": True} if step.missing else told)
        else:
            print(f"{step.number:>4}  {describe('de', step.event.type, event).text}")
    assert last is not None  # replay raises when there is no game
    if missing:
        print(
            f"schockauge: {args.file} ends inside a decision at line {last.number}; added what "
            f"follows from it by itself: {', '.join(missing)}.",
            file=sys.stderr,
        )
    if args.json and args.last:
        print_json(snapshot(last.match))
    elif not args.json:
        print(standing(snapshot(last.match)))
    return 0
