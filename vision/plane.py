"""Arithmetic of a plane that a camera sees, and checks of what somebody points at in a picture."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import CalibrationError
from vision.markers import MARKER_NAMES

OUTSIDE_TOLERANCE = 0.03
"""Share of the picture's long side by which a mat corner may lie outside: corners set by hand."""
VIEWS_KEPT = 6
"""A watcher looks at two resolutions, evidence and films at two; two more while a camera moves."""


def check_order(quad: NDArray[np.float64]) -> None:
    """Refuse four points (4, 2) that are no convex quadrangle, clockwise from the top left.

    Raises:
        CalibrationError: they are not.
    """
    sides = np.roll(quad, -1, axis=0) - quad
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if not (turns > 1.0).all():
        raise CalibrationError(
            f"The corners {quad.round().tolist()} are not a convex quadrangle in clockwise order "
            "from the top left; set them again in this order (a mirrored picture has it wrong)."
        )


def check_inside(corners: NDArray[np.float64], picture_px: tuple[int, int]) -> None:
    """Refuse corners (4, 2) outside a picture of this width and height.

    Raises:
        CalibrationError: one lies farther outside than a hand errs.
    """
    for corner, name in zip(corners, MARKER_NAMES, strict=True):
        if not lie_inside(corner, picture_px):
            x, y = corner.tolist()
            raise CalibrationError(
                f"The {name} corner ({x:g}, {y:g}) lies outside the picture of {picture_px[0]} x "
                f"{picture_px[1]} pixels; point at the mat's corners in this very picture."
            )


def lie_inside(points: NDArray[np.float64], picture_px: tuple[int, int]) -> bool:
    """Whether points (..., 2) lie in a picture of this width and height, or nearly so."""
    slack = OUTSIDE_TOLERANCE * max(picture_px)
    return bool(((points >= -slack) & (points <= np.array(picture_px) + slack)).all())


def rectangle_mm(size_mm: Sequence[float]) -> NDArray[np.float64]:
    """The corners of a rectangle: (4, 2), clockwise from the top left."""
    return np.array([[0, 0], [size_mm[0], 0], [size_mm[0], size_mm[1]], [0, size_mm[1]]], float)


def homography(from_px: NDArray[np.float64], to_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """The homography that takes four points (4, 2) to four others: (3, 3)."""
    matrix = cv2.getPerspectiveTransform(from_px.astype(np.float32), to_mm.astype(np.float32))
    return np.asarray(matrix, dtype=np.float64)


def mapped(matrix: NDArray[np.float64], points: ArrayLike) -> NDArray[np.float64]:
    """Points (N, 2) through a homography."""
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    x, y, away = matrix[:, :2] @ flat.T + matrix[:, 2:]
    return np.stack([x / away, y / away], axis=1)


@lru_cache(maxsize=VIEWS_KEPT)
def view_maps(
    to_px: Callable[[ArrayLike], NDArray[np.float64]],
    size: tuple[int, int],
    scale_px_per_mm: float,
    margin_mm: float,
    from_small: tuple[float, float],
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """`maps_of` a view that begins a margin before the origin; kept for equal arguments."""
    return maps_of(to_px, size, scale_px_per_mm, (-margin_mm, -margin_mm), from_small)


def maps_of(
    to_px: Callable[[ArrayLike], NDArray[np.float64]],
    size: tuple[int, int],
    scale_px_per_mm: float,
    left_top_mm: ArrayLike,
    from_small: tuple[float, float] = (1.0, 1.0),
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Where every pixel of a view of the plane comes from, for `cv2.remap`.

    Args:
        to_px: millimetres of the plane to pixels of the camera.
        size: width and height of the view, pixels.
        scale_px_per_mm: its resolution.
        left_top_mm: (2,) where it begins.
        from_small: how much larger the camera's picture is than the one that is warped.
    """
    columns, rows = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    pixels = np.stack([columns, rows], axis=-1).reshape(-1, 2)
    places_mm = pixels / scale_px_per_mm + np.asarray(left_top_mm)
    places = (to_px(places_mm) / from_small).astype(np.float32).reshape(size[1], size[0], 2)
    coarse, fine = cv2.convertMaps(places, np.zeros(0, np.float32), cv2.CV_16SC2)
    return np.asarray(coarse, np.int16), np.asarray(fine, np.uint16)
