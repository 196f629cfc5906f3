"""What a camera or a pub's light may do to a photograph, to see whether the reader still knows.

A reader that is right on good photographs may be sure and wrong on bad ones. Every fault here is
one that a person would still read the dice through; it is the same every time, so that figures
can be compared. Sizes are relative to the picture's longer side, as photographs differ in size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image, to_uint8

Gains = tuple[float, float, float]
"""Light of blue, green and red, as a multiple of what there was."""

GAMMA = 2.2
"""8-bit levels are light to the power of 1 / this, nearly (IEC 61966-2-1)."""
SOFT = 0.0018
"""Standard deviation of the defocus / longer side: an eighth of a pip of a die of 60 px in 800."""
SHAKEN = 0.006
"""Length of the movement / longer side."""
GRAIN = 14.0
"""Standard deviation of the noise, 8-bit levels."""
JPEG_QUALITY = 12
HAZE, HAZE_LEVEL = 0.45, 153.0
"""What a dirty lens leaves of the contrast, and the grey that it lays over the rest."""
SHADOW = 0.3
"""Light that is left where somebody's shadow lies."""


def _lit(picture: Image, gains: Gains) -> Image:
    """In another light: 8-bit levels through linear light and back, clipped as a sensor clips."""
    linear = (np.arange(256) / 255) ** GAMMA
    levels = (np.clip(np.outer(linear, gains), 0, 1) ** (1 / GAMMA) * 255).round()
    return to_uint8(cv2.LUT(picture, to_uint8(levels).reshape(1, 256, 3)))


def _grainy(picture: Image, deviation: float) -> Image:
    rng = np.random.default_rng(picture.shape[0] * picture.shape[1])
    noise = rng.standard_normal(picture.shape, np.float32) * deviation
    return to_uint8(np.clip(picture + noise, 0, 255).round())


def _dark(picture: Image) -> Image:
    return _grainy(_lit(picture, (0.2, 0.2, 0.2)), GRAIN / 3)


def _soft(picture: Image) -> Image:
    return to_uint8(cv2.GaussianBlur(picture, (0, 0), SOFT * max(picture.shape)))


def _shaken(picture: Image) -> Image:
    length = max(3, round(SHAKEN * max(picture.shape)))
    kernel: NDArray[np.float32] = np.eye(length, dtype=np.float32) / length
    return to_uint8(cv2.filter2D(picture, -1, kernel))


def _grey(picture: Image) -> Image:
    return to_uint8(cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))


def _squeezed(picture: Image) -> Image:
    _, file = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return to_uint8(cv2.imdecode(file, cv2.IMREAD_COLOR))


def _hazy(picture: Image) -> Image:
    levels = (np.arange(256) * HAZE + HAZE_LEVEL * (1 - HAZE)).round()
    return to_uint8(cv2.LUT(picture, to_uint8(levels)))


def _shadow(picture: Image) -> Image:
    """A hard shadow over the upper right half."""
    height, width = picture.shape[:2]
    y, x = np.ogrid[0:height, 0:width]
    shaded = (x * height > y * width)[..., None]
    return np.where(shaded, _lit(picture, (SHADOW, SHADOW, SHADOW)), picture)


FAULTS: Mapping[str, Callable[[Image], Image]] = MappingProxyType(
    {
        "dark": _dark,
        "bright": lambda picture: _lit(picture, (2.5, 2.5, 2.5)),
        "warm": lambda picture: _lit(picture, (0.45, 0.9, 1.3)),
        "cold": lambda picture: _lit(picture, (1.4, 1.0, 0.6)),
        "grey": _grey,
        "soft": _soft,
        "shaken": _shaken,
        "grainy": lambda picture: _grainy(picture, GRAIN),
        "squeezed": _squeezed,
        "hazy": _hazy,
        "shadow": _shadow,
    }
)
"""Name to what it makes of a picture: (H, W, 3) uint8 BGR to the same."""
AS_IT_IS = "as it is"
"""What stands for none of them."""


def spoilt(picture: Image, fault: str) -> Image:
    """The picture as that fault makes it.

    Args:
        picture: (H, W, 3) uint8 BGR; left alone.
        fault: one of `FAULTS`, or `AS_IT_IS`.
    """
    return picture if fault == AS_IT_IS else FAULTS[fault](picture)
