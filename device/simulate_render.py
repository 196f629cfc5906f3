"""Pictures of the simulated table: only what has changed since the frame before is rendered anew.

For every object the rectangle is known that it and its shadow can touch. An object that moved
makes its old and its new rectangle dirty; dirty rectangles are traced, the rest of the picture
stays. Sensor noise is laid over the finished picture.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from device.simulate_look import (
    CAMERA,
    CUP_HEIGHT_MM,
    CUP_RIM_MM,
    LIGHTS,
    build_scene,
    floor_picture,
    hand_capsules,
)
from device.simulate_table import DIE_MM, Floats, TableFrame
from models.lab.throwing_faces import Layout
from models.lab.tracer import render, to_srgb

Rectangle = tuple[int, int, int, int]

MARGIN_PX = 6
"""Traced around a dirty rectangle and thrown away: the tracer smooths light across its edge."""
NOISE_LEVELS = 1.3
"""Standard deviation of the sensor's noise in 8-bit levels: a webcam in a lit room."""
NOISE_FIELDS = 8


class TableRenderer:
    """Renders frames in order.

    Args:
        size_px: width and height.
        seed: of the mat's fibres and the noise.
        layouts: face values of each die.
        samples: rays per pixel.
    """

    def __init__(
        self,
        size_px: tuple[int, int],
        *,
        seed: int,
        layouts: Sequence[Layout],
        samples: int = 4,
    ) -> None:
        self._size, self._samples, self._layouts = size_px, samples, layouts
        self._floor = floor_picture(seed)
        self._rng = np.random.default_rng([seed, 2])
        shape = (NOISE_FIELDS, size_px[1], size_px[0], 3)
        noise = self._rng.normal(0, NOISE_LEVELS, shape)
        self._noise = np.round(noise).astype(np.int16)
        self._shown: dict[bytes, Rectangle] = {}
        self._picture = np.zeros((size_px[1], size_px[0], 3), np.uint8)
        self._trace(TableFrame(), (0, 0, *size_px))

    def picture(self, frame: TableFrame) -> NDArray[np.uint8]:
        """The next frame as (H, W, 3) uint8, BGR."""
        shown = self._rectangles(frame)
        dirty = [self._shown[key] for key in self._shown.keys() - shown.keys()]
        dirty += [shown[key] for key in shown.keys() - self._shown.keys()]
        for rectangle in merged(dirty):
            self._trace(frame, rectangle)
        self._shown = shown
        noise = self._noise[self._rng.integers(NOISE_FIELDS)]
        shift = (int(self._rng.integers(self._size[1])), int(self._rng.integers(self._size[0])))
        noisy = self._picture + np.roll(noise, shift, axis=(0, 1))
        return np.asarray(np.clip(noisy, 0, 255), np.uint8)

    def _trace(self, frame: TableFrame, rectangle: Rectangle) -> None:
        x0, y0, x1, y1 = rectangle
        wide = (
            max(0, x0 - MARGIN_PX),
            max(0, y0 - MARGIN_PX),
            min(self._size[0], x1 + MARGIN_PX),
            min(self._size[1], y1 + MARGIN_PX),
        )
        scene = build_scene(frame, self._floor, self._layouts)
        traced = render(scene, CAMERA, size_px=self._size, samples=self._samples, region=wide)
        inner = traced[y0 - wide[1] : y1 - wide[1], x0 - wide[0] : x1 - wide[0]]
        self._picture[y0:y1, x0:x1] = to_srgb(inner)

    def _rectangles(self, frame: TableFrame) -> dict[bytes, Rectangle]:
        """Every object of a frame, told apart by what it is and where, and what it touches."""
        found: dict[bytes, Rectangle | None] = {}
        for die in frame.dice:
            key = bytes([die.die]) + die.position_mm.tobytes() + die.rotation.tobytes()
            found[key] = self._touched(_ball(die.position_mm, DIE_MM * 0.87))
        if frame.cup is not None:
            cup = frame.cup
            reach = CUP_RIM_MM + 2
            corners = np.array(
                [(x * reach, y * reach, z) for x in (-1, 1) for y in (-1, 1)
                 for z in (0, CUP_HEIGHT_MM)]
            )  # fmt: skip
            points = cup.position_mm + corners @ cup.rotation.T
            found[b"c" + points.tobytes()] = self._touched(points)
        for limb in hand_capsules(frame.hand) if frame.hand is not None else []:
            ends = np.array([limb.a_mm, limb.b_mm])
            points = np.concatenate([_ball(end, limb.radius_mm) for end in ends])
            found[b"h" + points.tobytes()] = self._touched(points)
        return {key: touched for key, touched in found.items() if touched is not None}

    def _touched(self, points_mm: Floats) -> Rectangle | None:
        """Pixels that an object with this hull and its shadow may touch; None outside the view."""
        hull = [points_mm * np.array([1, 1, 0]), points_mm]
        for light in LIGHTS:
            for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
                lamp = np.add(light.position_mm, (dx * light.radius_mm, dy * light.radius_mm, 0))
                height = np.maximum(points_mm[:, 2:], 0)
                hull.append(points_mm + (points_mm - lamp) * height / (lamp[2] - height))
        pixels = CAMERA.project(np.concatenate(hull), self._size)
        low = np.maximum(np.floor(pixels.min(axis=0)) - 3, 0).astype(int)
        high = np.minimum(np.ceil(pixels.max(axis=0)) + 3, self._size).astype(int)
        if (low >= high).any():
            return None
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _ball(centre_mm: Floats, radius_mm: float) -> Floats:
    """The corners of the box around a ball, (8, 3)."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return np.asarray(centre_mm + signs * radius_mm)


def merged(rectangles: Sequence[Rectangle]) -> list[Rectangle]:
    """Unite rectangles that overlap until none do, so that no pixel is rendered twice."""
    result: list[Rectangle] = []
    for rectangle in rectangles:
        new = rectangle
        while (other := next((r for r in result if _overlap(r, new)), None)) is not None:
            result.remove(other)
            new = (
                min(new[0], other[0]),
                min(new[1], other[1]),
                max(new[2], other[2]),
                max(new[3], other[3]),
            )
        result.append(new)
    return result


def _overlap(a: Rectangle, b: Rectangle) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
