"""Dice as the stance reader sees them: at the table's scale, seen as if from straight above.

    python -m models.lab.stance_crops set50 set51 --out crops

writes the cut-outs of sets to crops/train.npz and crops/val.npz, a fifth of the pictures' size with
--quality 78, for a training elsewhere: `models.lab.train_stance` takes the folder like a set.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from vision.stance import STANCE_DICE, STANCE_PX, STEEPEST

KEPT_DICE = 3.6
"""Side of a kept cut-out in edges of a die, so that it can be turned and shifted."""
KEPT_PX = round(STANCE_PX * KEPT_DICE / STANCE_DICE)
LEAST_EDGE_PX = 15.0
MIN_INSIDE = 0.8
"""Share of the box that must be in the picture."""
KINDS = {"flat": 0, "tower": 1, "burning": 2}
"""Kinds in SET/standing and their place in `STANCES`."""


@dataclass(frozen=True, eq=False)
class StanceCrops:
    """Dice with what is known of them, those of a throw one after another.

    Attributes:
        pictures: (N, K, K, 3) uint8 BGR.
        leans: (N, 2) as of `vision.stance.lean_of`.
        classes: (N,) in `STANCES`.
        tilts: (N,) degrees.
        first: (N,) whether it is the first one of a throw.
    """

    pictures: NDArray[np.uint8]
    leans: NDArray[np.float32]
    classes: NDArray[np.int64]
    tilts: NDArray[np.float32]
    first: NDArray[np.bool_]

    def save(self, file: Path, *, quality: int) -> None:
        """Keep them, the pictures as WebP of a quality of 1 to 100."""
        ways = [cv2.IMWRITE_WEBP_QUALITY, quality]
        coded = [cv2.imencode(".webp", picture, ways)[1].ravel() for picture in self.pictures]
        temporary = file.with_suffix(".part.npz")
        np.savez(
            temporary,
            coded=np.concatenate([np.zeros(0, np.uint8), *coded]),
            ends=np.cumsum([len(one) for one in coded]),
            leans=self.leans,
            classes=self.classes,
            tilts=self.tilts,
            first=self.first,
        )
        temporary.replace(file)

    @classmethod
    def load(cls, file: Path) -> StanceCrops:
        """What `save` kept."""
        with np.load(file) as kept:
            coded = np.split(kept["coded"], kept["ends"])[:-1]
            with ThreadPoolExecutor() as pool:
                pictures = list(pool.map(partial(cv2.imdecode, flags=cv2.IMREAD_COLOR), coded))
            rest = (kept[one.name] for one in fields(cls)[1:])
            return cls(_stacked(pictures), *rest)

    @classmethod
    def together(cls, parts: Sequence[StanceCrops]) -> StanceCrops:
        """Several as one."""
        names = [one.name for one in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _stacked(pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    return np.array(pictures, np.uint8).reshape(-1, KEPT_PX, KEPT_PX, 3)


def rectified(
    image: NDArray[np.uint8], middle: NDArray[np.float64], ground: NDArray[np.float64], edge: float
) -> NDArray[np.uint8]:
    """What lies around a place, as if seen from straight above; y runs down as on the mat."""
    to_px = ground @ np.diag([1.0, -1.0]) * (KEPT_DICE * edge / KEPT_PX)
    shrink = max(1, round(float(np.sqrt(abs(np.linalg.det(to_px))))))
    if shrink > 1:  # warping does not average
        image = np.asarray(
            cv2.resize(image, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        )
        to_px, middle = to_px / shrink, middle / shrink
    matrix = np.column_stack([to_px, middle - 0.5 - to_px @ np.full(2, KEPT_PX / 2 - 0.5)])
    return np.asarray(
        cv2.warpAffine(
            image, matrix, (KEPT_PX, KEPT_PX),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )  # fmt: skip


def _inside(box: NDArray[np.float64], size_px: int) -> bool:
    seen = np.clip(box, 0, size_px)
    return bool(np.prod(seen[2:] - seen[:2]) >= MIN_INSIDE * np.prod(box[2:] - box[:2]))


def _throw_of(stem: str) -> str:
    """The throw whose dice, or the table whose picture, a file is of: SEED_NUMBER."""
    return "_".join(stem.split("_")[:2])


def _written(folder: Path, split: str, known: Collection[Path]) -> list[Path]:
    """Truth of a set that is written to its end and not among `known`, a throw's in a row."""
    truth = folder / "standing" / split
    whole = {file.stem for file in truth.glob("*.done")}  # of `models.lab.stance_set`
    return [
        file
        for file in sorted(truth.glob("*.json"))
        if file not in known and (_throw_of(file.stem) in whole or file.stem.count("_") < 2)
    ]


Row = tuple[NDArray[np.uint8], NDArray[np.float64], int, float]


def _cut(file: Path) -> list[Row]:
    """The dice of one picture, each with its lean, its class and its tilt."""
    folder, split = file.parents[2], file.parent.name
    picture = folder / "images" / split / f"{file.stem}.jpg"
    image = cv2.imread(str(picture)) if picture.exists() else None
    rows: list[Row] = []
    for row in json.loads(file.read_text()) if image is not None else ():
        box = np.array(row["box"])
        middle, lean = (box[:2] + box[2:]) / 2, np.array(row["lean"]) * [1, -1]
        ground = np.array(row["ground"])
        edge_px = row["edge_mm"] * float(np.sqrt(abs(np.linalg.det(ground))))
        seen = row["shown"] and row.get("whole", True)
        if row["kind"] not in KINDS or not seen or edge_px < LEAST_EDGE_PX:
            continue
        if np.hypot(*lean) > STEEPEST or not _inside(box, image.shape[0]):
            continue
        crop = rectified(image, middle, ground, row["edge_mm"])
        rows.append((crop, lean, KINDS[row["kind"]], row["tilt_deg"]))
    return rows


def stance_crops(
    folders: Iterable[Path], split: str, known: set[Path] | None = None
) -> StanceCrops:
    """All dice and towers of rendered sets of which `models.lab.standing` told.

    Args:
        folders: sets, and folders that this module's command has written.
        split: "train" or "val".
        known: files that are passed over; what is taken in joins them. A set may still be
            rendered: of a throw that is not written to its end nothing is taken in.
    """
    known = set() if known is None else known
    folders = list(folders)
    kept = [file for folder in folders if (file := folder / f"{split}.npz").exists()]
    kept = [file for file in kept if file not in known]
    files = [file for folder in folders for file in _written(folder, split, known)]
    with ThreadPoolExecutor() as pool:
        cut = list(tqdm(pool.map(_cut, files), total=len(files), unit="picture", leave=False))
    known.update(files, kept)
    rows, first, last = [], [], None
    for file, dice in zip(files, cut, strict=True):
        throw = (file.parents[2], _throw_of(file.stem))
        for row in dice:
            first.append(throw != last)
            rows.append(row)
            last = throw
    fresh = StanceCrops(
        _stacked([row[0] for row in rows]),
        np.array([row[1] for row in rows], np.float32).reshape(-1, 2),
        np.array([row[2] for row in rows], np.int64),
        np.array([row[3] for row in rows], np.float32),
        np.array(first, np.bool_),
    )
    return StanceCrops.together([fresh, *(StanceCrops.load(file) for file in kept)])


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the cut-outs")
    parser.add_argument("--quality", type=int, default=90, help="of the pictures, 1 to 100 (90)")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for split in ("train", "val"):
        crops, file = stance_crops(args.sets, split), args.out / f"{split}.npz"
        crops.save(file, quality=args.quality)
        print(f"{file}: {len(crops.classes)} cut-outs, {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
