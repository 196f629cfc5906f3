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
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from device import bootstrap_readers
from device.settings import load_settings
from models import ModelFileError, manifest

from .bank import load_bank
from .bench_throws import same_run
from .contact_sheet import contact_sheet
from .throw_scenes import compose_throw
from .throw_watch import Stage
from .workers import WorkerError, finished

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


def _done(file: Path) -> dict[int, Loose]:
    """Throws that are done; a last line that was cut off is left aside."""
    done: dict[int, Loose] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            told = json.loads(line)
            lists = {name: tuple(told[name]) for name in ("values", "faults", "read")}
            done[told["index"]] = Loose(**{**told, **lists})
        except (ValueError, KeyError, TypeError):
            continue
    return done


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
    networks = manifest(Path(args.models)).networks if args.models else manifest().networks
    args.out.mkdir(parents=True, exist_ok=True)
    bank = hashlib.sha256(args.bank.read_bytes()).hexdigest()
    weights = {name: entry.sha256 for name, entry in sorted(networks.items())}
    same_run(args.out / "run.json", {"seed": args.seed, "bank": bank, "models": weights})
    file = args.out / "loose.jsonl"
    done = _done(file)
    todo = [index for index in range(args.count) if index not in done]
    bar = tqdm(total=args.count, initial=args.count - len(todo), unit="photograph")
    with bar, file.open("a", encoding="utf-8") as out:
        if file.stat().st_size and not file.read_bytes().endswith(b"\n"):
            out.write("\n")  # a line that was cut off stays one line
        work, tools = partial(_read, seed=args.seed), (str(args.bank), args.models)
        for result in finished(
            work, todo, processes=args.processes, start=_start, start_with=tools
        ):
            done[result.index] = result
            out.write(json.dumps(asdict(result)) + "\n")
            out.flush()
            bar.update()
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
    parser.add_argument("--count", type=int, default=700, help="throws (700)")
    parser.add_argument("--seed", type=int, default=900_000, help="of the throws (900000)")
    parser.add_argument("--bank", type=Path, required=True, help="bank of models.lab.physics")
    parser.add_argument("--models", help="folder with manifest.json and weights; default: ours")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=Path("runs/loose"), help="folder of results")
    parser.add_argument(
        "--failures", type=int, default=0, metavar="N", help="show N that are sure and wrong"
    )
    try:
        _run(parser.parse_args(words))
    except (OSError, ValueError, ModelFileError, WorkerError) as error:
        print(f"bench_loose: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
