"""The match: decide, apply, replay; refusals change nothing; corrections count anew."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules_play import TURNIER, a_match, code_against, one_throw_round, opened, played

from rules import (
    Action,
    CorrectThrow,
    CoverThrow,
    Event,
    IllegalEvent,
    KeepDice,
    MalformedRecord,
    Match,
    Part,
    Refused,
    RuleDeckel,
    RuleRound,
    StopTurn,
    TakeBack,
    ThrowDice,
    TurnSixes,
    event_from_json,
    snapshot,
)
from rules.actions import action_from_json

DICE = st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple)
PLAYERS = st.sampled_from(["A", "B", "C"])
ACTIONS = st.one_of(
    st.builds(ThrowDice, PLAYERS, DICE, st.sampled_from([None, None, None, "tower"])),
    st.builds(KeepDice, PLAYERS, DICE),
    st.builds(CoverThrow, PLAYERS),
    st.builds(TurnSixes, PLAYERS, st.integers(1, 3)),
    st.builds(StopTurn, PLAYERS),
    st.builds(CorrectThrow, PLAYERS, st.integers(1, 12), DICE, st.just("R")),
    st.builds(TakeBack, st.just("R")),
)

NAMES = st.permutations(["A", "B", "C"])
DECKEL = st.one_of(st.integers(1, 9), st.just("all"))
RULINGS = st.one_of(
    st.builds(
        lambda part, number, names, deckel, agreed: RuleRound(
            part, number, "loser", "R", "so it is", names[0], names[1], deckel, agreed
        ),
        st.sampled_from(["half1", "half2", "final"]), st.integers(1, 4), NAMES, DECKEL,
        st.booleans(),
    ),
    st.builds(
        RuleRound, st.sampled_from(["half1", "half2"]), st.integers(1, 4),
        st.sampled_from(["void", "book"]), st.just("R"), st.just("so it is"),
        drop_later=st.booleans(),
    ),
    st.builds(
        lambda names, count: RuleDeckel(names[0], names[1], count, "R", "so it is"),
        st.permutations(["A", "B", "C", None]), st.integers(1, 4),
    ),
)  # fmt: skip


def check_invariants(match: Match) -> None:
    assert match.stock + sum(match.holdings.values()) == TURNIER.deckel_total
    json.dumps(snapshot(match))


def plausible(match: Match, data: st.DataObject) -> Action:
    """Mostly what fits, sometimes anything, sometimes a correction of a real throw."""
    throws = snapshot(match)["throws"]
    if throws and data.draw(st.integers(0, 11)) == 0:
        wrong = data.draw(st.sampled_from(throws))
        count = max(len(wrong["dice"]), 1)
        dice = data.draw(st.lists(st.integers(1, 6), min_size=count, max_size=count))
        agreed = data.draw(st.booleans())
        number = wrong["throw_id"]
        return CorrectThrow(wrong["player"], number, tuple(dice), "R", "", drop_later=agreed)
    if data.draw(st.integers(0, 19)) == 0:
        return data.draw(RULINGS)
    player = match.current_player
    if player is None or data.draw(st.integers(0, 9)) == 0:
        return data.draw(ACTIONS)
    turn = match.state.current_turn
    count = 3 if turn is None else turn.dice_to_throw
    if match.can_turn(player) and data.draw(st.booleans()):
        return TurnSixes(player)
    if turn is not None and turn.lying and data.draw(st.integers(0, 3)) == 0:
        return KeepDice(player, turn.lying[-1:])
    if match.can_stop(player) and data.draw(st.booleans()):
        return StopTurn(player)
    if match.can_cover(player) and data.draw(st.integers(0, 3)) == 0:
        return CoverThrow(player)
    dice = data.draw(st.lists(st.integers(1, 6), min_size=max(count, 1), max_size=max(count, 1)))
    return ThrowDice(player, tuple(dice))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_replay_json_and_invariants_hold_whatever_is_played(data: st.DataObject) -> None:
    match = a_match()
    log: list[Event] = [match.started]
    for _ in range(data.draw(st.integers(0, 40))):
        action = plausible(match, data)
        assert action_from_json(json.loads(json.dumps(action.to_json()))) == action
        if match.refusal(action) is None:
            match, events = match.do(action)
            log += events
        else:
            seen = json.dumps(snapshot(match))
            with pytest.raises(Refused):
                match.do(action)
            assert json.dumps(snapshot(match)) == seen
        check_invariants(match)
    written = json.loads(json.dumps([event.to_json() for event in log]))
    assert [event_from_json(entry) for entry in written] == log
    assert Match.replay(written) == match


def test_turnier_l40_game_opens_with_everybody_throwing_once() -> None:
    match = opened()
    assert (match.part, match.current_player) == (Part.HALF1, "C")
    assert (match.stock, dict(match.holdings)) == (9, {"A": 0, "B": 0, "C": 4})


def test_opening_has_no_throwing_order_and_no_second_throw() -> None:
    match, _ = played(a_match(), ThrowDice("C", (6, 5, 2)))
    assert match.current_player == "A"
    assert code_against(match, ThrowDice("C", (6, 5, 2))) == "already_thrown"
    assert code_against(match, StopTurn("A")) == "opening_throw_only"


def test_limit_is_set_by_the_first_player_and_binds_the_others() -> None:
    match, log = played(opened(), ThrowDice("C", (6, 5, 2)), StopTurn("C"))
    assert [event.type for event in log[-2:]] == ["limit_set", "turn_started"]
    match, _ = played(match, ThrowDice("A", (6, 6, 2)))
    assert not match.can_throw("A")
    assert not match.can_turn("A")
    assert match.forced() == StopTurn("A")


def test_turnier_l45_loser_of_the_round_leads_the_next() -> None:
    dice = [(6, 5, 2), (4, 3, 2), (3, 3, 1)]
    match, _ = played(opened(), *one_throw_round("CAB", *dice))
    assert match.current_player == "B"
    assert match.state.order == ("B", "C", "A")
    assert dict(match.holdings) == {"A": 0, "B": 2, "C": 4}


def lost_by_schock_aus(match: Match, loser: str) -> Match:
    """Let everybody but the loser throw better; somebody throws 1-1-1."""
    order = list(match.state.order)
    dice = dict.fromkeys(order, (6, 5, 3))
    dice[loser] = (2, 2, 1)
    dice[next(name for name in order if name != loser)] = (1, 1, 1)
    moves = one_throw_round("".join(order), *(dice[name] for name in order))
    return played(match, *moves)[0]


def test_turnier_l42_both_halves_lost_is_a_blattschuss() -> None:
    match = lost_by_schock_aus(lost_by_schock_aus(opened(), "B"), "B")
    game = snapshot(match)["game"]
    assert match.is_over
    assert (game["game_loser"], game["sweep"]) == ("B", "Blattschuss")
    assert match.current_player is None


def test_turnier_l43_l44_final_of_the_two_losers_begins_with_loser_of_half_1() -> None:
    match = lost_by_schock_aus(opened(), "B")
    assert (match.part, match.current_player, match.stock) == (Part.HALF2, "B", 13)
    match = lost_by_schock_aus(match, "A")
    assert (match.part, match.state.members, match.current_player) == (Part.FINAL, ("A", "B"), "B")
    match = lost_by_schock_aus(match, "A")
    assert match.is_over
    game = snapshot(match)["game"]
    assert game == {
        "half1_loser": "B",
        "half2_loser": "A",
        "game_loser": "A",
        "sweep": None,
        "abandoned": False,
    }
    assert code_against(match, ThrowDice("A", (1, 1, 1))) == "game_over"


def test_e1_players_without_deckel_drop_out_when_the_stock_is_empty() -> None:
    match = opened()  # C 4, stock 9
    match, _ = played(match, *one_throw_round("CAB", (2, 2, 1), (6, 1, 1), (6, 5, 2)))  # C 10
    assert match.state.out == ()
    match, log = played(match, *one_throw_round("CAB", (6, 1, 1), (6, 5, 2), (2, 2, 1)))  # B 3
    assert match.state.out == ("A",)
    assert match.state.order == ("B", "C")
    assert [e.type for e in log[-4:]] == [
        "deckel_moved", "player_out", "round_started", "turn_started",
    ]  # fmt: skip
    assert code_against(match, ThrowDice("A", (6, 5, 2))) == "not_your_turn"


def test_an_event_out_of_order_is_noticed_and_changes_nothing() -> None:
    match = opened()
    _, log = played(match, ThrowDice("C", (6, 5, 2)), StopTurn("C"))
    with pytest.raises(IllegalEvent, match="cannot follow"):
        match.apply(log[1])
    with pytest.raises(IllegalEvent, match="match_started"):
        Match.replay(log)
    with pytest.raises(IllegalEvent, match="empty"):
        Match.replay([])


def test_an_event_of_the_wrong_player_is_noticed() -> None:
    match = opened()
    events = match.decide(ThrowDice("C", (6, 5, 2)))
    forged = event_from_json({**events[0].to_json(), "player": "A"})
    with pytest.raises(IllegalEvent, match="cannot follow"):
        match.apply(forged)


@pytest.mark.parametrize("players", [["A"], ["A", "A"], ["A", ""], []])
def test_a_match_needs_two_players_with_names_of_their_own(players: Sequence[str]) -> None:
    with pytest.raises(MalformedRecord):
        Match.new(TURNIER, players)
