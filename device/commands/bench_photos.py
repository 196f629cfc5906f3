"""`schockauge bench photos DIR`: per source, fault or frame, how many photographs are right."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.commands.common import print_json, progress, settings_from
from device.errors import SchockaugeError, SourceError, UsageError
from device.photo_errata import load_errata, put_right
from device.photo_faults import AS_IT_IS
from device.photo_frames import Framed
from device.photo_labels import Photograph, describe, find_sources, load_photographs
from device.photo_score import PhotoScore, score, smallest_labelled_px, typical_read_px, unread
from device.photo_table import (
    BESIDE_DICE,
    Result,
    all_put_right,
    as_table,
    detail,
    put_right_title,
    summaries,
)
from device.photo_ways import GROUPS, WAYS
from vision.reading import Reading

if TYPE_CHECKING:
    from device.images import Photo


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="sources: images/ and labels")
    parser.add_argument(
        "--details", type=Path, metavar="FILE", help="also write one JSON line a photograph there"
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="DIR",
        help="also write photos.md, reliability.svg, risk_coverage.svg and failures.jpg there",
    )
    parser.add_argument(
        "--errata",
        type=Path,
        metavar="FILE",
        help="table of labels known to be mistaken (docs/eye/label_errata.csv): count a second "
        "time with these put right",
    )
    parser.add_argument(
        "--turned",
        type=int,
        choices=range(4),
        default=0,
        metavar="N",
        help="show every photograph turned by N quarters, as a camera that was held askew (0..3)",
    )
    for option, group in GROUPS.items():
        parser.add_argument(
            f"--{option}",
            nargs="*",
            choices=group.shows,
            metavar="KIND",
            help=f"{group.tells}: {', '.join(group.shows)}; without a KIND: all",
        )
    parser.add_argument(
        "--every",
        type=int,
        default=1,
        metavar="N",
        help="only every Nth photograph of each source, where all take too long; default: all",
    )
    parser.add_argument(
        "--models-by-source",
        type=Path,
        metavar="DIR",
        help="DIR/SOURCE holds the networks for each source (leave one out; models.lab)",
    )
    parser.add_argument(
        "--min-die-px",
        type=float,
        default=0.0,
        metavar="N",
        help="only photographs whose smallest labelled die is N pixels wide (where labels have no "
        "boxes: whose dice are read as that wide); default: all",
    )


def run(args: argparse.Namespace) -> int:
    """Read every photograph of every source and print one line each, and all together."""
    from device import bootstrap_readers

    if args.every < 1:
        raise UsageError(f"--every is {args.every}, expected 1 or more.")
    ways = _ways(args)
    if args.report and ways:
        raise UsageError(
            "--report tells of sources, "
            f"{', '.join(f'--{option}' for option in GROUPS)} of ways to show a photograph; "
            "leave one of them out."
        )
    folders = {source.name: source for source in find_sources(args.folder)}
    sources = {name: load_photographs(source) for name, source in folders.items()}
    errata = load_errata(args.errata) if args.errata else {}
    settings = settings_from(args)
    readers = dict.fromkeys(sources, settings)
    if args.models_by_source:
        readers = {
            name: settings.with_values({"model.folder": str(args.models_by_source / name)})
            for name in sources
        }
    reader_of = cache(lambda name: bootstrap_readers.photo_reader(readers[name]))
    by = "shown" if ways else "source"
    ways = [AS_IT_IS, *ways]
    work = [
        Work(
            name,
            photo,
            put_right(name, photo, errata),
            len(errata.get((name, photo.path.name), ())),
        )
        for name, photographs in sources.items()
        for photo in photographs[:: args.every]
    ]
    results: dict[str, list[Result]] = {row: [] for row in (sources if by == "source" else ways)}
    left_out = unreadable = 0
    for task in progress(work, total=len(work), unit="photograph"):
        try:
            found = _read(reader_of(task.source), task, ways, args)
        except SourceError as error:
            unreadable += 1
            print(f"schockauge: error: {error}", file=sys.stderr)
            found = [task.result(unread, way, others={"error": str(error)}) for way in ways]
        left_out += not found
        for result in found:
            results[getattr(result, by)].append(result)
    counted = [result for found in results.values() for result in found]
    note = _note(left_out, len(work), args.min_die_px)
    if args.details:
        _write(args.details, counted)
    if args.report:
        from device.photo_report import write_report

        origins = {name: describe(source) for name, source in folders.items()}
        write_report(args.report, results, origins=origins, note=note)
    _print(results, by, as_json=args.json)
    if note:
        print(note, file=sys.stderr)
    return 1 if unreadable else 0


@dataclass(frozen=True)
class Work:
    """A photograph to read.

    Attributes:
        source: name of its folder.
        photo: with its labels.
        truth: with these put right.
        corrected: how many labels are.
    """

    source: str
    photo: Photograph
    truth: Photograph
    corrected: int

    def result(
        self,
        scored: Callable[..., PhotoScore],
        shown: str,
        *,
        ms: float = 0.0,
        others: Mapping[str, Any],
    ) -> Result:
        """What came of it, `scored` being asked of the labels as they are and put right."""
        return Result(
            self.source,
            self.photo.path,
            scored(self.photo.dice),
            ms,
            others,
            scored(self.truth.dice),
            self.corrected,
            shown,
        )


def _ways(args: argparse.Namespace) -> list[str]:
    """Every way to show a photograph but as it is; an option without a kind asks for all."""
    asked = [(getattr(args, option), group.shows) for option, group in GROUPS.items()]
    return [way for chosen, all_ in asked if chosen is not None for way in chosen or all_]


def _read(reader: Any, task: Work, ways: Sequence[str], args: argparse.Namespace) -> list[Result]:
    """Read one photograph in each of these ways; nothing when its dice are smaller than asked for.

    How large they are is told by the labels, else by the photograph as it is, the first way.

    Raises:
        SourceError: the file cannot be read.
    """
    from device.images import load_photo

    loaded = load_photo(task.photo.path)
    labelled_px = smallest_labelled_px(task.photo.dice, loaded.size_px)
    if labelled_px is not None and labelled_px < args.min_die_px:
        return []
    found: list[Result] = []
    for way in ways:
        shown = WAYS[way](loaded.image_bgr, task.truth.dice)
        if shown is None:
            continue
        reading = _reading(reader, loaded, shown, args.turned)
        if labelled_px is None and not found:
            read_px = typical_read_px(reading.dice)
            if read_px is not None and read_px < args.min_die_px:
                return []
        scored = partial(
            score,
            read=reading.dice,
            size_px=loaded.size_px,
            sure=reading.sure,
            chance=reading.chance,
        )
        others = {kind: len(getattr(reading, kind)) for kind in BESIDE_DICE}
        found.append(task.result(scored, way, ms=reading.ms, others=others))
    return found


def _reading(reader: Any, loaded: Photo, shown: Framed, quarter_turns: int) -> Reading:
    """What is read when the photograph is shown so; boxes in pixels of its file."""
    import numpy as np

    from vision.images import turn_boxes_back, turn_picture

    reading: Reading = reader.read(turn_picture(shown.image_bgr, quarter_turns))
    height, width = shown.image_bgr.shape[:2]
    boxes = np.array([die.box for die in reading.dice], np.float32).reshape(-1, 4)
    boxes = turn_boxes_back(boxes, quarter_turns, width=width, height=height)
    dice = zip(reading.dice, (shown.in_photo(box) for box in boxes.tolist()), strict=True)
    return replace(reading, dice=tuple(replace(die, box=loaded.in_file(box)) for die, box in dice))


def _print(results: Mapping[str, Sequence[Result]], by: str, *, as_json: bool) -> None:
    """The figures as labelled; where labels are put right once more with these."""
    title = put_right_title(results)
    tables = [("as labelled", summaries(results, by))]
    if title:
        tables.append((title, summaries(all_put_right(results), by)))
    for labels, rows in tables:
        if as_json:
            for row in rows:
                print_json({**row, "labels": labels} if title else row)
        else:
            table = as_table(rows, by)
            print(f"{labels}\n\n{table}\n" if title else table)


def _note(left_out: int, total: int, min_die_px: float) -> str:
    if not min_die_px:
        return ""
    return f"Left out: {left_out} of {total} photographs, whose dice are below {min_die_px:g} px."


def _write(path: Path, results: Sequence[Result]) -> None:
    lines = [json.dumps(detail(result), ensure_ascii=False) for result in results]
    try:
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise SchockaugeError(f"{path} cannot be written: {error.strerror}.") from error
