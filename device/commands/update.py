"""`schockauge update`: another version takes over, or the one before again."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

from device.commands.common import add_settings, new_parser, settings_from


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "update",
        "Back up, let another version look at itself, let it take over, and go back by itself when "
        "it does not get ready; the evening under way goes on.",
        example="schockauge update --settings /var/lib/schockauge/table.toml new-checkout/\n"
        "  schockauge update --settings /var/lib/schockauge/table.toml --rollback",
        epilog="As root. The running version stops only once the other works: docs/keeping.md\n",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "path", type=Path, nargs="?", metavar="PATH", help="a checkout, or a version made ready"
    )
    what.add_argument("--rollback", action="store_true", help="the version before takes over again")
    parser.add_argument(
        "--root", type=Path, metavar="FOLDER", help="of the versions; default: /opt/schockauge"
    )
    parser.add_argument(
        "--restart",
        metavar="COMMAND",
        help="stops the appliance and starts the new one; default: systemd, where it runs",
    )
    parser.add_argument(
        "--backup-to", type=Path, metavar="FOLDER", help="default: 'backups' beside the log"
    )
    parser.add_argument(
        "--ready-s", type=float, default=90.0, metavar="S", help="patience with the new one (90)"
    )
    add_settings(parser)


def run(args: argparse.Namespace) -> int:
    """Update or roll back; status 1 where the version before runs (again)."""
    from device.releases import UNIT
    from device.update import ROOT, Plan, roll_back, systemd_restart, update

    settings = settings_from(args)
    restart = systemd_restart() if args.restart is None else tuple(shlex.split(args.restart))
    plan = Plan(
        root=args.root or ROOT,
        settings=settings,
        settings_file=args.settings,
        restart=restart,
        ready_s=args.ready_s,
        say=lambda text: print(text, file=sys.stderr, flush=True),
        unit=UNIT if restart and args.restart is None and UNIT.is_file() else None,
    )
    backups = args.backup_to or Path(settings["store.path"]).parent / "backups"
    release = roll_back(plan, backups) if args.rollback else update(plan, args.path, backups)
    print(f"{plan.current} -> {release}")
    return 0
