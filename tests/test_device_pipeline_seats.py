"""Everybody has a place: whose turn is over when, and what is out of turn, is told by who acts."""

from collections.abc import Callable, Iterator

import pytest
from pipeline_table import Table
from pipeline_ways import Script, asked_about, outcome, switched_off

Led = Callable[[str], Script]
WAYS = ["switched off", "asked", "asked and switched off"]


@pytest.fixture(params=WAYS)
def led(request: pytest.FixtureRequest) -> Iterator[Led]:
    """Makes tables; in the end what was played there is played again in another way."""
    scripts: list[Script] = []

    def begin(book: str) -> Script:
        script = Script(book=book)
        script.lead()
        script.begin()
        scripts.append(script)
        return script

    yield begin
    for script in scripts:
        for at, (name, args, _) in enumerate(script.steps or ()):
            if request.param == "switched off":
                assert outcome(switched_off(script, at)) == outcome(script), at
            elif name == "say" and args[0] == "throw_seen":
                for reason in ("kind", "values"):
                    again = asked_about(script, at, reason, off="off" in request.param)
                    assert again is None or outcome(again) == outcome(script), (at, reason)


def case_of(table: Table, kind: str | None = None) -> dict[str, object]:
    cases = [dict(case.opened) for case in table.pipeline.desk.cases]
    (case,) = [case for case in cases if kind in (None, case["kind"])]
    return case


def test_a_cup_lifted_before_its_turn_is_a_case_of_who_sits_there(led: Led) -> None:
    table = led("jule")
    table.say("cup_up", seat="B")
    table.say("throw_seen", (6, 5, 4), seat="B")
    case = case_of(table)
    assert (case["kind"], case["player"]) == ("lifted_out_of_turn", "B")
    assert case["penalty_section"] == "000 L70"
    assert table.last("case.seen")["dice"] == [6, 5, 4]
    assert table.state["turn"] == {**table.state["turn"], "player": "A", "throws": 0}
    table.rule("fault")
    assert table.last("fault_reported")["fault"] == "lift_early"


def test_who_is_done_throws_once_too_often_and_packs_up_too_early(led: Led) -> None:
    table = led("blog2019")
    table.say("throw_seen", (6, 5, 4), seat="A")
    table.by_hand("stop", player="A")
    table.say("throw_seen", (6, 5, 3), seat="A")
    table.say("cleared", seat="A")
    assert table.cases() == ["too_many_throws"], "the round may be over for all we know"
    assert table.game.player == "B"
    table.say("throw_seen", (6, 4, 1), seat="B")
    assert table.cases() == ["too_many_throws", "packed_up_early"]
    assert case_of(table, "packed_up_early")["player"] == "A"


def test_the_next_player_ends_the_turn_before_by_throwing_at_his_own_place(led: Led) -> None:
    table = led("turnier")
    table.say("throw_seen", (6, 5, 4), seat="A")
    table.say("cup_up", seat="B")
    assert table.game.player == "A", "a cup that is lifted says nothing yet"
    table.say("throw_seen", (6, 4, 1), seat="B")
    assert [e.data["player"] for e in table.entries() if e.type == "stopped"] == ["A", "B"]
    assert table.last("thrown")["player"] == "B"
    assert table.cases() == []


def test_at_the_end_of_a_round_all_take_their_dice_in_any_order(led: Led) -> None:
    table = led("turnier")
    for seat, dice in (("A", (6, 5, 4)), ("B", (6, 4, 1)), ("C", (6, 4, 2))):
        table.say("throw_seen", dice, seat=seat)
    for seat in ("A", "B", "C"):
        table.say("cleared", seat=seat)
    assert table.last("round_settled")["winner"] == "A"
    assert table.cases() == []
    table.say("throw_seen", (6, 5, 5), seat=table.game.player)
    assert table.cases() == []


def test_who_throws_although_another_must_throw_on_is_out_of_turn(led: Led) -> None:
    table = led("turnier")
    table.say("throw_seen", (6, 6, 4), seat="A")
    table.say("turned", (1,), (1,), seat="A")
    table.say("throw_seen", (6, 4, 1), seat="B")
    assert table.game.player == "A"
    assert table.cases() == ["lifted_out_of_turn"]


SHOWN_AND_COVERED = [
    ("throw_seen", (6, 5, 4), "A"), ("throw_seen", (6, 5, 3), "A"), ("throw_seen", (6, 4, 1), "A"),
    ("throw_seen", (6, 3, 1), "B"), ("throw_seen", (5, 3, 1), "B"), ("cup_down", (), "B"),
    ("throw_seen", (6, 2, 1), "C"), ("throw_seen", (5, 2, 1), "C"), ("cup_down", (), "C"),
    ("cup_up", (), "B"), ("throw_seen", (6, 4, 2), "B"),
    ("cup_up", (), "C"), ("throw_seen", (5, 4, 2), "C"),
]  # fmt: skip


def of_the_game(table: Table) -> list[tuple[str, object]]:
    names = {"stopped", "left_covered", "thrown", "covered", "round_settled"}
    return [
        (entry.type, entry.data.get("player", entry.data.get("loser")))
        for entry in table.entries()
        if entry.type in names
    ]


def test_what_waited_behind_a_question_is_judged_by_the_cups_of_its_time(led: Led) -> None:
    live, asked = led("turnier"), led("turnier")
    for number, (kind, dice, seat) in enumerate(SHOWN_AND_COVERED):
        live.say(kind, dice, seat=seat)
        doubt = {"sure": False, "reason": "values"} if number == 2 else {}
        asked.say("unsure" if doubt else kind, dice, seat=seat, **doubt)
    asked.answer(dice=[6, 4, 1])
    assert of_the_game(asked) == of_the_game(live)
    assert ("left_covered", "B") in of_the_game(live) or ("covered", "B") in of_the_game(live)
    assert asked.cases() == live.cases()


def test_who_packed_up_early_is_told_of_once(led: Led) -> None:
    table = led("blog2019")
    table.say("throw_seen", (6, 5, 4), seat="A")
    table.by_hand("stop", player="A")
    table.say("cleared", seat="A")
    table.say("throw_seen", (6, 4, 1), seat="B")
    assert case_of(table)["player"] == "A"
    table.rule("dismissed")
    table.say("throw_seen", (6, 4, 2), seat="C")
    assert table.cases() == []


def test_a_throw_shows_who_had_packed_up_before_it_even_if_it_is_read_when_all_went_on(
    led: Led,
) -> None:
    table = led("turnier")
    for seat in ("A", "B"):
        for dice in ((4, 2, 1), (6, 4, 1), (6, 5, 1)):
            table.say("throw_seen", dice, seat=seat)
        table.say("cleared", seat=seat)
    table.say("throw_seen", (6, 3, 1), seat="C")
    assert table.cases() == ["packed_up_early", "packed_up_early"], "C may still throw"
    table.say("cleared", seat="C")
    table.say("throw_seen", (6, 4, 1), seat=table.game.player)


def test_who_takes_his_dice_while_he_may_throw_stops_and_after_his_last_throw_packs_up(
    led: Led,
) -> None:
    table = led("turnier")
    for seat, dice in (("A", (6, 5, 4)), ("B", (6, 4, 1)), ("C", (6, 4, 2))):
        table.say("cup_down", seat=seat)
        table.say("cup_up", seat=seat)
        table.say("throw_seen", dice, seat=seat)
        table.say("cleared", seat=seat)
    assert case_of(table)["player"] == "B", "the limit is one throw"
    assert table.last("round_settled")["winner"] == "A"


def test_taking_dice_is_forgotten_with_its_round(led: Led) -> None:
    table = led("turnier")
    for seat, dice in (("A", (6, 5, 4)), ("B", (6, 4, 1)), ("C", (6, 4, 2))):
        table.say("throw_seen", dice, seat=seat)
    for seat in ("A", "B", "C"):
        table.say("cleared", seat=seat)
    first = str(table.game.player)
    table.by_hand("throw", player=first, dice=[6, 5, 5])
    table.by_hand("stop", player=first)
    table.say("throw_seen", (6, 6, 2), seat=table.game.player)
    assert table.cases() == []


def test_a_mere_doubt_at_the_next_seat_ends_no_turn(led: Led) -> None:
    table = led("turnier")
    table.say("throw_seen", (6, 5, 4), seat="A")
    table.say("unsure", (6, 4, 1), seat="B", sure=False, reason="values")
    question = table.pipeline.open_question
    assert question["player"] == "B"
    table.answer(verdict="no_throw")
    assert (table.game.player, table.cases()) == ("A", [])
    table.say("unsure", (6, 4, 1), seat="B", sure=False, reason="values")
    question = table.pipeline.open_question
    table.answer(dice=[6, 4, 1])
    assert table.last("thrown")["player"] == "B"


def test_who_is_shaking_again_has_not_stopped(led: Led) -> None:
    table = led("turnier")
    table.say("throw_seen", (6, 5, 4), seat="A")
    table.say("cup_down", seat="A")
    table.say("cup_up", seat="B")
    table.say("throw_seen", (6, 4, 1), seat="B")
    assert table.game.player == "A"
    assert case_of(table)["player"] == "B"
