"""Where two games differ, and what is no difference."""

from device.game_difference import first_difference

THROWN = {"type": "thrown", "player": "A", "dice": [6, 1, 1], "throw_id": 4}
KEPT = {"type": "kept", "player": "A", "dice": [1, 1], "outside": [1, 1]}
ONE, OTHER = ({**KEPT, "dice": [1], "outside": [1]}, {**KEPT, "dice": [1]})


def test_equal_games_do_not_differ_though_throws_are_numbered_otherwise():
    assert first_difference([THROWN, KEPT], [{**THROWN, "throw_id": 9}, KEPT]) == ""


def test_dice_kept_one_after_the_other_are_dice_kept_together():
    assert first_difference([THROWN, KEPT], [THROWN, ONE, OTHER]) == ""
    other = {**OTHER, "player": "B"}
    assert "entry 2" in first_difference([THROWN, KEPT], [THROWN, ONE, other])
    assert "entry 2" in first_difference([THROWN, KEPT], [THROWN, ONE])


def test_whether_a_die_is_kept_or_a_six_turned_first_is_no_difference():
    turned = {"type": "turned", "player": "A", "count": 1, "outside": [1], "section": "P1"}
    then_kept = {**OTHER, "outside": [1, 1]}
    then_turned = {**turned, "outside": [1, 1]}
    assert first_difference([THROWN, ONE, then_turned], [THROWN, turned, then_kept]) == ""
    assert "entry 2" in first_difference([THROWN, KEPT], [THROWN, turned, then_kept])
    assert "entry 2" in first_difference([THROWN, KEPT], [THROWN, ONE, then_turned])


def test_the_first_difference_is_told_with_both_entries():
    told = first_difference([THROWN], [{**THROWN, "dice": [6, 5, 1]}])
    assert told.startswith("entry 1: ")
    assert "[6, 1, 1]" in told
    assert "became" in told
    assert "[6, 5, 1]" in told


def test_what_is_missing_or_too_many_is_told():
    assert "is missing" in first_difference([THROWN, KEPT], [THROWN])
    assert "is too many" in first_difference([THROWN], [THROWN, KEPT])


def test_of_a_burnt_throw_the_dice_do_not_matter():
    burnt = {"type": "burnt", "player": "A", "dice": [], "burns": "tower"}
    assert first_difference([burnt], [{**burnt, "dice": [3], "burns": "burning"}]) == ""
