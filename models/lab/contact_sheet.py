"""Pictures with captions, many on one sheet."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

TILE_PX = (480, 384)
LINE_PX = 20
COLUMNS = 3
INK, PAPER = (235, 235, 235), 24


def contact_sheet(
    pictures: Sequence[NDArray[np.uint8]], captions: Sequence[Sequence[str]], columns: int = COLUMNS
) -> NDArray[np.uint8]:
    """Put pictures side by side.

    Args:
        pictures: (H, W, 3) uint8 BGR, any sizes; each is fitted into a tile.
        captions: lines of text under each; ASCII, other letters are replaced.
        columns: tiles in a row.

    Returns:
        The sheet, (H, W, 3) uint8 BGR; one empty tile without pictures.
    """
    lines = max((len(caption) for caption in captions), default=1)
    width, height = TILE_PX[0], TILE_PX[1] + LINE_PX * lines + 8
    rows = max(1, -(-len(pictures) // columns))
    sheet = np.full(
        (rows * height, min(columns, max(1, len(pictures))) * width, 3), PAPER, np.uint8
    )
    for number, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        row, column = divmod(number, columns)
        tile = sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
        factor = min(TILE_PX[0] / picture.shape[1], TILE_PX[1] / picture.shape[0])
        size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
        tile[: size[1], : size[0]] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        for line, text in enumerate(caption):
            at = (6, TILE_PX[1] + LINE_PX * (line + 1) - 4)
            plain = text.encode("ascii", "replace").decode()
            cv2.putText(tile, plain, at, cv2.FONT_HERSHEY_SIMPLEX, 0.48, INK, 1, cv2.LINE_AA)
    return sheet
