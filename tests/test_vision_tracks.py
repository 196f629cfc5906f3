"""What one followed die is believed to show."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.scene_settings import SceneSettings
from vision.tracks import Track

FOUR, FIVE = 3, 4


def told(*votes: tuple[int, float], counter: dict[int, float] | None = None) -> Track:
    """A die that frames gave these class ids and scores, and the counter these values."""
    track = Track.start(1, np.zeros(2), np.array([-8.0, -8.0, 8.0, 8.0]), 0.0)
    for class_id, score in votes:
        track.vote(class_id, score)
    if counter is not None:
        opinion = np.zeros(7, np.float32)
        for value_id, share in counter.items():
            opinion[value_id] = share
        for _ in range(4):
            track.hear_second(opinion)
    return track


def test_frames_that_hesitate_do_not_add_up_to_certainty():
    torn = {FIVE: 0.84, FOUR: 0.16}
    hesitant = told(*[(FIVE, 0.48)] * 12, counter=torn)
    clear = told(*[(FIVE, 0.93)] * 12, counter=torn)
    assert hesitant.probabilities()[FIVE] < 0.95 < clear.probabilities()[FIVE] < 1
    assert clear.is_sure(SceneSettings())
    assert not told(*[(FIVE, 0.30)] * 12, counter=torn).is_sure(SceneSettings())
    assert not told(*[(FIVE, 0.48)] * 12, counter={FOUR: 0.25, FIVE: 0.75}).is_sure(SceneSettings())


def test_frames_that_contradict_each_other_are_weighed():
    track = told(*[(FIVE, 0.9), (FOUR, 0.9)] * 6, counter={FOUR: 0.5, FIVE: 0.5})
    shares = track.probabilities()
    assert shares[FOUR] == pytest.approx(shares[FIVE])


def test_nobody_has_said_anything():
    assert told().probabilities() == (1 / 6,) * 6


@given(
    st.lists(st.tuples(st.integers(0, 7), st.floats(0, 1)), max_size=12),
    st.one_of(st.none(), st.dictionaries(st.integers(0, 5), st.floats(0, 0.16), max_size=6)),
)
def test_whatever_is_said_the_six_shares_sum_to_one(votes, counter):
    shares = told(*votes, counter=counter).probabilities()
    assert len(shares) == 6
    assert sum(shares) == pytest.approx(1, abs=1e-5)
    assert min(shares) >= 0
