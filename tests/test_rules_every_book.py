"""What holds for every book, whatever is thrown: Deckel add up, games end, logs replay."""

import json
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    Action,
    CoverThrow,
    Event,
    KeepDice,
    Match,
    Refused,
    Result,
    ReturnDice,
    RuleBook,
    StopTurn,
    ThrowDice,
    TurnSixes,
    all_books,
    event_from_json,
    rank,
    snapshot,
)
from rules.actions import action_from_json
from rules.dice import ALL_MULTISETS
from rules.opening import OPENING_DICE
from rules.playthrough import play_through
from rules.ranking import sort_key
from rules.transcript import replay_script

BOOKS = pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)

ALL_RESULTS = [
    Result("A", dice, throws, from_hand)
    for dice in ALL_MULTISETS
    for throws in (1, 2, 3)
    for from_hand in ((True,) if throws == 1 else (True, False))
]


@BOOKS
def test_no_two_of_all_results_are_equal_and_the_figure_comes_first(book: RuleBook) -> None:
    assert len(ALL_RESULTS) == 280
    keys = [sort_key(book, result, index) for index, result in enumerate(ALL_RESULTS)]
    assert len(set(keys)) == 280
    rungs = [key[0] for key in sorted(keys)]
    assert rungs == sorted(rungs)


@BOOKS
@settings(max_examples=15)
@given(dice=st.lists(st.sampled_from(ALL_MULTISETS), min_size=3, max_size=3))
def test_the_best_is_the_best_in_whatever_order_different_figures_are_thrown(
    book: RuleBook, dice: list[tuple[int, ...]]
) -> None:
    results = [Result(name, shown, 1, True) for name, shown in zip("ABC", dice, strict=True)]
    if len({result.dice for result in results}) == 3:
        orders = {rank(book, thrown).order for thrown in permutations(results)}
        assert len(orders) == 1


def choose(match: Match, data: st.DataObject) -> Action:
    """Choose something that the table might do, legal or not."""
    player, turn = match.current_player, match.state.current_turn
    assert player is not None
    count = OPENING_DICE[match.book.start] if turn is None else max(turn.dice_to_throw, 1)
    dice = tuple(data.draw(st.lists(st.integers(1, 6), min_size=count, max_size=count)))
    lying = () if turn is None else turn.lying
    outside = () if turn is None else turn.outside
    options: list[Action] = [
        ThrowDice(player, dice), ThrowDice(player, dice), ThrowDice(player, dice, burns="tower"),
        StopTurn(player), StopTurn(player), CoverThrow(player), TurnSixes(player),
    ]  # fmt: skip
    options += [KeepDice(player, lying[-1:]), KeepDice(player, lying[:1])] if lying else []
    options += [ReturnDice(player, outside[:1])] if outside else []
    return data.draw(st.sampled_from(options))


@BOOKS
@settings(max_examples=15)
@given(data=st.data())
def test_deckel_add_up_refusals_change_nothing_and_logs_replay(
    book: RuleBook, data: st.DataObject
) -> None:
    match = Match.new(book, ["A", "B", "C"])
    log: list[Event] = [match.started]
    for _ in range(data.draw(st.integers(5, 40))):
        if match.is_over:
            break
        action = choose(match, data)
        assert action_from_json(json.loads(json.dumps(action.to_json()))) == action
        if match.refusal(action) is None:
            match, events = match.do(action)
            log += events
        else:
            with pytest.raises(Refused):
                match.do(action)
        assert match.stock + sum(match.holdings.values()) == book.deckel_total
    json.dumps(snapshot(match))
    written = json.loads(json.dumps([event.to_json() for event in log]))
    assert [event_from_json(entry) for entry in written] == log
    assert Match.replay(written) == match


@BOOKS
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_a_game_comes_to_its_end_and_can_be_played_again(book: RuleBook, seed: int) -> None:
    text = play_through(book.key, seed=seed)
    assert text.count("game_over") == 1
    assert text.splitlines()[-1].startswith("= over, waiting for nobody")
    assert replay_script(text) == text
