"""Copies with changes."""

from dataclasses import dataclass, replace

import pytest

from rules import Match, find_book
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
