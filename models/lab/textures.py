"""Table tops of pubs and homes; what lies or is printed on them is in `litter`.

All pictures are (size, size, 3) float32 linear RGB. Colours are drawn so that
any hue can meet any brightness: what the camera sees is rarely what a catalogue shows.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Image = NDArray[np.float32]


def smooth(rng: Rng, size: int, cell_y: float, cell_x: float | None = None) -> Image:
    """Bicubic value noise in about [0, 1] with the given cell size in pixels."""
    cell_x = cell_x or cell_y
    grid = rng.random((max(2, int(size / cell_y) + 3), max(2, int(size / cell_x) + 3)))
    return cv2.resize(grid.astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)


def fractal(rng: Rng, size: int, cell: float, octaves: int = 4, stretch: float = 1.0) -> Image:
    """Sum of octaves of `smooth`, halving cell and weight; stretched along x."""
    total, weight, out = 0.0, 1.0, np.zeros((size, size), np.float32)
    for _ in range(octaves):
        if cell < 1.0:
            break
        out += weight * smooth(rng, size, cell, max(1.0, cell * stretch))
        total, weight, cell = total + weight, weight / 2, cell / 2
    return out / max(total, 0.5)


def color(rng: Rng, low: float = 0.02, high: float = 0.85) -> NDArray[np.float32]:
    """A random surface colour: mostly muted, sometimes strong."""
    grey = np.exp(rng.uniform(np.log(low), np.log(high)))
    tint = rng.normal(0, 1, 3) * rng.uniform(0, 0.6) ** 1.3
    return np.clip(grey * np.exp(tint), 0.01, 0.9).astype(np.float32)


def _mix(a: NDArray[np.float32], b: NDArray[np.float32], weight: Image) -> Image:
    return np.asarray(a + (b - a) * weight[..., None], np.float32)


def lettering(
    rng: Rng,
    image: Image,
    at: tuple[int, int],
    scale: float,
    ink: NDArray[np.float32],
    length: int,
    thickness: int,
) -> None:
    """Random characters; OpenCV 5 writes text only into 8-bit pictures, hence the mask."""
    text = "".join(chr(c) for c in rng.integers(48, 123, length))
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.putText(mask, text, at, int(rng.integers(0, 5)), scale, 255, thickness, cv2.LINE_AA)
    weight = mask[..., None] / np.float32(255)
    image[:] = image * (1 - weight) + np.asarray(ink, np.float32) * weight


def _wood(rng: Rng, size: int) -> Image:
    base = np.array([0.42, 0.22, 0.10], np.float32) * rng.uniform(0.2, 1.9)
    base = np.clip(base * np.exp(rng.normal(0, 0.12, 3)), 0.01, 0.9).astype(np.float32)
    if rng.random() < 0.3:
        base = (0.35 * base + 0.65 * base.mean() * rng.uniform(0.8, 1.6)).astype(np.float32)
    dark = base * rng.uniform(0.35, 0.92)
    grain = fractal(rng, size, rng.uniform(3, 16), 3, rng.uniform(8, 40))
    rings = 0.5 + 0.5 * np.sin(fractal(rng, size, rng.uniform(50, 220), 2, 3) * rng.uniform(8, 60))
    image = _mix(base, dark, np.clip(0.6 * grain + 0.5 * rings * rng.random(), 0, 1))
    if rng.random() < 0.5:
        width, y = int(rng.uniform(40, 260)), 0
        while y < size:
            image[y : y + width] *= rng.uniform(0.8, 1.2)
            image[y : y + int(rng.integers(1, 3))] *= 0.4
            y += width
    return image


def _felt(rng: Rng, size: int) -> Image:
    bases = [(0.03, 0.25, 0.08), (0.35, 0.03, 0.04), (0.03, 0.08, 0.3), (0.05, 0.05, 0.05)]
    base = np.array(bases[rng.integers(4)], np.float32) * rng.uniform(0.4, 2.2)
    fibre = rng.normal(1, rng.uniform(0.05, 0.4), (size, size)).astype(np.float32)
    fibre = cv2.GaussianBlur(fibre, (0, 0), rng.uniform(0.4, 1.6))
    return np.asarray(base * fibre[..., None] * (0.8 + 0.4 * smooth(rng, size, 90)[..., None]))


def _cork(rng: Rng, size: int) -> Image:
    weight = np.clip(
        (fractal(rng, size, rng.uniform(4, 16), 3) - 0.5) * rng.uniform(2, 6) + 0.5, 0, 1
    )
    light = np.array([0.5, 0.3, 0.15], np.float32) * rng.uniform(0.6, 1.3)
    return _mix(light, light * rng.uniform(0.25, 0.7), weight)


def _leather(rng: Rng, size: int) -> Image:
    ridges = np.abs(fractal(rng, size, rng.uniform(5, 22), 2) - 0.5) * 2
    base = color(rng, 0.02, 0.5)
    return _mix(base, base * rng.uniform(0.3, 1.6), np.clip(ridges * 2.2, 0, 1))


def _weave(rng: Rng, size: int) -> Image:
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    period = rng.uniform(3, 18)
    wave = 0.5 + 0.5 * np.sin(x * 6.283 / period) * np.sin(y * 6.283 / period)
    if rng.random() < 0.5:
        wave = (wave + 0.6 * rng.random((size, size)).astype(np.float32)) / 1.6
    shade = 0.75 + 0.5 * fractal(rng, size, 60, 3)
    return np.asarray(_mix(color(rng), color(rng), wave) * shade[..., None])


def _carpet(rng: Rng, size: int) -> Image:
    base = color(rng, 0.05, 0.6)
    tuft = fractal(rng, size, rng.uniform(3, 10), 2)
    shade = np.clip((tuft - 0.5) * rng.uniform(1, 4) + 0.7, 0.05, 1.4)
    return np.asarray(base * shade[..., None] * (0.8 + 0.4 * smooth(rng, size, 120)[..., None]))


def _plain(rng: Rng, size: int) -> Image:
    base = color(rng, 0.02, 0.85)
    if rng.random() < 0.45:  # white and grey desks are the most common plain table
        base = np.full(3, rng.uniform(0.25, 0.85), np.float32) * rng.uniform(0.93, 1.07, 3)
    shade = 0.93 + 0.14 * fractal(rng, size, rng.uniform(40, 250), 3)
    return np.asarray(base.astype(np.float32) * shade[..., None])


def _marble(rng: Rng, size: int) -> Image:
    field = fractal(rng, size, rng.uniform(40, 160), 5)
    vein = np.abs(np.sin(field * rng.uniform(5, 22))) ** rng.uniform(0.3, 3)
    return _mix(color(rng, 0.05), color(rng, 0.05), np.clip(vein, 0, 1))


def _stripes(rng: Rng, size: int) -> Image:
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    period = rng.uniform(8, 80)
    weight = ((x % period) > period * rng.uniform(0.2, 0.8)).astype(np.float32)
    if rng.random() < 0.5:
        weight = 0.5 * weight + 0.5 * ((y % period) > period / 2)
    return _mix(color(rng), color(rng), weight)


def _print(rng: Rng, size: int) -> Image:
    """A printed mat or game board: shapes, rings, lettering in many colours."""
    image = np.ones((size, size, 3), np.float32) * color(rng)
    for _ in range(int(rng.integers(5, 50))):
        ink = tuple(float(v) for v in color(rng))
        at = tuple(int(v) for v in rng.integers(0, size, 2))
        kind = rng.integers(0, 5)
        if kind == 0:
            corners = int(rng.integers(3, 7))
            angle = np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, 6)
            points = np.array(at) + np.c_[np.cos(angle), np.sin(angle)] * rng.uniform(8, size / 4)
            cv2.fillPoly(image, [points.astype(np.int32)], ink, cv2.LINE_AA)
        elif kind == 1:
            fill = -1 if rng.random() < 0.5 else int(rng.integers(1, 8))
            cv2.circle(image, at, int(rng.integers(2, size // 5)), ink, fill, cv2.LINE_AA)
        elif kind == 2:
            other = tuple(int(v) for v in rng.integers(0, size, 2))
            cv2.line(image, at, other, ink, int(rng.integers(1, 18)), cv2.LINE_AA)
        else:
            lettering(
                rng,
                image,
                at,
                rng.uniform(0.4, 3),
                np.array(ink),
                int(rng.integers(1, 9)),
                int(rng.integers(1, 6)),
            )
    return image


SURFACES: dict[str, tuple[float, Callable[[Rng, int], Image]]] = {
    "wood": (0.26, _wood),
    "felt": (0.12, _felt),
    "cork": (0.04, _cork),
    "leather": (0.07, _leather),
    "weave": (0.08, _weave),
    "carpet": (0.07, _carpet),
    "plain": (0.20, _plain),
    "marble": (0.05, _marble),
    "stripes": (0.05, _stripes),
    "print": (0.06, _print),
}


def surface(rng: Rng, size: int, name: str | None = None) -> tuple[str, Image]:
    """A random table top (of the kind `name`), turned by any angle; its kind and picture."""
    if name is None:
        names = list(SURFACES)
        weights = np.array([SURFACES[n][0] for n in names])
        name = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    image = SURFACES[name][1](rng, size)
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), 1.45)
    image = cv2.warpAffine(image, turn, (size, size), borderMode=cv2.BORDER_REFLECT)
    return name, np.clip(image, 0.004, 0.95).astype(np.float32)
