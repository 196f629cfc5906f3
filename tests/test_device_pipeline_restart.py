"""A table that is switched off and on goes on as it was: questions, cases, and what waits."""

from collections.abc import Sequence
from typing import Any

import pytest
from pipeline_table import Table

from device.errors import StoreError
from device.store import LogEntry


@pytest.fixture
def opened() -> Table:
    table = Table()
    table.opening()
    return table


def test_an_open_question_is_answered_after_a_restart(opened: Table) -> None:
    opened.say("unsure", (6, 6, 1), reason="kind")
    opened.say("cleared")
    opened.throw(5, 4, 1)
    question = opened.pipeline.open_question
    opened.switch_on()
    assert opened.pipeline.open_question == question
    assert [seen.event.type for seen in opened.pipeline.desk.waiting] == [
        "cleared", "cup_down", "cup_up", "throw_seen",
    ]  # fmt: skip
    opened.answer(dice=[6, 6, 1])
    assert opened.last("thrown")["player"] == "A"
    assert opened.last("caught_up")["upto"] == opened.entries()[-1].data.get("upto")
    opened.switch_on()
    assert opened.pipeline.desk.waiting == ()
    assert opened.types("thrown") == ["thrown"] * 5


def test_a_case_is_ruled_on_after_a_restart(opened: Table) -> None:
    opened.throw(6, 4, 2)
    opened.say("turned", (1,), (1,))
    opened.switch_on()
    assert opened.cases() == ["six_turned"]
    opened.rule("dismissed")
    opened.switch_on()
    assert opened.cases() == []


def test_what_waits_for_the_end_of_a_pause_waits_beyond_a_restart(opened: Table) -> None:
    opened.say("unsure", (6, 6, 1), reason="kind")
    opened.say("throw_seen", (5, 5, 1))
    opened.submit("pause")
    opened.answer(verdict="no_throw")
    opened.switch_on()
    assert len(opened.pipeline.desk.waiting) == 1
    opened.submit("resume")
    assert opened.last("thrown")["dice"] == [5, 5, 1]


def test_a_log_of_before_the_marks_loses_no_question_and_doubles_no_throw(opened: Table) -> None:
    asked = {
        "question_id": "9.00-1", "player": "C", "dice": [6, 6, 1], "outside": [], "t_s": 9.0,
        "reason": "Die Augen sind nicht sicher zu lesen.", "reason_en": "…",
        "candidates": [[6, 6, 1]],
    }  # fmt: skip
    opened.game.note("question.asked", asked)
    opened.switch_on()
    opened.say("cleared")
    opened.answer(dice=[6, 6, 1])
    assert opened.last("stopped")["player"] == "C"


def test_what_cannot_be_written_has_not_happened_and_is_done_later(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = opened.log.append_all

    def full(items: Sequence[tuple[str, Any]], *, at_s: float) -> list[LogEntry]:
        if not items[0][0].startswith("table."):
            raise StoreError("The disk is full.")
        return whole(items, at_s=at_s)

    monkeypatch.setattr(opened.log, "append_all", full)
    before = opened.game.match
    opened.say("throw_seen", (6, 6, 1))  # on record, and behind
    assert opened.game.match == before
    assert opened.pipeline.is_behind
    monkeypatch.undo()
    opened.say("cleared")
    assert opened.last("thrown")["dice"] == [6, 6, 1]
    assert opened.last("stopped")["player"] == "C"


def test_a_throw_that_is_refused_takes_back_what_was_put_aside_for_it(opened: Table) -> None:
    opened.throw(6, 4, 1)
    opened.throw(5, outside=(1,))
    assert opened.last("refused")["code"] == "wrong_number_of_dice"
    assert opened.state["turn"]["outside"] == []
    assert opened.types("kept") == []


def test_a_start_reads_every_entry_of_the_log_once(
    opened: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.say("unsure", (6, 6, 1), reason="kind")
    opened.say("cleared")
    read: list[int] = []
    whole = opened.log.read

    def counted(after_seq: int = 0, limit: int = 1000) -> list[LogEntry]:
        page = whole(after_seq, limit)
        read.extend(entry.seq for entry in page)
        return page

    monkeypatch.setattr(opened.log, "read", counted)
    opened.switch_on()
    monkeypatch.undo()
    assert read == [entry.seq for entry in opened.entries()]
    assert len(opened.pipeline.desk.waiting) == 1
