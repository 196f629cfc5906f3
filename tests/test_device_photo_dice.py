"""Photographs as if of other dice: other colours, light for dark, and the other way round."""

import numpy as np
import pytest

from device.photo_dice import OTHER_DICE

HEIGHT, WIDTH = 48, 64
RED, GREEN, BLUE, GREY = (20, 20, 200), (20, 200, 20), (200, 20, 20), (90, 90, 90)


@pytest.fixture
def picture() -> np.ndarray:
    """A red die with a white pip on grey, left of the middle: 10..20, 8..18."""
    image = np.full((HEIGHT, WIDTH, 3), GREY, np.uint8)
    image[8:18, 10:20] = RED
    image[12:14, 14:16] = 255
    return image


@pytest.mark.parametrize("kind", OTHER_DICE)
def test_the_photograph_itself_is_left_alone(kind: str, picture: np.ndarray) -> None:
    before = picture.copy()
    shown = OTHER_DICE[kind](picture, ())
    assert (picture == before).all()
    assert (shown.image_bgr.shape, shown.image_bgr.dtype) == (before.shape, before.dtype)
    assert (shown.image_bgr != before).any()
    assert shown.image_bgr.flags.c_contiguous, "as OpenCV takes it"


@pytest.mark.parametrize(("kind", "colour"), [("greened", GREEN), ("blued", BLUE)])
def test_a_red_die_becomes_one_of_another_colour(
    kind: str, colour: tuple[int, ...], picture: np.ndarray
) -> None:
    image = OTHER_DICE[kind](picture, ()).image_bgr
    assert tuple(image[9, 11]) == colour
    assert tuple(image[13, 15]) == (255, 255, 255), "its pip stays white"
    assert tuple(image[0, 0]) == GREY


def test_further_three_times_is_as_before(picture: np.ndarray) -> None:
    image = picture
    for _ in range(3):
        image = OTHER_DICE["greened"](image, ()).image_bgr
    assert (image == picture).all()


def test_light_becomes_dark_and_keeps_its_hue(picture: np.ndarray) -> None:
    image = OTHER_DICE["negative"](picture, ()).image_bgr
    assert tuple(image[13, 15]) == (0, 0, 0), "a white pip is a black one"
    blue, green, red = map(int, image[9, 11])
    assert red > max(blue, green) + 50, "a red die stays red"
    assert abs(int(image[0, 0].mean()) - (255 - 90)) <= 2


def test_a_box_of_the_mirrored_picture_is_found_again(picture: np.ndarray) -> None:
    shown = OTHER_DICE["mirrored"](picture, ())
    rows, columns = np.nonzero((shown.image_bgr == RED).all(axis=2))
    assert columns.min() > WIDTH / 2
    box = [float(side) for side in (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)]
    assert shown.in_photo(box) == (10, 8, 20, 18)
