"""The two readers' networks: one names what a cut-out die shows, the other finds its pips."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

SHOWS = 9
"""Answers of the namer: values 1..6, tower, burning, nothing."""


def _convolution(inside: int, outside: int, *, stride: int = 1) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.SiLU()
    )


class Block(nn.Module):
    """Two 3 x 3 convolutions and a shortcut."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outside),
            nn.SiLU(),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outside),
        )
        self.short = nn.Sequential(
            nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, inside, H, W) to (N, outside, H / stride, W / stride)."""
        return functional.silu(self.body(x) + self.short(x))


def _body(planes: int) -> nn.Sequential:
    """(N, planes, S, S) to the (N, 128) features that an answer rests on."""
    return nn.Sequential(
        nn.Conv2d(planes, 16, 3, 2, 1, bias=False),
        nn.BatchNorm2d(16),
        nn.SiLU(),
        Block(16, 32, 2),
        Block(32, 48, 1),
        Block(48, 96, 2),
        Block(96, 128, 2),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
    )


class Namer(nn.Module):
    """(N, 3, 64, 64) RGB in 0..1 to (N, 9) logits and the (N, 128) features they rest on."""

    def __init__(self) -> None:
        super().__init__()
        self.body = _body(3)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(128, SHOWS)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and features."""
        features = self.body(x)
        return self.head(self.drop(features)), features


STANDS = 3
"""Answers of the stance network: flat, tower, burning."""


class Stance(nn.Module):
    """(N, 3, 96, 96) RGB in 0..1 and leans (N, 1) to (N, 3) logits.

    The lean joins the picture as an even plane, so that every layer can weigh what it sees by how
    steeply it is seen. The body is the namer's, which knows what dice look like (`start_from`).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = _body(4)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(128, STANDS)

    def start_from(self, namer: dict[str, torch.Tensor]) -> None:
        """Take over a namer's body; the plane of leans begins without a say."""
        body = {name: value for name, value in namer.items() if name.startswith("body.")}
        first = body["body.0.weight"]
        body["body.0.weight"] = torch.cat([first, torch.zeros_like(first[:, :1])], 1)
        self.load_state_dict(body, strict=False)

    def forward(self, x: torch.Tensor, lean: torch.Tensor) -> torch.Tensor:
        """Logits."""
        planes = lean[:, :, None, None].expand(-1, -1, x.shape[2], x.shape[3])
        return torch.as_tensor(self.head(self.drop(self.body(torch.cat([x, planes], 1)))))


class PipFinder(nn.Module):
    """(N, 3, 64, 64) RGB in 0..1 to (N, 1, 32, 32): logits of "a pip of the top face is here"."""

    def __init__(self) -> None:
        super().__init__()
        self.first = _convolution(3, 16, stride=2)
        self.at_half = _convolution(16, 16)
        self.at_quarter = Block(16, 40, 2)
        self.at_eighth = Block(40, 64, 2)
        self.deep = Block(64, 96, 2)
        self.up_eighth = _convolution(96 + 64, 56)
        self.up_quarter = _convolution(56 + 40, 32)
        self.up_half = _convolution(32 + 16, 16)
        self.head = nn.Conv2d(16, 1, 1)
        nn.init.constant_(self.head.bias, -4.0)  # pips are rare: start from "none anywhere"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits per place, two pixels of the crop apart."""
        half = self.at_half(self.first(x))
        quarter = self.at_quarter(half)
        eighth = self.at_eighth(quarter)
        up = self.up_eighth(torch.cat([_doubled(self.deep(eighth)), eighth], 1))
        up = self.up_quarter(torch.cat([_doubled(up), quarter], 1))
        up = self.up_half(torch.cat([_doubled(up), half], 1))
        return torch.as_tensor(self.head(up))


def _doubled(x: torch.Tensor) -> torch.Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")
