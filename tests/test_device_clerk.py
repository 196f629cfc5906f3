"""What is done together is written together: all of it, or nothing, whatever goes wrong."""

import threading

import pytest
from pipeline_table import Table

from device.clerk import Clerk
from device.questions import Question
from rules import StopTurn, ThrowDice
from web_ui.errors import ActionRefused


@pytest.fixture
def opened() -> Table:
    table = Table()
    table.opening()
    return table


def test_a_mistake_behind_an_answer_leaves_the_question_open(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.say("unsure", (6, 6, 1), reason="kind")
    question, entries = opened.pipeline.open_question, opened.entries()

    def close(clerk: Clerk, question: Question, type: str, **data: object) -> None:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(Clerk, "close", close)  # the throw has been entered by then
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


def test_what_fails_inside_leaves_what_was_done_before_it(opened: Table) -> None:
    game, length = opened.game, len(opened.entries())

    def stop_and_fail() -> None:
        with game.together():
            game.do(StopTurn("C"))
            raise ZeroDivisionError("a mistake")

    with game.together():
        game.do(ThrowDice("C", (6, 5, 2)))
        thrown = game.match
        with pytest.raises(ZeroDivisionError):
            stop_and_fail()
        assert game.match == thrown
        with game.together():
            game.note("inside", {})
        assert len(opened.entries()) == length, "all of it is written at the end"
    assert opened.types()[length:] == ["thrown", "inside"]


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
