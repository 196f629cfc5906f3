"""Cut dice out of labelled pictures for the two readers.

A crop is kept larger (twice the box) than the networks see (1.35 times the box, as in
`vision.crops`), so that training can turn, shift and scale it without inventing borders.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

KEPT_PX = 92
KEPT_SCALE = 2.0
SEEN_PX = 64
SEEN_SCALE = 1.35
TOWER, BURNING, NOTHING = 6, 7, 8
"""What a crop may show besides the values 0..5."""
CUP = 8
"""Class of a cup in a picture's labels; cups are not cut out."""
MOST_PIPS = 6
SPLITS = ("train", "val")
"""Parts of every set: what is learned from, and what is held out."""
Toward = NDArray[np.float32]
LEAST_PX = 11.0
"""Smaller dice are too poor to learn from."""


@dataclass(frozen=True, eq=False)
class Crops:
    """Cut-out dice and what is known of them.

    Attributes:
        pictures: (N, KEPT_PX, KEPT_PX, 3) uint8 BGR.
        classes: (N,) int64: values 0..5, tower, burning, nothing.
        pips: (N, 6, 2) float32, centres of the top face's pips, x and y from -1 to 1 across the
            kept crop; NaN where there is none.
        counted: (N,) bool, whether `pips` is known (a place without a die has none, surely).
        toward: (N, 2) float32, the way in the picture from the die to the point below the camera,
            as long as the tangent of the angle of view; 0 where nobody told.
    """

    pictures: NDArray[np.uint8]
    classes: NDArray[np.int64]
    pips: NDArray[np.float32]
    counted: NDArray[np.bool_]
    toward: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.classes)

    def save(self, file: Path) -> None:
        """Keep them as they are; whoever looks for the file sees all of it or none."""
        temporary = file.with_suffix(".part.npz")
        np.savez(temporary, **{one.name: getattr(self, one.name) for one in fields(self)})
        temporary.replace(file)

    @classmethod
    def load(cls, file: Path) -> Crops:
        """What `save` kept."""
        with np.load(file) as kept:
            return cls(**{one.name: kept[one.name] for one in fields(cls)})

    @classmethod
    def none(cls) -> Crops:
        """No cut-outs."""
        return cls(
            np.zeros((0, KEPT_PX, KEPT_PX, 3), np.uint8),
            np.zeros(0, np.int64),
            np.zeros((0, MOST_PIPS, 2), np.float32),
            np.zeros(0, np.bool_),
            np.zeros((0, 2), np.float32),
        )

    def only(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Crops:
        """Those that a mask (N,) or a list of rows names."""
        return Crops(
            self.pictures[chosen],
            self.classes[chosen],
            self.pips[chosen],
            self.counted[chosen],
            self.toward[chosen],
        )

    @classmethod
    def together(cls, parts: Sequence[Crops]) -> Crops:
        """Several sets as one."""
        return cls(
            np.concatenate([part.pictures for part in parts]),
            np.concatenate([part.classes for part in parts]),
            np.concatenate([part.pips for part in parts]),
            np.concatenate([part.counted for part in parts]),
            np.concatenate([part.toward for part in parts]),
        )


def square(
    image: NDArray[np.uint8], box: NDArray[np.float64], scale: float, size_px: int
) -> NDArray[np.uint8]:
    """Square of `scale` times the longer side around the centre of a box (x1, y1, x2, y2)."""
    side = max(4.0, scale * max(box[2] - box[0], box[3] - box[1]))
    center = (box[:2] + box[2:]) / 2
    x1, y1 = np.round(center - side / 2).astype(int)
    n = max(4, round(side))
    h, w = image.shape[:2]
    pad = [max(0, -y1), max(0, y1 + n - h), max(0, -x1), max(0, x1 + n - w)]
    part = image[max(0, y1) : min(h, y1 + n), max(0, x1) : min(w, x1 + n)]
    if part.size == 0:
        return np.zeros((size_px, size_px, 3), np.uint8)
    if any(pad):
        part = cv2.copyMakeBorder(part, *pad, cv2.BORDER_REPLICATE)
    way = cv2.INTER_AREA if n > size_px else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, (size_px, size_px), interpolation=way), np.uint8)


def boxes_of(
    label_file: Path, width: int, height: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Class ids (N,) and boxes (N, 4) in pixels of a YOLO label file."""
    rows = [line.split() for line in label_file.read_text().splitlines() if line.strip()]
    if not rows:
        return np.zeros(0, np.int64), np.zeros((0, 4))
    table = np.array(rows, float)
    center, half = table[:, 1:3] * [width, height], table[:, 3:5] * [width, height] / 2
    return table[:, 0].astype(np.int64), np.concatenate([center - half, center + half], axis=1)


def _background(
    rng: np.random.Generator, boxes: NDArray[np.float64], size: int
) -> NDArray[np.float64]:
    """A box that is no die: anywhere, or a die badly framed so that it must not be read."""
    if len(boxes) and rng.random() < 0.5:
        base = boxes[int(rng.integers(len(boxes)))]
        side = max(base[2] - base[0], base[3] - base[1])
        away = rng.uniform(0.75, 1.3) * side
        angle = rng.uniform(0, 6.283)
        shift = np.array([np.cos(angle), np.sin(angle)] * 2) * away
        return np.asarray(base + shift)
    side = float(np.exp(rng.uniform(np.log(14), np.log(100))))
    at = rng.uniform(0, size, 2)
    return np.array([*(at - side / 2), *(at + side / 2)])


def _faces(folder: Path, split: str, stem: str) -> dict[tuple[int, ...], NDArray[np.float64]]:
    """Pips of a picture's dice by their box in whole pixels; empty where nobody told."""
    file = folder / "faces" / split / f"{stem}.json"
    if not file.exists():
        return {}
    told = json.loads(file.read_text())
    return {_key(die["box"]): np.array(die["pips"], float).reshape(-1, 2) for die in told}


def _toward(folder: Path, split: str, stem: str, size: int) -> dict[tuple[int, ...], Toward]:
    """The way to below the camera of a picture's dice, by their box in whole pixels."""
    file = folder / "standing" / split / f"{stem}.json"
    if not file.exists():
        return {}
    out = {}
    for die in json.loads(file.read_text()):
        way = np.array(die["ground"]) @ die["lean"]
        length = float(np.linalg.norm(way)) or 1.0
        box = np.clip(die["box"], 0, size)
        out[_key(box)] = (way / length * np.linalg.norm(die["lean"])).astype(np.float32)
    return out


def _mined(folder: Path, split: str, stem: str) -> list[NDArray[np.float64]]:
    """Places that look like dice and are none (`models.lab.mined`)."""
    file = folder / "mined" / split / f"{stem}.json"
    return [np.array(box, float) for box in json.loads(file.read_text())] if file.exists() else []


def _key(box: Sequence[float]) -> tuple[int, ...]:
    return tuple(round(float(v)) for v in box)


def _within(points: NDArray[np.float64], box: NDArray[np.float64]) -> NDArray[np.float32]:
    """Points in pixels to (6, 2) in -1..1 across the crop that is kept of a box."""
    out = np.full((MOST_PIPS, 2), np.nan, np.float32)
    half = KEPT_SCALE * max(box[2] - box[0], box[3] - box[1]) / 2
    out[: len(points)] = (points - (box[:2] + box[2:]) / 2) / half
    return out


def pictures_of(folder: Path, split: str) -> list[str]:
    """Names of a set's pictures that are written to their end, in their order."""
    files = (folder / "images" / split).glob("*.jpg")
    return sorted(file.stem for file in files if not file.stem.endswith(".part"))


def cut(folder: Path, split: str, *, seed: int = 0, stems: Sequence[str] | None = None) -> Crops:
    """All crops of a set, a place without a die per picture, and those that look like dice.

    Args:
        folder: the set.
        split: "train" or "val".
        seed: of the places without a die.
        stems: names of the pictures to cut from, without an ending; None: all that there are.
    """
    rng = np.random.default_rng(seed)
    rows: list[tuple[NDArray[np.uint8], int, NDArray[np.float32], bool, Toward]] = []
    nowhere = np.zeros(2, np.float32)
    unknown = np.full((MOST_PIPS, 2), np.nan, np.float32)
    stems = pictures_of(folder, split) if stems is None else stems
    for stem in tqdm(stems, unit="picture", leave=False):
        image = cv2.imread(str(folder / "images" / split / f"{stem}.jpg"))
        if image is None:
            continue
        file = folder / "labels" / split / f"{stem}.txt"
        ids, boxes = boxes_of(file, image.shape[1], image.shape[0])
        faces = _faces(folder, split, stem)
        toward = _toward(folder, split, stem, image.shape[0])
        for class_id, box in zip(ids, boxes, strict=True):
            if class_id == CUP or max(box[2:] - box[:2]) < LEAST_PX:
                continue
            points = faces.get(_key(box))
            pips = unknown if points is None else _within(points, box)
            picture = square(image, box, KEPT_SCALE, KEPT_PX)
            way = toward.get(_key(box), nowhere)
            rows.append((picture, int(class_id), pips, points is not None, way))
        dice = boxes[ids != CUP] if len(ids) else boxes
        box = _background(rng, dice, image.shape[0])
        centers = (dice[:, :2] + dice[:, 2:]) / 2
        middle = (box[:2] + box[2:]) / 2
        sides = (dice[:, 2:] - dice[:, :2]).max(axis=1) if len(dice) else np.zeros(0)
        empty = [] if (np.abs(centers - middle).max(axis=1) < 0.6 * sides).any() else [box]
        for place in [*empty, *_mined(folder, split, stem)]:
            picture = square(image, place, KEPT_SCALE, KEPT_PX)
            rows.append((picture, NOTHING, unknown, (folder / "faces").exists(), nowhere))
    return Crops(
        np.array([row[0] for row in rows], np.uint8).reshape(-1, KEPT_PX, KEPT_PX, 3),
        np.array([row[1] for row in rows], np.int64),
        np.array([row[2] for row in rows], np.float32).reshape(-1, MOST_PIPS, 2),
        np.array([row[3] for row in rows], np.bool_),
        np.array([row[4] for row in rows], np.float32).reshape(-1, 2),
    )
