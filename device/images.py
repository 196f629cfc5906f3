"""Photographs as the eye sees them: any common format, turned upright, 8-bit BGR.

Pillow reads and OpenCV only gets the pixels, because Pillow says when a file is cut short where
OpenCV hands out a picture that is half grey. Whatever lies behind a name - nothing, a pipe, a film,
a picture of a gigapixel in a few kilobytes - the answer is a picture or a sentence, in bounded time
and below a gigabyte of memory.
"""

from __future__ import annotations

import glob
import stat
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
from PIL import Image, UnidentifiedImageError

from device.errors import SchockaugeError, SourceError
from device.image_pixels import Picture, orientation, to_bgr, upright

IMAGE_SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})

FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF")
"""What is opened, by content. Pillow knows more, among them some that start other programs."""

FOREIGN = {b"heic": "HEIC", b"heix": "HEIC", b"mif1": "HEIC", b"avif": "AVIF", b"avis": "AVIF"}
"""Brands of ISO media files that people take for photographs (ISO/IEC 23008-12, annex B)."""

MAX_PIXELS = 120_000_000
"""Largest photograph that is opened: at 7 bytes a pixel it stays below a gigabyte."""

MAX_PIXELS_WEBP = 40_000_000
"""The same for WebP, whose decoder keeps up to 20 bytes a pixel."""

MAX_SIDE_PX = 65_500
"""Longest side: what a JPEG can hold, so that the annotated picture can be written."""

MAX_FILE_BYTES = 512 * 2**20
"""Largest file: `MAX_PIXELS` without compression. Some decoders read all of it at once."""

DETAIL_PIXELS = 40_000_000
"""More than this no look at a photograph can use (`vision.looks`: 12 tiles of 1280 px)."""

JPEG_QUALITY = 90
"""Of pictures that are written: a die's pips keep their edges, a mat takes about 100 kB."""

Image.MAX_IMAGE_PIXELS = None  # the limits above are checked here, by sentences that name them


@dataclass(frozen=True, eq=False)
class Photo:
    """A photograph as it is read.

    Attributes:
        image_bgr: (H, W, 3) uint8, upright.
        shrunk: so many pixels of the file, per side, make one of these: 1, 2, 4 or 8.
    """

    image_bgr: Picture
    shrunk: int = 1

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height in pixels of the file (sides that were odd are rounded up)."""
        height, width = self.image_bgr.shape[:2]
        return width * self.shrunk, height * self.shrunk

    def in_file(self, box: Sequence[float]) -> tuple[float, float, float, float]:
        """A box of the picture in pixels of the file."""
        left, top, right, bottom = (round(side * self.shrunk, 1) for side in box)
        return left, top, right, bottom


def load_photo(path: Path) -> Photo:
    """Read one photograph for its dice: above `DETAIL_PIXELS` at half the resolution (or less).

    A JPEG is then decoded at that size at once, which takes a quarter of the time and memory.

    Args, raises: as `load_image`.
    """
    return _load(path, detail_pixels=DETAIL_PIXELS)


def load_image(path: Path) -> Picture:
    """Read one photograph at its full resolution, turned as its EXIF orientation says.

    Args:
        path: a JPEG, PNG, WebP, TIFF, BMP or GIF file; grey, palette, 16-bit, CMYK and transparent
            pictures are converted, of several frames or pages the first is read.

    Returns:
        (H, W, 3) uint8, BGR.

    Raises:
        SourceError: missing, no file, no picture, cut short, or too large.
    """
    return _load(path, detail_pixels=MAX_PIXELS).image_bgr


def _load(path: Path, *, detail_pixels: int) -> Photo:
    _check_file(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd EXIF blocks are not worth a word
            with Image.open(path, formats=FORMATS) as opened:
                _check_size(path, opened)
                width = opened.width
                shrunk = _shrink(opened.size, detail_pixels)
                if shrunk > 1:  # JPEG decodes at a smaller size; other formats ignore the wish
                    opened.draft(None, (width // shrunk, opened.height // shrunk))
                pixels = to_bgr(opened, shrink=shrunk // round(width / opened.width))
                turn = orientation(opened)
    except SourceError:
        raise
    except UnidentifiedImageError as error:
        raise SourceError(_what_it_is(path)) from error
    except MemoryError as error:
        raise SourceError(f"{path} cannot be read: there is not enough memory for it.") from error
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error
    except Exception as error:  # Pillow stumbles over damaged files in many ways
        raise SourceError(f"{path} cannot be read: it is damaged ({error}).") from error
    return Photo(upright(pixels, turn), shrunk)  # Pillow's own copy is gone by now


def _check_file(path: Path) -> None:
    """Refuse what is no file before it is opened: opening a pipe would wait for ever."""
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise SourceError(f"{path} does not exist.") from error
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise SourceError(f"{path!r} cannot be read: {error}.") from error
    if stat.S_ISDIR(status.st_mode):
        raise SourceError(f"{path} cannot be read: it is a folder, not a picture.")
    if not stat.S_ISREG(status.st_mode):
        raise SourceError(
            f"{path} cannot be read: it is a pipe or a device. Save the picture to a file first."
        )
    if status.st_size == 0:
        raise SourceError(f"{path} cannot be read: the file is empty.")
    if status.st_size > MAX_FILE_BYTES:
        raise SourceError(
            f"{path} is too large: {status.st_size / 2**20:,.0f} MiB, and at most "
            f"{MAX_FILE_BYTES // 2**20} are read. Save it as a smaller JPEG first."
        )


def _check_size(path: Path, image: Image.Image) -> None:
    width, height = image.size
    most = MAX_PIXELS_WEBP if image.format == "WEBP" else MAX_PIXELS
    if width * height <= most and max(width, height) <= MAX_SIDE_PX:
        return
    raise SourceError(
        f"{path} is too large: {width} x {height} pixels ({width * height / 1e6:,.0f} million), "
        f"and at most {most / 1e6:.0f} million with sides up to {MAX_SIDE_PX} are read"
        f"{' from a WebP' if image.format == 'WEBP' else ''}. Scale it down first."
    )


def _shrink(size_px: tuple[int, int], detail_pixels: int) -> int:
    """The smallest power of two by which a picture must shrink to `detail_pixels`."""
    shrink = 1
    while size_px[0] * size_px[1] > detail_pixels * shrink**2:
        shrink *= 2
    return shrink


def _what_it_is(path: Path) -> str:
    with path.open("rb") as file:
        head = file.read(12)
    kind = FOREIGN.get(head[8:12]) if head[4:8] == b"ftyp" else None
    if kind:
        return (
            f"{path} is a {kind} picture, which is not read here. Save it as JPEG first; a phone "
            'can take JPEG ("most compatible") from the start.'
        )
    return f"{path} is no picture that can be read; expected JPEG, PNG, WebP, TIFF, BMP or GIF."


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
        if _fits(path.is_dir):
            found += pictures_in(path)
        elif glob.has_magic(word) and not _fits(path.exists):
            fitting = sorted(glob.glob(word, recursive=True))  # noqa: PTH207 - absolute patterns
            if not fitting:
                raise SourceError(f"No file fits the pattern {word!r}.")
            found += (Path(name) for name in fitting)
        else:
            found.append(path)
    return found


def pictures_in(folder: Path) -> list[Path]:
    """The pictures in a folder by their suffix, sorted by name.

    Raises:
        SourceError: it cannot be opened, or holds none.
    """
    try:
        inside = sorted(p for p in folder.iterdir() if p.suffix.lower() in IMAGE_SUFFIXES)
    except OSError as error:
        raise SourceError(f"The folder {folder} cannot be opened: {error.strerror}.") from error
    if not inside:
        kinds = ", ".join(sorted(IMAGE_SUFFIXES))
        raise SourceError(f"The folder {folder} holds no picture ({kinds}).")
    return inside


def _fits(asked: Callable[[], bool]) -> bool:
    """A question about a name; one that the system refuses (too long, forbidden) is answered no."""
    try:
        return asked()
    except OSError:
        return False
