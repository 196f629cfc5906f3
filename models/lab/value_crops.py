"""Cut dice out of a rendered set for the second reader.

A crop is kept larger (twice the box) than the network sees (1.35 times the box, as in
`vision.crops`), so that training can turn, shift and scale it without inventing borders.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

KEPT_PX = 92
KEPT_SCALE = 2.0
SEEN_PX = 64
SEEN_SCALE = 1.35
NOT_READABLE = 6


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


def cut(folder: Path, split: str, *, seed: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All crops of a set: (N, KEPT_PX, KEPT_PX, 3) BGR and classes 0..6 (6: not readable)."""
    rng = np.random.default_rng(seed)
    crops, classes = [], []
    for file in tqdm(sorted((folder / "labels" / split).glob("*.txt")), unit="picture"):
        picture_file = folder / "images" / split / f"{file.stem}.jpg"
        image = cv2.imread(str(picture_file)) if picture_file.exists() else None
        if image is None:
            continue
        ids, boxes = boxes_of(file, image.shape[1], image.shape[0])
        for class_id, box in zip(ids, boxes, strict=True):
            if class_id < 8:  # towers and burning dice must not be read; cups are no dice
                crops.append(square(image, box, KEPT_SCALE, KEPT_PX))
                classes.append(min(int(class_id), NOT_READABLE))
        dice = boxes[ids < 8] if len(ids) else boxes
        box = _background(rng, dice, image.shape[0])
        centers = (dice[:, :2] + dice[:, 2:]) / 2
        middle = (box[:2] + box[2:]) / 2
        sides = (dice[:, 2:] - dice[:, :2]).max(axis=1) if len(dice) else np.zeros(0)
        if not (np.abs(centers - middle).max(axis=1) < 0.6 * sides).any():
            crops.append(square(image, box, KEPT_SCALE, KEPT_PX))
            classes.append(NOT_READABLE)
    return np.stack(crops), np.array(classes)
