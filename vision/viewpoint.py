"""Where the camera hangs above the mat, from how it sees the mat.

A homography alone tells the camera's place only if its focal length is known. Seen aslant, the mat
tells that, too; seen from straight above, every focal length explains it, and what is usual for
the camera decides. Both are weighed against each other.

Source: Zhang, A flexible new technique for camera calibration (2000), sec. 2.3 and 3.1: the two
constraints that one view of a plane puts on the camera.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

USUAL_FOV_DEG = 66.0
"""Horizontal, of the Raspberry Pi Camera Module 3 (datasheet); its wide one has 102."""
FOV_SPREAD = 0.35
"""How far a focal length may be from the usual one: standard deviation of its logarithm."""
SEEN_SPREAD = 0.004
"""How exactly the mat's shape is seen: standard deviation of relative lengths and angles."""
TRIED = np.exp(np.linspace(np.log(0.35), np.log(3.0), 241))
"""Focal lengths that are weighed, in picture widths (110 to 19 degrees)."""


@dataclass(frozen=True)
class Viewpoint:
    """How a camera looks at the mat.

    Attributes:
        camera_mm: x (right), y (down) from the mat's top left corner and height above it.
        tilt_deg: angle between its axis and the plumb line.
    """

    camera_mm: tuple[float, float, float]
    tilt_deg: float


def viewpoint(
    homography_px_to_mm: NDArray[np.float64],
    picture_px: tuple[int, int],
    *,
    fov_deg: float = USUAL_FOV_DEG,
    camera_matrix: NDArray[np.float64] | None = None,
) -> Viewpoint:
    """Where the camera is and how it looks.

    Args:
        homography_px_to_mm: (3, 3) camera pixels (undistorted) to mat millimetres.
        picture_px: width and height of the camera's picture; its middle is taken as the axis.
        fov_deg: usual horizontal field of view of such a camera.
        camera_matrix: (3, 3) of a measured lens, which leaves nothing to be guessed; None: there
            is none.
    """
    to_px = np.linalg.inv(np.asarray(homography_px_to_mm, np.float64))
    if camera_matrix is None:
        width, height = picture_px
        middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
        seen = np.diag([1 / width, 1 / width, 1.0]) @ middle @ to_px
        usual = 0.5 / np.tan(np.radians(fov_deg) / 2)
        focal = min(TRIED, key=lambda f: _strain(seen, float(f), usual))
        axes = np.diag([1 / focal, 1 / focal, 1.0]) @ seen
    else:
        axes = np.linalg.inv(camera_matrix) @ to_px
    axes = axes / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    if axes[2, 2] < 0:  # the mat lies before the camera
        axes = -axes
    turn = np.column_stack([axes[:, 0], axes[:, 1], np.cross(axes[:, 0], axes[:, 1])])
    x, y, depth = -np.linalg.inv(turn) @ axes[:, 2]
    plumb = turn[:, 2] / np.linalg.norm(turn[:, 2])
    tilt_deg = np.degrees(np.arccos(np.clip(plumb[2], -1.0, 1.0)))
    return Viewpoint((float(x), float(y), float(-depth)), float(tilt_deg))


def camera_above(
    homography_px_to_mm: NDArray[np.float64],
    picture_px: tuple[int, int],
    *,
    fov_deg: float = USUAL_FOV_DEG,
    camera_matrix: NDArray[np.float64] | None = None,
) -> tuple[float, float, float]:
    """The camera's place in the mat's coordinates; arguments and answer as of `viewpoint`."""
    return viewpoint(
        homography_px_to_mm, picture_px, fov_deg=fov_deg, camera_matrix=camera_matrix
    ).camera_mm


def _strain(seen: NDArray[np.float64], focal: float, usual: float) -> float:
    """How badly a focal length fits: a right angle must be one, both axes equally long."""
    one, other = (np.array([1 / focal, 1 / focal, 1.0]) * seen[:, i] for i in (0, 1))
    lengths = np.linalg.norm(one), np.linalg.norm(other)
    bent = float(one @ other) / (lengths[0] * lengths[1])
    uneven = float(np.log(lengths[0] / lengths[1]))
    strange = np.log(focal / usual) / FOV_SPREAD
    return float((bent**2 + uneven**2) / SEEN_SPREAD**2 + strange**2)
