"""What a player may do in his turn: tests named after the rows of the rule matrix."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Refused, find_book, legality
from rules.legality import Turn

TURNIER = find_book("turnier")


def a_turn(limit: int | None = None) -> Turn:
    return Turn(book=TURNIER, player="Anna", limit=limit)


def refused_code(step: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        step()
    assert caught.value.section
    assert caught.value.text_de.endswith(".")
    assert caught.value.text_en.endswith(".")
    return caught.value.code


def test_t1_first_player_has_three_throws() -> None:
    turn = a_turn()
    for _ in range(3):
        turn = legality.throw(turn, (5, 4, 2))
    assert refused_code(lambda: legality.throw(turn, (5, 4, 2))) == "too_many_throws"


def test_t2_followers_have_as_many_as_the_first_set() -> None:
    turn = legality.throw(a_turn(limit=1), (5, 4, 2))
    assert refused_code(lambda: legality.throw(turn, (5, 4, 2))) == "too_many_throws"


def test_f8_burnt_throw_does_not_count_and_must_be_repeated() -> None:
    turn = legality.burn(legality.throw(a_turn(limit=2), (5, 4, 2)))
    assert turn.throws == 1
    assert refused_code(lambda: legality.stop(turn)) == "no_throw"
    assert refused_code(lambda: legality.keep(turn, (5,))) == "no_throw"
    assert legality.throw(turn, (6, 5, 2)).throws == 2


def test_nothing_may_be_done_before_the_first_throw() -> None:
    turn = a_turn()
    assert refused_code(lambda: legality.stop(turn)) == "no_throw"
    assert refused_code(lambda: legality.keep(turn, (1,))) == "no_throw"
    assert refused_code(lambda: legality.turn_sixes(turn, 1)) == "no_throw"


def test_p1_any_dice_may_be_put_out_but_only_those_that_lie_there() -> None:
    turn = legality.keep(legality.throw(a_turn(), (6, 4, 2)), (6, 2))
    assert (turn.outside, turn.lying) == ((6, 2), (4,))
    assert refused_code(lambda: legality.keep(turn, (2,))) == "dice_not_there"


def test_p2_what_is_outside_stays_outside() -> None:
    turn = legality.keep(legality.throw(a_turn(), (6, 4, 2)), (6,))
    assert refused_code(lambda: legality.take_back_dice(turn, (6,))) == "no_return"


def test_all_dice_outside_leave_nothing_to_throw() -> None:
    turn = legality.keep(legality.throw(a_turn(), (6, 4, 2)), (6, 4, 2))
    assert refused_code(lambda: legality.throw(turn, (1,))) == "no_dice_in_cup"
    assert legality.stop(turn).dice == (6, 4, 2)


def test_a_throw_has_exactly_the_dice_that_are_not_outside() -> None:
    turn = legality.keep(legality.throw(a_turn(), (6, 4, 2)), (6,))
    assert refused_code(lambda: legality.throw(turn, (5, 4, 3))) == "wrong_number_of_dice"


def test_p4_from_hand_means_all_three_dice_in_the_last_throw() -> None:
    again = legality.throw(legality.throw(a_turn(), (6, 4, 2)), (5, 5, 5))
    assert legality.stop(again).from_hand
    built = legality.throw(legality.keep(legality.throw(a_turn(), (6, 4, 2)), (6,)), (6, 6))
    assert not legality.stop(built).from_hand
    assert legality.stop(built).dice == (6, 6, 6)


@pytest.mark.parametrize(
    ("dice", "count", "outside", "lying"),
    [
        ((6, 6, 1), 1, (1,), (6, 1)),
        ((6, 6, 3), 1, (1,), (6, 3)),
        ((6, 6, 6), 2, (1, 1), (6,)),
        ((6, 6, 6), 1, (1,), (6, 6)),
    ],
)
def test_x1_x7_x11_sixes_of_one_throw_become_ones(
    dice: tuple[int, ...], count: int, outside: tuple[int, ...], lying: tuple[int, ...]
) -> None:
    turn = legality.turn_sixes(legality.throw(a_turn(), dice), count)
    assert (turn.outside, turn.lying, turn.must_throw) == (outside, lying, True)


def test_x2_sixes_from_two_throws_cannot_be_turned() -> None:
    turn = legality.keep(legality.throw(a_turn(), (6, 4, 2)), (6,))
    turn = legality.throw(turn, (6, 3))
    assert refused_code(lambda: legality.turn_sixes(turn, 1)) == "sixes_not_in_one_throw"


def test_x2_three_sixes_from_two_throws_give_one_one_only() -> None:
    turn = legality.keep(legality.throw(a_turn(), (6, 4, 2)), (6,))
    turn = legality.throw(turn, (6, 6))
    assert refused_code(lambda: legality.turn_sixes(turn, 2)) == "sixes_not_in_one_throw"
    assert legality.turn_sixes(turn, 1).outside == (6, 1)


@pytest.mark.parametrize("limit", [1, 2, 3, None])
def test_x3_x4_not_in_the_last_permitted_throw(limit: int | None) -> None:
    turn = a_turn(limit)
    for _ in range(turn.most_throws):
        turn = legality.throw(turn, (6, 6, 6))
    assert refused_code(lambda: legality.turn_sixes(turn, 1)) == "no_throw_left"


def test_x5_the_other_six_must_be_thrown_again() -> None:
    thrown = legality.throw(a_turn(), (6, 6, 2))
    assert refused_code(lambda: legality.turn_sixes(thrown, 2)) == "other_six_must_return"
    turned = legality.turn_sixes(thrown, 1)
    assert refused_code(lambda: legality.keep(turned, (6,))) == "other_six_must_return"
    kept = legality.keep(thrown, (6,))
    assert refused_code(lambda: legality.turn_sixes(kept, 1)) == "other_six_must_return"


def test_x6_beside_turned_sixes_only_a_one_may_stay() -> None:
    five = legality.throw(a_turn(), (6, 6, 5))
    turned = legality.turn_sixes(five, 1)
    assert refused_code(lambda: legality.keep(turned, (5,))) == "turned_keeps_only_ones"
    kept = legality.keep(five, (5,))
    assert refused_code(lambda: legality.turn_sixes(kept, 1)) == "turned_keeps_only_ones"
    one = legality.turn_sixes(legality.throw(a_turn(), (6, 6, 1)), 1)
    assert legality.keep(one, (1,)).outside == (1, 1)


def test_x9_stopping_right_after_turning_is_illegal_even_after_a_burnt_throw() -> None:
    turned = legality.turn_sixes(legality.throw(a_turn(), (6, 6, 1)), 1)
    assert refused_code(lambda: legality.stop(turned)) == "must_throw_after_turn"
    burnt = legality.burn(turned)
    assert refused_code(lambda: legality.stop(burnt)) == "must_throw_after_turn"
    thrown = legality.throw(burnt, (1, 1))
    assert legality.stop(thrown).dice == (1, 1, 1)


def test_x10_a_turned_one_makes_the_result_assembled() -> None:
    turned = legality.turn_sixes(legality.throw(a_turn(), (6, 6, 1)), 1)
    assert not legality.stop(legality.throw(turned, (3, 2))).from_hand


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("throw"), st.lists(st.integers(1, 6), min_size=1, max_size=3)),
        st.tuples(st.just("burn"), st.just([])),
        st.tuples(st.just("keep"), st.lists(st.integers(1, 6), min_size=1, max_size=3)),
        st.tuples(st.just("turn"), st.lists(st.just(6), min_size=1, max_size=3)),
    ),
    max_size=12,
)


@given(STEPS, st.sampled_from([None, 1, 2, 3]))
def test_whatever_is_tried_three_dice_are_never_exceeded(
    steps: list[tuple[str, list[int]]], limit: int | None
) -> None:
    turn = a_turn(limit)
    for kind, values in steps:
        dice = tuple(sorted(values, reverse=True))
        before = turn
        try:
            if kind == "throw":
                turn = legality.throw(turn, dice)
            elif kind == "burn":
                turn = legality.burn(turn)
            elif kind == "keep":
                turn = legality.keep(turn, dice)
            else:
                turn = legality.turn_sixes(turn, len(dice))
        except Refused:
            assert turn is before
        assert len(turn.dice) <= 3
        assert turn.throws <= turn.most_throws
        assert not (turn.must_throw and turn.throws_left < 1)
        assert not turn.lying or len(turn.dice) == 3


def test_a_six_taken_back_may_still_be_turned_where_dice_may_return() -> None:
    """allgemein L5, L33: what went back to the mat lies there as if it had never been put out."""
    turn = Turn(book=find_book("allgemein"), player="Anna", limit=None)
    thrown = legality.throw(turn, (6, 6, 2))
    taken_back = legality.take_back_dice(legality.keep(thrown, (6,)), (6,))
    assert taken_back == thrown
    assert legality.turn_sixes(taken_back, 1).outside == (1,)
