"""`schockauge simulate`: a rendered table with physically thrown dice, and the truth about it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.commands import simulate_tournament
from device.commands.common import add_json, new_parser, print_json, progress
from device.errors import UsageError
from device.simulate_names import DISTURBANCES, LAYOUT_NAMES

if TYPE_CHECKING:
    from device.simulate import Request

EPILOG = """\
A game is played by the rules, with values and behaviour from the seed: the opening round, then
--rounds rounds (or --half: until one has all Deckel). --script plays a written game instead, one
action a line, in the form that `schockauge replay` reads:

  {"book": "turnier", "players": ["A", "B", "C"]}
  {"type": "throw", "player": "A", "dice": [6, 6, 1]}
  {"type": "throw", "player": "B", "dice": [], "burns": "tower"}

With --clips many games are played, by all books, with 2 to 6 players, in both layouts and with two
disturbances each: NAME.mp4 with NAME.truth.jsonl, NAME.game.jsonl and NAME.about.json. What is
there is not made again; --layout and --disturb make all of them alike.

Disturbances (--disturb a,b,c; "none" for none):
{disturbances}

The truth has the form of `schockauge watch --json`, and one line of type "round" per settlement.
The clip is H.264 and takes about twice its length to render on one core. Needs the extra: make sim
"""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "simulate",
        "Render a game on a simulated table, and write what truly happens in it.",
        example="schockauge simulate --out clip.mp4 --truth truth.jsonl --players 3 --seed 7 "
        "--rounds 2\n  schockauge simulate --clips 40 --out clips --seed 5000\n"
        "  schockauge simulate --beautiful --still 5 --out table.png --seed 7\n"
        "  schockauge simulate tournament --tables 12 --players 48",
        epilog=EPILOG.replace("{disturbances}", _listed()),
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="CLIP.mp4",
        help="the clip; of --clips the folder; needed",
    )
    parser.add_argument(
        "--clips", type=int, metavar="N", help="so many games with their truths, for bench watch"
    )
    parser.add_argument("--truth", type=Path, metavar="FILE", help="the truth, JSON lines")
    parser.add_argument("--game", type=Path, metavar="FILE", help="what was played, JSON lines")
    parser.add_argument("--players", type=int, default=3, metavar="N", help="2 to 6 (3)")
    parser.add_argument("--seed", type=int, default=7, metavar="N", help="of all chance (7)")
    game = parser.add_mutually_exclusive_group()
    game.add_argument("--rounds", type=int, default=1, metavar="N", help="after the opening (1)")
    game.add_argument("--half", action="store_true", help="until one player has all Deckel")
    game.add_argument("--script", type=Path, metavar="FILE", help="a written game, JSON lines")
    parser.add_argument("--book", default="turnier", metavar="NAME", help="rule book (turnier)")
    parser.add_argument(
        "--pause", type=float, default=0.0, metavar="S", help="quiet seconds at the end (0)"
    )
    parser.add_argument("--fps", type=float, default=15.0, metavar="N", help="5 to 60 (15)")
    parser.add_argument(
        "--size", type=_size, metavar="WxH", help="pixels (960x720; with seats 1440x1080)"
    )
    parser.add_argument(
        "--layout", choices=LAYOUT_NAMES, help="one throwing zone for all, or a seat each (shared)"
    )
    parser.add_argument("--disturb", metavar="NAMES", help="disturbances, with commas between")
    parser.add_argument(
        "--beautiful", action="store_true", help="without grain, for people; five times as slow"
    )
    parser.add_argument(
        "--still", type=float, metavar="S", help="only the picture at this second; --out is a .png"
    )
    add_json(parser)
    kinds = parser.add_subparsers(dest="kind", metavar="tournament")
    simulate_tournament.add_parser(kinds)


def _listed() -> str:
    return "\n".join(f"  {name:12} {what}" for name, what in DISTURBANCES.items())


def run(args: argparse.Namespace) -> int:
    """Simulate; a bar shows the frames."""
    if args.kind == "tournament":
        return simulate_tournament.run(args)
    if args.out is None:
        raise UsageError("simulate needs --out: where the clip goes.")
    from device.simulate import BEAUTIFUL_RAYS, FAST_RAYS, Request, simulate

    for path in (args.out, args.truth, args.game):
        if path is not None and not path.absolute().parent.is_dir():
            raise UsageError(f"the folder of {path} does not exist; make it first.")
    model = Request(
        out=args.out,
        truth=args.truth,
        game=args.game,
        players=args.players,
        seed=args.seed,
        rounds=None if args.half else args.rounds,
        script=args.script,
        book=args.book,
        fps=args.fps,
        size_px=args.size,
        layout=args.layout or "shared",
        pause_s=args.pause,
        disturbances=_names(args.disturb) or (),
        rays=BEAUTIFUL_RAYS if args.beautiful else FAST_RAYS,
        still_s=args.still,
    )
    if args.clips is not None:
        return _series(args, model)
    summary = simulate(model, progress=_bar)
    if args.json:
        print_json({"file": str(args.out), **vars(summary)})
    else:
        print(
            f"{args.out}: {summary.seconds:.0f} s, {summary.frames} frames, "
            f"{summary.throws} throws, {summary.rounds} rounds"
        )
    return 0


def _series(args: argparse.Namespace, model: Request) -> int:
    """Make many clips, one after the other."""
    from device.simulate import simulate
    from device.simulate_series import planned

    alone = [
        name for name in ("truth", "game", "script", "still") if getattr(args, name) is not None
    ]
    if alone:
        raise UsageError(
            f"--{alone[0]} is for one game; --clips writes a truth and a game for each."
        )
    if args.out.exists() and not args.out.is_dir():
        raise UsageError(f"{args.out} is a file; --clips needs a folder.")
    args.out.mkdir(exist_ok=True)
    named = {"layouts": (args.layout,)} if args.layout else {}
    clips = planned(args.out, args.clips, model, disturbances=_names(args.disturb), **named)
    for clip in clips:
        if not clip.is_there:
            summary = simulate(clip.request, progress=_bar)
            clip.write_about()
            throws, rounds = summary.throws, summary.rounds
            if not args.json:
                print(
                    f"{clip.request.out}: {summary.seconds:.0f} s, {throws} throws, {rounds} rounds"
                )
        if args.json:
            print_json({"file": str(clip.request.out), "seed": clip.request.seed})
    return 0


def _names(words: str | None) -> tuple[str, ...] | None:
    """Names of disturbances; None where nothing is said about them."""
    if words is None:
        return None
    return () if words == "none" else tuple(words.split(","))


def _bar(frames: Iterator[None], count: int) -> Iterable[None]:
    return progress(frames, total=count, unit="frame")


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no size; expected WIDTHxHEIGHT such as 960x720"
        ) from None
    return width, height
