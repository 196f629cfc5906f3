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
import hashlib
import json
import os
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
from tqdm import tqdm

from device import bootstrap_readers
from device.settings import load_settings
from device.throw_score import ThrowResult, as_markdown, grouped
from models import ModelFileError, manifest
from vision.table import SceneState

from .bank import Bank, load_bank
from .contact_sheet import contact_sheet
from .dice_heard import DieHeard, heard, read_heard
from .dice_heard import as_markdown as dice_as_markdown
from .stance_set import choose_heaps, numbers
from .throw_scenes import compose_throw
from .throw_watch import Stage, watched
from .workers import WorkerError, finished

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


def read_results(file: Path) -> dict[int, ThrowResult]:
    """Throws that are done; a last line that was cut off is left aside."""
    done: dict[int, ThrowResult] = {}
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            try:
                result = ThrowResult.from_json(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue
            done[result.index] = result
    return done


def same_run(file: Path, facts: dict[str, Any]) -> None:
    """Remember what the results in a folder come from.

    Raises:
        ValueError: they come from something else.
    """
    if file.exists():
        before = json.loads(file.read_text(encoding="utf-8"))
        other = sorted(name for name in facts if before.get(name) != facts[name])
        if other:
            raise ValueError(
                f"the results in {file.parent} were made with another {', '.join(other)}; "
                "name another folder with --out"
            )
    file.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


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
    parser.add_argument("--count", type=int, default=3000, help="throws (3000)")
    choose_heaps(parser)
    parser.add_argument("--seed", type=int, default=900_000, help="of the throws (900000)")
    parser.add_argument("--bank", type=Path, required=True, help="bank of models.lab.physics")
    parser.add_argument("--models", help="folder with manifest.json and weights; default: ours")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=Path("runs/throws"), help="folder of results")
    parser.add_argument(
        "--failures", type=int, default=0, metavar="N", help="show the N worst throws"
    )
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
    networks = manifest(Path(args.models)).networks if args.models else manifest().networks
    args.out.mkdir(parents=True, exist_ok=True)
    same_run(
        args.out / "run.json",
        {
            "seed": args.seed,
            "bank": hashlib.sha256(args.bank.read_bytes()).hexdigest(),
            "models": {name: entry.sha256 for name, entry in sorted(networks.items())},
            "find_cup": args.find_cup,
            **({} if args.die_mm is None else {"die_mm": args.die_mm}),
        },
    )
    file = args.out / "throws.jsonl"
    done = read_results(file)
    wanted = list(islice(numbers(args.heaps), args.count))
    todo = [index for index in wanted if index not in done]
    work = partial(_judge, seed=args.seed, find_cup=args.find_cup, die_mm=args.die_mm)
    bar = tqdm(total=args.count, initial=args.count - len(todo), unit="throw")
    with bar, file.open("a", encoding="utf-8") as out:
        if file.stat().st_size and not file.read_bytes().endswith(b"\n"):
            out.write("\n")
        start_with = (str(args.bank), args.models)
        for result, dice in finished(
            work, todo, processes=args.processes, start=_start, start_with=start_with
        ):
            done[result.index] = result
            line = {**result.to_json(), "dice": [asdict(die) for die in dice]}
            out.write(json.dumps(line) + "\n")
            out.flush()
            bar.update()
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
