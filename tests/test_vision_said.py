"""What is believed of one die by what the witnesses say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision_table import alone, look

from vision.detections import BURNING
from vision.said import Said
from vision.scene_settings import SceneSettings
from vision.tracks import Track

FOUR, FIVE = 3, 4


def told(*votes: tuple[int, float], counter: dict[int, float] | None = None) -> Said:
    """A die that frames gave these class ids and scores, and the counter these values."""
    die = Said()
    for class_id, score in votes:
        die.vote(class_id, score)
    if counter is not None:
        opinion = np.zeros(7, np.float32)
        for value_id, share in counter.items():
            opinion[value_id] = share
        for _ in range(4):
            die.second.hear(opinion)
    return die


def followed(said: Said) -> Track:
    """A die of which this was said."""
    return Track(1, *[np.zeros(2), np.array([-8.0, -8.0, 8.0, 8.0])] * 2, 0.0, 0.0, 0.0, said=said)


def test_frames_that_hesitate_do_not_add_up_to_certainty():
    torn = {FIVE: 0.92, FOUR: 0.08}
    hesitant = told(*[(FIVE, 0.48)] * 12, counter=torn)
    clear = told(*[(FIVE, 0.93)] * 12, counter=torn)
    bound = SceneSettings().min_both
    assert hesitant.probabilities()[FIVE] < bound < clear.probabilities()[FIVE] < 1
    assert clear.is_sure(SceneSettings())
    assert not told(*[(FIVE, 0.30)] * 12, counter=torn).is_sure(SceneSettings())
    assert not told(*[(FIVE, 0.48)] * 12, counter={FOUR: 0.25, FIVE: 0.75}).is_sure(SceneSettings())


def test_frames_that_contradict_each_other_are_weighed():
    die = told(*[(FIVE, 0.9), (FOUR, 0.9)] * 6, counter={FOUR: 0.5, FIVE: 0.5})
    shares = die.probabilities()
    assert shares[FOUR] == pytest.approx(shares[FIVE])


def test_nobody_has_said_anything():
    assert told().probabilities() == pytest.approx((1 / 6,) * 6)


def faintly_seen(names: np.ndarray) -> Said:
    """A die that the finder hardly sees; the namer says `names`, the counter mostly a five."""
    die = told(counter={FIVE: 0.6, FOUR: 0.1})
    for _ in range(6):
        die.vote(FIVE, 0.35, names)
    return die


def test_who_is_hard_to_find_may_be_easy_to_name():
    clear = np.full(6, 0.002, np.float32)
    clear[FIVE] = 0.99
    torn = np.full(6, 0.06, np.float32)
    torn[FIVE] = 0.70
    assert faintly_seen(clear).is_sure(SceneSettings())
    assert not faintly_seen(torn).is_sure(SceneSettings())


def test_half_a_die_is_counted_without_a_doubt_but_not_named():
    names = np.array([0.05, 0.76, 0.08, 0.06, 0.03, 0.02], np.float32)
    die = told(counter={1: 0.95})
    for _ in range(6):
        die.vote(1, 0.6, names)
    assert die.probabilities()[1] > SceneSettings().min_both
    assert not die.is_sure(SceneSettings())


def test_a_die_that_is_hardly_found_at_all_stays_a_question():
    clear = np.eye(6, dtype=np.float32)[FIVE]
    die = told(*[(FIVE, 0.2)] * 6, counter={FIVE: 1.0})
    die.names = 6.0 * clear
    assert die.probabilities()[FIVE] > SceneSettings().min_both
    assert not die.is_sure(SceneSettings())


@given(
    st.lists(st.tuples(st.integers(0, 7), st.floats(0, 1)), max_size=12),
    st.one_of(st.none(), st.dictionaries(st.integers(0, 5), st.floats(0, 0.16), max_size=6)),
)
def test_whatever_is_said_the_six_shares_sum_to_one(votes, counter):
    shares = told(*votes, counter=counter).probabilities()
    assert len(shares) == 6
    assert sum(shares) == pytest.approx(1, abs=1e-5)
    assert min(shares) >= 0


def called_burning(flat: float, *, named: bool = True) -> Said:
    """A die that most frames call burning, the namer a five if flat, the counter a five."""
    die = told(*[(FIVE, 0.8)] * 3, counter={FIVE: 1.0})
    names = np.full(6, 0.02, np.float32)
    names[FIVE] = 0.9
    for _ in range(6):
        die.vote(BURNING, 0.6, names if named else None)
    for _ in range(4):
        die.stance.hear(np.array([flat, 0.0, 1 - flat], np.float32))
    return die


def test_who_lies_flat_without_any_doubt_may_be_called_burning_by_the_others():
    settings = SceneSettings(stance_reader=True)
    assert called_burning(0.99).kind_is_sure(settings)
    assert called_burning(0.99).is_sure(settings)
    assert called_burning(0.99).reading((0.0, 0.0), settings).value == FIVE + 1
    assert not called_burning(0.94).kind_is_sure(settings)
    assert not called_burning(0.94).is_sure(settings)


def test_who_was_called_burning_and_nobody_knows_its_value_stays_a_question():
    settings = SceneSettings(stance_reader=True)
    torn = called_burning(0.99)
    for _ in range(20):
        torn.vote(BURNING, 0.6, np.eye(6, dtype=np.float32)[FOUR])
    for die in (called_burning(0.99, named=False), torn):
        assert not die.kind_is_sure(settings)
        assert not die.is_sure(settings)


def test_a_die_that_moved_keeps_no_word_about_its_value():
    track = followed(called_burning(0.99))
    track.restart(5.0)
    assert track.said.names.sum() == 0


def test_what_nobody_looked_at_stays_where_it_was_and_what_was_missed_does_not():
    scene = alone()
    for frame in range(6):
        state = scene.update(look((5, 100, 100), (4, 300, 100)), frame / 10)
    right_mm = (200.0, 0.0, 420.0, 315.0)
    for frame in range(6, 16):
        state = scene.update(look((4, 300, 100)), frame / 10, seen_mm=right_mm)
    assert [die.value for die in state.dice if die.at_rest] == [6, 5]
    for frame in range(16, 22):
        state = scene.update(look((5, 100, 100)), frame / 10, seen_mm=right_mm)
    assert [die.value for die in state.dice] == [6]
    for frame in range(22, 28):
        state = scene.update(look(), frame / 10)
    assert not state.dice


def seen_to_stand(looks: float, outline: float | None) -> Said:
    """A die with these chances of lying flat: a clear five for namer and counter."""
    die = told(*[(FIVE, 0.8)] * 5, counter={FIVE: 1.0})
    for _ in range(3):
        die.stance.hear(np.array([looks, 0.0, 1 - looks], np.float32))
        if outline is not None:
            die.outline.hear(np.array([outline, 0.0, 1 - outline], np.float32))
    return die


def test_looks_and_outline_have_to_agree_that_a_die_lies_flat():
    settings = SceneSettings(stance_reader=True)
    assert seen_to_stand(0.9, None).kind_is_sure(settings)
    assert seen_to_stand(0.9, 0.95).kind_is_sure(settings)
    assert not seen_to_stand(0.9, 0.1).kind_is_sure(settings)
    assert not seen_to_stand(0.75, None).kind_is_sure(settings)
    assert seen_to_stand(0.75, 0.99).kind_is_sure(settings)
    assert not seen_to_stand(0.1, 0.99).kind_is_sure(settings)
    assert not seen_to_stand(1.0, 0.39).kind_is_sure(settings)
    assert not seen_to_stand(0.39, 1.0).kind_is_sure(settings)
    assert seen_to_stand(1.0, 0.62).kind_is_sure(settings)
    assert seen_to_stand(0.95, 0.6).stands().sum() == pytest.approx(1)


def test_more_is_asked_of_a_die_where_looks_or_outline_waver():
    settings = SceneSettings(stance_reader=True)
    for looks, outline, flat in ((0.87, 0.9, True), (0.99, 0.66, True), (0.99, 0.62, False)):
        assert seen_to_stand(looks, outline).stands()[0] > settings.min_flat
        assert seen_to_stand(looks, outline).kind_is_sure(settings) is flat
        assert seen_to_stand(outline, looks).kind_is_sure(settings) is flat


@given(st.floats(0, 1), st.floats(0, 1))
def test_no_die_lies_flat_for_sure_while_looks_or_outline_alone_leave_it_open(
    looks: float, outline: float
):
    settings = SceneSettings(stance_reader=True)
    die = seen_to_stand(looks, outline)
    if die.kind() == "die" and die.kind_is_sure(settings):
        assert min(looks, outline) >= 0.4 - 1e-6


def test_looks_alone_doubt_no_tower_where_all_dice_lie_apart():
    die = told(*[(FIVE, 0.8)] * 5, counter={FIVE: 1.0})
    for _ in range(3):
        die.stance.hear(np.array([0.6, 0.4, 0.0], np.float32))
        die.outline.hear(np.array([0.97, 0.03, 0.0], np.float32))
    settings = SceneSettings(stance_reader=True)
    assert not die.kind_is_sure(settings)
    die.odds = np.array([1.0, settings.tower_odds, 1.0])
    assert die.kind_is_sure(settings)


@given(st.floats(0.93, 1), st.floats(0, 1), st.booleans())
def test_no_fault_is_told_where_looks_or_outline_contradict(flat: float, other: float, turn: bool):
    die = seen_to_stand(*((other, flat) if turn else (flat, other)))
    assert die.stands()[1:].max() < SceneSettings().min_fault


def test_a_die_that_moved_keeps_no_word_about_its_outline():
    track = followed(seen_to_stand(0.95, 0.1))
    track.restart(5.0)
    assert track.said.outline.times == 0
    track.said.stance.hear(np.array([0.95, 0.0, 0.05], np.float32))
    assert track.said.stands()[0] == pytest.approx(0.95)


def test_a_reading_tells_how_the_die_stands_by_looks_by_outline_and_by_both():
    die = told((FIVE, 0.9))
    assert {"stands", "looks", "outline"}.isdisjoint(
        die.reading((0.0, 0.0), SceneSettings()).to_json()
    )
    die.stance.hear(np.array([0.6, 0.1, 0.3], np.float32))
    die.outline.hear(np.array([0.2, 0.1, 0.7], np.float32))
    line = die.reading((0.0, 0.0), SceneSettings()).to_json()
    assert (line["looks"], line["outline"]) == ([0.6, 0.1, 0.3], [0.2, 0.1, 0.7])
    assert line["stands"] == pytest.approx(die.stands().tolist(), abs=0.001)
    assert 0.2 < line["stands"][0] < 0.6


def test_who_was_heard_once_and_lies_flat_is_no_fact_yet_and_no_suspect():
    settings = SceneSettings(stance_reader=True)
    die = told(*[(FIVE, 0.8)] * 5, counter={FIVE: 1.0})
    assert die.kind_is_doubted(settings), "nobody has said anything"
    die.stance.hear(np.array([0.98, 0.0, 0.02], np.float32))
    assert not die.kind_is_doubted(settings)
    assert not die.kind_is_sure(settings)
    assert not die.is_sure(settings)
    die.stance.hear(np.array([0.2, 0.0, 0.8], np.float32))
    assert die.kind_is_doubted(settings)
    assert not die.kind_is_sure(settings)
