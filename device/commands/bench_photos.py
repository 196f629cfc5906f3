"""`schockauge bench photos DIR`: per source, how many photographs are read right."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from device.commands.common import print_json, progress, settings_from
from device.errors import SchockaugeError, SourceError
from device.photo_score import Photograph, PhotoScore, find_sources, load_photographs, score

HEAD = ("source", "photographs", "right", "dice", "dice right", "sure", "sure but wrong", "ms")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="sources: images/ and labels")
    parser.add_argument(
        "--details", type=Path, metavar="FILE", help="also write one JSON line a photograph there"
    )


def run(args: argparse.Namespace) -> int:
    """Read every photograph of every source and print one line each, and all together."""
    from device import bootstrap

    sources = {source.name: load_photographs(source) for source in find_sources(args.folder)}
    reader = bootstrap.photo_reader(settings_from(args))
    total = sum(len(photographs) for photographs in sources.values())
    work = [(name, photo) for name, photographs in sources.items() for photo in photographs]
    results: dict[str, list[tuple[PhotoScore, float]]] = {name: [] for name in sources}
    details: list[dict[str, Any]] = []
    unreadable = 0
    for name, photo in progress(work, total=total, unit="picture"):
        try:
            result, ms, detail = _read(reader, photo)
        except SourceError as error:
            unreadable += 1
            print(f"schockauge: error: {error}", file=sys.stderr)
            result, ms, detail = PhotoScore(dice=len(photo.dice)), 0.0, {}
        results[name].append((result, ms))
        details.append({"source": name, "file": photo.path.name, **detail})
    if args.details:
        _write(args.details, details)
    rows = [summary(name, scores) for name, scores in results.items()]
    if len(rows) > 1:
        rows.append(summary("all", [item for scores in results.values() for item in scores]))
    if args.json:
        for row in rows:
            print_json(row)
    else:
        print(as_table(rows))
    return 1 if unreadable else 0


def summary(source: str, scores: list[tuple[PhotoScore, float]]) -> dict[str, Any]:
    """The figures of one source; counts, so that shares can be made of them."""
    return {
        "source": source,
        "photographs": len(scores),
        "right": sum(s.right for s, _ in scores),
        "dice": sum(s.dice for s, _ in scores),
        "dice_right": sum(s.dice_right for s, _ in scores),
        "sure": sum(s.sure for s, _ in scores),
        "sure_but_wrong": sum(s.sure_but_wrong for s, _ in scores),
        "ms": round(statistics.median([ms for _, ms in scores] or [0.0]), 1),
    }


def as_table(rows: list[dict[str, Any]]) -> str:
    """The figures as a Markdown table."""

    def share(part: int, whole: int) -> str:
        return f"{part} ({100 * part / whole:.1f} %)" if whole else "0"

    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for row in rows:
        photographs = row["photographs"]
        cells = (
            row["source"],
            photographs,
            share(row["right"], photographs),
            row["dice"],
            share(row["dice_right"], row["dice"]),
            share(row["sure"], photographs),
            row["sure_but_wrong"],
            row["ms"],
        )
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


def _read(reader: Any, photo: Photograph) -> tuple[PhotoScore, float, Mapping[str, Any]]:
    from device.images import load_photo

    image = load_photo(photo.path).image_bgr
    reading = reader.read(image)
    result = score(
        photo.dice,
        [(die.value, die.box) for die in reading.dice],
        size_px=(image.shape[1], image.shape[0]),
        sure=reading.sure,
    )
    detail = {
        "right": result.right,
        "sure": result.sure,
        "labelled": sorted(die.value for die in photo.dice),
        "read": sorted(die.value for die in reading.dice),
        "towers": len(reading.towers),
        "burning": len(reading.burning),
        "cups": len(reading.cups),
    }
    return result, reading.ms, detail


def _write(path: Path, details: list[dict[str, Any]]) -> None:
    try:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in details)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SchockaugeError(f"{path} cannot be written: {error.strerror}.") from error
