"""Dice that were taken unseen: the question whose the next throw is."""

import pytest
from pipeline_table import Table


@pytest.fixture
def opened() -> Table:
    table = Table()
    table.opening()
    return table


class TestTakenUnseen:
    """The dice were taken by hand, the mat was not seen bare: whose is the next throw?"""

    def taken(self, table: Table, *dice: int) -> None:
        table.say("cup_down")
        table.say("cup_up")
        table.say("throw_seen", dice, taken=True)

    def test_it_may_be_the_next_players(self, opened: Table) -> None:
        opened.throw(6, 5, 2)
        self.taken(opened, 4, 3, 1)
        assert "next_player" in opened.last("question.asked")["verdicts"]
        opened.answer(verdict="next_player")
        stopped = [entry.data["player"] for entry in opened.entries() if entry.type == "stopped"]
        assert stopped[0] == "C"
        assert (opened.last("thrown")["player"], opened.last("thrown")["dice"]) == ("A", [4, 3, 1])

    def test_it_may_be_thrown_again(self, opened: Table) -> None:
        opened.throw(6, 5, 2)
        self.taken(opened, 4, 3, 1)
        opened.answer(dice=[4, 3, 1])
        assert (opened.last("thrown")["player"], opened.last("thrown")["throw_no"]) == ("C", 2)

    def test_before_a_first_throw_nobody_is_asked(self, opened: Table) -> None:
        self.taken(opened, 4, 3, 1)
        assert opened.pipeline.open_question is None
        assert opened.last("thrown")["player"] == "C"

    def test_who_has_to_throw_on_is_not_asked_about(self, opened: Table) -> None:
        opened.throw(6, 6, 2)
        opened.say("turned", (1,), (1,))
        opened.say("cup_down")
        opened.say("cup_up")
        opened.say("throw_seen", (4, 3), (1,), taken=True)
        assert opened.pipeline.open_question is None
        assert (opened.last("thrown")["player"], opened.last("thrown")["throw_no"]) == ("C", 2)

    def test_what_the_next_player_cannot_have_thrown_is_asked_about_again(
        self, opened: Table
    ) -> None:
        opened.throw(6, 5, 1)
        opened.say("dice_kept", (1,), (1,))
        opened.say("throw_seen", (4, 3), (1,), taken=True)
        first = opened.pipeline.open_question
        opened.answer(verdict="next_player")
        again = opened.pipeline.open_question
        assert first is not None
        assert again is not None
        assert again["question_id"] != first["question_id"]
        assert again["player"] == "A"
        assert "next_player" not in again["verdicts"]

    @pytest.mark.parametrize("kind", ["tower", "burning", "off_mat"])
    def test_a_throw_that_burns_is_the_next_players_too(self, opened: Table, kind: str) -> None:
        opened.throw(6, 5, 2)
        opened.say(kind, (4,), taken=True)
        opened.answer(verdict="next_player")
        assert (opened.last("burnt")["player"], opened.last("burnt")["burns"]) == ("A", kind)
        assert opened.pipeline.open_question is None

    def test_what_cannot_be_read_is_asked_of_the_next_player(self, opened: Table) -> None:
        opened.throw(6, 5, 2)
        opened.say("unsure", (4, 3, 1), reason="values", taken=True)
        opened.say("cleared")
        opened.throw(6, 5, 4, clear=True)
        assert opened.types("question.unread") == [], "first it has to be said whose it is"
        opened.answer(verdict="next_player")
        question = opened.last("question.asked")
        assert (question["player"], question["doubt"]) == ("A", "values")
        opened.answer(dice=[4, 2, 1])
        thrown = [entry.data for entry in opened.entries() if entry.type == "thrown"]
        told = {one["player"]: one["dice"] for one in thrown[-2:]}
        assert told == {"A": [4, 2, 1], "B": [6, 5, 4]}

    def test_the_question_is_answered_after_a_restart(self, opened: Table) -> None:
        opened.throw(6, 5, 2)
        self.taken(opened, 4, 3, 1)
        opened.switch_on()
        opened.answer(verdict="next_player")
        assert opened.last("thrown")["player"] == "A"
        desk = opened.pipeline.desk
        opened.switch_on()
        assert opened.pipeline.desk.waiting == desk.waiting == ()
