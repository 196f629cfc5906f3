"""Dice that the picture's edge cuts in half, seen as if the edge were a mirror.

The finder knows whole dice, and half a one is none to it. Mirrored about the edge that cuts it,
half a die looks much like a die, and is found across the mirror, where nothing whole can lie.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vision.eye import FINDS, Finder, Finds
from vision.images import Image, scaled, turn_boxes_back
from vision.looks import spans_of

DEPTH_DICE = 2.5
"""So much along an edge is looked at, and its mirror image."""
STRADDLES = 0.25
"""The middle of what is found lies so near to the mirror, in edges of a die."""
SIZES = (0.45, 1.7)
"""What is left of a die and its mirror image are so wide and so long, in edges of a die."""

Boxes = NDArray[np.float32]
Scores = NDArray[np.float32]


def halves(
    finder: Finder,
    picture: Image,
    factors: tuple[float, float],
    die_px: float,
    *,
    min_score: float,
) -> tuple[Boxes, Scores]:
    """Look along all four edges of a picture.

    Args:
        finder: finds whole dice.
        picture: (H, W, 3) uint8.
        factors: scale of the look in x and y, new size / old size.
        die_px: side of a die in the look.
        min_score: findings below are dropped.

    Returns:
        (N, 4) float32, half a die's place at the edge of the picture, pixels of it, and the
        finder's scores (N,).
    """
    height, width = picture.shape[:2]
    boxes, scores = [np.zeros((0, 4), np.float32)], [np.zeros(0, np.float32)]
    for turn in range(4):
        turned = np.rot90(picture, turn)  # a view: only what lies along the edge is copied
        scale = factors if turn % 2 == 0 else (factors[1], factors[0])
        for mirrored, top in _strips(turned, scale, die_px):
            look = scaled(mirrored, *scale)
            finds = finder.find(look, size_px=max(32, *look.shape[:2]), min_score=min_score)
            left, score = _across(finds, look.shape[1] / 2, scale, die_px)
            left[:, 1::2] += top
            back = turn_boxes_back(left, turn, width=width, height=height)
            boxes.append(np.clip(back, 0, [width, height] * 2).astype(np.float32))
            scores.append(score)
    return np.concatenate(boxes), np.concatenate(scores)


def _strips(
    turned: Image, factors: tuple[float, float], die_px: float
) -> Iterator[tuple[Image, int]]:
    """What lies along a picture's left edge, with its mirror image to the left of it.

    In pieces that are not too long to be looked at, each with the y where it begins.
    """
    deep = max(1, round(DEPTH_DICE * die_px / factors[0]))
    for top, bottom in spans_of(len(turned), factors[1], die_px):
        piece = turned[top:bottom, :deep]
        yield np.concatenate([piece[:, ::-1], piece], axis=1), top


def _across(
    finds: Finds, mirror_px: float, factors: tuple[float, float], die_px: float
) -> tuple[Boxes, Scores]:
    """What was found across the mirror of a look; boxes (N, 4) with x from the mirror on."""
    sizes = (finds.xyxy[:, 2:] - finds.xyxy[:, :2]) / die_px
    middles = (finds.xyxy[:, :2] + finds.xyxy[:, 2:]) / 2
    near = np.abs(middles[:, 0] - mirror_px) < STRADDLES * die_px
    fits = (sizes > SIZES[0]).all(axis=1) & (sizes < SIZES[1]).all(axis=1)
    chosen = near & fits & (finds.kind != FINDS.index("cup"))
    wide, high = die_px / factors[0], die_px / factors[1]
    y = middles[chosen, 1] / factors[1]
    sides = [np.zeros_like(y), y - high / 2, np.full_like(y, wide / 2), y + high / 2]
    return np.stack(sides, axis=1).astype(np.float32), finds.score[chosen]
