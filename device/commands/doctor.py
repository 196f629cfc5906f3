"""`schockauge doctor`: is everything here that an evening needs, and how is the one that runs?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from device.commands.common import (
    add_json,
    add_settings,
    new_parser,
    print_json,
    settings_from,
)
from device.settings import Settings

STATES = {"good": "ok", "noted": "ok", "warn": "warning", "bad": "failed", "unknown": "unknown"}
HELD = "held by the Schockauge that runs"
MARKS = {"failed": "FAILED"}


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "doctor",
        "Check Python, packages, models, camera, disk, port, hub and the machine; where Schockauge "
        "runs already, ask it how it is. Say what to mend.",
        example="schockauge doctor --settings table.toml",
    )
    add_settings(parser)
    add_json(parser)
    parser.add_argument(
        "--markdown", action="store_true", help="print the checks as the table of docs/health.md"
    )


def run(args: argparse.Namespace) -> int:
    """Run every check; exit 1 when a needed one fails."""
    from device.health.document import table
    from device.health.set_up import running

    if args.markdown:
        print(table(), end="")
        return 0
    settings = settings_from(args)
    failed = 0
    for finding in _findings(settings, running(settings)):
        check, said = finding.check, finding.said[1]
        state = STATES[finding.state]
        if state == "warning" and not check.needed:
            state = "missing"
        failed += state == "failed"
        todo = check.todo[1] if state not in ("ok", "unknown") else ""
        name = check.key.replace("_", " ")
        if args.json:
            print_json({"check": name, "state": state, "text": said, "todo": todo})
        else:
            print(f"{MARKS.get(state, state):<7} {name}: {said}")
            if todo:
                print(f"        -> {todo}")
    if failed:
        print(f"schockauge: error: {failed} checks failed.", file=sys.stderr)
    return 1 if failed else 0


def _findings(settings: Settings, told: dict[str, Any] | None) -> Iterator[Any]:
    """What is found here; of what only a running appliance knows, what that one tells."""
    from device.health.checks import CHECKS
    from device.health.monitor import look
    from device.health.set_up import SET_UP_CHECKS
    from device.health.state import Finding, Judge, State
    from device.health.subject import Subject

    subject, judge = Subject(settings), Judge()
    for check in (*SET_UP_CHECKS, *CHECKS):
        if told is not None and check.key in ("source", "signals"):  # two cannot have them
            yield Finding(check, State.NOTED, None, (HELD, HELD))
            continue
        (finding,) = look(subject, [check], judge)
        if finding.state is State.UNKNOWN and told is not None:
            finding = judge.told(check, told.get("checks", {}).get(check.key)) or finding
        yield finding
