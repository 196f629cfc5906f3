"""One confirmed die as it might have lain: turned, shifted, nearer, in other light."""

from collections.abc import Iterable

import cv2
import numpy as np

from vision.crops import CROP_MARGIN, CROP_PX, DEALT_CHANNELS, cut_crop, four_views
from vision.images import Image, to_uint8

LARGE_MARGIN = 2.0
LARGE_PX = 96
"""A larger cut, about as fine as a crop, out of which turned crops are taken."""

ZOOM = 0.10
SHIFT = 0.06
GAIN = 0.25
CAST = 0.06
"""Widths of the changes: log of the scale, share of a crop's side, log of the brightness, log of
each channel. Half of what training shows: the table's camera and lamp stay where they are."""


def die_pictures(
    image_bgr: Image, box: Iterable[float], *, varied: int, rng: np.random.Generator
) -> Image:
    """A die as reading sees it, and changed.

    Args:
        image_bgr: (H, W, 3) uint8.
        box: left, top, right, bottom in pixels.
        varied: how many changed crops.
        rng: source of the changes.

    Returns:
        (4 + varied, 64, 64, 3) uint8: `vision.crops.four_views` first.
    """
    sides = tuple(box)
    exact = four_views(cut_crop(image_bgr, sides)[None])
    large = cut_crop(image_bgr, sides, margin=LARGE_MARGIN, size_px=LARGE_PX)
    return np.concatenate([exact, *(_changed(large, rng)[None] for _ in range(varied))])


def _changed(large: Image, rng: np.random.Generator) -> Image:
    zoom = LARGE_MARGIN / CROP_MARGIN * CROP_PX / LARGE_PX * float(np.exp(rng.uniform(-ZOOM, ZOOM)))
    middle = (LARGE_PX - 1) / 2
    turn = np.asarray(
        cv2.getRotationMatrix2D((middle, middle), float(rng.uniform(0, 360)), zoom), np.float64
    )
    turn[:, 2] += (CROP_PX - 1) / 2 - middle + rng.uniform(-SHIFT, SHIFT, 2) * CROP_PX
    crop = cv2.warpAffine(
        large, turn, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    crop = crop[..., DEALT_CHANNELS[int(rng.integers(len(DEALT_CHANNELS)))]]
    light = np.exp(rng.uniform(-GAIN, GAIN) + rng.uniform(-CAST, CAST, 3))
    return to_uint8(np.clip(crop * light, 0, 255))
