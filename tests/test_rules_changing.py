"""Copies with changes."""

import copy
import pickle
from dataclasses import dataclass, replace

import pytest
from rules_play import one_throw_round

from rules import Match, ReportFault, RuleDeckel, ThrowDice, find_book
from rules.changing import changed
from rules.ranking import Result


def test_a_copy_is_what_replace_makes_and_the_old_one_stays():
    state = Match.new(find_book("turnier"), ["Anna", "Bert"]).state
    copy = changed(state, stock=3, out=("Anna",))
    assert copy == replace(state, stock=3, out=("Anna",))
    assert copy != state
    assert state.stock == 13
    assert changed(state) == state


def test_a_field_that_does_not_exist_and_a_class_that_checks_are_refused():
    @dataclass(frozen=True)
    class Plain:
        one: int = 1

    with pytest.raises(TypeError, match="Plain has no field two"):
        changed(Plain(), two=2)
    with pytest.raises(TypeError, match="checks its fields"):
        changed(Result("A", (6, 5, 4), 1, True), throws=9)


def test_nothing_in_the_state_of_a_match_can_be_changed_behind_its_back():
    match = Match.new(find_book("jule"), ["A", "B"])
    states = [match.state]
    for action in [
        ThrowDice("A", (6,)), ThrowDice("B", (5,)), ReportFault("B", "drop_die", "R"),
        RuleDeckel(None, "B", 2, "R", "x"), *one_throw_round("AB", (4, 1, 1), (2, 2, 1)),
    ]:  # fmt: skip
        match, _ = match.do(action)
        states.append(match.state)
    for state in states:
        mappings = [state.holdings, state.orders, state.begun, state.faults.drops]
        mappings += [] if state.opening is None else [state.opening.standing]
        for mapping in mappings:
            with pytest.raises(TypeError, match="does not support item assignment"):
                mapping["A"] = 99
    assert match.holdings is match.state.holdings
    assert match.holdings == {"A": 0, "B": 6}


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]
)
def test_a_match_is_copied_and_pickled_whole(again):
    match = Match.new(find_book("jule"), ["A", "B"])
    for action in [
        ThrowDice("A", (6,)), ThrowDice("B", (5,)), *one_throw_round("AB", (4, 1, 1), (2, 2, 1)),
    ]:  # fmt: skip
        match, _ = match.do(action)
    twin = again(match)
    assert twin == match
    assert twin.do(ThrowDice("B", (6, 5, 4)))[0] == match.do(ThrowDice("B", (6, 5, 4)))[0]
    with pytest.raises(TypeError, match="does not support item assignment"):
        twin.state.holdings["A"] = 99
