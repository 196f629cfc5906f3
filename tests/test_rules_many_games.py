"""Three hundred random games by every book: each comes to its end, all Deckel are always there."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import Action, Match, RuleBook, StopTurn, ThrowDice, TurnSixes, all_books
from rules.actions import KeepDice
from rules.legality import Turn
from rules.opening import OPENING_DICE

GAMES = 300
MOST_ACTIONS = 20_000
"""Far more than any game takes; one that does not end must not hold up the tests for ever."""


def dice(chance: random.Random, count: int) -> tuple[int, ...]:
    return tuple(chance.randint(1, 6) for _ in range(count))


def an_action(match: Match, chance: random.Random) -> Action:
    player, turn = match.current_player, match.turn
    assert player is not None
    if turn is None:
        return ThrowDice(player, dice(chance, OPENING_DICE[match.book.start]))
    return handled(match, turn, chance) or ThrowDice(player, dice(chance, turn.dice_to_throw))


def handled(match: Match, turn: Turn, chance: random.Random) -> Action | None:
    """Stop, turn or keep what lies there; None to throw (again)."""
    if not turn.thrown or turn.must_throw:
        return None
    if not (turn.throws_left and turn.dice_to_throw) or chance.random() < 0.5:
        return StopTurn(turn.player)
    if turn.lying.count(6) > 1 and not turn.kept_now and match.can_turn(turn.player):
        return TurnSixes(turn.player)
    return KeepDice(turn.player, (1,)) if 1 in turn.lying else None


@pytest.mark.slow
@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
@settings(max_examples=GAMES, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.sampled_from((2, 2, 3, 3, 4, 6)))
def test_every_game_ends_and_no_deckel_is_lost(book: RuleBook, seed: int, players: int) -> None:
    chance = random.Random(seed)
    match = Match.new(book, "ABCDEF"[:players], weekday=chance.choice((None, "wednesday")))
    for _ in range(MOST_ACTIONS):
        match, events = match.do(an_action(match, chance))
        for event in events:
            stock, holdings = getattr(event, "stock", None), getattr(event, "holdings", None)
            if stock is not None and holdings is not None:
                assert stock + sum(holdings.values()) == book.deckel_total, event
                assert min(stock, *holdings.values()) >= 0, event
        if match.is_over:
            break
    assert match.is_over
    assert match.state.game_loser in match.players
