"""The referee has a throw repeated: it is taken back and burns, as far as nobody has played on."""

import pytest

from rules.actions import Action, CoverThrow, KeepDice, StopTurn, ThrowDice
from rules.errors import Refused
from rules.events import Burnt, TakenBack
from rules.library import find_book
from rules.match import Match
from rules.repeating import repeating


def opened() -> Match:
    """Ben leads the first round."""
    match = Match.new(find_book("turnier"), ["Anna", "Ben"])
    return played(match, ThrowDice("Anna", (6, 5, 2)), ThrowDice("Ben", (3, 2, 2)))


def played(match: Match, *actions: Action) -> Match:
    for action in actions:
        match, _ = match.do(action)
    return match


def latest(match: Match) -> tuple[str, int]:
    event = [e for e in match.state.record if hasattr(e, "throw_id")][-1]
    return event.player, event.throw_id  # type: ignore[attr-defined]


def repeated(match: Match) -> Match:
    return played(match, *repeating(match.state, *latest(match), by="Ute", reason="cocked"))


def test_a_throw_is_thrown_again_with_the_same_dice():
    match = played(opened(), ThrowDice("Ben", (6, 4, 1)))
    again = repeated(match)
    assert isinstance(again.state.record[-1], Burnt)
    assert again.turn is not None
    assert (again.turn.throws, again.turn.dice_to_throw) == (0, 3)
    assert played(again, ThrowDice("Ben", (5, 4, 1))).turn.thrown == (5, 4, 1)  # type: ignore[union-attr]


def test_what_was_done_with_its_dice_goes_with_it():
    match = played(opened(), ThrowDice("Ben", (6, 4, 1)), KeepDice("Ben", (1,)), StopTurn("Ben"))
    assert match.current_player == "Anna"
    again = repeated(match)
    assert again.current_player == "Ben"
    assert again.turn is not None
    assert again.turn.outside == ()


def test_dice_that_lay_outside_before_stay_there():
    match = played(opened(), ThrowDice("Ben", (6, 4, 1)), KeepDice("Ben", (1,)))
    again = repeated(played(match, ThrowDice("Ben", (3, 2))))
    assert again.turn is not None
    assert (again.turn.outside, again.turn.dice_to_throw) == ((1,), 2)


def test_a_covered_throw_and_one_of_the_opening_can_be_repeated():
    covered = repeated(played(opened(), CoverThrow("Ben")))
    assert covered.turn is not None
    assert covered.turn.covered_id is None
    match = Match.new(find_book("turnier"), ["Anna", "Ben"])
    first = repeated(played(match, ThrowDice("Anna", (6, 5, 2))))
    assert first.current_player == "Anna"


def test_the_log_tells_who_and_why():
    match = played(opened(), ThrowDice("Ben", (6, 4, 1)))
    told = []
    for action in repeating(match.state, *latest(match), by="Ute", reason="cocked"):
        match, events = match.do(action)
        told += events
    assert isinstance(told[0], TakenBack)
    assert (told[0].by, told[0].reason) == ("Ute", "cocked")
    assert isinstance(told[1], Burnt)
    assert told[1].burns == "referee"


def test_nothing_is_repeated_once_somebody_has_thrown_since():
    match = played(opened(), ThrowDice("Ben", (6, 4, 1)))
    before = latest(match)
    match = played(match, StopTurn("Ben"), ThrowDice("Anna", (6, 6, 5)))
    with pytest.raises(Refused) as refused:
        repeating(match.state, *before, by="Ute", reason="cocked")
    assert refused.value.code == "played_on"
    assert "weitergespielt" in refused.value.text_de


@pytest.mark.parametrize(("player", "throw_id"), [("Anna", 3), ("Ben", 99)])
def test_a_wrong_number_or_player_is_refused(player: str, throw_id: int):
    match = played(opened(), ThrowDice("Ben", (6, 4, 1)))
    with pytest.raises(Refused) as refused:
        repeating(match.state, player, throw_id, by="Ute", reason="cocked")
    assert refused.value.code == "unknown_throw"
