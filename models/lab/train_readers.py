r"""Train the two readers of cut-out dice.

    python -m models.lab.train_readers namer DATA... --out runs/namer --epochs 12
    python -m models.lab.train_readers pips DATA... --out runs/pips --epochs 12

The namer says what a crop shows: a value, a tower, a burning die, or nothing. The pip finder never
hears of values: it marks the pips of the top face, and `vision.pips` counts them. Other truth,
another loss and another network than the namer's, so that they fail differently. Both see a crop
at a fixed scale, turned by any angle. The same command goes on where it stopped.

On a graphics card, from a shelf that is still being filled (`models.lab.shelf`), by the clock:

    python -m models.lab.train_readers namer --shelf shelf --device cuda --batch 1024 \
        --minutes 8 --wide --out runs/namer
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from . import training
from .crop_play import held_upright, upright
from .reader_tasks import TASKS, Shown, Task, Turns, export, share_right
from .shelf import PAUSE_S, taken
from .value_crops import Crops, cut


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("data", nargs="*", type=Path, help="SET or SET*3: taken three times")
    parser.add_argument("--shelf", type=Path, help="folder of models.lab.shelf; it may still grow")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12, help="0: only settled and exported")
    parser.add_argument("--minutes", type=float, help="train that long instead of --epochs")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="start", type=Path, help="last.pt of an earlier run")
    parser.add_argument(
        "--upright",
        action="store_true",
        help="dice as pictures show them that are held upright: aslant, the top face is above",
    )
    parser.add_argument("--wide", action="store_true", help="a larger network, for photographs")
    parser.add_argument("--device", default="cpu", help="cpu, cuda")
    parser.add_argument(
        "--threads", type=int, help="fewer where other work shares the machine; default: all cores"
    )
    args = parser.parse_intermixed_args()
    if not args.data and not args.shelf:
        parser.error("nothing to learn from: name rendered sets, or a --shelf of models.lab.shelf")
    return args


def load(task: Task, folders: list[Path], split: str) -> Crops:
    """The crops of several sets; "SET*3" counts three times."""
    parts = [Crops.none()]
    for folder in folders:
        name, _, times = str(folder).partition("*")
        parts += [task.wanted(cut(Path(name), split))] * int(times or 1)
    return Crops.together(parts)


class Stock:
    """What is learned from: sets that are cut here, and a shelf that others go on filling."""

    def __init__(self, task: Task, args: argparse.Namespace, split: str) -> None:
        self._task, self._args, self._split = task, args, split
        self._known: set[Path] = set()
        folders = args.data if split == "train" else args.data[:1]
        self.crops = Shown.of(load(task, folders, split), args.device)
        self.refill()

    def refill(self) -> None:
        """Take in what has come on the shelf."""
        if self._args.shelf:
            new = taken(self._args.shelf, self._split, self._known)
            more = [Shown.of(self._task.wanted(one), self._args.device) for one in new]
            self.crops = Shown.together([self.crops, *more])

    def wait_for(self, count: int) -> None:
        """Until there are that many.

        Raises:
            SystemExit: there are fewer, and nobody brings more.
        """
        while len(self.crops) < count:
            if not self._args.shelf:
                sys.exit(
                    f"{len(self.crops)} cut-outs are fewer than one batch of {count}; name more "
                    "sets or a smaller --batch."
                )
            print(f"{len(self.crops)} of {count} cut-outs are there, waiting", flush=True)
            time.sleep(PAUSE_S)
            self.refill()


def main() -> None:
    """Command line; see the module's text."""
    args = _arguments()
    task = TASKS[args.task]
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads or os.cpu_count() or 1)
    stock, held_out = Stock(task, args, "train"), Stock(task, args, "val")
    stock.wait_for(args.batch)
    model = task.network(wide=args.wide).to(args.device, memory_format=torch.channels_last)
    run = _trained(task, model, stock, held_out, args)
    model.eval()
    turns = _shown(held_out.crops, args)
    share = share_right(task, model, held_out.crops, turns)
    task.settle(model, held_out.crops, turns)
    export(task, model.cpu(), args.out / f"{args.task}.onnx")
    facts = {
        "crops": len(stock.crops),
        "passes": run.passes,
        "held_out_renders_right": round(share, 5),
    }
    (args.out / "metrics.json").write_text(json.dumps(facts))


def _shown(crops: Shown, args: argparse.Namespace) -> Turns:
    """How held-out crops are turned to be looked at."""
    return upright(crops.toward) if args.upright else None


def _trained(
    task: Task, model: nn.Module, stock: Stock, held_out: Stock, args: argparse.Namespace
) -> training.Run:
    """Train to the end, pass by pass; what has come on the shelf joins in after each."""
    torch.backends.cudnn.benchmark = True
    generator = torch.Generator(args.device).manual_seed(args.seed)
    run = training.Run(model, args.out / "last.pt", rate=args.rate, start=args.start)

    def done(within: float, first: float) -> float:
        """Share of the run behind it, after a share of a pass that began at `first`."""
        if args.minutes:
            return run.by_clock(args.minutes)
        return (round(first * args.epochs) + within) / args.epochs

    while run.done < 1 and (args.minutes or args.epochs):
        first, passes, at_s = run.done, run.passes, time.monotonic()
        loss = _one_pass(task, run, stock.crops, args, generator, lambda w, f=first: done(w, f))
        speed = (run.passes - passes) / (time.monotonic() - at_s)
        held_out.refill()
        share = share_right(task, model, held_out.crops, _shown(held_out.crops, args))
        print(
            f"{run.done:.0%} done: {len(stock.crops)} crops, loss {loss:.4f}, held-out renders "
            f"right {share:.4f}, {speed:.0f} crops/s",
            flush=True,
        )
        run.save()
        stock.refill()
    return run


def _one_pass(
    task: Task,
    run: training.Run,
    crops: Shown,
    args: argparse.Namespace,
    generator: torch.Generator,
    done: Callable[[float], float],
) -> float:
    """Show all crops once, or as many as there is time for; the mean loss."""
    run.model.train()
    order = torch.randperm(len(crops), generator=generator, device=args.device)
    total, steps, step = torch.zeros((), device=args.device), len(crops) // args.batch, 0
    while step < steps and run.done < 1:
        part = crops.only(order[step * args.batch : (step + 1) * args.batch])
        turns = held_upright(part.toward, generator) if args.upright else None
        loss = task.loss(run.model, part, turns, generator)
        step += 1
        total += run.step(loss, done=done(step / steps), pictures=len(part))
    return float(total) / max(1, step)


if __name__ == "__main__":
    main()
