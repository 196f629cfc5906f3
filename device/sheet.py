"""A contact sheet of a pack: every die of known value, by value, for a look before it is used."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from device.image_pixels import Picture
from device.packs import PackedThrow
from vision.crops import CROP_PX, cut_crop

COLUMNS = 12
GAP_PX = 4
HEAD_PX = 18
GROUND = (40, 40, 40)
SAME, OTHER = (200, 200, 200), (60, 160, 255)
"""Colour of the words over a die that was read as it is, and of one that was corrected; BGR."""


def contact_sheet(throws: Iterable[PackedThrow]) -> Picture:
    """Draw all dice, sorted by value; over each "value", or "value (was read)" where it differed.

    Args:
        throws: of packs, with at least one die of known value.

    Returns:
        (H, W, 3) uint8 BGR.

    Raises:
        SourceError: a picture cannot be read.
    """
    cells = []
    for throw in throws:
        image = throw.image()
        cells += [
            (die.value, die.read, cut_crop(image, die.box))
            for die in throw.dice
            if die.value is not None
        ]
    cells.sort(key=lambda cell: cell[0])
    side, tall = CROP_PX + GAP_PX, CROP_PX + HEAD_PX + GAP_PX
    rows = max(1, -(-len(cells) // COLUMNS))
    sheet = np.full((rows * tall + GAP_PX, COLUMNS * side + GAP_PX, 3), GROUND, np.uint8)
    for number, (value, read, crop) in enumerate(cells):
        left = GAP_PX + number % COLUMNS * side
        top = GAP_PX + number // COLUMNS * tall
        words, colour = (str(value), SAME) if value == read else (f"{value} ({read})", OTHER)
        cv2.putText(
            sheet, words, (left, top + HEAD_PX - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, 1,
            cv2.LINE_AA,
        )  # fmt: skip
        sheet[top + HEAD_PX : top + HEAD_PX + CROP_PX, left : left + CROP_PX] = crop
    return sheet
