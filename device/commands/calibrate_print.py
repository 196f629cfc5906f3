"""`schockauge calibrate --sheet` and `--board`: what is printed before anything is calibrated."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from device.commands.common import print_json
from device.errors import SchockaugeError, UsageError
from device.settings import Settings

PAPERS = ("a4", "a2")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of printing."""
    parser.add_argument("--sheet", type=Path, metavar="FILE.pdf", help="write the mat to print")
    parser.add_argument(
        "--paper", choices=PAPERS, default="a4", help="a4: tiles to glue (default); a2: one page"
    )
    parser.add_argument(
        "--size", metavar="WxH", help="the mat in mm, such as 420x315; default: the settings'"
    )
    parser.add_argument(
        "--board", type=Path, metavar="FILE.pdf", help="write the board for the lens (A4)"
    )


def write_prints(args: argparse.Namespace, settings: Settings) -> None:
    """Write the sheets that were asked for.

    Raises:
        SettingsError: the mat's size cannot be printed.
        SchockaugeError: the disk does not take them.
    """
    from device.lens_board import board_pdf
    from device.mat_sheet import mat_pdf

    if args.sheet:
        size_mm = mat_size(args, settings)
        _write(args.sheet, mat_pdf(size_mm, args.paper))
        _say(args, args.sheet, "sheet", "Die Matte", size_mm=list(size_mm), paper=args.paper)
    if args.board:
        _write(args.board, board_pdf())
        _say(args, args.board, "board", "Die Tafel für das Objektiv", paper="a4")


def mat_size(args: argparse.Namespace, settings: Settings) -> tuple[float, float]:
    """Width and height of the mat in millimetres, from `--size` or the settings.

    Raises:
        UsageError: `--size` is no size.
    """
    if args.size is None:
        return settings["table.mat_width_mm"], settings["table.mat_height_mm"]
    found = re.fullmatch(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)", args.size)
    if not found:
        raise UsageError(f"--size is {args.size!r}, expected WxH in millimetres, such as 420x315.")
    width, height = (float(side) for side in found.groups())
    if min(width, height) < 50:
        raise UsageError(f"--size is {args.size!r}, expected a mat of 50 x 50 mm or more.")
    return width, height


def _say(args: argparse.Namespace, path: Path, kind: str, what: str, **facts: object) -> None:
    if args.json:
        print_json({"wrote": kind, "file": str(path), **facts})
    else:
        print(f"{what} steht in {path}: in Originalgröße (100 %) drucken und das Lineal messen.")


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise SchockaugeError(f"{path} cannot be written: {error.strerror}.") from error
