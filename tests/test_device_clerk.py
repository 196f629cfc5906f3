"""What is done together is written together: all of it, or nothing, whatever goes wrong."""

import threading

import pytest
from pipeline_table import Table

from device.answers import Answers
from rules import StopTurn, ThrowDice
from web_ui.errors import ActionRefused


@pytest.fixture
def opened() -> Table:
    table = Table()
    table.opening()
    return table


def fail_after(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """A mistake in the code shows in the middle of a decision."""
    left, real = [count], Answers.enter_told

    def enter_told(answers: Answers) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise ZeroDivisionError("a mistake")
        real(answers)

    monkeypatch.setattr(Answers, "enter_told", enter_told)


def test_a_mistake_leaves_the_log_with_the_fact_alone(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, desk, length = opened.game.match, opened.pipeline.desk, len(opened.entries())
    fail_after(monkeypatch, 1)  # the throw has been entered by then
    with pytest.raises(ZeroDivisionError):
        opened.say("throw_seen", (6, 6, 1))
    assert opened.types()[length:] == ["table.throw_seen"]
    assert opened.game.match == before
    assert [seen.event.dice for seen in opened.pipeline.desk.waiting] == [(6, 6, 1)]
    assert opened.pipeline.desk.last == desk.last
    monkeypatch.undo()
    opened.switch_on()
    assert opened.last("thrown")["dice"] == [6, 6, 1], "nothing that happened is lost"


def test_a_mistake_behind_an_answer_leaves_the_question_open(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.say("unsure", (6, 6, 1), reason="kind")
    question, entries = opened.pipeline.open_question, opened.entries()
    fail_after(monkeypatch, 0)
    with pytest.raises(ZeroDivisionError):
        opened.answer(dice=[6, 6, 1])
    assert opened.entries() == entries
    assert opened.pipeline.open_question == question
    monkeypatch.undo()
    opened.answer(dice=[6, 6, 1])
    assert opened.last("thrown")["dice"] == [6, 6, 1]


def test_a_refused_answer_changes_nothing_and_is_on_record() -> None:
    """It would have ended the turn before, had the dice been right."""
    table = Table()
    table.lead()
    table.say("throw_seen", (6, 5, 4), seat="A")
    table.say("unsure", (6, 4, 1), seat="B", sure=False, reason="values")
    before, length = table.game.match, len(table.entries())
    with pytest.raises(ActionRefused):
        table.answer(dice=[6, 4])
    assert table.game.match == before
    assert table.types()[length:] == ["refused"]
    assert table.pipeline.open_question is not None
    table.answer(dice=[6, 4, 1])
    assert table.last("thrown")["player"] == "B"


def test_nobody_else_sees_a_match_that_may_still_be_taken_back(opened: Table) -> None:
    game = opened.game
    before, seen = game.match, []
    reader = threading.Thread(target=lambda: seen.append(game.match))

    def play_and_fail() -> None:
        with game.together():
            game.do(ThrowDice("C", (6, 5, 2)))
            game.do(StopTurn("C"))
            assert game.match != before, "whoever plays sees what he has done"
            reader.start()
            reader.join(timeout=0.2)
            raise ZeroDivisionError("a mistake")

    with pytest.raises(ZeroDivisionError):
        play_and_fail()
    reader.join()
    assert seen == [before]
    assert game.match == before
