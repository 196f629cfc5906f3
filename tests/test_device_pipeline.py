"""Table events become actions of the game: with the real rules, without a camera."""

from collections.abc import Callable
from typing import Any

import pytest
from pipeline_table import Table

from device.game import Game
from rules.match import Match
from rules.view import snapshot
from vision.events import DOUBTS
from web_ui.errors import ActionRefused


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def opened(table: Table) -> Table:
    table.opening()
    return table


def test_the_opening_takes_one_throw_of_each_in_seat_order(table: Table) -> None:
    table.opening()
    thrown = [e.data["player"] for e in table.log.read() if e.type == "thrown"]
    assert thrown == ["A", "B", "C"]
    assert table.state["holdings"] == {"A": 0, "B": 0, "C": 1}
    assert table.state["stock"] == 12
    assert "refused" not in table.types()


def test_an_empty_mat_after_a_throw_ends_the_turn(opened: Table) -> None:
    opened.throw(6, 6, 1, clear=True)
    assert opened.last("stopped")["player"] == "C"
    assert opened.game.player == "A"


def test_an_empty_mat_before_a_throw_says_nothing(opened: Table) -> None:
    opened.say("cleared")
    assert opened.game.player == "C"
    assert "stopped" not in opened.types()


def test_dice_put_aside_are_kept_and_the_rest_is_thrown_again(opened: Table) -> None:
    opened.throw(6, 4, 1)
    opened.say("dice_kept", (1,), (1,))
    opened.throw(1, 3, outside=(1,))
    assert opened.last("kept")["dice"] == [1]
    assert opened.last("thrown")["dice"] == [3, 1]
    assert opened.last("thrown")["outside"] == [1]


@pytest.mark.parametrize("told", ["turned first", "kept only", "at the throw"])
def test_a_six_that_became_a_one_is_turned_however_it_is_told(opened: Table, told: str) -> None:
    opened.throw(6, 6, 1)
    if told == "turned first":
        opened.say("turned", (1,), (1, 1))
        opened.say("dice_kept", (1,), (1, 1))
    elif told == "kept only":
        opened.say("dice_kept", (1, 1), (1, 1))
    opened.throw(5, outside=(1, 1))
    assert opened.last("turned")["count"] == 1
    assert opened.last("thrown")["outside"] == [1, 1]
    assert opened.last("thrown")["name"] == "Schock 5"
    assert "refused" not in opened.types()


def test_the_third_throw_stops_by_itself_and_clearing_does_not_stop_the_next(
    opened: Table,
) -> None:
    opened.throw(6, 4, 2)
    opened.throw(6, 4, 2)
    opened.throw(6, 4, 3)
    assert opened.last("stopped")["player"] == "C"
    assert opened.game.player == "A"
    opened.say("dice_kept", (6,), (6,))  # swept aside while the mat is cleared
    opened.say("cleared")
    assert opened.types("stopped") == ["stopped"]
    assert opened.state["turn"]["throws"] == 0


def test_the_limit_of_the_first_player_stops_the_others(opened: Table) -> None:
    opened.throw(6, 6, 1, clear=True)
    opened.throw(5, 4, 1)
    assert opened.last("stopped")["player"] == "A"
    assert opened.game.player == "B"


@pytest.mark.parametrize("kind", ["tower", "burning", "off_mat"])
def test_a_burnt_throw_is_thrown_again(opened: Table, kind: str) -> None:
    opened.say(kind, (6,), ())
    assert opened.last("burnt")["burns"] == kind
    assert opened.game.player == "C"
    opened.throw(6, 6, 1, clear=True)
    assert opened.last("stopped")["result"]["throws"] == 1


def test_a_burnt_throw_with_more_dice_than_a_player_has_is_thrown_again_too(opened: Table) -> None:
    opened.say("tower", (6, 5, 4, 3), ())
    assert opened.last("burnt")["dice"] == []


def test_one_throw_with_two_faults_burns_once(opened: Table) -> None:
    opened.say("off_mat", (6,), (), started_at_s=3.0)
    opened.say("tower", (6,), (), started_at_s=3.0)
    assert opened.types("burnt") == ["burnt"]


class TestAsideOfABurntThrow:
    """What was put aside is known when the throw after it burns, or comes to be known later."""

    def test_the_camera_tells_of_both_at_once(self, opened: Table) -> None:
        opened.throw(6, 5, 1)
        opened.say("burning", (6,), (1,))
        assert opened.last("kept")["dice"] == [1]
        opened.throw(6, 4, outside=(1,))
        assert opened.last("thrown")["throw_no"] == 2
        assert opened.pipeline.open_question is None

    def test_a_person_says_that_it_burns(self, opened: Table) -> None:
        opened.throw(6, 5, 1)
        opened.say("unsure", (6,), (1,), reason="kind")
        opened.answer(verdict="burning")
        assert opened.types("kept", "burnt") == ["kept", "burnt"]

    @pytest.mark.parametrize("burnt", [1, 2])
    def test_it_is_only_seen_at_the_throw_after_it(self, opened: Table, burnt: int) -> None:
        opened.throw(6, 5, 1)
        for at in range(burnt):
            opened.say("burning", (6,), (), started_at_s=10.0 + at)
        opened.throw(6, 4, outside=(1,))
        assert opened.last("thrown")["outside"] == [1]
        assert opened.last("thrown")["throw_no"] == 2
        assert opened.types("taken_back") == ["taken_back"] * burnt
        told = opened.types("taken_back", "kept", "burnt", "thrown")
        assert told[-burnt - 2 :] == ["kept", *["burnt"] * burnt, "thrown"]
        assert opened.pipeline.open_question is None

    def test_what_nobody_can_have_kept_is_asked_about(self, opened: Table) -> None:
        opened.throw(6, 5, 2)
        opened.say("burning", (6,), (1,))
        assert opened.types("kept") == []
        assert opened.last("burnt")["player"] == "C"
        opened.throw(6, 4, outside=(1,))
        assert opened.pipeline.open_question is not None


class TestQuestions:
    def ask(self, table: Table, reason: str = "values") -> str:
        table.say("unsure", (6, 5, 1), (), reason=reason, candidates=((6, 5, 1), (5, 5, 1)))
        asked = table.last("question.asked")
        assert asked["player"] == "C"
        assert asked["candidates"] == [[6, 5, 1], [5, 5, 1]]
        assert (asked["reason"], asked["reason_en"]) == DOUBTS[reason]
        return str(asked["question_id"])

    def answer(self, question_id: str, *dice: int) -> dict[str, Any]:
        return {
            "type": "answer_question", "question_id": question_id, "dice": list(dice), "by": "Anna"
        }  # fmt: skip

    def test_an_unsure_throw_is_not_entered_but_asked(self, opened: Table) -> None:
        self.ask(opened)
        assert opened.state["turn"]["throws"] == 0

    def test_the_answer_becomes_the_throw_and_says_who_decided(self, opened: Table) -> None:
        result = opened.pipeline.submit(self.answer(self.ask(opened), 5, 1, 5))
        assert result["events"][0]["type"] == "thrown"
        assert opened.last("thrown")["dice"] == [5, 5, 1]
        assert opened.last("question.answered")["by"] == "Anna"
        assert opened.pipeline.open_question is None

    def test_what_is_seen_meanwhile_waits_in_order(self, opened: Table) -> None:
        question_id = self.ask(opened, "kind")
        opened.say("cleared")
        opened.throw(4, 3, 2, clear=True)
        assert opened.game.player == "C"
        opened.pipeline.submit(self.answer(question_id, 6, 5, 1))
        thrown = [(e.data["player"], e.data["dice"]) for e in opened.log.read()
                  if e.type == "thrown"][3:]  # fmt: skip
        assert thrown == [("C", [6, 5, 1]), ("A", [4, 3, 2])]
        assert opened.game.player == "B"

    def test_an_answer_the_rules_refuse_leaves_the_question_open(self, opened: Table) -> None:
        question_id = self.ask(opened)
        with pytest.raises(ActionRefused) as refused:
            opened.pipeline.submit(self.answer(question_id, 6))
        assert refused.value.code == "wrong_number_of_dice"
        assert "3 Würfel" in refused.value.text_de
        assert opened.pipeline.open_question is not None
        assert opened.last("refused")["section"]

    @pytest.mark.parametrize(
        ("verdict", "types"), [("burning", ["burnt"]), ("no_throw", [])], ids=str
    )
    def test_a_question_can_be_answered_with_what_is_no_throw(
        self, opened: Table, verdict: str, types: list[str]
    ) -> None:
        question_id = self.ask(opened)
        opened.say("cup_down")
        told = {"type": "answer_question", "question_id": question_id, "by": "Anna"}
        opened.pipeline.submit({**told, "verdict": verdict})
        assert opened.types("burnt", "thrown")[3:] == types
        assert opened.last("question.answered") == {
            "question_id": question_id, "verdict": verdict, "by": "Anna"
        }  # fmt: skip
        assert opened.game.player == "C"
        assert opened.pipeline.open_question is None
        opened.throw(6, 6, 1)
        assert opened.state["turn"]["throws"] == 1

    def test_a_verdict_that_is_none_leaves_the_question_open(self, opened: Table) -> None:
        told = {"type": "answer_question", "question_id": self.ask(opened), "by": "Anna"}
        with pytest.raises(ActionRefused, match="burning, no_throw, but got 'won'"):
            opened.pipeline.submit({**told, "verdict": "won"})
        assert opened.pipeline.open_question is not None

    def test_an_old_question_cannot_be_answered_again(self, opened: Table) -> None:
        question_id = self.ask(opened)
        opened.pipeline.submit(self.answer(question_id, 6, 5, 1))
        with pytest.raises(ActionRefused, match="answered already"):
            opened.pipeline.submit(self.answer(question_id, 6, 5, 1))

    def test_a_throw_entered_by_hand_withdraws_the_question(self, opened: Table) -> None:
        self.ask(opened)
        opened.pipeline.submit({"type": "throw", "player": "C", "dice": [2, 2, 1]})
        assert opened.pipeline.open_question is None
        assert opened.types("question.withdrawn", "entered_by_hand")
        assert opened.last("thrown")["dice"] == [2, 2, 1]

    def test_a_sure_throw_that_the_rules_refuse_is_written_down_and_asked(
        self, opened: Table
    ) -> None:
        opened.throw(6, 4, outside=())
        assert opened.last("refused")["code"] == "wrong_number_of_dice"
        assert opened.last("question.asked")["reason"] == opened.last("refused")["text_de"]


def test_dice_put_aside_against_the_rules_are_refused_with_their_section(opened: Table) -> None:
    opened.throw(6, 6, 4)
    opened.say("turned", (1,), (1,))
    opened.say("dice_kept", (4,), (4, 1))
    refused = opened.last("refused")
    assert refused["code"] == "turned_keeps_only_ones"
    assert refused["section"]
    assert opened.pipeline.open_question is None


def test_an_action_that_is_none_is_refused_in_words(table: Table) -> None:
    with pytest.raises(ActionRefused, match="unknown action"):
        table.pipeline.submit({"type": "dance"})


def test_a_whole_half_from_table_events_alone() -> None:
    """C loses every round: the Deckel wander to C, first from the stock, then from the others."""
    table = Table()
    table.opening()
    better: dict[str, Callable[[], None]] = {
        "A": lambda: table.throw(4, 1, 1, clear=True),
        "B": lambda: table.throw(3, 3, 3, clear=True),
        "C": lambda: table.throw(2, 2, 1, clear=True),
    }
    rounds = 0
    while table.state["part"] == "half1":
        rounds += 1
        assert rounds < 20
        for player in table.state["order"]:
            assert table.game.player == player
            better[player]()
    assert table.last("half_over")["loser"] == "C"
    # One Deckel from the opening, then Schock 4 each round: 4, 4, 4 make 13.
    assert rounds == 3
    assert "refused" not in table.types()
    assert not table.types("question.asked")
    replayed = Match.replay(
        [{"type": e.type, **e.data} for e in table.log.read() if e.type in _events()]
    )
    assert snapshot(replayed) == table.state


def _events() -> frozenset[str]:
    from rules.events import EVENT_TYPES

    return frozenset(EVENT_TYPES)


def test_a_game_goes_on_where_the_log_ends(opened: Table) -> None:
    opened.throw(6, 4, 1)
    again = Game(opened.log, book="turnier", players=("X", "Y"), clock=lambda: 0.0)
    assert again.match == opened.game.match
    assert opened.types("match_started") == ["match_started"]


def test_more_than_can_wait_becomes_a_fault_and_nothing_breaks(opened: Table) -> None:
    opened.say("unsure", (6, 5, 1), (), reason="values")
    for _ in range(1100):
        opened.say("cup_down")
    assert opened.types("fault") == ["fault"]
    assert opened.last("fault")["text_de"]
    opened.pipeline.submit({"type": "throw", "player": "C", "dice": [6, 5, 1]})
    assert opened.types("fault_over") == ["fault_over"]
