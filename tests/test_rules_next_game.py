"""Games that end without a loser, and the evening that goes on with others at the table."""

import pytest

from rules import (
    Abandon,
    BeginGame,
    IllegalEvent,
    MalformedRecord,
    Match,
    Pause,
    Resume,
    RuleDeckel,
    RuleRound,
    StopTurn,
    TakeBack,
    ThrowDice,
    find_book,
)
from rules.errors import Refused
from rules.events import event_from_json
from rules.phases import Part
from rules.transcript import action_line, parse_action
from rules.view import snapshot

ENDED = Abandon("Ute", "the pub closes")


def played(*actions, players=("A", "B", "C"), book="turnier") -> tuple[Match, list[dict]]:
    """A match after some actions, and its log as JSON; replaying the log gives the same."""
    match = Match.new(find_book(book), players)
    log = [match.started.to_json()]
    for action in actions:
        match, events = match.do(action)
        log += [event.to_json() for event in events]
    assert Match.replay(log) == match
    assert Match.replay([event_from_json(entry) for entry in log]) == match
    return match, log


def code_against(match: Match, action) -> str:
    refusal = match.refusal(action)
    assert refusal is not None
    assert refusal.text_de
    assert refusal.text_en
    return refusal.code


OPENING = [ThrowDice("A", (6, 5, 2)), ThrowDice("B", (4, 2, 1)), ThrowDice("C", (3, 3, 1))]


@pytest.mark.parametrize("before", [[], OPENING, [*OPENING, Pause("Ute")]])
def test_an_abandoned_game_is_over_and_nobody_has_lost_it(before) -> None:
    match, _ = played(*before, ENDED)
    assert match.is_over
    assert match.current_player is None
    shown = snapshot(match)
    assert shown["game"]["abandoned"]
    assert not shown["paused"]
    assert shown["game"]["game_loser"] is None
    assert sum(shown["holdings"].values()) + shown["stock"] == shown["total"]
    for action in (ThrowDice("A", (6, 5, 2)), ENDED, Pause("Ute")):
        assert code_against(match, action) == "abandoned"


def test_a_game_abandoned_by_mistake_is_taken_up_again() -> None:
    before, _ = played(*OPENING)
    match, _ = played(*OPENING, ENDED, TakeBack("Ute", "they came back"))
    assert not match.is_over
    assert match.current_player == before.current_player
    assert match.holdings == before.holdings


ALL_TO_C = RuleDeckel(None, "C", 13, "R", "x")
"""Once in each half: then C has lost both, and the game."""


@pytest.mark.parametrize("end", [[ENDED], [ALL_TO_C, ALL_TO_C]], ids=["abandoned", "lost"])
def test_a_game_that_ends_in_a_pause_is_not_paused_until_its_end_is_taken_back(end) -> None:
    begun = [ThrowDice(name, (die,)) for name, die in zip("ABC", (6, 5, 4), strict=True)]
    match, _ = played(*begun, Pause("Ute", "food"), *end, book="jule")
    assert match.is_over
    assert not match.state.paused
    assert not snapshot(match)["paused"]
    match, _ = played(*begun, Pause("Ute", "food"), *end, TakeBack("R"), book="jule")
    assert code_against(match, ThrowDice("A", (6, 5, 2))) == "paused", "nobody has ended it"
    match, _ = match.do(Resume("Ute"))
    assert match.current_player is not None
    assert match.can_throw(match.current_player)


def test_a_ruling_that_ends_a_game_in_a_pause_leaves_no_pause() -> None:
    begun = [ThrowDice(name, (die,)) for name, die in zip("ABC", (6, 5, 4), strict=True)]
    thrown = [move for name in "CAB" for move in (ThrowDice(name, (6, 5, 2)), StopTurn(name))]
    by_book = [*begun, ALL_TO_C, *thrown, Pause("Ute")]
    ruled = RuleRound("half2", 1, "loser", "R", "x", "C", "A", "all")
    match, _ = played(*by_book, ruled, book="jule")
    assert (match.is_over, match.state.paused) == (True, False)
    match, _ = match.do(RuleRound("half2", 1, "book", "R", "x"))
    assert match == played(*by_book, book="jule")[0]
    assert match.state.paused


def test_between_games_players_come_and_go() -> None:
    match, log = played(ENDED, BeginGame(("B", "D", "A", "C"), "Ute"))
    assert match.players == ("B", "D", "A", "C")
    assert match.part is Part.OPENING
    assert [entry["type"] for entry in log].count("match_started") == 2
    again, _ = match.do(ThrowDice("D", (6, 5, 2)))
    assert again.current_player == "B"


def test_every_game_of_a_log_finds_its_book_in_the_same_place() -> None:
    _, log = played(ENDED, BeginGame(("B", "A"), "Ute"))
    asked = []

    def find(key):
        asked.append(key)
        return find_book(key)

    Match.replay(log, find=find)
    assert asked == ["turnier", "turnier"]


def test_nobody_comes_or_goes_while_a_game_is_under_way() -> None:
    match, log = played(*OPENING)
    assert code_against(match, BeginGame(("A", "B"), "Ute")) == "game_under_way"
    with pytest.raises(IllegalEvent, match="under way"):
        Match.replay([*log, log[0]])


@pytest.mark.parametrize("players", [("A",), ("A", "A"), ("A", " "), ()])
def test_players_of_the_next_game_are_checked(players) -> None:
    match, _ = played(ENDED)
    with pytest.raises(MalformedRecord):
        match.decide(BeginGame(players, "Ute"))


def test_the_end_of_a_game_needs_a_reason() -> None:
    with pytest.raises(MalformedRecord, match="needs a reason"):
        Abandon("Ute", " ")


@pytest.mark.parametrize("action", [ENDED, BeginGame(("A", "B"), "Ute")])
def test_both_can_be_written_in_a_transcript(action) -> None:
    assert parse_action(action_line(action)) == action


def test_an_earlier_throw_of_an_abandoned_game_cannot_be_played_on() -> None:
    match, _ = played(*OPENING, ENDED)
    with pytest.raises(Refused):
        match.verify_throw("A", (6, 5, 2))
