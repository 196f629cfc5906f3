"""A mat that is filmed: frames with dice and a cup, and a watcher that knows their colours."""

import functools

import cv2
import numpy as np
from vision_fakes import ColourDetector, ColourReader, colour_of, table_picture

from vision.calibration import calibrate_from_corners
from vision.watcher import Watcher

CORNERS = [[34, 25], [926, 25], [926, 694], [34, 694]]
MAT = calibrate_from_corners(CORNERS, (420.0, 315.0))
THROW = [(6, 100, 100), (5, 150, 120), (2, 200, 90)]


@functools.cache
def grain(number: int) -> np.ndarray:
    """Sensor noise of one frame; a few patterns are enough, drawing them is slow."""
    return np.random.default_rng(number).normal(0, 4, (720, 960, 3)).round().astype(np.int16)


def frame(dice=(), cup=None, *, noise=None) -> np.ndarray:
    """What the camera sees of dice and a cup at millimetres on the mat."""
    picture = table_picture(960, 720)
    for kind, x, y in dice:
        square = [[x - 8, y - 8], [x + 8, y - 8], [x + 8, y + 8], [x - 8, y + 8]]
        cv2.fillConvexPoly(picture, MAT.to_px(square).round().astype(int), colour_of(kind))
    if cup is not None:
        centre = MAT.to_px([cup])[0].round().astype(int)
        cv2.circle(picture, centre.tolist(), 85, colour_of("cup"), cv2.FILLED)
    if noise is not None:
        picture = np.clip(picture + grain(noise % 5), 0, 255).astype(np.uint8)
    return picture


def watch(watcher, script, *, until_s, fps=15, noisy=False):
    """Play (start_s, dice, cup) moments."""
    events = []
    for number in range(round(until_s * fps) + 1):
        now_s = number / fps
        _, dice, cup = [moment for moment in script if moment[0] <= now_s + 1e-9][-1]
        events += watcher.receive(frame(dice, cup, noise=number if noisy else None), now_s)
    return events


def watcher(**changes):
    return Watcher(ColourDetector(), ColourReader(**changes), MAT)
