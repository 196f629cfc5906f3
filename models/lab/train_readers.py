"""Train the two readers of cut-out dice.

    python -m models.lab.train_readers namer DATA... --out runs/namer --epochs 12
    python -m models.lab.train_readers pips DATA... --out runs/pips --epochs 12

The namer says what a crop shows: a value, a tower, a burning die, or nothing. The pip finder never
hears of values: it marks the pips of the top face, and `vision.pips` counts them. Other truth,
another loss and another network than the namer's, so that they fail differently. Both see a crop
at a fixed scale, turned by any angle. The same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from . import training
from .crop_play import as_tensor, held_upright, places, plain, played, upright
from .networks import Namer, PipFinder
from .value_crops import SEEN_PX, Crops, cut

BLOB = 0.9
"""Width of a pip's mark in cells of two pixels (standard deviation)."""
FOUND_FROM = 0.3
NEAR = 0.2
"""A peak this deep inside a pip's mark is that pip (1.6 cells away)."""
LEAST_LOGIT = -5.0


Turns = torch.Tensor | None


@dataclass(frozen=True)
class Task:
    """What is trained: network, loss of a batch, held-out crops that come out right, last touch."""

    network: Callable[[], nn.Module]
    wanted: Callable[[Crops], Crops]
    loss: Callable[[nn.Module, Crops, Turns, torch.Generator], torch.Tensor]
    right: Callable[[nn.Module, Crops, Turns], torch.Tensor]
    settle: Callable[[nn.Module, Crops, Turns], None]
    outputs: tuple[str, ...]


def _forward(model: nn.Module, pictures: torch.Tensor) -> Any:
    with torch.autocast("cpu", torch.bfloat16, enabled=model.training):
        return model(pictures.contiguous(memory_format=torch.channels_last))


def namer_loss(
    model: nn.Module, crops: Crops, turns: Turns, generator: torch.Generator
) -> torch.Tensor:
    """Cross entropy of what the crops show."""
    pictures, _ = played(as_tensor(crops.pictures), generator, turns=turns)
    logits, _ = _forward(model, pictures)
    return functional.cross_entropy(
        logits.float(), torch.from_numpy(crops.classes), label_smoothing=0.02
    )


def namer_right(model: nn.Module, crops: Crops, turns: Turns) -> torch.Tensor:
    """(N,) bool: named right, without play."""
    logits, _ = _forward(model, plain(as_tensor(crops.pictures), turns)[0])
    return torch.as_tensor(logits.argmax(1) == torch.from_numpy(crops.classes))


def marks(points: torch.Tensor, cells: int) -> torch.Tensor:
    """(N, P, 2) places in -1..1 (NaN: none) to (N, 1, cells, cells): 1 at a pip, falling off."""
    axis = torch.arange(cells) + 0.5
    at = (points + 1) / 2 * cells
    across = (axis[None, None, None, :] - at[:, :, 0, None, None]) ** 2
    down = (axis[None, None, :, None] - at[:, :, 1, None, None]) ** 2
    blobs = torch.exp(-(across + down) / (2 * BLOB**2))
    return torch.nan_to_num(blobs, nan=0.0).amax(1, keepdim=True)


def pips_loss(
    model: nn.Module, crops: Crops, turns: Turns, generator: torch.Generator
) -> torch.Tensor:
    """Focal loss of marked places (CenterNet, Zhou et al. 2019, eq. 1), per pip."""
    pictures, theta = played(as_tensor(crops.pictures), generator, turns=turns)
    logits = _forward(model, pictures).float()
    points = places(torch.from_numpy(crops.pips), theta)
    target = marks(points, logits.shape[-1])
    share = torch.sigmoid(logits)
    peak = (target == _local_peak(target)) & (target > 0.7)
    hit = -functional.logsigmoid(logits) * (1 - share) ** 2 * peak
    miss = -functional.logsigmoid(-logits) * share**2 * (1 - target) ** 4 * ~peak
    return torch.as_tensor((hit.sum() + miss.sum()) / peak.sum().clamp(min=1))


def _local_peak(heat: torch.Tensor) -> torch.Tensor:
    return functional.max_pool2d(heat, 3, 1, 1)


def pips_right(model: nn.Module, crops: Crops, turns: Turns) -> torch.Tensor:
    """(N,) bool: as many pips found as there are, without play."""
    heat = torch.sigmoid(_forward(model, plain(as_tensor(crops.pictures), turns)[0]).float())
    found = ((heat == _local_peak(heat)) & (heat > FOUND_FROM)).flatten(1).sum(1)
    return torch.as_tensor(found == torch.from_numpy((~np.isnan(crops.pips[:, :, 0])).sum(1)))


def pips_settle(model: nn.Module, crops: Crops, turns: Turns) -> None:
    """Make a mark's logit mean what it says: P(a pip is here), fitted on held-out crops.

    The focal loss leaves peaks far from 0 and 1. Platt's scaling (1999) of the peaks' logits is
    written into the last layer, so that the exported network needs no constants beside it.
    """
    logits, truth = [], []
    for i in range(0, len(crops), 256):
        rows = np.arange(i, min(i + 256, len(crops)))
        part = crops.only(rows)
        pictures, theta = plain(as_tensor(part.pictures), None if turns is None else turns[rows])
        with torch.no_grad():
            heat = _forward(model, pictures).float()
        points = places(torch.from_numpy(part.pips), theta)
        near = marks(points, heat.shape[-1]) > NEAR
        peaks = (heat == _local_peak(heat)) & (heat > LEAST_LOGIT)
        logits.append(heat[peaks])
        truth.append(near[peaks])
    x, y = torch.cat(logits), torch.cat(truth).float()
    scale = torch.tensor([1.0, 0.0], requires_grad=True)
    optimizer = torch.optim.LBFGS([scale], max_iter=100)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = functional.binary_cross_entropy_with_logits(x * scale[0] + scale[1], y)
        loss.backward()
        return loss

    optimizer.step(closure)
    a, b = scale.tolist()
    head = model.head
    head.weight.data *= a
    head.bias.data = head.bias.data * a + b
    print(f"marks: logit * {a:.2f} + {b:.2f}, {len(y)} peaks, {float(y.mean()):.2f} of them pips")


def _nothing_to_settle(model: nn.Module, crops: Crops, turns: Turns) -> None:
    """The namer's probabilities are used as they are."""


TASKS = {
    "namer": Task(
        Namer,
        lambda crops: crops,
        namer_loss,
        namer_right,
        _nothing_to_settle,
        ("logits", "features"),
    ),
    "pips": Task(
        PipFinder,
        lambda crops: crops.only(crops.counted),
        pips_loss,
        pips_right,
        pips_settle,
        ("heat",),
    ),
}


def share_right(task: Task, model: nn.Module, crops: Crops, turns: Turns = None) -> float:
    """Share of crops that come out right without play, turned if somebody says how (radians)."""
    model.eval()
    right = 0
    with torch.no_grad():
        for i in range(0, len(crops), 256):
            rows = np.arange(i, min(i + 256, len(crops)))
            some = None if turns is None else turns[rows]
            right += int(task.right(model, crops.only(rows), some).sum())
    return right / max(1, len(crops))


def export(task: Task, model: nn.Module, file: Path) -> None:
    """Write the network as ONNX with a free number of crops."""
    training.export(model, file, {"crops": torch.zeros(2, 3, SEEN_PX, SEEN_PX)}, task.outputs)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("data", nargs="+", type=Path, help="SET or SET*3: taken three times")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="start", type=Path, help="last.pt of an earlier run")
    parser.add_argument(
        "--upright",
        action="store_true",
        help="dice as pictures show them that are held upright: aslant, the top face is above",
    )
    parser.add_argument(
        "--threads", type=int, help="fewer where other work shares the machine; default: all cores"
    )
    return parser.parse_args()


def load(task: Task, folders: list[Path], split: str) -> Crops:
    """The crops of several sets; "SET*3" counts three times."""
    parts = []
    for folder in folders:
        name, _, times = str(folder).partition("*")
        parts += [task.wanted(cut(Path(name), split))] * int(times or 1)
    return Crops.together(parts)


def main() -> None:
    """Command line; see the module's text."""
    args = _arguments()
    task = TASKS[args.task]
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads or os.cpu_count() or 1)
    crops, held_out = load(task, args.data, "train"), load(task, args.data[:1], "val")
    print(f"{len(crops)} crops, {np.bincount(crops.classes, minlength=9).tolist()}", flush=True)
    model = task.network().to(memory_format=torch.channels_last)
    share = _train(task, model, crops, held_out, args)
    model.eval()
    task.settle(model, held_out, _shown(held_out, args))
    export(task, model, args.out / f"{args.task}.onnx")
    facts = {"crops": len(crops), "epochs": args.epochs, "held_out_renders_right": round(share, 5)}
    (args.out / "metrics.json").write_text(json.dumps(facts))


def _shown(crops: Crops, args: argparse.Namespace) -> Turns:
    """How held-out crops are turned to be looked at."""
    return upright(torch.from_numpy(crops.toward)) if args.upright else None


def _train(
    task: Task, model: nn.Module, crops: Crops, held_out: Crops, args: argparse.Namespace
) -> float:
    generator = torch.Generator().manual_seed(args.seed)
    steps = args.epochs * (len(crops) // args.batch)
    run = training.Run(model, args.out / "last.pt", steps=steps, rate=args.rate, start=args.start)
    for epoch in range(run.done, args.epochs):
        model.train()
        began, total = time.monotonic(), 0.0
        order = torch.randperm(len(crops), generator=generator).numpy()
        for i in range(0, len(order) - args.batch + 1, args.batch):
            batch = order[i : i + args.batch]
            part = crops.only(batch)
            turns = held_upright(torch.from_numpy(part.toward), generator) if args.upright else None
            total += run.step(task.loss(model, part, turns, generator))
        share = share_right(task, model, held_out, _shown(held_out, args))
        print(
            f"epoch {epoch + 1}/{args.epochs}: loss {total * args.batch / len(order):.4f}, "
            f"held-out renders right {share:.4f}, "
            f"{len(order) / (time.monotonic() - began):.0f} crops/s",
            flush=True,
        )
        run.save(epoch + 1)
    return share_right(task, model, held_out, _shown(held_out, args))


if __name__ == "__main__":
    main()
