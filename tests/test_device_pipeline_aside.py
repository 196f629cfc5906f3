"""What lies aside when a throw burns."""

import pytest
from pipeline_table import Table


@pytest.fixture
def opened() -> Table:
    table = Table()
    table.opening()
    return table


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

    def test_a_throw_that_burnt_with_all_dice_leaves_none_aside(self, opened: Table) -> None:
        opened.throw(6, 5, 1)
        opened.say("burning", (6, 4, 2))
        opened.throw(6, 5, outside=(1,))
        assert opened.types("taken_back", "kept") == []
        assert opened.pipeline.open_question is not None

    def test_what_a_referee_has_had_repeated_is_not_taken_back(self, opened: Table) -> None:
        opened.throw(6, 5, 1)
        opened.throw(6, 4, 2)
        number = opened.last("thrown")["throw_id"]
        opened.submit("repeat_throw", player="C", throw_id=number, reason="cocked")
        opened.throw(6, 5, outside=(1,))
        assert opened.types("taken_back", "kept") == ["taken_back"], "the referee's own"
        assert opened.pipeline.open_question is not None

    def test_what_nobody_can_have_kept_is_asked_about(self, opened: Table) -> None:
        opened.throw(6, 5, 2)
        opened.say("burning", (6,), (1,))
        assert opened.types("kept") == []
        assert opened.last("burnt")["player"] == "C"
        opened.throw(6, 4, outside=(1,))
        assert opened.pipeline.open_question is not None
