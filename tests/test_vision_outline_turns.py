"""How the top face of a die is turned: by its pips, and a one by the edges around it."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision_faces import PIPS, quarter, turned

from vision.outline import OUTLINE_PX, turn_by_edges, turn_of

EDGE_PX = 36.0


@given(st.sampled_from([2, 3, 4, 5, 6]), st.floats(-3.2, 3.2), st.permutations(range(6)))
def test_pips_tell_how_their_face_is_turned(value: int, turn_rad: float, order: list[int]) -> None:
    pips = turned(PIPS[value], turn_rad)[[n for n in order if n < value]] * EDGE_PX + 80
    told = turn_of(pips)
    assert told is not None
    assert quarter(told - turn_rad) == pytest.approx(0, abs=1e-6)


@given(st.floats(0.7, 1.3))
def test_a_six_with_its_rows_further_apart_is_turned_alike(stretch: float) -> None:
    told = turn_of(turned(PIPS[6] * [stretch, 1.0], 0.3))
    assert told == pytest.approx(0.3, abs=1e-6)


def test_a_one_does_not_tell_how_it_is_turned() -> None:
    assert turn_of(PIPS[1]) is None


def face(turn_rad: float) -> np.ndarray:
    """(64, 64) where the top face of a die turned so is, 0..1."""
    corners = turned(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 16.0, turn_rad) + 31.5
    mask = np.zeros((OUTLINE_PX, OUTLINE_PX), np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners * 256).astype(np.int32), 255, cv2.LINE_AA, 8)
    return mask / 255


def grainy(light: np.ndarray, seed: int) -> np.ndarray:
    """A grey picture of this light, as a camera in the dark takes it."""
    grain = np.random.default_rng(seed).normal(0, 12, (OUTLINE_PX, OUTLINE_PX, 3))
    return np.clip(120 + light[..., None] + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("turn_rad", [-0.6, -0.2, 0.1, 0.5])
def test_a_faint_face_in_grain_tells_how_it_is_turned(turn_rad: float) -> None:
    told = turn_by_edges(grainy(20 * face(turn_rad), 3))
    assert told is not None
    assert quarter(told - turn_rad) == pytest.approx(0, abs=0.15)


def test_grain_alone_tells_no_turn() -> None:
    nothing = np.zeros((OUTLINE_PX, OUTLINE_PX))
    told = [turn_by_edges(grainy(nothing, seed)) for seed in range(20)]
    assert told.count(None) >= 18


@given(st.floats(-3.2, 3.2), st.integers(0, 2), st.floats(20, 200))
def test_edges_tell_how_a_face_is_turned_whatever_its_colour(
    turn_rad: float, channel: int, contrast: float
) -> None:
    crop = np.full((OUTLINE_PX, OUTLINE_PX, 3), 40.0)
    crop[..., channel] += contrast * face(turn_rad)
    told = turn_by_edges(crop.astype(np.uint8))
    assert told is not None
    assert quarter(told - turn_rad) == pytest.approx(0, abs=0.05)
