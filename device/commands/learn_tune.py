"""`schockauge learn tune`: a last stage for the table's own dice, kept only if it helps."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from device.commands.common import print_json, progress, settings_from


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this part."""
    parser.add_argument("packs", type=Path, nargs="+", metavar="PACK", help="of `learn collect`")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the last stage")


def run(args: argparse.Namespace) -> int:
    """Tune; writes nothing when throws that were left out are not read better."""
    from device import bootstrap_readers
    from device.errors import SourceError
    from device.learning import show_throws
    from device.packs import merged, read_pack
    from vision.last_stage import save_last_stage
    from vision.tuning import TuningSettings, too_little, tune

    settings = settings_from(args, model__own_dice_file="")
    throws = merged([read_pack(path) for path in args.packs])
    reader = bootstrap_readers.table_namer(settings)
    dice = show_throws(progress(throws, total=len(throws), unit="throw"), reader)
    if (lacking := too_little(dice.value_ids, dice.throws, TuningSettings())) is not None:
        raise SourceError(
            f"{lacking[1]} Confirm more throws at the table and collect them. ({lacking[0]})"
        )
    done = tune(dice, bootstrap_readers.namer_sha256(settings), rounds=_rounds)
    report = {
        "kept": done.kept,
        "throws": len(throws),
        "dice": len(dice),
        "right_before": done.before.right,
        "right_after": done.after.right,
        "log_loss_before": done.before.log_loss,
        "log_loss_after": done.after.log_loss,
        "clearly_wrong_before": done.before.clearly_wrong,
        "clearly_wrong_after": done.after.clearly_wrong,
        "strength": done.strength,
        "temperature": round(done.stage.temperature, 3),
    }
    if done.kept:
        notes = {**report, "model": bootstrap_readers.model_version(settings)}
        save_last_stage(args.out, replace(done.stage, notes=notes))
    if args.json:
        print_json({**report, "reason": done.reason[1], "file": str(args.out) if done.kept else ""})
        return 0
    print(
        f"throws left out in turn, {len(dice)} dice: {done.before.right} -> {done.after.right} "
        f"right, log loss {done.before.log_loss:.3f} -> {done.after.log_loss:.3f}"
    )
    if done.kept:
        print(f"Gespeichert in {args.out}; in Kraft mit der Einstellung model.own_dice_file.")
        print(f"Written to {args.out}; it counts once model.own_dice_file names it.")
    else:
        print(f"Nicht gespeichert, es bleibt beim Alten: {done.reason[0]}")
        print(f"Not written, all stays as it was: {done.reason[1]}")
    return 0


def _rounds(numbers: Iterable[int]) -> Iterator[int]:
    all_of_them = list(numbers)
    yield from progress(all_of_them, total=len(all_of_them), unit="round")
