"""More or less of what is around the dice; boxes find their way back to the photograph."""

import numpy as np
import pytest

from device.photo_frames import FRAMES
from device.photo_labels import LabelledDie

HEIGHT, WIDTH = 480, 640
DICE = (
    LabelledDie(4, (0.25, 0.25), (40 / WIDTH, 40 / HEIGHT)),
    LabelledDie(5, (0.5, 0.75), (40 / WIDTH, 40 / HEIGHT)),
)


@pytest.fixture
def picture() -> np.ndarray:
    """Two white dice on wood, their middles at (160, 120) and (320, 360)."""
    image = np.full((HEIGHT, WIDTH, 3), (60, 100, 140), np.uint8)
    image[100:140, 140:180] = 230
    image[340:380, 300:340] = 230
    return image


@pytest.mark.parametrize("frame", FRAMES)
def test_a_die_is_found_again_where_it_was(frame: str, picture: np.ndarray) -> None:
    before = picture.copy()
    shown = FRAMES[frame](picture, DICE)
    assert shown is not None
    assert (picture == before).all(), "the photograph itself is left alone"
    rows, columns = np.nonzero((shown.image_bgr == 230).all(axis=2))
    box = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    pixel = 0 if shown.scale == 1 else 1 / shown.scale  # seen from afar, their rims are mixed
    found = shown.in_photo([float(side) for side in box])
    assert found == pytest.approx((140, 100, 340, 380), abs=2 * pixel)


@pytest.mark.parametrize(("frame", "margin"), [("close", 40), ("closest", 12)])
def test_it_is_cut_so_many_dice_around_them(frame: str, margin: int, picture: np.ndarray) -> None:
    shown = FRAMES[frame](picture, DICE)
    assert shown is not None
    height, width = shown.image_bgr.shape[:2]
    assert abs(height - (280 + 2 * margin)) <= 1
    assert abs(width - (200 + 2 * margin)) <= 1


@pytest.mark.parametrize(("frame", "times"), [("far", 3), ("farthest", 4)])
def test_it_is_laid_on_a_ground_of_its_own_colours(
    frame: str, times: int, picture: np.ndarray
) -> None:
    shown = FRAMES[frame](picture, ())
    assert shown is not None
    assert shown.image_bgr.shape == (HEIGHT * times, WIDTH * times, 3)
    blue, green, red = shown.image_bgr[:80].mean(axis=(0, 1))
    assert abs(blue - 60) < 20
    assert blue < green < red
    again = FRAMES[frame](picture, ())
    assert again is not None
    assert (shown.image_bgr == again.image_bgr).all(), "the same every time"


def test_from_afar_it_has_as_many_pixels_as_before(picture: np.ndarray) -> None:
    shown = FRAMES["afar"](picture, ())
    assert shown is not None
    assert (shown.image_bgr.shape, shown.scale) == ((HEIGHT, WIDTH, 3), 0.25)


def test_what_lies_at_the_edge_is_cut_there(picture: np.ndarray) -> None:
    shown = FRAMES["close"](picture, [LabelledDie(4, (0.01, 0.99), (0.1, 0.1))])
    assert shown is not None
    assert shown.corner_px[0] == 0
    assert min(shown.image_bgr.shape) > 0


def test_dice_that_nobody_knows_the_places_of_cannot_be_cut_out(picture: np.ndarray) -> None:
    assert FRAMES["close"](picture, [DICE[0], LabelledDie(3)]) is None
    assert FRAMES["close"](picture, ()) is None
    assert FRAMES["far"](picture, [LabelledDie(3)]) is not None


def test_the_ground_of_a_large_photograph_stays_bounded(
    picture: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.photo_frames.DETAIL_PIXELS", 4 * HEIGHT * WIDTH)
    shown = FRAMES["farthest"](picture, ())
    assert shown is not None
    assert shown.image_bgr.shape == (HEIGHT * 2, WIDTH * 2, 3)
