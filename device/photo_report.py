"""The report of `schockauge bench photos --report DIR`: tables, two diagrams, a contact sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from device.errors import SchockaugeError, SourceError
from device.image_pixels import Picture
from device.images import load_photo, write_jpeg
from device.photo_charts import reliability_svg, risk_coverage_svg
from device.photo_score import DieScore
from device.photo_statistics import reliability, risk_coverage, working_point, worst
from device.photo_table import (
    Result,
    all_put_right,
    as_table,
    markdown,
    put_right_title,
    size_table,
    summaries,
)
from vision.crops import cut_crop

MOST_FAILURES = 48
COLUMNS = 6
CROP_MARGIN = 2.2
"""Side of the cut / side of the box: the neighbours explain many a mistake."""
CROP_PX = 160
CAPTION_PX = 44

FILES = ("photos.md", "reliability.svg", "risk_coverage.svg", "failures.jpg")


def write_report(
    folder: Path,
    results: Mapping[str, Sequence[Result]],
    *,
    origins: Mapping[str, Mapping[str, str]],
    note: str = "",
) -> None:
    """Write the files of `FILES`; the sheet only where something went wrong.

    All but the first table is compared with labels put right, where they are.

    Args:
        folder: is made where it is missing.
        results: per source.
        origins: per source what its `meta.json` says; `repo` and `licence` are named.
        note: a sentence about what was counted.

    Raises:
        SchockaugeError: the disk does not take them.
    """
    truth = all_put_right(results)
    every = [result for found in truth.values() for result in found]
    scores = [result.score for result in every]
    failures = worst(scores, MOST_FAILURES)
    bins = reliability(die for score in scores for die in score.dice)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILES[0]).write_text(_page(results, truth, origins, note), encoding="utf-8")
        (folder / FILES[1]).write_text(reliability_svg(bins), encoding="utf-8")
        chart = risk_coverage_svg(risk_coverage(scores), working_point(scores))
        (folder / FILES[2]).write_text(chart, encoding="utf-8")
        if not failures:
            (folder / FILES[3]).unlink(missing_ok=True)
    except OSError as error:
        raise SchockaugeError(f"{folder} cannot be written: {error.strerror}.") from error
    if failures:
        write_jpeg(folder / FILES[3], contact_sheet([(every[n], die) for n, die in failures]))


def contact_sheet(failures: Sequence[tuple[Result, DieScore]]) -> Picture:
    """Failures side by side, each cut out with its surroundings and a caption.

    Args:
        failures: at least one, each with a box in pixels of the file.

    Returns:
        (H, W, 3) uint8, BGR.
    """
    tiles = list(_tiles(failures))
    columns = min(COLUMNS, len(tiles))
    blank = np.full_like(tiles[0], 255)
    tiles += [blank] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[start : start + columns]) for start in range(0, len(tiles), columns)]
    return np.vstack(rows).astype(np.uint8)


def _tiles(failures: Sequence[tuple[Result, DieScore]]) -> Iterator[Picture]:
    for result, die in failures:
        tile = np.full((CROP_PX + CAPTION_PX, CROP_PX + 8, 3), 255, np.uint8)
        crop = _crop(result.path, die)
        if crop is not None:
            tile[4 : 4 + CROP_PX, 4:-4] = crop
        for line, words in enumerate((_caption(die), result.source)):
            place = (4, CROP_PX + 20 + 16 * line)
            cv2.putText(tile, words[:26], place, cv2.FONT_HERSHEY_SIMPLEX, 0.36, (0, 0, 0), 1)
        yield tile


def _crop(path: Path, die: DieScore) -> Picture | None:
    """The die with its surroundings; None where the picture cannot be read any more."""
    try:
        photo = load_photo(path)
    except SourceError:
        return None
    box = [side / photo.shrunk for side in die.box or (0.0,) * 4]
    return cut_crop(photo.image_bgr, box, margin=CROP_MARGIN, size_px=CROP_PX)


def _caption(die: DieScore) -> str:
    true = "no die" if die.true is None else f"is {die.true}"
    read = "missed" if die.read is None else f"read {die.read} ({die.score:.2f})"
    return f"{true}, {read}"


def _page(
    results: Mapping[str, Sequence[Result]],
    truth: Mapping[str, Sequence[Result]],
    origins: Mapping[str, Mapping[str, str]],
    note: str,
) -> str:
    parts = ["# Photographs read", note, as_table(summaries(results))]
    if title := put_right_title(results):
        parts += [f"## The same, {title}", as_table(summaries(truth))]
    parts += ["## Dice right by side", size_table(truth)]
    named = [
        (name, origins[name].get("repo", "–"), origins[name].get("licence", "–"))
        for name in results
        if origins.get(name)
    ]
    if named:
        parts += [
            "## Where the photographs come from",
            markdown(("source", "from", "licence"), named),
        ]
    return "\n\n".join(part for part in parts if part) + "\n"
