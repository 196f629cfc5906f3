"""The mat as it is seen from straight above: a camera's picture, warped where somebody looks."""

from functools import lru_cache

import cv2
import numpy as np

from vision.calibration import MatCalibration
from vision.errors import CalibrationError
from vision.images import Image, Where, as_bgr, scaled, to_uint8
from vision.plane import VIEWS_KEPT, lie_inside, view_maps

BORDER_GREY = 114


class MatView:
    """One camera frame in the mat's plane at a fixed scale.

    A mat point (x, y) lies at ((x + margin_mm) * scale, (y + margin_mm) * scale). What somebody
    indexes, by rows and columns, is warped then and once: most looks see a part of the mat.

    Args:
        image_bgr: (H, W, 3) uint8, BGR, as the camera took it.
        mat: homography pixels -> millimetres, and the lens.
        margin_mm: also show this much around the mat; grey where the camera sees nothing.
        scale_px_per_mm: resolution; None: `mat.scale_px_per_mm`.

    Attributes:
        shape: (h, w, 3) of all of it.

    Raises:
        CalibrationError: the mat's corners lie outside the image, or it has another size than
            those that the lens was measured on.
        PictureError: not a picture.

    Source: Hartley & Zisserman, Multiple View Geometry, 2nd ed., sec. 2.3.
    """

    def __init__(
        self,
        image_bgr: Image,
        mat: MatCalibration,
        *,
        margin_mm: float = 0.0,
        scale_px_per_mm: float | None = None,
    ) -> None:
        picture = as_bgr(image_bgr)
        height, width = picture.shape[:2]
        scale = scale_px_per_mm or mat.scale_px_per_mm
        shrink = _shrink(mat, (width, height), scale)
        self._small = small = scaled(picture, 1 / shrink, 1 / shrink)
        from_small = (width / small.shape[1], height / small.shape[0])
        view_mm = (mat.mat_size_mm[0] + 2 * margin_mm, mat.mat_size_mm[1] + 2 * margin_mm)
        size = (round(view_mm[0] * scale), round(view_mm[1] * scale))
        self._maps = view_maps(mat.projection, size, scale, margin_mm, from_small)
        self.shape = (size[1], size[0], 3)
        self._parts: list[tuple[Image, int, int]] = []

    def __getitem__(self, where: Where) -> Image:
        """A part of it, (h, w, 3) uint8; as of an array, but without steps."""
        (top, bottom, _), (left, right, _) = (
            one.indices(side) for one, side in zip(where, self.shape[:2], strict=True)
        )
        for part, y, x in self._parts:
            seen = part[top - y : bottom - y, left - x : right - x]
            if y <= top and x <= left and seen.shape[:2] == (bottom - top, right - left):
                return seen
        part = self._warped(top, bottom, left, right)
        self._parts.append((part, top, left))
        return part

    @property
    def whole(self) -> Image:
        """All of it, (h, w, 3) uint8."""
        return self[:, :]

    def _warped(self, top: int, bottom: int, left: int, right: int) -> Image:
        places, fine = (each[top:bottom, left:right] for each in self._maps)
        if not fine.size:
            return np.zeros((*fine.shape, 3), np.uint8)
        grey = (BORDER_GREY, BORDER_GREY, BORDER_GREY)
        how, border = cv2.INTER_LINEAR, cv2.BORDER_CONSTANT
        return to_uint8(
            cv2.remap(self._small, places, fine, how, borderMode=border, borderValue=grey)
        )


def rectify(
    image_bgr: Image,
    mat: MatCalibration,
    *,
    margin_mm: float = 0.0,
    scale_px_per_mm: float | None = None,
) -> Image:
    """All of a `MatView`, (h, w, 3) uint8; arguments and errors as there."""
    return MatView(image_bgr, mat, margin_mm=margin_mm, scale_px_per_mm=scale_px_per_mm).whole


@lru_cache(maxsize=VIEWS_KEPT)
def _shrink(mat: MatCalibration, picture_px: tuple[int, int], scale_px_per_mm: float) -> int:
    """By how much a picture is averaged down before it is warped; errors of `rectify`.

    A camera much finer than the view would alias pips otherwise.
    """
    if mat.lens is not None:
        mat.lens.check_size(picture_px)
    corners = mat.corners_px()
    if not lie_inside(corners, picture_px):
        raise CalibrationError(
            f"The mat's corners {corners.round().tolist()} do not lie in the picture of "
            f"{picture_px[0]} x {picture_px[1]} pixels; the camera was moved or changed its size: "
            "calibrate again."
        )
    long_px = max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[0]))
    return max(1, int(long_px / (max(mat.mat_size_mm) * scale_px_per_mm)))
