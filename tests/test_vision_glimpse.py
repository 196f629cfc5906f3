"""What shows beside the dice that were read, and whether it is a part of one."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from test_vision_reader import PLAIN
from vision_fakes import (
    GREEN_STEP,
    ColourFinder,
    ColourNamer,
    ColourReader,
    draw,
    table_picture,
)

from vision.annotate import annotate_reading
from vision.detector import SHOWN_PX
from vision.eye import Finds
from vision.glimpse import ACROSS, LEAST, Glimpse, beside, places
from vision.reader import PhotoReader

DIE_PX = 24.0


@dataclass
class RedSeer:
    """Sees dice where it is red, in the very pixels that it is given."""

    sizes: list[tuple[int, ...]] = field(default_factory=list)
    whole: ColourFinder = field(default_factory=lambda: ColourFinder(smallest_px=16))

    def find(self, image_bgr: np.ndarray, *, size_px: int, min_score: float) -> Finds:
        return self.whole.find(image_bgr, size_px=size_px, min_score=min_score)

    def shown(self, image_bgr: np.ndarray) -> np.ndarray:
        self.sizes.append(image_bgr.shape[:2])
        height, width = (-(-side // SHOWN_PX) for side in image_bgr.shape[:2])
        red = np.zeros((height * SHOWN_PX, width * SHOWN_PX), np.float32)
        red[: image_bgr.shape[0], : image_bgr.shape[1]] = image_bgr[:, :, 2] > 180
        return red.reshape(height, SHOWN_PX, width, SHOWN_PX).mean(axis=(1, 3))


@dataclass
class GreenJudge:
    """The greener the middle of a crop, the likelier a part of a die."""

    asked: int = 0

    def parts(self, crops_bgr: np.ndarray) -> np.ndarray:
        assert crops_bgr.shape[1:] == (64, 64, 3)
        self.asked += len(crops_bgr)
        middle = np.sort(crops_bgr[:, 28:36, 28:36].reshape(len(crops_bgr), 64, 3), axis=2)
        return np.median(middle[:, :, 1], axis=1).astype(np.float32) / GREEN_STEP * 2 - 4


class NoJudge:
    """Knows no part of a die."""

    def parts(self, crops_bgr: np.ndarray) -> np.ndarray:
        return np.full(len(crops_bgr), -9, np.float32)


def box(x: float, y: float, side: float) -> tuple[float, float, float, float]:
    return (x - side / 2, y - side / 2, x + side / 2, y + side / 2)


pytestmark = pytest.mark.usefixtures("colours_as_they_are")


def test_half_a_die_beside_those_read_is_told_and_they_are_not():
    image = table_picture(800, 600)
    draw(image, 5, 200, 300, 48)
    draw(image, 6, 500, 300, 48)
    image[:, 500:] = 70  # a sheet over half of it
    seer, judge = RedSeer(), GreenJudge()
    glimpse = Glimpse(seer, judge, die_px=DIE_PX)
    (part,) = glimpse.parts(image, [box(200, 300, 48)])
    assert part.score > 0.9
    assert part.box == pytest.approx(box(488, 300, 48), abs=2)
    assert seer.sizes == [(300, 400)], "as large as makes a die 24 px"
    assert judge.asked == 4
    assert glimpse.parts(image, [box(200, 300, 48), box(490, 300, 48)]) == ()
    assert judge.asked == 4


def test_what_shows_and_is_no_part_of_a_die_is_told_apart():
    image = table_picture(800, 600)
    draw(image, 5, 200, 300, 48)
    draw(image, 1, 500, 300, 24)
    glimpse = Glimpse(RedSeer(), GreenJudge(), die_px=DIE_PX)
    ((_, odds),) = glimpse.weighed(image, [box(200, 300, 48)])
    assert odds == pytest.approx(-2, abs=0.1)
    assert glimpse.parts(image, [box(200, 300, 48)]) == ()


def test_a_picture_too_large_for_one_look_is_seen_in_parts():
    image = table_picture(6000, 400)
    draw(image, 2, 100, 200, 24)
    draw(image, 6, 5900, 200, 20)
    seer = RedSeer()
    (part,) = Glimpse(seer, GreenJudge(), die_px=DIE_PX).parts(image, [box(100, 200, 24)])
    assert part.box == pytest.approx(box(5900, 200, 24), abs=3)
    assert len(seer.sizes) > 1
    assert max(max(size) for size in seer.sizes) < 1600


def test_a_photograph_with_a_part_of_a_die_is_asked_about_and_shown_where():
    image = table_picture(800, 600)
    draw(image, 5, 200, 300, 48)
    draw(image, 6, 500, 300, 48)
    part = image.copy()
    part[:, 500:] = 70
    finder = ColourFinder(smallest_px=16)  # half a die is none to it

    def read(picture):
        eyes = {"clock": lambda: 0.0, "confidence": PLAIN}
        glimpse = Glimpse(RedSeer(), GreenJudge(), die_px=DIE_PX)
        return PhotoReader(finder, ColourNamer(), ColourReader(), glimpse=glimpse, **eyes).read(
            picture
        )

    whole, half = read(image), read(part)
    assert (whole.sure, whole.parts) == (True, ())
    assert ([die.value for die in half.dice], half.sure, len(half.parts)) == ([5], False, 1)
    marked = annotate_reading(part, half)
    x1, y1, x2, y2 = (round(side) for side in half.parts[0].box)
    assert (
        marked[y1 - 2 : y2 + 3, x1 - 2 : x2 + 3] != part[y1 - 2 : y2 + 3, x1 - 2 : x2 + 3]
    ).any()


def test_a_die_that_the_edge_cuts_in_half_is_told_unless_it_was_read():
    image = table_picture(800, 600)
    draw(image, 5, 200, 300, 48)
    draw(image, 6, 800, 300, 48)
    seer = RedSeer(whole=ColourFinder(smallest_px=16))
    glimpse = Glimpse(seer, NoJudge(), die_px=DIE_PX)
    (half,) = glimpse.parts(image, [box(200, 300, 48)])
    assert half.box == pytest.approx((776, 276, 800, 324), abs=2)
    assert half.score == pytest.approx(0.9)
    assert glimpse.parts(image, [box(200, 300, 48), (770, 276, 800, 324)]) == ()
    assert len(Glimpse(seer, GreenJudge(), die_px=DIE_PX).parts(image, [box(200, 300, 48)])) == 1
    seer.whole.score = ACROSS - 0.01
    assert glimpse.parts(image, [box(200, 300, 48)]) == ()


def test_a_die_in_a_corner_is_told_once():
    image = table_picture(800, 600)
    draw(image, 5, 200, 300, 48)
    draw(image, 6, 800, 600, 48)
    seer = RedSeer(whole=ColourFinder(smallest_px=9))
    (part,) = Glimpse(seer, NoJudge(), die_px=DIE_PX).parts(image, [box(200, 300, 48)])
    assert part.box[2:] == (800, 600)


@pytest.mark.parametrize(("share", "found"), [(LEAST * 1.5, 1), (LEAST * 0.5, 0)])
def test_a_part_has_a_least_size(share, found):
    shown = np.zeros((50, 50), np.float32)
    cells = round(share * (DIE_PX / SHOWN_PX) ** 2)
    shown[20, 10 : 10 + cells] = 0.9
    squares = places(shown, DIE_PX)
    assert len(squares) == found
    for x1, y1, x2, y2 in squares:
        assert (x2 - x1, y2 - y1) == (DIE_PX, DIE_PX)
        assert (y1 + y2) / 2 == 20 * SHOWN_PX + SHOWN_PX / 2


def test_the_rim_of_what_was_read_is_its_own_and_what_lies_further_is_not():
    shown = np.ones((40, 40), np.float32)
    left = beside(shown, np.array([[40, 40, 80, 80]], np.float32))
    assert left[9:21, 9:21].max() == 0
    assert left[:7].min() == left[:, 24:].min() == 1
    assert shown.min() == 1
