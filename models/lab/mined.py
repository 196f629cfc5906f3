"""Places that the finder takes for dice and that are none: `python -m models.lab.mined SET...`.

The namer must say "nothing" there, and random background teaches it little: these are the places
it will be asked about. Written to SET/mined, where `models.lab.value_crops` looks for them. A
rendered set needs SET/standing: a die whose top is hidden carries no label, but is no nothing.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import models
from vision.detector import MAX_SIZE_PX, Detector
from vision.eye import FINDS

from .value_crops import CUP, LEAST_PX, SPLITS, boxes_of, pictures_of

MIN_SCORE = 0.03
"""What the finder gives a lower score to is not taken."""
MOST = 6
"""Places taken from one picture, the likeliest."""
AWAY = 0.65
"""A place whose centre is nearer to a die's than this share of its side shows that die."""
DIE_PX = 24.0
"""Side of a die in the finder's looks at photographs, pixels (`vision.reader`)."""


def known_dice(
    folder: Path, split: str, stem: str, size_px: tuple[int, int]
) -> NDArray[np.float64]:
    """Boxes (N, 4) of everything that is a die, labelled or not, in pixels."""
    standing = folder / "standing" / split / f"{stem}.json"
    ids, boxes = boxes_of(folder / "labels" / split / f"{stem}.txt", *size_px)
    boxes = boxes[ids != CUP]
    if standing.exists():
        told = [row["box"] for row in json.loads(standing.read_text())]
        boxes = np.concatenate([boxes, np.array(told, float).reshape(-1, 4)])
    return boxes


def places(
    finder: Detector, image: NDArray[np.uint8], dice: NDArray[np.float64], *, min_score: float
) -> list[list[float]]:
    """Boxes of findings that are no dice, best first."""
    height, width = image.shape[:2]
    side = float(np.median((dice[:, 2:] - dice[:, :2]).max(axis=1))) if len(dice) else DIE_PX
    size_px = int(np.clip(max(height, width) * DIE_PX / side, 128, MAX_SIZE_PX))
    finds = finder.find(image, size_px=size_px, min_score=min_score)
    out: list[list[float]] = []
    for box, kind in zip(finds.xyxy.astype(float), finds.kind, strict=True):
        edges = box[0] < 2 or box[1] < 2 or box[2] > width - 2 or box[3] > height - 2
        if kind == FINDS.index("cup") or edges or (box[2:] - box[:2]).max() < LEAST_PX:
            continue
        taken = np.concatenate([dice, np.array(out).reshape(-1, 4)])
        middles = (taken[:, :2] + taken[:, 2:]) / 2
        apart = np.abs(middles - (box[:2] + box[2:]) / 2).max(axis=1)
        if (apart < AWAY * (taken[:, 2:] - taken[:, :2]).max(axis=1)).any():
            continue
        out.append([round(float(v), 1) for v in box])
        if len(out) == MOST:
            break
    return out


def mine(
    finder: Detector, folder: Path, split: str, stem: str, *, min_score: float = MIN_SCORE
) -> int:
    """Write which places of one picture of a set look like dice and are none; how many."""
    image = cv2.imread(str(folder / "images" / split / f"{stem}.jpg"))
    if image is None:
        return 0
    dice = known_dice(folder, split, stem, (image.shape[1], image.shape[0]))
    boxes = places(finder, np.asarray(image, np.uint8), dice, min_score=min_score)
    target = folder / "mined" / split / f"{stem}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(boxes))
    return len(boxes)


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--finder", type=Path, help="finder.onnx; default: ours")
    parser.add_argument("--min-score", type=float, default=MIN_SCORE)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    finder = Detector(args.finder or models.weights("finder"), threads=args.threads)
    for folder in args.sets:
        stems = [(split, stem) for split in SPLITS for stem in pictures_of(folder, split)]
        found = sum(
            mine(finder, folder, split, stem, min_score=args.min_score)
            for split, stem in tqdm(stems, unit="picture", desc=folder.name)
        )
        print(f"{folder}: {found} places")


if __name__ == "__main__":
    main()
