"""Whole-die boxes for photographs that people labelled in other ways (`models.lab.photos`)."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from device.photo_labels import LabelledDie
from vision.reader import PhotoReader

from .seen import Seen

Row = list[float]


def fit(pictures: Sequence[Seen], target: Path, *, pips_only: Sequence[str], shift: float) -> None:
    """Write one JSON line for each photograph whose dice could all be framed."""
    reader = PhotoReader(None, None, None, clock=time.perf_counter)  # type: ignore[arg-type]
    lines, kept = [], Counter()
    for picture in pictures:
        reading = reader.judge(
            picture.clusters, picture.said, size_px=picture.size_px, complete=True
        )
        dice = framed(
            picture.photo.dice,
            [(die.value, np.array(die.box)) for die in reading.dice],
            np.array(picture.size_px, float),
            shift=shift,
            needs_all=any(name in picture.source for name in pips_only),
        )
        kept[picture.source] += dice is not None
        if dice is not None:
            row = {"source": picture.source, "file": picture.photo.path.name, "dice": dice}
            lines.append(json.dumps(row))
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, count in kept.items():
        print(f"{name}: {count} of {sum(p.source == name for p in pictures)}")


def framed(
    dice: Sequence[LabelledDie],
    found: Sequence[tuple[int, NDArray[np.float64]]],
    size_px: NDArray[np.float64],
    *,
    shift: float,
    needs_all: bool,
) -> list[Row] | None:
    """Boxes for what a person labelled.

    Args:
        dice: the labels.
        found: value and box (4,) in pixels of every die that was read.
        size_px: (2,) width and height.
        shift: how far a label's centre may lie from a box's, as a share of the box's side.
        needs_all: a label without a finding spoils the photograph (its own box is no measure).

    Returns:
        [value, x1, y1, x2, y2] per die, or None: this photograph cannot be used.
    """
    if any(die.centre is None for die in dice):
        if sorted(die.value for die in dice) != sorted(value for value, _ in found):
            return None
        return [[value, *_rounded(box)] for value, box in found]
    rows: list[Row] = []
    free = list(range(len(found)))
    for die in dice:
        centre = np.array(die.centre) * size_px
        own = np.array(die.side) * size_px
        near = [i for i in free if _apart(centre, found[i][1]) < shift]
        if near:
            best = min(near, key=lambda i: _apart(centre, found[i][1]))
            free.remove(best)
            rows.append([die.value, *_rounded(found[best][1])])
        elif needs_all:
            return None
        else:
            rows.append(
                [die.value, *_rounded(np.concatenate([centre - own / 2, centre + own / 2]))]
            )
    return rows


def _apart(centre: NDArray[np.float64], box: NDArray[np.float64]) -> float:
    side = float((box[2:] - box[:2]).max())
    return float(np.linalg.norm((box[:2] + box[2:]) / 2 - centre)) / max(side, 1.0)


def _rounded(box: NDArray[np.float64]) -> Row:
    return [round(float(v), 1) for v in box]
