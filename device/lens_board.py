"""The board to print that tells how a camera's lens bends straight lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from device.paper import A4_MM, Paper, Rect, draw_advice, draw_ruler
from vision.charuco import board_picture

TITLE = "Schockauge: Tafel für das Objektiv / board for the lens"
PX_PER_MM = 2
"""Every edge of the board lies on a half millimetre."""
HOW_DE = (
    "Auf eine ebene Platte kleben und langsam vor der Kamera bewegen: in alle Ecken des Bildes, "
    "nah und fern, nach allen Seiten gekippt, 20 Sekunden lang."
)
HOW_EN = (
    "Glue it to something flat and move it slowly before the camera: into every corner of the "
    "picture, near and far, tilted to every side, for 20 seconds."
)


def board_pdf() -> bytes:
    """The board as a PDF: one A4 page, landscape, at true scale."""
    black = board_picture(PX_PER_MM)
    height, width = (side / PX_PER_MM for side in black.shape)
    page_mm = (A4_MM[1], A4_MM[0])
    sheet = Paper(TITLE)
    sheet.begin_page(page_mm)
    sheet.origin = ((page_mm[0] - width) / 2, 10.0)
    sheet.fill(_black_runs(black))
    sheet.origin = (0.0, 10.0 + height)
    sheet.text((22, 7), TITLE, bold=True)
    draw_ruler(sheet, (160, 8))
    draw_advice(sheet, (22, 15), size_pt=6.5)
    sheet.text((22, 22.5), HOW_DE, size_pt=6.5, bold=True)
    sheet.text((22, 25.7), HOW_EN, size_pt=6.5)
    return sheet.pdf()


def _black_runs(black: np.ndarray) -> Iterator[Rect]:
    """Rectangles in millimetres over the black pixels: runs of a row, as far down as alike."""
    rows = np.flatnonzero(np.r_[True, (black[1:] != black[:-1]).any(axis=1), True])
    for top, bottom in pairwise(rows):
        edges = np.flatnonzero(np.diff(np.r_[0, black[top].astype(np.int8), 0]))
        for left, right in edges.reshape(-1, 2):
            yield left / PX_PER_MM, top / PX_PER_MM, right / PX_PER_MM, bottom / PX_PER_MM
