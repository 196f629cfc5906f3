"""Dice that were taken unseen: the question whose the next throw is."""

import pytest
from pipeline_table import Table

from web_ui.errors import ActionRefused


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
        table.say("unsure", dice, reason="taken")

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
        opened.say("unsure", (4, 3), (1,), reason="taken")
        assert opened.pipeline.open_question is None
        assert (opened.last("thrown")["player"], opened.last("thrown")["throw_no"]) == ("C", 2)

    def test_what_the_next_player_cannot_have_thrown_is_refused(self, opened: Table) -> None:
        opened.throw(6, 5, 1)
        opened.say("dice_kept", (1,), (1,))
        opened.say("unsure", (4, 3), (1,), reason="taken")
        with pytest.raises(ActionRefused):
            opened.answer(verdict="next_player")
        assert opened.game.player == "C", "nothing has changed"
        assert opened.pipeline.open_question is not None
