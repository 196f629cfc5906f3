from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vision.errors import SeatsError
from vision.seats import CUP_MM, Polygon, Seat, seat_index, seats_around

NAMES = ("Anna", "Bert", "Cem", "Dora", "Emil", "Fritz", "Gerd", "Hanna")
MAT = (600.0, 450.0)


def size(polygon: Polygon) -> float:
    """Square millimetres; positive for corners clockwise as seen from above."""
    pairs = pairwise([*polygon, *polygon[:1]])
    return sum(x * v - u * y for (x, y), (u, v) in pairs) / 2


def around(count: int, **more) -> tuple[Seat, ...]:
    return seats_around(NAMES[:count], MAT, **more)


@pytest.mark.parametrize("count", range(2, 9))
def test_a_mat_of_600_by_450_has_room_for_two_to_eight(count):
    seats = around(count)
    assert [seat.name for seat in seats] == list(NAMES[:count])
    assert sum(size(seat.area) for seat in seats) == pytest.approx(600 * 450)


def test_the_first_sits_at_the_lower_edge_and_the_others_clockwise():
    below, left, above, right = around(4)
    assert below.towards == pytest.approx((0, 1))
    assert left.towards == pytest.approx((-1, 0), abs=1e-9)
    assert above.towards == pytest.approx((0, -1), abs=1e-9)
    assert right.towards == pytest.approx((1, 0), abs=1e-9)


def test_two_seats_share_the_mat_in_halves_with_strips_in_the_middle():
    below, above = around(2)
    assert size(below.area) == pytest.approx(600 * 225)
    assert size(below.aside) == size(above.aside) == 600 * 80
    assert below.is_aside((300, 300))
    assert not below.is_aside((300, 310))


@st.composite
def tables(draw):
    """Seats at any angles on any mat, as long as all of them have room."""
    count = draw(st.integers(2, 8))
    mat = draw(st.tuples(st.floats(300, 1200), st.floats(300, 1200)))
    gaps = np.cumsum(draw(st.lists(st.floats(1, 4), min_size=count, max_size=count)))
    first = draw(st.floats(-360, 360))
    angles = draw(st.permutations((first + 360 * gaps / gaps[-1]).tolist()))
    aside_mm = draw(st.floats(10, 150))
    try:
        seats = seats_around(NAMES[:count], mat, angles_deg=angles, aside_mm=aside_mm)
    except SeatsError:
        assume(False)
    return mat, seats


@given(tables(), st.floats(0, 1), st.floats(0, 1))
def test_every_place_belongs_to_one_seat_and_areas_cover_the_mat(table, right, down):
    (width, height), seats = table
    point = (right * width, down * height)
    inside = [index for index, seat in enumerate(seats) if holds(seat.area, point)]
    near = [index for index, seat in enumerate(seats) if holds(seat.area, point, 1e-6)]
    assert len(inside) <= 1
    assert seat_index(seats, point) in near
    assert sum(size(seat.area) for seat in seats) == pytest.approx(width * height)


@given(tables())
def test_throwing_and_aside_make_the_area_and_a_cup_fits(table):
    _, seats = table
    for seat in seats:
        assert min(size(seat.area), size(seat.throwing), size(seat.aside)) > 0
        assert size(seat.throwing) + size(seat.aside) == pytest.approx(size(seat.area))
        assert size(seat.throwing) > 3.14 * CUP_MM**2 / 4
        assert all(seat.outwards_mm(corner) <= seat.aside_mm + 1e-6 for corner in seat.aside)
        assert all(seat.outwards_mm(corner) >= seat.aside_mm - 1e-6 for corner in seat.throwing)


def holds(polygon: Polygon, point: tuple[float, float], beyond: float = -1e-6) -> bool:
    """Whether a convex polygon holds a point, or has it no farther `beyond` its edges."""
    x, y = point
    for (x0, y0), (x1, y1) in pairwise([*polygon, *polygon[:1]]):
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        if length > 1e-6 and ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / length < -beyond:
            return False
    return True


def test_what_lies_beside_the_mat_belongs_to_the_nearest_seat():
    seats = around(4)
    places = [(300, 460), (-10, 225), (300, -10), (610, 225)]
    assert [seat_index(seats, place) for place in places] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("names", "more", "text"),
    [
        (NAMES[:1], {}, "2 to 8 seats, but got 1: Anna"),
        ((), {}, "but got 0: none"),
        ((*NAMES, "Ida"), {}, "but got 9"),
        (("Anna", "Anna"), {}, "a name of its own"),
        (("Anna", ""), {}, "a name of its own"),
        (NAMES[:2], {"angles_deg": [0]}, "needs one angle"),
        (NAMES[:2], {"angles_deg": [0, float("nan")]}, "needs one angle"),
        (NAMES[:3], {"angles_deg": [0, 90, 360]}, "the same angle"),
        (NAMES[:3], {"angles_deg": [0, 20, 40]}, "Bert has no room for a cup of 88 mm"),
        (NAMES[:2], {"aside_mm": 140}, "no room for a cup"),
        (NAMES[:2], {"aside_mm": 0}, "above 0"),
    ],
)
def test_seats_that_cannot_be_are_refused(names, more, text):
    with pytest.raises(SeatsError, match=text):
        seats_around(names, MAT, **more)
