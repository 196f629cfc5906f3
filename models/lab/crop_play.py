"""What training does to cut-out dice: turn, shift, scale, stretch, colour, light, glare, grain."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from vision.crops import STEEP
from vision.evening import EVEN_LEVELS, GRAIN_LEVELS

from .value_crops import KEPT_SCALE, SEEN_PX, SEEN_SCALE

PLAIN_ZOOM = SEEN_SCALE / KEPT_SCALE
HELD_ANYHOW = 0.08
"""Share of oblique pictures that are not held upright."""


def as_tensor(crops: NDArray[np.uint8] | torch.Tensor) -> torch.Tensor:
    """(N, K, K, 3) uint8 BGR, wherever it lies, to (N, 3, K, K) float RGB in 0..1 there."""
    return torch.as_tensor(crops).flip(3).permute(0, 3, 1, 2).float() / 255


def plain(
    crops: torch.Tensor, turns: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """What reading sees of kept crops, but for the turn unchanged.

    Args:
        crops: (N, 3, K, K).
        turns: (N,) radians; None: none.

    Returns:
        (N, 3, 64, 64) and the maps as of `played`.
    """
    still = torch.zeros(len(crops), device=crops.device)
    turns = still if turns is None else turns
    cos, sin = torch.cos(turns), torch.sin(turns)
    rows = [torch.stack([cos, -sin, still], 1), torch.stack([sin, cos, still], 1)]
    theta = torch.stack(rows, 1) * PLAIN_ZOOM
    return sampled(crops, theta), theta


def upright(toward: torch.Tensor) -> torch.Tensor:
    """Turns (N,) after which the point below the camera lies straight downwards."""
    return torch.atan2(-toward[:, 0], toward[:, 1])


def held_upright(toward: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Turns (N,) after which dice are seen as in a picture that was held upright.

    The point below the camera lies downwards then, the less surely the less aslant a die is seen;
    a few pictures are held anyhow.

    Args:
        toward: (N, 2) the way to that point, as long as the tangent of the angle of view.
        generator: where all chance comes from.
    """
    n, slope = len(toward), toward.norm(dim=1)
    free = math.pi * (STEEP / 2 / slope.clamp(min=STEEP / 2)) ** 1.2
    free[(slope < STEEP) | _of(generator, n, HELD_ANYHOW)] = math.pi
    return upright(toward) + free * _spread(generator, -1, 1, n)


def played(
    crops: torch.Tensor, generator: torch.Generator, *, turns: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Kept crops as a reader might meet them.

    Args:
        crops: (N, 3, K, K).
        generator: where all chance comes from.
        turns: (N,) radians; None: any.

    Returns:
        (N, 3, 64, 64) and the maps (N, 2, 3) from places in it (-1..1) to places in the crop.
    """
    if turns is None:
        turns = _spread(generator, -math.pi, math.pi, len(crops))
    theta = _maps(turns, generator)
    return lit(sampled(crops, theta), generator), theta


def places(points: torch.Tensor, theta: torch.Tensor) -> torch.Tensor:
    """Points of the kept crop (N, P, 2) where they come to lie after `played`; NaN stays."""
    inverse = torch.linalg.inv(theta[:, :, :2])
    return torch.einsum("nij,npj->npi", inverse, points - theta[:, None, :, 2])


def _spread(generator: torch.Generator, low: float, high: float, *shape: int) -> torch.Tensor:
    return low + (high - low) * torch.rand(shape, generator=generator, device=generator.device)


def _of(generator: torch.Generator, n: int, share: float) -> torch.Tensor:
    """(N,) bool: whom a share falls on."""
    return _spread(generator, 0, 1, n) < share


def _normal(generator: torch.Generator, *shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=generator, device=generator.device)


def _maps(angle: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    n = len(angle)
    zoom = PLAIN_ZOOM * torch.exp(_spread(generator, -0.18, 0.18, n))
    stretch = torch.exp(_spread(generator, -0.12, 0.12, n))
    cos, sin = torch.cos(angle), torch.sin(angle)
    move = _spread(generator, -0.09, 0.09, n, 2)
    rows = [
        torch.stack([zoom * stretch * cos, -zoom * sin, move[:, 0]], 1),
        torch.stack([zoom * stretch * sin, zoom * cos, move[:, 1]], 1),
    ]
    return torch.stack(rows, 1)


def sampled(crops: torch.Tensor, theta: torch.Tensor, size_px: int = SEEN_PX) -> torch.Tensor:
    """Kept crops (N, 3, K, K) through maps (N, 2, 3): (N, 3, size_px, size_px)."""
    grid = functional.affine_grid(theta, [len(crops), 3, size_px, size_px], align_corners=False)
    return functional.grid_sample(crops, grid, align_corners=False, padding_mode="border")


def lit(
    crops: torch.Tensor, generator: torch.Generator, together: torch.Tensor | None = None
) -> torch.Tensor:
    """Cut-outs in other light and other colours, by other cameras.

    Args:
        crops: (N, 3, S, S) RGB in 0..1.
        generator: where all chance comes from.
        together: (N,) numbers of what they are cut out of: what is of one is seen by one camera,
            in one light; None: each is of its own.

    Returns:
        (N, 3, S, S).
    """
    n, size_px = len(crops), crops.shape[-1]
    of = torch.arange(n, device=crops.device)
    if together is not None:
        of = together.unique(return_inverse=True)[1]
    many = int(of.max()) + 1 if n else 0

    def alike(low: float, high: float, *shape: int) -> torch.Tensor:
        return _spread(generator, low, high, many, *shape)[of]

    coarse = _of(generator, many, 0.2)[of]  # dice that were far away
    if coarse.any():
        side = round(float(_spread(generator, 0.37, 0.70, 1)) * size_px)
        small = functional.interpolate(crops[coarse], size=side, mode="area")
        crops[coarse] = functional.interpolate(small, size=size_px, mode="bilinear")
    for share, change in CHANGES:
        rows = torch.nonzero(_of(generator, many, share)[of])[:, 0]
        if len(rows):
            crops[rows] = change(crops[rows], of[rows].unique(return_inverse=True)[1], generator)
    gain = torch.exp(alike(-0.35, 0.35, 1, 1, 1)) * torch.exp(alike(-0.12, 0.12, 3, 1, 1))
    out = (crops - 0.5) * torch.exp(alike(-0.3, 0.3, 1, 1, 1)) + 0.5
    grain = _normal(generator, *out.shape)
    out = out * gain + grain * alike(0, 0.03, 1, 1, 1)
    grey = out.mean(1, keepdim=True)
    # Some dice differ from their pips by hue alone: colour is a cue that must not be played away.
    out = grey + (out - grey) * alike(0.6, 1.6, 1, 1, 1)
    return out.clamp(0, 1)


def _mean_of(numbers: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
    """(N, ...) of each row the mean over all rows that are of the same."""
    many = int(of.max()) + 1
    total = numbers.new_zeros(many, *numbers.shape[1:]).index_add(0, of, numbers)
    count = torch.bincount(of, minlength=many).view(-1, *[1] * (numbers.dim() - 1))
    return (total / count)[of]


def _other_channels(
    crops: torch.Tensor, of: torch.Tensor, generator: torch.Generator
) -> torch.Tensor:
    """Red, green and blue dealt out anew: a red pip is no surer a one than a blue or green one."""
    dealt = _spread(generator, 0, 1, int(of.max()) + 1, 3).argsort(1)[of]
    return torch.take_along_dim(crops, dealt[:, :, None, None], 1)


def _recoloured(crops: torch.Tensor, of: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Turned in colour space: light on dark becomes red on blue that is as light."""
    many = int(of.max()) + 1
    turn = _rotations(generator, many) * torch.exp(_spread(generator, -0.8, 0.2, many, 1, 1))
    mean = _mean_of(crops.mean((2, 3), keepdim=True), of)
    turned = torch.bmm(turn[of], (crops - mean).flatten(2)).view_as(crops)
    return turned + _spread(generator, 0.2, 0.75, many, 3, 1, 1)[of]


def _rotations(generator: torch.Generator, n: int) -> torch.Tensor:
    """(N, 3, 3) rotations, none likelier than another (Gram and Schmidt; quick on any device)."""
    first, other = functional.normalize(_normal(generator, 2, n, 3), dim=2)
    second = functional.normalize(other - (other * first).sum(1, keepdim=True) * first, dim=1)
    return torch.stack([first, second, torch.linalg.cross(first, second)], 2)


def _coarse_hues(crops: torch.Tensor, of: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Colours at half the resolution of the light, as JPEG keeps them."""
    grey = crops.mean(1, keepdim=True)
    hues = functional.avg_pool2d(crops - grey, 2)
    return grey + functional.interpolate(hues, size=crops.shape[-1], mode="bilinear")


def _clouded(crops: torch.Tensor, of: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Swirls of two colours in the body, shadows and mirrored rooms: a soft field of factors."""
    n = len(crops)
    cells = int(_spread(generator, 3, 9, 1))
    field = _normal(generator, n, 3, cells, cells) + _normal(generator, n, 1, cells, cells)
    field = torch.exp(field * _spread(generator, 0.02, 0.16, n, 1, 1, 1))
    return crops * functional.interpolate(field, size=crops.shape[-1], mode="bilinear")


def _glared(crops: torch.Tensor, of: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """A lamp mirrored in the die: a spot, or an arc of a ring light."""
    n = len(crops)
    axis = torch.linspace(-1, 1, crops.shape[-1], device=crops.device)
    x = axis.view(1, 1, 1, -1) - _spread(generator, -0.45, 0.45, n, 1, 1, 1)
    y = axis.view(1, 1, -1, 1) - _spread(generator, -0.45, 0.45, n, 1, 1, 1)
    x = x * torch.exp(_spread(generator, -0.4, 0.4, n, 1, 1, 1))
    ring = (_spread(generator, -0.35, 0.5, n, 1, 1, 1)).clamp(min=0)
    width = _spread(generator, 0.02, 0.1, n, 1, 1, 1)
    away = torch.hypot(x, y)
    toward = _spread(generator, -math.pi, math.pi, n, 1, 1, 1)
    along = (x * torch.cos(toward) + y * torch.sin(toward)) / (away + 1e-3)
    spot = torch.sigmoid((along + _spread(generator, -0.8, 1.2, n, 1, 1, 1)) * 8)
    spot = spot * torch.exp(-(((away - ring) / width) ** 2))
    return crops + _spread(generator, 0.2, 1.0, n, 1, 1, 1) * spot * (1 - crops)


def _stretched(crops: torch.Tensor, of: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Contrast evened out along the colours' own axes, wholly or in part (Gillespie 1986).

    Red pips on a dark die differ from it along an axis that a mirrored lamp hardly touches.
    """
    many, level = int(of.max()) + 1, EVEN_LEVELS / 255
    flat = crops.flatten(2)
    mean = _mean_of(flat.mean(2, keepdim=True), of)
    away = flat - mean
    spread, axes = torch.linalg.eigh(_mean_of(torch.bmm(away, away.mT) / flat.shape[2], of))
    gains = level / (spread.clamp(min=0).sqrt() + GRAIN_LEVELS / 255)
    gains = gains ** _spread(generator, 0.2, 1.0, many, 1)[of]
    turned = torch.bmm(axes * gains[:, None, :], axes.mT)
    return (torch.bmm(turned, away) + mean).view_as(crops)


CHANGES = (
    (0.6, _other_channels),
    (0.35, _recoloured),
    (0.4, _coarse_hues),
    (0.25, _clouded),
    (0.22, _glared),
    (0.3, _stretched),
)
"""What a share of the crops goes through, all of a picture at once, in this order."""
