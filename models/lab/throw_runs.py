"""A run over simulated throws that goes on where it stopped: options, and a JSON line a throw."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from tqdm import tqdm

from models import manifest

from .workers import finished

Result = TypeVar("Result")


def add_options(parser: argparse.ArgumentParser, *, count: int, out: str, failures: str) -> None:
    """What every such run is told.

    Args:
        parser: gets the options.
        count: throws, if nobody says how many.
        out: folder of results, if nobody names one.
        failures: which throws --failures shows.
    """
    parser.add_argument("--count", type=int, default=count, help=f"throws ({count})")
    parser.add_argument("--seed", type=int, default=900_000, help="of the throws (900000)")
    parser.add_argument("--bank", type=Path, required=True, help="bank of models.lab.physics")
    parser.add_argument("--models", help="folder with manifest.json and weights; default: ours")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=Path(out), help="folder of results")
    parser.add_argument(
        "--failures", type=int, default=0, metavar="N", help=f"show the N {failures}"
    )


def same_run(args: argparse.Namespace, **more: Any) -> None:
    """Remember in OUT/run.json what the results there come from.

    Args:
        args: the options of `add_options`.
        more: what else the results depend on.

    Raises:
        ValueError: they come from something else.
        ModelFileError: there are no such networks.
    """
    networks = (manifest(Path(args.models)) if args.models else manifest()).networks
    facts = {
        "seed": args.seed,
        "bank": hashlib.sha256(args.bank.read_bytes()).hexdigest(),
        "models": {name: entry.sha256 for name, entry in sorted(networks.items())},
        **more,
    }
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / "run.json"
    if file.exists():
        before = json.loads(file.read_text(encoding="utf-8"))
        other = sorted(name for name in facts if before.get(name) != facts[name])
        if other:
            raise ValueError(
                f"the results in {args.out} were made with another {', '.join(other)}; "
                "name another folder with --out"
            )
    file.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def read_lines(file: Path, as_result: Callable[[dict[str, Any]], Result]) -> dict[int, Result]:
    """The results in a file by the number of the throw; a line that was cut off is left aside."""
    done: dict[int, Result] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        with suppress(ValueError, KeyError, TypeError):
            told = json.loads(line)
            done[told["index"]] = as_result(told)
    return done


def carried_on(
    work: Callable[[int], Result],
    todo: Sequence[int],
    file: Path,
    as_line: Callable[[Result], dict[str, Any]],
    *,
    args: argparse.Namespace,
    start: Callable[..., None],
) -> Iterator[Result]:
    """Do what is left, each throw written down as soon as it is done, with a progress bar.

    Args:
        work: judges the throw of a number, in a process of its own.
        todo: the numbers that are left.
        file: gets a line a throw.
        as_line: what is written of a result.
        args: the options of `add_options`.
        start: called once in every process with the bank's and the networks' place.

    Raises:
        WorkerError: a process did not start, or was killed.
    """
    bar = tqdm(total=args.count, initial=args.count - len(todo), unit="throw")
    with bar, file.open("a", encoding="utf-8") as out:
        if file.stat().st_size and not file.read_bytes().endswith(b"\n"):
            out.write("\n")  # a line that was cut off stays one line
        tools = (str(args.bank), args.models)
        for result in finished(work, todo, processes=args.processes, start=start, start_with=tools):
            out.write(json.dumps(as_line(result)) + "\n")
            out.flush()
            bar.update()
            yield result
