"""Labels of photographs that are known to be mistaken, and what the dice really show.

A person labels a thousand dice and slips at a dozen. A table of such slips, every one looked at,
lets `schockauge bench photos --errata FILE` count both ways: as labelled, and put right. The
labels themselves are never touched. A row has `source`, `file`, the die's centre `x` and `y`
relative to the picture, what is `labelled` (nothing: the die has no label), and what it `shows`.
"""

from __future__ import annotations

import csv
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from device.errors import SourceError
from device.photo_labels import LabelledDie, Photograph

COLUMNS = ("source", "file", "x", "y", "labelled", "shows")
NEAR = 0.03
"""A label whose centre is farther off, relative to the picture, is another die's."""


@dataclass(frozen=True)
class Erratum:
    """One mistaken label.

    Attributes:
        place: centre of the die, x and y relative to the picture.
        labelled: what its label says; None: it has no label.
        shows: 1..6.
    """

    place: tuple[float, float]
    labelled: int | None
    shows: int


Errata = Mapping[tuple[str, str], Sequence[Erratum]]
"""By source and name of the file."""


def load_errata(path: Path) -> Errata:
    """Read the table.

    Raises:
        SourceError: it cannot be read, or a line is none; names file and line.
    """
    errata: dict[tuple[str, str], list[Erratum]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            for row in rows:
                try:
                    erratum = _erratum(row)
                except (KeyError, TypeError, ValueError) as error:
                    raise SourceError(
                        f"{path}, line {rows.line_num} is no row of {','.join(COLUMNS)}: {error}."
                    ) from error
                errata.setdefault((row["source"], row["file"]), []).append(erratum)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"{path} cannot be read as a table of errata: {error}.") from error
    return errata


def put_right(source: str, photo: Photograph, errata: Errata) -> Photograph:
    """The photograph with the labels that its dice deserve; itself where none is mistaken.

    Raises:
        SourceError: no label is where an erratum says; the table is of other photographs.
    """
    dice = list(photo.dice)
    for erratum in errata.get((source, photo.path.name), ()):
        if erratum.labelled is None:
            dice.append(_unlabelled(erratum, photo.dice))
            continue
        at = _labelled_at(dice, erratum)
        if at is None:
            raise SourceError(
                f"{photo.path}: the errata speak of a label {erratum.labelled} at "
                f"{erratum.place[0]:g}, {erratum.place[1]:g}, but there is none; they belong to "
                "other photographs."
            )
        dice[at] = replace(dice[at], value=erratum.shows)
    return replace(photo, dice=tuple(dice))


def _erratum(row: Mapping[str, str]) -> Erratum:
    values = [int(word) for word in (row["labelled"], row["shows"]) if word]
    if len(values) < 1 + bool(row["labelled"]) or not all(1 <= value <= 6 for value in values):
        raise ValueError(f"a die shows 1 to 6, but got {row['labelled']!r} and {row['shows']!r}")
    labelled = values[0] if row["labelled"] else None
    return Erratum((float(row["x"]), float(row["y"])), labelled, values[-1])


def _labelled_at(dice: Sequence[LabelledDie], erratum: Erratum) -> int | None:
    """Index of the label that the erratum means."""
    off = {
        index: max(abs(a - b) for a, b in zip(die.centre, erratum.place, strict=True))
        for index, die in enumerate(dice)
        if die.value == erratum.labelled and die.centre is not None
    }
    nearest = min(off, key=off.__getitem__, default=None)
    return nearest if nearest is not None and off[nearest] <= NEAR else None


def _unlabelled(erratum: Erratum, others: Sequence[LabelledDie]) -> LabelledDie:
    """A label for a die that had none, as large as those beside it."""
    sides = [die.side for die in others if die.centre is not None] or [(0.0, 0.0)]
    width, height = (statistics.median(side[axis] for side in sides) for axis in (0, 1))
    pips_only = bool(others) and others[0].pips_only
    return LabelledDie(erratum.shows, erratum.place, (width, height), pips_only)
