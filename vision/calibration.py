"""A fixed camera above a mat: pixels to millimetres, from printed markers or corners by hand.

Mat coordinates: millimetres, origin at the mat's top left corner, x right, y down. The rectified
picture is the mat seen straight from above at `scale_px_per_mm`, with an optional margin around.

The four markers (ArUco, dictionary 4x4_50) stand in the mat's corners: id 0 top left, 1 top right,
2 bottom right, 3 bottom left. Only their centres count, so their printed size does not matter.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import CalibrationError
from vision.images import Image, as_bgr, scaled, to_uint8
from vision.markers import (
    MARKER_INSET_MM,
    MARKER_NAMES,
    MAT_SIZE_MM,
    find_marker_centres,
    marker_centres_mm,
)

OUTSIDE_TOLERANCE = 0.03
"""Share of the picture's long side by which a mat corner may lie outside: corners set by hand."""
BORDER_GREY = 114


@dataclass(frozen=True, eq=False)
class MatCalibration:
    """How a camera sees the mat.

    Attributes:
        homography_px_to_mm: (3, 3) float64, camera pixels (undistorted) to mat millimetres.
        mat_size_mm: width and height.
        scale_px_per_mm: resolution of the rectified picture; 2.2 shows a 16 mm die with 35 px.
        die_mm: edge of the dice in play.

    Raises:
        CalibrationError: a matrix that cannot be inverted, or sizes that are not positive.
    """

    homography_px_to_mm: NDArray[np.float64]
    mat_size_mm: tuple[float, float] = MAT_SIZE_MM
    scale_px_per_mm: float = 2.2
    die_mm: float = 16.0

    def __post_init__(self) -> None:
        matrix = np.asarray(self.homography_px_to_mm, dtype=np.float64)
        if matrix.shape != (3, 3) or not np.isfinite(matrix).all():
            raise CalibrationError(
                f"The homography must be a finite (3, 3) matrix, but got {matrix.tolist()}."
            )
        if abs(np.linalg.det(matrix / np.abs(matrix).max(initial=1e-300))) < 1e-15:
            raise CalibrationError(
                "The homography cannot be inverted: the mat is seen edge-on; calibrate again."
            )
        if not (len(self.mat_size_mm) == 2 and min(self.mat_size_mm) > 0):
            raise CalibrationError(
                f"The mat's size must be two positive millimetres, but got {self.mat_size_mm}."
            )
        if not (self.scale_px_per_mm > 0 and self.die_mm > 0):
            raise CalibrationError(
                f"Scale and die size must be positive, but got {self.scale_px_per_mm} px/mm "
                f"and {self.die_mm} mm."
            )
        object.__setattr__(self, "homography_px_to_mm", matrix)

    def to_mm(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Camera pixels to mat millimetres: (N, 2) -> (N, 2)."""
        return _mapped(self.homography_px_to_mm, points_px)

    def to_px(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Mat millimetres to camera pixels: (N, 2) -> (N, 2)."""
        return _mapped(np.asarray(np.linalg.inv(self.homography_px_to_mm)), points_mm)

    def corners_px(self) -> NDArray[np.float64]:
        """The mat's corners in the camera picture: (4, 2), clockwise from the top left."""
        return self.to_px(_corners_mm(self.mat_size_mm))


def calibrate_from_markers(
    image_bgr: Image,
    *,
    mat_size_mm: tuple[float, float] = MAT_SIZE_MM,
    marker_inset_mm: float = MARKER_INSET_MM,
    scale_px_per_mm: float = 2.2,
    die_mm: float = 16.0,
) -> MatCalibration:
    """Find the mat by its four markers.

    Args:
        image_bgr: (H, W, 3) uint8 camera picture that shows all four markers.
        mat_size_mm: width and height of the mat.
        marker_inset_mm: from a marker's centre to the two edges next to it.
        scale_px_per_mm: resolution of rectified pictures.
        die_mm: edge of the dice in play.

    Returns:
        The calibration.

    Raises:
        CalibrationError: a marker is missing, twice in the picture, or they are in a wrong order.
        PictureError: not a picture.

    Source: Garrido-Jurado et al., Automatic generation and detection of highly reliable fiducial
        markers under occlusion, Pattern Recognition 47 (2014).
    """
    centres = find_marker_centres(as_bgr(image_bgr))
    missing = [
        f"{index} ({name})" for index, name in enumerate(MARKER_NAMES) if index not in centres
    ]
    if missing:
        raise CalibrationError(
            f"The markers 0..3 of the mat must all be visible, but {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not; uncover them, improve the light, "
            "or set the four corners by hand."
        )
    seen = np.array([centres[index] for index in range(4)])
    _check_order(seen)
    matrix = _homography(seen, marker_centres_mm(mat_size_mm, marker_inset_mm))
    return MatCalibration(matrix, mat_size_mm, scale_px_per_mm, die_mm)


def calibrate_from_corners(
    corners_px: ArrayLike,
    mat_size_mm: tuple[float, float],
    *,
    scale_px_per_mm: float = 2.2,
    die_mm: float = 16.0,
) -> MatCalibration:
    """Take the mat's four corners as a person has pointed at them.

    Args:
        corners_px: (4, 2) camera pixels, clockwise from the mat's top left.
        mat_size_mm: width and height of the mat.
        scale_px_per_mm: resolution of rectified pictures.
        die_mm: edge of the dice in play.

    Returns:
        The calibration.

    Raises:
        CalibrationError: not four points, or not a convex quadrangle in clockwise order.
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CalibrationError(
            f"Four corners (x, y) in pixels are needed, but got the shape {corners.shape}."
        )
    _check_order(corners)
    matrix = _homography(corners, _corners_mm(mat_size_mm))
    return MatCalibration(matrix, mat_size_mm, scale_px_per_mm, die_mm)


def rectify(
    image_bgr: Image,
    mat: MatCalibration,
    *,
    margin_mm: float = 0.0,
    scale_px_per_mm: float | None = None,
) -> Image:
    """Warp a camera frame to the mat's plane at a fixed scale.

    Args:
        image_bgr: (H, W, 3) uint8, BGR, undistorted.
        mat: homography pixels -> millimetres.
        margin_mm: also show this much around the mat; grey where the camera sees nothing.
        scale_px_per_mm: resolution; None: `mat.scale_px_per_mm`.

    Returns:
        (h, w, 3) uint8; a mat point (x, y) lies at
        ((x + margin_mm) * scale, (y + margin_mm) * scale).

    Raises:
        CalibrationError: the mat's corners lie outside the image.
        PictureError: not a picture.

    Source: Hartley & Zisserman, Multiple View Geometry, 2nd ed., sec. 2.3.
    """
    picture = as_bgr(image_bgr)
    height, width = picture.shape[:2]
    corners = mat.corners_px()
    slack = OUTSIDE_TOLERANCE * max(height, width)
    if (corners < -slack).any() or (corners > np.array([width, height]) + slack).any():
        raise CalibrationError(
            f"The mat's corners {corners.round().tolist()} do not lie in the picture of "
            f"{width} x {height} pixels; the camera was moved or changed its size: "
            "calibrate again."
        )
    scale = scale_px_per_mm or mat.scale_px_per_mm
    to_view = np.array([[scale, 0, scale * margin_mm], [0, scale, scale * margin_mm], [0, 0, 1.0]])
    # A camera much finer than the view is averaged down first: warping alone would alias pips.
    long_px = max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[0]))
    shrink = max(1, int(long_px / (max(mat.mat_size_mm) * scale)))
    small = scaled(picture, 1 / shrink, 1 / shrink)
    from_small = np.diag([width / small.shape[1], height / small.shape[0], 1.0])
    size = tuple(round((side + 2 * margin_mm) * scale) for side in mat.mat_size_mm)
    return to_uint8(
        cv2.warpPerspective(
            small,
            to_view @ mat.homography_px_to_mm @ from_small,
            size,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(BORDER_GREY, BORDER_GREY, BORDER_GREY),
        )
    )


def to_toml(mat: MatCalibration) -> str:
    """The calibration as a commented TOML text; `from_toml` reads it back exactly."""
    rows = ",\n".join(
        "  [" + ", ".join(repr(float(value)) for value in row) + "]"
        for row in mat.homography_px_to_mm
    )
    width, height = (float(side) for side in mat.mat_size_mm)
    return (
        "# Where the camera sees the mat; written by the calibration, safe to edit.\n"
        "[mat]\n"
        "# Width and height in millimetres.\n"
        f"size_mm = [{width!r}, {height!r}]\n"
        "# Resolution of the view from above, pixels per millimetre.\n"
        f"scale_px_per_mm = {float(mat.scale_px_per_mm)!r}\n"
        "# Edge of the dice in millimetres.\n"
        f"die_mm = {float(mat.die_mm)!r}\n"
        "# Camera pixels (x, y, 1) to millimetres from the mat's top left corner.\n"
        f"homography_px_to_mm = [\n{rows},\n]\n"
    )


def from_toml(text: str) -> MatCalibration:
    """Read a calibration back.

    Args:
        text: TOML as `to_toml` writes it.

    Returns:
        The calibration.

    Raises:
        CalibrationError: not TOML, a key is missing or a value is of the wrong form.
    """
    try:
        section = tomllib.loads(text)["mat"]
        width, height = section["size_mm"]
        return MatCalibration(
            np.array(section["homography_px_to_mm"], dtype=np.float64),
            (float(width), float(height)),
            float(section["scale_px_per_mm"]),
            float(section["die_mm"]),
        )
    except KeyError as error:
        raise CalibrationError(
            f"The calibration lacks {error}; run the calibration again."
        ) from error
    except (tomllib.TOMLDecodeError, TypeError, ValueError) as error:
        raise CalibrationError(
            f"The calibration cannot be read ({error}); run the calibration again."
        ) from error


def _check_order(quad: NDArray[np.float64]) -> None:
    sides = np.roll(quad, -1, axis=0) - quad
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if not (turns > 1.0).all():
        raise CalibrationError(
            f"The corners {quad.round().tolist()} are not a convex quadrangle in clockwise order "
            "from the top left; set them again in this order (a mirrored picture has it wrong)."
        )


def _corners_mm(size_mm: Sequence[float]) -> NDArray[np.float64]:
    return np.array([[0, 0], [size_mm[0], 0], [size_mm[0], size_mm[1]], [0, size_mm[1]]], float)


def _homography(from_px: NDArray[np.float64], to_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    matrix = cv2.getPerspectiveTransform(from_px.astype(np.float32), to_mm.astype(np.float32))
    return np.asarray(matrix, dtype=np.float64)


def _mapped(matrix: NDArray[np.float64], points: ArrayLike) -> NDArray[np.float64]:
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    lifted = np.c_[flat, np.ones(len(flat))] @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], dtype=np.float64)
