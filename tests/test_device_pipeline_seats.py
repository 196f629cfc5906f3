"""Everybody has a place: whose turn is over when, and what is out of turn, is told by who acts."""

from pipeline_table import Table


def led(book: str) -> Table:
    table = Table(book=book)
    table.lead()
    return table


def case_of(table: Table, kind: str | None = None) -> dict[str, object]:
    cases = [dict(case.opened) for case in table.pipeline.desk.cases]
    (case,) = [case for case in cases if kind in (None, case["kind"])]
    return case


def test_a_cup_lifted_before_its_turn_is_a_case_of_who_sits_there() -> None:
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


def test_who_is_done_throws_once_too_often_and_packs_up_too_early() -> None:
    table = led("blog2019")
    table.say("throw_seen", (6, 5, 4), seat="A")
    table.pipeline.submit({"type": "stop", "player": "A"})
    table.say("throw_seen", (6, 5, 3), seat="A")
    table.say("cleared", seat="A")
    assert table.cases() == ["too_many_throws"], "the round may be over for all we know"
    assert table.game.player == "B"
    table.say("throw_seen", (6, 4, 1), seat="B")
    assert table.cases() == ["too_many_throws", "packed_up_early"]
    assert case_of(table, "packed_up_early")["player"] == "A"


def test_the_next_player_ends_the_turn_before_by_throwing_at_his_own_place() -> None:
    table = led("turnier")
    table.say("throw_seen", (6, 5, 4), seat="A")
    table.say("cup_up", seat="B")
    assert table.game.player == "A", "a cup that is lifted says nothing yet"
    table.say("throw_seen", (6, 4, 1), seat="B")
    assert [e.data["player"] for e in table.entries() if e.type == "stopped"] == ["A", "B"]
    assert table.last("thrown")["player"] == "B"
    assert table.cases() == []


def test_at_the_end_of_a_round_all_take_their_dice_in_any_order() -> None:
    table = led("turnier")
    for seat, dice in (("A", (6, 5, 4)), ("B", (6, 4, 1)), ("C", (6, 4, 2))):
        table.say("throw_seen", dice, seat=seat)
    for seat in ("A", "B", "C"):
        table.say("cleared", seat=seat)
    assert table.last("round_settled")["winner"] == "A"
    assert table.cases() == []
    table.say("throw_seen", (6, 5, 5), seat=table.game.player)
    assert table.cases() == []


def test_who_throws_although_another_must_throw_on_is_out_of_turn() -> None:
    table = led("turnier")
    table.say("throw_seen", (6, 6, 4), seat="A")
    table.say("turned", (1,), (1,), seat="A")
    table.say("throw_seen", (6, 4, 1), seat="B")
    assert table.game.player == "A"
    assert table.cases() == ["lifted_out_of_turn"]
