"""How a look frames what it sees."""

from itertools import pairwise

import numpy as np
import pytest

from vision.canvas import canvas_of
from vision.framing import LEAST_PX, STEP_PX, are_whole, framed_px, part_around, seen_px

PICTURE = (500, 250)
BOXES = np.array([[100.0, 110, 130, 140], [300, 120, 330, 150]])


def test_no_two_looks_at_everything_in_a_row_have_one_size():
    sizes = [framed_px((700, 800), 0.5, whole=True, look=look) for look in range(7)]
    assert all(one != other for one, other in pairwise(sizes))
    assert sizes[0] == sizes[3] == 400
    assert all(380 <= size <= 420 for size in sizes)
    assert framed_px((3, 3), 1.0, whole=True, look=1) == LEAST_PX


@pytest.mark.parametrize("part", [(700, 800), (800, 640), (780, 960), (610, 850), (600, 180)])
@pytest.mark.parametrize("whole", [True, False])
def test_all_looks_at_one_part_have_the_same_canvas(part, whole):
    longest = [framed_px(part, 0.75, whole=whole, look=look) for look in range(3)]
    sizes = [(part[0] * px / max(part), part[1] * px / max(part)) for px in longest]
    assert len({canvas_of(*size) for size in sizes}) == 1
    assert all(0.82 * 0.75 <= px / max(part) <= 1.05 * 0.75 for px in longest)


def test_a_part_holds_every_box_and_ends_on_steps():
    left, top, right, bottom = part_around(BOXES, PICTURE, pad_px=20, look=0)
    assert (left, top, right, bottom) == (64, 64, 352, 192)
    assert all(edge % STEP_PX == 0 for edge in (left, top, right, bottom))


def test_no_two_looks_at_a_part_in_a_row_begin_alike_and_all_have_one_size():
    parts = [part_around(BOXES, PICTURE, pad_px=20, look=look) for look in range(4)]
    assert all(one[0] != other[0] and one[1] != other[1] for one, other in pairwise(parts))
    assert {(right - left, bottom - top) for left, top, right, bottom in parts} == {(288, 128)}


@pytest.mark.parametrize("look", range(3))
def test_a_part_stays_in_the_picture(look):
    corners = np.array([[0.0, 0, 10, 10], [480, 240, 499, 249]])
    assert part_around(corners, PICTURE, pad_px=50, look=look) == (0, 0, 500, 250)
    left, top, right, bottom = part_around(corners[1:], PICTURE, pad_px=50, look=look)
    assert 0 <= left < right <= 500
    assert 0 <= top < bottom <= 250


def test_where_nothing_is_of_interest_the_middle_is():
    assert part_around(np.zeros((0, 4)), (640, 480), pad_px=32, look=0) == (288, 192, 352, 288)


def test_a_part_cuts_only_where_the_picture_goes_on():
    part, picture_px = (0, 64, 320, 480), (640, 480)
    touches_cut = [[100, 64, 140, 100], [280, 100, 320, 140]]
    touches_border = [[0, 100, 40, 140], [100, 440, 140, 480]]
    boxes = np.array([*touches_cut, *touches_border, [100, 100, 140, 140]], np.float32)
    assert are_whole(boxes, part, picture_px).tolist() == [False, False, True, True, True]
    assert seen_px(part, picture_px, rim_px=10).tolist() == [-np.inf, 74, 310, np.inf]
