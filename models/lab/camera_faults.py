"""What a cheap camera and a pub's light do to a picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .tracer import to_srgb

Rng = np.random.Generator


def _light_falloff(rng: Rng, image: NDArray[np.float32]) -> NDArray[np.float32]:
    h, w = image.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    y, x = y / h - 0.5, x / w - 0.5
    gain = 1 + rng.normal(0, 0.25) * x + rng.normal(0, 0.25) * y
    if rng.random() < 0.4:  # vignetting
        gain = gain * (1 - rng.uniform(0, 0.9) * (x * x + y * y))
    if rng.random() < 0.15:  # somebody's shadow, or a spot lamp
        angle, at = rng.uniform(0, 6.28), rng.uniform(-0.3, 0.3)
        edge = 1 / (
            1 + np.exp(-(x * np.cos(angle) + y * np.sin(angle) - at) * rng.uniform(10, 120))
        )
        gain = gain * (1 - rng.uniform(0.2, 0.7) * edge)
    return np.asarray(image * np.clip(gain, 0.05, 3)[..., None], np.float32)


def _blur(rng: Rng, image: NDArray[np.float32]) -> NDArray[np.float32]:
    if rng.random() < 0.4:
        image = cv2.GaussianBlur(
            image, (0, 0), float(np.exp(rng.uniform(np.log(0.35), np.log(1.7))))
        )
    if rng.random() < 0.12:
        n = int(rng.integers(3, 8))
        kernel = np.zeros((n, n), np.float32)
        cv2.line(kernel, (0, int(rng.integers(0, n))), (n - 1, int(rng.integers(0, n))), 1.0)
        image = cv2.filter2D(image, -1, (kernel if rng.random() < 0.5 else kernel.T) / kernel.sum())
    return np.asarray(image, np.float32)


def develop(rng: Rng, linear: NDArray[np.float32], size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """A rendered picture (linear RGB) as a camera would store it (8-bit BGR, `size_px`)."""
    image = _light_falloff(rng, linear)
    level = float(np.percentile(image, 60)) + 1e-3
    image = image * (float(np.exp(rng.uniform(np.log(0.07), np.log(0.6)))) / level)
    image = image * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    image = np.clip(image / (1 + 0.25 * image * rng.random()), 0, 1).astype(np.float32)
    image = _blur(rng, image)
    picture = to_srgb(image).astype(np.float32)
    h, w = picture.shape[:2]
    if (w, h) != size_px:
        picture = cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.2:  # a soft lens or a digital zoom
        k = rng.uniform(0.45, 0.9)
        small = cv2.resize(picture, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, size_px, interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.3:  # sharpening halo
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = picture + (picture - soft) * rng.uniform(0.3, 1.8)
    if rng.random() < 0.75:
        grain = rng.normal(
            0,
            float(np.exp(rng.uniform(np.log(0.7), np.log(11)))),
            (*picture.shape[:2], 3 if rng.random() < 0.6 else 1),
        )
        if rng.random() < 0.4:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.7).reshape(*picture.shape[:2], -1) * 2
        picture = picture + grain * (0.4 + picture / 255)
    if rng.random() < 0.25:
        picture = (picture - 128) * rng.uniform(0.6, 1.35) + 128
    if rng.random() < 0.25:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * rng.uniform(0, 1.6)
    return np.clip(picture, 0, 255).astype(np.uint8)
