"""`schockauge doctor`: is everything here that an evening needs?"""

from __future__ import annotations

import argparse
import platform
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from device.commands.common import (
    add_json,
    add_settings,
    new_parser,
    print_json,
    settings_from,
)
from device.errors import SchockaugeError
from device.settings import Settings

LEAST_FREE_MB = 1000
"""An evening of 500 throws takes half of it: a still has some 0.1 MB, a clip 1 MB at most."""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "doctor",
        "Check Python, packages, models, camera, disk and port, and say what to mend.",
        example="schockauge doctor --settings table.toml",
    )
    add_settings(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Run every check; exit 1 when a needed one fails."""
    settings = settings_from(args)
    failed = 0
    for name, check, needed in _checks(settings):
        try:
            state, text = "ok", check()
        except (SchockaugeError, OSError, ImportError, ValueError, RuntimeError) as error:
            state, text = ("failed" if needed else "missing"), str(error)
        except Exception as error:  # a check that breaks is a finding, not the end of the list
            state, text = ("failed" if needed else "missing"), f"{type(error).__name__}: {error}"
        failed += state == "failed"
        if args.json:
            print_json({"check": name, "state": state, "text": text})
        else:
            mark = {"ok": "ok     ", "failed": "FAILED ", "missing": "missing"}[state]
            print(f"{mark} {name}: {text}")
    if failed:
        print(f"schockauge: error: {failed} checks failed.", file=sys.stderr)
    return 1 if failed else 0


def _checks(settings: Settings) -> Iterator[tuple[str, Callable[[], str], bool]]:
    """Name, check (returns what it found or raises), and whether an evening needs it."""
    yield "python", _python, True
    yield "packages", _packages, True
    yield "models", lambda: _models(settings), True
    yield "own dice", lambda: _own_dice(settings), True
    yield "calibration", lambda: _calibration(settings), True
    yield "rule book", lambda: _book(settings), True
    yield "seats", lambda: _seats(settings), True
    yield "disk", lambda: _disk(Path(settings["store.path"])), True
    yield "port", lambda: _port(settings["web.host"], settings["web.port"]), True
    yield "source", lambda: _source(settings["table.source"]), False
    yield "demo clip", _demo, False


def _python() -> str:
    if not (3, 11) <= sys.version_info[:2] < (3, 14):
        raise ValueError(f"Python {platform.python_version()}, expected 3.11 to 3.13.")
    return f"{platform.python_version()} on {platform.machine()}"


def _packages() -> str:
    names = ("numpy", "opencv-python-headless", "openvino", "pillow", "flask", "waitress")
    others = [d.metadata["Name"] for d in metadata.distributions() if _is_second_opencv(d)]
    if others:
        raise ImportError(f"{', '.join(others)} overwrites opencv-python-headless: uninstall it.")
    return ", ".join(f"{name} {metadata.version(name)}" for name in names)


def _is_second_opencv(distribution: metadata.Distribution) -> bool:
    name = (distribution.metadata["Name"] or "").lower().replace("_", "-")
    return name.startswith("opencv") and name != "opencv-python-headless"


def _models(settings: Settings) -> str:
    import numpy as np

    from device import bootstrap

    reading = bootstrap.photo_reader(settings).read(np.zeros((64, 64, 3), np.uint8))
    return f"finder, namer and pip counter load and run ({reading.ms:.0f} ms on an empty picture)"


def _own_dice(settings: Settings) -> str:
    from device import bootstrap

    stage = bootstrap.own_dice(settings)
    if stage is None:
        return "none; the namer is as shipped"
    stage.check_base(bootstrap.namer_sha256(settings))
    notes = stage.notes
    return (
        f"{settings['model.own_dice_file']}, from {notes.get('throws')} throws: log loss "
        f"{notes.get('log_loss_before')} -> {notes.get('log_loss_after')} on throws left out"
    )


def _seats(settings: Settings) -> str:
    from device import places

    around = places.seats(settings)
    return ", ".join(seat.name for seat in around) or "none: one throwing zone for all"


def _calibration(settings: Settings) -> str:
    from device.calibrations import load_calibration

    named = settings["table.mat_file"]
    if not named:
        return "none; the mat is found by its markers"
    mat = load_calibration(Path(named))
    width, height = mat.mat_size_mm
    lens = "no lens" if mat.lens is None else f"lens measured to {mat.lens.rms_px:.2f} px"
    dice = "measured" if mat.die_measured else "assumed"
    return f"{named}: mat {width:g} x {height:g} mm, {lens}, dice {mat.die_mm:g} mm ({dice})"


def _book(settings: Settings) -> str:
    from rules import find_book

    return find_book(settings["game.book"]).title_de


def _disk(path: Path) -> str:
    folder = path.resolve().parent
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if free_mb < LEAST_FREE_MB:
        raise OSError(f"{free_mb} MB free in {folder}, expected {LEAST_FREE_MB} MB or more.")
    return f"{free_mb} MB free in {folder}"


def _port(host: str, port: int) -> str:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family):
            return f"{host}:{port} is free"
    except OSError as error:
        raise OSError(f"{host}:{port} cannot be used: {error.strerror}; set web.port.") from error


def _source(spec: str) -> str:
    from device.sources import open_source

    with open_source(spec) as source:
        frame = next(iter(source))
        height, width = frame.image_bgr.shape[:2]
        return f"{spec} gives pictures of {width} x {height}"


def _demo() -> str:
    from device import demo_material

    return str(demo_material.clip())
