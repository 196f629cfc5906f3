from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.confidence import Confidence, Words, all_right, fused, kind_shares
from vision.detections import BURNING, TOWER
from vision.errors import ModelError

CONFIDENCE = Confidence(die=(-2.0, 1.0, 0.3, 0.5, -0.4), value=(0.0, 1.5))
SHARES = st.floats(0, 1)


def words(found=0.9, value=4, counted=4, clear=0.95, found_in=1.0, steady=True):
    names = np.full(9, 0.03 / 8, np.float32)
    names[value] = 0.97
    opinion = np.full(7, (1 - clear) / 6, np.float32)
    opinion[counted] = clear
    return Words(np.array([found, 0, 0], np.float32), names, opinion, found_in, steady)


def test_two_clear_words_are_likelier_right_than_two_that_differ():
    agreed, apart = words(), words(counted=3)
    assert CONFIDENCE.value_chance(agreed) > 0.99
    assert CONFIDENCE.value_chance(apart) < 0.6


def test_what_the_namer_half_takes_for_nothing_is_less_likely_right():
    doubted = np.full(9, 0.01, np.float32)
    doubted[[4, 8]] = 0.45, 0.48
    said = words()
    assert fused(doubted, said.opinion)[4] == pytest.approx(
        fused(said.names, said.opinion)[4], abs=0.02
    )
    assert CONFIDENCE.value_chance(replace(said, names=doubted)) < CONFIDENCE.value_chance(said)


def test_a_die_that_few_looks_found_is_less_likely_there():
    assert CONFIDENCE.die_chance(words(0.2, found_in=0.25)) < CONFIDENCE.die_chance(words())


def test_what_the_counter_cannot_read_is_less_likely_a_die():
    unread = np.full(7, 0.02, np.float32)
    unread[[4, 6]] = 0.3, 0.6
    assert CONFIDENCE.die_chance(replace(words(), opinion=unread)) < CONFIDENCE.die_chance(words())


@given(SHARES, st.integers(0, 8), st.integers(0, 6), SHARES, SHARES, st.booleans())
def test_chances_are_chances_whatever_is_said(found, value, counted, clear, found_in, steady):
    said = words(found, value, counted, clear, found_in, steady)
    for chance in (CONFIDENCE.die_chance(said), CONFIDENCE.value_chance(said)):
        assert 0 <= chance <= 1
    assert kind_shares(said).sum() == pytest.approx(1)


@pytest.mark.parametrize(("name", "kind"), [(2, 0), (TOWER, 1), (BURNING, 2)])
def test_finder_and_namer_together_say_what_lies_there(name, kind):
    said = words(value=name)
    told = np.zeros(3, np.float32)
    told[kind] = 0.8
    assert kind_shares(replace(said, kinds=told))[kind] > 0.95
    assert int(kind_shares(said).argmax()) == kind, "a clear name outweighs a finder that mixes up"


def test_fusing_follows_the_clearer_word():
    belief = np.array([0, 0, 0, 0.5, 0.4, 0, 0, 0, 0], np.float32)
    opinion = np.array([0, 0, 0, 0.02, 0.97, 0, 0.01], np.float32)
    assert int(fused(belief, opinion).argmax()) == 4
    assert fused(belief, opinion).sum() == pytest.approx(1)


def test_a_photograph_is_as_likely_right_as_all_its_dice():
    assert all_right([0.9, 0.9, 0.5]) == pytest.approx(0.405)
    assert all_right([]) == 1.0


def test_the_manifests_numbers_are_taken_and_the_rest_keeps_its_default():
    told = Confidence.of({"die": [1, 2, 3, 4, 5], "sure": 0.9})
    assert told.die == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert told.value == Confidence().value
    assert told.sure == 0.9


@pytest.mark.parametrize("told", [{"die": [1, 2]}, {"value": [1, 2, 3]}, {"sure": 97}])
def test_numbers_of_another_model_are_refused(told):
    with pytest.raises(ModelError, match=r"models\.lab\.confidence"):
        Confidence.of(told)
