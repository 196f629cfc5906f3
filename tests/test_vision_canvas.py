"""The few sizes in which a table is looked at."""

from hypothesis import given
from hypothesis import strategies as st

from vision.canvas import CANVASES, LEAST_SHARE, MOST_GREY_PX, canvas_of, share_kept

SIDES = st.integers(1, 2500)


def test_a_network_can_look_at_every_canvas_and_they_lie_and_grow():
    assert all(side % 32 == 0 for canvas in CANVASES for side in canvas)
    assert all(tall < wide for tall, wide in CANVASES)
    areas = [tall * wide for tall, wide in CANVASES]
    assert areas == sorted(areas)
    assert len(set(CANVASES)) == len(CANVASES)


def test_what_lies_on_a_mat_is_looked_at_in_few_sizes():
    """Looks of dice of 28 px at parts of a mat, from one die's surroundings to all of it."""
    sides = range(90, 830, 16)
    mats = [(tall, wide) for tall in sides for wide in sides if 0.7 < tall / wide < 1.4]
    shares = [(tall, wide, share_kept(tall, wide)) for tall, wide in mats]
    seen = {canvas_of(int(tall * s), int(wide * s)) for tall, wide, s in shares}
    assert None not in seen
    assert len(seen) <= 6


@given(SIDES, SIDES)
def test_a_look_fits_its_canvas_at_the_share_that_it_keeps(height, width):
    share = share_kept(height, width)
    assert LEAST_SHARE <= share <= 1
    if share < 1:
        smaller = canvas_of(height, width, share=LEAST_SHARE)
        assert canvas_of(height * share - 1e-6, width * share - 1e-6) == smaller is not None


@given(SIDES, SIDES)
def test_the_smallest_canvas_that_holds_a_look_is_taken_or_none(height, width):
    canvas = canvas_of(height, width)
    assert canvas_of(width, height) == canvas, "an upright look is turned"
    short, long = sorted((height, width))
    holding = [c for c in CANVASES if c[0] >= short and c[1] >= long]
    if canvas is None:
        assert not holding or holding[0][0] * holding[0][1] - height * width > MOST_GREY_PX
    else:
        assert canvas == holding[0]


def test_a_narrow_part_and_one_that_is_too_large_have_a_canvas_of_their_own():
    assert canvas_of(900, 300) is None
    assert share_kept(900, 300) == 1
    assert canvas_of(1900, 1800) is None


def test_a_tiny_part_has_the_smallest_canvas():
    assert canvas_of(1, 1) == canvas_of(40, 130) == (256, 320)


def test_what_is_a_little_larger_than_a_canvas_shrinks_onto_it():
    assert canvas_of(400, 500) == (480, 608)
    assert share_kept(400, 500) == 0.96
    assert canvas_of(400 * 0.96, 500 * 0.96) == (384, 480)
    assert share_kept(384, 480) == 1
    assert share_kept(440, 550) == 1, "that would be too small"
