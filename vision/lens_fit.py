"""A camera's lens, measured on pictures of the board: which pictures count, and when they suffice.

Sans I/O: whoever owns the clip hands in its frames one by one (`LensFit.receive`) and asks at the
end (`LensFit.solve`). Frames that show the board as another did already teach nothing new and are
left out; a fit that would not be trusted is refused with the reason and what to film anew.

Source: Zhang, A flexible new technique for camera calibration (2000); cv2.calibrateCamera.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.charuco import COLUMNS, ROWS, SQUARE_MM, corner_places_mm, find_board
from vision.errors import CalibrationError
from vision.images import Image
from vision.lens import Lens
from vision.plane import mapped, rectangle_mm

Floats = NDArray[np.float64]

MIN_CORNERS = 12
"""Of 40; a board seen with fewer tells little and may be misread."""
MIN_VIEWS = 10
"""Six unknown numbers of the lens and six of each view: from ten on they no longer vary."""
MAX_VIEWS = 40
"""More cost time (it grows with their cube) and change nothing."""
NEW_VIEW = 0.05
"""A view is new when the board's corners lie this far from those of all others, picture widths."""
CELLS = (8, 6)
"""The picture is cut into so many fields to see how much of it the board has been in,"""
MIN_COVERED = 0.6
"""which must be this share of them: outside, the bending is guessed. The four corners are 8 %."""
MIN_TILT_DEG = 12.0
"""A board always seen from the front tells no focal length: two views must differ by so much."""
MAX_RMS = 0.0008
"""Error of the board's corners, in picture widths: 1 pixel at 1280, 0.35 mm of a mat that fills it.
Sharp frames have a third of it; more is a board that is not flat, or a blurred clip."""
OUTLIER = 3.0
"""A view with this many times the middle error is blurred and left out."""


@dataclass(frozen=True, eq=False)
class View:
    """The board in a frame: corners (N, 2) in pixels, their numbers, and the outline (4, 2)."""

    corners_px: Floats
    numbers: NDArray[np.int64]
    outline_px: Floats


class LensFit:
    """Gathers views of the board.

    Attributes:
        frames: frames received.
        seen: frames in which the board was found.
        views: those that are kept.
    """

    def __init__(self) -> None:
        self.frames = 0
        self.seen = 0
        self.views: list[View] = []
        self._picture_px: tuple[int, int] | None = None

    def receive(self, image_bgr: Image) -> bool:
        """Look for the board in a frame, (H, W, 3) uint8; whether it shows it as none before.

        Raises:
            CalibrationError: the frame has another size than those before.
        """
        size = (image_bgr.shape[1], image_bgr.shape[0])
        if self._picture_px not in (None, size):
            raise CalibrationError(
                f"The pictures of the board differ in size ({self._picture_px} and {size}); "
                "use one clip of one camera."
            )
        self._picture_px = size
        self.frames += 1
        corners, numbers = find_board(image_bgr)
        if len(numbers) < MIN_CORNERS:
            return False
        self.seen += 1
        view = _view(corners, numbers)
        if view is None or len(self.views) >= MAX_VIEWS:
            return False
        if any(_apart(view, other) < NEW_VIEW * size[0] for other in self.views):
            return False
        self.views.append(view)
        return True

    @property
    def covered(self) -> float:
        """In which share of the picture's fields a corner of the board has been."""
        if self._picture_px is None or not self.views:
            return 0.0
        points = np.concatenate([view.corners_px for view in self.views])
        cells = np.floor(points / self._picture_px * CELLS).astype(int).clip(0, np.array(CELLS) - 1)
        return len({(int(x), int(y)) for x, y in cells}) / (CELLS[0] * CELLS[1])

    def solve(self) -> Lens:
        """The lens.

        Raises:
            CalibrationError: too few views, too little of the picture, no tilt, or a bad fit.
        """
        if len(self.views) < MIN_VIEWS or self._picture_px is None:
            raise CalibrationError(
                f"The board was found in {self.seen} of {self.frames} pictures, in "
                f"{len(self.views)} of them where it had not been before, but {MIN_VIEWS} are "
                "needed; move it slowly, near and far, into every corner of the picture, and tilt "
                "it."
            )
        if self.covered < MIN_COVERED:
            raise CalibrationError(
                f"The board was in {self.covered:.0%} of the picture only, expected "
                f"{MIN_COVERED:.0%} or more; show it in every corner of the picture as well."
            )
        _, tilts_deg, errors, *_ = _fitted(self.views, self._picture_px)
        sharp = errors <= OUTLIER * np.median(errors)
        views = [view for view, keep in zip(self.views, sharp, strict=True) if keep]
        rms, tilts_deg, _, matrix, bending = _fitted(views, self._picture_px)
        if np.ptp(tilts_deg) < MIN_TILT_DEG:
            raise CalibrationError(
                f"The board was never tilted: its views differ by {np.ptp(tilts_deg):.0f} degrees, "
                f"expected {MIN_TILT_DEG:.0f} or more; tilt it to every side."
            )
        if rms > MAX_RMS * self._picture_px[0]:
            raise CalibrationError(
                f"The lens fits the board badly: {rms:.2f} px, expected "
                f"{MAX_RMS * self._picture_px[0]:.2f} or less; glue the board to something flat, "
                "move it slowly and in good light."
            )
        return Lens(matrix, bending, self._picture_px, rms)


def _view(corners: Floats, numbers: NDArray[np.int64]) -> View | None:
    """A view with the outline that the whole board has in it; None: it cannot be told."""
    matrix, _ = cv2.findHomography(corner_places_mm()[numbers], corners)
    if matrix is None or not np.isfinite(matrix).all():
        return None
    outline = rectangle_mm((COLUMNS * SQUARE_MM, ROWS * SQUARE_MM))
    return View(corners, numbers, mapped(np.asarray(matrix, np.float64), outline))


def _apart(one: View, other: View) -> float:
    """How far the board's corners lie apart in two views, in the mean, pixels."""
    return float(np.linalg.norm(one.outline_px - other.outline_px, axis=1).mean())


def _fitted(
    views: list[View], picture_px: tuple[int, int]
) -> tuple[float, Floats, Floats, Floats, Floats]:
    """Error in pixels, tilt and error of every view, camera matrix, distortion."""
    places = np.c_[corner_places_mm(), np.zeros((COLUMNS - 1) * (ROWS - 1))].astype(np.float32)
    objects = [places[view.numbers] for view in views]
    images = [view.corners_px.astype(np.float32) for view in views]
    answer = cv2.calibrateCameraExtended(objects, images, picture_px, np.eye(3), np.zeros(5))
    rms, matrix, bending, turns, _, _, _, errors = answer
    axes = np.array([cv2.Rodrigues(np.asarray(turn, np.float64))[0][:, 2] for turn in turns])
    tilts_deg = np.degrees(np.arctan2(np.linalg.norm(axes[:, :2], axis=1), axes[:, 2]))
    return (
        float(rms),
        tilts_deg,
        np.asarray(errors, np.float64).ravel(),
        np.asarray(matrix, np.float64),
        np.asarray(bending, np.float64).ravel()[:5],
    )
