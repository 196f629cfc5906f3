"""Which throws of an evening people have told the true dice of, die by die."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.confirmed import Evening, find_known
from device.game import Game
from device.known import name_dice
from device.pipeline import Pipeline
from device.store import MemoryLog
from vision.events import TableEvent

faces = st.integers(1, 6)
shares = st.lists(st.floats(0.01, 1), min_size=6, max_size=6)


def belief(value: int, share: float = 0.9, other: int | None = None) -> list[float]:
    """What the camera thinks of a die that it takes for `value`."""
    shares = [(1 - share) / 5] * 6
    shares[value - 1] = share
    if other is not None:
        shares = [0.01] * 6
        shares[value - 1], shares[other - 1] = 0.5, 0.46
    return shares


class Table:
    """A table at which the camera sees throws and people say what they were."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.game = Game(self.log, book="turnier", players=("A", "B", "C"), clock=lambda: 1e9)
        self.pipeline = Pipeline(self.game)
        self.t_s = 0.0

    def throw(
        self, *dice: int, sure: bool = True, beliefs: Sequence[Sequence[float]] | None = None
    ) -> None:
        self.t_s += 1.0
        event = TableEvent(
            self.t_s, "throw_seen" if sure else "unsure", None, tuple(dice), (), sure,
            self.t_s - 0.5, self.t_s, reason="" if sure else "values",
        )  # fmt: skip
        lying = [
            {"box": [n * 50.0, 0.0, n * 50.0 + 35, 35.0], "probabilities": shares, "aside": False}
            for n, shares in enumerate(beliefs or [belief(value) for value in dice])
        ]
        lying.append({"box": [900, 0, 935, 35], "probabilities": belief(1), "aside": True})
        evidence = {"still": f"throw-{self.t_s}.jpg", "sha256": "0" * 64, "model": "0.1.0"}
        mat = {"mat": [26.4, 26.4, 950.4, 719.4], "dice": lying}
        self.pipeline.receive(event, {**evidence, "lying": mat})

    def clear(self) -> None:
        self.t_s += 1.0
        self.pipeline.receive(
            TableEvent(self.t_s, "cleared", None, (), (), True, self.t_s - 0.5, self.t_s)
        )

    def answer(self, **more: Any) -> None:
        question = self.pipeline.open_question
        assert question is not None
        self.submit("answer_question", question_id=question["question_id"], by="B", **more)

    def submit(self, type: str, **more: Any) -> None:
        self.pipeline.submit({"type": type, **more})

    def known(self, *, agreed: bool = False) -> Evening:
        return find_known(self.log.read(limit=10_000), agreed=agreed)

    def told(self, *, agreed: bool = False) -> list[tuple[str, tuple[int | None, ...]]]:
        return [(throw.how, throw.values) for throw in self.known(agreed=agreed).throws]


@pytest.fixture
def table() -> Table:
    return Table()


def test_an_answer_confirms_what_was_read_or_corrects_it(table: Table) -> None:
    table.throw(6, 5, 2, sure=False)
    table.answer(dice=[2, 5, 6])
    table.throw(6, 5, 1, sure=False)
    table.answer(dice=[6, 5, 3])
    assert table.told() == [("confirmed", (6, 5, 2)), ("corrected", (6, 5, 3))]
    (first, _) = table.known().throws
    assert (first.still, first.model, first.mat) == (
        "throw-1.0.jpg", "0.1.0", (26.4, 26.4, 950.4, 719.4),
    )  # fmt: skip
    assert first.others == ((900, 0, 935, 35),)
    assert table.known().books == ("turnier",)


def test_sure_throws_are_agreed_to_only_when_asked_for(table: Table) -> None:
    table.throw(6, 5, 2)
    assert table.told() == []
    assert table.told(agreed=True) == [("agreed", (6, 5, 2))]


def test_a_sure_throw_that_is_corrected_later_counts_as_corrected(table: Table) -> None:
    table.throw(6, 5, 2)
    table.throw(6, 5, 1)
    table.submit("correct_throw", player="A", throw_id=1, dice=[6, 4, 2], by="B")
    assert table.told() == [("corrected", (6, 4, 2))]
    assert table.told(agreed=True)[1] == ("agreed", (6, 5, 1))


def test_an_answer_that_is_corrected_later_counts_as_corrected_then(table: Table) -> None:
    table.throw(6, 5, 2, sure=False)
    table.answer(dice=[6, 5, 2])
    table.submit("correct_throw", player="A", throw_id=1, dice=[6, 5, 3], by="B")
    assert table.told() == [("corrected", (6, 5, 3))]


def test_a_throw_entered_by_hand_answers_the_open_question(table: Table) -> None:
    table.throw(6, 5, 2, sure=False)
    table.submit("throw", player="A", dice=[6, 5, 3])
    assert table.told() == [("by_hand", (6, 5, 3))]


def test_a_throw_that_was_taken_back_is_not_known(table: Table) -> None:
    table.throw(6, 5, 2)
    table.submit("take_back", by="B")
    assert table.told(agreed=True) == []


def test_verdicts_tell_no_values(table: Table) -> None:
    table.throw(6, 5, 2, sure=False)
    table.answer(verdict="burning")
    table.throw(6, 5, 2, sure=False)
    table.answer(verdict="no_throw")
    assert table.told(agreed=True) == []


def test_a_throw_that_waited_behind_a_question_is_not_taken_for_the_answer(table: Table) -> None:
    table.throw(6, 5, 2, sure=False)
    table.throw(4, 3, 2)
    table.answer(dice=[4, 3, 2])
    # The answer is A's throw; the sure one of B came into the game only after it.
    assert [how for how, _ in table.told(agreed=True)] == ["corrected"]


def test_a_throw_the_game_went_on_without_is_told_apart_from_an_equal_one(table: Table) -> None:
    for values in ((6, 5, 2), (6, 5, 1), (2, 2, 1)):
        table.throw(*values)
        table.clear()
    table.throw(6, 5, 3, sure=False)
    table.clear()
    table.throw(6, 5, 3)
    table.clear()
    table.throw(4, 3, 2)
    assert [how for how, _ in table.told(agreed=True)] == ["agreed"] * 4
    table.answer(dice=[6, 5, 3])
    assert table.told(agreed=True)[3:] == [
        ("confirmed", (6, 5, 3)), ("agreed", (4, 3, 2)),
    ]  # fmt: skip


def test_what_cannot_be_used_is_counted_by_reason(table: Table) -> None:
    table.throw(6, 5, 2, sure=False, beliefs=[belief(6), belief(5)])
    table.answer(dice=[6, 5, 2])
    table.throw(6, 6, 6, sure=False)
    table.answer(dice=[1, 2, 3])
    evening = table.known()
    assert evening.throws == ()
    assert evening.left_out == {
        "another number of dice in the still than were told": 1,
        "not clear which die is which": 1,
    }


def test_logs_without_the_places_of_the_dice_are_left_out(table: Table) -> None:
    event = TableEvent(1.0, "unsure", None, (6, 5, 2), (), False, 0.5, 1.0, reason="values")
    table.pipeline.receive(event, {"still": "a.jpg", "sha256": "0" * 64})
    table.answer(dice=[6, 5, 2])
    assert table.known().left_out == {"no places of the dice beside the still (an older log)": 1}


# --- which die is which --------------------------------------------------------------------------


@given(st.lists(faces, min_size=1, max_size=5), st.randoms())
def test_values_that_were_read_go_to_their_dice(values: list[int], chance: Any) -> None:
    told = list(values)
    chance.shuffle(told)
    assert name_dice([belief(value, 0.98) for value in values], told) == tuple(values)


@given(st.lists(shares, min_size=1, max_size=4), st.data())
def test_only_told_values_are_given_and_none_too_often(
    beliefs: list[list[float]], data: st.DataObject
) -> None:
    told = data.draw(st.lists(faces, min_size=len(beliefs), max_size=len(beliefs)))
    named = [value for value in name_dice(beliefs, told) if value is not None]
    assert all(named.count(value) <= told.count(value) for value in named)


def test_one_misread_die_is_known_by_the_others_and_two_alike_are_not() -> None:
    assert name_dice([belief(6), belief(5), belief(2)], [6, 5, 3]) == (6, 5, 3)
    assert name_dice([belief(6), belief(6), belief(2)], [6, 5, 2]) == (None, None, 2)
    assert name_dice([belief(6), belief(6, other=5), belief(2)], [6, 5, 2]) == (6, 5, 2)
    with pytest.raises(ValueError, match="2 values cannot belong to 1 dice"):
        name_dice([belief(6)], [6, 5])
