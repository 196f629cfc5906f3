"""Logs that are cut off inside a decision, and those whose head is damaged."""

from dataclasses import replace

import pytest
from rules_play import begun, one_throw_round, played, rounds

from rules import Event, IllegalEvent, Match, RuleBook, StopTurn, ThrowDice, all_books, find_book

TURNIER = find_book("turnier")


def a_log(book: RuleBook) -> list[Event]:
    """An opening with a tie, a round of two throws each, and one that ends the first half."""
    match = Match.new(book, ["A", "B", "C"])
    count = 1 if book.start == "single_die" else 3
    opening = [("A", (6, 5, 4)), ("B", (2, 2, 1)), ("C", (2, 2, 1)), ("B", (3, 1, 1))]
    log: list[Event] = [match.started]
    for name, dice in [*opening, ("C", (2, 2, 1))]:
        if match.can_throw(name, dice[:count]):
            match, events = match.do(ThrowDice(name, dice[:count]))
            log += events
    first, *others = match.state.order
    moves = [ThrowDice(first, (6, 5, 2)), ThrowDice(first, (6, 5, 1)), StopTurn(first)]
    moves += [move for name in others for move in one_throw_round(name, (4, 4, 2))]
    match, events = played(match, *moves)
    log += events
    order = "".join(match.state.order)
    match, events = played(match, *one_throw_round(order, (6, 5, 2), (1, 1, 1), (2, 2, 1)))
    assert match.state.half1_loser is not None
    return log + events


def led(log: list[Event]) -> Match:
    """The match after these events, one by one; nobody asks whether they are all."""
    match = Match.replay(log[:1])
    for event in log[1:]:
        match = match.apply(event)
    return match


@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
def test_a_log_that_ends_inside_a_decision_says_so_and_what_is_missing(book: RuleBook) -> None:
    log = a_log(book)
    cut = 0
    for end in range(1, len(log) + 1):
        match = led(log[:end])
        missing = match.missing()
        assert list(missing) == log[end : end + len(missing)]
        if not missing:
            assert Match.replay(log[:end]) == match
            assert match.current_player is not None
            continue
        cut += 1
        with pytest.raises(IllegalEvent, match=f"ends inside a decision.*'{missing[0].type}'"):
            Match.replay(log[:end])
        for event in missing:
            match = match.apply(event)
        assert match == Match.replay(log[: end + len(missing)])
    assert cut > 10


@pytest.mark.parametrize("text", ["x", "key = 3", 'based_on = "nope"', "\x00"])
def test_a_damaged_rule_book_in_a_log_is_a_damaged_log(text: str) -> None:
    damaged = replace(Match.new(TURNIER, ["A", "B"]).started, book_text=text)
    with pytest.raises(IllegalEvent, match="rule book of 'match_started' is none"):
        Match.replay([damaged.to_json()])
    over = rounds(begun(find_book("jule")), "A111 B652 C221", "C111 B652 A221", "A111 C221")
    assert over.is_over
    with pytest.raises(IllegalEvent, match="rule book of 'match_started' is none"):
        over.apply(damaged)
