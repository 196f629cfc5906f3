"""`schockauge pin`: sets the PIN of a role, at the appliance itself."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import Any

from device.commands.common import add_settings, new_parser, settings_from

ROLES = ("table", "referee", "admin")


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "pin",
        "Set the PIN of a role; whoever is signed in with the old one is signed out at once.",
        example="schockauge pin --role referee\n  echo 314159 | schockauge pin --role referee",
        epilog="The PIN is asked for, or read from a pipe; it is no word of the command, which\n"
        "others of this machine could see. A running table takes it over by itself.\n",
    )
    parser.add_argument("--role", choices=ROLES, required=True, help="whose PIN")
    parser.add_argument("--log", metavar="FILE", help="file of the log that the PINs lie beside")
    add_settings(parser)


def run(args: argparse.Namespace) -> int:
    """Ask for the PIN, hash it, keep it."""
    from device import bootstrap
    from device.errors import SettingsError
    from web_ui.pins import BadPin

    pins = bootstrap.pins(settings_from(args, store__path=args.log))
    try:
        pins.set(args.role, _asked_for(args.role))
    except BadPin as error:
        raise SettingsError(f"{error}.") from error
    print(f"The PIN of {args.role} is set.", file=sys.stderr)
    return 0


def _asked_for(role: str) -> str:
    """From the keyboard, twice and unseen; from a pipe the first line."""
    from device.errors import UsageError

    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    pin = getpass.getpass(f"New PIN of {role}: ")
    if getpass.getpass("Once more: ") != pin:
        raise UsageError("the two PINs differ; nothing was changed.")
    return pin
