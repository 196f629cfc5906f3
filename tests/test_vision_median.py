"""The fast median is numpy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from vision.median import median, medians

LEVELS = st.floats(-255, 255, width=32)


@given(arrays(np.float32, st.integers(1, 400), elements=LEVELS))
def test_the_median_of_a_row(values: np.ndarray) -> None:
    assert median(values) == np.median(values)


@given(arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=20), elements=LEVELS))
@pytest.mark.parametrize("axis", [0, 1])
def test_the_medians_along_an_axis(axis: int, values: np.ndarray) -> None:
    found = medians(values, axis=axis)
    np.testing.assert_array_equal(found, np.median(values, axis=axis, keepdims=True))
    assert found.dtype == np.float32


def test_nothing_has_no_median() -> None:
    with pytest.raises(ValueError, match=r"\(0,\)"):
        median(np.zeros(0, np.float32))
