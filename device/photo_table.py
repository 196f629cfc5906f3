"""The results of `schockauge bench photos` as rows, tables and lines."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from device.photo_faults import AS_IT_IS
from device.photo_score import DieScore, PhotoScore
from device.photo_statistics import BANDS, by_size

HEAD = ("photographs", "right", "dice", "dice right", "sure", "sure but wrong", "ms")


BESIDE_DICE = ("towers", "burning", "cups", "parts")
"""What a reading tells beside dice."""


@dataclass(frozen=True)
class Result:
    """One photograph that was read, or could not be.

    Attributes:
        source: name of its folder.
        path: the file.
        score: compared with its labels.
        ms: milliseconds that reading took; 0 when it failed.
        others: how many were found of each of `BESIDE_DICE`, or the error.
        put_right: compared with labels whose known mistakes are put right; None: as `score`.
        corrected: how many labels that were.
        shown: as it is, or in which way (`device.photo_faults`, `device.photo_frames`).
    """

    source: str
    path: Path
    score: PhotoScore
    ms: float = 0.0
    others: Mapping[str, Any] = field(default_factory=dict)
    put_right: PhotoScore | None = None
    corrected: int = 0
    shown: str = AS_IT_IS


def all_put_right(results: Mapping[str, Sequence[Result]]) -> dict[str, list[Result]]:
    """The same photographs, each compared with labels that are put right."""
    return {
        name: [replace(one, score=one.put_right or one.score) for one in found]
        for name, found in results.items()
    }


def put_right_title(results: Mapping[str, Sequence[Result]]) -> str:
    """What stands above figures whose labels are put right; "" where none was mistaken."""
    photographs = {one.path: one.corrected for found in results.values() for one in found}
    count = sum(photographs.values())
    return f"with {count} mistaken label{'s' * (count != 1)} put right" if count else ""


def summaries(results: Mapping[str, Sequence[Result]], by: str = "source") -> list[dict[str, Any]]:
    """A row of figures per source (or what `by` names), and one of all where there are several."""
    rows = [summary(name, found, by) for name, found in results.items()]
    if len(rows) > 1:
        rows.append(summary("all", [one for found in results.values() for one in found], by))
    return rows


def summary(name: str, results: Sequence[Result], by: str = "source") -> dict[str, Any]:
    """The figures of one row; counts, so that shares can be made of them."""
    scores = [result.score for result in results]
    return {
        by: name,
        "photographs": len(scores),
        "right": sum(s.right for s in scores),
        "dice": sum(s.labelled for s in scores),
        "dice_right": sum(s.dice_right for s in scores),
        "sure": sum(s.sure for s in scores),
        "sure_but_wrong": sum(s.sure_but_wrong for s in scores),
        "ms": round(statistics.median([result.ms for result in results] or [0.0]), 1),
    }


def as_table(rows: Sequence[Mapping[str, Any]], by: str = "source") -> str:
    """The figures as a Markdown table, `by` being what has a row."""
    lines = []
    for row in rows:
        photographs = row["photographs"]
        lines.append(
            (
                row[by],
                photographs,
                _share(row["right"], photographs),
                row["dice"],
                _share(row["dice_right"], row["dice"]),
                _share(row["sure"], photographs),
                row["sure_but_wrong"],
                row["ms"],
            )
        )
    return markdown((by, *HEAD), lines)


def size_table(results: Mapping[str, Sequence[Result]]) -> str:
    """Dice right per source and side of the die in pixels, as a Markdown table.

    A source without boxes knows the side only of dice that were read.
    """
    lines = []
    for name, found in results.items():
        shares = by_size(die for result in found for die in result.score.dice)
        lines.append(
            (name, *(_share(share.right, share.total, of=True) for share in shares.values()))
        )
    return markdown(("source", *(f"{band} px" for band in BANDS)), lines)


def markdown(head: Sequence[str], lines: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    rule = "|" + "---|" * len(head)
    rows = ["| " + " | ".join(str(cell) for cell in line) + " |" for line in (head, *lines)]
    return "\n".join([rows[0], rule, *rows[1:]])


def detail(result: Result) -> dict[str, Any]:
    """One photograph as a line of `--details`."""
    score = result.score
    return {
        "source": result.source,
        "file": result.path.name,
        "shown": result.shown,
        "right": score.right,
        "sure": score.sure,
        "confidence": score.confidence,
        "labelled": sorted(die.true for die in score.dice if die.true is not None),
        "read": sorted(die.read for die in score.dice if die.read is not None),
        "dice": [_die(die) for die in score.dice],
        **result.others,
    }


def _die(die: DieScore) -> dict[str, Any]:
    return {
        "found": die.found,
        "true": die.true,
        "read": die.read,
        "score": die.score,
        "sure": die.sure,
        "side_px": None if die.side_px is None else round(die.side_px, 1),
    }


def _share(part: int, whole: int, *, of: bool = False) -> str:
    if not whole:
        return "–" if of else "0"
    return f"{part}{f' of {whole}' if of else ''} ({100 * part / whole:.1f} %)"
