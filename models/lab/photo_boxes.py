"""Whole-die boxes for photographs that people labelled in other ways (`models.lab.photos`)."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from device.bootstrap import photo_reader
from device.images import load_image
from device.photo_score import LabelledDie, find_sources, load_photographs
from device.settings import load_settings

Row = list[float]


def fit(folder: Path, target: Path, *, pips_only: Sequence[str], shift: float) -> None:
    """Read every photograph and write one JSON line for each whose dice could all be framed."""
    reader = photo_reader(load_settings(None))
    lines, began_s = [], time.monotonic()
    for source in find_sources(folder):
        kept = 0
        photographs = load_photographs(source)
        needs_all = any(name in source.name for name in pips_only)
        for photo in tqdm(photographs, unit="photograph", desc=source.name):
            image = load_image(photo.path)
            found = [(die.value, np.array(die.box)) for die in reader.read(image).dice]
            size = np.array([image.shape[1], image.shape[0]], float)
            dice = framed(photo.dice, found, size, shift=shift, needs_all=needs_all)
            if dice is not None:
                kept += 1
                row = {"source": source.name, "file": photo.path.name, "dice": dice}
                lines.append(json.dumps(row))
        print(f"{source.name}: {kept} of {len(photographs)}", flush=True)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{target}: {len(lines)} photographs, {time.monotonic() - began_s:.0f} s")


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
            rows.append([die.value, *_rounded(np.concatenate([centre - own / 2, centre + own / 2]))])
    return rows


def _apart(centre: NDArray[np.float64], box: NDArray[np.float64]) -> float:
    side = float((box[2:] - box[:2]).max())
    return float(np.linalg.norm((box[:2] + box[2:]) / 2 - centre)) / max(side, 1.0)


def _rounded(box: NDArray[np.float64]) -> Row:
    return [round(float(v), 1) for v in box]
