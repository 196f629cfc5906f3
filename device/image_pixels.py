"""From an opened picture to its pixels: 8-bit BGR, upright, in strips so that memory stays bounded.

Pillow keeps four bytes a pixel of the opened file. Converting it as a whole would add the same
again for every step; strip by strip it adds three bytes for every pixel of the result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Picture = NDArray[np.uint8]
"""(H, W, 3) uint8, BGR."""

STRIP_PIXELS = 1_000_000
"""Pixels of the file that are converted at a time."""

BEHIND_ALPHA = (128, 128, 128)
"""What shows through transparent pixels: neither a white nor a black die vanishes in it."""

EXIF_ORIENTATION = 0x0112


def to_bgr(image: Image.Image, *, shrink: int = 1) -> Picture:
    """The pixels of a picture of any mode; of several frames or pages the current one.

    Args:
        image: opened; grey, palette, 16-bit, floating, CMYK and transparent ones are converted.
        shrink: so many pixels of the file, per side, are averaged to one.

    Returns:
        (H, W, 3) uint8, BGR; sides are rounded up when the picture shrinks.

    Raises:
        OSError, ValueError: the file is cut short or damaged, or its mode is unknown.
    """
    image.load()  # some formats know mode and size for certain only now
    width, height = image.size
    pixels = np.empty((-(-height // shrink), -(-width // shrink), 3), np.uint8)
    full = _full_scale(image)
    rows = max(1, STRIP_PIXELS // (width * shrink)) * shrink
    for top in range(0, height, rows):
        strip = _rgb(image.crop((0, top, width, min(top + rows, height))), full)
        if shrink > 1:
            strip = strip.reduce(shrink)
        start = top // shrink
        pixels[start : start + strip.height] = np.asarray(strip, dtype=np.uint8)[:, :, ::-1]
    return pixels


def orientation(image: Image.Image) -> int:
    """How the camera was held, 1..8 as EXIF counts; 1 (upright) where that is not to be read."""
    try:
        return int(image.getexif().get(EXIF_ORIENTATION, 1))
    except Exception:  # a damaged block, and Pillow stumbles over it in many ways: upright
        return 1


def upright(pixels: Picture, exif_orientation: int) -> Picture:
    """Turn and mirror pixels as EXIF says.

    Args:
        pixels: (H, W, 3) uint8.
        exif_orientation: 1..8; any other number leaves the pixels as they are.

    Returns:
        (H, W, 3), or (W, H, 3) for 5 to 8; contiguous.

    Source: Exif 2.32 (CIPA DC-008-2019), section 4.6.4, tag Orientation.
    """
    turned = pixels.transpose(1, 0, 2) if exif_orientation in (5, 6, 7, 8) else pixels
    if exif_orientation in (3, 4, 7, 8):
        turned = turned[::-1]
    if exif_orientation in (2, 3, 6, 7):
        turned = turned[:, ::-1]
    return np.ascontiguousarray(turned)


def _rgb(strip: Image.Image, full: float) -> Image.Image:
    if full:
        values = np.nan_to_num(np.asarray(strip, dtype=np.float64) / full * 255)
        strip = Image.fromarray(values.clip(0, 255).astype(np.uint8))
    if strip.mode in ("LA", "PA", "RGBA", "La", "RGBa") or "transparency" in strip.info:
        rgba = strip.convert("RGBA")
        ground = Image.new("RGBA", rgba.size, (*BEHIND_ALPHA, 255))
        strip = Image.alpha_composite(ground, rgba)
    return strip.convert("RGB")


def _full_scale(image: Image.Image) -> float:
    """The value of white in a deep or floating grey picture; 0 for all others.

    16-bit files use the whole range; deeper or floating ones are stretched to what they hold.
    (Pillow's own conversion would clip them to white.)
    """
    if not image.mode.startswith(("I", "F")):
        return 0.0
    _, top = image.getextrema()
    if not isinstance(top, int | float):
        return 0.0
    return 65535.0 if image.mode.startswith("I") and 255 < top <= 65535 else max(top, 255.0)
