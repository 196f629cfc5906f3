"""A simulated camera over the table of the demo's clip, whose light and mat a test may change."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device import demo_material
from device.errors import SourceError
from device.frames import Closing, Frame
from device.simulate_effects import Flicker
from device.sources import VideoSource
from vision.calibration import calibrate_from_markers
from vision.markers import marker_centres_mm

FPS = 15.0
IDLE_S = 0.02
"""Between two pictures of a table at rest: the test's own time is not the table's."""

Picture = NDArray[np.uint8]


def bare() -> Picture:
    """The simulated table before anybody touches it."""
    with VideoSource(demo_material.clip()) as source:
        return next(iter(source)).image_bgr


def dark(picture: Picture, t_s: float) -> Picture:
    """A lamp that is nearly off."""
    return (0.12 * picture).astype(np.uint8)


def glare(picture: Picture, t_s: float) -> Picture:
    """A lamp that is mirrored in the mat, left of its middle."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    spot = np.exp(-(((x - 0.45 * width) / 110) ** 2 + ((y - 0.5 * height) / 80) ** 2))
    return np.clip(picture + 900 * spot[:, :, None], 0, 255).astype(np.uint8)


_LAMP = Flicker(np.random.default_rng(0))


def flicker(picture: Picture, t_s: float) -> Picture:
    """A lamp on the mains and a rolling shutter, as `schockauge simulate --disturb flicker`."""
    gain = _LAMP.gain(t_s, (picture.shape[1], picture.shape[0]))
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


def blurred(picture: Picture, t_s: float) -> Picture:
    """Out of focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.5), np.uint8)


def shaded(picture: Picture, t_s: float) -> Picture:
    """Something stands before the lamp."""
    shade = picture.copy()
    shade[:, : picture.shape[1] // 3] = 0.15 * shade[:, : picture.shape[1] // 3]
    return shade


def unmarked(picture: Picture, t_s: float) -> Picture:
    """A mat on which no markers are printed."""
    mat = calibrate_from_markers(bare())
    plain = picture.copy()
    cloth = picture[360, 400].tolist()
    for x, y in marker_centres_mm():
        square = np.array([[-14, -14], [14, -14], [14, 14], [-14, 14]]) * 0.98 + [x, y]
        cv2.fillConvexPoly(plain, mat.to_px(square).round().astype(np.int32), cloth)
    return plain


class SimulatedCamera(Closing):
    """Frames without end; what the table does is up to the test.

    Attributes:
        opened: how often it is open now; a camera that is opened twice is a mistake.
        most_opened: the most so far.
        lost: it is unplugged.
        ends: ends the program that reads it, as Ctrl-C does.
    """

    frame_count: int | None = None
    live = True

    def __init__(self) -> None:
        self._bare = bare()
        self._looks: dict[Any, Picture] = {}
        self._look: Callable[[Picture, float], Picture] | None = None
        self._until_s: float | None = None
        self._index = 0
        self.opened = self.most_opened = 0
        self.lost = self.ends = False

    def open(self, spec: str) -> "SimulatedCamera":
        self.opened += 1
        self.most_opened = max(self.most_opened, self.opened)
        return self

    def show(self, look: Callable[[Picture, float], Picture] | None) -> None:
        """Change the light or the mat; None: as it should be."""
        self._look = look

    def play(self, until_s: float) -> None:
        """Let the players of the demo's clip throw, up to this time of it."""
        self._until_s = until_s

    @property
    def is_idle(self) -> bool:
        return self._until_s is None

    def reopen(self) -> None:
        if self.lost:
            raise SourceError("The simulated camera is not there.")

    def close(self) -> None:
        self.opened = 0

    def __iter__(self) -> Iterator[Frame]:
        grain = np.random.default_rng(1).integers(0, 2, self._bare.shape, np.uint8)
        while True:
            for picture in self._played() if self._until_s is not None else self._at_rest():
                if self.ends:
                    raise KeyboardInterrupt
                if self.lost:
                    raise SourceError("The simulated camera sends no pictures any more.")
                self._index += 1
                # No two pictures of a sensor are the same.
                noisy = np.bitwise_xor(picture, np.roll(grain, self._index, axis=0))
                yield Frame(noisy, self._index / FPS, self._index)

    def _at_rest(self) -> Iterator[Picture]:
        time.sleep(IDLE_S)
        look = self._look
        if look is flicker:  # changes from picture to picture
            yield flicker(self._bare, self._index / FPS)
            return
        if look not in self._looks:
            self._looks[look] = self._bare if look is None else look(self._bare, 0.0)
        yield self._looks[look]

    def _played(self) -> Iterator[Picture]:
        with VideoSource(demo_material.clip()) as clip:
            for frame in clip:
                if self._until_s is None or frame.taken_at_s > self._until_s:
                    break
                yield frame.image_bgr
        self._until_s = None
