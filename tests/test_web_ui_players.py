"""Names of players as somebody types them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web_ui.errors import RequestError
from web_ui.players import checked_players, moved_up, toggled

SCRIPT = "<script>alert(1)</script>"
NAMES = st.lists(st.text(min_size=1, max_size=4), unique=True, max_size=10)


def test_names_are_tidied_and_keep_their_letters():
    told = ["  Jürgen ", "Ayşe", "O’Neill Jr.", "Ute  K.", "Zoë 2", "李"]
    assert checked_players(told) == ("Jürgen", "Ayşe", "O’Neill Jr.", "Ute K.", "Zoë 2", "李")
    assert checked_players(["Ju\u0308rgen", "A"])[0] == "Jürgen", "one form for one name"


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (None, "bad_players"),
        ("Anna", "bad_players"),
        (["Anna", 3], "bad_players"),
        ([], "too_few_players"),
        (["Anna"], "too_few_players"),
        ([f"P{n}" for n in range(11)], "too_many_players"),
        (["Anna", "anna "], "player_twice"),
        (["Anna", ""], "player_nameless"),
        (["Anna", " . "], "player_nameless"),
        (["Anna", "x" * 31], "player_too_long"),
        (["Anna", SCRIPT], "player_signs"),
        (["Anna", "Be\x00n"], "player_signs"),
        (["Anna", "Be\u202en"], "player_signs"),
    ],
)
def test_players_who_cannot_be_are_refused(names: object, code: str):
    with pytest.raises(RequestError) as refused:
        checked_players(names)
    assert (refused.value.status, refused.value.code) == (400, code)


def test_whoever_plays_already_keeps_his_name():
    assert checked_players(["Anna", SCRIPT], known=[SCRIPT])[1] == SCRIPT


@given(NAMES, st.integers(-2, 12))
def test_moving_up_loses_nobody(names: list[str], at: int):
    assert sorted(moved_up(names, at)) == sorted(names)
    if 0 < at < len(names):
        assert moved_up(names, at)[at - 1] == names[at]


def test_a_tap_seats_and_another_lets_go():
    assert toggled(["Anna"], "Ben") == ["Anna", "Ben"]
    assert toggled(["Anna", "Ben"], "anna") == ["Ben"]
