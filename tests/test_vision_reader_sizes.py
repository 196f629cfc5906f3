"""Photographs of any size, with dice of any size, on whatever they lie."""

import numpy as np
import pytest
from test_vision_reader import FIRST, picture, reader, values
from vision_fakes import ColourFinder, ColourNamer, draw, table_picture

from vision.looks import MAX_TILES

pytestmark = pytest.mark.usefixtures("colours_as_they_are")


def test_a_game_board_that_the_finder_takes_for_a_die_does_not_set_the_scale():
    image = picture([(6, 1300, 200), (5, 1400, 900)], 1600, 1200, side=24)
    draw(image, 3, 550, 600, 700)
    finder = ColourFinder(smallest_px=12)  # at 640 px the dice are smaller
    namer = ColourNamer(says=lambda turn, kind: 8 if kind == 2 else kind)
    assert values(reader(finder, namer=namer).read(image)) == [5, 6]


@pytest.mark.parametrize(("within", "sure"), [(None, True), (4, False)])
def test_a_sheet_of_paper_that_reads_as_a_die_is_none_where_it_holds_one(within, sure):
    image = picture([(1, 800, 600)], 1600, 1200, side=400)
    if within:
        image[585:615, 785:815] = 70
        draw(image, within, 800, 600, 20)  # 12 px even in the largest look at all of it
    reading = reader(ColourFinder(smallest_px=14, largest_px=200)).read(image)
    assert [(die.value, die.sure) for die in reading.dice] == [(1, True)]
    assert reading.sure == sure


def test_dice_on_a_sheet_of_paper_that_reads_as_a_die_are_read():
    image = picture([(1, 800, 600)], 1600, 1200, side=400)
    image[560:640, 690:910] = 70
    draw(image, 4, 740, 600, 40)
    draw(image, 6, 860, 600, 40)
    assert values(reader(ColourFinder(smallest_px=14, largest_px=200)).read(image)) == [4, 6]


@pytest.mark.parametrize(
    ("size", "side"),
    [
        ((120, 90), 20),
        ((3000, 2000), 60),
        ((3000, 2000), 700),
        ((5000, 3500), 44),
        ((4000, 300), 40),
        ((200, 5000), 30),
    ],
)
def test_pictures_of_any_size_with_dice_of_any_size(size, side):
    width, height = size
    places = [(0.2, 0.3), (0.5, 0.7), (0.8, 0.3)]
    dice = [(value, width * x, height * y) for value, (x, y) in zip((2, 4, 6), places, strict=True)]
    detector = ColourFinder(smallest_px=8)
    reading = reader(detector).read(picture(dice, width, height, side))
    assert values(reading) == [2, 4, 6]
    assert max(size_px for *_, size_px in detector.looks) <= 1600


def test_a_picture_too_large_for_its_dice_is_read_where_they_are_and_is_not_sure():
    dice = [(3, 300, 300), (4, 420, 300)]
    detector = ColourFinder(smallest_px=1)
    reading = reader(detector).read(picture(dice, 6750, 5250, 12))
    assert values(reading) == [3, 4]
    assert not reading.sure
    assert len(detector.looks) <= FIRST + 1 + 4 * MAX_TILES


def test_a_die_on_the_seam_of_two_tiles_is_one_die():
    dice = [(value, 700 + 800 * i, 900) for i, value in enumerate((1, 2, 3, 4, 5))]
    assert values(reader().read(picture(dice, 4600, 1800, 50))) == [1, 2, 3, 4, 5]


def test_a_squeezed_picture_is_stretched_back():
    image = picture([(6, 200, 150), (5, 420, 300), (1, 610, 420)], 900, 600)
    squeezed = image[:, ::2]
    detector = ColourFinder()
    reading = reader(detector).read(np.ascontiguousarray(squeezed))
    assert values(reading) == [1, 5, 6]
    height, width, _ = detector.looks[FIRST]
    assert width / height == pytest.approx(1.5, abs=0.06)
    assert reading.dice[0].box == pytest.approx((87.5, 125, 112.5, 175), abs=4)


@pytest.mark.parametrize("size", [(1, 1), (1, 400), (400, 1), (33, 31)])
def test_tiny_pictures_are_read_without_a_fuss(size):
    assert reader().read(table_picture(*size)).dice == ()
