"""The mat from afar: the small picture in which the motion gate sees whether anything has changed.

It comes from the camera's full picture, or, where the camera makes a smaller one of the same view
itself (a Raspberry Pi's second stream), from that: it need not be warped so finely, which is most
of what a quiet frame costs.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from vision.calibration import MatCalibration
from vision.images import Image
from vision.mat_view import rectify
from vision.motion import Thumb, thumb
from vision.parts import PIXEL_MM

AFAR_PX_PER_MM = 1.0
"""How finely the full picture is seen for it: averaged from here on, noise is as small as if it
came from the full view, at a fifth of its cost."""
SMALL_PX_PER_MM = 1.0 / PIXEL_MM
"""How finely the camera's own small picture is seen: it has been averaged in the camera."""
LIKE = 0.02
"""Two pictures show the same view when their sides have the same ratio up to this share."""


def thumb_from_afar(
    image_bgr: Image, small_bgr: Image | None, mat: MatCalibration, *, margin_mm: float
) -> Thumb:
    """The mat and what is around it, small.

    Args:
        image_bgr: (H, W, 3) uint8, as calibrated.
        small_bgr: (h, w, 3) uint8, the same view made smaller by the camera; None, or one of
            another view: the full picture is taken.
        mat: where the full picture shows the mat.
        margin_mm: also show this much around the mat.

    Returns:
        (rows, columns, 3) float32 at `PIXEL_MM` millimetres a pixel (see `vision.motion.thumb`).

    Raises:
        CalibrationError, PictureError: see `vision.mat_view.rectify`.
    """
    if small_bgr is None or not _are_alike(image_bgr, small_bgr):
        scale = AFAR_PX_PER_MM
        return thumb(rectify(image_bgr, mat, margin_mm=margin_mm, scale_px_per_mm=scale), scale)
    in_small = seen_smaller(mat, _size(image_bgr), _size(small_bgr))
    scale = SMALL_PX_PER_MM
    return thumb(rectify(small_bgr, in_small, margin_mm=margin_mm, scale_px_per_mm=scale), scale)


@lru_cache(maxsize=4)
def seen_smaller(
    mat: MatCalibration, size_px: tuple[int, int], small_px: tuple[int, int]
) -> MatCalibration:
    """Where a mat lies in a smaller picture of the same view.

    Args:
        mat: where it lies in the full picture.
        size_px: width and height of that.
        small_px: width and height of the smaller one.
    """
    # Centres of pixels lie at whole numbers: half a pixel of the one is not half of the other's.
    x, y = size_px[0] / small_px[0], size_px[1] / small_px[1]
    to_full = np.array([[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2], [0, 0, 1.0]])
    lens = None if mat.lens is None else mat.lens.scaled_to(small_px)
    return replace(mat, homography_px_to_mm=mat.homography_px_to_mm @ to_full, lens=lens)


def _size(image: Image) -> tuple[int, int]:
    return (image.shape[1], image.shape[0])


def _are_alike(image: Image, small: Image) -> bool:
    if min(*image.shape[:2], *small.shape[:2]) < 1:
        return False
    (width, height), (small_width, small_height) = _size(image), _size(small)
    return abs(width * small_height / (height * small_width) - 1) <= LIKE
