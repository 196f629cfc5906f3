"""What training does to cut-out dice: turn, shift, scale, stretch, light, grain, blur."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from .value_crops import KEPT_SCALE, SEEN_PX, SEEN_SCALE

PLAIN_ZOOM = SEEN_SCALE / KEPT_SCALE


def as_tensor(crops: NDArray[np.uint8]) -> torch.Tensor:
    """(N, K, K, 3) uint8 BGR to (N, 3, K, K) float RGB in 0..1."""
    rgb = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2))
    return torch.from_numpy(rgb).float() / 255


def plain(crops: torch.Tensor) -> torch.Tensor:
    """What reading sees of kept crops (N, 3, K, K): (N, 3, 64, 64), unchanged."""
    theta = torch.tensor([[PLAIN_ZOOM, 0.0, 0.0], [0.0, PLAIN_ZOOM, 0.0]])
    return _sampled(crops, theta.expand(len(crops), 2, 3))


def played(
    crops: torch.Tensor, generator: torch.Generator, *, turn: float = math.pi
) -> tuple[torch.Tensor, torch.Tensor]:
    """Kept crops as a reader might meet them.

    Args:
        crops: (N, 3, K, K).
        generator: where all chance comes from.
        turn: the largest turn either way, radians.

    Returns:
        (N, 3, 64, 64) and the maps (N, 2, 3) from places in it (-1..1) to places in the crop.
    """
    theta = _maps(len(crops), generator, turn)
    return _lit(_sampled(crops, theta), generator), theta


def places(points: torch.Tensor, theta: torch.Tensor) -> torch.Tensor:
    """Points of the kept crop (N, P, 2) where they come to lie after `played`; NaN stays."""
    inverse = torch.linalg.inv(theta[:, :, :2])
    return torch.einsum("nij,npj->npi", inverse, points - theta[:, None, :, 2])


def _spread(generator: torch.Generator, low: float, high: float, *shape: int) -> torch.Tensor:
    return low + (high - low) * torch.rand(shape, generator=generator)


def _maps(n: int, generator: torch.Generator, turn: float) -> torch.Tensor:
    angle = _spread(generator, -turn, turn, n)
    zoom = PLAIN_ZOOM * torch.exp(_spread(generator, -0.18, 0.18, n))
    stretch = torch.exp(_spread(generator, -0.12, 0.12, n))
    cos, sin = torch.cos(angle), torch.sin(angle)
    move = _spread(generator, -0.09, 0.09, n, 2)
    rows = [
        torch.stack([zoom * stretch * cos, -zoom * sin, move[:, 0]], 1),
        torch.stack([zoom * stretch * sin, zoom * cos, move[:, 1]], 1),
    ]
    return torch.stack(rows, 1)


def _sampled(crops: torch.Tensor, theta: torch.Tensor) -> torch.Tensor:
    grid = functional.affine_grid(theta, [len(crops), 3, SEEN_PX, SEEN_PX], align_corners=False)
    return functional.grid_sample(crops, grid, align_corners=False, padding_mode="border")


def _lit(crops: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    n = len(crops)
    coarse = torch.rand(n, generator=generator) < 0.15  # a die that was far away
    if coarse.any():
        small = functional.interpolate(crops[coarse], scale_factor=0.4, mode="area")
        crops[coarse] = functional.interpolate(small, size=SEEN_PX, mode="bilinear")
    gain = torch.exp(_spread(generator, -0.35, 0.35, n, 1, 1, 1))
    gain = gain * torch.exp(_spread(generator, -0.12, 0.12, n, 3, 1, 1))
    out = (crops - 0.5) * torch.exp(_spread(generator, -0.3, 0.3, n, 1, 1, 1)) + 0.5
    grain = torch.randn(out.shape, generator=generator)
    out = out * gain + grain * _spread(generator, 0, 0.03, n, 1, 1, 1)
    grey = out.mean(1, keepdim=True)
    out = grey + (out - grey) * _spread(generator, 0.3, 1.3, n, 1, 1, 1)
    return out.clamp(0, 1)
