"""How well photographs are read: whole photographs right, dice right, sure, sure but wrong.

Box conventions differ between sources, so nothing is compared by overlap: a die that was read
belongs to the labelled die whose centre lies in its box, or whose centre is closer than half a
die. What counts most is a whole photograph: the sorted values must be exactly the labelled ones.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from device.errors import SourceError
from device.images import IMAGE_SUFFIXES

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class LabelledDie:
    """A die as a person has labelled it; `centre` and `side` relative to the picture, or None."""

    value: int
    centre: tuple[float, float] | None = None
    side: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Photograph:
    """A labelled photograph."""

    path: Path
    dice: tuple[LabelledDie, ...]


@dataclass(frozen=True)
class PhotoScore:
    """How one photograph was read; the defaults are those of one that cannot be read."""

    dice: int
    dice_right: int = 0
    right: bool = False
    sure: bool = False

    @property
    def sure_but_wrong(self) -> bool:
        """The worst case: nobody would be asked."""
        return self.sure and not self.right


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
    labels = {p: source / "labels" / f"{p.stem}.txt" for p in pictures}
    return [Photograph(p, _yolo(label)) for p, label in labels.items() if label.is_file()]


def score(
    labelled: Sequence[LabelledDie],
    read: Sequence[tuple[int, Box]],
    *,
    size_px: tuple[int, int],
    sure: bool,
) -> PhotoScore:
    """Compare what was read with the labels.

    Args:
        labelled: the true dice.
        read: value and box in pixels.
        size_px: width and height of the picture.
        sure: what the reader says of itself.
    """
    truth = Counter(die.value for die in labelled)
    values = Counter(value for value, _ in read)
    if all(die.centre is None for die in labelled):
        dice_right = (truth & values).total()
    else:
        pairs = matches(labelled, [box for _, box in read], size_px)
        dice_right = sum(labelled[number].value == read[index][0] for number, index in pairs)
    return PhotoScore(len(labelled), dice_right, right=truth == values, sure=sure)


def matches(
    labelled: Sequence[LabelledDie], boxes: Sequence[Box], size_px: tuple[int, int]
) -> list[tuple[int, int]]:
    """Pair labelled dice with the boxes that were found for them, the nearest first.

    Args:
        labelled: the true dice; those without a place belong to no box.
        boxes: left, top, right, bottom in pixels.
        size_px: width and height of the picture.

    Returns:
        Index in `labelled` and index in `boxes`, each at most once.
    """
    width, height = size_px
    pairs = []
    for number, die in enumerate(labelled):
        if die.centre is None:
            continue
        x, y = die.centre[0] * width, die.centre[1] * height
        for index, box in enumerate(boxes):
            apart = _distance((x, y), box)
            half = max(die.side[0] * width, die.side[1] * height) / 2
            inside = box[0] <= x <= box[2] and box[1] <= y <= box[3]
            if inside or apart < half:
                pairs.append((apart, number, index))
    found: dict[int, int] = {}
    for _, number, index in sorted(pairs):
        if number not in found and index not in found.values():
            found[number] = index
    return list(found.items())


def _distance(point: tuple[float, float], box: Box) -> float:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return float(((x - point[0]) ** 2 + (y - point[1]) ** 2) ** 0.5)


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


def _yolo(path: Path) -> tuple[LabelledDie, ...]:
    dice = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            name, x, y, width, height = line.split()
            value = _face(int(name) + 1)
            dice.append(LabelledDie(value, (float(x), float(y)), (float(width), float(height))))
        except ValueError as error:
            raise SourceError(f"{path}, line {number} is no YOLO label: {error}.") from error
    return tuple(dice)


def _face(value: int) -> int:
    if not 1 <= value <= 6:
        raise ValueError(f"a die shows 1 to 6, but got {value}")
    return value
