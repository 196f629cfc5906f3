"""No throw is passed over, whatever is taken for a cup or for a die beside it."""

import pytest
from vision_table import CUP, THROW, Table, types

ELSEWHERE = (250, 250)
TWO = THROW[:2]


def doubts(table: Table, *, until_s: float) -> list[str]:
    return [event.reason for event in table.play(until_s=until_s) if event.type == "unsure"]


def lifted(dice=(), **more) -> Table:
    """An empty mat, a cup down at 1.5 s, lifted at 3 s over these dice."""
    return Table().at(0.0, **more).at(1.5, cup=CUP, **more).at(3.0, dice, **more)


def test_a_look_alike_that_comes_and_goes_hides_no_throw():
    table = lifted(TWO)
    for second in range(4, 12, 2):
        table.at(second, TWO, parked=[ELSEWHERE]).at(second + 1, TWO)
    assert doubts(table, until_s=9) == ["fewer"]


@pytest.mark.parametrize("busy", [False, True])
def test_a_look_alike_that_comes_and_goes_puts_off_no_question_for_ever(busy: bool):
    table = Table().at(0.0).at(1.5, cup=CUP).at(3.0, busy=True)
    for step in range(130):  # one die, found every other time, and a coaster in turns of 0.7 s
        dice, coaster = TWO[: step % 2], [ELSEWHERE] * (step // 7 % 2)
        table.at(3.1 + 0.1 * step, dice, parked=coaster, busy=busy and not step % 7)
    told = [event for event in table.play(until_s=16, fps=10) if event.type == "unsure"]
    assert [event.reason for event in told] == ["fewer"]
    assert busy or told[0].t_s < 8


def test_a_look_alike_that_comes_and_goes_hides_no_dice_that_nobody_finds():
    table = Table().at(0.0).at(1.5, cup=CUP, busy=True).at(1.6, cup=CUP).at(3.0, busy=True)
    for step in range(80):
        table.at(3.1 + 0.1 * step, parked=[ELSEWHERE] * (step // 7 % 2), looks_bare=False)
    told = [event for event in table.play(until_s=11, fps=10) if event.type == "unsure"]
    assert [event.reason for event in told] == ["fewer"]
    assert told[0].t_s < 8


def test_a_cup_that_is_lost_from_sight_and_found_again_covers_its_dice_still():
    table = Table().at(0.0).at(1.5, cup=CUP, busy=True).at(1.6, cup=CUP)
    for step in range(6):  # lost for 0.6 s each, with nobody at work
        table.at(3 + 2 * step, looks_bare=False).at(3.6 + 2 * step, cup=CUP, looks_bare=False)
    table.at(15.0, THROW, busy=True).at(15.2, THROW)
    told = [event for event in table.play(until_s=18, fps=10) if event.type != "cup_down"]
    assert [event.type for event in told if event.type != "cup_up"] == ["throw_seen"]


def test_a_cup_beside_dice_that_were_not_told_yet_does_not_make_them_old():
    table = lifted(TWO).at(3.3, TWO, cup=ELSEWHERE)
    assert doubts(table, until_s=12) == ["fewer"]


def test_a_die_that_trembles_beside_a_cup_is_asked_about():
    table = Table().at(0.0).at(1.5, cup=CUP)
    for step in range(20):
        x = 100 + 6 * (step % 2)
        table.at(3 + 0.8 * step, [(6, x, 100), (5, 250, 60)], cup=CUP)
    assert doubts(table, until_s=18)


def test_a_tower_in_doubt_beside_a_cup_is_asked_about():
    tower = [("tower", 100, 100)]
    table = Table(score=0.2).at(0.0).at(1.5, cup=CUP)
    table.at(3.0, tower).at(3.3, tower, cup=ELSEWHERE)
    assert doubts(table, until_s=14) == ["kind"]


LOOK_ALIKES = [(1, 40, 30), (1, 60, 30), (1, 80, 30)]


def test_three_look_alikes_at_the_beginning_keep_no_throw_from_being_seen():
    table = Table().at(0.0, LOOK_ALIKES).at(2.0, LOOK_ALIKES, cup=CUP)
    table.at(3.5, [*LOOK_ALIKES[:1], *THROW]).at(5.0, THROW)
    assert doubts(table, until_s=9) == ["no_cup"]


def test_a_tower_thrown_while_look_alikes_lay_there_is_asked_about():
    table = Table().at(0.0, LOOK_ALIKES).at(2.0, LOOK_ALIKES, cup=CUP)
    table.at(3.5, [("tower", 150, 150), (4, 200, 60)])
    assert doubts(table, until_s=9) == ["kind"]


def test_a_tower_beside_three_look_alikes_is_asked_about_as_a_tower():
    table = Table().at(0.0, LOOK_ALIKES).at(2.0, LOOK_ALIKES, cup=CUP)
    table.at(3.5, [*LOOK_ALIKES, ("tower", 150, 150)])
    assert doubts(table, until_s=9) == ["kind"]


@pytest.mark.parametrize(("times", "asked"), [(6, 1), (1, 0)])
def test_a_die_found_now_and_then_where_a_cup_was_among_look_alikes_is_asked_about(times, asked):
    table = Table().at(0.0, LOOK_ALIKES).at(2.0, LOOK_ALIKES, cup=CUP)
    for step in range(times):
        at_s = 3.5 + 1.6 * step
        table.at(at_s, [*LOOK_ALIKES, THROW[0]]).at(at_s + 0.7, LOOK_ALIKES)
    assert len(doubts(table, until_s=13)) == asked


def test_three_look_alikes_and_another_cup_keep_no_throw_from_being_seen():
    more = {"parked": [ELSEWHERE]}
    table = Table().at(0.0, LOOK_ALIKES, **more).at(2.0, LOOK_ALIKES, cup=CUP, **more)
    table.at(3.5, [*LOOK_ALIKES[:1], *THROW[:2]], **more)
    assert len(doubts(table, until_s=9)) == 1


def test_look_alikes_beside_two_cups_are_no_throw():
    more = {"parked": [ELSEWHERE]}
    table = Table().at(0.0, LOOK_ALIKES, **more).at(2.0, LOOK_ALIKES, cup=CUP, **more)
    assert not doubts(table.at(3.5, LOOK_ALIKES, **more), until_s=12)


def test_look_alikes_that_stay_where_they_are_are_no_throw():
    table = Table().at(0.0, LOOK_ALIKES).at(2.0, LOOK_ALIKES, cup=CUP).at(3.5, LOOK_ALIKES)
    assert "unsure" not in types(table.play(until_s=12))


def test_a_throw_whose_cup_nobody_saw_among_look_alikes_is_asked_about():
    """The cup was taken for a glass beside it, and was gone before it was known as another one."""
    table = Table().at(0.0, LOOK_ALIKES).at(2.5).at(3.2, THROW)
    assert doubts(table, until_s=9) == ["no_cup"]


@pytest.mark.parametrize(
    "odd", [[("tower", 150, 150)], [("tower", 150, 150), (4, 200, 60)], [("burning", 60, 90), *TWO]]
)
def test_so_is_one_with_a_fault(odd):
    """The cup was put down over the rim of a coaster that is taken for one, and is that one."""
    coaster = {"parked": [ELSEWHERE]}
    table = Table().at(0.0, LOOK_ALIKES[:2], **coaster).at(0.4, LOOK_ALIKES, **coaster)
    table.at(2.2, **coaster).at(2.8, parked=[(ELSEWHERE[0] - 20, ELSEWHERE[1])]).at(3.5, odd)
    assert doubts(table, until_s=9) == ["kind"]


@pytest.mark.parametrize("last_s", [0.0, 0.3, 0.5, 0.6])
def test_so_is_one_after_a_coaster_that_was_taken_for_a_cup(last_s):
    """Three in sight show that it covers nothing: it is told as lifted, which tells of no dice."""
    table = Table().at(0.0, LOOK_ALIKES[:2], cup=CUP).at(last_s, LOOK_ALIKES, cup=CUP)
    table.at(2.2, cup=CUP).at(2.8, parked=[(CUP[0] + 20, CUP[1])]).at(3.5, THROW)
    assert doubts(table, until_s=9) == ["no_cup"]


def test_so_is_one_after_the_camera_was_blind_for_a_moment():
    table = Table(unseen=(1.2, 3.4)).at(0.0, LOOK_ALIKES).at(4.0, THROW)
    assert doubts(table, until_s=10) == ["no_cup"]


def test_so_is_one_that_comes_to_lie_where_look_alikes_lay():
    """Nor does a die that shows another value than what lay there have to be the same."""
    spots = [(x, y) for _, x, y in LOOK_ALIKES]
    dice = [(value, x, y + 2) for value, (x, y) in zip((6, 5, 2), spots, strict=True)]
    table = Table().at(0.0, LOOK_ALIKES).at(2.5).at(3.2, dice)
    assert doubts(table, until_s=9) == ["no_cup"]


@pytest.mark.parametrize("says", [{}, {6: 3}])
def test_a_die_of_the_value_that_lay_there_or_of_none_that_is_sure_may_be_the_same(says):
    dice = [(6 if says else 1, 40, 32), *THROW[1:]]
    table = Table(second_says=says).at(0.0, LOOK_ALIKES).at(2.5).at(3.2, dice)
    assert not doubts(table, until_s=9)


@pytest.mark.parametrize("odd", [("burning", 150, 150), ("tower", 60, 30)])
def test_a_fault_alone_or_where_something_lay_is_not_taken_for_such_a_throw(odd):
    assert not doubts(Table().at(0.0, LOOK_ALIKES).at(2.5, [odd]), until_s=9)


@pytest.mark.parametrize("later", [[*LOOK_ALIKES[:1], *THROW[:2]], THROW[:2], LOOK_ALIKES])
def test_dice_of_which_one_lay_there_or_is_missing_are_not_taken_for_such_a_throw(later):
    assert not doubts(Table().at(0.0, LOOK_ALIKES).at(2.5, later), until_s=9)


@pytest.mark.parametrize("last_s", [0.0, 0.1, 0.2, 0.3, 0.5])
def test_look_alikes_beside_a_cup_that_stands_there_from_the_beginning_are_no_throw(last_s):
    table = Table().at(0.0, LOOK_ALIKES[:2], cup=CUP).at(last_s, LOOK_ALIKES, cup=CUP)
    assert not {"throw_seen", "unsure"} & set(types(table.play(until_s=8)))


@pytest.mark.parametrize("odd", [("burning", 60, 30), ("tower", 60, 30)])
def test_a_fault_that_lay_there_from_the_beginning_is_none_of_a_throw(odd):
    """Three in sight show that the cup in the beginning covers nothing, but is a coaster."""
    table = Table().at(0.0, [odd], cup=CUP).at(0.3, [odd, *LOOK_ALIKES[::2]], cup=CUP)
    events = types(table.play(until_s=6))
    assert not {"burning", "tower", "off_mat", "throw_seen", "unsure"} & set(events)


def test_a_throw_beside_a_fault_that_lay_there_before_is_read():
    odd = ("burning", 250, 250)
    table = Table().at(0.0, [odd]).at(1.5, [odd], cup=CUP).at(3.0, [odd, *THROW])
    events = [event for event in table.play(until_s=8) if event.type not in ("cup_down", "cup_up")]
    assert [(event.type, event.dice) for event in events] == [("throw_seen", (6, 5, 2))]


@pytest.mark.parametrize(("before", "told"), [(1, ["unsure"]), (60, ["off_mat"])])
def test_what_lay_at_the_edge_before_has_not_dropped_off_the_mat(before, told):
    table = Table().at(0.0, [(1, 100, before)]).at(1.5, [(1, 100, before)], cup=CUP)
    events = types(table.at(3.0, [(1, 100, -1), *THROW[1:]]).play(until_s=8))
    assert [kind for kind in events if kind not in ("cup_down", "cup_up")] == told


def test_dice_that_are_gone_before_they_were_read_are_asked_about():
    table = lifted(THROW, looks_bare=False).at(3.25, looks_bare=True)
    assert doubts(table, until_s=8) == ["gone"]


def test_nothing_below_a_cup_on_an_unknown_mat_is_strange():
    assert doubts(lifted(), until_s=8) == ["fewer"]


def test_a_mat_that_is_learned_after_the_cup_was_lifted_is_no_witness():
    table = lifted().at(3.6, looks_bare=True)
    assert doubts(table, until_s=8) == ["fewer"]


def test_nothing_below_a_cup_on_the_bare_mat_is_nothing():
    events = lifted(looks_bare=True).play(until_s=8)
    assert types(events) == ["cup_down", "cup_up", "cleared"]


def test_below_a_cup_something_lies_that_nobody_can_see():
    table = lifted(looks_bare=True).at(3.05, looks_bare=True, traces=True)
    assert doubts(table, until_s=8) == ["fewer"]


def test_a_shadow_that_passes_over_the_mat_asks_nothing():
    table = lifted(looks_bare=True).at(3.05, looks_bare=True, traces=True)
    assert types(table.at(4.5, looks_bare=True).play(until_s=8))[2:] == ["cleared"]


def test_of_a_cup_that_has_always_stood_there_nobody_knows_what_was_below_it():
    events = Table().at(0.0, cup=CUP).at(3.0).play(until_s=8)
    assert types(events) == ["cup_down", "cup_up", "cleared"]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_cup_that_passes_over_told_dice_asks_nothing(count: int):
    """They lie at their places with their values."""
    table = lifted(THROW).at(6.0, THROW[:count], parked=[(200, 200)]).at(7.5, THROW)
    assert doubts(table, until_s=12) == []


def test_a_look_alike_of_a_tower_that_the_hand_with_the_cup_hides_is_not_thrown():
    alike = [("tower", 40, 30)]
    table = Table().at(0.0, alike).at(2.0, alike, cup=CUP).at(2.25, cup=CUP)
    table.at(2.45, alike, cup=CUP).at(4.5, THROW)
    assert types(table.play(until_s=7)) == ["cup_down", "cup_up", "throw_seen"]


def test_what_lay_beside_a_coaster_before_the_cup_came_was_not_thrown_from_that():
    """A coaster that is taken for a cup, and a domino beside it, just before the game begins."""
    alike, coaster = [("burning", 60, 100)], {"parked": [ELSEWHERE]}
    table = Table().at(0.0, **coaster).at(0.5, alike, **coaster).at(2.6, alike, cup=CUP, **coaster)
    table.at(4.5, THROW, **coaster)
    told = [(event.type, event.t_s >= 4.5) for event in table.play(until_s=8)]
    assert told == [("cup_down", False), ("cup_up", True), ("throw_seen", True)]


def test_a_coaster_that_is_known_to_have_always_stood_there_is_not_lifted_by_that():
    """Two of them, the second seen a little later; then both are known from the first picture."""
    alike, both = [("burning", 60, 100)], [ELSEWHERE, (250, 120)]
    table = Table().at(0.0, parked=both[:1]).at(0.2, alike, parked=both)
    table.at(1.0, alike, parked=both, stood=True).at(2.6, alike, cup=CUP, parked=both)
    table.at(4.5, THROW, parked=both)
    told = [(event.type, event.t_s >= 4.5) for event in table.play(until_s=8)]
    assert told == [("cup_down", False), ("cup_up", True), ("throw_seen", True)]


def test_dice_beside_a_cup_that_stands_on_are_told_though_another_one_came():
    table = lifted().at(3.0, THROW[:2], cup=CUP).at(4.0, THROW[:2], cup=CUP, parked=[ELSEWHERE])
    assert doubts(table, until_s=12) == ["fewer"]
