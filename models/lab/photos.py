"""Real photographs as training sets.

    python -m models.lab.photos boxes ../shared/photos     # whole-die boxes, by our own reader
    python -m models.lab.photos sets ../shared/photos photos --leave-out Epanemu

Every source draws its boxes in its own way: around the die with a margin, around the pips of the
top face, not at all. `boxes` finds the whole dice with the reader and keeps those that agree with
what a person labelled: `photo_boxes.jsonl` beside this file is what it wrote, so that the sets can
be rebuilt without it. `sets` writes, per source, SOURCE (whole photographs, nine classes, for the
readers) and find/SOURCE (tiles with dice of many sizes, four classes, for the finder).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

BOXES = Path(__file__).with_name("photo_boxes.jsonl")
TILE_PX = 320
DIE_PX = (17.0, 76.0)
MIN_INSIDE = 0.72
"""A die that is cut off more than this is not labelled, as in `labels`."""
PIPS_ONLY = ("matteop65",)
"""Sources whose boxes hold the pips of the top face: no measure for the whole die."""
ROUNDING = 0.225
"""How much less than its box a die grows when it is turned halfway to the next quarter."""
SHIFT = 0.5
"""A finding belongs to a label whose centre is closer than this share of its side."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """A photograph with whole-die boxes: (N, 4) pixels, and values (N,) 1..6."""

    source: str
    file: Path
    boxes: NDArray[np.float64]
    values: NDArray[np.int64]


def labelled(folder: Path, boxes: Path = BOXES) -> list[Labelled]:
    """The photographs that `boxes` told of."""
    out = []
    for line in boxes.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        dice = np.array(row["dice"], float).reshape(-1, 5)
        file = folder / row["source"] / "images" / row["file"]
        out.append(Labelled(row["source"], file, dice[:, 1:], dice[:, 0].astype(np.int64)))
    return out


def tiles(
    photo: Labelled, count: int, rng: np.random.Generator
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.float64]]]:
    """Turned cut-outs of a photograph in which its dice have many sizes; boxes (N, 4) in pixels."""
    image = cv2.imread(str(photo.file))
    if image is None or not len(photo.boxes):
        return
    side = float(np.median((photo.boxes[:, 2:] - photo.boxes[:, :2]).max(axis=1)))
    for _ in range(count):
        factor = float(np.exp(rng.uniform(*np.log(DIE_PX)))) / side
        middle = photo.boxes[int(rng.integers(len(photo.boxes)))].reshape(2, 2).mean(axis=0)
        middle = middle + rng.uniform(-0.4, 0.4, 2) * TILE_PX / factor
        angle = np.radians(90 * int(rng.integers(4)) + rng.uniform(-9, 9))
        turn = factor * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        if rng.random() < 0.5:
            turn = turn @ np.diag([-1.0, 1.0])
        matrix = np.column_stack([turn, TILE_PX / 2 - turn @ middle])
        way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
        if factor < 0.7:  # warpAffine does not average: shrink first
            small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=way)
            matrix_small = matrix @ np.diag([1 / factor, 1 / factor, 1.0])
            tile = cv2.warpAffine(
                small, matrix_small, (TILE_PX, TILE_PX), borderMode=cv2.BORDER_REFLECT_101
            )
            grey = _outside(small.shape[:2], matrix_small)
        else:
            tile = cv2.warpAffine(image, matrix, (TILE_PX, TILE_PX), flags=cv2.INTER_LINEAR)
            grey = _outside(image.shape[:2], matrix)
        tile[grey] = 114
        yield np.asarray(tile, np.uint8), _moved(photo.boxes, matrix, abs(np.sin(2 * angle)))


def _outside(shape: tuple[int, ...], matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    inside = cv2.warpAffine(np.ones(shape, np.uint8), matrix, (TILE_PX, TILE_PX))
    return np.asarray(inside == 0)


def _moved(
    boxes: NDArray[np.float64], matrix: NDArray[np.float64], slant: float
) -> NDArray[np.float64]:
    """Boxes after a map; a box turned aslant grows less than its corners do: dice are round."""
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2 @ matrix[:, :2].T + matrix[:, 2]
    halves = (boxes[:, 2:] - boxes[:, :2]) / 2 @ np.abs(matrix[:, :2]).T
    halves *= 1 - ROUNDING * slant
    full = np.concatenate([middles - halves, middles + halves], axis=1)
    cut = np.clip(full, 0, TILE_PX)

    def area(b: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.prod(np.maximum(b[:, 2:] - b[:, :2], 0), axis=1)

    return np.asarray(cut[area(cut) >= MIN_INSIDE * area(full)])


def _rows(boxes: NDArray[np.float64], classes: NDArray[np.int64], w: int, h: int) -> str:
    lines = []
    for (x1, y1, x2, y2), name in zip(boxes, classes, strict=True):
        middle = f"{(x1 + x2) / 2 / w:.5f} {(y1 + y2) / 2 / h:.5f}"
        lines.append(f"{name} {middle} {(x2 - x1) / w:.5f} {(y2 - y1) / h:.5f}")
    return "\n".join(lines)


def write_sets(photos: list[Labelled], out: Path, dice_per_source: int, seed: int) -> None:
    """Write both kinds of sets; each source gets about as many labelled dice in its tiles."""
    rng = np.random.default_rng(seed)
    per_source: dict[str, int] = {}
    for photo in photos:
        per_source[photo.source] = per_source.get(photo.source, 0) + 1
    for photo in tqdm(photos, unit="photograph"):
        whole, cut = out / photo.source, out / "find" / photo.source
        for folder in (whole, cut):
            (folder / "images" / "train").mkdir(parents=True, exist_ok=True)
            (folder / "labels" / "train").mkdir(parents=True, exist_ok=True)
        image = cv2.imread(str(photo.file))
        height, width = image.shape[:2]
        stem = photo.file.stem
        cv2.imwrite(str(whole / "images" / "train" / f"{stem}.jpg"), image)
        rows = _rows(photo.boxes, photo.values - 1, width, height)
        (whole / "labels" / "train" / f"{stem}.txt").write_text(rows)
        for number, (tile, boxes) in enumerate(
            tiles(photo, max(1, round(dice_per_source / per_source[photo.source])), rng)
        ):
            name = f"{stem}_{number:02d}"
            quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))]
            cv2.imwrite(str(cut / "images" / "train" / f"{name}.jpg"), tile, quality)
            rows = _rows(boxes, np.zeros(len(boxes), np.int64), TILE_PX, TILE_PX)
            (cut / "labels" / "train" / f"{name}.txt").write_text(rows)


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("boxes", "sets"))
    parser.add_argument("photos", type=Path, help="folder with the sources")
    parser.add_argument("out", type=Path, nargs="?", default=Path("photos"))
    parser.add_argument("--leave-out", action="append", default=[], metavar="SOURCE")
    parser.add_argument("--models", type=Path, help="networks that find the boxes; default: ours")
    parser.add_argument("--cache", type=Path, help="keep what was seen there")
    parser.add_argument("--tiles", type=int, default=1500, help="tiles per source")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.what == "boxes":
        from .photo_boxes import fit
        from .seen import seen

        pictures = seen(args.photos, models_dir=args.models, cache=args.cache)
        fit(pictures, BOXES, pips_only=PIPS_ONLY, shift=SHIFT)
        return
    photos = [
        photo
        for photo in labelled(args.photos)
        if not any(name in photo.source for name in args.leave_out)
    ]
    write_sets(photos, args.out, args.tiles, args.seed)


if __name__ == "__main__":
    main()
