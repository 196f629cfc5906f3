"""`schockauge learn bench DIR`: what a dozen confirmed photographs are worth for the others.

For each source of labelled photographs (one camera, one place) a few are taken as confirmed, the
last stage is tuned on their dice, and the namer reads the dice of all the others as shipped
and tuned. As at a table, more are confirmed while a value is still too rare. What the guard refuses
counts as shipped. Which dice are found does not depend on the stage.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from device.commands.common import print_json, progress, settings_from
from device.errors import UsageError

Found = list[tuple[tuple[float, float, float, float], int]]

HEAD = (
    "source", "draw", "confirmed", "their dice", "other dice", "right", "clearly right",
    "clearly wrong", "log loss", "kept",
)  # fmt: skip


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this part."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="sources: images/ and labels/")
    parser.add_argument(
        "--confirmed",
        type=int,
        default=12,
        metavar="N",
        help="photographs to learn from, or more until every value occurred",
    )
    parser.add_argument("--draws", type=int, default=3, metavar="N", help="choices of them")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="only every Nth photograph, for a hurry"
    )


def run(args: argparse.Namespace) -> int:
    """Measure every source and print one line a draw."""
    from device.photo_labels import find_sources

    if min(args.confirmed, args.draws, args.every) < 1:
        raise UsageError("--confirmed, --draws and --every are 1 or more.")
    if not args.json:
        print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD))
    for source in find_sources(args.folder):
        for row in _measure(source, args):
            if args.json:
                print_json(row)
            else:
                print("| " + " | ".join(_cells(row)) + " |", flush=True)
    return 0


def _measure(source: Path, args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    from device import bootstrap_readers
    from device.images import load_photo
    from device.learning import show_dice
    from device.photo_labels import load_photographs
    from vision.confirmed import Figures
    from vision.tuning import TuningSettings, too_little, tune

    settings, how = settings_from(args, model__own_dice_file=""), TuningSettings()
    namer = bootstrap_readers.namer(settings)
    digest = bootstrap_readers.namer_sha256(settings, at_table=False)
    reader = bootstrap_readers.photo_reader(settings)
    found: list[tuple[Path, Found]] = []
    photographs = load_photographs(source)[:: args.every]
    for photo in progress(photographs, total=len(photographs), unit="picture"):
        if dice := _found(reader, photo):
            found.append((photo.path, dice))
    if len(found) <= args.confirmed:
        return
    pictures = ((load_photo(path).image_bgr, dice) for path, dice in found)
    everything = show_dice(pictures, namer, varied=0)
    for draw in range(args.draws):
        order = np.random.default_rng(draw).permutation(len(found))
        chosen = order[: _enough(everything, order, args.confirmed, how)]
        taken = [found[index] for index in chosen]
        rest = everything.select(~np.isin(everything.throws, chosen))
        known = show_dice(((load_photo(path).image_bgr, dice) for path, dice in taken), namer)
        lacking = too_little(known.value_ids, known.throws, how)
        tuning = None if lacking else tune(known, digest, how)
        stage = tuning.stage if tuning is not None and tuning.kept else None
        before, after = (
            Figures.of(rest.beliefs(one), rest.value_ids, how.clear_belief) for one in (None, stage)
        )
        yield {
            "source": source.name,
            "draw": draw,
            "confirmed": len(taken),
            "confirmed_dice": len(known),
            "dice": before.dice,
            "right": [before.right, after.right],
            "clearly_right": [before.clearly_right, after.clearly_right],
            "clearly_wrong": [before.clearly_wrong, after.clearly_wrong],
            "log_loss": [before.log_loss, after.log_loss],
            "kept": stage is not None,
            "reason": lacking[1] if lacking else tuning.reason[1] if tuning else "",
            "strength": tuning.strength if tuning else None,
            "temperature": round(tuning.stage.temperature, 3) if tuning else None,
        }


def _enough(dice: Any, order: Any, least: int, how: Any) -> int:
    """How many of the photographs, in this order, show every value often enough; at most half."""
    from vision.tuning import too_little

    for count in range(least, len(order) // 2):
        chosen = np.isin(dice.throws, order[:count])
        if too_little(dice.value_ids[chosen], dice.throws[chosen], how) is None:
            return count
    return least


def _found(reader: Any, photo: Any) -> Found:
    """The labelled dice that are found, with the boxes as read and the labelled values."""
    from device.images import load_photo
    from device.photo_score import match_places

    image = load_photo(photo.path).image_bgr
    read = reader.read(image).dice
    pairs = match_places(photo.dice, read, (image.shape[1], image.shape[0]))
    return [(read[index].box, photo.dice[number].value) for number, index in pairs.items()]


def _cells(row: dict[str, Any]) -> list[str]:
    dice = row["dice"]
    shares = [
        " → ".join(f"{100 * part / dice:.1f} %" for part in row[name])
        for name in ("right", "clearly_right")
    ]
    wrong = " → ".join(str(part) for part in row["clearly_wrong"])
    loss = " → ".join(f"{part:.3f}" for part in row["log_loss"])
    kept = "yes" if row["kept"] else f"no: {row['reason']}"
    head = [row[name] for name in ("source", "draw", "confirmed", "confirmed_dice", "dice")]
    return [*map(str, head), *shares, wrong, loss, kept]
