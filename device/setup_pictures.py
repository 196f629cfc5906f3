"""The pictures of the set-up: the camera's with what was found, and the mat with what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from device.calibration_report import font
from device.image_pixels import Picture
from vision.annotate import FAULT, UNSURE, annotate_scene, annotate_seats
from vision.calibration import MatCalibration
from vision.errors import CalibrationError
from vision.light import LightFinding, Places
from vision.markers import find_markers
from vision.mat_view import rectify
from vision.seats import Seat
from vision.table import SceneState
from web_ui.setup_ports import SHOWN_PX

AROUND_MM = 15.0
"""So much around the mat is shown once it is known where it lies, and nothing beyond."""
MARKER_BGR, MAT_BGR, TAP_BGR = (90, 230, 90), (80, 220, 255), (230, 90, 230)
NAME_PX, CROSS_PX = 22, 11
FILL = 0.35
"""What is marked stays to be seen under the colour."""


def plain(picture: Picture) -> Picture:
    """All that the camera sees, `SHOWN_PX` wide."""
    height, width = picture.shape[:2]
    size = (SHOWN_PX, round(SHOWN_PX * height / width))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def with_mat(
    picture: Picture, mat: MatCalibration | None, taps: Sequence[tuple[float, float]]
) -> Picture:
    """The camera's picture with the markers, the mat's outline and the corners pointed at."""
    shown = plain(picture)
    scale = SHOWN_PX / picture.shape[1]
    try:
        markers = find_markers(picture)
    except CalibrationError:  # two mats
        markers = {}
    _outline(shown, (quad * scale for quad in markers.values()), MARKER_BGR)
    if mat is not None:
        _outline(shown, [mat.corners_px() * scale], MAT_BGR)
    for number, (x, y) in enumerate(taps, start=1):
        at = (round(x), round(y))
        cv2.drawMarker(shown, at, (0, 0, 0), cv2.MARKER_CROSS, 2 * CROSS_PX, 4)
        cv2.drawMarker(shown, at, TAP_BGR, cv2.MARKER_CROSS, 2 * CROSS_PX, 2)
        beside = (at[0] + CROSS_PX, at[1] - CROSS_PX)
        for colour, thick in (((0, 0, 0), 4), (TAP_BGR, 2)):
            cv2.putText(shown, str(number), beside, cv2.FONT_HERSHEY_SIMPLEX, 0.8, colour, thick)
    return shown


def with_seats(picture: Picture, mat: MatCalibration, seats: Sequence[Seat]) -> Picture:
    """The mat from above with everybody's part of it, and their names."""
    view, scale = _view(picture, mat)
    drawn = annotate_seats(view, seats, scale_px_per_mm=scale, margin_mm=AROUND_MM)
    page = Image.fromarray(drawn[:, :, ::-1])
    draw = ImageDraw.Draw(page)
    for seat in seats:
        corners = np.array(seat.throwing)
        x, y = ((corners.mean(axis=0) + AROUND_MM) * scale).tolist()
        draw.text((x, y), seat.name, fill=(255, 255, 255), font=font(NAME_PX), anchor="mm",
                  stroke_width=3, stroke_fill=(0, 0, 0))  # fmt: skip
    return np.ascontiguousarray(np.asarray(page, np.uint8)[:, :, ::-1])


def with_finding(picture: Picture, mat: MatCalibration, finding: LightFinding) -> Picture:
    """The mat from above, and where something is wrong with the light."""
    view, scale = _view(picture, mat)
    colour = FAULT.colour if finding.verdict == "bad" else UNSURE.colour
    places: Places = tuple((mat.to_mm(place) + AROUND_MM) * scale for place in finding.places)
    filled = view.copy()
    for place in places:
        cv2.fillPoly(filled, [place.round().astype(np.int32)], colour)
    marked = np.asarray(cv2.addWeighted(filled, FILL, view, 1 - FILL, 0), np.uint8)
    _outline(marked, places, colour)
    return marked


def with_scene(picture: Picture, mat: MatCalibration, state: SceneState | None) -> Picture:
    """The mat from above with the dice and cups as they are read."""
    view, scale = _view(picture, mat)
    if state is None:
        return view
    return annotate_scene(view, state, scale_px_per_mm=scale, margin_mm=AROUND_MM)


def _view(picture: Picture, mat: MatCalibration) -> tuple[Picture, float]:
    """The mat from above, `SHOWN_PX` wide, and its scale."""
    scale = SHOWN_PX / (mat.mat_size_mm[0] + 2 * AROUND_MM)
    return rectify(picture, mat, margin_mm=AROUND_MM, scale_px_per_mm=scale), scale


def _outline(picture: Picture, places: Iterable[Any], colour: tuple[int, int, int]) -> None:
    for place in places:
        corners = [np.round(np.asarray(place) * 16).astype(np.int32)[:, None]]
        for shade, thick in (((0, 0, 0), 4), (colour, 2)):
            cv2.polylines(picture, corners, True, shade, thick, cv2.LINE_AA, 4)  # noqa: FBT003
