"""`schockauge hub run`: the hub of a tournament: broker, database and pages until Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading

from device.commands.common import need_hub, print_json, settings_from, tell_first_pin

EPILOG = """\
Everything is kept in one folder (hub.folder): paired tables, certificates, PINs, pictures of
disputes, and the database, unless hub.database names one of PostgreSQL, such as
postgresql://schockauge@localhost/schockauge. Whoever opens the page at /tournament/desk
signs in with the PIN that is shown here once.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--folder", metavar="DIR", help="of the hub (hub)")
    parser.add_argument("--database", metavar="URL", help="sqlite:///FILE or postgresql://…")
    parser.add_argument("--host", metavar="ADDRESS", help="of the pages; 0.0.0.0: all")
    parser.add_argument("--port", type=int, metavar="NUMBER", help="of the pages (8090); 0: any")
    parser.add_argument(
        "--no-broker", action="store_true", help="Mosquitto runs already (`schockauge hub broker`)"
    )


def run(args: argparse.Namespace) -> int:
    """Run the hub."""
    need_hub()
    from device.bootstrap_hub import HubAppliance
    from device.health.systemd import Notifier, Watchdog
    from device.health.vitals import Vitals

    settings = settings_from(
        args,
        hub__folder=args.folder,
        hub__database=args.database,
        web__host=args.host,
        web__port=8090 if args.port is None and not args.settings else args.port,
    )

    def died(why: str) -> None:
        print(f"schockauge: warning: {why}", file=sys.stderr)

    appliance = HubAppliance(settings, with_broker=not args.no_broker, died=died)
    with appliance as at_work:
        url, where = at_work.server.url, at_work.folder.settings
        if args.json:
            told = {"url": url, "broker": f"{where.host}:{where.port}"}
            print_json({**told, "tables": list(at_work.tables)})
        else:
            print(
                f"Das Turnier: {url}tournament (Spielleitung: {url}tournament/desk, Leinwand: "
                f"{url}tournament/wall), Broker {where.host}:{where.port}, "
                f"{len(at_work.tables)} Tische gekoppelt. Strg-C beendet.",
                file=sys.stderr,
            )
            tell_first_pin(at_work.first_pin)
        tables = f"{len(at_work.tables)} tables paired"
        alive = Watchdog(Notifier(), Vitals(), url, lambda: tables)  # a hub watches no camera
        with alive, contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
    return 0
