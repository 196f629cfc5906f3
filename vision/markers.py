"""The printed markers in a mat's corners: where they stand and where a picture shows them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import CalibrationError
from vision.images import Image

MAT_SIZE_MM = (420.0, 315.0)
"""Width and height of the standard mat: 4 : 3 as a camera sees it."""
MARKER_INSET_MM = 14.0
"""From a marker's centre to both edges of the mat next to it."""
MARKER_SIDE_MM = 20.0
"""A printed marker with its own black frame,"""
QUIET_SIDE_MM = 26.0
"""and with the white around it that finders need."""
MARKER_NAMES = ("top left", "top right", "bottom right", "bottom left")


def marker_centres_mm(mat_size_mm: tuple[float, float] = MAT_SIZE_MM) -> NDArray[np.float64]:
    """Where the markers 0..3 stand: (4, 2) mm, clockwise from the top left."""
    near, (width, height) = MARKER_INSET_MM, mat_size_mm
    far_x, far_y = width - near, height - near
    return np.array([[near, near], [far_x, near], [far_x, far_y], [near, far_y]])


def marker_squares_mm(
    mat_size_mm: tuple[float, float],
) -> tuple[tuple[float, float, float, float], ...]:
    """The squares in which they are printed: left, top, right, bottom."""
    half, centres = MARKER_SIDE_MM / 2, marker_centres_mm(mat_size_mm).tolist()
    return tuple((x - half, y - half, x + half, y + half) for x, y in centres)


def marker_cells(index: int) -> NDArray[np.bool_]:
    """What a marker looks like: (6, 6), True where it is white; its outermost cells are black."""
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), index, 6)) > 127


def find_marker_centres(picture: Image) -> dict[int, NDArray[np.float64]]:
    """Find the middles of the markers 0..3.

    Args:
        picture: (H, W, 3) uint8, BGR.

    Returns:
        For every marker seen its centre (2,) in pixels.

    Raises:
        CalibrationError: a marker is twice in the picture.
    """
    return {index: crossing_of_diagonals(q) for index, q in find_markers(picture).items()}


def find_markers(picture: Image) -> dict[int, NDArray[np.float64]]:
    """Find the markers 0..3 (ArUco, dictionary 4x4_50).

    Args:
        picture: (H, W, 3) uint8, BGR.

    Returns:
        For every marker seen its corners (4, 2) in pixels, clockwise from its own top left.

    Raises:
        CalibrationError: a marker is twice in the picture.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    finder = cv2.aruco.ArucoDetector(_dictionary(), parameters)
    quads, ids, _ = finder.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    found: dict[int, NDArray[np.float64]] = {}
    for quad, marker in zip(quads, [] if ids is None else np.asarray(ids).ravel(), strict=True):
        index = int(marker)
        if index > 3:
            continue
        if index in found:
            raise CalibrationError(
                f"Marker {index} is twice in the picture; show the camera one mat only."
            )
        found[index] = np.asarray(quad, dtype=np.float64).reshape(4, 2)
    return found


def crossing_of_diagonals(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """The true centre of a square seen in perspective (the mean of its corners is not)."""
    a, b, c, d = (np.append(point, 1.0) for point in quad)
    x, y, w = np.cross(np.cross(a, c), np.cross(b, d))
    return np.array([x / w, y / w])


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
