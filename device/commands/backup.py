"""`schockauge backup`: the whole table in one file, also while it plays."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from device.commands.common import add_json, add_settings, new_parser, print_json, settings_from

EPILOG = """\
In it: log, settings with their earlier versions, PINs (hashed), calibration, own dice, own rule
book, pairing with the hub; each with its SHA-256. The file is for its owner alone (mode 600): with
the pairing one can play the table's part. Stills and clips only with --evidence. A timer of systemd
does it every night, see docs/keeping.md.
"""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "backup",
        "Write log, settings, PINs, calibration, own books and pairing into one file; the table "
        "may be playing.",
        example="schockauge backup --settings table.toml /media/usb\n"
        "  schockauge backup --settings table.toml --to /media/usb --keep 30",
        epilog=EPILOG,
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "file", type=Path, nargs="?", metavar="FILE|FOLDER", help="a new file, or a folder for it"
    )
    where.add_argument("--to", type=Path, metavar="FILE|FOLDER", help="the same")
    parser.add_argument("--evidence", action="store_true", help="take stills and clips along")
    parser.add_argument(
        "--without-secrets", action="store_true", help="leave PINs and pairing at home"
    )
    parser.add_argument(
        "--keep", type=int, metavar="N", help="afterwards remove all but the N newest of this log"
    )
    parser.add_argument("--log", metavar="FILE", help="the log; default: store.path")
    add_settings(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Write the backup, and say what is in it."""
    from device.backup import back_up
    from device.backup_folder import tidy_folder
    from device.errors import UsageError

    to = args.file or args.to
    if args.keep is not None and (args.keep < 1 or not to.is_dir()):
        raise UsageError(f"--keep is {args.keep}; expected 1 or more, and a folder of backups.")
    settings = settings_from(args, store__path=args.log)
    made = back_up(
        settings, args.settings, to, evidence=args.evidence, secrets=not args.without_secrets
    )
    gone = tidy_folder(to, args.keep, made.path) if args.keep is not None else []
    log = Path(settings["store.path"])
    if args.json:
        told = {"path": str(made.path), "bytes": made.bytes, "entries": made.entries}
        told |= {"seal": made.seal, "files": list(made.files), "lacking": list(made.lacking)}
        told |= {"same_disk": made.same_disk, "noted": made.noted}
        print_json({**told, "removed": [str(path) for path in gone]})
        return 0
    files = f"{len(made.files)} Dateien, {made.entries} Einträge, {made.bytes / 1e6:.1f} MB"
    print(f"{made.path}: {files}. Siegel: {made.seal}")
    for path in made.lacking:
        print(f"Es fehlt, obwohl die Einstellungen es nennen: {path}")
    if not made.noted:
        print(
            f"Neben {log} ließ sich nicht vermerken, dass gesichert wurde (nur lesbar oder voll?)."
        )
    if made.same_disk:
        print("Die Sicherung liegt auf demselben Datenträger wie das Protokoll.")
    return 0
