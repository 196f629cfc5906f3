import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pips import Marks, count_chances, layout_error, marks_of, read_maps, value_chances

PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}
VALUES = st.sampled_from(sorted(PLACES))


def seen(value, turn=0.3, squeeze=1.0, shear_turn=0.0):
    """The pips of a face turned, and squeezed along any direction as an oblique view does."""

    def rotation(angle):
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    view = rotation(turn) @ np.diag([1.0, squeeze]) @ rotation(shear_turn)
    return 0.5 + 0.16 * np.array(PLACES[value], float) @ view.T


def marks(places, chance=0.99):
    return Marks(places, np.full(len(places), chance))


@given(VALUES, st.floats(0, 6.3), st.floats(0.5, 1.0), st.floats(0, 6.3), st.randoms())
def test_every_oblique_view_of_a_face_fits_its_value(value, turn, squeeze, shear_turn, rng):
    places = list(seen(value, turn, squeeze, shear_turn))
    rng.shuffle(places)
    assert layout_error(np.array(places)) < 1e-6
    assert int(value_chances(marks(np.array(places))).argmax()) == value - 1


@given(st.floats(0, 6.3), st.floats(0.6, 1.0), st.integers(0, 5))
def test_a_six_that_lost_a_pip_is_no_five(turn, squeeze, lost):
    places = np.delete(seen(6, turn, squeeze), lost, axis=0)
    chances = value_chances(marks(places))
    assert chances[:6].max() < 0.15
    assert chances[6] > 0.85


@given(st.lists(st.floats(0, 1), max_size=8))
def test_counts_are_a_distribution_with_the_right_mean(chances):
    counts = count_chances(np.array(chances))
    assert counts.sum() == pytest.approx(1)
    assert counts @ np.arange(len(counts)) == pytest.approx(sum(chances))


def test_a_doubtful_pip_leaves_both_counts_open():
    places = seen(5)
    chances = np.full(5, 0.99)
    chances[4] = 0.5  # the middle one
    answer = value_chances(Marks(places, chances))
    assert 0.2 < answer[3] < 0.4  # a quincunx says more than four corners do
    assert answer[3] + answer[4] == pytest.approx(1, abs=0.05)


def test_faint_marks_that_lie_as_five_do_are_five_rather_than_two_of_them():
    quincunx = value_chances(Marks(seen(5), np.full(5, 0.6)))
    assert quincunx[4] > quincunx[1]
    strewn = seen(5) + np.array([[0.2, 0], [0, 0.15], [-0.1, 0.1], [0, 0], [0.1, -0.2]])
    assert value_chances(Marks(strewn, np.full(5, 0.6)))[4] < 0.01


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)), max_size=10))
def test_whatever_is_marked_the_answer_is_a_distribution(rows):
    places = np.array([row[:2] for row in rows]).reshape(-1, 2)
    answer = value_chances(Marks(places, np.array([row[2] for row in rows])))
    assert answer.min() >= 0
    assert answer.sum() == pytest.approx(1)


def test_peaks_are_found_between_cells_and_plateaus_do_not_hurt():
    y, x = np.mgrid[0:32, 0:32] + 0.5
    heat = np.exp(-((x - 10.7) ** 2 + (y - 20.2) ** 2) / 2).astype(np.float32)
    found = marks_of(heat)
    assert len(found.chances) == 1
    assert found.places[0] * 32 == pytest.approx([10.7, 20.2], abs=0.15)
    assert len(marks_of(np.ones((8, 8), np.float32)).chances) == 0


def test_maps_are_read_one_row_each():
    assert read_maps(np.zeros((0, 32, 32), np.float32))[1].shape == (0, 7)
    marked, answer = read_maps(np.zeros((2, 32, 32), np.float32))
    assert [len(seen.chances) for seen in marked] == [0, 0]
    assert answer.tolist() == [[0, 0, 0, 0, 0, 0, 1]] * 2
