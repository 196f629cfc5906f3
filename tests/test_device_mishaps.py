"""A mistake in our own code over one fact is told to people, and the table goes on without it."""

from collections.abc import Callable

import pytest
from pipeline_table import Table

from device import judging
from device.answers import Answers
from device.errors import StoreError
from device.seen import Seen
from device.sight import Sight
from web_ui.projection import Projection


@pytest.fixture
def opened() -> Table:
    table = Table()
    table.opening()
    table.mistakes_expected = True
    return table


def stumble(monkeypatch: pytest.MonkeyPatch, over: Callable[[Seen], bool]) -> list[int]:
    """Our code fails over some facts, after it has acted on them; returns which were tried."""
    tried: list[int] = []
    real = Sight.handle

    def handle(sight: Sight, seen: Seen) -> None:
        real(sight, seen)
        if over(seen):
            tried.append(seen.seq)
            raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(Sight, "handle", handle)
    return tried


def is_throw(seen: Seen) -> bool:
    return seen.event.type == "throw_seen"


def test_the_throw_is_on_record_told_of_and_asked_about(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, last, length = opened.game.match, opened.pipeline.desk.last, len(opened.entries())
    stumble(monkeypatch, is_throw)
    opened.say("throw_seen", (6, 6, 1))
    assert opened.game.match == before
    assert opened.pipeline.desk.last == last
    assert opened.types()[length:] == [
        "table.throw_seen", "fault", "caught_up", "question.asked",
    ]  # fmt: skip
    fault = opened.last("fault")
    assert (fault["what"], fault["seq"]) == ("mistake", length + 1)
    assert fault["error"] == "ZeroDivisionError: a mistake"
    assert fault["at"].startswith("test_device_mishaps.py:")
    assert "von Hand" in fault["text_de"]
    question = opened.pipeline.open_question
    assert question is not None
    assert (question["player"], question["candidates"]) == ("C", [[6, 6, 1]])
    board = Projection(opened.log, log_lines=10).board()
    assert [fault["what"] for fault in board.faults] == ["mistake"]
    assert len(board.questions) == 1


def test_it_is_tried_no_further_and_an_answer_enters_it(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = stumble(monkeypatch, is_throw)
    opened.say("throw_seen", (6, 6, 1))
    opened.say("cleared")
    for _ in range(3):
        opened.switch_on()
    assert len(tried) == 1
    assert [seen.event.type for seen in opened.pipeline.desk.waiting] == ["cleared"]
    opened.answer(dice=[6, 6, 1])
    assert opened.last("thrown")["dice"] == [6, 6, 1]
    assert opened.last("stopped")["player"] == "C", "what waited behind it is done"
    assert opened.last("fault_over") == {"what": "mistake"}
    assert len(tried) == 1


def test_a_fact_that_would_fail_at_every_start_lets_the_table_start(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power failed right behind it, and the program that is started now stumbles over it."""
    fact = {"t_s": 99.0, "type": "throw_seen", "dice": [6, 6, 1], "outside": [], "sure": True}
    opened.game.record("table.throw_seen", fact)
    tried = stumble(monkeypatch, is_throw)
    opened.switch_on()
    opened.switch_on()
    assert len(tried) == 1
    opened.by_hand("throw", player="C", dice=[6, 6, 1])
    assert opened.last("question.withdrawn")["by"] == "hand"
    assert opened.last("fault_over") == {"what": "mistake"}


def test_the_next_fact_is_handled_though_the_one_before_was_not(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.say("unsure", (6, 6, 1), reason="kind")
    opened.say("dice_kept", (1,), (1,))
    opened.throw(4, 3, outside=(1,))
    stumble(monkeypatch, lambda seen: seen.event.type == "dice_kept")
    opened.answer(dice=[6, 6, 1])
    assert opened.last("thrown")["dice"] == [6, 6, 1], "the answer counts all the same"
    question = opened.pipeline.open_question
    assert question is not None
    assert question["outside"] == [1]
    opened.answer(verdict="no_throw")
    assert opened.last("thrown")["dice"] == [4, 3]
    assert opened.last("kept")["dice"] == [1], "the next throw shows it anyway"


def test_where_not_even_a_question_can_be_asked_the_fault_stays_until_somebody_acts(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whose(*_: object, **__: object) -> str:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(judging, "whose", whose)
    opened.say("throw_seen", (6, 6, 1))
    opened.switch_on()
    assert opened.types("fault") == ["fault"]
    assert opened.pipeline.open_question is None
    assert opened.pipeline.desk.waiting == ()
    assert "mistake" in opened.pipeline.desk.faults
    opened.submit("claim", throw_id=1, text="")
    assert "mistake" in opened.pipeline.desk.faults, "that throw is still not entered"
    opened.by_hand("throw", player="C", dice=[6, 6, 1])
    assert opened.pipeline.desk.faults == frozenset()


def test_a_mistake_over_no_fact_at_all_stops_nothing_and_is_told_once(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_dice(*_: object) -> None:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(judging, "without_dice", without_dice)
    opened.say("unsure", (6, 6, 1), reason="values")
    opened.say("cleared")
    opened.throw(6, 5, 4)
    opened.switch_on()
    assert opened.types("fault") == ["fault"]
    assert "seq" not in opened.last("fault")
    opened.answer(dice=[6, 6, 1])
    thrown = [e.data["player"] for e in opened.entries() if e.type == "thrown"]
    assert thrown[3:] == ["C", "A"], "what waited was not lost"
    assert opened.last("fault_over") == {"what": "mistake"}


def test_an_error_of_the_log_is_no_mistake_and_waits(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def enter_told(answers: Answers) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Answers, "enter_told", enter_told)
    opened.say("throw_seen", (6, 6, 1))
    assert opened.pipeline.is_behind
    assert opened.types("fault") == []
