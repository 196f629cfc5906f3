"""`schockauge run`: the table appliance: camera, game and dashboard until Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

from device.commands.common import add_models, help_of, new_parser, tell_first_pin
from device.settings import Settings, load_settings

if TYPE_CHECKING:
    from device.appliance import Appliance
    from device.errors import AddressError
    from device.server import DashboardServer
    from device.setup_stage import Stage
    from device.setup_table import TableSetup


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "run",
        "Watch the table, play by the rules, show the dashboard; Ctrl-C ends.",
        example="schockauge run --settings table.toml",
    )
    parser.add_argument("--source", metavar="SOURCE", help=help_of("table.source"))
    parser.add_argument("--book", metavar="NAME", help=help_of("game.book"))
    parser.add_argument("--players", nargs="+", metavar="NAME", help=help_of("game.players"))
    parser.add_argument("--log", metavar="FILE", help=help_of("store.path"))
    parser.add_argument("--host", metavar="ADDRESS", help=help_of("web.host"))
    parser.add_argument("--port", type=int, metavar="NUMBER", help=help_of("web.port"))
    parser.add_argument(
        "--once", action="store_true", help="end when the source ends; as if --strict"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="with settings that cannot be used end with the error, without safe mode",
    )
    parser.add_argument(
        "--setup", action="store_true", help="begin with the set-up in the browser, at /setup"
    )
    add_models(parser)


def run(args: argparse.Namespace) -> int:
    """Run the evening. A lost camera is a fault on the page; it is opened anew by itself."""
    from device.errors import CameraStuckError
    from device.memory import keep_small
    from device.restarting import STATUS

    keep_small()
    try:
        return _run(args)
    except CameraStuckError as stuck:
        print(f"schockauge: error: {stuck}", file=sys.stderr, flush=True)
        # All is closed but the camera, and a usual end would wait for its driver.
        os._exit(STATUS)


def _run(args: argparse.Namespace) -> int:
    from device.restarting import STATUS
    from device.setup_life import Life, watched_life
    from device.setup_stage import Stage
    from device.standing import standing
    from rules.view import snapshot

    settings, appliance, setup = _started(args)
    life = Life(setup, appliance, Stage(appliance.app), patient=not args.once)
    try:
        server, misplaced = _server(args, settings, life.stage)
        with server:
            print(f"Schockauge läuft: {server.url} (Strg-C beendet)", file=sys.stderr)
            if setup.is_on:
                print(f"Einrichten: {server.url}setup", file=sys.stderr)
            tell_first_pin(appliance.first_pin)
            life.start()
            _tell_place(life.appliance, misplaced)
            # Ctrl-C is the usual end of an evening.
            with watched_life(life, server.url), contextlib.suppress(KeyboardInterrupt):
                life.go_on()
                while not args.once:  # a clip is over: the page stays
                    life.idle()
                    life.go_on()
        print(standing(snapshot(life.appliance.game.match)))
    finally:
        life.close()
    return STATUS if life.appliance.restarting.wanted else 0


def _server(
    args: argparse.Namespace, settings: Settings, stage: Stage
) -> tuple[DashboardServer, AddressError | None]:
    """The server of the pages, and what was wrong with the address that the settings file names."""
    from device import bootstrap
    from device.listening import reachable

    typed = args.host is not None or args.port is not None  # who types these is at the console
    if typed or args.strict or args.once:
        return bootstrap.serve(settings, stage), None
    return reachable(settings, stage)


def _tell_place(appliance: Appliance, misplaced: AddressError | None) -> None:
    from device.listening import FAULT

    if misplaced is None:
        appliance.fault_over(FAULT)
        return
    print(f"schockauge: error: {misplaced}", file=sys.stderr)
    appliance.report(FAULT, problem=str(misplaced))


def _started(args: argparse.Namespace) -> tuple[Settings, Appliance, TableSetup]:
    """The table, put together; with a broken settings file after somebody has mended it."""
    from device import safe_mode
    from device.camera_settings import camera_settings
    from device.setup_life import built, make_setup, settings_path
    from device.sources import verify_source

    given = {
        "table.source": args.source,
        "game.book": args.book,
        "game.players": args.players,
        "store.path": args.log,
        "web.host": args.host,
        "web.port": args.port,
        "model.folder": args.models,
    }
    path = settings_path(args.settings, Settings().with_values(given))
    named = args.settings or (path if path.exists() else None)

    def prepare() -> tuple[Settings, Appliance, TableSetup]:
        settings = load_settings(named).with_values(given)
        camera_settings(settings)  # said before the log is opened, as is the next
        verify_source(settings["table.source"])
        setup = make_setup(settings, path, given, wanted=args.setup, fresh=not args.once)
        return settings, built(settings, setup), setup

    Settings().with_values(given)  # who types these is at the console, and told there
    if args.source is not None:
        verify_source(args.source)
    if named is None or args.strict or args.once:
        return prepare()
    (settings, appliance, setup), notes = safe_mode.start(prepare, named, given)
    for kind, data in notes:
        appliance.game.note(kind, data)
    return settings, appliance, setup
