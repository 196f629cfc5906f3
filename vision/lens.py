"""How a lens bends straight lines, and straightening what it shows.

A straightened ("undistorted") picture is what a pinhole with the same camera matrix would see;
homographies of a plane hold there and nowhere else. Coordinates are pixels of the camera's picture
on both sides.

Source: Brown, Close-range camera calibration, Photogrammetric Engineering 37 (1971); OpenCV's
documentation of the module calib3d.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import CalibrationError

Floats = NDArray[np.float64]

STEPS = (cv2.TERM_CRITERIA_MAX_ITER + cv2.TERM_CRITERIA_EPS, 200, 1e-12)
"""Straightening has no formula and is solved step by step."""
INVERTIBLE_PX = 0.05
"""Bent again, a straightened point must be where it was, up to this."""


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera's lens, measured at one size of its picture.

    Attributes:
        camera_matrix: (3, 3): focal lengths and middle, pixels.
        distortion: (5,): k1, k2, p1, p2, k3.
        picture_px: width and height of the pictures that it was measured on.
        rms_px: how far, in the mean, corners of the board lay from where they should.
        farthest: length of the ray to the straightened picture's farthest corner, in focal lengths.

    Raises:
        CalibrationError: numbers of a wrong form, or a bending that folds the picture over.
    """

    camera_matrix: Floats
    distortion: Floats
    picture_px: tuple[int, int]
    rms_px: float = 0.0
    farthest: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        matrix = np.asarray(self.camera_matrix, np.float64)
        bending = np.asarray(self.distortion, np.float64).ravel()
        is_matrix = matrix.shape == (3, 3) and np.isfinite(matrix).all()
        if not is_matrix or min(matrix[0, 0], matrix[1, 1]) <= 0:
            raise CalibrationError(
                "The lens's camera_matrix must be (3, 3) with positive focal lengths, but got "
                f"{matrix.tolist()}; calibrate the lens again."
            )
        if bending.shape != (5,) or not np.isfinite(bending).all():
            raise CalibrationError(
                f"The lens's distortion must be five numbers, but got {bending.tolist()}; "
                "calibrate the lens again."
            )
        if min(self.picture_px) < 1:
            raise CalibrationError(
                f"The lens's picture_px must be two positive pixels, but got {self.picture_px}."
            )
        object.__setattr__(self, "camera_matrix", matrix)
        object.__setattr__(self, "distortion", bending)
        edge = self._edge_px()
        folded = np.abs(self._bent(self.straightened(edge)) - edge).max()
        if not folded <= INVERTIBLE_PX:
            raise CalibrationError(
                f"The lens's distortion {bending.tolist()} cannot be undone at the picture's edge; "
                "calibrate the lens again with the board in every corner of the picture."
            )
        middle, focal = matrix[:2, 2], matrix[[0, 1], [0, 1]]
        farthest = np.linalg.norm((self.straightened(edge) - middle) / focal, axis=1).max()
        object.__setattr__(self, "farthest", float(farthest))

    def straightened(self, points_px: ArrayLike) -> Floats:
        """Where points of the camera's picture lie in the straightened one: (N, 2) -> (N, 2)."""
        points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        if not len(points):
            return np.zeros((0, 2))
        out = cv2.undistortPoints(
            points, self.camera_matrix, self.distortion, P=self.camera_matrix, criteria=STEPS
        )
        return np.asarray(out, np.float64).reshape(-1, 2)

    def bent(self, points_px: ArrayLike) -> Floats:
        """Where points of the straightened picture lie in the camera's: (N, 2) -> (N, 2).

        Beyond the picture's farthest corner the bending goes on as it is there: the polynomial
        folds back at last, and places far away would seem to lie in the picture.
        """
        points = np.asarray(points_px, np.float64).reshape(-1, 2)
        middle, focal = self.camera_matrix[:2, 2], self.camera_matrix[[0, 1], [0, 1]]
        rays = (points - middle) / focal
        reach = np.linalg.norm(rays, axis=1, keepdims=True)
        beyond = np.maximum(1.0, reach / self.farthest)
        bent = self._bent(middle + rays / beyond * focal)
        return np.asarray(middle + (bent - middle) * beyond, np.float64)

    def check_size(self, picture_px: tuple[int, int]) -> None:
        """Refuse pictures of another size than the lens was measured on.

        Raises:
            CalibrationError: the sizes differ.
        """
        if picture_px != self.picture_px:
            raise CalibrationError(
                f"The lens was measured on pictures of {_by(self.picture_px)} pixels, but this one "
                f"has {_by(picture_px)}; set the camera as it was, or calibrate the lens again."
            )

    def scaled_to(self, picture_px: tuple[int, int]) -> "Lens":
        """The same lens, the camera making smaller or larger pictures of what it sees."""
        factors = np.array(picture_px, np.float64) / self.picture_px
        matrix = np.diag([*factors, 1.0]) @ self.camera_matrix
        return Lens(matrix, self.distortion, picture_px, self.rms_px * float(factors.mean()))

    def _bent(self, points: Floats) -> Floats:
        middle, focal = self.camera_matrix[:2, 2], self.camera_matrix[[0, 1], [0, 1]]
        x, y = ((points - middle) / focal).T
        k1, k2, p1, p2, k3 = self.distortion
        # As cv2.projectPoints has it, without the derivatives that it works out for every point.
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        bent_x = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        bent_y = y * radial + 2 * p2 * x * y + p1 * (r2 + 2 * y * y)
        return np.asarray(np.column_stack([bent_x, bent_y]) * focal + middle, np.float64)

    def _edge_px(self) -> Floats:
        """Points along the picture's border, (N, 2)."""
        width, height = self.picture_px
        along = np.linspace(0, 1, 33)[:, None]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        sides = [a + along * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
        return np.concatenate(sides)


def _by(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"
