"""How a look frames what it sees."""

from itertools import pairwise

import numpy as np

from vision.framing import LEAST_PX, STEP_PX, framed_px, part_around


def test_no_two_looks_in_a_row_are_framed_alike():
    sizes = [framed_px(400, look=look) for look in range(7)]
    assert all(one != other for one, other in pairwise(sizes))
    assert sizes[0] == sizes[3] == 400
    assert all(380 <= size <= 420 for size in sizes)
    assert framed_px(3, look=1) == LEAST_PX


def test_a_part_holds_every_box_and_ends_on_steps_or_at_the_edge():
    boxes = np.array([[100.0, 110, 130, 140], [300, 200, 330, 230]])
    left, top, right, bottom = part_around(boxes, (500, 250), pad_px=20)
    assert (left, top, bottom) == (64, 64, 250)
    assert (left % STEP_PX, right % STEP_PX) == (0, 0)
    assert 350 <= right < 350 + STEP_PX


def test_where_nothing_is_of_interest_the_middle_is():
    assert part_around(np.zeros((0, 4)), (640, 480), pad_px=32) == (288, 192, 352, 288)
