"""What lies about beside dice and is taken for one: numbered tokens of board games, leads, plugs.

On photographs of strange tables nearly everything that the namer took for a die with some doubt was
one of these: a pale disc with a figure on it, a card with a small picture, a dark barrel in a lead.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from .litter import turned_onto
from .looks import Rng, finish
from .textures import Image, color
from .things import Capsule, Finish

FIGURE_PX = 96
"""Side of the little picture that a token is drawn as."""
ROOM_MM = 20.0


def tokens(rng: Rng, floor: Image, die_px: float) -> None:
    """Draw a handful into a table top (in place); `die_px` is a die's edge in its pixels."""
    for _ in range(int(rng.integers(3, 14))):
        at = rng.uniform(0, floor.shape[0], 2)
        if rng.random() < 0.5:  # the field of the board that it lies on
            ground = tuple(float(v) for v in color(rng, 0.05, 0.6))
            turns = np.arange(6) * np.pi / 3 + rng.uniform(0, np.pi)
            corners = at + die_px * rng.uniform(1.5, 4.0) * np.column_stack(
                [np.cos(turns), np.sin(turns)]
            )
            cv2.fillPoly(floor, [corners.astype(np.int32)], ground, cv2.LINE_AA)
        draw = _figure if rng.random() < 0.6 else _small_picture
        shown, shape = draw(rng)
        _print(floor, at, shown, shape, die_px * float(rng.uniform(0.8, 1.9)), rng.uniform(0, 6.28))


def leads(rng: Rng, free: Callable[[float], NDArray[np.float64] | None]) -> list[Capsule]:
    """One to three leads with a barrel or a plug each, most of them dark.

    Only the barrel keeps its distance: a cord may run beneath what lies there, and through it.

    Args:
        rng: where all chance comes from.
        free: a free place (x, y) in mm for something of this radius; None when there is none.
    """
    out: list[Capsule] = []
    for _ in range(int(rng.integers(1, 4))):
        at = free(ROOM_MM)
        if at is not None:
            out += _lead(rng, at)
    return out


def _lead(rng: Rng, at: NDArray[np.float64]) -> list[Capsule]:
    red, green, blue = color(rng, 0.01, 0.05) if rng.random() < 0.7 else color(rng)
    look = finish(rng, (float(red), float(green), float(blue)))
    thin, thick = float(rng.uniform(1.2, 3.5)), float(rng.uniform(4.5, 9.0))
    turn, half = rng.uniform(0, 2 * np.pi), float(rng.uniform(0.3, 1.6)) * thick
    along = np.array([np.cos(turn), np.sin(turn)])
    out = [_run(at - along * half, at + along * half, thick, look)]
    for way in (-1, 1) if rng.random() < 0.6 else (1,):
        here, heading = at + way * along * (half + thick), turn + (np.pi if way < 0 else 0.0)
        for _ in range(int(rng.integers(2, 7))):
            there = here + rng.uniform(12, 40) * np.array([np.cos(heading), np.sin(heading)])
            out.append(_run(here, there, thin, look))
            here, heading = there, heading + rng.normal(0, 0.45)
    return out


def _run(a: NDArray[np.float64], b: NDArray[np.float64], radius: float, look: Finish) -> Capsule:
    return Capsule(
        a_mm=(float(a[0]), float(a[1]), radius),
        b_mm=(float(b[0]), float(b[1]), radius),
        radius_mm=radius,
        finish=look,
    )


def _figure(rng: Rng) -> tuple[Image, NDArray[np.float32]]:
    """A pale disc or card with one or two figures, now and then with dots below them."""
    paper, ink = color(rng, 0.35, 0.9), color(rng, 0.01, 0.12)
    if rng.random() < 0.3:
        ink = np.array([0.02, 0.02, 0.4], np.float32) * np.float32(rng.uniform(0.5, 1.5))
    pen = np.zeros((FIGURE_PX, FIGURE_PX), np.uint8)
    text = str(rng.integers(1, 10)) if rng.random() < 0.65 else str(rng.integers(10, 100))
    scale, width = float(rng.uniform(1.2, 2.4)) / len(text) ** 0.5, int(rng.integers(3, 9))
    font = int(rng.integers(0, 5))
    (w, h), _ = cv2.getTextSize(text, font, scale, width)
    spot = ((FIGURE_PX - w) // 2, (FIGURE_PX + h) // 2 - int(rng.integers(0, 8)))
    cv2.putText(pen, text, spot, font, scale, 255, width, cv2.LINE_AA)
    if rng.random() < 0.5:
        count, low = int(rng.integers(1, 6)), int(0.82 * FIGURE_PX)
        for x in np.linspace(-0.05 * count, 0.05 * count, count):
            cv2.circle(pen, (int((0.5 + x) * FIGURE_PX), low), 3, 255, -1, cv2.LINE_AA)
    weight = pen[..., None] / np.float32(255)
    return (paper * (1 - weight) + ink * weight).astype(np.float32), _outline(rng)


def _small_picture(rng: Rng) -> tuple[Image, NDArray[np.float32]]:
    """A card with a drawing of a few strokes and blots."""
    image = np.tile(color(rng, 0.3, 0.9), (FIGURE_PX, FIGURE_PX, 1)).astype(np.float32)
    for _ in range(int(rng.integers(2, 8))):
        ink = tuple(float(v) for v in color(rng, 0.01, 0.4))
        x, y = (int(v) for v in rng.integers(12, FIGURE_PX - 12, 2))
        if rng.random() < 0.5:
            axes = (int(rng.integers(3, 26)), int(rng.integers(3, 14)))
            cv2.ellipse(image, (x, y), axes, rng.uniform(0, 180), 0, 360, ink, -1, cv2.LINE_AA)
        else:
            to = tuple(int(v) for v in rng.integers(8, FIGURE_PX - 8, 2))
            cv2.line(image, (x, y), to, ink, int(rng.integers(2, 9)), cv2.LINE_AA)
    return image, _outline(rng)


def _outline(rng: Rng) -> NDArray[np.float32]:
    """Where the token is: a disc, or a card."""
    mask = np.zeros((FIGURE_PX, FIGURE_PX), np.uint8)
    if rng.random() < 0.6:
        cv2.circle(mask, (FIGURE_PX // 2,) * 2, FIGURE_PX // 2 - 2, 255, -1, cv2.LINE_AA)
    else:
        high = int(rng.integers(0, FIGURE_PX // 4))
        mask[high : FIGURE_PX - high] = 255
    return mask.astype(np.float32) / 255


def _print(
    floor: Image,
    at: NDArray[np.float64],
    shown: Image,
    shape: NDArray[np.float32],
    side: float,
    turn: float,
) -> None:
    """Print a little picture, `side` pixels wide, turned, where `shape` is 1."""
    matrix = turned_onto(at, shape.shape, side, turn)
    size = (floor.shape[1], floor.shape[0])
    weight = cv2.warpAffine(shape, matrix, size)[..., None]
    floor[:] = floor * (1 - weight) + cv2.warpAffine(shown, matrix, size) * weight
