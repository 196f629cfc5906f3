"""The one value type between the model and everything else, and what may produce it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image

CLASS_NAMES = ("1", "2", "3", "4", "5", "6", "tower", "burning", "cup")
TOWER, BURNING, CUP = 6, 7, 8
VALUE_CLASSES = 6
"""Class ids 0..5 are dice lying flat; the value is the id plus one."""


@dataclass(frozen=True, eq=False)
class Detections:
    """What one look at one picture found.

    Attributes:
        xyxy: (N, 4) float32, pixels: left, top, right, bottom.
        score: (N,) float32, 0..1.
        class_id: (N,) int64, index in `CLASS_NAMES`.
        if_flat: (N, 6) float32, how likely each value is should it lie flat, whatever the class;
            None where nobody says.

    Raises:
        ValueError: shapes that do not fit, or a class that does not exist.
    """

    xyxy: NDArray[np.float32]
    score: NDArray[np.float32]
    class_id: NDArray[np.int64]
    if_flat: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        if self.xyxy.ndim != 2 or self.xyxy.shape[1] != 4:
            raise ValueError(f"xyxy must have the shape (N, 4), but got {self.xyxy.shape}.")
        count = self.xyxy.shape[0]
        if self.if_flat is not None and self.if_flat.shape != (count, VALUE_CLASSES):
            raise ValueError(
                f"if_flat must have the shape ({count}, 6) like xyxy, but got {self.if_flat.shape}."
            )
        for name, array in (("score", self.score), ("class_id", self.class_id)):
            if array.shape != (count,):
                raise ValueError(
                    f"{name} must have the shape ({count},) like xyxy, but got {array.shape}."
                )
        if count and not (self.class_id.min() >= 0 and self.class_id.max() < len(CLASS_NAMES)):
            raise ValueError(
                f"class_id must be 0..{len(CLASS_NAMES) - 1}, but got {self.class_id.tolist()}."
            )

    def __len__(self) -> int:
        return int(self.xyxy.shape[0])

    @classmethod
    def empty(cls) -> "Detections":
        """No finding."""
        return cls.of([], [], [])

    @classmethod
    def of(
        cls, boxes: Sequence[Sequence[float]], scores: Sequence[float], classes: Sequence[int]
    ) -> "Detections":
        """Build from plain lists.

        Args:
            boxes: left, top, right, bottom in pixels, N of them.
            scores: N numbers 0..1.
            classes: N indices in `CLASS_NAMES`.

        Returns:
            The findings, in the order given.

        Raises:
            ValueError: as for the class itself.
        """
        return cls(
            np.asarray(boxes if len(boxes) else np.zeros((0, 4)), dtype=np.float32),
            np.asarray(scores, dtype=np.float32),
            np.asarray(classes, dtype=np.int64),
        )

    @classmethod
    def merged(cls, parts: Sequence["Detections"]) -> "Detections":
        """All findings of several looks in one, in order; not suppressed."""
        if not parts:
            return cls.empty()
        told = [part.if_flat for part in parts if part.if_flat is not None]
        return cls(
            np.concatenate([part.xyxy for part in parts]),
            np.concatenate([part.score for part in parts]),
            np.concatenate([part.class_id for part in parts]),
            np.concatenate(told) if len(told) == len(parts) else None,
        )

    def select(self, mask: NDArray[np.bool_] | NDArray[np.int64]) -> "Detections":
        """The findings that a mask (N,) or an index array picks."""
        told = None if self.if_flat is None else self.if_flat[mask]
        return Detections(self.xyxy[mask], self.score[mask], self.class_id[mask], told)

    def with_boxes(self, xyxy: NDArray[np.float32]) -> "Detections":
        """The same findings in other coordinates; xyxy is (N, 4)."""
        return replace(self, xyxy=xyxy.astype(np.float32))

    @property
    def centres(self) -> NDArray[np.float32]:
        """(N, 2) pixels."""
        return ((self.xyxy[:, :2] + self.xyxy[:, 2:]) / 2).astype(np.float32)

    @property
    def sides(self) -> NDArray[np.float32]:
        """(N,) pixels: the side of the square with the box's area."""
        width = np.maximum(self.xyxy[:, 2] - self.xyxy[:, 0], 0)
        height = np.maximum(self.xyxy[:, 3] - self.xyxy[:, 1], 0)
        return np.asarray(np.sqrt(width * height), dtype=np.float32)


class DieDetector(Protocol):
    """Finds dice, towers, burning dice and cups; `vision.eye.Eye` is the real one."""

    def detect(
        self, image_bgr: Image, *, size_px: int = 640, min_score: float = 0.25, view: int = 0
    ) -> Detections:
        """Look once at (H, W, 3) uint8 with its long side scaled to `size_px`.

        `view` tells looks at the same things apart: they may be shown to the networks in another
        way for every number.
        """
        ...


class ValueWitness(Protocol):
    """Reads cut-out dice independently; `vision.readers.PipCounter` is the real one."""

    def probabilities(self, crops_bgr: Image) -> NDArray[np.float32]:
        """(N, 64, 64, 3) uint8 -> (N, 7): the values 1..6, and 7 = not a flat readable die."""
        ...


class PipWitness(ValueWitness, Protocol):
    """A value witness that shows where it saw pips; `vision.readers.PipCounter` is the real one."""

    def maps(self, crops_bgr: Image) -> NDArray[np.float32]:
        """(N, 64, 64, 3) uint8 -> (N, S, S): how likely a pip of the top face is at each place."""
        ...


class StanceWitness(Protocol):
    """Says how dice stand; `vision.stance.StanceReader` is the real one."""

    def stances(
        self, crops_bgr: Image, leans: NDArray[np.float64], looks: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """(N, 96, 96, 3) uint8, (N, 2) and (N,) -> (N, 3): flat, tower, burning."""
        ...


class OutlineWitness(Protocol):
    """Says by dice's outlines how they stand; `vision.outline.OutlineReader` is the real one."""

    def stances(self, crops_bgr: Image, told: NDArray[np.float32]) -> NDArray[np.float32]:
        """(N * 4, 128, 64, 3) uint8 and (N * 4, 3), cut out -> (N, 3): flat, tower, burning."""
        ...


def suppress(found: Detections, *, max_iou: float = 0.5, max_inside: float = 0.8) -> Detections:
    """Keep one finding per place, whatever its class; the best score wins.

    Two findings are at one place when they overlap (`max_iou`), or when one lies inside the
    other (`max_inside` of the smaller): a model finds both a die and its top face now and then.
    A cup may enclose a die (they are not the same thing), so for cups only the overlap counts.

    Args:
        found: any number of findings.
        max_iou: intersection over union above which the lower score goes.
        max_inside: intersection over the smaller area above which the lower score goes.

    Returns:
        The findings that stay, best score first.
    """
    if len(found) < 2:
        return found
    sides = found.xyxy - np.concatenate([np.zeros_like(found.xyxy[:, :2]), found.xyxy[:, :2]], 1)
    keep = np.asarray(
        cv2.dnn.NMSBoxes(sides.tolist(), found.score.tolist(), 0.0, max_iou), dtype=np.int64
    ).reshape(-1)
    found = found.select(keep)
    area = np.maximum(found.sides**2, 1e-6)
    is_cup = found.class_id == CUP
    stays: list[int] = []
    for index in range(len(found)):
        rivals = [other for other in stays if is_cup[other] == is_cup[index]]
        if all(
            _intersection(found.xyxy[index], found.xyxy[other]) / min(area[index], area[other])
            <= max_inside
            for other in rivals
        ):
            stays.append(index)
    return found.select(np.asarray(stays, dtype=np.int64))


def iou(box: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Intersection over union of two boxes (4,), 0..1."""
    shared = _intersection(box, other)
    areas = [float(max(b[2] - b[0], 0) * max(b[3] - b[1], 0)) for b in (box, other)]
    return shared / max(sum(areas) - shared, 1e-6)


def _intersection(box: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    return float(max(width, 0) * max(height, 0))
