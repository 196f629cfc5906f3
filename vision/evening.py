"""Contrast brought halfway to even along the axes of a picture's own colours.

Red pips on a dark die differ from it along an axis that a mirrored lamp hardly touches, and green
dice on a dim carpet along one that its pattern does not use (decorrelation stretch: Gillespie,
Kahle, Walker 1986). `models/EXPERIMENTS.md` tells what that is worth to readers and finder.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image, to_uint8

EVEN_LEVELS, GRAIN_LEVELS = 40.0, 6.0
"""Spread of 0..255 that every axis of the colours is brought towards, and below which an axis holds
little but grain."""
SAMPLE_PX = 20_000
"""So many pixels tell the colours of a whole picture."""

Floats = NDArray[np.float32]


def evened(crops_bgr: Image) -> Image:
    """Every crop with the contrast of its own colours.

    Args:
        crops_bgr: (N, H, W, 3) uint8; N may be 0.

    Returns:
        The same shape; the mean colour of every crop stays.
    """
    number, height, width = crops_bgr.shape[:3]
    colours = crops_bgr.reshape(number, height * width, 3).astype(np.float32)
    mean = colours.mean(axis=1, keepdims=True)
    colours -= mean
    turned = _stretch(colours)
    return to_uint8(np.clip(colours @ turned + mean, 0, 255)).reshape(crops_bgr.shape)


def evened_picture(picture_bgr: Image) -> Image:
    """A whole picture, (H, W, 3) uint8, of any size; its mean colour stays."""
    height, width = picture_bgr.shape[:2]
    step = max(1, int((height * width / SAMPLE_PX) ** 0.5))
    colours = picture_bgr[::step, ::step].reshape(1, -1, 3).astype(np.float32)
    mean = colours.mean(axis=1, keepdims=True)
    (turned,) = _stretch(colours - mean)
    moved = mean[0, 0] - mean[0, 0] @ turned
    return to_uint8(cv2.transform(picture_bgr, np.column_stack([turned.T, moved])))


def _stretch(colours: Floats) -> Floats:
    """(N, P, 3) colours around their mean to (N, 3, 3), what they are to be multiplied by."""
    spread, axes = np.linalg.eigh(colours.transpose(0, 2, 1) @ colours / colours.shape[1])
    gains = np.sqrt(EVEN_LEVELS / (np.sqrt(np.maximum(spread, 0)) + GRAIN_LEVELS))
    return np.asarray((axes * gains[:, None, :]) @ axes.transpose(0, 2, 1), np.float32)
