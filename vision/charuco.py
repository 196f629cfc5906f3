"""The board for the lens: a chessboard whose white squares carry markers (ChArUco).

Its markers are of another dictionary than the mat's, so that a board on the mat is none of its
corners. How large it is printed does not matter: only its shape counts.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image

COLUMNS, ROWS = 9, 6
SQUARE_MM, MARKER_MM = 28.0, 21.0
"""As printed on A4; a tablet may show it in any size."""

Corners = tuple[NDArray[np.float64], NDArray[np.int64]]


def lens_board() -> cv2.aruco.CharucoBoard:
    """The board, as OpenCV knows it."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, dictionary)


def board_picture(px_per_mm: int = 2) -> NDArray[np.bool_]:
    """The board from straight above: (rows, columns) pixels, True where it is black."""
    size = (round(COLUMNS * SQUARE_MM * px_per_mm), round(ROWS * SQUARE_MM * px_per_mm))
    return np.asarray(lens_board().generateImage(size)) < 128


def corner_places_mm() -> NDArray[np.float64]:
    """Where the inner corners of the chessboard lie: (40, 2) mm, by their numbers."""
    return np.asarray(lens_board().getChessboardCorners(), np.float64)[:, :2]


def find_board(picture: Image) -> Corners:
    """Find the chessboard's inner corners.

    Args:
        picture: (H, W, 3) uint8, BGR.

    Returns:
        (N, 2) pixels and (N,) their numbers; N is 0 where no board is seen.
    """
    finder = cv2.aruco.CharucoDetector(lens_board())
    corners, ids, _, _ = finder.detectBoard(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    numbers = np.asarray([] if ids is None else ids, np.int64).ravel()
    places = np.asarray(corners if len(numbers) else [], np.float64).reshape(-1, 2)
    return places, numbers
