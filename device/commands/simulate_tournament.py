"""`schockauge simulate tournament`: a whole tournament by itself, for rehearsal and load tests."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.commands.common import (
    add_json,
    add_settings,
    need_hub,
    new_parser,
    print_json,
    settings_from,
)
from device.errors import SchockaugeError, SourceError, UsageError
from web_ui.errors import ActionRefused

if TYPE_CHECKING:
    from device.bootstrap_hub import HubAppliance

STEP_S = 0.2
ARRIVAL_S = 60.0

EPILOG = """\
Broker, hub and pages are the real ones; the tables are virtual: each has its own log and plays
real games by the rules, with dice and decisions by chance. Open the address that is shown to see
the wall. Nothing is kept unless --folder says where.

With --pairing the tables alone are played, for a hub that runs already:

  schockauge hub pair table-1 table-2
  schockauge simulate tournament --pairing table-1.pairing.json table-2.pairing.json
"""


def add_parser(kinds: Any) -> None:
    """Add the command below `simulate`."""
    parser = new_parser(
        kinds,
        "tournament",
        "Rehearse a tournament: virtual tables over the real broker, an organiser by chance.",
        example="schockauge simulate tournament --tables 12 --players 48 --format werl\n"
        "  schockauge simulate tournament --tables 6 --players 23 --format leben --once",
        epilog=EPILOG,
    )
    parser.add_argument("--tables", type=int, default=3, metavar="N", help="virtual tables (3)")
    parser.add_argument("--players", type=int, default=12, metavar="N", help="who register (12)")
    parser.add_argument(
        "--format",
        default="werl",
        metavar="NAME",
        help="of the tournament (werl); FILE.toml: your own",
    )
    parser.add_argument("--book", default="turnier", metavar="NAME", help="rule book (turnier)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of all chance (1)")
    parser.add_argument(
        "--move", type=float, default=0.5, metavar="S", help="from one move to the next (0.5)"
    )
    parser.add_argument("--folder", type=Path, metavar="DIR", help="keep everything there")
    parser.add_argument("--database", metavar="URL", help="of the hub (SQLite in the folder)")
    parser.add_argument("--host", metavar="ADDRESS", help="of the pages")
    parser.add_argument("--port", type=int, metavar="NUMBER", help="of the pages; 0: any")
    parser.add_argument("--once", action="store_true", help="end with the tournament")
    parser.add_argument(
        "--pairing", type=Path, nargs="+", metavar="FILE", help="only these tables, for a hub"
    )
    add_json(parser)
    add_settings(parser)


def run(args: argparse.Namespace) -> int:
    """Rehearse."""
    need_hub()
    if args.move < 0 or args.tables < 1:
        raise UsageError("--move is 0 or more, --tables 1 or more.")
    with contextlib.suppress(KeyboardInterrupt), contextlib.ExitStack() as stack:
        folder = args.folder
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="schockauge-")))
        folder.mkdir(parents=True, exist_ok=True)
        if args.pairing:
            _tables_alone(args, folder)
        else:
            _whole(args, folder, stack)
    return 0


def _tables_alone(args: argparse.Namespace, folder: Path) -> None:
    from device.pairing_file import load_pairing
    from device.rehearsal import Tables

    pairings = [load_pairing(path) for path in args.pairing]
    with Tables(pairings, folder, seed=args.seed, move_s=args.move):
        _say(args, f"{len(pairings)} tables play; Ctrl-C ends")
        while True:
            time.sleep(STEP_S)


def _whole(args: argparse.Namespace, folder: Path, stack: contextlib.ExitStack) -> None:
    from device.bootstrap_hub import HubAppliance
    from device.rehearsal import Organiser, Tables, names

    settings = settings_from(
        args,
        hub__folder=str(folder / "hub"),
        hub__database=args.database,
        web__host=args.host,
        web__port=args.port,
    )
    appliance = stack.enter_context(HubAppliance(settings))
    issued = [appliance.folder.issue(f"table-{n}") for n in range(1, args.tables + 1)]
    appliance.hub.pair(appliance.folder.keys())
    stack.enter_context(Tables(issued, folder, seed=args.seed, move_s=args.move))
    _say(args, f"the wall: {appliance.server.url}tournament/wall")
    _wait_for_all(appliance, args.tables)
    organiser = Organiser(
        appliance.hub.front,
        format=_format(args.format),
        players=names(args.players),
        seed=str(args.seed),
        book=args.book,
        said=lambda text: _say(args, text),
    )
    if appliance.hub.front.tournament() is None:
        try:
            organiser.open()
        except ActionRefused as refused:
            raise SchockaugeError(refused.text_en) from refused
    while not organiser.is_over:
        if not organiser.step():
            time.sleep(STEP_S)
    for one in organiser.ranking():
        _say(args, f"{one.place:3}. {one.player}: {one.reason_en}")
    while not args.once:
        time.sleep(STEP_S)


def _format(name: str) -> str:
    """The key of a format, or the text of the file that is named."""
    if not name.endswith(".toml"):
        return name
    try:
        return Path(name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"The format {name} cannot be read: {error}.") from error


def _wait_for_all(appliance: HubAppliance, tables: int) -> None:
    """All tables are there, before anybody is seated."""
    end_s = time.monotonic() + ARRIVAL_S
    while time.monotonic() < end_s:
        if sum(one.online for one in appliance.hub.front.tables()) >= tables:
            return
        time.sleep(STEP_S)


def _say(args: argparse.Namespace, text: str) -> None:
    if args.json:
        print_json({"at_s": round(time.time(), 3), "text": text})
    else:
        print(text, file=sys.stderr)
