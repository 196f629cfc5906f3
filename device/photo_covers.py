"""A photograph with one of its dice partly out of sight, to see whether the reader misses it.

Nobody can read such a die for sure, and the others are read as before: whoever is sure of the
photograph without it is wrong. What lies over a die is the same every time for a photograph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from device.photo_frames import Framed, Show
from device.photo_labels import LabelledDie
from vision.images import Image, to_uint8

PIPS_ONLY = 1.5
"""A die is so many times as wide as a label that frames its pips alone."""
TRIES = 24
"""Places and directions that are tried before a photograph has none for a cover."""
LEAST_PX = 64
"""Shortest side that is left of a photograph that is cut."""
SKIN_BGR = (110.0, 140.0, 200.0)
GRAIN = 0.04
"""Standard deviation of a cover's light: nothing is quite plain."""

Dice = NDArray[np.float64]
"""(N, 4): middle x and y, width and height of each die, pixels."""


def _spots(picture: Image, dice: Sequence[LabelledDie]) -> Dice | None:
    """Where dice lie; None unless all of two or more are labelled with a box."""
    height, width = picture.shape[:2]
    wide = [PIPS_ONLY if die.pips_only else 1.0 for die in dice]
    spots = [
        (*np.multiply(die.centre, (width, height)), *np.multiply(die.side, (width, height)) * times)
        for die, times in zip(dice, wide, strict=True)
        if die.centre and min(die.side) > 0
    ]
    return np.array(spots) if len(spots) == len(dice) > 1 else None


def _chance(picture: Image, dice: Sequence[LabelledDie]) -> np.random.Generator:
    """The same for the same photograph."""
    return np.random.default_rng([*picture.shape[:2], *(die.value for die in dice)])


def _covered(picture: Image, dice: Sequence[LabelledDie], *, share: float) -> Framed | None:
    """Lay a sheet or a thumb over so much of one die and over no other."""
    spots = _spots(picture, dice)
    if spots is None:
        return None
    rng = _chance(picture, dice)
    for _ in range(TRIES):
        row = int(rng.integers(len(spots)))
        form = _form(rng, picture, spots[row], share)
        if not any(_touches(form, spot) for i, spot in enumerate(spots) if i != row):
            break
    else:
        return None
    soft = cv2.GaussianBlur(form, (0, 0), max(0.6, float(spots[row, 2:].max()) / 60))[..., None]
    colour = (
        np.array(SKIN_BGR) * rng.uniform(0.5, 1.2),
        rng.uniform(20, 235, 3),
        np.full(3, rng.uniform(15, 240)),
    )[int(rng.integers(3))]
    noise = rng.standard_normal(picture.shape[:2]).astype(np.float32)
    grain = 1 + GRAIN * cv2.GaussianBlur(noise, (0, 0), 3)[..., None]
    return Framed(to_uint8(np.clip(picture * (1 - soft) + colour * grain * soft, 0, 255).round()))


def _form(
    rng: np.random.Generator, picture: Image, spot: NDArray[np.float64], share: float
) -> NDArray[np.float32]:
    """(H, W) 0 or 1: something from outside that ends where it hides that much of a die's box."""
    angle = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    reach = float(np.abs(along) @ spot[2:]) / 2
    begins = spot[:2] + along * reach * (1 - 2 * share)
    half, deep = rng.uniform(0.8, 1.4) * spot[2:].max(), rng.uniform(1.0, 3.0) * spot[2:].max()
    form = np.zeros(picture.shape[:2], np.float32)
    if rng.random() < 0.6:
        ends = begins + along * deep
        corners = [begins - across * half, begins + across * half]
        corners += [ends + across * half * 0.8, ends - across * half * 0.8]
        cv2.fillPoly(form, [np.array(corners).round().astype(np.int32)], (1.0,))
    else:
        middle = (begins + along * deep / 2).round().astype(int).tolist()
        axes = (round(deep / 2), round(1.1 * half))
        cv2.ellipse(form, middle, axes, float(np.degrees(angle)), 0, 360, (1.0,), cv2.FILLED)
    return form


def _touches(form: NDArray[np.float32], spot: NDArray[np.float64]) -> bool:
    left, top = np.maximum(spot[:2] - spot[2:] / 2, 0).astype(int)
    right, bottom = (spot[:2] + spot[2:] / 2).astype(int) + 1
    return bool(form[top:bottom, left:right].any())


def _cut_off(picture: Image, dice: Sequence[LabelledDie], *, share: float) -> Framed | None:
    """Let the picture end in the middle of its outermost die, where no other is cut by that."""
    spots = _spots(picture, dice)
    if spots is None:
        return None
    height, width = picture.shape[:2]
    turns = ((0, 1, width), (0, -1, width), (1, 1, height), (1, -1, height))
    fits = []
    for axis, way, length in turns:
        middle = spots[:, axis] if way > 0 else length - spots[:, axis]
        half = spots[:, 2 + axis] / 2
        row = int(np.argmin(middle - half))
        cut = round(float(middle[row] - half[row] + share * 2 * half[row]))
        if (middle - half < cut).sum() == 1 and length - cut >= LEAST_PX:
            fits.append((axis, way, cut))
    if not fits:
        return None
    axis, way, cut = fits[int(_chance(picture, dice).integers(len(fits)))]
    kept = picture if axis == 0 else picture.swapaxes(0, 1)
    kept = kept[:, cut:] if way > 0 else kept[:, : kept.shape[1] - cut]
    kept = kept if axis == 0 else kept.swapaxes(0, 1)
    corner = (-cut if way > 0 else 0) * np.array([axis == 0, axis == 1])
    return Framed(np.ascontiguousarray(kept), (int(corner[0]), int(corner[1])))


COVERS: Mapping[str, Show] = MappingProxyType(
    {
        "touched": partial(_covered, share=0.25),
        "covered": partial(_covered, share=0.4),
        "half": partial(_covered, share=0.55),
        "cut_off": partial(_cut_off, share=0.5),
    }
)
"""Name to what it makes of a picture, (H, W, 3) uint8 BGR, and its labels; None where no die can be
hidden alone, or where nobody labelled how large they are."""
