"""`schockauge hub broker`: Mosquitto in the foreground, or how another one is set up."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading

from device.commands.common import print_json, settings_from

EPILOG = """\
A Mosquitto that runs already as a service can be used instead: `--print` shows the
file for /etc/mosquitto/conf.d/. It then has to be told of every pairing by
`systemctl reload mosquitto`.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--print", action="store_true", help="prepare the folder, show the configuration, and end"
    )


def run(args: argparse.Namespace) -> int:
    """Run the broker until Ctrl-C; one that dies is started again."""
    from device.hub.assembling import broker_folder
    from device.hub.broker import Broker

    folder = broker_folder(settings_from(args))
    if args.print:
        folder.prepare()
        print(folder.config.read_text(encoding="utf-8"), end="")
        return 0
    where, tables = folder.settings, sorted(folder.keys())

    def died(why: str) -> None:
        print(f"schockauge: warning: {why}", file=sys.stderr)

    with Broker(folder, died):
        if args.json:
            print_json({"host": where.host, "port": where.port, "tables": tables})
        else:
            print(
                f"Der Broker läuft: {where.host}:{where.port}, gekoppelte Tische: "
                f"{', '.join(tables) or 'keine'} (Strg-C beendet)",
                file=sys.stderr,
            )
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
    return 0
