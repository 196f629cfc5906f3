"""Pictures of the simulated table: only what has changed since the frame before is rendered anew.

For every object the rectangle is known that it and its shadow can touch. An object that moved
makes its old and its new rectangle dirty; dirty rectangles are traced, the rest of the picture
stays. Light, blur, shake and noise (`device.simulate_effects`) are laid over the finished picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulate_effects import Bumps, Effect, applied
from device.simulate_look import (
    CUP_HEIGHT_MM,
    CUP_RIM_MM,
    Look,
    build_scene,
    camera_of,
    floor_picture,
    hand_capsules,
)
from device.simulate_table import DIE_MM, Floats, TableFrame
from device.simulate_things import hull_of
from models.lab.tracer import bare_table, render, to_srgb

Rectangle = tuple[int, int, int, int]
Picture = NDArray[np.uint8] | NDArray[np.float32]

MARGIN_PX = 6
"""Traced around a dirty rectangle and thrown away: the tracer smooths light across its edge."""
NOISE_LEVELS = 1.3
"""Standard deviation of the sensor's noise in 8-bit levels: a webcam in a lit room."""
NOISE_FIELDS = 8
CHANGED_LEVELS = 6
"""Pixels that differ by more from the frame before show what moves."""


@dataclass(frozen=True)
class CameraFaults:
    """How the camera spoils its pictures.

    Attributes:
        effects: changes of light.
        bumps: knocks against it; None: it hangs still.
        noise_levels: standard deviation of the noise, 8-bit levels.
        open_share: for this share of a frame's time its shutter is open: what moves is blurred.
    """

    effects: Sequence[Effect] = ()
    bumps: Bumps | None = None
    noise_levels: float = NOISE_LEVELS
    open_share: float = 0.0


@dataclass(frozen=True, eq=False)
class _Thing:
    """One thing in a frame: the pixels that it and its shadow may touch, and where it is."""

    touched: Rectangle | None
    middle: Floats
    key: bytes


class TableRenderer:
    """Renders frames in order.

    Args:
        size_px: width and height.
        seed: of the mat's fibres and the noise.
        look: how the table looks.
        faults: the camera's.
        samples: rays per pixel.
    """

    def __init__(
        self,
        size_px: tuple[int, int],
        *,
        seed: int,
        look: Look,
        faults: CameraFaults | None = None,
        samples: int = 2,
    ) -> None:
        self._size, self._samples, self._look = size_px, samples, look
        self._faults = faults or CameraFaults()
        self._camera = camera_of(look.plan)
        self._floor = floor_picture(seed, look.plan)
        self._rng = np.random.default_rng([seed, 2])
        shape = (NOISE_FIELDS, size_px[1], size_px[0], 3)
        noise = self._rng.normal(0, self._faults.noise_levels, shape)
        self._noise = np.round(noise).astype(np.int16)
        self._shown: dict[bytes, Rectangle] = {}
        self._middles: dict[str, Floats] = {}
        self._picture = np.zeros((size_px[1], size_px[0], 3), np.uint8)
        table = build_scene(TableFrame(), self._floor, look)
        self._bare = bare_table(table, self._camera, size_px=size_px, samples=samples)
        self._trace(TableFrame(), (0, 0, *size_px))

    def picture(self, frame: TableFrame, t_s: float = 0.0) -> NDArray[np.uint8]:
        """The next frame, taken at `t_s`, as (H, W, 3) uint8, BGR."""
        found = dict(self._things(frame))
        shown = {thing.key: thing.touched for thing in found.values() if thing.touched is not None}
        dirty = [self._shown[key] for key in self._shown.keys() - shown.keys()]
        dirty += [shown[key] for key in shown.keys() - self._shown.keys()]
        before = self._picture.copy() if self._faults.open_share else self._picture
        for rectangle in merged(dirty):
            self._trace(frame, rectangle)
        self._shown = shown
        clean = self._blurred(before, found) if self._faults.open_share else self._picture
        self._middles = {name: thing.middle for name, thing in found.items()}
        return self._developed(clean, t_s)

    def _developed(self, clean: NDArray[np.uint8], t_s: float) -> NDArray[np.uint8]:
        """What the camera makes of a clean picture."""
        faults = self._faults
        gains = [gain for e in faults.effects if (gain := e.gain(t_s, self._size)) is not None]
        lit: Picture = applied(clean, gains) if gains else clean
        warp = faults.bumps.warp(t_s, self._size) if faults.bumps is not None else None
        if warp is not None:
            turned = cv2.warpAffine(lit, warp, self._size, borderMode=cv2.BORDER_REPLICATE)
            lit = np.asarray(turned, np.float32)
        noise = self._noise[self._rng.integers(NOISE_FIELDS)]
        shift = (int(self._rng.integers(self._size[1])), int(self._rng.integers(self._size[0])))
        noisy = lit + np.roll(noise, shift, axis=(0, 1))
        return np.asarray(np.clip(noisy, 0, 255), np.uint8)

    def _blurred(self, before: NDArray[np.uint8], found: dict[str, _Thing]) -> NDArray[np.uint8]:
        """What has moved since the frame before is smeared along its way."""
        picture = self._picture.copy()
        for name, thing in found.items():
            old = self._middles.get(name)
            if old is None or thing.touched is None:
                continue
            way = (thing.middle - old) * self._faults.open_share
            length = int(np.ceil(np.abs(way).max()))
            if length < 2:
                continue
            size = 2 * (length // 2) + 1
            kernel = np.zeros((size, size), np.float32)
            ends = [(size // 2 + sign * way / 2).round().astype(int) for sign in (-1, 1)]
            cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), 1.0)
            x0, y0, x1, y1 = thing.touched
            now, then = self._picture[y0:y1, x0:x1], before[y0:y1, x0:x1]
            moved = (cv2.absdiff(now, then).max(axis=2) > CHANGED_LEVELS).astype(np.uint8)
            mask = cv2.dilate(moved, np.ones((size, size), np.uint8))[..., None]
            smeared = cv2.filter2D(picture[y0:y1, x0:x1], -1, kernel / kernel.sum())
            picture[y0:y1, x0:x1] = np.where(mask > 0, smeared, picture[y0:y1, x0:x1])
        return picture

    def _trace(self, frame: TableFrame, rectangle: Rectangle) -> None:
        x0, y0, x1, y1 = rectangle
        wide = (
            max(0, x0 - MARGIN_PX),
            max(0, y0 - MARGIN_PX),
            min(self._size[0], x1 + MARGIN_PX),
            min(self._size[1], y1 + MARGIN_PX),
        )
        scene = build_scene(frame, self._floor, self._look)
        traced = render(
            scene,
            self._camera,
            size_px=self._size,
            samples=self._samples,
            region=wide,
            bare=self._bare,
        )
        inner = traced[y0 - wide[1] : y1 - wide[1], x0 - wide[0] : x1 - wide[0]]
        self._picture[y0:y1, x0:x1] = to_srgb(inner)

    def _things(self, frame: TableFrame) -> Iterator[tuple[str, _Thing]]:
        """Every thing of a frame by a name that it keeps, with what it touches."""
        for die in frame.dice:
            points = _ball(die.position_mm, DIE_MM * 0.87)
            key = die.position_mm.tobytes() + die.rotation.tobytes()
            yield f"die {die.die}", self._thing(points, bytes([die.die]) + key)
        for number, cup in enumerate(frame.cups):
            reach = CUP_RIM_MM + 2
            corners = np.array(
                [(x * reach, y * reach, z) for x in (-1, 1) for y in (-1, 1)
                 for z in (0, CUP_HEIGHT_MM)]
            )  # fmt: skip
            points = cup.position_mm + corners @ cup.rotation.T
            yield f"cup {number}", self._thing(points, b"c" + points.tobytes())
        for turn, hand in enumerate(frame.hands):
            for number, limb in enumerate(hand_capsules(hand)):
                ends = np.array([limb.a_mm, limb.b_mm])
                points = np.concatenate([_ball(end, limb.radius_mm) for end in ends])
                name = f"hand {turn} of {hand.seat}: {number}"
                yield name, self._thing(points, b"h" + points.tobytes())
        for number, thing in enumerate(frame.things):
            points = hull_of(thing)
            key = thing.kind.encode() + points.tobytes()
            yield f"{thing.kind} {number}", self._thing(points, key)

    def _thing(self, points_mm: Floats, key: bytes) -> _Thing:
        middle = self._camera.project(points_mm.mean(axis=0, keepdims=True), self._size)[0]
        return _Thing(self._touched(points_mm), middle, key)

    def _touched(self, points_mm: Floats) -> Rectangle | None:
        """Pixels that an object with this hull and its shadow may touch; None outside the view."""
        hull = [points_mm * np.array([1, 1, 0]), points_mm]
        for light in self._look.lights:
            for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
                lamp = np.add(light.position_mm, (dx * light.radius_mm, dy * light.radius_mm, 0))
                height = np.maximum(points_mm[:, 2:], 0)
                hull.append(points_mm + (points_mm - lamp) * height / (lamp[2] - height))
        pixels = self._camera.project(np.concatenate(hull), self._size)
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
