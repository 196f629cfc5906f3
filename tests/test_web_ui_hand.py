"""Hand entry: every deed the rules allow can be done by a button, the others say why not."""

import random
from collections.abc import Iterable

import pytest
from test_web_ui_table import Table
from web_ui_scenes import step

from rules.actions import (
    Abandon,
    CoverThrow,
    KeepDice,
    Pause,
    StopTurn,
    ThrowDice,
    action_from_json,
)
from rules.library import find_book
from rules.match import Match
from web_ui.hand import Deed, Hand, hand_of


def hand(match: Match, lang: str = "de") -> Hand:
    return hand_of(match, lang, "am Bildschirm")


def named(deeds: Iterable[Deed], name: str) -> list[Deed]:
    return [deed for deed in deeds if deed.name == name]


def led(book: str = "turnier") -> Match:
    """Anna and Ben; Ben leads the first round."""
    match = Match.new(find_book(book), ["Anna", "Ben"])
    for player, dice in (("Anna", (6, 5, 2)), ("Ben", (3, 2, 2))):
        match, _ = match.do(ThrowDice(player, dice))
    return match


def test_in_the_opening_there_is_a_throw_and_nothing_to_take_back():
    found = hand(Match.new(find_book("turnier"), ["Anna", "Ben"]))
    assert (found.player, found.thrown, found.throw_reason) == ("Anna", 3, "")
    assert all(deed.reason for deed in found.moves)
    (back,) = named(found.game, "take_back")
    assert back.reason.startswith("Es gibt noch keinen Zug")


def test_what_is_not_allowed_says_why_with_the_section_in_both_languages():
    match = led()
    (stop,) = named(hand(match).moves, "stop")
    assert stop.reason.startswith("Ben hat noch keinen gültigen Wurf liegen")
    assert "(001 " in stop.reason
    (stop,) = named(hand(match, "en").moves, "stop")
    assert stop.reason.startswith("Ben has no valid throw")


def test_after_a_throw_dice_may_be_put_out_and_come_back_into_the_cup():
    match, _ = led().do(ThrowDice("Ben", (6, 4, 1)))
    found = hand(match)
    kept = {deed.dice for deed in named(found.moves, "keep") if not deed.reason}
    assert {(1,), (4,), (6,), (6, 4), (6, 1), (4, 1)} <= kept
    match, _ = match.do(KeepDice("Ben", (1,)))
    found = hand(match)
    assert found.thrown == 2
    assert [deed.dice for deed in named(found.moves, "return")]
    (back,) = named(found.game, "take_back")
    assert back.label == "Zurücknehmen (Ben: Herauslegen)"


def test_where_only_ones_may_be_put_out_nothing_else_is_offered():
    match = led_statuten = Match.new(find_book("statuten"), ["Anna", "Ben"])
    while match.part.value == "opening":
        player = str(match.current_player)
        opening = match.state.opening
        assert opening is not None
        dice = ((2,) if player == "Ben" else (5,)) * opening.dice_to_throw
        match, _ = match.do(ThrowDice(player, dice))
    player = str(match.current_player)
    match, _ = match.do(ThrowDice(player, (6, 4, 1)))
    assert led_statuten != match
    keep = named(hand(match).moves, "keep")
    assert [deed.dice for deed in keep if not deed.reason] == [(1,)]


def test_two_sixes_may_be_turned_and_one_may_not():
    match, _ = led().do(ThrowDice("Ben", (6, 6, 3)))
    (turn,) = named(hand(match).moves, "turn")
    assert (turn.reason, turn.dice) == ("", (6,))
    match, _ = led().do(ThrowDice("Ben", (6, 4, 3)))
    (turn,) = named(hand(match).moves, "turn")
    assert turn.reason.startswith("Ben kann nur Sechsen drehen")


def test_in_the_showdown_the_dice_under_a_cup_are_entered():
    match, _ = led().do(CoverThrow("Ben"))
    for action in (StopTurn("Ben"), CoverThrow("Anna"), StopTurn("Anna")):
        match, _ = match.do(action)
    found = hand(match)
    assert found.title == "Was liegt unter dem Becher von Ben?"
    assert (found.thrown, found.throw_reason) == (3, "")


def test_a_pause_stops_everything_but_its_end_and_what_is_taken_back():
    match, _ = led().do(Pause("Ute"))
    found = hand(match)
    assert "unterbrochen" in found.throw_reason
    assert all(
        "unterbrochen" in deed.reason for deed in (*found.burnt, *named(found.moves, "stop"))
    )
    assert [deed.name for deed in found.game if not deed.reason] == ["take_back", "resume"]


def test_taking_deckel_is_offered_where_the_book_has_it():
    assert named(hand(led("turnier")).moves, "take_deckel") == []
    match = Match.new(find_book("blog2019"), ["Anna", "Ben"])
    while match.part.value == "opening":
        opening = match.state.opening
        assert opening is not None
        dice = (1 if match.current_player == "Ben" else 5,) * opening.dice_to_throw
        match, _ = match.do(ThrowDice(str(match.current_player), dice))
    assert len(named(hand(match).moves, "take_deckel")) == 1


def test_after_the_game_the_next_one_begins_with_the_same_players():
    match, _ = led().do(Abandon("Ute", "late"))
    found = hand(match)
    assert found.player is None
    assert found.title == "Das Spiel ist aus."
    (begin,) = named(found.game, "begin_game")
    assert begin.reason == ""
    again, _ = match.do(action_from_json(begin.action))
    assert again.players == ("Anna", "Ben")


@pytest.mark.parametrize("seed", range(4))
def test_what_a_button_promises_the_rules_keep(seed: int):
    table, chance = Table(["Anna", "Ben", "Cem"]), random.Random(seed)
    for _ in range(60):
        if table.match.is_over:
            break
        found = hand(table.match, chance.choice(("de", "en")))
        for deed in (*found.burnt, *found.moves, *found.game):
            allowed = table.match.refusal(action_from_json(deed.action)) is None
            assert allowed == (not deed.reason), deed
        step(table, chance)
