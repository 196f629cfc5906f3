"""How well simulated throws are read as loose photographs, by nobody who knows camera or mat.

    python -m models.lab.physics --bank throws.npz --count 3000 --fewest 3 --seed 900000
    python -m models.lab.bench_loose --bank throws.npz --count 700 --seed 900000 --out runs/loose

The throws of `models.lab.bench_throws`, among things that look like dice, one picture each, as
somebody took it from above. Towers and burning dice cannot be told without the camera's place: what
is sure there took one for a flat die. One JSON line a throw goes to OUT/loose.jsonl; the same
command goes on where it stopped. At the end OUT/loose.md holds the table, and with --failures
OUT/failures.jpg photographs that are sure and wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device import bootstrap_readers
from device.settings import load_settings
from models import ModelFileError

from .bank import load_bank
from .contact_sheet import contact_sheet
from .throw_runs import add_options, carried_on, read_lines, same_run
from .throw_scenes import compose_throw
from .throw_watch import Stage
from .workers import WorkerError

_tools: list[Any] = []


@dataclass(frozen=True)
class Loose:
    """One throw, read as a photograph.

    Attributes:
        index: number of the throw.
        heap: plain, near, tower or cocked.
        values: of its flat dice, lowest first.
        faults: `tower`, `burning` or both.
        read: values that were read, lowest first.
        sure: whether the photograph is sure of them.
        chance: of being right, as the reader has it.
    """

    index: int
    heap: str
    values: tuple[int, ...]
    faults: tuple[str, ...]
    read: tuple[int, ...]
    sure: bool
    chance: float

    @property
    def right(self) -> bool:
        """All lie flat, and all values were read."""
        return not self.faults and self.read == self.values


def as_markdown(results: Sequence[Loose]) -> str:
    """A row per kind of heap."""
    lines = ["| heap | throws | right | sure | sure but wrong |", "|---|---|---|---|---|"]
    for heap in (*sorted({result.heap for result in results}), "all"):
        own = [result for result in results if heap in (result.heap, "all")]
        sure = [result for result in own if result.sure]
        wrong = sum(not result.right for result in sure)
        right = sum(result.right for result in own)
        lines.append(f"| {heap} | {len(own)} | {right} | {len(sure)} | {wrong} |")
    return "\n".join(lines)


def _start(bank: str, models: str | None) -> None:
    cv2.setNumThreads(1)
    settings = load_settings(None).with_values({"model.folder": models, "model.threads": 1})
    _tools[:] = [load_bank(Path(bank)), bootstrap_readers.photo_reader(settings)]


def _photograph(bank: Any, seed: int, index: int) -> tuple[Stage, np.ndarray]:
    stage = Stage(compose_throw(bank, seed, index), seed)
    return stage, stage.lying.frame(np.random.default_rng([seed, index, 4]))


def _read(index: int, *, seed: int) -> Loose:
    bank, reader = _tools
    stage, picture = _photograph(bank, seed, index)
    reading, throw = reader.read(picture), stage.throw
    read = tuple(sorted(die.value for die in reading.dice))
    return Loose(
        index, throw.heap, tuple(sorted(throw.values)), throw.faults, read, reading.sure,
        reading.chance,
    )  # fmt: skip


def _as_loose(told: dict[str, Any]) -> Loose:
    lists = {name: tuple(told[name]) for name in ("values", "faults", "read")}
    return Loose(**{**told, **lists})


def _failures(args: argparse.Namespace, results: Sequence[Loose]) -> np.ndarray:
    bank = load_bank(args.bank)
    wrong = [result for result in results if result.sure and not result.right][: args.failures]
    captions = [
        [f"{r.index}: {list(r.values)} {' '.join(r.faults)}", f"read {list(r.read)} {r.chance:.2f}"]
        for r in wrong
    ]
    return contact_sheet([_photograph(bank, args.seed, r.index)[1] for r in wrong], captions)


def _run(args: argparse.Namespace) -> None:
    load_bank(args.bank)  # says what is wrong with it before anything is written
    same_run(args)
    file = args.out / "loose.jsonl"
    done = read_lines(file, _as_loose)
    todo = [index for index in range(args.count) if index not in done]
    work = partial(_read, seed=args.seed)
    for result in carried_on(work, todo, file, asdict, args=args, start=_start):
        done[result.index] = result
    results = [done[index] for index in range(args.count)]
    table = as_markdown(results)
    (args.out / "loose.md").write_text(table + "\n", encoding="utf-8")
    print(table)
    if args.failures:
        sheet = _failures(args, results)
        cv2.imwrite(str(args.out / "failures.jpg"), sheet, [cv2.IMWRITE_JPEG_QUALITY, 88])


def main(words: Sequence[str] | None = None) -> int:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser, count=700, out="runs/loose", failures="that are sure and wrong")
    try:
        _run(parser.parse_args(words))
    except (OSError, ValueError, ModelFileError, WorkerError) as error:
        print(f"bench_loose: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
