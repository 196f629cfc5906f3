"""What the two readers of cut-out dice learn: to name what one shows, and to mark its pips."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from . import training
from .crop_play import as_tensor, places, plain, played
from .networks import Namer, PipFinder
from .value_crops import SEEN_PX, Crops

BLOB = 0.9
"""Width of a pip's mark in cells of two pixels (standard deviation)."""
FOUND_FROM = 0.3
NEAR = 0.2
"""A peak this deep inside a pip's mark is that pip (1.6 cells away)."""
LEAST_LOGIT = -5.0
PORTION = 256
"""Held-out crops that are looked at together."""


Turns = torch.Tensor | None


@dataclass(frozen=True, eq=False)
class Shown(training.Shown):
    """`Crops` where the network reckons: pictures (N, K, K, 3) uint8 BGR and what they show."""

    pictures: torch.Tensor
    classes: torch.Tensor
    pips: torch.Tensor
    toward: torch.Tensor


@dataclass(frozen=True)
class Task:
    """What is trained: network, loss of a batch, held-out crops that come out right, last touch."""

    network: Callable[..., nn.Module]
    wanted: Callable[[Crops], Crops]
    loss: Callable[[nn.Module, Shown, Turns, torch.Generator], torch.Tensor]
    right: Callable[[nn.Module, Shown, Turns], torch.Tensor]
    settle: Callable[[nn.Module, Shown, Turns], None]
    outputs: tuple[str, ...]


def _forward(model: nn.Module, pictures: torch.Tensor) -> Any:
    with training.halves(pictures.device.type, wanted=model.training):
        return model(pictures.contiguous(memory_format=torch.channels_last))


def namer_loss(
    model: nn.Module, crops: Shown, turns: Turns, generator: torch.Generator
) -> torch.Tensor:
    """Cross entropy of what the crops show."""
    pictures, _ = played(as_tensor(crops.pictures), generator, turns=turns)
    logits, _ = _forward(model, pictures)
    return functional.cross_entropy(logits.float(), crops.classes, label_smoothing=0.02)


def namer_right(model: nn.Module, crops: Shown, turns: Turns) -> torch.Tensor:
    """(N,) bool: named right, without play."""
    logits, _ = _forward(model, plain(as_tensor(crops.pictures), turns)[0])
    return torch.as_tensor(logits.argmax(1) == crops.classes)


def marks(points: torch.Tensor, cells: int) -> torch.Tensor:
    """(N, P, 2) places in -1..1 (NaN: none) to (N, 1, cells, cells): 1 at a pip, falling off."""
    axis = torch.arange(cells, device=points.device) + 0.5
    at = (points + 1) / 2 * cells
    across = (axis[None, None, None, :] - at[:, :, 0, None, None]) ** 2
    down = (axis[None, None, :, None] - at[:, :, 1, None, None]) ** 2
    blobs = torch.exp(-(across + down) / (2 * BLOB**2))
    return torch.nan_to_num(blobs, nan=0.0).amax(1, keepdim=True)


def pips_loss(
    model: nn.Module, crops: Shown, turns: Turns, generator: torch.Generator
) -> torch.Tensor:
    """Focal loss of marked places (CenterNet, Zhou et al. 2019, eq. 1), per pip."""
    pictures, theta = played(as_tensor(crops.pictures), generator, turns=turns)
    logits = _forward(model, pictures).float()
    points = places(crops.pips, theta)
    target = marks(points, logits.shape[-1])
    share = torch.sigmoid(logits)
    peak = (target == _local_peak(target)) & (target > 0.7)
    hit = -functional.logsigmoid(logits) * (1 - share) ** 2 * peak
    miss = -functional.logsigmoid(-logits) * share**2 * (1 - target) ** 4 * ~peak
    return torch.as_tensor((hit.sum() + miss.sum()) / peak.sum().clamp(min=1))


def _local_peak(heat: torch.Tensor) -> torch.Tensor:
    return functional.max_pool2d(heat, 3, 1, 1)


def pips_right(model: nn.Module, crops: Shown, turns: Turns) -> torch.Tensor:
    """(N,) bool: as many pips found as there are, without play."""
    heat = torch.sigmoid(_forward(model, plain(as_tensor(crops.pictures), turns)[0]).float())
    found = ((heat == _local_peak(heat)) & (heat > FOUND_FROM)).flatten(1).sum(1)
    return torch.as_tensor(found == (~crops.pips[:, :, 0].isnan()).sum(1))


def _portions(count: int) -> Iterator[slice]:
    """All of `count` in portions that fit into any memory."""
    for start in range(0, count, PORTION):
        yield slice(start, start + PORTION)


def pips_settle(model: nn.Module, crops: Shown, turns: Turns) -> None:
    """Make a mark's logit mean what it says: P(a pip is here), fitted on held-out crops.

    The focal loss leaves peaks far from 0 and 1. Platt's scaling (1999) of the peaks' logits is
    written into the last layer, so that the exported network needs no constants beside it.
    """
    logits, truth = [], []
    for rows in _portions(len(crops)):
        part = crops.only(rows)
        pictures, theta = plain(as_tensor(part.pictures), None if turns is None else turns[rows])
        with torch.no_grad():
            heat = _forward(model, pictures).float()
        points = places(part.pips, theta)
        near = marks(points, heat.shape[-1]) > NEAR
        peaks = (heat == _local_peak(heat)) & (heat > LEAST_LOGIT)
        logits.append(heat[peaks])
        truth.append(near[peaks])
    if not logits:
        print("no held-out crops: a mark's logit stays what the focal loss made of it")
        return
    x, y = torch.cat(logits).cpu(), torch.cat(truth).float().cpu()
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


def _nothing_to_settle(model: nn.Module, crops: Shown, turns: Turns) -> None:
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


def share_right(task: Task, model: nn.Module, crops: Shown, turns: Turns = None) -> float:
    """Share of crops that come out right without play, turned if somebody says how (radians)."""
    model.eval()
    right = 0
    with torch.no_grad():
        for rows in _portions(len(crops)):
            some = None if turns is None else turns[rows]
            right += int(task.right(model, crops.only(rows), some).sum())
    return right / max(1, len(crops))


def export(task: Task, model: nn.Module, file: Path) -> None:
    """Write the network as ONNX with a free number of crops."""
    training.export(model, file, {"crops": torch.zeros(2, 3, SEEN_PX, SEEN_PX)}, task.outputs)
