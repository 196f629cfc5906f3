"""Claims of players, rulings of the referee, and what they would change, tried beforehand."""

from typing import Any

import pytest
from pipeline_table import Table

from device.cases import Case
from device.retention import Needed
from web_ui.errors import ActionRefused


@pytest.fixture
def opened() -> Table:
    """C leads the first round and has thrown 6-6-1."""
    table = Table()
    table.opening()
    table.throw(6, 6, 1, clear=True)
    return table


def throw_id(table: Table, at: int = -1) -> int:
    return int(table.state["throws"][at]["throw_id"])


def claim(table: Table, at: int = -1, **more: Any) -> Case:
    table.submit("claim", **{"throw_id": throw_id(table, at), "text": "Das war eine Fünf", **more})
    return table.pipeline.desk.cases[-1]


def correction(table: Table, at: int, *dice: int) -> dict[str, Any]:
    thrown = table.state["throws"][at]
    about = {"player": thrown["player"], "throw_id": thrown["throw_id"], "dice": list(dice)}
    return {"type": "correct_throw", **about, "by": "Ute", "reason": "seen on the clip"}


class TestClaims:
    def test_a_claim_opens_a_case_and_changes_nothing_else(self, opened: Table) -> None:
        before = opened.state
        case = claim(opened).opened
        assert opened.state == before
        assert (case["kind"], case["player"], case["dice"]) == ("claim", "C", [6, 6, 1])
        assert (case["throw_id"], case["by"]) == (throw_id(opened), "Ute")
        assert case["text_de"] == "Ute zweifelt den Wurf von C an: Das war eine Fünf"
        assert opened.pipeline.open_question is None

    def test_a_throw_is_disputed_once_at_a_time(self, opened: Table) -> None:
        claim(opened)
        with pytest.raises(ActionRefused, match="before the referee already"):
            claim(opened)
        opened.rule("dismissed")
        assert claim(opened).case_id == "claim-2", "every claim has a number of its own"

    @pytest.mark.parametrize("number", [0, 99, -1, None])
    def test_a_throw_that_is_none_cannot_be_disputed(self, opened: Table, number: Any) -> None:
        with pytest.raises(ActionRefused, match="no throw number"):
            claim(opened, throw_id=number)
        assert opened.cases() == []

    def test_claims_outlive_a_restart(self, opened: Table) -> None:
        case = claim(opened)
        opened.switch_on()
        assert opened.pipeline.desk.cases == (case,)
        opened.rule("dismissed")
        assert claim(opened, -2).case_id == "claim-2"

    def test_a_claim_of_an_earlier_game_changes_nothing_in_this_one(self, opened: Table) -> None:
        case = claim(opened)
        opened.submit("abandon", reason="late")
        opened.submit("begin_game", players=["A", "B", "C"])
        opened.throw(6, 5, 2, clear=True)
        told = correction(opened, 0, 6, 5, 1)
        ruling = {"case_id": case.case_id, "verdict": "ruled", "reason": "seen"}
        with pytest.raises(ActionRefused, match="earlier game"):
            opened.submit("rule_case", **ruling, action=told)
        opened.submit("rule_case", **ruling, action=None)
        assert opened.cases() == []


class TestRulings:
    def rule(self, table: Table, action: Any, **more: Any) -> dict[str, Any]:
        case = table.pipeline.desk.cases[0]
        said = {"case_id": case.case_id, "verdict": "ruled", "reason": "seen on the clip"}
        return table.submit("rule_case", **{**said, "action": action, **more})

    def test_a_disputed_throw_is_corrected_and_the_case_closed_at_once(self, opened: Table) -> None:
        claim(opened)
        self.rule(opened, correction(opened, -1, 6, 5, 1))
        assert opened.cases() == []
        assert opened.last("throw_corrected")["dice"] == [6, 5, 1]
        closed = opened.last("case.closed")
        assert (closed["verdict"], closed["reason"]) == ("ruled", "seen on the clip")
        assert closed["action"]["type"] == "correct_throw"
        assert opened.state["throws"][-1]["dice"] == [6, 5, 1]

    def test_a_disputed_throw_is_repeated(self, opened: Table) -> None:
        claim(opened)
        assert opened.game.player == "A"
        about = {"player": "C", "throw_id": throw_id(opened)}
        self.rule(opened, {"type": "repeat_throw", **about, "by": "Ute", "reason": "cocked"})
        assert (opened.game.player, opened.cases()) == ("C", [])
        assert opened.last("burnt")["burns"] == "referee"
        opened.throw(5, 4, 1)
        assert opened.last("thrown")["player"] == "C"

    def test_a_ruling_that_the_rules_refuse_leaves_the_case_open(self, opened: Table) -> None:
        claim(opened)
        with pytest.raises(ActionRefused) as refused:
            self.rule(opened, correction(opened, -1, 6, 6, 1))
        assert refused.value.code == "unchanged"
        assert opened.cases() == ["claim"]
        assert opened.types("case.closed") == []

    @pytest.mark.parametrize(
        "action", [{"type": "throw", "player": "A", "dice": [1, 1, 1]}, "void", {"type": "nothing"}]
    )
    def test_a_ruling_does_nothing_but_rule(self, opened: Table, action: Any) -> None:
        claim(opened)
        with pytest.raises(ActionRefused) as refused:
            self.rule(opened, action)
        assert refused.value.code == "malformed"

    def test_no_penalty_of_the_book_belongs_to_a_disputed_throw(self, opened: Table) -> None:
        claim(opened)
        with pytest.raises(ActionRefused, match="disputed throw stands"):
            opened.rule("fault")

    def test_without_a_case_a_throw_can_be_repeated_too(self, opened: Table) -> None:
        about = {"player": "C", "throw_id": throw_id(opened), "reason": "cocked"}
        opened.submit("repeat_throw", **about)
        assert opened.game.player == "C"
        with pytest.raises(ActionRefused) as refused:
            opened.submit("repeat_throw", **about)
        assert refused.value.code == "unknown_throw"


class TestPreview:
    def test_a_correction_is_tried_and_nothing_has_happened(self, opened: Table) -> None:
        opened.throw(5, 4, 2, clear=True)
        opened.throw(6, 5, 3, clear=True)
        action = correction(opened, -2, 6, 6, 5)
        match, entries = opened.game.match, opened.entries()
        tried = opened.pipeline.preview(action)
        assert opened.game.match == match
        assert opened.entries() == entries
        assert tried["before"] == opened.state
        assert tried["before"]["history"][-1]["loser"] == "A"
        assert tried["after"]["history"][-1]["loser"] == "B"
        opened.pipeline.submit(action)
        assert opened.state == tried["after"]

    def test_what_waits_behind_a_question_is_in_it(self, opened: Table) -> None:
        opened.say("unsure", (6, 5, 4), reason="kind")
        opened.say("cleared")
        opened.throw(6, 6, 5, clear=True)
        question = opened.pipeline.open_question
        assert question is not None
        answer = {"type": "answer_question", "question_id": question["question_id"], "by": "Ute"}
        tried = opened.pipeline.preview({**answer, "dice": [6, 5, 4]})
        assert [t["dice"] for t in tried["after"]["throws"][-2:]] == [[6, 5, 4], [6, 6, 5]]
        assert opened.pipeline.open_question == question
        opened.answer(dice=[6, 5, 4])
        assert opened.state == tried["after"]

    def test_the_penalty_of_a_case_is_tried_too(self) -> None:
        table = Table(book="jule")
        table.lead()
        table.throw(4, 3, 2, clear=True)
        table.throw(6, 5, 4)
        table.throw(6, 5, 3)
        table.answer(verdict="too_many_throws")
        (case,) = table.pipeline.desk.cases
        ruling = {"type": "rule_case", "case_id": case.case_id, "verdict": "fault", "by": "Ute"}
        tried = table.pipeline.preview(ruling)
        assert tried["events"][0]["type"] == "fault_reported"
        assert table.cases() == ["too_many_throws"]

    def test_what_would_be_refused_says_why_and_is_not_on_record(self, opened: Table) -> None:
        entries = opened.entries()
        with pytest.raises(ActionRefused) as refused:
            opened.pipeline.preview(correction(opened, -1, 6, 6, 1))
        assert refused.value.code == "unchanged"
        assert opened.entries() == entries


def test_the_pictures_of_a_disputed_throw_are_never_deleted_by_themselves(opened: Table) -> None:
    seen = [entry.seq for entry in opened.entries() if entry.type == "table.throw_seen"][-1]
    claim(opened)
    opened.rule("dismissed")
    needed = Needed()
    for entry in opened.entries():
        needed.take(entry)
    assert seen in needed.facts
