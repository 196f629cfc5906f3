"""`schockauge hub pair` and `unpair`: which tables may speak to the hub."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands.common import print_json, settings_from

if TYPE_CHECKING:
    from device.hub.broker_folder import BrokerFolder
    from device.hub.pairing import Offer, PairingDesk

POLL_S = 0.2
THREADS = 8

EPILOG = """\
Without --code a file TABLE.pairing.json is written for every table: carry it there on
a USB stick (`schockauge pair --file`) and delete it; whoever has it is that table.
With --code the code of one table after the other is shown, as six digits and as a QR
code; it holds ten minutes and once.
"""


def add_names(parser: argparse.ArgumentParser) -> None:
    """Add the tables."""
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="such as table-7")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="such as table-7")
    parser.add_argument(
        "--home-assistant", action="store_true", help="let Home Assistant look on; shows how"
    )
    parser.add_argument("--out", metavar="FILE", type=Path, help="the file, for one table")
    parser.add_argument("--code", action="store_true", help="show a code instead of writing a file")
    parser.add_argument(
        "--port", type=int, default=0, metavar="NUMBER", help="where tables ask; default: any free"
    )


def run(args: argparse.Namespace) -> int:
    """Pair the tables."""
    from device.errors import UsageError
    from device.hub.assembling import broker_folder
    from device.hub_wire import check_table

    if bool(args.tables) == args.home_assistant:
        raise UsageError("name tables, or --home-assistant.")
    if args.out is not None and (args.code or len(args.tables) > 1):
        raise UsageError("--out names the file of one table, and goes without --code.")
    folder = broker_folder(settings_from(args))
    for table in args.tables:
        check_table(table)
    folder.prepare()
    if args.home_assistant:
        return _show_home_assistant(args, folder)
    return _show_codes(args, folder) if args.code else _write_files(args, folder)


def run_unpair(args: argparse.Namespace) -> int:
    """End pairings; exit 1 when one was none."""
    from device.errors import HubError
    from device.hub.assembling import broker_folder

    folder = broker_folder(settings_from(args))
    strangers = [table for table in args.tables if not folder.withdraw(table)]
    for table in args.tables:
        if args.json:
            print_json({"table": table, "unpaired": table not in strangers})
        elif table not in strangers:
            print(f"{table} ist nicht mehr gekoppelt.", file=sys.stderr)
    if strangers:
        raise HubError(f"{', '.join(strangers)}: no such table was paired.")
    return 0


def _show_home_assistant(args: argparse.Namespace, folder: BrokerFolder) -> int:
    access = folder.home_assistant_access()
    told = {
        "host": access.host,
        "port": access.port,
        "user": access.user,
        "password": access.password,
        "certificate": str(folder.folder / "ca.pem"),
    }
    if args.json:
        print_json(told)
    else:
        print("\n".join(f"{name}: {said}" for name, said in told.items()))
    return 0


def _write_files(args: argparse.Namespace, folder: BrokerFolder) -> int:
    from device.pairing_file import save_pairing

    for table in args.tables:
        path = args.out or Path(f"{table}.pairing.json")
        save_pairing(path, folder.issue(table))
        if args.json:
            print_json({"table": table, "file": str(path)})
        else:
            print(f"{table}: {path}", file=sys.stderr)
    return 0


def _show_codes(args: argparse.Namespace, folder: BrokerFolder) -> int:
    from device.hub.assembling import pairing_desk
    from device.server import DashboardServer
    from web_ui.pairing import create_pairing_app

    def report(why: str) -> None:
        print(f"schockauge: warning: {why}", file=sys.stderr)

    desk = pairing_desk(folder, report)
    app = create_pairing_app(desk)
    with DashboardServer(app, host="0.0.0.0", port=args.port, threads=THREADS) as server:
        url = f"http://{folder.settings.host}:{server.port}/"
        try:
            for table in args.tables:
                _pair(args, desk, table, url)
        finally:
            server.settle()  # whoever asked last gets an answer before the door is shut
    return 0


def _pair(args: argparse.Namespace, desk: PairingDesk, table: str, url: str) -> None:
    offer = desk.offer(table)
    _show(args, offer, url)
    _wait(desk, offer)
    if args.json:
        print_json({"table": table, "paired": True})
    else:
        print(f"{table} ist gekoppelt.", file=sys.stderr)


def _show(args: argparse.Namespace, offer: Offer, url: str) -> None:
    import segno

    from device.pairing_client import Invitation

    invitation = Invitation(url, offer.code)
    if args.json:
        code = str(offer.code)
        print_json({"table": offer.table, "url": url, "code": code, "qr": invitation.to_text()})
        return
    segno.make(invitation.to_text(), micro=False).terminal(out=sys.stderr, compact=True)
    print(
        f"{offer.table}: am Tisch unter die Kamera halten (schockauge pair --camera), oder dort:\n"
        f"  schockauge pair {url} {offer.code}\n"
        "Der Code gilt zehn Minuten und einmal.",
        file=sys.stderr,
    )


def _wait(desk: PairingDesk, offer: Offer) -> None:
    from device.errors import HubError

    while not desk.is_paired(offer):
        if not desk.is_open(offer) and not desk.is_paired(offer):
            raise HubError(f"The code of {offer.table} is void; run the command again.")
        time.sleep(POLL_S)
