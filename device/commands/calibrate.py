"""`schockauge calibrate`: where the camera sees the mat, from its markers or four corners."""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path
from typing import Any

from device.commands.common import (
    add_json,
    add_settings,
    new_parser,
    print_json,
    settings_from,
)
from device.errors import SchockaugeError, SourceError

TRIES = 100
"""Frames that are searched for the markers: a hand over one of them goes away."""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "calibrate",
        "Find the mat in the camera's picture and write its calibration.",
        example="schockauge calibrate camera:0 --out mat.toml --preview mat.jpg",
        epilog="without markers: --corners 102,80 1180,76 1215,690 70,700\n",
    )
    parser.add_argument("source", metavar="SOURCE", help="camera:0, clip, folder or photograph")
    parser.add_argument(
        "--corners",
        nargs=4,
        metavar="X,Y",
        help="the mat's corners in pixels, clockwise from its top left",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="calibration (TOML); - : stdout")
    parser.add_argument(
        "--preview", type=Path, metavar="FILE", help="the mat from above, with its seats"
    )
    add_json(parser)
    add_settings(parser)


def run(args: argparse.Namespace) -> int:
    """Calibrate and say how well it fits."""
    from device import bootstrap
    from device.images import write_jpeg
    from vision.annotate import annotate_seats
    from vision.calibration import calibrate_from_corners, rectify, to_toml

    settings = settings_from(args)
    size_mm = (settings["table.mat_width_mm"], settings["table.mat_height_mm"])
    image, mat = _find(args.source, size_mm, by_hand=args.corners is not None)
    if args.corners is not None:
        mat = calibrate_from_corners([_corner(word) for word in args.corners], size_mm)
    view = rectify(image, mat)
    around = bootstrap.seats(settings, mat.mat_size_mm)
    if args.preview:
        drawn = annotate_seats(view, around, scale_px_per_mm=mat.scale_px_per_mm)
        write_jpeg(args.preview, drawn)
    if args.out:
        _write(args.out, to_toml(mat))
    corners = [[round(x, 1), round(y, 1)] for x, y in mat.corners_px().tolist()]
    if args.json:
        print_json({"corners_px": corners, "mat_size_mm": list(size_mm)})
    elif args.out is None:
        print(to_toml(mat), end="")
    else:
        print(f"Matte gefunden, Ecken (Pixel): {corners}; gespeichert in {args.out}")
    return 0


def _find(spec: str, size_mm: tuple[float, float], *, by_hand: bool) -> tuple[Any, Any]:
    """The first frame that shows the whole mat, with its calibration (None by hand)."""
    from device.images import IMAGE_SUFFIXES, load_image
    from device.sources import open_source
    from vision.calibration import calibrate_from_markers
    from vision.errors import CalibrationError

    if Path(spec).suffix.lower() in IMAGE_SUFFIXES:
        image = load_image(Path(spec))
        mat = None if by_hand else calibrate_from_markers(image, mat_size_mm=size_mm)
        return image, mat
    problem: CalibrationError | None = None
    with open_source(spec) as source:
        for frame in islice(source, TRIES):
            if by_hand:
                return frame.image_bgr, None
            try:
                return frame.image_bgr, calibrate_from_markers(frame.image_bgr, mat_size_mm=size_mm)
            except CalibrationError as error:
                problem = error
    raise problem or SourceError(f"{spec} has no pictures.")


def _corner(word: str) -> tuple[float, float]:
    from device.errors import UsageError

    try:
        x, y = (float(part) for part in word.split(","))
    except ValueError as error:
        raise UsageError(f"The corner {word!r} is not X,Y in pixels, such as 102,80.") from error
    return x, y


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SchockaugeError(f"{path} cannot be written: {error.strerror}.") from error
