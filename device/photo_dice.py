"""Photographs as if they had been taken of other dice, to see whether the reader knows these, too.

Whoever has labelled photographs has them of a few makes of dice. The same pictures in other colours
and the other way round show others that may be bought: green and blue ones for red ones, black ones
with white pips for white ones with black pips, and dice whose pips run the other way round. What is
around the dice changes with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import cv2
import numpy as np

from device.photo_frames import Framed, Show
from vision.images import Image, to_uint8

NEXT_HUE, HUE_BEFORE = (1, 2, 0), (2, 0, 1)
"""Where blue, green and red come from: every hue a third of the circle further, greys as before."""


def _hued(picture: Image, channels: Sequence[int]) -> Framed:
    return Framed(np.ascontiguousarray(picture[..., list(channels)]))


def _negative(picture: Image) -> Framed:
    """Light for dark, each in its own hue."""
    hls = cv2.cvtColor(picture, cv2.COLOR_BGR2HLS_FULL)
    hls[..., 1] = 255 - hls[..., 1]
    return Framed(to_uint8(cv2.cvtColor(hls, cv2.COLOR_HLS2BGR_FULL)))


OTHER_DICE: Mapping[str, Show] = MappingProxyType(
    {
        "greened": lambda picture, _: _hued(picture, NEXT_HUE),
        "blued": lambda picture, _: _hued(picture, HUE_BEFORE),
        "negative": lambda picture, _: _negative(picture),
        "mirrored": lambda picture, _: Framed(to_uint8(cv2.flip(picture, 1)), mirrored=True),
    }
)
"""By name; labels do not matter here."""
