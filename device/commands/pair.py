"""`schockauge pair`: pairs this table with the hub of a tournament."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.commands.common import add_json, add_settings, new_parser, print_json, settings_from

if TYPE_CHECKING:
    from device.pairing_file import Pairing
    from device.settings import Settings

DEFAULT_FILE = "schockauge-pairing.json"


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "pair",
        "Pair this table with the hub of a tournament.",
        example="schockauge pair http://192.168.1.5:8080/ 7-482913\n"
        "  schockauge pair --camera\n"
        "  schockauge pair --file /media/stick/table-7.pairing.json",
        epilog="Address and code are on the hub's screen (`schockauge hub pair TABLE --code`).\n"
        "Who listens in the network learns nothing of use; who sees the code before it is\n"
        "used could use it. With --camera the QR code is held under the camera.\n",
    )
    parser.add_argument("url", nargs="?", metavar="URL", help="address of the hub")
    parser.add_argument("code", nargs="?", metavar="CODE", help="such as 7-482913")
    parser.add_argument("--camera", action="store_true", help="read both from the QR code")
    parser.add_argument(
        "--source", metavar="SOURCE", help="with --camera: which; default: the table's"
    )
    parser.add_argument("--file", type=Path, metavar="FILE", help="take a pairing file from there")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help=f"where the pairing is kept; default: hub.pairing_file, or {DEFAULT_FILE}",
    )
    add_settings(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Get the pairing, keep it, and say how it is used."""
    from device.errors import UsageError
    from device.pairing_file import save_pairing

    ways = [args.url is not None, args.camera, args.file is not None]
    if sum(ways) != 1 or (args.url is not None and args.code is None):
        raise UsageError("name URL and CODE of the hub, or --camera, or --file FILE.")
    settings = settings_from(args, table__source=args.source)
    set_file = settings["hub.pairing_file"]
    path = args.out or Path(set_file or DEFAULT_FILE)
    pairing = _pairing(args, settings)
    save_pairing(path, pairing)
    if args.json:
        print_json({"table": pairing.table, "file": str(path), "hub": pairing.access.host})
        return 0
    print(f"Gekoppelt als {pairing.table}: {path}", file=sys.stderr)
    if str(path) != set_file:
        print(f'In die Einstellungen: [hub] pairing_file = "{path}"', file=sys.stderr)
    return 0


def _pairing(args: argparse.Namespace, settings: Settings) -> Pairing:
    from device.pairing_client import Invitation, ask_for_pairing
    from device.pairing_exchange import Code
    from device.pairing_file import load_pairing

    if args.file is not None:
        return load_pairing(args.file)
    if args.url is not None:
        return ask_for_pairing(Invitation(args.url, Code.read(args.code)))
    from device.camera_settings import camera_settings
    from device.pairing_camera import find_invitation
    from device.sources import open_source

    print("Den QR-Code der Turnierleitung unter die Kamera halten …", file=sys.stderr)
    with open_source(settings["table.source"], camera_settings(settings)) as frames:
        return ask_for_pairing(find_invitation(frames))
