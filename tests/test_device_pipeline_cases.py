"""What the rules refuse goes to the referee: recorded with section and penalty, never forced."""

import pytest
from pipeline_table import Table

from rules.library import find_book
from web_ui.errors import ActionRefused


@pytest.fixture
def opened() -> Table:
    table = Table()
    table.opening()
    return table


def led(book: str) -> Table:
    table = Table(book=book)
    table.lead()
    return table


def case_of(table: Table) -> dict[str, object]:
    (case,) = table.pipeline.desk.cases
    return dict(case.opened)


class TestTooManyThrows:
    @pytest.mark.parametrize("book", ["turnier", "jule", "blog2019", "allgemein"])
    def test_a_throw_with_the_dice_of_the_player_before_is_one_too_many(self, book: str) -> None:
        table = led(book)
        table.throw(4, 3, 2)
        table.say("dice_kept", (4,), (4,))
        table.throw(3, 2, outside=(4,))
        table.say("dice_kept", (3,), (4, 3))
        table.throw(2, outside=(4, 3))
        before = table.state
        table.throw(1, outside=(4, 3))
        assert table.state == before
        case = case_of(table)
        assert (case["kind"], case["player"], case["dice"]) == ("too_many_throws", "A", [1])
        assert case["section"] == find_book(book).cite("limit", "max_throws")
        assert case["penalty_de"] == "Die Runde ist verloren."
        assert case["penalty_section"] == find_book(book).cite("too_many_throws")
        assert table.pipeline.open_question is None
        table.say("cleared")
        table.throw(6, 6, 5)
        assert table.last("thrown")["player"] == "B"

    def test_the_referee_enters_it_and_the_round_is_lost(self) -> None:
        table = led("jule")
        table.throw(1, 1, 1, clear=True)
        table.throw(6, 5, 4)
        table.throw(6, 5, 3)
        assert table.last("question.asked")["verdicts"][-1] == "too_many_throws"
        table.answer(verdict="too_many_throws")
        assert case_of(table)["player"] == "B"
        table.rule("fault")
        assert table.last("fault_reported")["consequence"] == "lose_round"
        assert table.last("case.closed")["action"]["fault"] == "too_many_throws"
        table.say("cleared")
        table.throw(6, 4, 3, clear=True)
        assert table.last("round_settled")["loser"] == "B"
        assert table.cases() == []

    def test_statuten_7_void_throws_and_a_doofmanndeckel(self) -> None:
        table = led("statuten")
        table.throw(6, 5, 4, clear=True)
        table.throw(6, 5, 2)
        table.throw(6, 5, 3)
        table.answer(verdict="too_many_throws")
        assert "Doofmanndeckel" in str(case_of(table)["penalty_de"])
        table.rule("fault")
        assert table.last("doofmann_paid")["player"] == "B"

    def test_where_the_camera_cannot_tell_it_asks_and_takes_the_dice(self, opened: Table) -> None:
        opened.throw(6, 6, 1, clear=True)
        opened.throw(5, 4, 1)
        opened.throw(4, 4, 1)
        assert opened.state["turn"]["player"] == "B"
        assert opened.last("question.asked")["player"] == "B"
        opened.answer(dice=[4, 4, 1])
        assert opened.last("thrown")["player"] == "B"
        assert opened.cases() == []

    def test_unsure_it_is_asked_whose_it_is_and_what_lies_there(self, opened: Table) -> None:
        opened.throw(6, 6, 1, clear=True)
        opened.throw(5, 4, 1)
        opened.say("unsure", (4, 4, 1), reason="values")
        asked = opened.last("question.asked")
        assert (asked["verdicts"][-1], asked["doubt"]) == ("too_many_throws", "values")
        assert "has A thrown once too often? The values cannot be read" in asked["reason_en"]
        opened.say("cleared")  # nor does the game go on without the dice: they may be A's
        opened.throw(6, 5, 4)
        assert opened.types("question.unread") == []
        opened.answer(verdict="too_many_throws")
        assert opened.cases() == ["too_many_throws"]
        assert (opened.last("thrown")["player"], opened.last("thrown")["dice"]) == ("B", [6, 5, 4])

    def test_a_tower_over_the_dice_of_the_player_before_may_be_his(self, opened: Table) -> None:
        opened.throw(6, 6, 1, clear=True)
        opened.throw(5, 4, 1)
        opened.say("tower", (6,))
        assert opened.last("question.asked")["verdicts"][-1] == "too_many_throws"
        opened.answer(verdict="burning")
        assert opened.last("burnt")["player"] == "B"

    def test_a_throw_told_later_lies_on_the_mat_no_more(self) -> None:
        table = led("jule")
        table.say("unsure", (5, 5, 2), reason="values")
        table.say("cleared")
        table.throw(6, 5, 1, clear=True)
        table.throw(6, 4, 1)  # C, whose dice still lie there when A's become known
        table.answer(dice=[5, 5, 2])
        assert table.last("round_settled")["loser"] == "A"
        table.throw(6, 5, 3)
        assert "has C thrown once too often" in table.last("question.asked")["reason_en"]

    def test_a_burnt_throw_is_thrown_again_and_nobody_is_asked(self, opened: Table) -> None:
        opened.throw(6, 6, 1, clear=True)
        opened.say("tower", (6,))
        opened.throw(5, 4, 1)
        assert opened.last("thrown")["player"] == "A"
        assert opened.pipeline.open_question is None

    def test_what_a_person_called_no_throw_is_no_reason_to_ask_again(self, opened: Table) -> None:
        opened.throw(6, 6, 1, clear=True)
        opened.say("unsure", (6, 5, 4), reason="no_cup")
        opened.answer(verdict="no_throw")
        opened.throw(5, 4, 1)
        assert opened.last("thrown")["dice"] == [5, 4, 1]

    def test_a_round_that_is_over_is_ruled_anew(self) -> None:
        table = led("jule")
        for dice in ((6, 5, 4), (6, 5, 3)):
            table.throw(*dice, clear=True)
        table.throw(6, 6, 5)  # C, and the round is settled
        assert table.last("round_settled")["loser"] == "B"
        table.throw(6, 6, 4)
        table.answer(verdict="too_many_throws")
        case = table.pipeline.desk.cases[0]
        assert (case.opened["player"], case.opened["round"]) == ("C", 1)
        table.rule("fault")
        ruled = table.last("round_ruled")
        assert (ruled["loser"], ruled["winner"], ruled["ruled_round"]) == ("C", "A", 1)

    def test_statuten_knows_no_such_penalty_once_the_round_is_over(self) -> None:
        table = led("statuten")
        for dice in ((6, 5, 4), (6, 5, 3)):
            table.throw(*dice, clear=True)
        table.throw(6, 6, 5)
        table.throw(6, 6, 4)
        table.answer(verdict="too_many_throws")
        with pytest.raises(ActionRefused) as refused:
            table.rule("fault")
        assert refused.value.code == "case_round_over"
        assert table.cases() == ["too_many_throws"]
        table.rule("dismissed")
        assert table.cases() == []


class TestDice:
    def test_a_die_put_back_is_a_case_and_a_question_of_what_counts(self, opened: Table) -> None:
        opened.throw(6, 4, 1)
        opened.say("dice_kept", (1,), (1,))
        before = opened.state
        opened.throw(6, 5, 2)
        assert opened.state == before
        case = case_of(opened)
        assert (case["kind"], case["code"]) == ("dice_put_back", "no_return")
        assert case["section"] == find_book("turnier").cite("return_kept")
        assert case["fault"] is None
        assert opened.last("question.asked")["reason"] == opened.last("refused")["text_de"]
        opened.answer(verdict="no_throw")
        opened.rule("fault")
        assert opened.last("case.closed")["action"] is None
        opened.throw(5, 2, outside=(1,))
        assert opened.last("thrown")["dice"] == [5, 2]

    def test_allgemein_lets_dice_go_back(self) -> None:
        table = led("allgemein")
        table.throw(6, 4, 1)
        table.say("dice_kept", (4, 1), (4, 1))
        table.throw(6, 5, outside=(1,))
        assert table.last("returned")["dice"] == [4]
        assert table.last("thrown")["dice"] == [6, 5]
        assert table.cases() == []

    def test_a_six_turned_in_the_last_throw_is_a_case(self, opened: Table) -> None:
        opened.throw(6, 4, 2)
        opened.throw(6, 4, 2)
        opened.throw(6, 6, 3)
        opened.say("turned", (1,), (1,))
        case = case_of(opened)
        assert (case["kind"], case["player"], case["code"]) == ("six_turned", "C", "no_throw_left")
        assert case["section"] == find_book("turnier").cite("turning_in_last")
        opened.say("cleared")
        opened.throw(5, 4, 1)
        assert opened.last("thrown")["player"] == "A"

    def test_sixes_of_two_throws_are_a_case_and_the_turn_goes_on(self, opened: Table) -> None:
        opened.throw(6, 4, 2)
        opened.say("turned", (1,), (1,))
        assert opened.cases() == ["six_turned"]
        assert opened.pipeline.open_question is None
        opened.say("turned", (1,), (1,))
        assert opened.cases() == ["six_turned"]
        assert opened.last("case.seen")["case_id"] == case_of(opened)["case_id"]

    def test_statuten_10a_only_ones_stay_outside(self) -> None:
        table = led("statuten")
        table.throw(6, 4, 2)
        table.say("dice_kept", (6,), (6,))
        case = case_of(table)
        assert (case["kind"], case["section"]) == ("die_kept", "004 §10a")

    def test_dice_taken_away_with_a_throw_owed_are_packed_up_early(self) -> None:
        table = led("blog2019")
        table.throw(6, 6, 2)
        table.say("turned", (1,), (1,))
        table.say("cleared")
        case = case_of(table)
        assert (case["kind"], case["code"]) == ("packed_up_early", "must_throw_after_turn")
        assert case["penalty_section"] == "002 L116"
        table.rule("fault")
        assert table.last("fault_reported")["fault"] == "pack_early"

    def test_dice_that_the_camera_may_have_misread_are_no_case(self, opened: Table) -> None:
        opened.throw(6, 4)
        assert opened.cases() == []
        assert opened.pipeline.open_question is not None


class TestBurnt:
    @pytest.mark.parametrize("book", ["turnier", "jule", "blog2019", "allgemein", "statuten"])
    @pytest.mark.parametrize("kind", ["tower", "burning", "off_mat"])
    def test_f8_it_is_thrown_again_and_only_jule_asks_who_dropped_a_die(
        self, book: str, kind: str
    ) -> None:
        table = led(book)
        table.say(kind, (6,))
        assert table.last("burnt")["player"] == "A"
        dropped = book == "jule" and kind == "off_mat"
        assert table.cases() == (["die_dropped"] if dropped else [])
        assert table.game.player == "A"

    def test_jule_l66_the_second_die_dropped_loses_the_half(self) -> None:
        table = led("jule")
        for _ in range(2):
            table.say("off_mat", (6, 5))
            table.rule("fault")
        assert table.last("part_forfeited")["player"] == "A"

    def test_a_die_that_is_missing_may_have_been_dropped(self) -> None:
        table = led("jule")
        table.say("unsure", (6, 5), reason="fewer")
        table.answer(verdict="burning")
        assert table.last("burnt")["player"] == "A"
        assert table.cases() == ["die_dropped"]


def test_a_case_is_ruled_on_once_and_only_in_the_words_there_are(opened: Table) -> None:
    opened.throw(6, 4, 2)
    opened.say("turned", (1,), (1,))
    case_id = str(case_of(opened)["case_id"])
    with pytest.raises(ActionRefused, match="fault, dismissed, ruled, but got 'won'"):
        opened.submit("rule_case", case_id=case_id, verdict="won")
    opened.rule("dismissed")
    with pytest.raises(ActionRefused, match="ruled on already"):
        opened.submit("rule_case", case_id=case_id, verdict="dismissed")
    assert opened.types("case.closed") == ["case.closed"]


def test_a_case_of_the_game_before_never_hits_the_next_one(opened: Table) -> None:
    opened.throw(6, 6, 1, clear=True)
    opened.throw(5, 4, 1)
    opened.throw(4, 4, 1)
    opened.answer(verdict="too_many_throws")
    opened.submit("abandon", reason="fire alarm")
    opened.submit("begin_game", players=["A", "B", "C"])
    opened.opening()
    with pytest.raises(ActionRefused) as refused:
        opened.rule("fault")
    assert refused.value.code == "case_round_over"
    assert opened.types("fault_reported") == []


def test_at_the_throws_for_the_start_there_is_nobody_to_report() -> None:
    table = Table(book="jule")
    table.say("off_mat", ())
    assert table.cases() == []
    assert table.game.player == "A"
