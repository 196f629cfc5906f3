"""What training a reader's network takes, whichever it is: to go on, to stop, to export."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Self

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

NOTCHES = 10_000
"""The learning rate's cycle is walked in so many steps, however many batches a run takes."""


def halves(device: str, *, wanted: bool = True) -> torch.autocast:
    """Reckoning in bfloat16: on a card, and on a processor that multiplies it in tiles (AMX).

    One that has it without tiles learns 358 instead of 455 cut-outs a second (the stance network,
    forth and back), and where torch only imitates it, it takes many times as long.

    Args:
        device: "cpu" or "cuda".
        wanted: False reckons in single precision everywhere.
    """
    able = device != "cpu" or bool(torch.cpu.get_capabilities().get("amx_bf16"))
    return torch.autocast(device, torch.bfloat16, enabled=wanted and able)


class Shown:
    """Base of cut-outs where the network reckons: dataclasses of tensors, a row a cut-out."""

    @classmethod
    def of(cls, crops: Any, device: str) -> Self:
        """Arrays of the same names on a device ("cpu", "cuda")."""
        parts = (getattr(crops, one.name) for one in fields(cls))  # type: ignore[arg-type]
        return cls(*(torch.from_numpy(part).to(device) for part in parts))

    @classmethod
    def together(cls, every: Sequence[Self]) -> Self:
        """Several as one."""
        return cls(
            *(torch.cat(parts) for parts in zip(*(one._parts for one in every), strict=True))
        )

    def __len__(self) -> int:
        return len(self._parts[0])

    def only(self, rows: torch.Tensor | slice) -> Self:
        """Some of them."""
        return type(self)(*(part[rows] for part in self._parts))

    @property
    def _parts(self) -> tuple[torch.Tensor, ...]:
        return tuple(getattr(self, one.name) for one in fields(self))  # type: ignore[arg-type]


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
        self.model, self.file, self.done, self.passes = model, file, 0.0, 0
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.02)
        self.schedule = OneCycleLR(
            self.optimizer, rate, total_steps=NOTCHES + 1, pct_start=0.1, cycle_momentum=False
        )
        if file.exists():
            saved = torch.load(file, weights_only=True)
            model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.schedule.load_state_dict(saved["schedule"])
            self.done, self.passes = saved["done"], saved["passes"]
        elif start:
            model.load_state_dict(torch.load(start, weights_only=True)["model"])
        self._began_s, self._before = time.monotonic(), self.done

    def by_clock(self, minutes: float) -> float:
        """Share of a run of so many minutes that is behind it now, 0..1."""
        spent = (time.monotonic() - self._began_s) / (60 * minutes)
        return min(1.0, self._before + spent)

    def step(self, loss: torch.Tensor, *, done: float, pictures: int) -> torch.Tensor:
        """Learn from one batch of pictures; its loss. `done`: share of the run then, 0..1."""
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        while self.schedule.last_epoch < round(done * NOTCHES):
            self.schedule.step()
        self.done, self.passes = done, self.passes + pictures
        return loss.detach()

    def save(self) -> None:
        """Keep the run as it is."""
        parts = {"model": self.model, "optimizer": self.optimizer, "schedule": self.schedule}
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
