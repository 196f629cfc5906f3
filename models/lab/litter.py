"""Flat things that lie on a table or are printed on it, drawn into its texture.

Much of it looks like dice to a careless eye: dots, domino halves, printed dice, markers.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from .kernels import PIP_COUNT, PIP_PLACES
from .textures import Image, Rng, color, lettering


def _dots(rng: Rng, image: Image, at: tuple[int, int], die_px: float) -> None:
    """Pip-like dots without a die: domino halves, buttons, stains, printed dice."""
    ink = tuple(float(v) for v in color(rng))
    radius = max(1, int(die_px * rng.uniform(0.05, 0.2)))
    step = die_px * rng.uniform(0.2, 0.7)
    spots = (
        rng.integers(-1, 2, (int(rng.integers(1, 8)), 2))
        if rng.random() < 0.6
        else (rng.normal(0, 1, (int(rng.integers(1, 6)), 2)))
    )
    angle = rng.uniform(0, 6.28)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for spot in np.asarray(spots, float) @ turn.T * step:
        cv2.circle(
            image, (int(at[0] + spot[0]), int(at[1] + spot[1])), radius, ink, -1, cv2.LINE_AA
        )


def _sheet(rng: Rng, image: Image, at: tuple[int, int], die_px: float) -> None:
    """Paper, card, phone or coaster lying flat, with lettering or rings."""
    ink = tuple(float(v) for v in color(rng))
    width, height = die_px * rng.uniform(1.0, 9), die_px * rng.uniform(1.0, 9)
    round_one = rng.random() < 0.4
    if round_one:
        cv2.circle(image, at, int(width / 2), ink, -1, cv2.LINE_AA)
    else:
        corners = cv2.boxPoints((at, (width, height), rng.uniform(0, 90)))
        cv2.fillPoly(image, [corners.astype(np.int32)], ink, cv2.LINE_AA)
    for i in range(int(rng.integers(0, 6))):
        pen = tuple(float(v) for v in color(rng))
        if round_one and rng.random() < 0.6:
            cv2.circle(
                image,
                at,
                max(1, int(width / 2 * rng.uniform(0.2, 0.95))),
                pen,
                int(rng.integers(1, max(2, int(die_px / 5)))),
                cv2.LINE_AA,
            )
        else:
            spot = (int(at[0] - width / 3), int(at[1] - height / 3 + i * height / 6))
            lettering(
                rng,
                image,
                spot,
                die_px / 40 * rng.uniform(0.3, 1.4),
                np.array(pen),
                8,
                int(rng.integers(1, 3)),
            )


def _stroke(rng: Rng, image: Image, at: tuple[int, int], die_px: float) -> None:
    """A cable, a pen line, the rim of a wet glass."""
    ink = tuple(float(v) for v in color(rng))
    if rng.random() < 0.4:
        cv2.circle(
            image,
            at,
            int(die_px * rng.uniform(1.2, 2.6)),
            ink,
            int(rng.integers(1, 5)),
            cv2.LINE_AA,
        )
        return
    steps = np.cumsum(rng.normal(0, die_px, (6, 2)) + rng.normal(0, die_px, 2), axis=0)
    points = (np.array(at) + steps).astype(np.int32)
    cv2.polylines(
        image,
        [points],
        bool(rng.random() < 0.1),
        ink,
        int(max(1, die_px * rng.uniform(0.03, 0.4))),
        cv2.LINE_AA,
    )


def _marker(rng: Rng, image: Image, at: tuple[int, int], die_px: float) -> None:
    """A printed marker, as a calibration sheet has them: black squares that are no pips."""
    cells = int(rng.integers(4, 7))
    code = np.zeros((cells + 4, cells + 4), np.float32)
    code[0], code[-1], code[:, 0], code[:, -1] = 1, 1, 1, 1
    code[2:-2, 2:-2] = rng.integers(0, 2, (cells, cells))
    _patch(rng, image, at, code, die_px * rng.uniform(0.7, 2.0))


def _printed_die(rng: Rng, image: Image, at: tuple[int, int], die_px: float) -> None:
    """A drawn die face or a domino: pips on paper, without a body."""
    side = 48
    halves = int(rng.choice([1, 1, 2]))
    face = np.ones((side, side * halves), np.float32)
    face[[0, 1, -2, -1]] = 0
    face[:, [0, 1, -2, -1]] = 0
    for half in range(halves):
        value = int(rng.integers(1, 7))
        for x, y in PIP_PLACES[value, : PIP_COUNT[value]]:
            spot = (int(side * (half + 0.5 + 0.26 * x)), int(side * (0.5 + 0.26 * y)))
            cv2.circle(face, spot, int(rng.integers(3, 6)), 0.0, -1, cv2.LINE_AA)
    if halves == 2:
        face[:, side - 1 : side + 1] = 0
    _patch(rng, image, at, face, die_px * rng.uniform(0.6, 1.5))


def _patch(
    rng: Rng, image: Image, at: tuple[int, int], pattern: NDArray[np.float32], side: float
) -> None:
    """Print a pattern (0 ink, 1 paper) turned anyhow, `side` pixels high."""
    paper, ink = color(rng, 0.3, 0.9), color(rng, 0.01, 0.15)
    if rng.random() < 0.2:
        paper, ink = ink, paper
    matrix = turned_onto(np.array(at), pattern.shape, side, rng.uniform(0, 6.28))
    size = (image.shape[1], image.shape[0])
    seen = cv2.warpAffine(np.ones_like(pattern), matrix, size)[..., None]
    mixed = cv2.warpAffine(pattern, matrix, size)[..., None]
    image[:] = image * (1 - seen) + ink * (seen - mixed) + paper * mixed


def turned_onto(
    at: NDArray[Any], shape: tuple[int, ...], side: float, turn: float
) -> NDArray[np.float64]:
    """The map (2, 3) that lays a little picture, `shape` (h, w), around `at`.

    It becomes `side` pixels high and is turned by `turn` radians.
    """
    scale = side / shape[0]
    spin = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.column_stack([spin, at - spin @ (np.array(shape[::-1]) / 2)])


def screen(rng: Rng, image: Image, die_px: float) -> None:
    """A telephone that lies there and shines (in place): a list, or dice of a game on it."""
    at = tuple(int(v) for v in rng.integers(0, image.shape[0], 2))
    size, turned = np.array([70.0, 150.0]) / 16 * die_px, float(rng.uniform(0, 360))
    for scale, level in ((1.0, 0.01), (0.93, float(rng.uniform(0.3, 1.6)))):
        corners = cv2.boxPoints((at, tuple(size * scale), turned)).astype(np.int32)
        glow = tuple(float(v) for v in color(rng, 0.5, 1.0) * level)
        cv2.fillPoly(image, [corners], glow, cv2.LINE_AA)
    along = np.array([-np.sin(np.radians(turned)), np.cos(np.radians(turned))])
    for step in np.linspace(-0.36, 0.36, int(rng.integers(2, 7))):
        spot = np.array(at) + along * step * size[1]
        draw = _printed_die if rng.random() < 0.4 else _dots
        draw(rng, image, (int(spot[0]), int(spot[1])), die_px * float(rng.uniform(0.4, 1.1)))


LITTER = (_dots, _sheet, _sheet, _stroke, _marker, _printed_die)


def litter(rng: Rng, image: Image, die_px: float) -> None:
    """Draw up to eight flat things into a table top (in place); `die_px` sets their scale."""
    for _ in range(int(rng.choice([0, 0, 1, 1, 2, 3, 5, 8]))):
        at = tuple(int(v) for v in rng.integers(0, image.shape[0], 2))
        LITTER[rng.integers(len(LITTER))](rng, image, at, die_px)
