"""Throws whose values are in doubt: the game goes on where the rules allow it, and waits elsewhere.

Also throws that stay under the cup, and the showdown.
"""

import pytest
from pipeline_table import Table

from web_ui.errors import ActionRefused
from web_ui.projection import Projection


def led(book: str, *players: str) -> Table:
    table = Table(*players, book=book)
    table.lead()
    return table


def unsure(table: Table, *dice: int, outside: tuple[int, ...] = (), reason: str = "values") -> None:
    table.say("cup_down")
    table.say("cup_up")
    table.say("unsure", dice, outside, reason=reason)
    table.say("cleared")


class TestGoingOn:
    def test_the_next_throw_carries_the_game_on_and_the_showdown_waits(self) -> None:
        table = led("turnier")
        unsure(table, 6, 5, 4)
        assert table.game.player == "A"
        table.throw(6, 5, 3, clear=True)
        assert (table.last("limit_set")["limit"], table.game.player) == (1, "C")
        table.throw(6, 5, 2, clear=True)
        assert table.state["phase"] == "showdown"
        table.throw(4, 4, 1, clear=True)  # somebody begins before it is answered
        assert table.state["phase"] == "showdown"
        table.answer(dice=[6, 6, 4])
        settled = table.last("round_settled")
        assert (settled["winner"], settled["loser"]) == ("A", "C")
        assert (table.last("thrown")["player"], table.last("thrown")["dice"]) == ("C", [4, 4, 1])
        assert table.game.player == "A"

    def test_another_ones_place_that_is_cleared_ends_no_turn(self) -> None:
        """Who throws again then has thrown twice, not after his turn."""
        table = led("turnier")
        table.say("cup_down", seat="A")
        table.say("cup_up", seat="A")
        table.say("unsure", (6, 5, 4), reason="values", seat="A")
        table.say("cleared", seat="B")
        table.say("cup_down", seat="A")
        table.say("cup_up", seat="A")
        table.say("throw_seen", (6, 5, 3), seat="A")
        assert (table.types("question.unread"), table.cases()) == ([], [])
        table.answer(dice=[6, 6, 4])
        assert (table.state["turn"]["throws"], table.game.player) == (2, "A")
        assert table.last("thrown")["dice"] == [6, 5, 3]

    def test_an_answer_before_the_showdown_is_kept_for_it(self) -> None:
        table = led("turnier")
        unsure(table, 6, 5, 4)
        table.throw(6, 5, 3, clear=True)
        table.answer(dice=[6, 6, 4])
        assert table.pipeline.open_question is None
        assert table.types("round_settled") == []
        table.switch_on()
        table.throw(6, 5, 2, clear=True)
        best = table.last("round_settled")["ranking"][0]
        assert (best["player"], best["dice"]) == ("A", [6, 6, 4])

    def test_several_unsure_throws_are_answered_one_after_the_other(self) -> None:
        table = led("turnier")
        unsure(table, 6, 5, 4)
        unsure(table, 6, 5, 3)
        table.throw(6, 5, 2, clear=True)
        assert [q.player for q in table.pipeline.desk.questions] == ["A", "B"]
        table.answer(dice=[4, 1, 1])
        table.answer(dice=[3, 2, 2])
        assert table.last("round_settled")["loser"] == "B"
        assert table.state["stock"] == table.state["total"] - 5

    @pytest.mark.parametrize("reason", ["kind", "fewer", "more", "gone", "changed", "no_cup"])
    def test_what_may_burn_or_be_no_throw_is_waited_for(self, reason: str) -> None:
        table = led("turnier")
        unsure(table, 6, 5, 4, reason=reason)
        table.throw(6, 5, 3, clear=True)
        assert table.game.player == "A"
        assert [seen.event.type for seen in table.pipeline.desk.waiting][-2:] == [
            "throw_seen", "cleared",
        ]  # fmt: skip
        board = Projection(table.log, log_lines=5).board()
        assert len(board.waiting) == 1
        table.answer(dice=[6, 5, 4])
        assert table.game.player == "C"
        assert Projection(table.log, log_lines=5).board().waiting == ()

    def test_dice_put_aside_or_no_clearing_mean_that_the_turn_goes_on(self) -> None:
        for kind, dice in (("dice_kept", (6,)), ("turned", (1,)), ("cup_down", ())):
            table = led("turnier")
            table.say("unsure", (6, 6, 4), reason="values")
            table.say(kind, dice, dice)
            table.say("throw_seen", (5, 4), (6,))
            assert table.game.player == "A"
            assert len(table.pipeline.desk.waiting) == 2

    def test_where_others_may_take_against_it_it_is_waited_for(self) -> None:
        table = led("blog2019")
        unsure(table, 6, 5, 4)
        table.throw(6, 5, 3, clear=True)
        assert table.game.player == "A"

    def test_what_was_passed_over_is_no_longer_no_throw(self) -> None:
        table = led("turnier")
        unsure(table, 6, 5, 4)
        table.throw(6, 5, 3, clear=True)
        with pytest.raises(ActionRefused) as refused:
            table.answer(verdict="no_throw")
        assert refused.value.code == "question_passed_over"
        with pytest.raises(ActionRefused, match="3"):
            table.answer(dice=[6, 5])
        assert table.pipeline.open_question is not None

    def test_one_that_burnt_is_thrown_again_in_the_showdown(self) -> None:
        table = led("turnier")
        unsure(table, 6, 5, 4)
        table.throw(6, 5, 3, clear=True)
        table.answer(verdict="burning")
        table.throw(6, 5, 2, clear=True)
        assert table.last("burnt")["player"] == "A"
        table.throw(4, 1, 1, clear=True)
        assert table.last("round_settled")["winner"] == "A"

    def test_taking_back_what_came_after_withdraws_the_question(self) -> None:
        table = led("turnier")
        unsure(table, 6, 5, 4)
        table.throw(6, 5, 3)
        for _ in range(4):
            table.submit("take_back")
        assert table.pipeline.open_question is None
        assert table.types("question.withdrawn")

    def test_the_dice_of_the_page_go_to_the_right_throw_for_learning(self) -> None:
        table = led("turnier")
        unsure(table, 6, 5, 4)
        table.throw(6, 5, 3, clear=True)
        asked = table.last("question.unread")
        table.answer(dice=[6, 5, 3])
        assert table.last("question.answered")["throw_id"] == asked["throw_id"]


class TestCovered:
    def test_a_third_throw_that_is_lifted_at_once_is_read(self) -> None:
        table = led("turnier")
        for _ in range(3):
            table.throw(6, 5, 4)
        assert table.types("covered") == []
        assert table.last("stopped")["player"] == "A"

    def test_a_cup_carried_off_unlifted_is_asked_about_where_the_throw_stays_covered(self) -> None:
        table = led("jule")
        table.throw(6, 5, 4, clear=True)
        table.say("cup_down")
        table.say("cup_up")
        table.say("cleared")
        assert table.game.player == "B"
        assert "covered" in table.last("question.asked")["verdicts"]
        table.answer(verdict="covered")
        assert table.last("left_covered")["player"] == "B"
        assert table.game.player == "C"

    def test_dice_gathered_with_the_cup_end_the_turn(self) -> None:
        table = led("turnier")
        table.throw(6, 5, 4)
        table.throw(6, 5, 4)
        table.say("cup_down")
        table.say("cup_up")
        table.say("cleared")
        assert table.last("stopped")["result"]["throws"] == 2

    @pytest.mark.parametrize("book", ["turnier", "jule", "blog2019", "allgemein", "statuten"])
    def test_cups_are_lifted_in_turn_and_the_round_is_settled_with_the_last(
        self, book: str
    ) -> None:
        table = led(book)
        for player in "ABC":
            table.throw(6, 5, 4)
            table.throw(6, 5, 4)
            table.pipeline.submit({"type": "cover", "player": player})
            table.say("cleared")
        assert table.state["covered"] == ["A", "B", "C"]
        for at, player in enumerate("ABC"):
            table.throw(6, 5, at + 1, clear=True)
            assert table.last("thrown")["player"] == player
        assert table.last("round_settled")["loser"] == "A"
        assert table.cases() == []

    def test_a_cup_that_is_taken_away_unshown_is_packed_up_early(self) -> None:
        table = led("blog2019")
        for _ in range(2):
            table.throw(6, 5, 4)
        table.pipeline.submit({"type": "cover", "player": "A"})
        for dice in ((6, 5, 3), (6, 5, 2)):
            table.say("cleared")
            for _ in range(3):
                table.throw(*dice)
        table.say("cleared")
        assert table.state["phase"] == "showdown"
        table.say("cup_down")
        table.say("cup_up")
        table.say("cleared")
        assert table.cases() == ["packed_up_early"]
        assert table.state["phase"] == "showdown"
        table.rule("fault")
        assert table.last("round_settled")["loser"] == "A"

    def test_jule_l15_cups_at_everybodys_place_stay_down_until_their_turn(self) -> None:
        table = led("jule")
        for seat in "ABC":
            table.say("cup_down", seat=seat)
        table.say("cup_up", seat="A")
        table.say("throw_seen", (6, 5, 4), seat="A")
        table.pipeline.submit({"type": "stop", "player": "A"})
        table.say("cup_up", seat="C")
        assert table.last("left_covered")["player"] == "B"
        table.say("throw_seen", (6, 5, 3), seat="C")
        assert table.state["phase"] == "showdown"
        table.say("throw_seen", (6, 5, 2), seat="B")
        assert table.last("round_settled")["loser"] == "B"
        assert table.cases() == []

    def test_who_lifts_before_it_is_his_turn_in_the_showdown_is_a_case_and_counts(self) -> None:
        table = led("turnier")
        for player in "ABC":
            for _ in range(2):
                table.say("throw_seen", (6, 5, 4), seat=player)
            table.pipeline.submit({"type": "cover", "player": player})
        table.say("throw_seen", (4, 1, 1), seat="C")
        assert table.cases() == ["lifted_out_of_turn"]
        assert table.last("thrown")["player"] == "C"
        table.say("throw_seen", (6, 5, 1), seat="A")
        table.say("throw_seen", (6, 5, 2), seat="B")
        assert table.last("round_settled")["winner"] == "C"

    def test_a_cup_on_the_common_mat_that_is_lifted_too_early_is_its_owners(self) -> None:
        table = led("turnier")
        for _ in range(2):
            table.throw(6, 5, 4)
        table.say("cup_down")
        table.pipeline.submit({"type": "cover", "player": "A"})
        assert table.game.player == "B"
        table.say("cup_up")
        table.say("throw_seen", (6, 6, 6))
        assert table.game.player == "B"
        assert table.state["turn"]["throws"] == 0
        (case,) = table.pipeline.desk.cases
        assert (case.opened["kind"], case.opened["player"]) == ("lifted_out_of_turn", "A")
        assert table.last("case.seen")["dice"] == [6, 6, 6]
        table.say("cleared")
        table.throw(6, 5, 3)
        assert table.last("thrown")["player"] == "B"

    def test_a_cup_on_the_common_mat_is_lifted_in_the_showdown(self) -> None:
        table = led("turnier", "A", "B")
        for _ in range(3):
            table.throw(6, 5, 4)
        table.say("cleared")
        for _ in range(2):
            table.throw(6, 5, 4)
        table.say("cup_down")
        table.pipeline.submit({"type": "cover", "player": "B"})
        assert table.state["phase"] == "showdown"
        table.say("cup_up")
        table.say("throw_seen", (6, 6, 6))
        assert table.last("round_settled")["winner"] == "B"
        assert table.cases() == []
