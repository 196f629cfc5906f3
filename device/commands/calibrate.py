"""`schockauge calibrate`: prints the mat, finds it by its markers or corners, and judges it."""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.commands.calibrate_print import add_options, mat_size, write_prints
from device.commands.common import (
    add_json,
    add_settings,
    new_parser,
    print_json,
    progress,
    settings_from,
)
from device.errors import SourceError, UsageError

if TYPE_CHECKING:
    from device.image_pixels import Picture
    from vision.calibration import MatCalibration
    from vision.lens import Lens
    from vision.seats import Seat

TRIES = 100
"""Frames that are searched for the markers: a hand over one of them goes away."""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "calibrate",
        "Print the mat, find it in the camera's picture and write its calibration.",
        example="schockauge calibrate camera:0 --out mat.toml --report report.jpg",
        epilog="first, to print: schockauge calibrate --sheet mat.pdf\n"
        "without markers: --corners 102,80 1180,76 1215,690 70,700\n"
        "with a bent lens: --lens board.mp4, or --lens mat.toml to keep the one measured before\n",
    )
    parser.add_argument(
        "source",
        nargs="?",
        metavar="SOURCE",
        help="picamera:0, camera:0, rtsp://..., clip, folder or photograph",
    )
    add_options(parser)
    parser.add_argument(
        "--corners",
        nargs=4,
        metavar="X,Y",
        help="the mat's corners in pixels, clockwise from its top left",
    )
    parser.add_argument(
        "--lens",
        metavar="BOARDCLIP",
        help="clip or folder of the lens board that is moved about, or a calibration (.toml)",
    )
    parser.add_argument("--die", type=float, metavar="MM", help="edge of the dice; default: 16")
    parser.add_argument("--out", type=Path, metavar="FILE", help="calibration (TOML); - : stdout")
    parser.add_argument(
        "--preview", type=Path, metavar="FILE", help="the mat from above, with its seats"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="quality report as a picture")
    parser.add_argument(
        "--lang", choices=("de", "en"), default="de", help="of the report: de (default) or en"
    )
    add_json(parser)
    add_settings(parser)


def run(args: argparse.Namespace) -> int:
    """Calibrate and say how well it fits."""
    from device import places
    from vision.die_size import LARGEST_DIE_MM, SMALLEST_DIE_MM

    settings = settings_from(args)
    write_prints(args, settings)
    if args.source is None:
        if args.sheet or args.board:
            return 0
        raise UsageError("Name the SOURCE that shows the mat (camera:0), or print it: --sheet.")
    if args.die is not None and not SMALLEST_DIE_MM <= args.die <= LARGEST_DIE_MM:
        raise UsageError(
            f"--die is {args.die:g}, expected {SMALLEST_DIE_MM:g} to {LARGEST_DIE_MM:g} "
            "millimetres."
        )
    corners = None if args.corners is None else [_corner(word) for word in args.corners]
    image, mat = _find(args, mat_size(args, settings), corners, _lens(args.lens))
    around = places.seats(settings, mat.mat_size_mm)
    _tell(args, image, mat, around, settings["table.camera_fov_deg"])
    return 0


def _tell(
    args: argparse.Namespace,
    image: Picture,
    mat: MatCalibration,
    around: tuple[Seat, ...],
    fov_deg: float,
) -> None:
    """Write what was asked for, and say how good it is."""
    from device.calibration_report import report_json, report_lines, report_picture
    from device.calibrations import save_calibration
    from device.images import write_jpeg
    from vision.annotate import annotate_seats
    from vision.calibration_file import to_toml
    from vision.mat_view import rectify
    from vision.quality import findings, measure

    quality = measure(image, mat, fov_deg=fov_deg)
    found = findings(quality, args.lang)
    if args.preview:
        view = rectify(image, mat)
        write_jpeg(args.preview, annotate_seats(view, around, scale_px_per_mm=mat.scale_px_per_mm))
    if args.report:
        write_jpeg(args.report, report_picture(image, mat, quality, found, args.lang))
    to_stdout = args.out is None or str(args.out) == "-"
    if not to_stdout:
        save_calibration(args.out, mat)
    corners = [[round(x, 1), round(y, 1)] for x, y in mat.corners_px().tolist()]
    if args.json:
        line = {"corners_px": corners, "mat_size_mm": list(mat.mat_size_mm)}
        if mat.lens is not None:
            line["lens_rms_px"] = round(mat.lens.rms_px, 3)
        print_json({**line, "quality": report_json(quality, found)})
        return
    if to_stdout:
        print(to_toml(mat), end="")
    else:
        said = {"de": "Matte gefunden, Ecken (Pixel)", "en": "Mat found, corners (pixels)"}
        print(f"{said[args.lang]}: {corners} -> {args.out}")
    for row in report_lines(found, args.lang):
        print(row, file=sys.stderr if to_stdout else sys.stdout)


def _find(
    args: argparse.Namespace,
    size_mm: tuple[float, float],
    corners: list[tuple[float, float]] | None,
    lens: Lens | None,
) -> tuple[Picture, MatCalibration]:
    """The first picture that shows the whole mat, with its calibration."""
    from dataclasses import replace

    from device.camera_settings import camera_settings
    from device.images import IMAGE_SUFFIXES, load_image
    from device.sources import open_source, shown
    from vision.calibration import calibrate_from_corners, calibrate_from_markers
    from vision.errors import CalibrationError

    def calibrated(image: Picture) -> MatCalibration:
        if corners is None:
            mat = calibrate_from_markers(image, mat_size_mm=size_mm, lens=lens)
        else:
            size_px = (image.shape[1], image.shape[0])
            mat = calibrate_from_corners(corners, size_mm, lens=lens, picture_px=size_px)
        return mat if args.die is None else replace(mat, die_mm=args.die, die_measured=True)

    if Path(args.source).suffix.lower() in IMAGE_SUFFIXES:
        image = load_image(Path(args.source))
        return image, calibrated(image)
    problem: CalibrationError | None = None
    with open_source(args.source, camera_settings(settings_from(args))) as source:
        for frame in islice(source, TRIES):
            try:
                return frame.image_bgr, calibrated(frame.image_bgr)
            except CalibrationError as error:
                problem = error
                if corners is not None:
                    break  # they do not get better
    raise problem or SourceError(f"{shown(args.source)} has no pictures.")


def _lens(spec: str | None) -> Lens | None:
    """The lens from a clip of the board, or from a calibration made before.

    Raises:
        UsageError: the calibration has no lens.
        CalibrationError: the clip does not tell enough of it.
    """
    from device.calibrations import load_calibration
    from device.sources import open_source
    from vision.lens_fit import LensFit

    if spec is None:
        return None
    if Path(spec).suffix.lower() == ".toml":
        lens = load_calibration(Path(spec)).lens
        if lens is None:
            raise UsageError(f"{spec} has no lens; measure it: --lens with a clip of the board.")
        return lens
    fit = LensFit()
    with open_source(spec) as source:
        for frame in progress(source, total=source.frame_count, unit="frame"):
            fit.receive(frame.image_bgr)
    return fit.solve()


def _corner(word: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in word.split(","))
    except ValueError as error:
        raise UsageError(f"The corner {word!r} is not X,Y in pixels, such as 102,80.") from error
    return x, y
