"""A fixed camera above a mat: pixels to millimetres, from printed markers or corners by hand.

Mat coordinates: millimetres, origin at the mat's top left corner, x right, y down. The rectified
picture is the mat seen straight from above at `scale_px_per_mm`, with an optional margin around.

The four markers (ArUco, dictionary 4x4_50) stand in the mat's corners: id 0 top left, 1 top right,
2 bottom right, 3 bottom left. Only their centres count, so their printed size does not matter.

A lens that was measured (`vision.lens`) bends and straightens points; the homography holds in the
straightened picture. Frames stay as the camera took them and are warped once, through both.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import CalibrationError
from vision.images import Image, as_bgr
from vision.lens import Lens
from vision.markers import (
    MARKER_NAMES,
    MAT_SIZE_MM,
    crossing_of_diagonals,
    find_markers,
    marker_centres_mm,
)
from vision.plane import (
    check_inside,
    check_order,
    homography,
    mapped,
    rectangle_mm,
)

BY_HAND_MM = 15.0
"""Markers farther from where they should be than a hand errs stand on no mat of this size: a sheet
that lies on a larger area which somebody has pointed out."""


@dataclass(frozen=True)
class Projection:
    """Millimetres of a mat to pixels of a camera; equal for mats that lie alike, whatever else.

    Attributes:
        homography_px_to_mm: the nine float64 of a `MatCalibration`.
        lens: of it.
    """

    homography_px_to_mm: bytes
    lens: Lens | None

    def __call__(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) -> (N, 2)."""
        to_mm = np.frombuffer(self.homography_px_to_mm).reshape(3, 3)
        straight = mapped(np.asarray(np.linalg.inv(to_mm)), points_mm)
        return straight if self.lens is None else self.lens.bent(straight)


@dataclass(frozen=True, eq=False)
class MatCalibration:
    """How a camera sees the mat.

    Attributes:
        homography_px_to_mm: (3, 3) float64, camera pixels (undistorted) to mat millimetres.
        mat_size_mm: width and height.
        scale_px_per_mm: resolution of the rectified picture; 2.2 shows a 16 mm die with 35 px.
        die_mm: edge of the dice in play.
        die_measured: whether `die_mm` was measured on dice at the table, or merely assumed.
        lens: how the camera's lens bends straight lines; None: not at all.
        by_hand: whether somebody has pointed at the corners, or markers were found.

    Raises:
        CalibrationError: a matrix that cannot be inverted, or sizes that are not positive.
    """

    homography_px_to_mm: NDArray[np.float64]
    mat_size_mm: tuple[float, float] = MAT_SIZE_MM
    scale_px_per_mm: float = 2.2
    die_mm: float = 16.0
    die_measured: bool = False
    lens: Lens | None = None
    by_hand: bool = False

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
        straight = points_px if self.lens is None else self.lens.straightened(points_px)
        return mapped(self.homography_px_to_mm, straight)

    def to_px(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Mat millimetres to camera pixels: (N, 2) -> (N, 2)."""
        return self.projection(points_mm)

    @property
    def projection(self) -> Projection:
        """What `to_px` does, for whoever keeps what was made of it."""
        return Projection(self.homography_px_to_mm.tobytes(), self.lens)

    def corners_px(self) -> NDArray[np.float64]:
        """The mat's corners in the camera picture: (4, 2), clockwise from the top left."""
        return self.to_px(rectangle_mm(self.mat_size_mm))


def calibrate_from_markers(
    image_bgr: Image,
    *,
    mat_size_mm: tuple[float, float] = MAT_SIZE_MM,
    scale_px_per_mm: float = 2.2,
    die_mm: float = 16.0,
    lens: Lens | None = None,
) -> MatCalibration:
    """Find the mat by its four markers.

    Args:
        image_bgr: (H, W, 3) uint8 camera picture that shows all four markers.
        mat_size_mm: width and height of the mat.
        scale_px_per_mm: resolution of rectified pictures.
        die_mm: edge of the dice in play.
        lens: how the camera's lens bends straight lines; None: not at all.

    Returns:
        The calibration.

    Raises:
        CalibrationError: a marker is missing, twice in the picture, or they are in a wrong order.
        PictureError: not a picture.

    Source: Garrido-Jurado et al., Automatic generation and detection of highly reliable fiducial
        markers under occlusion, Pattern Recognition 47 (2014).
    """
    picture = as_bgr(image_bgr)
    quads = find_markers(picture)
    missing = [f"{index} ({name})" for index, name in enumerate(MARKER_NAMES) if index not in quads]
    if missing:
        raise CalibrationError(
            f"The markers 0..3 of the mat must all be visible, but {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not; uncover them, improve the light, "
            "or set the four corners by hand."
        )
    if lens is not None:
        lens.check_size((picture.shape[1], picture.shape[0]))
        quads = {index: lens.straightened(quad) for index, quad in quads.items()}
    seen = np.array([crossing_of_diagonals(quads[index]) for index in range(4)])
    check_order(seen)
    matrix = homography(seen, marker_centres_mm(mat_size_mm))
    return MatCalibration(matrix, mat_size_mm, scale_px_per_mm, die_mm, lens=lens)


def refine_by_markers(mat: MatCalibration, image_bgr: Image) -> MatCalibration:
    """See the mat anew by its markers, and keep what was measured of lens and dice.

    Args:
        mat: as it was calibrated before.
        image_bgr: (H, W, 3) uint8 camera picture.

    Returns:
        The mat where its markers are now; one that somebody has pointed out as it was where not
        all four are to be seen, or where they do not belong to it.

    Raises:
        CalibrationError: a marker is twice in the picture, or it has another size than the lens's;
            not all markers are to be seen, and nobody has pointed the mat out: it may have moved
            since it was calibrated.
        PictureError: not a picture.
    """
    picture = as_bgr(image_bgr)
    if mat.lens is not None:
        mat.lens.check_size((picture.shape[1], picture.shape[0]))
    try:
        all_seen = len(find_markers(picture)) == len(MARKER_NAMES)
    except CalibrationError:  # two mats lie there; somebody has said which
        if not mat.by_hand:
            raise
        all_seen = False
    if not all_seen and mat.by_hand:
        return mat
    found = calibrate_from_markers(picture, mat_size_mm=mat.mat_size_mm, lens=mat.lens)
    corners_mm = mat.to_mm(found.corners_px())
    astray_mm = np.linalg.norm(corners_mm - rectangle_mm(mat.mat_size_mm), axis=1)
    if mat.by_hand and not (astray_mm <= BY_HAND_MM).all():
        return mat
    return replace(mat, homography_px_to_mm=found.homography_px_to_mm, by_hand=False)


def calibrate_from_corners(
    corners_px: ArrayLike,
    mat_size_mm: tuple[float, float],
    *,
    scale_px_per_mm: float = 2.2,
    die_mm: float = 16.0,
    lens: Lens | None = None,
    picture_px: tuple[int, int] | None = None,
) -> MatCalibration:
    """Take the mat's four corners as a person has pointed at them.

    Args:
        corners_px: (4, 2) camera pixels, clockwise from the mat's top left.
        mat_size_mm: width and height of the mat.
        scale_px_per_mm: resolution of rectified pictures.
        die_mm: edge of the dice in play.
        lens: how the camera's lens bends straight lines; None: not at all.
        picture_px: width and height of the picture that was pointed at; None: not known.

    Returns:
        The calibration.

    Raises:
        CalibrationError: not four points, not a convex quadrangle in clockwise order, or a point
            outside the picture.
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CalibrationError(
            f"Four corners (x, y) in pixels are needed, but got the shape {corners.shape}."
        )
    if picture_px is not None:
        check_inside(corners, picture_px)
        if lens is not None:
            lens.check_size(picture_px)
    check_order(corners)
    straight = corners if lens is None else lens.straightened(corners)
    matrix = homography(straight, rectangle_mm(mat_size_mm))
    return MatCalibration(matrix, mat_size_mm, scale_px_per_mm, die_mm, lens=lens, by_hand=True)
