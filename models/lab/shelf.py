"""Cut-outs on a shelf: cut once for all trainings, also from sets that are still being rendered.

    python -m models.lab.shelf set30 set31 --out shelf --mine
    python -m models.lab.shelf set30 set31 --out shelf --mine --minutes 8

With --minutes it goes on looking for new pictures that long, so that the renderer, this command
and any number of trainings (`models.lab.train_readers namer --shelf shelf`) run beside one
another: a training takes in what has come on the shelf after every pass. With --mine the finder
is asked first which places it would take for dice (`models.lab.mined`). The same command goes on
where it stopped.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import models
from vision.detector import Detector

from .mined import mine
from .value_crops import SPLITS, Crops, cut, pictures_of

PIECE = 100
"""Pictures whose cut-outs share a file."""
PAUSE_S = 2.0


def pieces(folder: Path, shelf: Path, split: str, *, crumbs: bool) -> Iterator[list[str]]:
    """Names of a set's pictures that are not on the shelf yet, in pieces.

    `crumbs`: whether a last piece that is not full counts as well.
    """
    lists = (shelf / split / folder.name).glob("*.txt")
    done = {stem for file in lists for stem in file.read_text().split()}
    new = [stem for stem in pictures_of(folder, split) if stem not in done]
    for start in range(0, len(new), PIECE):
        piece = new[start : start + PIECE]
        if crumbs or len(piece) == PIECE:
            yield piece


def laid(folder: Path, shelf: Path, split: str, stems: list[str], finder: Detector | None) -> int:
    """Cut one piece and lay it on the shelf, with a list of what it holds; how many cut-outs."""
    if finder:
        for stem in stems:
            mine(finder, folder, split, stem)
    crops = cut(folder, split, seed=int(stems[0].split("_")[-1]), stems=stems)
    file = shelf / split / folder.name / f"{stems[0]}.npz"
    file.parent.mkdir(parents=True, exist_ok=True)
    crops.save(file)
    file.with_suffix(".txt").write_text("\n".join(stems))
    return len(crops)


def taken(shelf: Path, split: str, known: set[Path]) -> list[Crops]:
    """What lies on a shelf and is not among the files `known`; it is afterwards."""
    files = sorted((shelf / split).glob("*/*.npz"))
    new = [file for file in files if file not in known and ".part" not in file.name]
    known.update(new)
    return [Crops.load(file) for file in new]


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="the shelf")
    parser.add_argument("--mine", action="store_true", help="look for what is taken for dice, too")
    parser.add_argument("--minutes", type=float, default=0.0, help="wait for more that long")
    args = parser.parse_args()
    finder = Detector(models.weights("finder"), threads=1) if args.mine else None
    ends_s, pictures, count = time.monotonic() + 60 * args.minutes, 0, 0
    while True:
        last = time.monotonic() >= ends_s
        for folder, split in product(args.sets, SPLITS):
            # A training shall not meet crumbs: what is less than a piece waits for more.
            for stems in pieces(folder, args.out, split, crumbs=last or split == "val"):
                count += laid(folder, args.out, split, stems, finder)
                pictures += len(stems)
        print(f"{pictures} pictures, {count} cut-outs", flush=True)
        if last:
            break
        time.sleep(PAUSE_S)


if __name__ == "__main__":
    main()
