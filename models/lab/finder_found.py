"""How many things of held-out renders the finder finds, per class.

    python -m models.lab.finder_found find/setB find/setC --write

The pictures are the validation part of sets that `models.lab.finder_set` made; a thing counts as
found where a finding of its class (`--any-class`: of any) covers it by an IoU of 0.5, each finding
once.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import models
from device.commands.bench_table import FOUND
from device.images import load_image
from vision.detections import iou
from vision.detector import Detector, Finds
from vision.images import as_bgr

from .finder_set import FINDS

LEAST_IOU = 0.5
MIN_SCORE = 0.25
Thing = tuple[int, NDArray[np.float32]]


def things_of(label: Path, width: int, height: int) -> Iterator[Thing]:
    """Class index and box (4,) in pixels of every line of a YOLO label file."""
    for line in label.read_text().splitlines():
        name, *rest = line.split()
        x, y, w, h = np.array(rest[:4], np.float32) * np.array([width, height] * 2, np.float32)
        yield int(name), np.array([x - w / 2, y - h / 2, x + w / 2, y + h / 2], np.float32)


def found_of(things: list[Thing], found: Finds, *, any_class: bool = False) -> list[bool]:
    """Whether each thing is found; `found` best first."""
    free = set(range(len(found.score)))
    out = []
    for kind, box in things:
        hits = (i for i in sorted(free) if any_class or found.kind[i] == kind)
        hit = next((i for i in hits if iou(found.xyxy[i], box) >= LEAST_IOU), None)
        free.discard(-1 if hit is None else hit)
        out.append(hit is not None)
    return out


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument(
        "--models",
        type=Path,
        default=models.FOLDER,
        help="folder with manifest.json; default: ours",
    )
    parser.add_argument("--any-class", action="store_true", help="a tower called a die is found")
    parser.add_argument("--write", action="store_true", help="note it in the manifest")
    args = parser.parse_args()
    detector = Detector(models.weights("finder", args.models))
    counts = {name: [0, 0] for name in FINDS}
    files = [file for folder in args.sets for file in sorted((folder / "images/val").glob("*.jpg"))]
    for file in tqdm(files, unit="picture"):
        picture = as_bgr(load_image(file))
        height, width = picture.shape[:2]
        label = file.parents[2] / "labels/val" / f"{file.stem}.txt"
        things = list(things_of(label, width, height))
        found = detector.find(picture, size_px=max(height, width), min_score=MIN_SCORE)
        hits = found_of(things, found, any_class=args.any_class)
        for (kind, _), hit in zip(things, hits, strict=True):
            counts[FINDS[kind]][0] += hit
            counts[FINDS[kind]][1] += 1
    told = {name: f"{hit} of {total}" for name, (hit, total) in counts.items()}
    print(json.dumps(told))
    if args.write:
        file = args.models / "manifest.json"
        data = json.loads(file.read_text(encoding="utf-8"))
        data["networks"]["finder"]["metrics"] = {FOUND: told}
        file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
