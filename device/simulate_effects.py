"""What light and camera do to the simulated table's pictures, over time.

An effect says how much brighter or darker every place is at a moment (a factor of linear light),
where the camera looks, or how grainy its pictures are. Effects take the time and nothing else, so
that the same seed gives the same clip.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Gain = NDArray[np.float32]
"""Factors of linear light that broadcast to (H, W, 3), BGR."""
GAMMA = 2.2
COARSE_PX = 16
"""Soft gains are worked out on a grid so much coarser than the picture."""
LONG_S = 7200.0


class Effect(Protocol):
    """What changes the light of a picture."""

    def gain(self, t_s: float, size_px: tuple[int, int]) -> Gain | None:
        """Factors at a moment; None: nothing changes."""


@dataclass(frozen=True)
class Visits:
    """Times at which something is there: begins one after the other, each for a while.

    Attributes:
        begins_s: when.
        length_s: for how long.
        fade_s: it comes and goes in this time.
    """

    begins_s: NDArray[np.float64]
    length_s: NDArray[np.float64]
    fade_s: float

    @classmethod
    def drawn(
        cls, rng: np.random.Generator, *, every_s: tuple[float, float],
        length_s: tuple[float, float], fade_s: float,
    ) -> Visits:  # fmt: skip
        """Draw pauses and lengths."""
        count = int(LONG_S / (every_s[0] + length_s[0]))
        lengths, pauses = rng.uniform(*length_s, count), rng.uniform(*every_s, count)
        return cls(np.cumsum(pauses + lengths) - lengths, lengths, fade_s)

    def share(self, t_s: float) -> tuple[int, float]:
        """Which visit is the newest, and how much of it is there, 0 to 1."""
        at = int(np.searchsorted(self.begins_s, t_s, side="right")) - 1
        if at < 0:
            return 0, 0.0
        since, left = t_s - self.begins_s[at], self.begins_s[at] + self.length_s[at] - t_s
        share = float(np.clip(min(since, left) / self.fade_s, 0, 1))
        return at, share * share * (3 - 2 * share)


@dataclass
class Shadow:
    """People lean over the table: a soft edge comes in from one side and goes again."""

    rng: np.random.Generator
    _visits: Visits = field(init=False)
    _angles: NDArray[np.float64] = field(init=False)
    _depths: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self._visits = Visits.drawn(self.rng, every_s=(2, 7), length_s=(2, 6), fade_s=0.9)
        count = len(self._visits.begins_s)
        self._angles = self.rng.uniform(0, 2 * np.pi, count)
        self._depths = self.rng.uniform(0.3, 0.65, count)

    def gain(self, t_s: float, size_px: tuple[int, int]) -> Gain | None:
        """A half plane with a soft edge, darker by the visit's depth."""
        at, share = self._visits.share(t_s)
        if not share:
            return None
        x, y = _grid(size_px)
        along = x * np.cos(self._angles[at]) + y * np.sin(self._angles[at])
        edge = 1 / (1 + np.exp(-(along + 1.1 - 1.2 * share) * 9))
        return _fine(1 - self._depths[at] * (1 - edge), size_px)


@dataclass
class Television:
    """A screen on the wall: coloured light from one side that changes with every cut."""

    rng: np.random.Generator

    def __post_init__(self) -> None:
        self._cuts_s = np.cumsum(self.rng.uniform(0.4, 4.0, 4000))
        self._tints = np.exp(self.rng.normal(0, 0.35, (4000, 3))) * np.array([1.3, 1.0, 0.75])
        self._levels = self.rng.uniform(0.02, 0.30, 4000)
        self._angle = float(self.rng.uniform(0, 2 * np.pi))

    def gain(self, t_s: float, size_px: tuple[int, int]) -> Gain | None:
        """Light that falls off across the table."""
        at = min(int(np.searchsorted(self._cuts_s, t_s)), len(self._levels) - 1)
        x, y = _grid(size_px)
        near = 1 + 0.7 * (x * np.cos(self._angle) + y * np.sin(self._angle))
        added = self._levels[at] * near[..., None] * self._tints[at]
        return _fine(1 + added, size_px)


@dataclass
class Flicker:
    """A lamp at 50 Hz dims a hundred times a second; a rolling shutter makes bands of it."""

    rng: np.random.Generator
    mains_hz: float = 50.0

    def __post_init__(self) -> None:
        self._depth = float(self.rng.uniform(0.04, 0.14))
        self._readout_s = float(self.rng.uniform(0.012, 0.030))
        # Mains and sensor are never quite in step: the bands wander.
        self._hz = 2 * self.mains_hz * (1 + float(self.rng.uniform(-0.004, 0.004)))

    def gain(self, t_s: float, size_px: tuple[int, int]) -> Gain | None:
        """Bands across the picture."""
        rows_s = t_s + self._readout_s * np.linspace(0, 1, size_px[1])
        wave = 1 + self._depth * np.sin(2 * np.pi * self._hz * rows_s)
        return wave.astype(np.float32)[:, None, None]


@dataclass
class Exposure:
    """A camera that has not locked its exposure hunts for it."""

    rng: np.random.Generator
    _visits: Visits = field(init=False)

    def __post_init__(self) -> None:
        self._visits = Visits.drawn(self.rng, every_s=(2, 6), length_s=(1.5, 5), fade_s=0.6)
        self._logs = self.rng.uniform(-0.65, 0.55, len(self._visits.begins_s))

    def gain(self, t_s: float, size_px: tuple[int, int]) -> Gain | None:
        """One factor for all of the picture."""
        at, share = self._visits.share(t_s)
        return np.full((1, 1, 1), np.exp(self._logs[at] * share), np.float32) if share else None


@dataclass
class Bumps:
    """Somebody knocks against the camera's stand: it swings, and does not come back quite.

    Attributes:
        rng: all chance.
        px_per_mm: of the picture.
    """

    rng: np.random.Generator
    px_per_mm: float

    def __post_init__(self) -> None:
        self._at_s = np.cumsum(self.rng.uniform(9.0, 40.0, 200))
        self._stays_mm = self.rng.normal(0, 3.0, (200, 2))
        self._turns_rad = self.rng.normal(0, 0.006, 200)
        self._swing_mm = self.rng.uniform(3, 14, 200)
        self._hz = self.rng.uniform(3, 6, 200)

    def warp(self, t_s: float, size_px: tuple[int, int]) -> NDArray[np.float32] | None:
        """(2, 3) from where the camera looked at first to where it looks now; None: the same."""
        at = int(np.searchsorted(self._at_s, t_s, side="right"))
        if not at:
            return None
        since = t_s - self._at_s[at - 1]
        swing = self._swing_mm[at - 1] * np.exp(-since / 0.25)
        # It is pushed back and forth, not farther and farther: what stays is that of the last one.
        shift = self._stays_mm[at - 1] + swing * np.sin(2 * np.pi * self._hz[at - 1] * since)
        middle = (size_px[0] / 2, size_px[1] / 2)
        matrix = cv2.getRotationMatrix2D(middle, float(np.degrees(self._turns_rad[at - 1])), 1.0)
        matrix[:, 2] += shift * self.px_per_mm
        return np.asarray(matrix, np.float32)


def applied(picture: NDArray[np.uint8], gains: list[Gain]) -> NDArray[np.float32]:
    """A picture (H, W, 3) uint8 in other light, float32, not clipped yet."""
    product: Gain | float = 1.0
    for gain in gains:
        product = product * gain
    factor = np.asarray(product, np.float32) ** np.float32(1 / GAMMA)
    return np.asarray(picture * factor, np.float32)


def _grid(size_px: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coordinates of -1 to 1 across the picture, coarsely."""
    width, height = (max(2, side // COARSE_PX) for side in size_px)
    y, x = np.mgrid[0:height, 0:width]
    return x / (width - 1) * 2 - 1, y / (height - 1) * 2 - 1


def _fine(coarse: NDArray[np.float64], size_px: tuple[int, int]) -> Gain:
    fine = cv2.resize(coarse.astype(np.float32), size_px, interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine if fine.ndim == 3 else fine[..., None], np.float32)
