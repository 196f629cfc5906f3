"""Photographs as the eye sees them: any common format, turned upright, 8-bit BGR.

Pillow reads and OpenCV only gets the pixels, because Pillow says when a file is cut short where
OpenCV hands out a picture that is half grey.
"""

from __future__ import annotations

import glob
import warnings
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from device.errors import SchockaugeError, SourceError

Picture = NDArray[np.uint8]
"""(H, W, 3) uint8, BGR."""

IMAGE_SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})

MAX_PIXELS = 200_000_000
"""Largest photograph that is opened; more would fill the memory of a small appliance."""

JPEG_QUALITY = 90
"""Of pictures that are written: a die's pips keep their edges, a mat takes about 100 kB."""

BEHIND_ALPHA = (128, 128, 128)
"""What shows through transparent pixels: neither a white nor a black die vanishes in it."""


def load_image(path: Path) -> Picture:
    """Read one photograph, turned as its EXIF orientation says.

    Args:
        path: a JPEG, PNG, WebP, TIFF or BMP file; grey, palette, 16-bit, CMYK and transparent
            pictures are converted.

    Returns:
        (H, W, 3) uint8, BGR.

    Raises:
        SourceError: missing, no picture, cut short, or too large.
    """
    try:
        with warnings.catch_warnings():
            # Odd EXIF blocks are not worth a word; the size is checked below, by our own limit.
            warnings.simplefilter("ignore")
            with Image.open(path) as opened:
                width, height = opened.size
                if width * height > MAX_PIXELS:
                    raise SourceError(
                        f"{path} has {width} x {height} pixels, more than the {MAX_PIXELS} that "
                        "are read. Scale it down first."
                    )
                return _bgr(ImageOps.exif_transpose(opened))
    except FileNotFoundError as error:
        raise SourceError(f"{path} does not exist.") from error
    except UnidentifiedImageError as error:
        raise SourceError(
            f"{path} is no picture that can be read; expected JPEG, PNG, WebP, TIFF or BMP."
        ) from error
    except SourceError:
        raise
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error


def jpeg(image_bgr: Picture, *, quality: int = JPEG_QUALITY) -> bytes:
    """Encode a picture.

    Args:
        image_bgr: (H, W, 3) uint8.
        quality: 1..100.

    Raises:
        SchockaugeError: it has no pixels or is larger than JPEG allows.
    """
    try:
        done, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    except cv2.error as error:
        raise SchockaugeError(f"A picture of {image_bgr.shape} cannot be encoded.") from error
    if not done:
        raise SchockaugeError(f"A picture of {image_bgr.shape} cannot be encoded as JPEG.")
    return data.tobytes()


def write_jpeg(path: Path, image_bgr: Picture) -> None:
    """Write a picture.

    Raises:
        SchockaugeError: it cannot be encoded, or the disk does not take it.
    """
    data = jpeg(image_bgr)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise SchockaugeError(f"{path} cannot be written: {error.strerror}.") from error


def list_images(words: Iterable[str]) -> list[Path]:
    """Turn files, folders and glob patterns into files, in the order given.

    A folder stands for the pictures in it, sorted by name. A name that does not exist stays in
    the list, so that the reader reports it beside the others.

    Raises:
        SourceError: a folder without a picture, or a pattern that fits nothing.
    """
    found: list[Path] = []
    for word in words:
        path = Path(word)
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in IMAGE_SUFFIXES)
            if not inside:
                kinds = ", ".join(sorted(IMAGE_SUFFIXES))
                raise SourceError(f"The folder {path} holds no picture ({kinds}).")
            found += inside
        elif glob.has_magic(word) and not path.exists():
            fitting = sorted(glob.glob(word, recursive=True))  # noqa: PTH207 - absolute patterns
            if not fitting:
                raise SourceError(f"No file fits the pattern {word!r}.")
            found += (Path(name) for name in fitting)
        else:
            found.append(path)
    return found


def _bgr(image: Image.Image) -> Picture:
    if image.mode.startswith(("I", "F")):
        image = _eight_bits(image)
    if image.mode in ("LA", "PA", "RGBA", "La", "RGBa") or "transparency" in image.info:
        rgba = image.convert("RGBA")
        ground = Image.new("RGBA", rgba.size, (*BEHIND_ALPHA, 255))
        image = Image.alpha_composite(ground, rgba)
    rgb = np.asarray(image.convert("RGB"), dtype=np.uint8)
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _eight_bits(image: Image.Image) -> Image.Image:
    """Scale deep grey values down; Pillow's own conversion would clip them to white."""
    values = np.asarray(image, dtype=np.float64)
    top = float(values.max(initial=0.0))
    # 16-bit files use the whole range; deeper or floating ones are stretched to what they hold.
    full = 65535.0 if image.mode.startswith("I") and 255 < top <= 65535 else max(top, 255.0)
    return Image.fromarray((values.clip(min=0) / full * 255).astype(np.uint8))
