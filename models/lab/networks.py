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


NARROW, WIDE = (16, 32, 48, 96, 128), (32, 64, 96, 160, 256)
"""Planes of a body's layers: a table's, which looks all evening, and one for photographs."""


def layers_of(planes: int, widths: tuple[int, int, int, int, int] = NARROW) -> nn.Sequential:
    """(N, planes, S, S) to the (N, last of `widths`) features that an answer rests on."""
    first, quarter, fine, eighth, last = widths
    return nn.Sequential(
        nn.Conv2d(planes, first, 3, 2, 1, bias=False),
        nn.BatchNorm2d(first),
        nn.SiLU(),
        Block(first, quarter, 2),
        Block(quarter, fine, 1),
        Block(fine, eighth, 2),
        Block(eighth, last, 2),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
    )


class Namer(nn.Module):
    """(N, 3, 64, 64) RGB in 0..1 to (N, 9) logits and the features they rest on.

    Args:
        wide: 3.6 times the work and 256 features instead of 128.
    """

    def __init__(self, *, wide: bool = False) -> None:
        super().__init__()
        widths = WIDE if wide else NARROW
        self.body = layers_of(3, widths)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(widths[-1], SHOWS)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and features."""
        features = self.body(x)
        return self.head(self.drop(features)), features


STANDS = 3
"""Answers of the stance network: flat, tower, burning."""
COMPARED = 96
"""Planes of the layer in which a die is held beside the others of its throw."""


class Stance(nn.Module):
    """(N, 3, 96, 96) RGB in 0..1, and what is told of each (N, 2), to (N, 3) logits.

    How steeply it is seen joins the picture as an even plane, so that every layer can weigh what it
    sees by it. The body is the namer's, which knows what dice look like (`start_from`). Dice of one
    throw, which the other thing told is the number of, see one another: they are of one make, lie
    in one light and are seen by one camera, so that one that differs is one that lies otherwise.

    Args:
        wide: 3.6 times the work and 256 features instead of 128.
    """

    def __init__(self, *, wide: bool = False) -> None:
        super().__init__()
        widths = WIDE if wide else NARROW
        self.body = layers_of(4, widths)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(widths[-1], STANDS)
        self.compare = nn.Sequential(
            nn.Linear(3 * widths[-1] + 1, COMPARED),
            nn.SiLU(),
            nn.Dropout(0.1),
            nn.Linear(COMPARED, STANDS),
        )
        nn.init.zeros_(self.compare[-1].weight)  # the others begin without a say
        nn.init.zeros_(self.compare[-1].bias)

    def start_from(self, namer: dict[str, torch.Tensor]) -> None:
        """Take over a namer's body; the plane of leans begins without a say."""
        body = {name: value for name, value in namer.items() if name.startswith("body.")}
        first = body["body.0.weight"]
        body["body.0.weight"] = torch.cat([first, torch.zeros_like(first[:, :1])], 1)
        self.load_state_dict(body, strict=False)

    def forward(self, x: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        """Logits; `told`: the tangent of the angle of view, and the throw's number."""
        planes = told[:, :1, None, None].expand(-1, -1, x.shape[2], x.shape[3])
        own = self.body(torch.cat([x, planes], 1))
        together = (told[:, 1:] - told[:, 1:].T).abs().lt(0.5).to(own.dtype)
        others = together.sum(1, keepdim=True) - 1
        mean = (together @ own - own) / others.clamp(min=1)
        any_others = others.clamp(max=1)
        beside = torch.cat([own, mean, (own - mean) * any_others, any_others], 1)
        logits: torch.Tensor = self.head(self.drop(own)) + self.compare(beside)
        return logits


NARROW_PIPS, WIDE_PIPS = (16, 40, 64, 96, 56, 32), (24, 64, 112, 160, 96, 56)
"""Planes of a pip finder's layers, down at 1/2, 1/4, 1/8, 1/16 and up at 1/8 and 1/4."""


class PipFinder(nn.Module):
    """(N, 3, 64, 64) RGB in 0..1 to (N, 1, 32, 32): logits of "a pip of the top face is here".

    Args:
        wide: with more planes in every layer, three times the weights.
    """

    def __init__(self, *, wide: bool = False) -> None:
        super().__init__()
        half, quarter, eighth, deep, up, fine = WIDE_PIPS if wide else NARROW_PIPS
        self.first = _convolution(3, half, stride=2)
        self.at_half = _convolution(half, half)
        self.at_quarter = Block(half, quarter, 2)
        self.at_eighth = Block(quarter, eighth, 2)
        self.deep = Block(eighth, deep, 2)
        self.up_eighth = _convolution(deep + eighth, up)
        self.up_quarter = _convolution(up + quarter, fine)
        self.up_half = _convolution(fine + half, half)
        self.head = nn.Conv2d(half, 1, 1)
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
