"""Labelled photographs: folders with `images/` and labels in one of two forms.

`labels/<stem>.txt` (YOLO: class 0..5, centre and size relative to the picture) says where each die
lies, `values.csv` (file,values) only what it shows. `meta.json` beside them may say where the
photographs come from (`repo`, `licence`) and what the boxes frame (`box`).
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path

from device.errors import SourceError
from device.images import IMAGE_SUFFIXES

PIPS_TO_DIE = 1.2
PIP_TO_DIE = 2.4
"""Side of a die / longest side of a box around the pips of its top face; the latter for a one.

Measured on the only such source: its boxes are 23 px for ones and 43 px for fours and fives.
"""


@dataclass(frozen=True)
class LabelledDie:
    """A die as a person has labelled it.

    Attributes:
        value: 1..6.
        centre: x and y relative to the picture, or None where only the value is known.
        side: width and height of the label's box, relative to the picture.
        pips_only: the box frames the pips of the top face, not the die.
    """

    value: int
    centre: tuple[float, float] | None = None
    side: tuple[float, float] = (0.0, 0.0)
    pips_only: bool = False

    def side_px(self, size_px: tuple[int, int]) -> float | None:
        """Side of the die in a picture of this width and height; None where it is unknown."""
        if self.centre is None:
            return None
        width, height = self.side[0] * size_px[0], self.side[1] * size_px[1]
        if self.pips_only:
            return max(width, height) * (PIP_TO_DIE if self.value == 1 else PIPS_TO_DIE)
        return float((width * height) ** 0.5)


@dataclass(frozen=True)
class Photograph:
    """A labelled photograph."""

    path: Path
    dice: tuple[LabelledDie, ...]


def find_sources(folder: Path) -> list[Path]:
    """The sub-folders (or the folder itself) that hold `images/` and labels.

    Raises:
        SourceError: there is none.
    """
    candidates = [folder, *sorted(folder.iterdir())] if folder.is_dir() else []
    found = [c for c in candidates if (c / "images").is_dir() and _has_labels(c)]
    if not found:
        raise SourceError(
            f"{folder} holds no labelled photographs. Expected folders with images/ and "
            "labels/*.txt (YOLO) or values.csv (file,values)."
        )
    return found


def load_photographs(source: Path) -> list[Photograph]:
    """The labelled photographs of a source, sorted by name.

    Raises:
        SourceError: a label cannot be read; names file and line.
    """
    pictures = sorted(
        p for p in (source / "images").iterdir() if p.suffix.lower() in IMAGE_SUFFIXES
    )
    if (source / "values.csv").is_file():
        values = _values(source / "values.csv")
        return [
            Photograph(p, tuple(LabelledDie(v) for v in values[p.name]))
            for p in pictures
            if p.name in values
        ]
    pips_only = "pips" in describe(source).get("box", "").lower()
    labels = {p: source / "labels" / f"{p.stem}.txt" for p in pictures}
    return [
        Photograph(p, _yolo(label, pips_only=pips_only))
        for p, label in labels.items()
        if label.is_file()
    ]


def describe(source: Path) -> dict[str, str]:
    """What `meta.json` says of a source, as texts; empty where there is none.

    Raises:
        SourceError: it is no JSON object.
    """
    path = source / "meta.json"
    if not path.is_file():
        return {}
    try:
        return {key: str(word) for key, word in json.loads(path.read_text("utf-8")).items()}
    except (ValueError, AttributeError) as error:
        raise SourceError(f"{path} is no JSON object: {error}.") from error


def _has_labels(source: Path) -> bool:
    return (source / "labels").is_dir() or (source / "values.csv").is_file()


def _values(path: Path) -> dict[str, list[int]]:
    with path.open(encoding="utf-8", newline="") as file:
        try:
            return {
                row["file"]: [_face(int(word)) for word in row["values"].split()]
                for row in csv.DictReader(file)
            }
        except (KeyError, ValueError, AttributeError) as error:
            raise SourceError(f"{path} is no table of file,values: {error}.") from error


def _yolo(path: Path, *, pips_only: bool) -> tuple[LabelledDie, ...]:
    dice = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            name, x, y, width, height = line.split()
            value = _face(int(name) + 1)
            centre, side = (float(x), float(y)), (float(width), float(height))
            dice.append(LabelledDie(value, centre, side, pips_only))
        except ValueError as error:
            raise SourceError(f"{path}, line {number} is no YOLO label: {error}.") from error
    return tuple(dice)


def _face(value: int) -> int:
    if not 1 <= value <= 6:
        raise ValueError(f"a die shows 1 to 6, but got {value}")
    return value
