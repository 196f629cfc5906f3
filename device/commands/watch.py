"""`schockauge watch`: the table events of a clip, folder or camera, no game attached."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from device.commands.common import (
    add_json,
    add_models,
    new_parser,
    print_json,
    progress,
    settings_from,
)

if TYPE_CHECKING:
    from device.frame_watch import Trouble


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "watch",
        "Tell what happens on the mat: cups, throws, dice put aside or turned.",
        example="schockauge watch clip.mp4 --json",
        epilog="with seats: schockauge watch clip.mp4 --seats Anna,Bert,Cem --mat-size 600x450\n",
    )
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="clip, folder of pictures, picamera:0, camera:0, rtsp://..., or hostile:PLAN:SOURCE",
    )
    parser.add_argument("--mat", metavar="FILE", help="calibration; default: the mat's markers")
    parser.add_argument(
        "--mat-size", type=_size, metavar="WxH", help="of the mat in mm; default: 420x315"
    )
    parser.add_argument(
        "--seats",
        type=_names,
        metavar="NAME,NAME",
        help="every player has a part of the mat; clockwise from the picture's lower edge",
    )
    add_json(parser)
    add_models(parser)


def run(args: argparse.Namespace) -> int:
    """Watch to the end of the source."""
    from device import bootstrap, places
    from device.camera_settings import camera_settings
    from device.sources import Reopening, open_source
    from device.troubles import UNWATCHED
    from device.watching import watch

    width_mm, height_mm = args.mat_size or (None, None)
    settings = settings_from(
        args,
        table__mat_file=args.mat,
        table__mat_width_mm=width_mm,
        table__mat_height_mm=height_mm,
        table__layout="seats" if args.seats else None,
        table__seats=args.seats,
    )
    places.seats(settings)  # said before the source is opened
    language = settings["web.language"]
    source = open_source(args.source, camera_settings(settings))
    with Reopening(lambda: source) as items:
        frames = progress(items, total=source.frame_count, unit="frame")
        told: Trouble | None = None
        for moment in watch(
            frames, lambda frame: bootstrap.watcher(settings, frame), live=source.live
        ):
            if moment.trouble != told:
                _say_trouble(moment.trouble, told, language)
            told = moment.trouble
            if not moment.is_guarded:
                _say_of_camera(UNWATCHED, language)
            for event in moment.events:
                if args.json:
                    print_json(event.to_json())
                else:
                    _say(event.to_json())
    return 0


def _say_trouble(now: Trouble | None, before: Trouble | None, language: str) -> None:
    """What has become of the picture; a trouble is named once."""
    from device.troubles import GOOD_AGAIN, TROUBLES

    if now is None:
        _say_of_camera(GOOD_AGAIN, language)
    elif before is None or now.what != before.what:
        _say_of_camera(TROUBLES[now.what], language, f"{now.since_s:.2f} s: ", now.problem)


def _say_of_camera(texts: tuple[str, str], language: str, at: str = "", more: str = "") -> None:
    """On stderr: what is printed on stdout are facts about the table."""
    text = texts[0] if language == "de" else texts[1]
    print(f"schockauge: {at}{text} {more}".rstrip(), file=sys.stderr, flush=True)


def _size(words: str) -> tuple[float, float]:
    """Width and height, as in 600x450."""
    try:
        width_mm, height_mm = (float(word) for word in words.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{words!r} is no size, expected width and height in mm, such as 600x450"
        ) from None
    return width_mm, height_mm


def _names(words: str) -> list[str]:
    """Names between commas."""
    names = [name.strip() for name in words.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError(f"{words!r} lacks a name, expected such as Anna,Bert")
    return names


def _say(line: dict[str, Any]) -> None:
    dice = " ".join(str(die) for die in line["dice"])
    outside = f"  (draußen: {' '.join(str(die) for die in line['outside'])})"
    seat = f"{line['seat']:<10} " if line["seat"] else ""
    told = f"{dice}{outside if line['outside'] else ''}"
    print(f"{line['t_s']:9.2f} s  {seat}{line['type']:<10} {told}")
    sys.stdout.flush()
