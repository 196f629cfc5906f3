"""Pictures as arrays: the one form that the package works on, and quarter turns of it."""

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError

Image: TypeAlias = NDArray[np.uint8]
Where: TypeAlias = tuple[slice, slice]
"""Rows and columns of a picture."""

LINEAR_FROM = 2 / 3
"""Down to this factor interpolating leaves no pixel out that averaging would count much."""

MAX_PIXELS = 120_000_000
"""Largest picture that is worked on: 120 megapixels are 360 MB, and no camera here makes more."""


def as_bgr(image: NDArray[np.generic]) -> Image:
    """Check a picture and bring it to three channels.

    Args:
        image: (H, W), (H, W, 1), (H, W, 3) or (H, W, 4) uint8; three channels are BGR, four are
            BGRA. Alpha is laid over mid grey, so that a cut-out die keeps its outline whether
            it is light or dark.

    Returns:
        (H, W, 3) uint8, BGR; the input itself where it already has this form.

    Raises:
        PictureError: not an array, empty, too large, another type or another shape.
    """
    if not isinstance(image, np.ndarray):
        raise PictureError(f"A picture must be a numpy array, but got {type(image).__name__}.")
    if image.dtype != np.uint8:
        raise PictureError(
            f"A picture must have 8 bits a channel (uint8), but got {image.dtype}; "
            "scale it to 0..255 first."
        )
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] not in (1, 3, 4)):
        raise PictureError(
            f"A picture must have the shape (H, W), (H, W, 3) or (H, W, 4), but got {image.shape}."
        )
    if image.shape[0] == 0 or image.shape[1] == 0:
        raise PictureError(f"The picture is empty: its shape is {image.shape}.")
    if image.shape[0] * image.shape[1] > MAX_PIXELS:
        raise PictureError(
            f"The picture has {image.shape[0] * image.shape[1]:,} pixels, but at most "
            f"{MAX_PIXELS:,} are read; make it smaller first."
        )
    picture = np.asarray(image, dtype=np.uint8)
    if picture.ndim == 2 or picture.shape[2] == 1:
        return to_uint8(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
    if picture.shape[2] == 4:
        alpha = picture[:, :, 3:].astype(np.uint16)
        over = picture[:, :, :3].astype(np.uint16) * alpha + 127 * (255 - alpha)
        return (over // 255).astype(np.uint8)
    return picture


def to_uint8(array: object) -> Image:
    """The result of an OpenCV call as the type it has (OpenCV's own hints are wider)."""
    return np.asarray(array, dtype=np.uint8)


def turn_picture(image: Image, quarter_turns: int) -> Image:
    """Turn a picture counter-clockwise by quarter turns.

    Args:
        image: (H, W, 3) uint8.
        quarter_turns: 0..3.

    Returns:
        (H, W, 3) or (W, H, 3) uint8, contiguous.
    """
    return np.ascontiguousarray(np.rot90(image, quarter_turns))


def turn_boxes_back(
    xyxy: NDArray[np.float32], quarter_turns: int, *, width: int, height: int
) -> NDArray[np.float32]:
    """Map boxes found in a turned picture to the picture before `turn_picture`.

    Args:
        xyxy: (N, 4) pixels in the turned picture.
        quarter_turns: 0..3, as given to `turn_picture`.
        width: pixels of the picture before the turn.
        height: pixels of the picture before the turn.

    Returns:
        (N, 4) float32 pixels in the picture before the turn, x1 <= x2 and y1 <= y2.
    """
    x1, y1, x2, y2 = xyxy.T
    match quarter_turns % 4:
        case 0:
            sides = (x1, y1, x2, y2)
        case 1:
            sides = (width - y2, x1, width - y1, x2)
        case 2:
            sides = (width - x2, height - y2, width - x1, height - y1)
        case _:
            sides = (y1, height - x2, y2, height - x1)
    return np.stack(sides, axis=1).astype(np.float32)


def scaled(image: Image, factor_x: float, factor_y: float) -> Image:
    """Resize by two factors (area average down, linear up); never below one pixel.

    Args:
        image: (H, W, 3) uint8.
        factor_x: new width / old width.
        factor_y: new height / old height.

    Returns:
        (h, w, 3) uint8.
    """
    width = max(1, round(image.shape[1] * factor_x))
    height = max(1, round(image.shape[0] * factor_y))
    if (width, height) == (image.shape[1], image.shape[0]):
        return image
    shrinks = width * height < image.shape[0] * image.shape[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return to_uint8(cv2.resize(image, (width, height), interpolation=how))


def sized(image: Image, long_px: int, *, quickly: bool) -> tuple[Image, NDArray[np.float64]]:
    """Scale a picture so that its long side is `long_px`.

    Args:
        image: (H, W, 3) uint8.
        long_px: at least 1.
        quickly: averaging parts of pixels takes five times as long as interpolating or averaging
            whole ones: halve what is to shrink by more than half (a last odd row or column is lost)
            and interpolate from `LINEAR_FROM` on.

    Returns:
        (h, w, 3) uint8, and (2,) new width / old width, and the same of the heights.
    """
    whole = image
    if quickly and 2 * long_px <= max(image.shape[:2]) and min(image.shape[:2]) > 1:
        height, width = (side // 2 for side in image.shape[:2])
        whole = image[: 2 * height, : 2 * width]
        image = to_uint8(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA))
    height, width = image.shape[:2]
    factor = long_px / max(height, width)
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    if size != (width, height):
        averaged = factor < (LINEAR_FROM if quickly else 1)
        how = cv2.INTER_AREA if averaged else cv2.INTER_LINEAR
        image = to_uint8(cv2.resize(image, size, interpolation=how))
    return image, np.array(size) / whole.shape[1::-1]


def slices_around(points_px: NDArray[np.float64], reach_px: float, shape: tuple[int, ...]) -> Where:
    """Rows and columns of what lies so far around points in a picture.

    Args:
        points_px: (N, 2), N at least 1; they may lie outside.
        reach_px: upwards, downwards, left and right.
        shape: height and width of the picture.

    Returns:
        At least one row and one column.
    """
    most = np.array([shape[1], shape[0]]) - 1
    low = np.clip(np.floor(points_px.min(axis=0) - reach_px), 0, most).astype(int)
    high = np.clip(np.ceil(points_px.max(axis=0) + reach_px), low, most).astype(int)
    return slice(low[1], high[1] + 1), slice(low[0], high[0] + 1)
