"""A table's result from the log of its matches is what a scribe would have written."""

import random

import pytest

from device.random_play import random_action
from rules import (
    Abandon,
    CorrectThrow,
    Event,
    Match,
    Part,
    ReEnter,
    RuleBook,
    StopTurn,
    ThrowDice,
    all_books,
    find_book,
)
from rules.errors import IllegalEvent, MalformedRecord
from rules.tournament_library import find_format
from rules.tournament_log import table_result
from rules.tournament_results import problem_of

WERL = find_format("werl")


def random_games(book: RuleBook, players: str, count: int, seed: int) -> list[list[Event]]:
    chance = random.Random(seed)
    games = []
    for _ in range(count):
        match = Match.new(book, list(players))
        log: list[Event] = [match.started]
        while not match.is_over:
            match, events = match.do(random_action(match, chance))
            log += events
        games.append(log)
    return games


@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
@pytest.mark.parametrize("players", ["AB", "ABC", "ABCDE"])
def test_the_result_of_random_games_is_what_their_events_say(book: RuleBook, players: str) -> None:
    games = random_games(book, players, 6, len(players))
    result = table_result([event for log in games for event in log], by="Tisch 1")
    assert problem_of(result, tuple(players), WERL) is None
    for log, one in zip(games, result.games, strict=True):
        over = next(event.to_json() for event in log if event.type == "game_over")
        assert (one.loser, one.how) == (over["loser"], over["how"])
        halves = [over["half1_loser"], over["half2_loser"]]
        assert [half.loser for half in one.halves] == halves
        thrown = [e.to_json() for e in log if e.type == "thrown"]
        for name in players:
            aus = [e for e in thrown if e["player"] == name and e["dice"] == [1, 1, 1]]
            assert one.schock_aus.get(name, 0) == len(aus)
        _check_order(log, one.halves[0].out)


def _check_order(log: list[Event], out: tuple[tuple[str, ...], ...]) -> None:
    """Whoever is told to be out in half 1 comes in the order in which the log lets them go."""
    told = [e.to_json() for e in log if e.type == "player_out"]
    left = [e["player"] for e in told if e["part"] == "half1"]
    order = [name for group in out for name in group]
    assert set(left) <= set(order[: len(left)])


def test_json_and_events_give_the_same_result() -> None:
    (log,) = random_games(find_book("turnier"), "ABCD", 1, 4)
    written = [event.to_json() for event in log]
    assert table_result(written, by="T") == table_result(log, by="T")


def opened_three() -> tuple[Match, list[Event]]:
    """C has lost the opening round and holds 4 of 13; he leads."""
    match = Match.new(find_book("turnier"), ["A", "B", "C"])
    log: list[Event] = [match.started]
    for name, dice in (("A", (6, 5, 2)), ("B", (4, 1, 1)), ("C", (3, 2, 2))):
        match, events = match.do(ThrowDice(name, dice))
        log += events
    return match, log


def on(match: Match, log: list[Event], *thrown: str) -> tuple[Match, list[Event]]:
    """Play rounds of one throw each, for example `C221 A652 B611`."""
    for line in thrown:
        for word in line.split():
            dice = tuple(int(die) for die in word[1:])
            for action in (ThrowDice(word[0], dice), StopTurn(word[0])):
                match, events = match.do(action)
                log = [*log, *events]
    return match, log


def to_the_end(match: Match, log: list[Event], seed: int) -> list[Event]:
    chance = random.Random(seed)
    while not match.is_over:
        match, events = match.do(random_action(match, chance))
        log = [*log, *events]
    return log


def test_who_is_out_in_the_same_round_is_told_apart_by_the_throw() -> None:
    # A Schock aus of B: all Deckel go to C, and A and B are out together.
    match, log = on(*opened_three(), "C221 A652 B111")
    assert match.state.half1_loser == "C"
    log = to_the_end(match, log, 1)
    assert table_result(log, by="T").games[0].halves[0].out == (("B",), ("A",))
    together = table_result(log, by="T", separate=False).games[0].halves[0].out
    assert together == (("A", "B"),)


def test_a_corrected_throw_changes_the_result() -> None:
    match, log = on(*opened_three(), "C221 A652 B111")
    aus = next(e for e in reversed(log) if e.type == "thrown" and e.to_json()["player"] == "B")
    match, events = match.do(
        CorrectThrow("B", aus.to_json()["throw_id"], (2, 1, 1), by="R", reason="war eine Zwei",
                     drop_later=True)
    )  # fmt: skip
    log = [*log, *events]
    assert match.state.half1_loser is None
    match, log = on(match, log, "C221 A111 B652")
    log = to_the_end(match, log, 1)
    one = table_result(log, by="T").games[0]
    assert one.halves[0].out == (("A",), ("B",))
    assert "B" not in one.schock_aus or one.schock_aus["B"] < 2
    thrown = [e for e in log if e.type == "thrown" and e.to_json()["dice"] == [1, 1, 1]]
    assert sum(one.schock_aus.values()) == len(thrown) - 1


def test_a_game_that_is_not_over_is_no_result_and_an_abandoned_one_counts_nothing() -> None:
    match, log = opened_three()
    with pytest.raises(MalformedRecord, match="game 1 is not over"):
        table_result(log, by="T")
    dropped = table_result(log, by="T", drop_unfinished=True, cut_short="Zeit um")
    assert (dropped.games, dropped.cut_short) == ((), "Zeit um")
    _, ended = match.do(Abandon("R", "Zeit um"))
    (full,) = random_games(match.book, "ABC", 1, 2)
    result = table_result([*log, *ended, *full], by="T")
    assert [one.number for one in result.games] == [1]
    assert result == table_result(full, by="T")


def test_of_sudden_death_only_the_halves_count() -> None:
    (full,) = random_games(find_book("turnier"), "ABC", 1, 2)
    match, log = on(*opened_three(), "C221 A652 B111")
    assert not match.is_over
    result = table_result([*full, *log], by="T", scharf_from=2)
    assert [(one.number, one.how) for one in result.games][1:] == [(2, "scharf")]
    assert (result.games[1].loser, result.games[1].schock_aus) == ("C", {"B": 1})


def test_a_log_without_a_beginning_is_damaged() -> None:
    with pytest.raises(IllegalEvent, match="must begin with 'match_started'"):
        table_result(opened_three()[1][1:], by="T")


def reentered(seed: int) -> tuple[list[Event], str]:
    """A random game in which the first who is out of half 1 comes back, if the book lets him."""
    chance, came_back = random.Random(seed), ""
    match = Match.new(find_book("statuten"), list("ABCD"))
    log: list[Event] = [match.started]
    while not match.is_over:
        out = match.state.out if match.part is Part.HALF1 and not came_back else ()
        if out and match.refusal(ReEnter(out[0])) is None:
            came_back = out[0]
            match, events = match.do(ReEnter(came_back))
        else:
            match, events = match.do(random_action(match, chance))
        log += events
    return log, came_back


def test_who_comes_back_into_a_half_goes_out_later() -> None:
    games = [one for one in map(reentered, range(12)) if one[1]]
    assert games, "nobody could come back: take other seeds"
    for log, name in games:
        half = table_result(log, by="T").games[0].halves[0]
        order = [*(one for group in half.out for one in group), half.loser]
        assert sorted(order) == list("ABCD")
        told = [e.to_json() for e in log]
        back = next(at for at, e in enumerate(told) if e["type"] == "reentered")
        gone = {e["player"] for e in told[:back] if e["type"] == "player_out"} - {name}
        assert all(order.index(one) < order.index(name) for one in gone)
