"""How well simulated throws are read at the table, on every surface and in every light.

    python -m models.lab.physics --bank throws.npz --count 3000 --seed 900000
    python -m models.lab.bench_throws --bank throws.npz --count 3000 --seed 900000 --out runs/throws
    python -m models.lab.bench_throws --bank throws.npz --count 600 --heaps cocked tower

Each throw is rendered and played to the watcher of a table (`models.lab.throw_watch`). Neither the
heaps of the bank nor the seed may have made training pictures. One JSON line a throw goes to
OUT/throws.jsonl, with what the table knew of each die (`models.lab.dice_heard`); the same command
goes on where it stopped. At the end OUT/groups.jsonl holds the counts per group, OUT/report.md the
tables, and with --failures OUT/failures.jpg the worst throws.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device import bootstrap_readers
from device.settings import load_settings
from device.throw_score import ThrowResult, as_markdown, grouped
from models import ModelFileError
from vision.table import SceneState

from .bank import Bank, load_bank
from .contact_sheet import contact_sheet
from .dice_heard import DieHeard, heard, read_heard
from .dice_heard import as_markdown as dice_as_markdown
from .stance_set import choose_heaps, numbers
from .throw_runs import add_options, carried_on, read_lines, same_run
from .throw_scenes import compose_throw
from .throw_watch import Stage, watched
from .workers import WorkerError

_tools: list[Any] = []


def _start(bank: str, models: str | None) -> None:
    """What each process keeps: the bank and both readers, on one core."""
    cv2.setNumThreads(1)
    settings = load_settings(None).with_values({"model.folder": models, "model.threads": 1})
    _tools[:] = [
        load_bank(Path(bank)),
        bootstrap_readers.detector(settings),
        bootstrap_readers.second_reader(settings),
        bootstrap_readers.stance_reader(settings),
    ]


def _judge(
    index: int, *, seed: int, find_cup: bool, die_mm: float | None
) -> tuple[ThrowResult, list[DieHeard]]:
    """Compose, render and watch a throw; its dice are as they were known at the answer."""
    bank, *witnesses = _tools
    began_s = time.process_time()
    stage = Stage(compose_throw(bank, seed, index), seed)
    states: list[SceneState] = []
    result = watched(
        stage, *witnesses, seed=seed, find_cup=find_cup, die_mm=die_mm,
        on_frame=lambda watcher, _: states.append(watcher.state),
    )  # fmt: skip
    spent_s = round(time.process_time() - began_s, 3)
    return replace(result, cpu_s=spent_s), heard(stage.throw, states[-1])


def _as_line(judged: tuple[ThrowResult, list[DieHeard]]) -> dict[str, Any]:
    result, dice = judged
    return {**result.to_json(), "dice": [asdict(die) for die in dice]}


def failures(bank: Bank, seed: int, results: Sequence[ThrowResult], most: int) -> np.ndarray:
    """A contact sheet of the worst throws, the worst first."""
    worst = sorted((r for r in results if r.badness), key=lambda r: (-r.badness, r.index))[:most]
    pictures, captions = [], []
    for result in worst:
        stage = Stage(compose_throw(bank, seed, result.index), seed)
        pictures.append(stage.lying.frame(np.random.default_rng([seed, result.index, 3])))
        lies = " ".join([*map(str, result.values), *result.faults])
        told = "+".join(result.told) or "no answer"
        reason = f" ({result.reason})" if result.reason else ""
        captions.append(
            (
                f"{result.index} {result.heap} {result.surface} {result.light} "
                f"{result.die_px:.0f} px {result.tilt_deg:.0f} deg",
                f"lies {lies}; {told}{reason} {' '.join(map(str, result.read))}",
            )
        )
    return contact_sheet(pictures, captions)


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser, count=3000, out="runs/throws", failures="worst throws")
    choose_heaps(parser)
    parser.add_argument(
        "--find-cup",
        action="store_true",
        help="the cup must be found, too; default: the watcher is told of it, dice are judged",
    )
    parser.add_argument(
        "--die-mm", type=float, metavar="MM", help="taken for the edge of the dice; default: true"
    )
    return parser.parse_args(words)


def _run(args: argparse.Namespace) -> None:
    bank = load_bank(args.bank)
    die = {} if args.die_mm is None else {"die_mm": args.die_mm}
    same_run(args, find_cup=args.find_cup, **die)
    file = args.out / "throws.jsonl"
    done = read_lines(file, ThrowResult.from_json)
    wanted = list(islice(numbers(args.heaps), args.count))
    todo = [index for index in wanted if index not in done]
    work = partial(_judge, seed=args.seed, find_cup=args.find_cup, die_mm=args.die_mm)
    for result, _ in carried_on(work, todo, file, _as_line, args=args, start=_start):
        done[result.index] = result
    results = [done[index] for index in wanted]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in grouped(results))
    (args.out / "groups.jsonl").write_text(lines, encoding="utf-8")
    known = read_heard(file)
    dice = [die for index in wanted for die in known.get(index, ())]
    table = f"{as_markdown(results)}\n\n{dice_as_markdown(dice)}"
    (args.out / "report.md").write_text(table + "\n", encoding="utf-8")
    print(table)
    if args.failures:
        sheet = failures(bank, args.seed, results, args.failures)
        cv2.imwrite(str(args.out / "failures.jpg"), sheet, [cv2.IMWRITE_JPEG_QUALITY, 88])


def main(words: Sequence[str] | None = None) -> int:
    """Command line; see the module's text."""
    try:
        _run(_arguments(words))
    except (OSError, ValueError, ModelFileError, WorkerError) as error:
        print(f"bench_throws: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
