"""`schockauge restore`: bring a backup back; nothing is overwritten."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from device.commands.common import add_json, add_settings, new_parser, print_json


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "restore",
        "Bring a backup back after checking all of it; what is there is kept beside it.",
        example="schockauge restore --settings table.toml "
        "/media/usb/schockauge-2026-01-31-030000.zip",
        epilog="The table must not be running. Everything goes where the backup's settings say.\n",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="made by `schockauge backup`")
    parser.add_argument(
        "--keep-settings", action="store_true", help="the settings that are there stay"
    )
    parser.add_argument(
        "--older", action="store_true", help="also where the log has all of the backup and more"
    )
    add_settings(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Bring it back, and say where everything is now."""
    from device.backup_restore import restore

    done = restore(args.file, args.settings, keep_settings=args.keep_settings, older=args.older)
    if args.json:
        told = {"log": str(done.log), "entries": done.entries, "seal": done.seal}
        placed, aside = ([str(path) for path in paths] for paths in (done.placed, done.aside))
        print_json({**told, "placed": placed, "aside": aside})
        return 0
    print(f"{done.log}: {done.entries} Einträge. Siegel: {done.seal}")
    for path in done.aside:
        print(f"Was vorher da war, liegt in {path}")
    return 0
