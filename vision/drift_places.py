"""The four places by which a mat is known again: its markers, or its corners (`vision.drift`)."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import MatCalibration
from vision.errors import CalibrationError
from vision.images import Image, to_uint8
from vision.markers import MARKER_INSET_MM, find_marker_centres, marker_centres_mm
from vision.plane import homography, maps_of, rectangle_mm

PX_PER_MM = 1.5
"""Resolution of the patches: a module of a marker is 3.3 mm wide."""
MARKER_PATCH_MM = 24.0
"""A marker and its white border, all on the mat: what lies beside the mat may change."""
CORNER_PATCH_MM = 32.0
"""A corner of the mat with as much table beside it."""
ALIKE = 0.8
"""Correlation from which on a patch is found. In the demo's clip 99.4 % of the markers in place
have 0.9 and more (the others are under hands); dimmed to a quarter, with noise of 15 levels, 0.89.
Another marker in its place has up to 0.72, the rest of the mat up to 0.51."""
TEXTURE = 8.0
"""Levels by which a corner's patch must spread to be known again; a dark mat on a dark table has
nothing to go by."""
SAME_RATIO = 0.01
"""Two pictures have the same shape when the ratios of their sides differ by no more."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Anchors:
    """The four places as they were when the mat was found.

    Attributes:
        mat: where it was.
        size_px: width and height of the picture.
        places_mm: (4, 2) the patches' middles.
        side_mm: of a patch.
        patches: four, grey, (n, n) uint8; None where there is nothing to go by.
        printed: they are markers.
    """

    mat: MatCalibration
    size_px: tuple[int, int]
    places_mm: Points
    side_mm: float
    patches: tuple[Image | None, ...]
    printed: bool


def anchored(mat: MatCalibration, picture: Image) -> Anchors:
    """Keep how the four places look: markers where all four are, the mat's corners otherwise."""
    centres_px = markers_px(picture)
    printed = not np.isnan(centres_px).any()
    corners_mm = rectangle_mm(mat.mat_size_mm)
    places_mm = mat.to_mm(centres_px) if printed else corners_mm
    expected_mm = marker_centres_mm(mat.mat_size_mm)
    if printed and float(lengths(places_mm - expected_mm).max()) > MARKER_INSET_MM:
        printed, places_mm = False, corners_mm  # of another mat
    side_mm = MARKER_PATCH_MM if printed else CORNER_PATCH_MM
    patches = [_window(picture, mat, place, side_mm) for place in places_mm]
    clear = tuple(p if float(p.std()) >= TEXTURE else None for p in patches)
    return Anchors(mat, size_of(picture), places_mm, side_mm, clear, printed)


def reanchored(anchors: Anchors, mat: MatCalibration, picture: Image) -> Anchors:
    """The same places where the mat is now; while a marker is hidden, they look as they did."""
    fresh = anchored(mat, picture)
    if fresh.printed or not anchors.printed:
        return fresh
    return replace(anchors, mat=mat, size_px=size_of(picture))


def completed(anchors: Anchors, places_px: Points, tolerance_mm: float) -> Points:
    """Where one of the four places is hidden: where it must be, the others having moved together.

    Args:
        anchors: the places as they were.
        places_px: (4, 2) where they are seen now; nan: hidden.
        tolerance_mm: a push turns and shifts the picture, and makes it larger or smaller; the
            three places must fit that as well.

    Returns:
        (4, 2); as given where more than one is hidden, or the view is bent.
    """
    seen = ~np.isnan(places_px[:, 0])
    if seen.sum() != 3:
        return places_px
    # Turning, scaling and shifting a plane is z -> a z + b with complex numbers.
    before = anchors.mat.to_px(anchors.places_mm) @ np.array([1, 1j])
    now = places_px @ np.array([1, 1j])
    known = np.column_stack([before, np.ones(4)])
    (a, b), *_ = np.linalg.lstsq(known[seen], now[seen], rcond=None)
    moved = a * before + b
    moved_px = np.column_stack([moved.real, moved.imag])
    strayed_mm = anchors.mat.to_mm(moved_px[seen]) - anchors.mat.to_mm(places_px[seen])
    if float(lengths(strayed_mm).max()) > tolerance_mm:
        return places_px
    return np.where(seen[:, None], places_px, moved_px)


def markers_px(picture: Image) -> Points:
    """The markers 0..3 as far as they are seen: (4, 2) pixels, nan elsewhere."""
    try:
        centres = find_marker_centres(picture)
    except CalibrationError:  # a second mat: no saying which is ours
        centres = {}
    return np.array([centres.get(index, np.full(2, np.nan)) for index in range(4)])


def moved_by(picture: Image, anchors: Anchors, place: int, reach_mm: float) -> Points:
    """How far one of the four places has moved, (2,) mm; nan where it is not found."""
    nowhere, patch = np.full(2, np.nan), anchors.patches[place]
    if patch is None:
        return nowhere
    side_mm = anchors.side_mm + 2 * reach_mm
    window = _window(picture, anchors.mat, anchors.places_mm[place], side_mm)
    alike = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(alike)
    rows, columns = alike.shape
    if best < ALIKE or not (0 < column < columns - 1 and 0 < row < rows - 1):
        return nowhere
    x = column + _peak(*alike[row, column - 1 : column + 2].tolist())
    y = row + _peak(*alike[row - 1 : row + 2, column].tolist())
    return np.array([x - (columns - 1) / 2, y - (rows - 1) / 2]) / PX_PER_MM


def _peak(before: float, best: float, after: float) -> float:
    """Where between -0.5 and 0.5 a parabola through three values has its top."""
    bend = before - 2 * best + after
    return 0.5 * (before - after) / bend if bend < 0 else 0.0


def _window(picture: Image, mat: MatCalibration, centre_mm: Points, side_mm: float) -> Image:
    """A square of the mat seen straight from above, grey: (n, n) uint8."""
    left, top = centre_mm - side_mm / 2
    size = (round(side_mm * PX_PER_MM), round(side_mm * PX_PER_MM))
    edge = cv2.BORDER_REPLICATE  # nothing to go by: the picture's edge never moves
    if mat.lens is None:
        to_window = np.array(
            [[PX_PER_MM, 0, -PX_PER_MM * left], [0, PX_PER_MM, -PX_PER_MM * top], [0, 0, 1.0]]
        )
        matrix = to_window @ mat.homography_px_to_mm
        view = cv2.warpPerspective(picture, matrix, size, borderMode=edge)
    else:
        maps = maps_of(mat.to_px, size, PX_PER_MM, (left, top))
        view = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=edge)
    return to_uint8(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY))


def placed(
    mat: MatCalibration, places_px: Points, places_mm: Points, size_px: tuple[int, int]
) -> MatCalibration | None:
    """The same mat where its four places are seen now; None when they cannot be so.

    Nor when a picture of another shape is not seen through the lens that was measured.
    """
    lens = mat.lens
    if lens is not None and lens.picture_px != size_px:
        if not _same_shape(lens.picture_px, size_px):
            return None
        lens = lens.scaled_to(size_px)
    straight = places_px if lens is None else lens.straightened(places_px)
    try:
        return replace(mat, homography_px_to_mm=homography(straight, places_mm), lens=lens)
    except CalibrationError:  # four points on a line
        return None


def rescaled(anchors: Anchors, size_px: tuple[int, int]) -> MatCalibration | None:
    """The mat in a picture of another size and the same shape; None where the shape differs."""
    if not _same_shape(anchors.size_px, size_px):
        return None
    lens = anchors.mat.lens
    factors = np.array(anchors.size_px, dtype=np.float64) / size_px
    matrix = anchors.mat.homography_px_to_mm @ np.diag([*factors, 1.0])
    lens = None if lens is None else lens.scaled_to(size_px)
    return replace(anchors.mat, homography_px_to_mm=matrix, lens=lens)


def _same_shape(size_px: tuple[int, int], other_px: tuple[int, int]) -> bool:
    return abs(size_px[0] * other_px[1] / (size_px[1] * other_px[0]) - 1) <= SAME_RATIO


def shift_mm(before: Anchors, now: MatCalibration) -> float:
    """How far the four places have moved in the picture, their mean, in millimetres of the mat."""
    places_px = before.mat.to_px(before.places_mm)
    return float(lengths(now.to_mm(places_px) - before.places_mm).mean())


def lengths(moves_mm: Points) -> Points:
    """Lengths of moves (..., 2); nan stays nan."""
    return np.asarray(np.hypot(moves_mm[..., 0], moves_mm[..., 1]))


def size_of(picture: Image) -> tuple[int, int]:
    """Width and height."""
    return picture.shape[1], picture.shape[0]
