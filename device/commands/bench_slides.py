"""`schockauge bench slides DIR`: photographs shown to the table's camera, against their labels."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands.common import print_json, progress, settings_from

if TYPE_CHECKING:
    from device.slides import Slide

EPILOG = """\
A sanity figure, no measure of a game: every photograph lies on a simulated mat for 1.5 s, at the
scale at which its dice are 16 mm where the labels know their size, and is cut away hands-free. Dice
that were photographed aslant look to a camera above the table as if they leaned: few photographs
are committed whole. `values_sure` counts those whose values were sure however the dice stand.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="sources: images/ and labels")
    parser.add_argument("--count", type=int, metavar="N", help="only so many, drawn of all")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of that draw (1)")


def run(args: argparse.Namespace) -> int:
    """Show, compare, print."""
    from device import bootstrap
    from device.errors import UsageError
    from device.photo_labels import find_sources, load_photographs
    from device.slides import show

    if args.count is not None and args.count < 1:
        raise UsageError(f"--count must be 1 or more, but got {args.count}.")
    sources = {folder.name: load_photographs(folder) for folder in find_sources(args.folder)}
    work = [photograph for found in sources.values() for photograph in found]
    if args.count is not None and args.count < len(work):
        work = random.Random(args.seed).sample(work, args.count)
    settings = settings_from(args)
    slides = []
    shown = show(work, lambda frame: bootstrap.watcher(settings, frame))
    for slide in progress(shown, total=len(work), unit="slide"):
        slides.append(slide)
        if slide.problem:
            print(f"schockauge: error: {slide.problem}", file=sys.stderr)
    names = {photo.path: name for name, found in sources.items() for photo in found}
    rows = [
        (name, [slide for slide in slides if names[slide.photograph.path] == name])
        for name in sources
    ]
    for name, some in [*((n, s) for n, s in rows if s), ("all", slides)]:
        row = counts(some)
        if args.json:
            print_json({"source": name, **row})
        else:
            print(f"{name:14} " + ", ".join(f"{word} {number}" for word, number in row.items()))
    return 1 if any(slide.problem for slide in slides) else 0


def counts(slides: Sequence[Slide]) -> dict[str, int]:
    """What the figures are made of."""
    shown = [slide for slide in slides if not slide.problem]
    return {
        "photographs": len(shown),
        "committed": sum(slide.committed is not None for slide in shown),
        "committed_as_labelled": sum(slide.committed == slide.labels for slide in shown),
        "values_sure": sum(slide.read is not None for slide in shown),
        "values_as_labelled": sum(slide.read == slide.labels for slide in shown),
        "dice": sum(len(slide.labels) for slide in shown),
        "dice_sure": sum(len(slide.values) for slide in shown),
        "dice_as_labelled": sum(slide.dice_right for slide in shown),
    }
