"""What a person decides beside the play: pauses, a game's end without a loser, the next game."""

import pytest
from pipeline_table import Table

from device.game import Game
from web_ui.errors import ActionRefused


@pytest.fixture
def opened() -> Table:
    table = Table()
    table.opening()
    return table


def test_what_is_seen_during_a_pause_is_recorded_and_does_not_count(opened: Table) -> None:
    opened.pipeline.submit({"type": "pause", "by": "Ute", "reason": "food"})
    opened.throw(6, 6, 1, clear=True)
    assert opened.last("table.throw_seen")["dice"] == [6, 6, 1]
    assert opened.pipeline.open_question is None
    assert not {"refused", "stopped"} & set(opened.types())
    opened.pipeline.submit({"type": "resume", "by": "Ute"})
    opened.throw(5, 4, 1)
    assert opened.last("thrown")["dice"] == [5, 4, 1]


def test_what_was_seen_before_a_pause_counts_after_it(opened: Table) -> None:
    opened.say("unsure", (6, 6, 1), reason="values")
    opened.say("cleared")
    question = opened.pipeline.open_question
    assert question is not None
    opened.pipeline.submit({"type": "pause", "by": "Ute"})
    answer = {"type": "answer_question", "question_id": question["question_id"], "by": "Ute"}
    with pytest.raises(ActionRefused, match="paused"):
        opened.pipeline.submit({**answer, "dice": [6, 6, 1]})
    opened.pipeline.submit({"type": "resume", "by": "Ute"})
    opened.pipeline.submit({**answer, "dice": [6, 6, 1]})
    assert (opened.last("stopped")["player"], opened.game.player) == ("C", "A")


def test_a_game_is_abandoned_and_the_next_one_begins_with_others(opened: Table) -> None:
    opened.say("unsure", (6, 6, 1), reason="values")
    begin = {"type": "begin_game", "players": ["A", "D"], "by": "Ute"}
    with pytest.raises(ActionRefused, match="under way"):
        opened.pipeline.submit(begin)
    opened.pipeline.submit({"type": "abandon", "by": "Ute", "reason": "fire alarm"})
    assert opened.pipeline.open_question is None
    assert opened.types("question.withdrawn")
    opened.throw(6, 4, 1)
    with pytest.raises(ActionRefused, match="2 players"):
        opened.pipeline.submit({**begin, "players": ["A"]})
    opened.pipeline.submit(begin)
    opened.throw(6, 4, 1)
    assert opened.last("thrown")["player"] == "A"
    again = Game(opened.log, book="turnier", players=("X", "Y"), clock=lambda: 0.0)
    assert again.match == opened.game.match
    assert again.match.players == ("A", "D")
