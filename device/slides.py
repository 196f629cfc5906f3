"""Photographs of dice shown to the table's camera, one after the other: a slide show.

Real pictures for what usually reads a table. Each photograph lies on a mat with markers for a
while, and is cut to the bare mat and to the next one, hands-free. It is no video of a game: nobody
throws, nothing moves, many photographs show more or fewer than three dice, and most were taken
aslant: to a camera above the table their dice look as if they leaned. So two things are compared:
what the table would have committed (dice at rest, every one of them sure, and flat), and the values
that it read for sure, however the dice seem to stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from device.errors import SourceError
from device.frames import Frame
from device.image_pixels import Picture
from device.images import load_image
from device.photo_labels import LabelledDie, Photograph
from vision.markers import MARKER_SIDE_MM, MAT_SIZE_MM, QUIET_SIDE_MM, marker_centres_mm
from vision.watcher import Watcher

FPS = 10.0
HELD_S = 1.5
BARE_S = 0.7
"""Long enough for the mat to be seen bare before every photograph."""
PX_PER_MM = 2.6
AROUND_PX = 40
"""What the camera sees around the mat."""
DIE_MM = 16.0
"""A photograph is shown at the scale at which its dice are so large, or as large as it fits."""
INSET_MM = 30.0
"""It keeps clear of the markers by so much."""
FELT_BGR = (62, 84, 44)
GRAIN_LEVELS = 4.0
TABLE_BGR = (70, 96, 130)


@dataclass(frozen=True)
class Slide:
    """What became of a photograph.

    Attributes:
        photograph: it.
        committed: what the table held for sure, highest first; None: not every die was.
        read: the values that it read for sure, highest first; None: not of every die.
        values: those of single dice, highest first.
        problem: why it could not be shown; "": it was.
    """

    photograph: Photograph
    committed: tuple[int, ...] | None = None
    read: tuple[int, ...] | None = None
    values: tuple[int, ...] = ()
    problem: str = ""

    @property
    def labels(self) -> tuple[int, ...]:
        """What a person has labelled, highest first."""
        return _sorted([die.value for die in self.photograph.dice])

    @property
    def dice_right(self) -> int:
        """How many of the values that were sure the labels know."""
        return sum((Counter(self.values) & Counter(self.labels)).values())


def bare_mat() -> Picture:
    """The table with a mat and nothing on it, straight from above, (H, W, 3) uint8."""
    width, height = (round(side * PX_PER_MM) for side in MAT_SIZE_MM)
    rng = np.random.default_rng(1)
    grain = rng.normal(0, GRAIN_LEVELS, (height, width, 1))
    mat = np.clip(np.array(FELT_BGR) + cv2.GaussianBlur(grain, (0, 0), 1.0)[..., None], 0, 255)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for index, (x, y) in enumerate(marker_centres_mm() * PX_PER_MM):
        quiet, side = (round(mm * PX_PER_MM) for mm in (QUIET_SIDE_MM, MARKER_SIDE_MM))
        left, top = round(x - quiet / 2), round(y - quiet / 2)
        mat[top : top + quiet, left : left + quiet] = 235
        marker = cv2.aruco.generateImageMarker(dictionary, index, side)
        begin = (quiet - side) // 2
        mat[top + begin : top + begin + side, left + begin : left + begin + side] = (
            marker[..., None] * 0.85 + 18
        )
    table = np.full((height + 2 * AROUND_PX, width + 2 * AROUND_PX, 3), TABLE_BGR, np.uint8)
    table[AROUND_PX:-AROUND_PX, AROUND_PX:-AROUND_PX] = mat.astype(np.uint8)
    return table


def on_mat(picture: Picture, dice: Sequence[LabelledDie], mat: Picture) -> Picture:
    """A photograph laid in the middle of the mat.

    Args:
        picture: (H, W, 3) uint8.
        dice: its labels; where they know sizes, they set the scale.
        mat: as `bare_mat` makes it.
    """
    height, width = picture.shape[:2]
    room = [(side - 2 * INSET_MM) * PX_PER_MM for side in MAT_SIZE_MM]
    scale = min(room[0] / width, room[1] / height)
    sides = [side for die in dice if (side := die.side_px((width, height))) is not None]
    if sides:
        scale = min(scale, DIE_MM * PX_PER_MM / float(np.median(sides)))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    shown = cv2.resize(picture, size, interpolation=method)
    table = mat.copy()
    top, left = (table.shape[0] - size[1]) // 2, (table.shape[1] - size[0]) // 2
    table[top : top + size[1], left : left + size[0]] = shown
    return table


def show(
    photographs: Iterable[Photograph], make_watcher: Callable[[Frame], Watcher]
) -> Iterator[Slide]:
    """Show photographs to a table that watches.

    Args:
        photographs: labelled.
        make_watcher: makes it from the first frame.

    Yields:
        What became of each.
    """
    mat, watcher, number = bare_mat(), None, 0

    def watched(picture: Picture, seconds: float) -> Watcher:
        nonlocal watcher, number
        for _ in range(round(seconds * FPS)):
            frame = Frame(picture, number / FPS, number)
            watcher = watcher or make_watcher(frame)
            watcher.receive(frame.image_bgr, frame.taken_at_s)
            number += 1
        assert watcher is not None, "it has seen a frame"
        return watcher

    for photograph in photographs:
        try:
            picture = load_image(photograph.path)
        except SourceError as error:
            yield Slide(photograph, problem=str(error))
            continue
        watched(mat, BARE_S)
        yield _slide(photograph, watched(on_mat(picture, photograph.dice, mat), HELD_S))


def _slide(photograph: Photograph, watcher: Watcher) -> Slide:
    dice = [die for die in watcher.state.dice if die.on_mat]
    flat = [die.value for die in dice if die.sure and die.kind == "die"]
    values = [die.value for die in dice if die.at_rest and die.reading.sure]
    found = len(dice) if dice and not watcher.state.unborn else -1
    return Slide(
        photograph,
        _sorted(flat) if len(flat) == found else None,
        _sorted(values) if len(values) == found else None,
        _sorted(values),
    )


def _sorted(values: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(values, reverse=True))
