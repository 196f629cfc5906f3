"""What training a reader's network takes, whichever it is: to go on, to stop, to export."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn


class Run:
    """A network in training that can be stopped at any moment.

    Args:
        model: the network; it takes over the weights of `file`, else of `start`.
        file: where the run is kept.
        steps: batches in all.
        rate: highest learning rate.
        start: another run's file, whose network is gone on with.
    """

    def __init__(
        self, model: nn.Module, file: Path, *, steps: int, rate: float, start: Path | None = None
    ) -> None:
        self.model, self.file, self.done = model, file, 0
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.02)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, rate, total_steps=steps + 1, pct_start=0.1
        )
        if file.exists():
            saved = torch.load(file, weights_only=True)
            model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.schedule.load_state_dict(saved["schedule"])
            self.done = saved["done"]
        elif start:
            model.load_state_dict(torch.load(start, weights_only=True)["model"])

    def step(self, loss: torch.Tensor) -> float:
        """Learn from one batch; its loss as a number."""
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.schedule.step()
        return loss.item()

    def save(self, done: int) -> None:
        """Keep the run; `done` counts whatever the training counts."""
        parts = {"model": self.model, "optimizer": self.optimizer, "schedule": self.schedule}
        state = {name: part.state_dict() for name, part in parts.items()}
        temporary = self.file.with_suffix(".part")
        torch.save({**state, "done": done}, temporary)
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
