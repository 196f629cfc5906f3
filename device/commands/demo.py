"""`schockauge demo`: a recorded pub table, read, judged and shown, from clip to Deckel."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from device.commands.common import (
    add_json,
    add_models,
    new_parser,
    print_json,
    settings_from,
    tell_first_pin,
)

READ_S = 0.5
"""How long the printer of events waits for new ones before it looks whether it is done."""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "demo",
        "Play a recorded table through model, rules and dashboard; Ctrl-C ends.",
        example="schockauge demo --fast --once\n  schockauge demo --live --disturb arms,shadow",
    )
    parser.add_argument("--clip", type=Path, metavar="FILE", help="another clip; default: ours")
    parser.add_argument(
        "--live",
        action="store_true",
        help="play without end on a simulated table instead (needs the extra: make sim)",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="of --live (7)")
    parser.add_argument("--disturb", metavar="NAMES", help="of --live; see simulate --help")
    parser.add_argument("--fast", action="store_true", help="as fast as it can be read")
    parser.add_argument("--once", action="store_true", help="end with the clip, print the standing")
    parser.add_argument("--no-browser", action="store_true", help="do not open the dashboard")
    parser.add_argument("--host", metavar="ADDRESS", help="of the dashboard")
    parser.add_argument("--port", type=int, metavar="NUMBER", help="of the dashboard; 0: any")
    parser.add_argument("--book", metavar="NAME", help="rule book")
    parser.add_argument("--players", nargs="+", metavar="NAME", help="clockwise; default: A B C")
    parser.add_argument("--log", type=Path, metavar="FILE", help="keep the log in this new file")
    add_json(parser)
    add_models(parser)


def run(args: argparse.Namespace) -> int:
    """Play the clip."""
    from device import bootstrap, demo_material
    from device.errors import SchockaugeError, StoreError
    from device.sources import at_real_speed
    from device.standing import standing
    from rules.view import snapshot

    if args.log is not None and args.log.exists():
        raise StoreError(f"{args.log} exists already; the demo begins a new log: name another.")
    with (
        tempfile.TemporaryDirectory(prefix="schockauge-demo-") as folder,
        _source(args) as source,
    ):
        settings = settings_from(
            args,
            game__book=args.book,
            game__players=args.players,
            store__path=str(args.log or Path(folder) / "demo.sqlite3"),
            store__evidence_dir=str(Path(folder) / "stills"),
            store__pins_file=str(Path(folder) / "pins.json"),
            web__table_needs_pin=False,  # whoever tries it out answers with one tap
            table__camera_fov_deg=None if args.clip else demo_material.FOV_DEG,
            web__host=args.host,
            web__port=args.port,
        )
        appliance = bootstrap.build(settings)
        try:
            with bootstrap.serve(settings, appliance.app) as server:
                print(f"Die Anzeige: {server.url}", file=sys.stderr)
                tell_first_pin(appliance.first_pin)
                if not args.no_browser and not args.json:
                    _open_browser(server.url)
                with _printing(appliance.log, as_json=args.json):
                    frames = _next_games(source, appliance) if args.live else iter(source)
                    appliance.play(frames if args.fast else at_real_speed(frames))
                    if not args.once:
                        print("Der Film ist zu Ende; Strg-C beendet die Anzeige.", file=sys.stderr)
                        _wait_for_interrupt()
            if not args.json:
                print(standing(snapshot(appliance.game.match)))
            if (question := appliance.pipeline.open_question) is not None:
                raise SchockaugeError(
                    f"At {question['t_s']:.1f} s the throw of {question['player']} could not be "
                    f"read for sure ({question['reason_en']}) and nobody has answered. Without "
                    "--once the dashboard waits for an answer."
                )
        finally:
            appliance.close()
    return 0


def _source(args: argparse.Namespace) -> Any:
    """The clip, or a table that is played at without end."""
    from device import demo_material
    from device.errors import UsageError
    from device.sources import VideoSource

    if not args.live:
        if args.seed is not None or args.disturb is not None:
            raise UsageError("--seed and --disturb are of a simulated table; add --live.")
        return VideoSource(args.clip or demo_material.clip())
    if args.clip is not None or args.once:
        raise UsageError("--live has no clip and no end; leave out --clip and --once.")
    from device.simulate import Request
    from device.simulate_live import SimulatedTable

    settings = settings_from(args, game__book=args.book, game__players=args.players)
    names = tuple(args.disturb.split(",")) if args.disturb else ()
    return SimulatedTable(
        Request(
            out=Path(),
            players=len(settings["game.players"]),
            seed=7 if args.seed is None else args.seed,
            book=settings["game.book"],
            rounds=None,
            disturbances=names,
        )
    )


def _next_games(source: Any, appliance: Any) -> Iterator[Any]:
    """The frames; when a game is over the next one begins."""
    for frame in source:
        if appliance.game.match.is_over:
            players = list(appliance.game.match.players)
            appliance.pipeline.submit({"type": "begin_game", "players": players, "by": "demo"})
        yield frame


@contextmanager
def _printing(log: Any, *, as_json: bool) -> Iterator[None]:
    """Print the log's entries as they come, and all that are left at the end."""
    from web_ui.sentences import QUIET_TYPES, describe

    done = threading.Event()

    def follow() -> None:
        seq = 0
        while True:
            last_look = done.is_set()
            while page := log.read(seq):
                seq = page[-1].seq
                for entry in page:
                    if as_json:
                        print_json(entry.to_json())
                    elif entry.type not in QUIET_TYPES:
                        line = describe("de", entry.type, entry.data).text
                        print(f"{entry.seq:>4}  {line}", flush=True)
            if last_look:
                return
            log.wait(seq, READ_S)

    printer = threading.Thread(target=follow, name="printer", daemon=True)
    printer.start()
    try:
        yield
    finally:
        done.set()
        printer.join()


def _open_browser(url: str) -> None:
    """Open the page where there is a desktop; a text browser would take over the terminal."""
    if sys.platform == "linux" and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return
    import webbrowser

    webbrowser.open(url)


def _wait_for_interrupt() -> None:
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        print(file=sys.stderr)
