"""The small picture of the mat is the same, whoever made the camera's picture small."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from vision_filmed import THROW, frame, watcher

from vision.afar import seen_smaller, thumb_from_afar
from vision.calibration import MatCalibration
from vision.lens import Lens

SCRIPT = [(0.0, (), None), (1.0, (), (160, 130)), (2.0, THROW, None), (5.0, (), None)]
SIZE_PX, SMALL_PX = (1536, 864), (768, 432)
CORNERS_PX = np.array([[370, 90], [1150, 60], [1200, 800], [330, 770]], np.float32)
CORNERS_MM = np.array([[0, 0], [420, 0], [420, 315], [0, 315]], np.float32)
MAT = MatCalibration(np.asarray(cv2.getPerspectiveTransform(CORNERS_PX, CORNERS_MM), float))
BENT = Lens(
    np.array([[1200.0, 0, 768], [0, 1200, 432], [0, 0, 1]]),
    np.array([-0.12, 0.03, 0, 0, 0]),
    SIZE_PX,
)


@pytest.fixture
def picture() -> np.ndarray:
    """Soft blobs of all colours, so that a shift of half a pixel shows."""
    coarse = np.random.default_rng(3).integers(0, 256, (27, 48, 3), np.uint8)
    return np.asarray(cv2.resize(coarse, SIZE_PX, interpolation=cv2.INTER_CUBIC), np.uint8)


def smaller(picture: np.ndarray, size_px: tuple[int, int] = SMALL_PX) -> np.ndarray:
    return np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("mat", [MAT, replace(MAT, lens=BENT)], ids=["pinhole", "bent lens"])
def test_the_cameras_small_picture_shows_the_same(picture: np.ndarray, mat: MatCalibration) -> None:
    full = thumb_from_afar(picture, None, mat, margin_mm=20)
    small = thumb_from_afar(picture, smaller(picture), mat, margin_mm=20)
    assert small.shape == full.shape
    assert float(np.abs(small - full).mean()) < 3.0, "levels of 255"
    shifted, _ = cv2.phaseCorrelate(full[..., 0], small[..., 0])
    assert np.hypot(*shifted) < 0.4, "pixels of 2 mm"


def test_the_small_picture_is_what_is_looked_at(picture: np.ndarray) -> None:
    dark = np.zeros_like(smaller(picture))
    assert thumb_from_afar(picture, dark, MAT, margin_mm=0)[..., 0].max() == 0


def test_a_small_picture_of_another_view_is_not_taken(picture: np.ndarray) -> None:
    full = thumb_from_afar(picture, None, MAT, margin_mm=20)
    cropped = smaller(picture, (576, 432))
    assert np.array_equal(thumb_from_afar(picture, cropped, MAT, margin_mm=20), full)
    empty = np.zeros((0, 0, 3), np.uint8)
    assert np.array_equal(thumb_from_afar(picture, empty, MAT, margin_mm=20), full)


def test_places_are_told_alike_in_both(picture: np.ndarray) -> None:
    for mat in (MAT, replace(MAT, lens=BENT)):
        small = seen_smaller(mat, SIZE_PX, SMALL_PX)
        # A point at x of the full picture lies at (x - 0.5) / 2 of the half: centres are whole.
        assert np.allclose(small.to_px(CORNERS_MM), (mat.to_px(CORNERS_MM) - 0.5) / 2, atol=0.3)


def test_a_turn_is_told_alike_by_both(colours_as_they_are: None) -> None:
    told = []
    for own in (False, True):
        eye, events = watcher(), []
        for number in range(15 * 7):
            now_s = number / 15
            _, dice, cup = [moment for moment in SCRIPT if moment[0] <= now_s + 1e-9][-1]
            picture = frame(dice, cup, noise=number)
            small = smaller(picture, (480, 360)) if own else None
            events += eye.receive(picture, now_s, small)
        told.append([(event.type, event.dice, event.sure) for event in events])
        assert eye.looks < eye.frames, "a quiet mat is not looked at closely"
    assert told[0] == told[1]
    assert ("throw_seen", (2, 5, 6), True) in told[0] or ("throw_seen", (6, 5, 2), True) in told[0]
