"""Whatever people do, in whatever order: faults, rulings, corrections, covered and burnt throws.

Random games by the five books and by pubs that change many of their switches. After every action
all Deckel are there, deciding and applying agree, and the record played again is the same match.
"""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    Abandon,
    Action,
    CorrectThrow,
    CoverThrow,
    HandOver,
    KeepDice,
    Match,
    Pause,
    ReEnter,
    ReportFault,
    Resume,
    ReturnDice,
    RuleBook,
    RuleDeckel,
    RuleRound,
    StopTurn,
    TakeBack,
    TakeDeckel,
    ThrowDice,
    TurnSixes,
    all_books,
    snapshot,
)
from rules.correcting import replayed
from rules.errors import BookError, Refused
from rules.events import Thrown, event_from_json
from rules.legality import Turn
from rules.opening import OPENING_DICE
from rules.phases import Part

SWITCHES: dict[str, tuple[Any, ...]] = {
    "deckel_total": (1, 2, 3, 5, 7, 13),
    "aus_rohr_top": (True, False),
    "schock2_above_general": (True, False),
    "voluntary_take": (True, False),
    "voluntary_take_source": ("stock_only", "stock_then_winner"),
    "hardcore_first_round": ("off", "game", "half"),
    "drop_die": ("repeat", "drinks_then_lose_part"),
    "vorwerfen": ("referee", "lose_round"),
    "pack_early": ("referee", "lose_round"),
    "max_throws": (1, 2, 3),
    "half2_starter": ("loser_half1", "chosen_by_loser_half1"),
    "start": ("single_die", "three_dice_round"),
    "start_value_scope": ("all_standing", "rethrow_only"),
    "return_kept": (True, False),
    "covered": (
        "third_only", "last_of_followers_and_third", "third_and_second_of_followers",
    ),
    "champions_league": ("off", "wednesday"),
    "replacement_counts_as": ("one", "limit"),
}  # fmt: skip
FAULTS = ("lift_early", "too_many_throws", "vorwerfen", "pack_early", "drop_die")
MOST_ACTIONS = 120


def a_book(chance: random.Random) -> RuleBook:
    book = chance.choice(all_books())
    if chance.random() < 0.4:
        return book
    changes = {name: chance.choice(v) for name, v in SWITCHES.items() if chance.random() < 0.4}
    try:
        return replace(book, **changes)
    except BookError:
        return book


def dice(chance: random.Random, count: int) -> tuple[int, ...]:
    return tuple(chance.choice((1, 1, 1, 2, 3, 4, 5, 6, 6)) for _ in range(count))


def thrown(chance: random.Random, player: str, count: int) -> ThrowDice:
    burns = "tower" if chance.random() < 0.05 else None
    return ThrowDice(player, dice(chance, count), burns=burns)


def out_of_turn(match: Match, chance: random.Random) -> Action | None:
    """What anybody may do at any time, now and then."""
    names, kind = match.players, chance.random()
    if kind < 0.05:
        return ReportFault(chance.choice(names), chance.choice(FAULTS), "R")  # type: ignore[arg-type]
    if kind < 0.06:
        return ReEnter(chance.choice(names))
    if kind < 0.07:
        giver, taker = chance.sample([None, *names], 2)
        return RuleDeckel(giver, taker, chance.choice((1, 1, 2, 3, 13)), "R", "x")
    if kind < 0.09:
        return a_ruling(match, chance)
    if kind < 0.12:
        return TakeBack("R")
    if kind < 0.15:
        return a_correction(match, chance)
    if kind < 0.16:
        return Pause("R")
    if kind < 0.162:
        return Abandon("R", "x")
    if kind < 0.17:
        return HandOver(chance.choice(names), chance.choice(names))
    return TakeDeckel(match.current_player or names[0]) if kind < 0.2 else None


def a_ruling(match: Match, chance: random.Random) -> RuleRound:
    part = chance.choice(("half1", "half2", "final"))
    number = chance.choice((max(1, match.state.round), chance.randint(1, 5)))
    late = chance.random() < 0.5
    verdict = chance.choice(("loser", "void", "book"))
    if verdict != "loser":
        return RuleRound(part, number, verdict, "R", "x", drop_later=late)
    loser, winner = chance.sample(match.players, 2)
    deckel = chance.choice((1, 2, 3, "all"))
    return RuleRound(part, number, verdict, "R", "x", loser, winner, deckel, drop_later=late)


def a_correction(match: Match, chance: random.Random) -> CorrectThrow | None:
    throws = [event for event in match.state.record if isinstance(event, Thrown)]
    if not throws:
        return None
    wrong = chance.choice(throws[-8:])
    right, late = dice(chance, len(wrong.dice)), chance.random() < 0.4
    return CorrectThrow(wrong.player, wrong.throw_id, right, "R", "", drop_later=late)


def in_turn(match: Match, turn: Turn, chance: random.Random) -> Action:
    player, count = turn.player, turn.dice_to_throw
    options: list[Action] = [StopTurn(player)]
    if turn.thrown or turn.covered_id is not None:
        options *= 3
    if turn.lying:
        kept = chance.sample(turn.lying, chance.randint(1, len(turn.lying)))
        options.append(KeepDice(player, tuple(kept)))
    if turn.lying.count(6) > 1:
        options += [TurnSixes(player, 1), TurnSixes(player, 2)]
    if turn.outside:
        options.append(ReturnDice(player, turn.outside[:1]))
    if count:
        options += [thrown(chance, player, count), thrown(chance, player, count)]
        options.append(CoverThrow(player))
    return chance.choice(options)


def an_action(match: Match, chance: random.Random) -> Action:
    if match.state.paused:
        return Resume("R")
    if (odd := out_of_turn(match, chance)) is not None:
        return odd
    if match.turn is not None:
        return in_turn(match, match.turn, chance)
    player = match.current_player or match.players[0]
    if match.part is Part.OPENING:
        return thrown(chance, player, OPENING_DICE[match.book.start])
    covered = match.state.covered
    return thrown(chance, player, covered[0].dice_to_throw if covered else 3)


def checked(match: Match, action: Action) -> tuple[Match, list[Any]]:
    """Carry out an action; what it leads to must hold whichever way it is worked out."""
    events = match.decide(action)
    after = match
    for event in events:
        after = after.apply(event)
        stock, holdings = after.stock, after.holdings
        assert stock + sum(holdings.values()) == match.book.deckel_total
        assert min(stock, *holdings.values()) >= 0
        assert event_from_json(json.loads(json.dumps(event.to_json()))) == event
    assert match.do(action) == (after, events)
    if isinstance(action, TakeBack):
        assert len(after.state.record) == len(match.state.record) - 1
    assert replayed(after.state, after.state.record) == (after.state, None)
    json.dumps(snapshot(after))
    assert after.is_over or after.current_player is not None, "somebody must be able to go on"
    return after, list(events)


@pytest.mark.slow
@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_no_storm_of_actions_breaks_a_match(seed: int) -> None:
    chance = random.Random(seed)
    book, count = a_book(chance), chance.choice((2, 2, 3, 3, 4, 8))
    players = "ABCDEFGH"[: max(count, book.least_players)]
    match = Match.new(book, players, weekday=chance.choice((None, "wednesday")))
    first, log = match, []
    for _ in range(MOST_ACTIONS):
        if match.is_over and chance.random() < 0.5:
            break
        try:
            match, events = checked(match, an_action(match, chance))
        except Refused:
            continue
        log += events
    again = first
    for event in log:
        again = again.apply(event_from_json(json.loads(json.dumps(event.to_json()))))
    assert again == match
