import pytest
from vision_table import CUP, THROW, Table, thrown, told, types

from vision.events import DOUBTS, EVENT_TYPES, TableEvent
from vision.throws import ThrowTracker

STRIP_SIX = (6, 375, 60)


def test_cup_down_shaken_lifted_three_dice_at_rest_is_a_throw():
    events = thrown().play(until_s=5)
    assert told(events) == [
        ("cup_down", (), ()),
        ("cup_up", (), ()),
        ("throw_seen", (6, 5, 2), ()),
    ]
    assert all(event.sure for event in events)
    cup_up, throw = events[1:]
    assert throw.started_at_s == cup_up.started_at_s == pytest.approx(2.0, abs=0.1)
    assert cup_up.t_s <= throw.t_s == throw.ended_at_s


def test_a_throw_is_told_once_however_long_it_lies():
    assert types(thrown().play(until_s=20)).count("throw_seen") == 1


@pytest.mark.parametrize("fps", [5, 10, 15, 30])
def test_the_same_events_at_the_same_time_at_any_frame_rate(fps):
    table = (
        thrown()
        .at(5.0, [STRIP_SIX, (5, 150, 120), (2, 200, 90)])
        .at(6.5, [STRIP_SIX], cup=CUP)
        .at(8.5, [STRIP_SIX, (4, 120, 200), (1, 180, 210)])
        .at(11.5)
    )
    events = table.play(until_s=14, fps=fps)
    assert told(events) == [
        ("cup_down", (), ()),
        ("cup_up", (), ()),
        ("throw_seen", (6, 5, 2), ()),
        ("cup_down", (), ()),
        ("dice_kept", (6,), (6,)),
        ("cup_up", (), (6,)),
        ("throw_seen", (4, 1), (6,)),
        ("cleared", (), ()),
    ]
    expected_s = [0.8, 2.35, 2.6, 6.8, 6.8, 8.85, 9.0, 12.4]
    assert [event.t_s for event in events] == pytest.approx(expected_s, abs=0.45)


def test_dice_that_lie_there_when_watching_begins_are_no_throw():
    assert Table().at(0.0, THROW).play(until_s=5) == []


def test_an_empty_mat_at_the_beginning_was_not_cleared():
    assert Table().at(0.0).play(until_s=3) == []


def test_kept_dice_are_told_when_the_cup_goes_down_again():
    table = thrown().at(4.0, [STRIP_SIX, (5, 375, 100), (2, 200, 90)])
    table.at(6.0, [STRIP_SIX, (5, 375, 100)], cup=CUP)
    events = table.play(until_s=8)
    assert told(events)[3:] == [("cup_down", (), ()), ("dice_kept", (6, 5), (6, 5))]


def test_two_sixes_of_a_throw_that_became_a_one_are_turned_not_kept():
    table = thrown([(6, 100, 100), (6, 150, 120), (2, 200, 90)])
    table.at(4.0, [(1, 375, 60), (6, 150, 120), (2, 200, 90)]).at(6.0, [(1, 375, 60)], cup=CUP)
    assert told(table.play(until_s=8))[3:] == [("cup_down", (), ()), ("turned", (1,), (1,))]


def test_a_one_kept_beside_a_turned_six():
    table = thrown([(6, 100, 100), (6, 150, 120), (1, 200, 90)])
    strip = [(1, 375, 60), (1, 375, 100)]
    table.at(4.0, [*strip, (6, 150, 120)]).at(6.0, strip, cup=CUP)
    assert told(table.play(until_s=8))[4:] == [
        ("turned", (1,), (1, 1)),
        ("dice_kept", (1,), (1, 1)),
    ]


def test_a_die_put_aside_before_the_mat_is_cleared_is_kept_first():
    table = thrown().at(4.0, [STRIP_SIX, (5, 150, 120), (2, 200, 90)]).at(6.5)
    assert told(table.play(until_s=8))[3:] == [("dice_kept", (6,), (6,)), ("cleared", (), ())]


def test_all_dice_pushed_through_the_strip_at_the_end_are_not_kept():
    swept = [(6, 350, 100), (5, 370, 120), (2, 390, 90)]
    assert types(thrown().at(4.0, swept).at(6.5).play(until_s=8))[3:] == ["cleared"]


def test_a_mat_on_which_somebody_works_is_not_cleared_yet():
    table = thrown().at(4.0, busy=True)
    assert "cleared" not in types(table.play(until_s=8))


def test_a_mat_that_does_not_look_bare_is_not_cleared():
    """A cup that the detector overlooks."""
    table = thrown().at(4.0, looks_bare=False).at(6.0, looks_bare=True)
    cleared = [event for event in table.play(until_s=8) if event.type == "cleared"]
    assert len(cleared) == 1
    assert cleared[0].t_s > 6.4


def test_a_missing_die_is_a_doubt_not_a_throw():
    events = thrown(THROW[:2]).play(until_s=6)
    assert types(events) == ["cup_down", "cup_up", "unsure"]
    doubt = events[-1]
    assert (doubt.reason, doubt.dice, doubt.sure) == ("fewer", (6, 5), False)
    assert doubt.t_s == pytest.approx(2.0 + 0.4 + 1.5, abs=0.2)


def test_a_die_hidden_under_a_hand_is_read_when_the_hand_goes():
    table = thrown(THROW[:2]).at(3.0, THROW)
    assert told(table.play(until_s=6))[2:] == [("throw_seen", (6, 5, 2), ())]


def test_a_throw_settled_by_a_person_is_not_asked_again_when_the_hidden_die_appears():
    events = thrown(THROW[:2]).at(5.0, THROW).play(until_s=9)
    assert types(events)[2:] == ["unsure"]


def test_four_dice_are_a_doubt():
    events = thrown([*THROW, (3, 60, 200)]).play(until_s=6)
    assert (events[-1].type, events[-1].reason) == ("unsure", "more")


def test_witnesses_that_disagree_make_a_doubt_with_candidates():
    events = thrown(second_says={5: 6}).play(until_s=6)
    assert types(events)[2:] == ["unsure"]
    doubt = events[-1]
    assert doubt.reason == "values"
    assert {(6, 5, 2), (6, 6, 2)} <= set(doubt.candidates)
    said = {reading.detector.index(max(reading.detector)) + 1 for reading in doubt.readings}
    assert said == {6, 5, 2}
    assert [reading.sure for reading in doubt.readings].count(False) == 1


def test_a_detector_that_wavers_makes_a_doubt():
    events = thrown(detector_says={2: 3}).play(until_s=6)
    assert (events[-1].type, events[-1].reason) == ("unsure", "values")


def test_without_a_second_reader_a_clear_steady_detector_is_enough():
    events = thrown(second_reader=False).play(until_s=6)
    assert told(events)[2:] == [("throw_seen", (6, 5, 2), ())]


def test_without_a_second_reader_a_weak_detector_is_a_doubt():
    events = thrown(second_reader=False, score=0.5).play(until_s=6)
    assert (events[-1].type, events[-1].reason) == ("unsure", "values")


@pytest.mark.parametrize("kind", ["tower", "burning"])
def test_a_tower_or_a_burning_die_instead_of_a_throw(kind):
    events = thrown([(6, 100, 100), (kind, 150, 120), (2, 200, 90)]).play(until_s=8)
    assert told(events)[2:] == [(kind, (6, 2), ())]


def test_after_a_tower_the_throw_is_repeated():
    table = thrown([(6, 100, 100), ("tower", 150, 120)])
    table.at(5.0, cup=CUP).at(7.0, THROW)
    assert types(table.play(until_s=10))[2:] == ["tower", "cup_down", "cup_up", "throw_seen"]


def test_a_die_beside_the_mat():
    events = thrown([(6, 100, 100), (5, 150, 120), (2, 200, -9)]).play(until_s=8)
    assert told(events)[2:] == [("off_mat", (6, 5), ())]


def test_something_like_a_die_beside_the_mat_does_not_matter_with_three_on_it():
    events = thrown([*THROW, (4, 200, -9)]).play(until_s=8)
    assert told(events)[2:] == [("throw_seen", (6, 5, 2), ())]


def test_dice_still_moving_are_not_read():
    table = Table().at(0.0).at(0.5, cup=CUP)
    for step in range(20):
        table.at(2.0 + step / 15, [(6, 100 + 3 * step, 100), (5, 150, 120), (2, 200, 90)])
    events = table.play(until_s=3.2)
    assert "throw_seen" not in types(events)
    assert "throw_seen" in types(Table(moments=table.moments).play(until_s=5))


def test_dice_that_never_come_to_rest_need_a_person():
    table = Table().at(0.0).at(0.5, cup=CUP)
    for step in range(150):
        table.at(
            2.0 + step / 15, [(6, 100 + 4 * (step // 2 % 2), 100), (5, 150, 120), (2, 200, 90)]
        )
    assert "restless" in [event.reason for event in table.play(until_s=9)]


def test_a_die_left_in_the_zone_while_the_others_were_thrown_is_a_doubt():
    table = thrown().at(5.0, [(6, 100, 100)], cup=(220, 220))
    table.at(7.0, [(6, 100, 100), (4, 200, 200), (1, 240, 210)])
    events = table.play(until_s=10)
    assert (events[-1].type, events[-1].reason) == ("unsure", "left_in_zone")


def test_a_die_that_rolled_into_the_strip_is_a_doubt():
    events = thrown([(6, 100, 100), (5, 150, 120), (2, 380, 90)]).play(until_s=6)
    assert (events[-1].type, events[-1].reason) == ("unsure", "strip_changed")


def test_a_cup_parked_beside_three_open_dice_changes_nothing():
    table = thrown().at(4.0, THROW, cup=(60, 250)).at(6.0, THROW)
    assert types(table.play(until_s=8)) == ["cup_down", "cup_up", "throw_seen"]


def test_a_cup_that_is_lifted_and_set_down_in_the_zone_still_shows_the_throw():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0, THROW, cup=(60, 250))
    assert told(table.play(until_s=6))[1:] == [("cup_up", (), ()), ("throw_seen", (6, 5, 2), ())]


def test_a_cup_that_passes_over_known_dice_throws_nothing():
    table = thrown().at(4.0, THROW[:1], cup=(180, 105)).at(5.0, THROW)
    expected = ["cup_down", "cup_up", "throw_seen", "cup_down", "cup_up"]
    assert types(table.play(until_s=8)) == expected


def test_a_cup_lifted_with_its_dice_and_set_down_again_is_no_throw():
    table = Table().at(0.0).at(0.5, cup=CUP).at(2.0).at(2.4, cup=CUP).at(4.0, THROW)
    events = table.play(until_s=7)
    assert types(events).count("throw_seen") == 1
    assert "unsure" not in types(events)


def test_other_dice_without_a_cup_are_a_doubt():
    table = thrown().at(4.0, [(1, 90, 200), (3, 150, 210), (3, 200, 190)])
    events = table.play(until_s=8)
    assert (events[-1].type, events[-1].reason, events[-1].dice) == ("unsure", "changed", (3, 3, 1))


def test_known_dice_pushed_about_are_no_throw():
    table = thrown().at(4.0, [(2, 90, 200), (5, 150, 210), (6, 200, 190)])
    assert types(table.play(until_s=8)) == ["cup_down", "cup_up", "throw_seen"]


def test_three_dice_on_an_empty_mat_without_a_cup_are_a_doubt():
    events = Table().at(0.0).at(1.5, THROW).play(until_s=6)
    assert [(event.type, event.reason) for event in events] == [("unsure", "no_cup")]


def test_dice_returned_from_the_strip_are_thrown_again():
    table = thrown().at(4.0, [STRIP_SIX, *THROW[1:]]).at(6.0, [STRIP_SIX], cup=CUP)
    table.at(8.0, cup=CUP).at(9.0, [(3, 90, 200), (3, 150, 210), (4, 200, 190)])
    assert told(table.play(until_s=12))[-1] == ("throw_seen", (4, 3, 3), ())


def test_the_seat_is_in_every_event():
    table = thrown()
    table.tracker = ThrowTracker(seat="B")
    assert {event.seat for event in table.play(until_s=5)} == {"B"}


def test_a_line_of_watch_has_exactly_the_promised_fields():
    line = thrown().play(until_s=5)[-1].to_json()
    assert line == {
        "t_s": line["t_s"],
        "type": "throw_seen",
        "seat": None,
        "dice": [6, 5, 2],
        "outside": [],
        "sure": True,
    }
    doubt = thrown(second_says={5: 6}).play(until_s=6)[-1].to_json()
    assert set(doubt) == {*line, "reason", "candidates", "readings"}


def test_unknown_types_and_reasons_are_refused():
    assert all(len(texts) == 2 for texts in DOUBTS.values())
    with pytest.raises(ValueError, match="type must be one of"):
        TableEvent(0.0, "thrown", None, (), (), True, 0.0, 0.0)
    with pytest.raises(ValueError, match="doubt must be one of"):
        TableEvent(0.0, EVENT_TYPES[0], None, (), (), True, 0.0, 0.0, reason="why")


def test_two_dice_that_lie_on_an_empty_mat_for_long_are_asked_about():
    events = Table().at(0.0).at(1.5, THROW[:2]).play(until_s=6)
    assert [(event.type, event.reason) for event in events] == [("unsure", "fewer")]
    assert Table().at(0.0).at(1.5, THROW[:2]).at(3.0).play(until_s=6) == [], "moved about by hand"


@pytest.mark.parametrize("odd", ["tower", "burning"])
def test_a_fault_beside_as_many_flat_dice_as_are_in_play_is_asked_about(odd: str):
    """One of the four is a look-alike, and nobody knows which."""
    table = Table().at(0.0).at(1.0, cup=CUP).at(2.5, [*THROW, (odd, 60, 200)])
    told = [(event.type, event.reason, event.dice) for event in table.play(until_s=6)]
    assert told[2:] == [("unsure", "kind", (6, 5, 2))]
