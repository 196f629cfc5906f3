"""What training a reader's network takes, whichever it is: to go on, to stop, to export."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from torch import nn

WARM = 0.1
"""Share of a run in which the learning rate rises."""
COLD = 0.04
"""What it begins with, as a share of the highest."""


def rate_at(share: float) -> float:
    """Learning rate after a share (0..1) of a run, as a share of the highest.

    One cycle along cosines (Smith and Topin 2018); it ends at nothing.
    """
    share = min(max(share, 0.0), 1.0)
    if share < WARM:
        return COLD + (1 - COLD) * (1 - math.cos(math.pi * share / WARM)) / 2
    return (1 + math.cos(math.pi * (share - WARM) / (1 - WARM))) / 2


class Run:
    """A network in training that can be stopped at any moment.

    Args:
        model: the network; it takes over the weights of `file`, else of `start`.
        file: where the run is kept.
        rate: highest learning rate.
        start: another run's file, whose network is gone on with.

    Attributes:
        done: share of the run that is behind it, 0..1.
        passes: pictures shown so far.
    """

    def __init__(
        self, model: nn.Module, file: Path, *, rate: float, start: Path | None = None
    ) -> None:
        self.model, self.file, self.rate, self.done, self.passes = model, file, rate, 0.0, 0
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.02)
        if file.exists():
            saved = torch.load(file, weights_only=True)
            model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.done, self.passes = saved["done"], saved["passes"]
        elif start:
            model.load_state_dict(torch.load(start, weights_only=True)["model"])

    def step(self, loss: torch.Tensor, *, done: float, pictures: int) -> torch.Tensor:
        """Learn from one batch of pictures; its loss. `done`: share of the run then, 0..1."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * rate_at(self.done)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.done, self.passes = done, self.passes + pictures
        return loss.detach()

    def save(self) -> None:
        """Keep the run as it is."""
        parts = {"model": self.model, "optimizer": self.optimizer}
        state = {name: part.state_dict() for name, part in parts.items()}
        temporary = self.file.with_suffix(".part")
        torch.save({**state, "done": self.done, "passes": self.passes}, temporary)
        temporary.replace(self.file)


def export(
    model: nn.Module, file: Path, examples: dict[str, torch.Tensor], outputs: tuple[str, ...]
) -> None:
    """Write a network as ONNX; the first axis of every input and output is free."""
    model.eval()
    torch.onnx.export(
        model.float(),
        tuple(examples.values()),
        str(file),
        input_names=list(examples),
        output_names=list(outputs),
        dynamic_axes={name: {0: "n"} for name in (*examples, *outputs)},
        opset_version=17,
        dynamo=False,
    )
