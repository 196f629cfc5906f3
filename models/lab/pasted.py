"""Things laid over rendered pictures, so that dice show in part: `models.lab.train_shown`.

Hands, sheets and coasters lie over dice in every picture of a pub, and rendering a scene for each
of them is not needed to learn that half a die is one: a patch with a soft edge and a shadow is
enough.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Image = NDArray[np.uint8]

BARE = 0.25
"""Share of the pictures that stay as they are."""
MOST = 6
AT_A_DIE = 0.8
"""Share of the things that lie at a die."""
SKIN_BGR = (110, 140, 200)


def covered(rng: Rng, image: Image, shown: Image, others: Sequence[Image]) -> tuple[Image, Image]:
    """Lay up to six things over a picture.

    Args:
        rng: chance.
        image: (S, S, 3) uint8 BGR.
        shown: (S, S) uint8, 255 where it shows a die.
        others: pictures of the same size, for what things look like.

    Returns:
        The picture, and where it shows a die now.
    """
    if rng.random() < BARE:
        return image, shown
    dice = np.argwhere(shown > 128)[:, ::-1]
    for _ in range(int(rng.integers(1, MOST + 1))):
        at_a_die = len(dice) > 0 and rng.random() < AT_A_DIE
        at = dice[rng.integers(len(dice))] + rng.normal(0, 8, 2) if at_a_die else None
        form = _form(rng, rng.uniform(0, image.shape[0], 2) if at is None else at, image.shape[0])
        if rng.random() < 0.5:
            image = _shaded(rng, image, form)
        over = form[..., None]
        laid = image * (1 - over) + _look(rng, image.shape[0], others) * over
        image = np.clip(laid, 0, 255).astype(np.uint8)
        shown = (shown * (1 - form)).astype(np.uint8)
    return image, shown


def _form(rng: Rng, at: NDArray[np.float64], side: int) -> NDArray[np.float32]:
    """A sheet, something round or something long that begins at a place; soft at its edge, 0..1."""
    form = np.zeros((side, side), np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    half, deep = rng.uniform(8, 60), rng.uniform(10, 80)
    kind = rng.integers(3)
    if kind == 0:
        end, taper = at + along * deep, rng.uniform(0.6, 1.2) * half
        corners = [at - across * half, at + across * half, end + across * taper]
        corners.append(end - across * taper)
        cv2.fillPoly(form, [np.array(corners).round().astype(np.int32)], 1.0)
    elif kind == 1:
        middle = tuple((at + along * deep / 2).tolist())
        cv2.ellipse(form, (middle, (deep, 2 * half), float(np.degrees(angle))), 1.0, -1)  # type: ignore[call-overload]
    else:
        end = at + along * rng.uniform(40, 200)
        ends = [tuple(int(v) for v in point.round()) for point in (at, end)]
        cv2.line(form, ends[0], ends[1], 1.0, int(rng.integers(5, 26)))
    return np.asarray(cv2.GaussianBlur(form, (0, 0), rng.uniform(0.4, 1.2)), np.float32)


def _look(rng: Rng, side: int, others: Sequence[Image]) -> NDArray[np.float32]:
    """(side, side, 3) of a colour, a grain or another picture out of focus."""
    which = rng.random()
    if which < 0.3:
        colour = np.array(SKIN_BGR) * rng.uniform(0.3, 1.2)
    elif which < 0.7:
        colour = rng.uniform(10, 245, 3)
    else:
        colour = np.full(3, rng.uniform(10, 245))
    look = np.broadcast_to(colour, (side, side, 3)).astype(np.float32)
    finish = rng.random()
    if finish < 0.3:
        other = others[int(rng.integers(len(others)))].astype(np.float32)
        soft = cv2.GaussianBlur(other, (0, 0), rng.uniform(3, 12))
        return np.asarray(soft if rng.random() < 0.5 else 0.6 * look + 0.4 * soft, np.float32)
    if finish < 0.6:
        noise = rng.standard_normal((side, side)).astype(np.float32)
        grain = cv2.GaussianBlur(noise, (0, 0), rng.uniform(1, 6))
        look = look * (1 + rng.uniform(0.02, 0.15) * (grain / (grain.std() + 1e-6))[..., None])
    return look


def _shaded(rng: Rng, image: Image, form: NDArray[np.float32]) -> Image:
    """The picture with the thing's shadow beside it."""
    moved = np.roll(form, rng.integers(-4, 5, 2).tolist(), (0, 1))
    shade = cv2.GaussianBlur(moved, (0, 0), rng.uniform(1, 4))[..., None]
    return np.asarray(image * (1 - rng.uniform(0.1, 0.5) * shade), np.uint8)
