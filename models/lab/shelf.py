"""Cut-outs on a shelf: cut once for all trainings, also from sets that are still being rendered.

    python -m models.lab.shelf set30 set31 --out shelf --mine
    python -m models.lab.shelf set30 set31 --out shelf --mine --minutes 8

With --minutes it goes on looking for new pictures that long, so that the renderer, this command
and any number of trainings (`models.lab.train_readers namer --shelf shelf`) run beside one
another: a training takes in what has come on the shelf after every pass. With --mine the finder
is asked first which places it would take for dice (`models.lab.mined`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import models
from vision.detector import Detector

from .mined import mine
from .value_crops import Crops, cut

PIECE = 100
"""Pictures whose cut-outs share a file."""
PAUSE_S = 2.0
SPLITS = ("train", "val")


def finished_pictures(folder: Path, split: str) -> list[str]:
    """Names of a set's pictures that are written to their end, in their order."""
    files = (folder / "images" / split).glob("*.jpg")
    return sorted(file.stem for file in files if not file.stem.endswith(".part"))


def pieces(folder: Path, split: str, done: set[str]) -> Iterator[list[str]]:
    """What is new of a set in pieces; the last one may be smaller."""
    new = [stem for stem in finished_pictures(folder, split) if stem not in done]
    for start in range(0, len(new), PIECE):
        yield new[start : start + PIECE]


def laid(folder: Path, shelf: Path, split: str, stems: list[str], finder: Detector | None) -> int:
    """Cut one piece and lay it on the shelf; how many cut-outs."""
    if finder:
        for stem in stems:
            mine(finder, folder, split, stem)
    crops = cut(folder, split, seed=int(stems[0].split("_")[-1]), stems=stems)
    crops.save(shelf / split / f"{folder.name}-{stems[0]}.npz")
    return len(crops)


def taken(shelf: Path, split: str, known: set[str]) -> list[Crops]:
    """What lies on a shelf and is not `known` by its file's name yet; it is afterwards."""
    files = sorted((shelf / split).glob("*.npz"))
    new = [file for file in files if file.name not in known and ".part" not in file.name]
    known.update(file.name for file in new)
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
    for split in SPLITS:
        (args.out / split).mkdir(parents=True, exist_ok=True)
    finder = Detector(models.weights("finder"), threads=1) if args.mine else None
    ends, done, count = time.monotonic() + 60 * args.minutes, set[str](), 0
    while True:
        for folder in args.sets:
            for split in SPLITS:
                for stems in pieces(folder, split, done):
                    # A training shall not meet crumbs: what is less than a piece waits for more.
                    if len(stems) < PIECE and time.monotonic() < ends and split == "train":
                        continue
                    count += laid(folder, args.out, split, stems, finder)
                    done.update(stems)
        print(f"{len(done)} pictures, {count} cut-outs", flush=True)
        if time.monotonic() >= ends:
            break
        time.sleep(PAUSE_S)


if __name__ == "__main__":
    main()
