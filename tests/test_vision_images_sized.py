"""Pictures brought to the size in which they are looked at, and the parts that are cut for it."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.images import sized, slices_around

SIDES = st.integers(1, 300)
SMOOTH = cv2.GaussianBlur(
    np.random.default_rng(4).integers(0, 256, (300, 400, 3)).astype(np.uint8), (0, 0), 3
)


@given(SIDES, SIDES, st.integers(1, 300), st.booleans())
def test_the_long_side_is_as_wanted_and_the_factors_are_those_of_the_picture(
    width: int, height: int, long_px: int, quickly: bool
) -> None:
    small, factors = sized(np.zeros((height, width, 3), np.uint8), long_px, quickly=quickly)
    assert max(small.shape[:2]) == long_px
    kept = np.array(small.shape[1::-1]) / factors
    assert (kept <= [width + 1e-9, height + 1e-9]).all()
    assert (kept >= [width - 1 - 1e-9, height - 1 - 1e-9]).all(), "no more than an odd row is lost"


@pytest.mark.parametrize("long_px", [400, 396, 300, 260, 230, 199, 150, 101, 60])
@pytest.mark.parametrize("odd", [0, 1])
def test_quickly_shows_the_same(long_px: int, odd: int) -> None:
    picture = SMOOTH[odd:, odd:]
    slow, _ = sized(picture, long_px, quickly=False)
    quick, _ = sized(picture, long_px, quickly=True)
    height, width = np.minimum(slow.shape[:2], quick.shape[:2])
    both = (np.asarray(one[:height, :width], np.int16) for one in (slow, quick))
    assert np.abs(np.subtract(*both)).mean() < 2.0


@pytest.mark.parametrize("long_px", [790, 400, 330, 240, 190, 120])
@pytest.mark.parametrize("quickly", [True, False])
def test_a_spot_is_where_the_factors_say(long_px: int, quickly: bool) -> None:
    picture = np.zeros((301, 395, 3), np.uint8)
    spot = np.array([323.5, 221.5])
    cv2.circle(picture, (323, 221), 9, (255, 255, 255), -1)
    small, factors = sized(picture, long_px, quickly=quickly)
    light = small[..., 0].astype(float)
    rows, columns = np.indices(light.shape) + 0.5
    found = np.array([(columns * light).sum(), (rows * light).sum()]) / light.sum()
    np.testing.assert_allclose(found, spot * factors, atol=0.15)


@given(
    st.lists(st.tuples(st.floats(-90, 500), st.floats(-90, 500)), min_size=1, max_size=4),
    st.floats(0, 80),
)
def test_the_part_around_points_holds_all_within_reach_that_the_picture_has(
    points: list[tuple[float, float]], reach_px: float
) -> None:
    height, width = 200, 310
    rows, columns = slices_around(np.array(points), reach_px, (height, width, 3))
    assert 0 <= rows.start < rows.stop <= height
    assert 0 <= columns.start < columns.stop <= width
    for x, y in points:
        for span, middle, most in ((columns, x, width), (rows, y, height)):
            low, high = (np.clip(middle + way * reach_px, 0, most) for way in (-1, 1))
            assert span.start <= max(0, min(low, most - 1))
            assert span.stop >= high or span.stop == most
