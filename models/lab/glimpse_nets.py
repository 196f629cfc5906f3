"""Two small answers that networks which are done learning give beside their own (`vision.glimpse`).

The finder's features say where a die shows, the namer's whether a cut-out is a part of a die. Their
own weights and words stay as they are, to the bit.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from .torch_cpu import patch_torchvision

LAYERS = (2, 16, 13)
"""Layers of the finder whose features are seen, at 1/4, 1/8 and 1/16 of a look."""
PLANES = (64, 64, 128)
"""How many planes each has in YOLO26n."""
FEATURES = 256
"""Features of the wide namer."""


class ShownHead(nn.Module):
    """The finder's features to (N, 1, H / 4, W / 4): log-odds that a die shows there."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.narrow = nn.ModuleList(nn.Conv2d(planes, width, 1) for planes in PLANES)
        self.around = nn.Conv2d(width, width, 3, padding=1)
        self.last = nn.Conv2d(width, 1, 1)

    def forward(self, *features: torch.Tensor) -> torch.Tensor:
        """Features as in `LAYERS`."""
        fine, *coarse = (take(part) for take, part in zip(self.narrow, features, strict=True))
        for number, part in enumerate(coarse, start=1):
            fine = fine + functional.interpolate(part, scale_factor=2**number, mode="nearest")
        return torch.as_tensor(self.last(functional.silu(self.around(functional.silu(fine)))))


class Sure(nn.Module):
    """A head whose answer is a probability: what ships of `ShownHead`."""

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.head = head

    def forward(self, *features: torch.Tensor) -> torch.Tensor:
        """As the head's, 0..1."""
        return torch.sigmoid(self.head(*features))


class PartHead(nn.Module):
    """(N, 256) features of the namer to (N, 1) log-odds: a part of a die that cannot be read."""

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.even = nn.BatchNorm1d(FEATURES, affine=False)
        self.first = nn.Linear(FEATURES, width)
        self.drop = nn.Dropout(0.2)
        self.last = nn.Linear(width, 1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Log-odds."""
        hidden = functional.silu(self.first(self.even(features)))
        return torch.as_tensor(self.last(self.drop(hidden)))


def finder_of(checkpoint: Path) -> nn.Module:
    """The finder's network, in single precision, to be asked and not to be taught."""
    patch_torchvision()
    from ultralytics import YOLO

    network: nn.Module = YOLO(str(checkpoint)).model.float().eval()
    return network.requires_grad_(requires_grad=False)


@torch.no_grad()
def finder_features(finder: Any, pictures: torch.Tensor) -> list[torch.Tensor]:
    """What the finder makes of (N, 3, H, W) float32 RGB 0..1 at `LAYERS`."""
    kept: list[torch.Tensor | None] = []
    x = pictures
    for layer in finder.model[:-1]:
        if isinstance(layer.f, list):
            x = [x if source == -1 else kept[source] for source in layer.f]
        elif layer.f != -1:
            x = kept[layer.f]
        x = layer(x)
        kept.append(x if layer.i in finder.save or layer.i in LAYERS else None)
    return [part for part in (kept[layer] for layer in LAYERS) if part is not None]
