"""Drawing on pictures for people; evidence itself stays clean.

Annotator(image).mark(box, "6", SURE).mark(cup_box, "cup", CUP).picture
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.images import Image, as_bgr
from vision.reading import Box, Reading
from vision.seats import Polygon, Seat
from vision.table import SceneState

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Style:
    """How one kind of thing is drawn: a BGR colour and the colour of its label's text."""

    colour: Colour
    text: Colour = (0, 0, 0)


# Told apart also by people who see red and green alike: the lightness differs as well.
SURE = Style((90, 200, 60))
UNSURE = Style((60, 190, 255))
FAULT = Style((40, 40, 200), (255, 255, 255))
CUP = Style((200, 140, 60), (255, 255, 255))
SEAT = Style((200, 200, 200))
SHRUNK = 0.985
"""Outlines of neighbours are drawn side by side, not over each other."""


class Annotator:
    """Draws on a copy of a picture; every call returns the annotator, so that calls chain.

    Args:
        image_bgr: (H, W, 3) uint8; stays as it is.

    Attributes:
        picture: (H, W, 3) uint8, what was drawn so far.
    """

    def __init__(self, image_bgr: Image) -> None:
        self.picture: Image = as_bgr(image_bgr).copy()

    def mark(self, box: Box, label: str, style: Style) -> "Annotator":
        """Draw one box with a label.

        Args:
            box: left, top, right, bottom in pixels.
            label: a few letters (ASCII: OpenCV draws no others).
            style: colours.

        Returns:
            The annotator itself.
        """
        left, top, right, bottom = (round(number) for number in box)
        line_px = max(1, round(max(self.picture.shape[:2]) / 480))
        cv2.rectangle(self.picture, (left, top), (right, bottom), style.colour, line_px)
        # As high as half the die, but never too small to read.
        scale = min(4.0, max(0.45, (bottom - top) / 70))
        font = cv2.FONT_HERSHEY_SIMPLEX
        (width, height), below = cv2.getTextSize(label, font, scale, line_px)
        tall = height + below
        base = top - line_px if top - tall > 0 else bottom + tall
        plate = (left, base - tall), (left + width, base)
        cv2.rectangle(self.picture, *plate, style.colour, cv2.FILLED)
        cv2.putText(
            self.picture, label, (left, base - below // 2), font, scale, style.text, line_px
        )
        return self

    def outline(self, polygon: Polygon, style: Style) -> "Annotator":
        """Draw a convex polygon, corners (x, y) in pixels; returns the annotator itself."""
        corners = np.array(polygon).reshape(-1, 2)
        inner = corners.mean(axis=0) + SHRUNK * (corners - corners.mean(axis=0))
        line_px = max(1, round(max(self.picture.shape[:2]) / 480))
        cv2.polylines(self.picture, [inner.round().astype(np.int32)], True, style.colour, line_px)  # noqa: FBT003
        return self


def annotate_reading(image_bgr: Image, reading: Reading) -> Image:
    """Draw what was read on a photograph.

    Args:
        image_bgr: (H, W, 3) uint8, the very picture that was read; stays as it is.
        reading: what was read.

    Returns:
        A new picture: sure values green, unsure ones yellow with "?", faults red, cups blue;
            where a part of a die shows, a yellow "?".
    """
    annotator = Annotator(image_bgr)
    for cup in reading.cups:
        annotator.mark(cup.box, "cup", CUP)
    for die in reading.dice:
        annotator.mark(die.box, *_value_label(die.value, sure=die.sure))
    for kind, things in (("tower", reading.towers), ("burning", reading.burning)):
        for thing in things:
            annotator.mark(thing.box, kind, FAULT)
    for part in reading.parts:
        annotator.mark(part.box, "?", UNSURE)
    return annotator.picture


def annotate_seats(
    view_bgr: Image,
    seats: Sequence[Seat],
    states: Sequence[SceneState] = (),
    *,
    scale_px_per_mm: float,
    margin_mm: float = 0.0,
) -> Image:
    """Draw the seats around a mat on its rectified picture.

    Args:
        view_bgr: (h, w, 3) uint8 from `vision.mat_view.rectify`; stays as it is.
        seats: who sits where.
        states: what lies at each; where a hand hides it, the seat is red. None: not known.
        scale_px_per_mm: resolution of the view.
        margin_mm: what the view shows around the mat.

    Returns:
        A new picture with each one's throwing and put-aside areas.
    """
    annotator = Annotator(view_bgr)
    for index, seat in enumerate(seats):
        occluded = bool(states) and states[index].is_occluded
        for area in (seat.aside, seat.throwing):
            pixels = [tuple((v + margin_mm) * scale_px_per_mm for v in corner) for corner in area]
            annotator.outline(tuple((x, y) for x, y in pixels), FAULT if occluded else SEAT)
    return annotator.picture


def annotate_scene(
    view_bgr: Image, state: SceneState, *, scale_px_per_mm: float, margin_mm: float = 0.0
) -> Image:
    """Draw what is known of the table on its rectified picture.

    Args:
        view_bgr: (h, w, 3) uint8 from `vision.mat_view.rectify`; stays as it is.
        state: the table.
        scale_px_per_mm: resolution of the view.
        margin_mm: what the view shows around the mat.

    Returns:
        A new picture, colours as in `annotate_reading`; a die that still moves is labelled "~".
    """
    annotator = Annotator(view_bgr)

    def pixels(box_mm: Box) -> Box:
        left, top, right, bottom = ((side + margin_mm) * scale_px_per_mm for side in box_mm)
        return (left, top, right, bottom)

    for cup in state.cups:
        annotator.mark(pixels(cup.box_mm), "cup", CUP)
    for die in state.dice:
        if die.kind != "die":
            label, style = die.kind, FAULT
        elif not die.at_rest:
            label, style = "~", UNSURE
        else:
            label, style = _value_label(die.value, sure=die.sure)
        annotator.mark(pixels(die.box_mm), label, style)
    return annotator.picture


def _value_label(value: int, *, sure: bool) -> tuple[str, Style]:
    return (str(value), SURE) if sure else (f"{value}?", UNSURE)
