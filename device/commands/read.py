"""`schockauge read`: the dice on photographs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from device.commands.common import (
    add_json,
    add_models,
    new_parser,
    print_json,
    progress,
    settings_from,
)
from device.errors import SchockaugeError, SourceError
from vision.errors import PictureError


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "read",
        "Read the dice on photographs: files, folders or patterns, in the order given.",
        example="schockauge read evening/*.jpg --json --out annotated",
        epilog="JPEG, PNG, WebP, TIFF, BMP and GIF up to 120 megapixels (WebP: 40); of several\n"
        "frames or pages the first is read. A picture that cannot be read is reported, the rest\n"
        "go on, and the exit status is 1.\n\n"
        "'sure' speaks of the values of dice that lie flat. Whether one stands on another or\n"
        "burns, a photograph whose camera nobody knows often does not tell; a watched table\n"
        "does.\n",
    )
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="file, folder or pattern")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write annotated pictures there")
    add_json(parser)
    add_models(parser)


def run(args: argparse.Namespace) -> int:
    """Read every picture; a bad one is reported and the rest go on."""
    from device import bootstrap_readers

    wanted = _wanted(args.images)
    reader = bootstrap_readers.photo_reader(settings_from(args))
    targets = _targets(args.out, [path for path, problem in wanted if problem is None])
    failed = 0
    for path, problem in progress(wanted, total=len(wanted), unit="picture"):
        try:
            if problem is not None:
                raise problem
            record = _read_one(reader, path, targets.get(path))
        except (SourceError, PictureError) as error:
            failed += 1
            record = {"file": str(path), "error": str(error)}
        if args.json:
            print_json(record)
        elif "error" in record:
            print(f"schockauge: error: {record['error']}", file=sys.stderr)
        else:
            print(_sentence(record))
    if failed and args.json:
        print(f"schockauge: error: {failed} of {len(wanted)} files unreadable.", file=sys.stderr)
    return 1 if failed else 0


def _wanted(words: list[str]) -> list[tuple[Path, SourceError | None]]:
    """The files that words stand for; a word that stands for none comes with what is wrong."""
    from device.images import list_images

    wanted: list[tuple[Path, SourceError | None]] = []
    for word in words:
        try:
            wanted += [(path, None) for path in list_images([word])]
        except SourceError as error:
            wanted.append((Path(word), error))
    return wanted


def _read_one(reader: Any, path: Path, target: Path | None) -> dict[str, Any]:
    from device.images import load_photo, write_jpeg
    from vision.annotate import annotate_reading

    photo = load_photo(path)
    reading = reader.read(photo.image_bgr)
    if target is not None:
        write_jpeg(target, annotate_reading(photo.image_bgr, reading))
    return {"file": str(path), **reading_json(reading, photo)}


def reading_json(reading: Any, photo: Any) -> dict[str, Any]:
    """A `vision.reader.Reading` of a `device.images.Photo` in the form that scripts rely on."""

    def box(thing: Any) -> list[float]:
        return list(photo.in_file(thing.box))

    def things(found: Any) -> list[dict[str, Any]]:
        return [{"box": box(thing), "score": thing.score} for thing in found]

    return {
        "sure": reading.sure,
        "dice": [
            {"value": die.value, "score": die.score, "sure": die.sure, "box": box(die)}
            for die in reading.dice
        ],
        "towers": things(reading.towers),
        "burning": things(reading.burning),
        "cups": things(reading.cups),
        "parts": things(reading.parts),
        "ms": reading.ms,
    }


OTHERS = {
    "towers": "Türmchen",
    "burning": "brennend",
    "cups": "Becher",
    "parts": "verdeckt oder abgeschnitten",
}
"""What else may be read, as `reading_json` calls it, and in words."""


def _sentence(record: Mapping[str, Any]) -> str:
    dice = " ".join(str(die["value"]) for die in record["dice"]) or "keine Würfel"
    others = [f"{len(record[key])} {word}" for key, word in OTHERS.items() if record[key]]
    verdict = "sicher" if record["sure"] else "unsicher"
    return f"{record['file']}: {', '.join([dice, *others])} ({verdict})"


def _targets(folder: Path | None, paths: list[Path]) -> dict[Path, Path]:
    """Where each annotated picture goes; equal names from different folders get the folder's."""
    if folder is None:
        return {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SchockaugeError(
            f"The folder {folder} cannot be made: {error.strerror}. Name another with --out."
        ) from error
    names = [path.stem for path in paths]
    return {
        path: folder / (f"{path.stem}.jpg" if names.count(path.stem) == 1 else f"{_flat(path)}.jpg")
        for path in paths
    }


def _flat(path: Path) -> str:
    return "_".join(part for part in path.with_suffix("").parts if part not in ("/", "..", "."))
