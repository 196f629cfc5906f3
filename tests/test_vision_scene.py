import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision_table import Table, alone, look

from vision.detections import BURNING, CUP, TOWER, Detections
from vision.errors import FrameOrderError
from vision.lying import Zones, candidates, is_explained, kept_and_turned, sort_scene
from vision.scene import TableScene

dice_values = st.lists(st.integers(1, 6), max_size=3)


def test_a_die_lies_still_after_four_tenths_of_a_second_not_before():
    scene = alone()
    states = [scene.update(look((5, 100, 100)), frame / 10) for frame in range(6)]
    assert [state.dice[0].at_rest for state in states] == [False] * 4 + [True] * 2
    assert states[-1].dice[0].value == 6
    assert states[-1].dice[0].position_mm == pytest.approx((100, 100), abs=0.1)


def test_trembling_boxes_lie_still_a_slow_slide_does_not():
    trembling, sliding = alone(), alone()
    for frame in range(20):
        shaken = trembling.update(look((5, 100 + 0.8 * (frame % 2), 100)), frame / 10)
        slid = sliding.update(look((5, 100 + 0.9 * frame, 100)), frame / 10)
    assert shaken.dice[0].at_rest
    assert not slid.dice[0].at_rest


def test_a_move_forgets_what_was_read_before():
    scene = alone()
    for frame in range(12):
        state = scene.update(look((5, 100, 100)), frame / 15)
    assert state.dice[0].sure
    for frame in range(12, 24):
        state = scene.update(look((4, 106, 100)), frame / 15)
    assert (state.dice[0].track_id, state.dice[0].value, state.dice[0].sure) == (1, 5, True)


def test_a_missed_frame_does_not_end_a_track_but_it_is_not_read_meanwhile():
    scene = alone()
    for frame in range(12):
        scene.update(look((5, 100, 100)), frame / 15)
    missed = scene.update(look(), 12 / 15)
    again = scene.update(look((5, 100, 100)), 13 / 15)
    assert [die.at_rest for die in missed.dice] == [False]
    assert [(die.track_id, die.at_rest, die.sure) for die in again.dice] == [(1, True, True)]


@pytest.mark.parametrize("fps", [5, 15, 30])
def test_what_is_not_seen_for_a_third_of_a_second_is_gone(fps):
    scene = alone()
    for frame in range(fps):
        scene.update(look((5, 100, 100)), frame / fps)
    state = scene.update(look(), 1.0)
    assert state.dice
    state = scene.update(look(), 1.0 + 0.36)
    assert not state.dice


def test_two_dice_side_by_side_keep_their_tracks():
    scene = alone()
    for frame in range(15):
        state = scene.update(look((5, 100, 100), (0, 117, 100)), frame / 15)
        scene.update(look((0, 117, 100), (5, 100, 100)), frame / 15 + 0.01)
    assert [(die.track_id, die.value) for die in state.dice] == [(1, 6), (2, 1)]
    assert all(die.sure for die in state.dice)


def test_after_a_pause_nothing_is_known_to_have_lain_still():
    scene = alone()
    for frame in range(12):
        scene.update(look((5, 100, 100)), frame / 15)
    state = scene.update(look((5, 100, 100)), 9.0)
    assert not state.dice[0].at_rest


def test_a_frame_from_the_past_is_refused_and_changes_nothing():
    scene = alone()
    before = scene.update(look((5, 100, 100)), 2.0)
    with pytest.raises(FrameOrderError, match=r"1\.000 s is older"):
        scene.update(look(), 1.0)
    with pytest.raises(FrameOrderError):
        scene.hold(1.0)
    assert scene.state() == before


def test_time_passes_without_a_look_when_nothing_changed():
    scene = alone(smallest_cup_mm=15.0)
    for frame in range(4):
        scene.update(look((5, 100, 100), (CUP, 200, 200), side_mm=20), frame / 10)
    state = scene.hold(0.9)
    assert state.dice[0].at_rest
    assert state.cups[0].settled
    assert not state.dice[0].sure  # so many looks are so many, however long ago


@pytest.mark.parametrize("side_mm", [7, 40])
def test_what_has_not_the_size_of_a_die_is_none(side_mm):
    assert not alone().update(look((3, 100, 100), side_mm=side_mm), 0.0).dice


def test_findings_on_the_markers_and_inside_a_cup_do_not_count():
    scene = alone(blind_mm=((0, 0, 25, 25),))
    found = Detections.merged(
        [look((3, 14, 14), (4, 150, 150), (2, 300, 20)), look((CUP, 150, 150), side_mm=80)]
    )
    state = scene.update(found, 0.0)
    assert [die.value for die in state.dice] == [3]
    assert len(state.cups) == 1


@pytest.mark.parametrize(("class_id", "kind"), [(TOWER, "tower"), (BURNING, "burning")])
def test_towers_and_burning_dice_have_no_sure_value(class_id, kind):
    scene = alone()
    for frame in range(12):
        state = scene.update(look((class_id, 100, 100)), frame / 15)
    assert (state.dice[0].kind, state.dice[0].sure) == (kind, True)
    assert not state.dice[0].reading.sure


def test_the_second_reader_is_asked_only_about_still_dice_and_only_a_few_times():
    scene = TableScene()
    asked = 0
    for frame in range(30):
        scene.update(look((5, 100, 100)), frame / 15)
        wanted = scene.wants_second()
        if wanted:
            assert frame / 15 >= scene.settings.ask_s
            asked += 1
            box = wanted[1]
            assert box == pytest.approx([2.2 * v for v in (91, 91, 109, 109)], abs=0.5)
            word = np.full(7, 0.01, np.float32)
            word[5] = 0.94
            scene.hear_second({1: word})
            state = scene.state()
            # All have spoken when it counts as lying still, and nothing is sure before.
            assert state.dice[0].sure == state.dice[0].at_rest == (frame / 15 >= 0.4)
    assert asked == scene.settings.max_asked
    assert state.dice[0].sure
    assert state.dice[0].reading.second[5] == pytest.approx(0.94)


def test_a_die_is_never_sure_on_one_witness_alone():
    scene = TableScene()
    for frame in range(40):
        state = scene.update(look((5, 100, 100)), frame / 15)
    assert not state.dice[0].sure


@pytest.mark.parametrize("fps", [5, 15, 30])
def test_a_scene_settles_at_any_frame_rate(fps):
    table = Table().at(0.0, [(6, 100, 100), (5, 150, 120)])
    table.play(until_s=1.6, fps=fps)
    settled = next(s.t_s for s in table.states if s.is_settled and s.dice)
    assert settled == pytest.approx(0.5, abs=0.35)


def test_zones_the_gap_counts_as_thrown():
    scene = alone()
    found = look((5, 100, 100), (4, 325, 100), (3, 331, 200), (2, 100, -8))
    lying = sort_scene(scene.update(found, 0.0), Zones())
    assert [die.value for die in lying.zone] == [6, 5]
    assert [die.value for die in lying.strip] == [4]
    assert [die.value for die in lying.off] == [3]


def test_candidates_rank_by_both_witnesses():
    table = Table(second_says={5: 6}).at(0.0, [(6, 100, 100), (5, 150, 120), (1, 200, 120)])
    table.play(until_s=1.5)
    ranked = candidates(table.states[-1].dice)
    assert len(ranked) == 3
    assert set(ranked[:2]) == {(6, 6, 1), (6, 5, 1)}
    assert candidates(()) == ()


@pytest.mark.parametrize(
    ("before", "now", "thrown", "kept", "turned"),
    [
        ((), (6,), (6, 5, 2), (6,), 0),
        ((), (1,), (6, 6, 2), (), 1),
        ((), (1,), (6, 6, 1), (1,), 0),
        ((), (1, 1), (6, 6, 1), (1,), 1),
        ((), (1, 1), (6, 6, 6), (), 2),
        ((6,), (1,), (6, 5, 2), (), 1),
        ((1,), (5, 1), (5, 2), (5,), 0),
        ((1,), (1, 1), (6, 6), (), 1),
        ((), (1,), (), (1,), 0),
    ],
)
def test_kept_and_turned(before, now, thrown, kept, turned):
    assert kept_and_turned(before, now, thrown) == (kept, turned)


@given(known=dice_values, data=st.data())
def test_known_dice_explain_any_part_of_themselves(known, data):
    part = data.draw(st.lists(st.sampled_from(known), unique=True) if known else st.just([]))
    assert is_explained(part, known)
    assert is_explained([1 if value == 6 else value for value in part], known)


@given(dice=dice_values, thrown=dice_values)
def test_kept_and_turned_dice_together_are_what_is_new(dice, thrown):
    kept, turned = kept_and_turned((), dice, thrown)
    assert sorted((*kept, *(1,) * turned)) == sorted(dice)


def test_other_dice_are_not_explained():
    assert not is_explained((5,), (6, 4, 2))
    assert not is_explained((6, 6), (6, 4, 2))
    assert not is_explained((1, 1), (6, 4, 2))


def test_a_finding_counts_as_a_die_when_it_has_stayed_for_three_looks():
    scene = alone(born_looks=3)
    states = [scene.update(look((5, 100, 100)), frame / 10) for frame in range(3)]
    assert [len(state.dice) for state in states] == [0, 0, 1]
    assert [state.is_settled for state in states[:2]] == [False, False]


def test_a_new_die_is_asked_about_beside_those_of_which_enough_is_said():
    scene = alone(stance_reader=True)
    for frame in range(12):
        scene.update(look((5, 100, 100)), frame / 10)
        scene.hear_stance(dict.fromkeys(scene.wants_stance(), np.array([1.0, 0.0, 0.0])))
    assert scene.wants_stance() == {}
    for frame in range(12, 24):
        state = scene.update(look((5, 100, 100), (5, 200, 100)), frame / 10)
        wanted = scene.wants_stance()
        assert len(wanted) in (0, 2)
        if wanted:  # whatever is said of the old one now is not heard
            scene.hear_stance(dict.fromkeys(wanted, np.array([0.0, 0.0, 1.0])))
            state = scene.state()
    assert [die.kind for die in state.dice] == ["die", "burning"]


def test_one_look_that_sees_a_die_elsewhere_does_not_move_it_two_do():
    scene = alone()
    for frame in range(30):
        state = scene.update(look((5, 100 + 4 * (frame % 3 == 2), 100)), frame / 10)
    assert state.dice[0].still_since_s == 0.0
    assert state.dice[0].position_mm == pytest.approx((100, 100))
    for frame in range(30, 34):
        state = scene.update(look((5, 104, 100)), frame / 10)
    assert state.dice[0].still_since_s == pytest.approx(3.0)
    leapt = scene.update(look((5, 113, 100)), 3.4)
    assert leapt.dice[0].still_since_s == pytest.approx(3.4)


def test_a_box_that_takes_a_print_in_for_two_looks_has_not_moved_for_three_it_has():
    scene = alone()
    for frame in range(30):
        taken_in = frame % 3 > 0
        x, side_mm = (109, 28.0) if taken_in else (100, 18.0)
        state = scene.update(look((5, x, 100), side_mm=side_mm), frame / 10)
    assert (state.dice[0].still_since_s, state.dice[0].at_rest) == (0.0, True)
    for frame in range(30, 33):
        state = scene.update(look((5, 109, 100), side_mm=28.0), frame / 10)
    assert state.dice[0].still_since_s == pytest.approx(3.0)


def test_looks_that_see_a_die_now_here_now_there_do_not_move_it():
    scene = alone()
    for frame in range(30):
        x = {1: 105, 2: 96}.get(frame % 6, 100)
        state = scene.update(look((5, x, 100)), frame / 10)
    assert (state.dice[0].still_since_s, state.dice[0].at_rest) == (0.0, True)


def test_where_a_die_came_to_rest_is_known_better_than_from_one_look():
    scene = alone()
    for frame in range(30):
        x = 100 if frame == 0 else 102.4 if frame > 8 and frame % 4 < 2 else 101.6
        state = scene.update(look((5, x, 100)), frame / 10)
    assert (state.dice[0].still_since_s, state.dice[0].at_rest) == (0.0, True)


def test_a_finding_that_comes_and_goes_is_none_and_is_not_waited_for():
    scene = alone(born_looks=3)
    states = [
        scene.update(look(*[(5, 100, 100)] * (frame % 3 == 0)), frame / 10) for frame in range(16)
    ]
    assert not any(state.dice for state in states)
    assert [len(states[frame].unborn) for frame in (0, 6, 15)] == [1, 1, 0]
    assert states[15].is_settled


@pytest.mark.parametrize(("die_score", "dice", "cups"), [(0.5, 0, 1), (0.9, 1, 0)])
def test_a_clear_die_in_a_faint_cup_lies_on_a_coaster(die_score, dice, cups):
    scene = alone()
    box = [220 - 20, 220 - 20, 220 + 20, 220 + 20]
    found = Detections.of([[100, 100, 340, 340], box], [0.3, die_score], [CUP, 4])
    for frame in range(6):
        state = scene.update(found, frame / 10)
    assert (len(state.dice), len(state.cups)) == (dice, cups)
