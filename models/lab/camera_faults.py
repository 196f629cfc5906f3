"""What a cheap camera and a pub's light do to a picture.

`develop` spoils one picture. `Film` spoils any number of pictures of one scene alike, as a camera
does that stays where it is: only the grain differs from frame to frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .tracer import to_srgb

Rng = np.random.Generator


@dataclass(frozen=True)
class Character:
    """How one camera in one light spoils every picture; 0 or None where it does not.

    Attributes:
        slope: change of brightness across the width and the height, as a share.
        vignette: darkening at the corners, 0..0.9.
        shadow: angle (rad), place (share of the picture), steepness and depth of a shadow's edge.
        exposure: where the 60th percentile of the light comes to lie, 0..1 linear.
        balance: gain of red, green and blue.
        shoulder: how softly highlights end, 0..1.
        blur_px: standard deviation of defocus, pixels of the rendered picture.
        shake: length, both ends and direction of a motion blur, pixels.
        zoom: share of the pixels that the sensor really has.
        halo: strength of sharpening.
        grain: standard deviation of the noise in black, 8-bit levels / 0.4.
        grain_channels: 3: coloured, 1: grey.
        soft_grain: the noise is smeared, as by compression.
        contrast: of the finished picture.
        saturation: of the finished picture.
    """

    slope: tuple[float, float]
    vignette: float
    shadow: tuple[float, float, float, float] | None
    exposure: float
    balance: tuple[float, float, float]
    shoulder: float
    blur_px: float
    shake: tuple[int, int, int, bool] | None
    zoom: float
    halo: float
    grain: float
    grain_channels: int
    soft_grain: bool
    contrast: float
    saturation: float


def _draw(rng: Rng, size_px: tuple[int, int] | None) -> tuple[Character, NDArray[np.float64]]:
    """A random character, and one picture's grain where a size is given.

    The order of the draws is that of the published sets: the grain comes before the last three.
    """
    facts = {
        "slope": (rng.normal(0, 0.25), rng.normal(0, 0.25)),
        "vignette": rng.uniform(0, 0.9) if rng.random() < 0.4 else 0.0,
        # somebody's shadow, or a spot lamp
        "shadow": (
            rng.uniform(0, 6.28), rng.uniform(-0.3, 0.3),
            rng.uniform(10, 120), rng.uniform(0.2, 0.7),
        ) if rng.random() < 0.15 else None,
        "exposure": float(np.exp(rng.uniform(np.log(0.07), np.log(0.6)))),
        "balance": tuple(np.exp(rng.normal(0, 0.12, 3)).tolist()),
        "shoulder": rng.random(),
        "blur_px": (
            float(np.exp(rng.uniform(np.log(0.35), np.log(1.7)))) if rng.random() < 0.4 else 0.0
        ),
        "shake": _shake(rng) if rng.random() < 0.12 else None,
        # a soft lens or a digital zoom
        "zoom": rng.uniform(0.45, 0.9) if rng.random() < 0.2 else 1.0,
        "halo": rng.uniform(0.3, 1.8) if rng.random() < 0.3 else 0.0,
    }  # fmt: skip
    grain, channels, soft, field = 0.0, 1, False, np.zeros((1, 1, 1))
    if rng.random() < 0.75:
        grain = float(np.exp(rng.uniform(np.log(0.7), np.log(11))))
        channels = 3 if rng.random() < 0.6 else 1
        if size_px is not None:
            field = rng.normal(0, grain, (size_px[1], size_px[0], channels))
        soft = rng.random() < 0.4
    character = Character(
        **facts,
        grain=grain,
        grain_channels=channels,
        soft_grain=soft,
        contrast=rng.uniform(0.6, 1.35) if rng.random() < 0.25 else 1.0,
        saturation=rng.uniform(0, 1.6) if rng.random() < 0.25 else 1.0,
    )
    return character, field


def _shake(rng: Rng) -> tuple[int, int, int, bool]:
    n = int(rng.integers(3, 8))
    return n, int(rng.integers(0, n)), int(rng.integers(0, n)), bool(rng.random() >= 0.5)


def random_character(rng: Rng) -> Character:
    """A random camera."""
    return _draw(rng, None)[0]


def flickering(rng: Rng, linear: NDArray[np.float32]) -> NDArray[np.float32]:
    """Bands of a lamp on alternating current, seen by a shutter that rolls over the picture.

    A lamp at 50 Hz dims a hundred times a second; reading out all rows takes 8 to 40 ms.
    """
    bands, phase = rng.uniform(0.8, 4.0), rng.uniform(0, 2 * np.pi)
    wave = np.sin(2 * np.pi * bands * np.linspace(0, 1, len(linear)) + phase)
    gain = 1 + rng.uniform(0.05, 0.5) * wave
    return np.asarray(linear * gain[:, None, None], np.float32)


def light_level(linear: NDArray[np.float32]) -> float:
    """What the exposure goes by: the 60th percentile of the light."""
    return float(np.percentile(linear, 60)) + 1e-3


def _light_falloff(character: Character, image: NDArray[np.float32]) -> NDArray[np.float32]:
    h, w = image.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    y, x = y / h - 0.5, x / w - 0.5
    gain = 1 + character.slope[0] * x + character.slope[1] * y
    if character.vignette:
        gain = gain * (1 - character.vignette * (x * x + y * y))
    if character.shadow:
        angle, at, steep, depth = character.shadow
        edge = 1 / (1 + np.exp(-(x * np.cos(angle) + y * np.sin(angle) - at) * steep))
        gain = gain * (1 - depth * edge)
    return np.asarray(image * np.clip(gain, 0.05, 3)[..., None], np.float32)


def _blur(character: Character, image: NDArray[np.float32]) -> NDArray[np.float32]:
    if character.blur_px:
        image = cv2.GaussianBlur(image, (0, 0), character.blur_px)
    if character.shake:
        n, start, end, upright = character.shake
        kernel = np.zeros((n, n), np.float32)
        cv2.line(kernel, (0, start), (n - 1, end), 1.0)
        image = cv2.filter2D(image, -1, (kernel.T if upright else kernel) / kernel.sum())
    return np.asarray(image, np.float32)


class Film:
    """One scene as one camera sees it again and again.

    Args:
        character: the camera's.
        linear: (h, w, 3) rendered picture, linear RGB.
        size_px: (width, height) of the frames.
        level: light that the exposure goes by; None: that of this picture. Name one to show
            several scenes with a camera that does not adapt.
    """

    def __init__(
        self,
        character: Character,
        linear: NDArray[np.float32],
        size_px: tuple[int, int],
        *,
        level: float | None = None,
    ) -> None:
        self._character = character
        image = _light_falloff(character, linear)
        image = image * (character.exposure / (light_level(image) if level is None else level))
        image = image * np.array(character.balance).astype(np.float32)
        image = np.clip(image / (1 + 0.25 * image * character.shoulder), 0, 1).astype(np.float32)
        picture = to_srgb(_blur(character, image)).astype(np.float32)
        h, w = picture.shape[:2]
        if (w, h) != size_px:
            picture = cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA)
        if character.zoom != 1.0:
            k = character.zoom
            small = cv2.resize(picture, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
            picture = cv2.resize(small, size_px, interpolation=cv2.INTER_CUBIC)
        if character.halo:
            soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
            picture = picture + (picture - soft) * character.halo
        self._picture = picture

    def frame(self, rng: Rng) -> NDArray[np.uint8]:
        """The next frame, (H, W, 3) 8-bit BGR; `rng` gives its grain."""
        character = self._character
        shape = (*self._picture.shape[:2], character.grain_channels)
        field = rng.normal(0, character.grain, shape) if character.grain else np.zeros((1, 1, 1))
        return self.with_grain(field)

    def with_grain(self, field: NDArray[np.float64]) -> NDArray[np.uint8]:
        """A frame with a given grain: (H, W, 1 or 3) with the character's deviation."""
        character, picture = self._character, self._picture
        if character.grain:
            if character.soft_grain:
                field = cv2.GaussianBlur(field, (0, 0), 0.7).reshape(*picture.shape[:2], -1) * 2
            picture = picture + field * (0.4 + picture / 255)
        if character.contrast != 1.0:
            picture = (picture - 128) * character.contrast + 128
        if character.saturation != 1.0:
            grey = picture.mean(axis=2, keepdims=True)
            picture = grey + (picture - grey) * character.saturation
        return np.clip(picture, 0, 255).astype(np.uint8)


def develop(rng: Rng, linear: NDArray[np.float32], size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """A rendered picture (linear RGB) as a camera would store it (8-bit BGR, `size_px`)."""
    character, field = _draw(rng, size_px)
    return Film(character, linear, size_px).with_grain(field)
