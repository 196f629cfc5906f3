"""Dice with their top faces upright as the network that judges outlines learns and sees them.

They come from the sets of `models.lab.outline_set`; beside each lies the mat without it, as a table
may remember it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from tqdm import tqdm

from vision.images import scaled
from vision.outline import OUTLINE_DICE, OUTLINE_PX, UNKNOWN_TURN, turn_by_edges, turn_of

from . import training
from .crop_play import as_tensor, lit, sampled
from .outline_set import KEPT_DICE, read_rows
from .stance_crops import KINDS

KEPT_PX = round(OUTLINE_PX * KEPT_DICE / OUTLINE_DICE)
"""What is kept of each die, the middle of its top face in the middle."""
MIDDLE = slice((KEPT_PX - OUTLINE_PX) // 2, (KEPT_PX + OUTLINE_PX) // 2)
HELD_OUT = 12
"""Every twelfth throw measures."""
LITTLE, MUCH, OFTEN = 0.02, 0.05, 0.85
"""How far the top's middle is off, in edges: usually and else, standard deviations."""
TURN_SPREAD, SIZE_SPREAD, LEAN_FACTOR, LEAN_SPREAD = 0.03, 0.03, 0.08, 0.02
"""What a table does not know exactly: a face's turn, its dice's size, where its camera is."""
REMEMBERED, ANOTHER_MAT, SAME_LIGHT = 0.75, 0.04, 0.8
"""Shares of the dice of which it is shown how the mat looks without them; of which that is wrong;
and that are seen in the light in which the mat was."""
MAT_LITTLE, MAT_MUCH = 0.015, 0.08
"""How far the mat has moved since, in edges: usually and else, standard deviations."""


@dataclass(frozen=True, eq=False)
class Tops(training.Shown):
    """Dice, the middle of the top face in the middle of each picture.

    Attributes:
        pictures: (N, K, K, 3) uint8 BGR.
        leans: (N, 2) of `vision.stance.lean_of`.
        turns: (N,) radians; not a number for ones whose edges do not tell.
        up: (N, 2) where the top looks to, x right and y down, as long as the lean's sine.
        classes: (N,) in `STANCES`.
        tilts: (N,) degrees.
        bares: (N, K, K, 3) the same places without dice; of sets without them the same pictures.
    """

    pictures: torch.Tensor
    leans: torch.Tensor
    turns: torch.Tensor
    up: torch.Tensor
    classes: torch.Tensor
    tilts: torch.Tensor
    bares: torch.Tensor


def kept(
    image: NDArray[np.uint8], middle: NDArray[np.float64], edge_px: float
) -> NDArray[np.uint8]:
    """A die's picture at the scale of the cut-outs; beyond its border that is repeated."""
    factor = OUTLINE_PX / (OUTLINE_DICE * edge_px)
    scale = min(1.0, factor)
    image, middle, factor = scaled(image, scale, scale), middle * scale, factor / scale
    shift = KEPT_PX / 2 - 0.5 - factor * (middle - 0.5)
    matrix = np.array([[factor, 0, shift[0]], [0, factor, shift[1]]])
    warped = cv2.warpAffine(image, matrix, (KEPT_PX, KEPT_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def tops_of(folders: Sequence[Path], *, held_out: bool) -> Tops:
    """The dice of sets that are learned from, or those that measure."""
    rows: list[tuple[Any, ...]] = []
    for folder in folders:
        throws = [r for r in read_rows(folder) if (r["throw"] % HELD_OUT == 0) is held_out]
        for row in (row for throw in tqdm(throws, leave=False) for row in throw["dice"]):
            names = row["name"], row.get("bare", row["name"])
            images = [cv2.imread(str(folder / name)) for name in names]
            if any(image is None for image in images):
                continue
            pips = np.array(row["pips"])
            picture, bare = (
                kept(np.asarray(image, np.uint8), pips.mean(axis=0), row["edge"])
                for image in images
            )
            turn = turn_by_edges(picture[MIDDLE, MIDDLE]) if len(pips) == 1 else turn_of(pips)
            rows.append(
                (
                    picture,
                    bare,
                    np.array(row["lean"]) * [1, -1],
                    np.nan if turn is None else turn,
                    np.array(row["up"][:2]) * [1, -1],
                    KINDS[row["kind"]],
                    row["tilt_deg"],
                )
            )
    columns = list(zip(*rows, strict=True)) or [()] * 7
    pictures, bares = (
        torch.from_numpy(np.array(column, np.uint8).reshape(-1, KEPT_PX, KEPT_PX, 3))
        for column in columns[:2]
    )
    others = [torch.tensor(np.array(column), dtype=torch.float32) for column in columns[2:]]
    leans, turns, up, classes, tilts = others
    return Tops(
        pictures, leans.reshape(-1, 2), turns, up.reshape(-1, 2), classes.long(), tilts, bares
    )


def shown(
    dice: Tops, generator: torch.Generator, *, quarter: int | None = None
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Dice as the network sees them.

    Args:
        dice: N of them.
        generator: of all chance.
        quarter: as the reader shows them in this quarter turn; None: as they are learned, in any
            of the eight ways and no better placed than a table's.

    Returns:
        (N, 3, 128, 64) RGB in 0..1, (N, 3) what is told of each, (N, 2) where each leans to.
    """
    n, play = len(dice), quarter is None

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(n, *shape, generator=generator) * play

    def even(*shape: int) -> torch.Tensor:
        return torch.rand(n, *shape, generator=generator)

    spread = torch.where(even(1) < OFTEN, LITTLE, MUCH)
    leans = dice.leans * (1 + LEAN_FACTOR * normal(1)) + LEAN_SPREAD * normal(2)
    quarters = (torch.pi / 2) * (torch.floor(4 * even()) if quarter is None else quarter)
    known = ~dice.turns.isnan()
    unknown = 8 * even() if play else torch.full((n,), UNKNOWN_TURN) + quarters
    turns = torch.where(known, dice.turns + TURN_SPREAD * normal() + quarters, unknown)
    cos, sin = torch.cos(turns), torch.sin(turns)
    flip = torch.where(even() < 0.5 * play, -1.0, 1.0)
    axes = torch.stack([torch.stack([cos * flip, sin * flip], 1), torch.stack([-sin, cos], 1)], 1)
    zoom = OUTLINE_DICE / KEPT_DICE * torch.exp(SIZE_SPREAD * normal(1, 1))
    middle = (0.5 * leans + spread * normal(2)) * (2 / KEPT_DICE)
    theta = torch.cat([axes.mT * zoom, middle[:, :, None]], 2)
    seen = sampled(as_tensor(dice.pictures), theta, OUTLINE_PX)
    bares = as_tensor(dice.bares)
    both = (
        _remembered(seen, bares, theta, generator)
        if play
        else torch.cat([seen, sampled(bares, theta, OUTLINE_PX)], 2)
    )
    told = torch.cat([torch.einsum("nij,nj->ni", axes, leans), known.float()[:, None]], 1)
    return both, told, torch.einsum("nij,nj->ni", axes, dice.up)


def _remembered(
    seen: torch.Tensor, bares: torch.Tensor, theta: torch.Tensor, generator: torch.Generator
) -> torch.Tensor:
    """(N, 3, 128, 64): dice, and below them the mat as a table may remember it, or not at all.

    It was seen in other light now and then; the mat may have been moved since, or what was learned
    as the mat is something else.
    """
    n = len(seen)

    def some(share: float) -> torch.Tensor:
        return (torch.rand(n, generator=generator) < share)[:, None, None, None]

    bares = torch.where(some(ANOTHER_MAT), bares.roll(1, 0), bares)
    off = torch.where(some(OFTEN)[:, 0, 0], MAT_LITTLE, MAT_MUCH) * (2 / KEPT_DICE)
    theta = theta.clone()
    theta[:, :, 2] += off * torch.randn(n, 2, generator=generator)
    own = torch.arange(n)
    cameras = torch.cat([own, torch.where(some(SAME_LIGHT)[:, 0, 0, 0], own, n + own)])
    pictures = torch.cat([seen, sampled(bares, theta, OUTLINE_PX)])
    seen, bares = lit(pictures, generator, cameras).split(n)
    return torch.cat([seen, torch.where(some(REMEMBERED), bares, seen)], 2)
